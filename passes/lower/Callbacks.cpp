// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/Callbacks.h"

#include "logic/Error.h"
#include "logic/Words.h"
#include "passes/lower/KnownFunctions.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <optional>
#include <utility>

namespace understudy::passes::lower {

namespace {

using llvm::dyn_cast;
using llvm::isa;
using Functions = std::set<const llvm::Function *>;

/// Functions with a body that a value leads to, as a pointer or as a number: it is their address,
/// or that lies where it points to, in the initialisers of globals, or stored there. Memory without
/// a name is one place, in which lies what the function that hands out the value stores there.
class Behind {
public:
  explicit Behind(const llvm::Function &within)
      : within_(within), layout_(within.getParent()->getDataLayout()) {}

  Functions of(const llvm::Value *value) {
    look(value);
    return std::move(found_);
  }

private:
  using Offset = std::optional<int64_t>; ///< none: any

  const llvm::Function &within_;
  const llvm::DataLayout &layout_;
  Functions found_;
  std::set<const llvm::Value *> seen_;
  bool unnamedSeen_ = false;

  void look(const llvm::Value *value) {
    if (!value->getType()->isPointerTy())
      return lookAt(value);
    for (const llvm::Value *object : memory::objectsOf(value))
      lookAt(object);
  }

  void lookAt(const llvm::Value *object) {
    if (!seen_.insert(object).second)
      return;
    if (const auto *alias = dyn_cast<llvm::GlobalAlias>(object))
      return look(alias->getAliasee());
    if (const auto *function = dyn_cast<llvm::Function>(object)) {
      if (!function->isDeclaration())
        found_.insert(function);
    } else if (const auto *global = dyn_cast<llvm::GlobalVariable>(object)) {
      if (global->hasInitializer())
        look(global->getInitializer());
      lookInto(object, {});
    } else if (isa<llvm::AllocaInst>(object)) {
      lookInto(object, {});
    } else if (const auto *load = dyn_cast<llvm::LoadInst>(object)) {
      lookAtLoaded(*load);
    } else if (isa<llvm::CallBase, llvm::Argument>(object)) {
      if (object->getType()->isPointerTy())
        lookIntoUnnamed();
    } else if (isa<llvm::ConstantExpr, llvm::ConstantAggregate>(object) ||
               isa<llvm::CastInst, llvm::BinaryOperator, llvm::SelectInst, llvm::PHINode,
                   llvm::FreezeInst, llvm::InsertValueInst, llvm::ExtractValueInst>(object)) {
      for (const llvm::Use &part : llvm::cast<llvm::User>(object)->operands())
        look(part.get());
    }
  }

  /// What is stored at the offset from the place, in any function.
  void lookInto(const llvm::Value *place, Offset offset) {
    for (const llvm::User *user : place->users()) {
      if (const auto *element = dyn_cast<llvm::GEPOperator>(user)) {
        llvm::APInt step(layout_.getIndexTypeSizeInBits(element->getType()), 0);
        bool known = offset && element->accumulateConstantOffset(layout_, step);
        lookInto(user, known ? Offset(*offset - step.getSExtValue()) : std::nullopt);
      }
      const auto *instruction = dyn_cast<llvm::Instruction>(user);
      bool whole = instruction != nullptr && isa<llvm::MemIntrinsic>(instruction);
      if (instruction != nullptr && memory::writtenBy(*instruction) == place &&
          (whole || offset.value_or(0) == 0))
        lookAtStored(*instruction);
    }
  }

  void lookAtStored(const llvm::Instruction &store) {
    for (const llvm::Use &operand : store.operands())
      if (operand.get() != memory::writtenBy(store))
        look(operand.get());
  }

  void lookIntoUnnamed() {
    if (std::exchange(unnamedSeen_, true))
      return;
    for (const llvm::Instruction &instruction : llvm::instructions(within_))
      if (const llvm::Value *pointer = memory::writtenBy(instruction))
        for (const llvm::Value *object : memory::objectsOf(pointer))
          if (!isa<llvm::AllocaInst, llvm::GlobalVariable>(object))
            lookAtStored(instruction);
  }

  /// Numbers in memory without a name are taken for numbers.
  void lookAtLoaded(const llvm::LoadInst &load) {
    llvm::Type *type = load.getType();
    if (layout_.getTypeSizeInBits(type) < layout_.getPointerSizeInBits())
      return;
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
    const llvm::Value *base =
        load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
    for (const llvm::Value *object : memory::objectsOf(base)) {
      bool known = object == base;
      const auto *global = dyn_cast<llvm::GlobalVariable>(object);
      if (global != nullptr && global->hasInitializer()) {
        const llvm::Constant *start = global->getInitializer();
        if (known)
          start = llvm::ConstantFoldLoadFromConst(const_cast<llvm::Constant *>(start), type, offset,
                                                  layout_);
        if (start != nullptr)
          look(start);
      }
      if (isa<llvm::AllocaInst, llvm::GlobalVariable>(object))
        lookInto(object, known ? Offset(offset.getSExtValue()) : std::nullopt);
      else if (type->isPointerTy())
        lookIntoUnnamed();
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

/// The function of the code that the compiler may call here to copy or set memory.
const llvm::Function *ownCopyOf(const llvm::CallBase &call) {
  const llvm::Function *callee = calleeOf(call);
  llvm::StringRef name = callee != nullptr ? callee->getName() : "";
  return name.consume_front(names::ownCopy) ? call.getModule()->getFunction(name) : nullptr;
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
    else if (const llvm::Function *own = ownCopyOf(call))
      work_.push_back(own);
    else if (callee == nullptr)
      deed_ = "calls through a pointer";
    else if (const auto *copy = dyn_cast<llvm::MemIntrinsic>(&call))
      lookAt(*copy);
    else if (callee->isIntrinsic() && meaningOf(*callee) == Known::None)
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
    case Known::Lock:
    case Known::TryLock:
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
      for (const llvm::Function *next : Behind(*call.getFunction()).of(argument)) {
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

std::string deedOfOwnCopy(Lowered &lowered, const llvm::CallBase &call,
                          const memory::Memory &memory, const LowerOptions &options) {
  const llvm::Function &own = *ownCopyOf(call);
  Deeds deeds(memory, options, {&own});
  std::string name = "the code's own " + memory::sourceName(own);
  if (std::string deed = deeds.run(); !deed.empty())
    return "a call of " + name + ", which " + deed;
  lowered.assumptions.insert(deeds.assumptions().begin(), deeds.assumptions().end());
  lowered.assumptions.insert(name + " does what its name says where the compiler calls it");
  return "";
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
      for (const llvm::Function *function : Behind(*lowered.function).of(argument)) {
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
