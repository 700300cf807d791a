// SPDX-License-Identifier: Apache-2.0
#include "passes/memory/Memory.h"

#include "logic/Error.h"
#include "logic/Words.h"
#include "passes/read/Module.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace understudy::passes::memory {

namespace {

bool isConstantAddress(const llvm::Value *object) {
  const auto *cast = llvm::dyn_cast<llvm::Operator>(object);
  return cast != nullptr && cast->getOpcode() == llvm::Instruction::IntToPtr &&
         llvm::isa<llvm::ConstantInt>(cast->getOperand(0));
}

std::string describe(const llvm::GlobalVariable &global) {
  return global.hasPrivateLinkage()
             ? "memory that the contract does not name"
             : "'" + global.getName().str() + "', which the contract does not name";
}

std::string describe(const llvm::AllocaInst &local, Local how, const llvm::Instruction &access) {
  // Inlining adds numbers to the name; what has no name in C begins with a dot.
  llvm::StringRef known = local.getName().split('.').first;
  std::string name = known.empty() ? "a local" : "'" + known.str() + "'";
  return name + (how == Local::Escaped ? ", whose address escapes"
                 : access.isVolatile() ? ", which is volatile"
                                       : ", a local that is not tracked exactly");
}

} // namespace

Memory::Memory(const Binding &binding, const llvm::Module &module,
               const std::vector<const llvm::Function *> &threads)
    : binding_(binding), layout_(module.getDataLayout()) {
  for (const BoundVariable &variable : binding.variables) {
    AddressUses uses = usesOf(*variable.global);
    if (isGivenTo(threads, uses) || !uses.escapes.empty())
      escaped_.insert(&variable);
    for (const auto &some : {uses.accesses, uses.escapes})
      for (const llvm::Use *use : some)
        if (const auto *at = llvm::dyn_cast<llvm::Instruction>(use->getUser()))
          touched_.emplace(at->getFunction(), &variable);
  }
  findEscapedLocks(threads);
}

const BoundVariable *Memory::touchedBy(const llvm::Function &function) const {
  auto found = touched_.find(&function);
  return found == touched_.end() ? nullptr : found->second;
}

bool leadsToNoGlobal(const llvm::Value *object) {
  return llvm::isa<llvm::AllocaInst, llvm::Function, llvm::UndefValue>(object) ||
         llvm::isa<llvm::ConstantPointerNull>(object) || isConstantAddress(object);
}

llvm::SmallVector<const llvm::Value *, 4> objectsOf(const llvm::Value *pointer) {
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  return objects;
}

std::string Memory::knownElsewhere() const {
  std::vector<std::string> names;
  for (const BoundVariable &variable : binding_.variables)
    if (!variable.global->hasLocalLinkage() && !escaped_.contains(&variable))
      names.push_back(variable.variable().name());
  return logic::joined(names);
}

std::vector<const BoundVariable *> Memory::reachedBy(const llvm::Value *pointer) const {
  std::vector<const BoundVariable *> result;
  auto add = [&](const BoundVariable *variable) {
    if (std::find(result.begin(), result.end(), variable) == result.end())
      result.push_back(variable);
  };
  for (const llvm::Value *object : objectsOf(pointer)) {
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
      if (const BoundVariable *variable = binding_.find(global))
        add(variable);
      continue;
    }
    if (!leadsToNoGlobal(object))
      std::for_each(escaped_.begin(), escaped_.end(), add);
  }
  return result;
}

const BoundVariable *Memory::mayReach(const llvm::Value *pointer) const {
  std::vector<const BoundVariable *> reached = reachedBy(pointer);
  return reached.empty() ? nullptr : reached.front();
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
                        const Locals &locals, const logic::SourceRange &range) const {
  auto objects = objectsOf(pointer);
  if (objects.size() == 1) {
    const llvm::Value *object = objects.front();
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
      if (const BoundVariable *variable = binding_.find(global))
        return named(*variable, pointer, type, at, range);
      bool constant = global->isConstant() && global->hasDefinitiveInitializer();
      return {.constant = constant ? global : nullptr,
              .isAnything = read::isAnything(*global),
              .what = describe(*global)};
    }
    if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(object)) {
      if (locals.of(*local) == Local::Followed)
        return {.kind = Target::Kind::Local};
      return {.isPrivate = locals.of(*local) == Local::Loose,
              .what = describe(*local, locals.of(*local), at)};
    }
    if (isConstantAddress(object))
      return {.kind = Target::Kind::Device};
  }
  if (const BoundVariable *variable = mayReach(pointer))
    throw logic::Unsupported("this pointer may reach '" + variable->variable().name() +
                                 "', but it is not known what it points to",
                             range);
  return {};
}

Target Memory::named(const BoundVariable &variable, llvm::Value *pointer, llvm::Type *type,
                     llvm::Instruction &at, const logic::SourceRange &range) const {
  std::string name = "'" + variable.variable().name() + "'";
  if (!type->isIntegerTy(variable.bits))
    throw logic::Unsupported("this access to " + name + " differs in width from the variable",
                             range);
  unsigned width = layout_.getIndexTypeSizeInBits(pointer->getType());
  llvm::APInt constant(width, 0);
  llvm::MapVector<llvm::Value *, llvm::APInt> variables;
  llvm::Value *base = pointer;
  while (auto *step = llvm::dyn_cast<llvm::GEPOperator>(base)) {
    if (!step->collectOffset(layout_, width, variables, constant))
      throw logic::Unsupported("it is not known which part of " + name + " is accessed", range);
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

} // namespace understudy::passes::memory
