// SPDX-License-Identifier: Apache-2.0
//
// Mutexes in a conformance checker. The flag of a mutex, which tells whether any thread holds it,
// belongs to the shared state, and others may change it; whether it is this thread that holds it is
// known besides.
#include "passes/checker/CheckerState.h"
#include "passes/lower/Arbitrary.h"

#include <stdexcept>

namespace understudy::passes::checker {

logic::Variable CheckerState::flagOf(const std::string &mutex) const {
  for (const compose::Mutex &candidate : machine_.program->mutexes)
    if (candidate.name == mutex)
      return candidate.locked;
  throw std::logic_error("the mutex is unknown");
}

void CheckerState::setHolder(const std::string &mutex, llvm::Value *value) {
  builder_.CreateStore(value, memoryOf(flagOf(mutex), When::Now));
  builder_.CreateStore(value, held_.at(mutex));
}

/// A thread that holds the mutex does not wait for itself: it takes the mutex twice, which no state
/// of a contract allows.
llvm::Function *CheckerState::take(const std::string &mutex) {
  return make("take." + mutex, builder_.getVoidTy(), [this, mutex]() -> llvm::Value * {
    llvm::Type *flag = builder_.getInt1Ty();
    llvm::Value *locked = builder_.CreateLoad(flag, memoryOf(flagOf(mutex), When::Now));
    llvm::Value *holds = builder_.CreateLoad(flag, held_.at(mutex));
    lower::assume(builder_, builder_.CreateOr(holds, builder_.CreateNot(locked)));
    setHolder(mutex, builder_.getTrue());
    return nullptr;
  });
}

llvm::Function *CheckerState::release(const std::string &mutex) {
  return make("release." + mutex, builder_.getVoidTy(), [this, mutex]() -> llvm::Value * {
    setHolder(mutex, builder_.getFalse());
    return nullptr;
  });
}

void CheckerState::keepHeld() {
  for (const auto &[mutex, global] : held_) {
    llvm::Value *holds = builder_.CreateLoad(builder_.getInt1Ty(), global);
    keepIf(holds, flagOf(mutex));
    auto keepGuarded = [&](const specs::SharedBinding &shared) {
      if (shared.discipline && shared.discipline->by.text == mutex)
        keepIf(holds, shared.variable);
    };
    for (const memory::BoundVariable &variable : binding_.variables)
      keepGuarded(*variable.shared);
    for (const specs::SharedBinding *elsewhere : binding_.elsewhere)
      keepGuarded(*elsewhere);
  }
}

void CheckerState::keepIf(llvm::Value *condition, logic::Variable variable) {
  llvm::GlobalVariable *now = memoryOf(variable, When::Now);
  llvm::GlobalVariable *before = memoryOf(variable, When::Snapshot);
  llvm::Type *type = now->getValueType();
  const bool isArray = type->isArrayTy();
  llvm::Type *element = isArray ? type->getArrayElementType() : type;
  for (uint64_t i = 0; i < (isArray ? type->getArrayNumElements() : 1); ++i) {
    auto place = [&](llvm::GlobalVariable *memory) -> llvm::Value * {
      return isArray ? builder_.CreateConstInBoundsGEP2_64(type, memory, 0, i) : memory;
    };
    llvm::Value *kept = builder_.CreateLoad(element, place(before));
    llvm::Value *moved = builder_.CreateLoad(element, place(now));
    builder_.CreateStore(builder_.CreateSelect(condition, kept, moved), place(now));
  }
}

} // namespace understudy::passes::checker
