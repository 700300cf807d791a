// SPDX-License-Identifier: Apache-2.0
#include "passes/locks/LowerLocks.h"

#include "logic/Error.h"
#include "passes/lower/KnownFunctions.h"

#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

namespace understudy::passes::locks {

using lower::LockUse;

namespace {

enum class Operation : uint8_t { Lock, Try, Unlock, Wait, Signal, Broadcast, Other };

/// The names of the thread library tell what a function does.
Operation operationOf(llvm::StringRef name) {
  if (name.ends_with("unlock"))
    return Operation::Unlock;
  if (name.ends_with("trylock") || name.ends_with("timedlock") || name.ends_with("clocklock"))
    return Operation::Try;
  if (name.ends_with("_lock"))
    return Operation::Lock;
  if (name.ends_with("wait"))
    return Operation::Wait;
  if (name.ends_with("_signal"))
    return Operation::Signal;
  return name.ends_with("_broadcast") ? Operation::Broadcast : Operation::Other;
}

bool isOnCondition(llvm::StringRef name) {
  return name.starts_with("pthread_cond_") || name.starts_with("cnd_");
}

/// Ends after some time, whatever happens.
bool isTimed(llvm::StringRef name) { return name.contains("timed") || name.contains("clock"); }

/// What the operation returns when the mutex is not to be had, or the time is over. None: systems
/// differ.
std::optional<uint64_t> failureOf(llvm::StringRef name, const llvm::Module &module) {
  const llvm::Triple target(module.getTargetTriple());
  const bool isCommon = target.isX86() || target.isARM() || target.isAArch64() || target.isRISCV();
  if (!target.isOSLinux() || !isCommon)
    return std::nullopt;
  const bool isC11 = name.starts_with("mtx_") || name.starts_with("cnd_");
  if (isTimed(name))
    return isC11 ? 4 : 110; // thrd_timedout, ETIMEDOUT
  return isC11 ? 1 : 16;    // thrd_busy, EBUSY
}

bool takesLock(llvm::StringRef name) {
  return (name.contains("lock") && !name.ends_with("unlock") && !name.ends_with("_init") &&
          !name.ends_with("_destroy")) ||
         name.contains("wait");
}

} // namespace

void LowerLocks::refuse(const llvm::CallBase &call, const std::string &name,
                        const std::string &why) {
  throw logic::Unsupported("call to " + name + ": " + why, rewriter_.sources().range(call));
}

const memory::BoundLock *LowerLocks::argument(const llvm::CallBase &call, unsigned number) {
  if (call.arg_size() <= number || !call.getArgOperand(number)->getType()->isPointerTy())
    return nullptr;
  return rewriter_.memory().lockAt(call.getArgOperand(number), rewriter_.sources().range(call));
}

void LowerLocks::rewrite(llvm::CallBase &call, const std::string &name) {
  if (!rewriter_.options().locks.empty())
    refuse(call, name, rewriter_.options().locks);
  if (rewriter_.sections().inside(call))
    refuse(call, name, "locks in an atomic section are not supported");
  const memory::BoundLock *first = argument(call, 0);
  if (isOnCondition(name))
    onCondition(call, name, first);
  else if (first != nullptr)
    onMutex(call, name, *first);
  else
    unnamed(call, name);
}

/// It takes only behaviour away. So what conforms without it does so with it; a violation behind it
/// may need what others cannot do while it is held.
void LowerLocks::unnamed(llvm::CallBase &call, const std::string &name) {
  llvm::IRBuilder<> builder(&call);
  for (llvm::Value *argument : call.args())
    if (argument->getType()->isPointerTy())
      if (const memory::BoundVariable *variable = rewriter_.memory().mayReach(argument))
        throw logic::Unsupported(name + " uses memory that may hold '" +
                                     variable->variable().name() + "'",
                                 rewriter_.sources().range(call));
  assumeOther(call);
  if (takesLock(name)) {
    const uint32_t id = rewriter_.addGuess(call, "a lock that the contract does not name");
    rewriter_.result().places[id].how = "taken";
    lower::assume(builder, lower::guess(builder, builder.getInt1Ty(), id));
  }
  if (!call.use_empty()) {
    const bool mayFail = lower::meaningOf(*lower::calleeOf(call)) == lower::Known::TryLock;
    call.replaceAllUsesWith(
        mayFail ? lower::arbitrary(builder, call.getType())
                : lower::guess(builder, call.getType(),
                               rewriter_.addGuess(call, "what " + name + " returns")));
  }
  call.eraseFromParent();
}

/// No pointer of the files given leads to the contract's locks, and others could.
void LowerLocks::assumeOther(const llvm::CallBase &call) {
  const std::string names = rewriter_.memory().locksKnownElsewhere();
  if (names.empty())
    return;
  for (const llvm::Value *argument : call.args())
    if (argument->getType()->isPointerTy())
      for (const llvm::Value *object : memory::objectsOf(argument))
        if (!llvm::isa<llvm::GlobalVariable>(object) && !memory::leadsToNoGlobal(object))
          rewriter_.result().assumptions.insert("locks behind pointers from outside are none of: " +
                                                names);
}

void LowerLocks::onMutex(llvm::CallBase &call, const std::string &name,
                         const memory::BoundLock &mutex) {
  if (!mutex.isMutex())
    refuse(call, name, "'" + mutex.lock->name + "' is a condition in the contract");
  if (llvm::StringRef(name).contains("rwlock"))
    refuse(call, name, "'" + mutex.lock->name + "' is a mutex in the contract");
  switch (operationOf(name)) {
  case Operation::Lock:
    lock(call, name, mutex);
    return;
  case Operation::Try:
    tryLock(call, name, mutex);
    return;
  case Operation::Unlock:
    step(call, call, "unlock " + mutex.lock->name, LockUse::Releases, mutex);
    succeed(call, name, mutex);
    return;
  default:
    refuse(call, name, "this operation on '" + mutex.lock->name + "' is not supported");
  }
}

void LowerLocks::onCondition(llvm::CallBase &call, const std::string &name,
                             const memory::BoundLock *condition) {
  if (condition != nullptr && condition->isMutex())
    refuse(call, name, "'" + condition->lock->name + "' is a mutex in the contract");
  const Operation operation = operationOf(name);
  if (operation == Operation::Wait) {
    const memory::BoundLock *mutex = argument(call, 1);
    if (mutex != nullptr && mutex->isMutex())
      wait(call, name, condition, *mutex);
    else if (mutex != nullptr)
      refuse(call, name, "'" + mutex->lock->name + "' is a condition in the contract");
    else if (condition != nullptr)
      refuse(call, name, "the contract does not name the mutex of this wait");
    else
      unnamed(call, name);
    return;
  }
  if (condition == nullptr) {
    unnamed(call, name);
    return;
  }
  if (operation == Operation::Other)
    refuse(call, name, "this operation on '" + condition->lock->name + "' is not supported");
  step(call, call,
       (operation == Operation::Signal ? "signal " : "broadcast ") + condition->lock->name);
  succeed(call, name, *condition);
}

void LowerLocks::lock(llvm::CallBase &call, const std::string &name,
                      const memory::BoundLock &mutex) {
  step(call, call, "lock " + mutex.lock->name, LockUse::Takes, mutex);
  succeed(call, name, mutex);
}

/// It may fail whoever has the mutex, and then nothing has happened.
void LowerLocks::tryLock(llvm::CallBase &call, const std::string &name,
                         const memory::BoundLock &mutex) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *taken = lower::arbitrary(builder, builder.getInt1Ty());
  llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(taken, &call, false);
  step(call, *then, "lock " + mutex.lock->name, LockUse::Takes, mutex);
  answer(call, name, taken);
  rewriter_.result().assumptions.insert("operations on " + mutex.lock->name + " do not fail");
  call.eraseFromParent();
}

