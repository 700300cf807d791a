// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/Callbacks.h"

#include "logic/Error.h"
#include "logic/Words.h"
#include "passes/lower/KnownFunctions.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace understudy::passes::lower {

namespace {

using llvm::dyn_cast;
using llvm::isa;
using Functions = std::set<const llvm::Function *>;

/// Functions with a body whose address lies behind a pointer: in the initialisers of globals that
/// it leads to, or stored there or in locals.
class Behind {
public:
  Functions of(const llvm::Value *pointer) {
    look(pointer);
    return std::move(found_);
  }

private:
  Functions found_;
  std::set<const llvm::Value *> seen_;

  void look(const llvm::Value *pointer) {
    for (const llvm::Value *object : memory::objectsOf(pointer))
      if (seen_.insert(object).second)
        lookAt(object);
  }

  void lookAt(const llvm::Value *object) {
    if (const auto *alias = dyn_cast<llvm::GlobalAlias>(object))
      return look(alias->getAliasee());
    if (const auto *function = dyn_cast<llvm::Function>(object)) {
      if (!function->isDeclaration())
        found_.insert(function);
    } else if (const auto *global = dyn_cast<llvm::GlobalVariable>(object)) {
      if (global->hasInitializer())
        lookInside(global->getInitializer());
      lookInto(object);
    } else if (isa<llvm::AllocaInst>(object)) {
      lookInto(object);
    }
  }

  void lookInside(const llvm::Constant *constant) {
    if (constant->getType()->isPointerTy())
      return look(constant);
    if (isa<llvm::ConstantAggregate>(constant))
      for (const llvm::Use &part : constant->operands())
        lookInside(llvm::cast<llvm::Constant>(part.get()));
  }

