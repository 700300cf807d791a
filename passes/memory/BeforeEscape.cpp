// SPDX-License-Identifier: Apache-2.0
//
// The problem: a local whose address escapes has any value at each read, although nobody knows the
// address before an instruction publishes it. The idea: a second local, which is private, holds the
// value until then. Where only some of the ways that lead to a read have published the address, a
// mark says which way was taken. Nothing has to be copied: afterwards the first local has any
// value. Invariant: as long as the address is not published, all writes go to the second local.
// Why only numbers: what is published leads on to what its pointers lead to, and who asks for that
// looks at the stores into the published local. A local that holds an address keeps all of its
// stores; the store publishes the address that it stores, wherever it goes. Nothing is promoted
// before `Locals` has seen the result, so no store of an address disappears in between.
#include "passes/memory/Escape.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <set>

namespace understudy::passes::memory {

namespace {

using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;

/// Is it the address of the local, or of an element of it?
bool isDirect(const llvm::Value *pointer, const llvm::AllocaInst &local) {
  while (const auto *step = dyn_cast<llvm::GetElementPtrInst>(pointer))
    pointer = step->getPointerOperand();
  return pointer == &local;
}

/// Lets the access, or the step to an element, start at another local.
void redirect(Instruction &user, unsigned operand, llvm::AllocaInst &to) {
  auto *step = dyn_cast<llvm::GetElementPtrInst>(user.getOperand(operand));
  if (step == nullptr)
    return user.setOperand(operand, &to);
  Instruction *copy = step->clone();
  copy->insertBefore(&user);
  user.setOperand(operand, copy);
  redirect(*copy, 0, to);
}

/// A constant without addresses, as that of an initialiser.
bool isPlainData(const llvm::Value &source) {
  const auto *global = dyn_cast<llvm::GlobalVariable>(&source);
  return global != nullptr && global->isConstant() && global->hasDefinitiveInitializer() &&
         isa<llvm::ConstantData>(global->getInitializer());
}

/// What an access to the address does.
enum class Deed : uint8_t { Loads, OnlyReads, OnlyWrites, Both };

Deed deedOf(const llvm::Use &use) {
  const auto &user = llvm::cast<Instruction>(*use.getUser());
  if (isa<llvm::LoadInst>(user))
    return Deed::Loads;
  if (isa<llvm::MemIntrinsic>(user) && use.getOperandNo() != 0)
    return Deed::OnlyReads;
  return isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user) ? Deed::Both : Deed::OnlyWrites;
}

class Separation {
public:
  explicit Separation(llvm::AllocaInst &local) : local_(local), uses_(usesOf(local)) {
    std::vector<const llvm::BasicBlock *> work;
    for (const llvm::Use *use : uses_.escapes) {
      escapes_.push_back(llvm::cast<Instruction>(use->getUser()));
      work.push_back(escapes_.back()->getParent());
    }
    while (!work.empty()) {
      const llvm::BasicBlock *block = work.back();
      work.pop_back();
      for (const llvm::BasicBlock *next : llvm::successors(block))
        if (after_.insert(next).second)
          work.push_back(next);
    }
    possible_ = !escapes_.empty() && local.isStaticAlloca() && holdsNumbers() && sort();
  }

  void run() {
    if (!possible_ || (early_.empty() && mixed_.empty()))
      return;
    auto *before = llvm::cast<llvm::AllocaInst>(local_.clone());
    before->setName(local_.getName() + ".before");
    before->insertBefore(&local_);
    beginAnew(*before);
    for (const llvm::Use *use : early_)
      redirect(userOf(*use), use->getOperandNo(), *before);
    if (mixed_.empty())
      return;
    llvm::AllocaInst &mark = addMark();
    for (const llvm::Use *use : mixed_)
      choose(llvm::cast<llvm::LoadInst>(userOf(*use)), mark, *before);
  }

private:
  llvm::AllocaInst &local_;
  AddressUses uses_;
  std::vector<Instruction *> escapes_;
  std::set<const llvm::BasicBlock *> after_; ///< blocks that an escape leads to
  std::vector<const llvm::Use *> early_;     ///< nobody knows the address, or it does not matter
  std::vector<const llvm::Use *> mixed_;     ///< loads where somebody may know it
  bool possible_;

