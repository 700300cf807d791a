// SPDX-License-Identifier: Apache-2.0
#include "passes/Memory.h"

#include "logic/Error.h"
#include "passes/Library.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace understudy::passes {

namespace {

/// Follows an address through its uses. `Calls::Follow`: into functions with a body.
class EscapeSearch {
public:
  bool escapes(const llvm::Value &address) {
    work_.push_back(&address);
    while (!work_.empty()) {
      const llvm::Value *value = work_.back();
      work_.pop_back();
      if (!seen_.insert(value).second)
        continue;
      for (const llvm::Use &use : value->uses())
        if (escapesBy(use))
          return true;
    }
    return false;
  }

private:
  std::vector<const llvm::Value *> work_;
  std::set<const llvm::Value *> seen_;

  bool escapesBy(const llvm::Use &use) {
    const llvm::User *user = use.getUser();
    if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user))
      return false;
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->getValueOperand() == use.get();
    if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(user))
      return exchange->getPointerOperand() != use.get();
    if (const auto *modify = llvm::dyn_cast<llvm::AtomicRMWInst>(user))
      return modify->getPointerOperand() != use.get();
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user))
      return escapesByCall(*call, use);
    bool copy = llvm::isa<llvm::PHINode, llvm::SelectInst>(user) ||
                llvm::isa<llvm::GEPOperator>(user) || llvm::isa<llvm::BitCastOperator>(user) ||
                llvm::isa<llvm::AddrSpaceCastOperator>(user);
    if (copy) {
      work_.push_back(user);
      return false;
    }
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(user))
      return !global->getName().starts_with("llvm.");
    if (llvm::isa<llvm::ConstantAggregate>(user)) { // llvm.used is a list of globals
      for (const llvm::User *outer : user->users()) {
        const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(outer);
        if (global == nullptr || !global->getName().starts_with("llvm."))
          return true;
      }
      return false;
    }
    return true;
  }

  bool escapesByCall(const llvm::CallBase &call, const llvm::Use &use) {
    if (llvm::isa<llvm::DbgInfoIntrinsic, llvm::MemIntrinsic>(call) || call.isLifetimeStartOrEnd())
      return false;
    if (!call.isDataOperand(&use) || !call.isArgOperand(&use))
      return true;
    const auto *callee =
        llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
    if (callee == nullptr || callee->isDeclaration() ||
        call.getArgOperandNo(&use) >= callee->arg_size())
      return callee == nullptr || knownFunction(sourceName(*callee)) == Known::None ||
             knownFunction(sourceName(*callee)) == Known::Refused;
    work_.push_back(callee->getArg(call.getArgOperandNo(&use)));
    return false;
  }
};

llvm::SmallVector<const llvm::Value *, 4> objectsOf(const llvm::Value *pointer) {
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  return objects;
}

bool isConstantAddress(const llvm::Value *object) {
  if (const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(object))
    return expression->getOpcode() == llvm::Instruction::IntToPtr;
  if (const auto *cast = llvm::dyn_cast<llvm::IntToPtrInst>(object))
    return llvm::isa<llvm::ConstantInt>(cast->getOperand(0));
  return false;
}

} // namespace

Memory::Memory(const Binding &binding, const llvm::Module &module)
    : binding_(binding), layout_(module.getDataLayout()) {
  for (const BoundVariable &variable : binding.variables)
    if (EscapeSearch().escapes(*variable.global))
      escaped_.insert(&variable);
}

bool Memory::isStored(const llvm::AllocaInst &local) {
  // Calls are dealt with where they are; here only stores, casts and the like count.
  std::vector<const llvm::Value *> work{&local};
  std::set<const llvm::Value *> seen;
  while (!work.empty()) {
    const llvm::Value *value = work.back();
    work.pop_back();
    if (!seen.insert(value).second)
      continue;
    for (const llvm::Use &use : value->uses()) {
      const llvm::User *user = use.getUser();
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == use.get())
          return true;
      } else if (llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::GetElementPtrInst>(user)) {
        work.push_back(user);
      } else if (!llvm::isa<llvm::LoadInst, llvm::ICmpInst, llvm::CallBase>(user) &&
                 !llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user)) {
        return true;
      }
    }
  }
  return false;
}

std::vector<llvm::AllocaInst *> Memory::locals(llvm::Value *pointer) {
  std::vector<llvm::AllocaInst *> result;
  for (const llvm::Value *object : objectsOf(pointer))
    if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(object))
      result.push_back(const_cast<llvm::AllocaInst *>(local));
  return result;
}

