// SPDX-License-Identifier: Apache-2.0
#include "passes/CheckerProgram.h"

#include "passes/Library.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <stdexcept>

namespace understudy::passes {

namespace {

/// The sort of a C integer's value; that of a 64-bit unsigned one does not fit a range.
logic::Sort sortOf(const BoundVariable &variable, logic::TermPool &pool) {
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

CheckerProgram encodeChecker(const Checker &checker, const Lowered &lowered, const Binding &binding,
                             const logic::TermPoolPtr &pool, const std::string &thread,
                             SourceMap &sources) {
  requireValid(*checker.function);
  CheckerProgram result;
  compose::Program &program = result.program;
  program.pool = pool;
  program.name = thread;
  program.initial = pool->boolean(true);
  EncodeContext context{program, {}, lowered.places};
  for (const BoundVariable &variable : binding.variables) {
    if (variable.count > 0)
      continue;
    Cell cell;
    cell.variable = pool->variable("", variable.global->getName().str(), sortOf(variable, *pool));
    cell.isSigned = variable.isSigned;
    program.globals.push_back(cell.variable);
    context.cells[variable.global] = cell;
  }
  StatedInvariants stated(*checker.function, sources);
  context.heads = stated.heads();
  result.encoded = encode(*checker.function, thread, context);
  result.stated = stated.resolve(result.encoded, context);
  program.templates.push_back(result.encoded.thread);
  program.starts.push_back({0, 1, false});
  for (const BoundVariable &variable : binding.variables)
    if (auto found = context.cells.find(variable.global); found != context.cells.end())
      result.encoded.memory[variable.global->getName().str()] = {found->second.variable};
  compose::checkWellFormed(program);
  return result;
}

compose::SequentialOptions CheckerProgram::with(compose::SequentialOptions options) const {
  for (const StatedInvariant &one : stated)
    if (one.invariant)
      options.stated.push_back(*one.invariant);
  return options;
}

void instrumentAll(System &system, Coverage coverage) {
  for (const auto &[thread, function] : system.threads()) {
    if (!thread->hasBody)
      continue;
    Machine machine = makeMachine(system.contract(), *thread);
    Lowered lowered = system.lower(*thread);
    instrument(lowered, machine, system.binding(), coverage);
    requireValid(*lowered.function);
  }
  for (llvm::Function &function : system.module())
    if (!function.isDeclaration() && knownFunction(sourceName(function)) != Known::None &&
        knownFunction(sourceName(function)) != Known::AtomicFunction)
      function.deleteBody();
}

} // namespace understudy::passes
