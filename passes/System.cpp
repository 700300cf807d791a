// SPDX-License-Identifier: Apache-2.0
#include "passes/System.h"

#include "logic/Error.h"
#include "passes/lower/KnownFunctions.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace understudy::passes {

namespace {

/// The pointer that an instruction writes through, if it writes.
const llvm::Value *writtenBy(const llvm::Instruction &instruction) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getPointerOperand();
  if (const auto *modify = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return modify->getPointerOperand();
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return nullptr;
}

} // namespace

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

std::set<const llvm::Function *> System::functionsOfThreads() const {
  std::set<const llvm::Function *> reached;
  std::vector<const llvm::Function *> work;
  for (const auto &[thread, function] : threads_)
    work.push_back(function);
  while (!work.empty()) {
    const llvm::Function *function = work.back();
    work.pop_back();
    if (!reached.insert(function).second)
      continue;
    for (const llvm::Instruction &instruction : llvm::instructions(*function))
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function *callee = call->getCalledFunction())
          work.push_back(callee);
  }
  return reached;
}

void System::addWriters(const llvm::Function &function, std::vector<std::string> &into) {
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    const llvm::Value *pointer = writtenBy(instruction);
    if (pointer == nullptr)
      continue;
    const memory::BoundVariable *variable = memory_->mayReach(pointer);
    if (variable == nullptr)
      continue;
    logic::SourceRange range = sources_.range(instruction);
    std::string where =
        range.known() ? range.file->name() + ":" + std::to_string(range.begin.line) : "no line";
    into.push_back(memory::sourceName(function) + " (" + where + ") may write " +
                   variable->variable().name() + " and is assumed not to run beside the system");
  }
}

std::vector<std::string> System::assumptions() {
  std::vector<std::string> result{
      "the code has no undefined behaviour (signed overflow, accesses outside of objects)"};
  for (const memory::BoundVariable &variable : binding_.variables)
    if (!variable.global->hasDefinitiveInitializer())
      result.push_back("the start value of " + variable.variable().name() +
                       " is set outside of the given files, as the contract says");
  std::set<const llvm::Function *> covered = functionsOfThreads();
  for (const llvm::Function &function : *module_)
    if (!covered.contains(&function) && !function.getName().starts_with("understudy"))
      addWriters(function, result);
  return result;
}

} // namespace understudy::passes
