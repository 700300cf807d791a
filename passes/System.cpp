// SPDX-License-Identifier: Apache-2.0
#include "passes/System.h"

#include "logic/Error.h"
#include "passes/TypeLimits.h"
#include "passes/Writers.h"
#include "passes/lower/KnownFunctions.h"

#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

namespace understudy::passes {

System::System(const read::Code &code, const specs::Compiled &contract, OverflowMode overflow)
    : contract_(contract), overflow_(overflow), copy_(llvm::CloneModule(*code.get().module)),
      module_(copy_.get()) {
  lower::markAssertHooks(code.get().assertHooks, *module_);
  bind();
}

System::System(llvm::Module &module, const specs::Compiled &contract, OverflowMode overflow,
               Extent extent)
    : contract_(contract), overflow_(overflow), module_(&module), extent_(extent) {
  bind();
}

void System::bind() {
  read::promoteLocals(*module_);
  if (extent_ == Extent::Part)
    declareMissingVariables();
  binding_ = memory::bindVariables(contract_, *module_);
  std::vector<logic::Diagnostic> errors;
  for (const specs::ThreadBinding &thread : contract_.threads) {
    if (thread.kind == specs::syntax::ThreadKind::Environment)
      continue;
    try {
      threads_.emplace_back(&thread, &memory::threadFunction(thread, *module_));
    } catch (const logic::Error &error) {
      errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!errors.empty() && extent_ == Extent::Whole)
    throw logic::Error(errors);
  if (extent_ == Extent::Whole)
    requireTypes(*this);
  memory_ = std::make_unique<memory::Memory>(binding_, *module_);
}

/// A variable that this file does not mention can only be changed by others.
void System::declareMissingVariables() {
  for (const specs::SharedBinding &shared : contract_.shared) {
    if (shared.ghost || !shared.paths.empty() ||
        module_->getGlobalVariable(shared.variable.name(), true) != nullptr)
      continue;
    logic::Sort sort = shared.variable.sort();
    llvm::Type *type = llvm::Type::getInt32Ty(module_->getContext());
    if (sort.isArray())
      type = llvm::ArrayType::get(type, static_cast<uint64_t>(sort.arraySize().value_or(0)));
    module_->getOrInsertGlobal(shared.variable.name(), type);
  }
}

lower::Lowered System::lower(const specs::ThreadBinding &thread) {
  lower::LowerOptions options;
  options.overflow = overflow_;
  if (thread.hasBody)
    for (const compose::Edge &edge : contract_.program.templates[thread.id].edges)
      if (const auto *call = std::get_if<compose::CallFunction>(&edge.action))
        options.actions.insert(call->name);
  for (const auto &[candidate, function] : threads_)
    if (candidate == &thread)
      return lower::lower(*function, "understudy.thread." + thread.name, *memory_, sources_,
                          options);
  throw std::logic_error("a thread without code is lowered");
}

std::vector<std::string> System::assumptions() {
  std::vector<std::string> result{
      "the code has no undefined behaviour (signed overflow, accesses outside of objects)"};
  for (const memory::BoundVariable &variable : binding_.variables) {
    std::string name = variable.variable().name();
    auto starts = memory::initialValues(variable);
    if (starts.empty())
      result.push_back("the start value of " + name +
                       " is set outside of the given files, as the contract says");
    else if (std::find(starts.begin(), starts.end(), std::nullopt) != starts.end())
      result.push_back("the start value of " + name +
                       " is no constant, and is assumed to be as the contract says");
    if (!variable.typeIsKnown)
      result.push_back("the type of " + name +
                       " is not known (no debug information) and taken for signed");
  }
  std::vector<const llvm::Function *> functions;
  for (const auto &[thread, function] : threads_)
    functions.push_back(function);
  std::vector<std::string> writers =
      otherWriters(*module_, functions, binding_, *memory_, sources_);
  result.insert(result.end(), writers.begin(), writers.end());
  return result;
}

} // namespace understudy::passes
