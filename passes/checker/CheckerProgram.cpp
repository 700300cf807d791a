// SPDX-License-Identifier: Apache-2.0
#include "passes/checker/CheckerProgram.h"

#include "passes/lower/KnownFunctions.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <stdexcept>

namespace understudy::passes::checker {

namespace {

/// The sort of a C integer's value; that of a 64-bit unsigned one does not fit a range.
logic::Sort sortOf(const memory::BoundVariable &variable, logic::TermPool &pool) {
  if (variable.isBool)
    return pool.rangeSort(0, 1);
  if (variable.bits == 64)
    return variable.isSigned ? pool.rangeSort(INT64_MIN, INT64_MAX) : pool.intSort();
  int64_t half = int64_t{1} << (variable.bits - 1);
  return variable.isSigned ? pool.rangeSort(-half, half - 1) : pool.rangeSort(0, 2 * half - 1);
}

void requireValid(const llvm::Function &function) {
  std::string why;
  llvm::raw_string_ostream stream(why);
  if (llvm::verifyFunction(function, &stream))
    throw std::logic_error("the instrumented function is not valid: " + why);
}

} // namespace

CheckerProgram encodeChecker(const Checker &checker, const lower::Lowered &lowered,
                             const memory::Binding &binding, const logic::TermPoolPtr &pool,
                             const std::string &thread, read::SourceMap &sources) {
  requireValid(*checker.function);
  CheckerProgram result;
  compose::Program &program = result.program;
  program.pool = pool;
  program.name = thread;
  program.initial = pool->boolean(true);
  encode::EncodeContext context{program, {}, lowered.places};
  for (const memory::BoundVariable &variable : binding.variables) {
    if (variable.count > 0)
      continue;
    encode::Cell cell;
    cell.variable = pool->variable("", variable.global->getName().str(), sortOf(variable, *pool));
    cell.isSigned = variable.isSigned;
    program.globals.push_back(cell.variable);
    context.cells[variable.global] = cell;
  }
  encode::StatedInvariants stated(*checker.function, sources);
  context.heads = stated.heads();
  result.encoded = encode::encode(*checker.function, thread, context);
  result.stated = stated.resolve(result.encoded, context);
  program.templates.push_back(result.encoded.thread);
  program.starts.push_back({0, 1, false});
  for (const memory::BoundVariable &variable : binding.variables)
    if (auto found = context.cells.find(variable.global); found != context.cells.end())
      result.encoded.memory[variable.global->getName().str()] = {found->second.variable};
  compose::checkWellFormed(program);
  return result;
}

compose::sequential::SequentialOptions
CheckerProgram::with(compose::sequential::SequentialOptions options) const {
  for (const encode::StatedInvariant &one : stated)
    if (one.invariant)
      options.stated.push_back(*one.invariant);
  return options;
}

void instrumentAll(System &system, Coverage coverage) {
  for (const auto &[thread, function] : system.threads()) {
    if (!thread->hasBody)
      continue;
    Machine machine = makeMachine(system.contract(), *thread);
    lower::Lowered lowered = system.lower(*thread);
    instrument(lowered, machine, system.binding(), coverage);
    requireValid(*lowered.function);
  }
  for (llvm::Function &function : system.module())
    if (const lower::KnownFunction *known = lower::findKnown(function);
        !function.isDeclaration() && known != nullptr && known->body == lower::Body::Replaced)
      function.deleteBody();
}

} // namespace understudy::passes::checker