  /// What is stored there, in any function.
  void lookInto(const llvm::Value *place) {
    for (const llvm::User *user : place->users()) {
      if (isa<llvm::GEPOperator>(user))
        lookInto(user);
      if (const auto *store = dyn_cast<llvm::StoreInst>(user);
          store != nullptr && store->getPointerOperand() == place &&
          store->getValueOperand()->getType()->isPointerTy())
        look(store->getValueOperand());
      if (const auto *copy = dyn_cast<llvm::MemTransferInst>(user);
          copy != nullptr && copy->getRawDest() == place)
        look(copy->getRawSource());
    }
  }
};

/// The pointers through which an instruction other than a call reads or writes.
const llvm::Value *accessedBy(const llvm::Instruction &instruction) {
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (const auto *modify = dyn_cast<llvm::AtomicRMWInst>(&instruction))
    pointer = modify->getPointerOperand();
  if (const auto *exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    pointer = exchange->getPointerOperand();
  return pointer;
}

/// Looks for what a function does, with all that it calls, that conformance speaks of.
class Deeds {
public:
  Deeds(const memory::Memory &memory, const LowerOptions &options, Functions first)
      : memory_(memory), options_(options), work_(first.begin(), first.end()) {}

  /// "accesses 'x'"; empty: nothing.
  std::string run() {
    while (!work_.empty() && deed_.empty()) {
      const llvm::Function *function = work_.back();
      work_.pop_back();
      if (!seen_.insert(function).second || options_.threads.contains(function))
        continue;
      if (const memory::BoundVariable *variable = memory_.touchedBy(*function))
        accesses(*variable);
      for (const llvm::Instruction &instruction : llvm::instructions(*function))
        look(instruction);
    }
    return deed_;
  }

  const std::set<std::string> &assumptions() const { return assumptions_; }

private:
  const memory::Memory &memory_;
  const LowerOptions &options_;
  std::vector<const llvm::Function *> work_;
  Functions seen_;
  std::string deed_;
  std::set<std::string> assumptions_;

  void accesses(const memory::BoundVariable &variable) {
    deed_ = "accesses '" + variable.variable().name() + "'";
  }

  void look(const llvm::Instruction &instruction) {
    if (const auto *call = dyn_cast<llvm::CallBase>(&instruction))
      lookAt(*call);
    else if (const llvm::Value *pointer = accessedBy(instruction))
      if (const memory::BoundVariable *variable = memory_.mayReach(pointer))
        accesses(*variable);
  }

  void lookAt(const llvm::CallBase &call) {
    const llvm::Function *callee = calleeOf(call);
    if (call.isInlineAsm())
      deed_ = "contains assembly";
    else if (callee == nullptr)
      deed_ = "calls through a pointer";
    else if (const auto *copy = dyn_cast<llvm::MemIntrinsic>(&call))
      lookAt(*copy);
    else if (callee->isIntrinsic())
      return;
    else if (options_.actions.contains(memory::sourceName(*callee)))
      deed_ = "calls " + memory::sourceName(*callee) + ", an action of the contract";
    else
      lookAt(call, *callee);
  }

  void lookAt(const llvm::CallBase &call, const llvm::Function &callee) {
    std::string name = memory::sourceName(callee);
    switch (meaningOf(callee)) {
    case Known::Assert:
    case Known::AssertFail:
      deed_ = "has an assertion";
      return;
    case Known::Marker:
      deed_ = "has a marker";
      return;
    case Known::ThreadExit:
    case Known::Refused:
      deed_ = "calls " + name;
      return;
    case Known::None:
    case Known::AtomicFunction:
      break;
    default:
      handsOut(call);
      return;
    }
    if (!callee.isDeclaration()) {
      work_.push_back(&callee);
      return;
    }
    handsOut(call);
    std::set<std::string> names;
    for (const llvm::Value *argument : call.args())
      for (const llvm::Function *next : Behind().of(argument)) {
        work_.push_back(next);
        names.insert(memory::sourceName(*next));
      }
    assumptions_.insert(assumedOf(name, names));
  }

  void lookAt(const llvm::MemIntrinsic &copy) {
    for (const llvm::Value *pointer : copy.args())
      if (pointer->getType()->isPointerTy())
        if (const memory::BoundVariable *variable = memory_.mayReach(pointer))
          accesses(*variable);
  }

  void handsOut(const llvm::CallBase &call) {
    for (const llvm::Value *argument : call.args())
      if (argument->getType()->isPointerTy())
        if (const memory::BoundVariable *variable = memory_.mayLeadTo(argument))
          accesses(*variable);
  }
};

} // namespace

std::string assumedOf(const std::string &function, const std::set<std::string> &callbacks) {
  std::string back =
      callbacks.empty()
          ? "makes no callback"
          : "calls back only " +
                logic::joined(std::vector<std::string>(callbacks.begin(), callbacks.end()));
  return function + " performs no thread operation, " + back +
         " and writes no named variable (its body is not available)";
}

std::map<std::string, std::set<std::string>> findCallbacks(Lowered &lowered,
                                                           const memory::Memory &memory,
                                                           read::SourceMap &sources,
                                                           const LowerOptions &options) {
  std::map<std::string, std::set<std::string>> result;
  for (const llvm::Instruction &instruction : llvm::instructions(*lowered.function)) {
    const auto *call = dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function *callee = call != nullptr ? calleeOf(*call) : nullptr;
    if (callee == nullptr || !callee->isDeclaration() || callee->isIntrinsic() ||
        meaningOf(*callee) != Known::None || callee->getName().starts_with(names::action))
      continue;
    std::string name = memory::sourceName(*callee);
    for (const llvm::Value *argument : call->args())
      for (const llvm::Function *function : Behind().of(argument)) {
        if (options.threads.contains(function))
          continue;
        Deeds deeds(memory, options, {function});
        std::string called = memory::sourceName(*function);
        if (std::string deed = deeds.run(); !deed.empty())
          throw logic::Unsupported("the body of " + name + " is not available, and it may call " +
                                       called + ", which " + deed,
                                   sources.range(*call));
        lowered.assumptions.insert(deeds.assumptions().begin(), deeds.assumptions().end());
        result[name].insert(called);
      }
  }
  return result;
}

} // namespace understudy::passes::lower