  static Instruction &userOf(const llvm::Use &use) {
    return llvm::cast<Instruction>(*use.getUser());
  }

  bool mayFollow(const Instruction &access) const {
    return after_.contains(access.getParent()) ||
           std::any_of(escapes_.begin(), escapes_.end(), [&](const Instruction *escape) {
             return escape->getParent() == access.getParent() && !access.comesBefore(escape);
           });
  }

  /// An integer or an array of them, into which no address is written.
  bool holdsNumbers() const {
    return elementsOf(local_) && llvm::all_of(uses_.accesses, [](const llvm::Use *use) {
             if (const auto *store = dyn_cast<llvm::StoreInst>(use->getUser()))
               return store->getValueOperand()->getType()->isIntegerTy();
             const auto *copy = dyn_cast<llvm::MemTransferInst>(use->getUser());
             return copy == nullptr || use->getOperandNo() != 0 ||
                    isPlainData(*copy->getRawSource());
           });
  }

  /// False: a write goes to the local or to something else.
  bool sort() {
    auto isHere = [&](const llvm::Use *use) {
      return userOf(*use).getFunction() == local_.getFunction();
    };
    if (!std::all_of(uses_.escapes.begin(), uses_.escapes.end(), isHere) ||
        !std::all_of(uses_.accesses.begin(), uses_.accesses.end(), isHere))
      return false;
    llvm::DominatorTree ways(*local_.getFunction());
    for (const llvm::Use *use : uses_.accesses) {
      const Instruction &access = userOf(*use);
      bool known = std::any_of(escapes_.begin(), escapes_.end(), [&](const Instruction *escape) {
        return ways.dominates(escape, &access);
      });
      bool unknown = !mayFollow(access);
      Deed deed = deedOf(*use);
      bool writes = deed == Deed::OnlyWrites || deed == Deed::Both;
      if (known)
        continue;
      if (writes && (!isDirect(use->get(), local_) || (deed == Deed::Both && !unknown)))
        return false;
      if (!isDirect(use->get(), local_))
        continue; // reads any value
      if (unknown || writes)
        early_.push_back(use);
      else if (deed == Deed::Loads)
        mixed_.push_back(use);
    }
    return true;
  }

  /// The second local begins its life where the first does.
  void beginAnew(llvm::AllocaInst &before) const {
    for (llvm::User *user : llvm::make_early_inc_range(local_.users()))
      if (auto *call = dyn_cast<llvm::IntrinsicInst>(user);
          call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::lifetime_start) {
        Instruction *copy = call->clone();
        copy->insertAfter(call);
        copy->replaceUsesOfWith(&local_, &before);
      }
  }

  /// True as soon as the address is published.
  llvm::AllocaInst &addMark() const {
    llvm::IRBuilder<> builder(&local_);
    llvm::AllocaInst *mark = builder.CreateAlloca(builder.getInt1Ty());
    builder.CreateStore(builder.getFalse(), mark);
    for (Instruction *escape : escapes_) {
      builder.SetInsertPoint(escape);
      builder.CreateStore(builder.getTrue(), mark);
    }
    return *mark;
  }

  static void choose(llvm::LoadInst &load, llvm::AllocaInst &mark, llvm::AllocaInst &before) {
    llvm::IRBuilder<> builder(&load);
    llvm::Value *known = builder.CreateLoad(builder.getInt1Ty(), &mark);
    Instruction *then = nullptr;
    Instruction *otherwise = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(known, &load, &then, &otherwise);
    Instruction *first = load.clone();
    first->insertBefore(then);
    Instruction *second = load.clone();
    second->insertBefore(otherwise);
    redirect(*second, 0, before);
    builder.SetInsertPoint(&load);
    llvm::PHINode *value = builder.CreatePHI(load.getType(), 2);
    value->addIncoming(first, first->getParent());
    value->addIncoming(second, second->getParent());
    load.replaceAllUsesWith(value);
    load.eraseFromParent();
  }
};

} // namespace

void separateBeforeEscape(llvm::Function &function) {
  std::vector<llvm::AllocaInst *> locals;
  for (Instruction &instruction : llvm::instructions(function))
    if (auto *local = dyn_cast<llvm::AllocaInst>(&instruction))
      locals.push_back(local);
  for (llvm::AllocaInst *local : locals)
    Separation(*local).run();
}

} // namespace understudy::passes::memory
