// SPDX-License-Identifier: Apache-2.0
//
// Which lock of the contract an operation is about. A lock is a whole global; one that only lock
// operations use by name is reached in no other way.
#include "logic/Error.h"
#include "logic/Words.h"
#include "passes/lower/KnownFunctions.h"
#include "passes/memory/Memory.h"

#include <algorithm>

namespace understudy::passes::memory {

bool isLockOperation(const llvm::Use &use) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
  const llvm::Function *callee = call != nullptr ? lower::calleeOf(*call) : nullptr;
  if (callee == nullptr || !call->isArgOperand(&use))
    return false;
  lower::Known meaning = lower::meaningOf(*callee);
  return meaning == lower::Known::Lock || meaning == lower::Known::TryLock;
}

void Memory::findEscapedLocks(const std::vector<const llvm::Function *> &threads) {
  for (const BoundLock &lock : binding_.locks) {
    const AddressUses uses = usesOf(*lock.global);
    if (!std::all_of(uses.escapes.begin(), uses.escapes.end(),
                     [](const llvm::Use *use) { return isLockOperation(*use); }) ||
        isGivenTo(threads, uses))
      escapedLocks_.insert(&lock);
  }
}

const BoundLock *Memory::mayReachLock(const llvm::Value *pointer) const {
  for (const llvm::Value *object : objectsOf(pointer)) {
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
      if (const BoundLock *lock = binding_.findLock(global))
        return lock;
    } else if (!leadsToNoGlobal(object) && !escapedLocks_.empty()) {
      return *escapedLocks_.begin();
    }
  }
  return nullptr;
}

const BoundLock *Memory::lockAt(const llvm::Value *pointer, const logic::SourceRange &range) const {
  const BoundLock *lock = mayReachLock(pointer);
  if (lock == nullptr)
    return nullptr;
  llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(layout_, offset, true);
  if (base != lock->global || !offset.isZero())
    throw logic::Unsupported(
        "this lock may be '" + lock->lock->name + "', but it is not known which one it is", range);
  return lock;
}

std::string Memory::locksKnownElsewhere() const {
  std::vector<std::string> names;
  for (const BoundLock &lock : binding_.locks)
    if (!lock.global->hasLocalLinkage() && !escapedLocks_.contains(&lock))
      names.push_back(lock.lock->name);
  return logic::joined(names);
}

} // namespace understudy::passes::memory