/// 0 if it succeeded.
void LowerLocks::answer(llvm::CallBase &call, const std::string &name, llvm::Value *succeeded) {
  if (call.use_empty() || !call.getType()->isIntegerTy())
    return;
  llvm::IRBuilder<> builder(&call);
  llvm::Value *result = nullptr;
  if (const auto failure = failureOf(name, *call.getModule())) {
    result = builder.CreateSelect(succeeded, llvm::ConstantInt::get(call.getType(), 0),
                                  llvm::ConstantInt::get(call.getType(), *failure));
  } else {
    result = lower::guess(builder, call.getType(),
                          rewriter_.addGuess(call, "what " + name + " returns"));
    lower::assume(builder, builder.CreateICmpEQ(succeeded, builder.CreateIsNull(result)));
  }
  call.replaceAllUsesWith(result);
}

/// Two steps: the mutex is released, and taken again.
void LowerLocks::wait(llvm::CallBase &call, const std::string &name,
                      const memory::BoundLock *condition, const memory::BoundLock &mutex) {
  if (condition != nullptr && isTimed(name) && !rewriter_.options().timedWaits.empty())
    refuse(call, name, rewriter_.options().timedWaits);
  const std::string &held = mutex.lock->name;
  step(call, call,
       condition != nullptr ? "wait " + condition->lock->name + " with " + held : "unlock " + held,
       LockUse::Releases, mutex);
  step(call, call, "lock " + held, LockUse::Takes, mutex);
  if (isTimed(name)) {
    llvm::IRBuilder<> builder(&call);
    answer(call, name, lower::arbitrary(builder, builder.getInt1Ty()));
  }
  succeed(call, name, mutex);
}

uint32_t LowerLocks::step(const llvm::CallBase &call, llvm::Instruction &at,
                          const std::string &action) {
  lower::Lowered &result = rewriter_.result();
  ++result.steps;
  const uint32_t id = rewriter_.addPlace(lower::PlaceKind::Step, call);
  result.places[id].action = action;
  llvm::IRBuilder<> builder(&at);
  for (const char *border : {lower::names::stepBegin, lower::names::stepEnd})
    lower::callWithId(builder, border, id)->setDebugLoc(call.getDebugLoc());
  return id;
}

void LowerLocks::step(const llvm::CallBase &call, llvm::Instruction &at, const std::string &action,
                      LockUse use, const memory::BoundLock &mutex) {
  lower::Place &place = rewriter_.result().places[step(call, at, action)];
  place.lockUse = use;
  place.lock = mutex.lock->name;
}

/// What holding it twice or releasing it without holding it returns does not matter: these are
/// violations. Success is 0 everywhere but in threads.h of some systems.
void LowerLocks::succeed(llvm::CallBase &call, const std::string &name,
                         const memory::BoundLock &lock) {
  rewriter_.result().assumptions.insert("operations on " + lock.lock->name + " do not fail");
  const bool isKnown = !(name.starts_with("mtx_") || name.starts_with("cnd_")) ||
                       llvm::Triple(call.getModule()->getTargetTriple()).isOSLinux();
  if (!call.use_empty()) {
    llvm::IRBuilder<> builder(&call);
    call.replaceAllUsesWith(
        isKnown ? llvm::Constant::getNullValue(call.getType())
                : lower::guess(builder, call.getType(),
                               rewriter_.addGuess(call, "what " + name + " returns")));
  }
  call.eraseFromParent();
}

} // namespace understudy::passes::locks