const BoundVariable *Memory::mayReach(const llvm::Value *pointer) const {
  for (const llvm::Value *object : objectsOf(pointer)) {
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
      if (const BoundVariable *variable = binding_.find(global))
        return variable;
      continue;
    }
    bool harmless = llvm::isa<llvm::AllocaInst, llvm::Function, llvm::UndefValue>(object) ||
                    llvm::isa<llvm::ConstantPointerNull>(object) || isConstantAddress(object);
    if (!harmless && !escaped_.empty())
      return *escaped_.begin();
  }
  return nullptr;
}

const BoundVariable *Memory::mayLeadTo(const llvm::Value *pointer) const {
  if (const BoundVariable *variable = mayReach(pointer))
    return variable;
  if (escaped_.empty())
    return nullptr;
  for (const llvm::Value *object : objectsOf(pointer)) {
    const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object);
    bool text = global != nullptr && global->isConstant() && global->hasInitializer() &&
                llvm::isa<llvm::ConstantDataSequential, llvm::ConstantAggregateZero>(
                    global->getInitializer());
    bool nowhere = llvm::isa<llvm::Function, llvm::UndefValue>(object) ||
                   llvm::isa<llvm::ConstantPointerNull>(object) || isConstantAddress(object);
    if (!text && !nowhere)
      return *escaped_.begin();
  }
  return nullptr;
}

Target Memory::classify(llvm::Value *pointer, llvm::Type *type, llvm::Instruction &at,
                        const logic::SourceRange &range) const {
  auto objects = objectsOf(pointer);
  if (objects.size() == 1) {
    const llvm::Value *object = objects.front();
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
      if (const BoundVariable *variable = binding_.find(global))
        return named(*variable, pointer, type, at, range);
      return {.constant = global->isConstant() && global->hasInitializer() ? global : nullptr};
    }
    if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(object))
      return {.kind = isStored(*local) ? Target::Kind::Unnamed : Target::Kind::Local};
    if (isConstantAddress(object))
      return {.kind = Target::Kind::Device};
  }
  if (const BoundVariable *variable = mayReach(pointer))
    throw logic::Unsupported("this pointer may reach '" + variable->variable().name() +
                                 "', and what it points to cannot be told",
                             range);
  for (const llvm::Value *object : objects)
    if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(object);
        local != nullptr && !isStored(*local))
      throw logic::Unsupported("this pointer may reach one of several local objects", range);
  return {};
}

Target Memory::named(const BoundVariable &variable, llvm::Value *pointer, llvm::Type *type,
                     llvm::Instruction &at, const logic::SourceRange &range) const {
  std::string name = "'" + variable.variable().name() + "'";
  if (!type->isIntegerTy(variable.bits))
    throw logic::Unsupported("this access to " + name + " has another width than the variable",
                             range);
  unsigned width = layout_.getIndexTypeSizeInBits(pointer->getType());
  llvm::APInt constant(width, 0);
  llvm::MapVector<llvm::Value *, llvm::APInt> variables;
  llvm::Value *base = pointer;
  while (auto *step = llvm::dyn_cast<llvm::GEPOperator>(base)) {
    if (!step->collectOffset(layout_, width, variables, constant))
      throw logic::Unsupported("the place in " + name + " that is accessed cannot be told", range);
    base = step->getPointerOperand();
  }
  int64_t size = variable.bits / 8;
  int64_t offset = constant.getSExtValue();
  Target result{.kind = Target::Kind::Named, .variable = &variable};
  bool whole = base == variable.global && size > 0 && offset % size == 0;
  for (const auto &[value, scale] : variables)
    whole = whole && scale.getSExtValue() == size;
  if (!whole || (variable.count == 0 && (offset != 0 || !variables.empty())))
    throw logic::Unsupported("this access does not fit " + name + " exactly", range);
  if (variable.count == 0)
    return result;
  llvm::IRBuilder<> builder(&at);
  llvm::Value *index = builder.getInt64(static_cast<uint64_t>(offset / size));
  for (const auto &[value, scale] : variables)
    index = builder.CreateAdd(builder.CreateSExtOrTrunc(value, builder.getInt64Ty()), index, "",
                              false, true);
  result.index = index;
  return result;
}

} // namespace understudy::passes
