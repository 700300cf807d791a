// SPDX-License-Identifier: Apache-2.0
//
// The problem: `a.go(&a)` with a local structure `a`. Its address is an argument of a call that is
// not known, so the structure is not promoted, and so the call stays unknown. The idea: as long as
// nobody else can know the address, what lies in the structure is what was stored there last, on
// every way that leads to the load; if that is one constant, it is what the load gives.
#include "passes/lower/CallChoices.h"

#include "passes/memory/Memory.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <set>

namespace understudy::passes::lower {

namespace {

using llvm::dyn_cast;
using llvm::isa;

/// Some bytes of an object.
struct Extent {
  const llvm::Value *object = nullptr;
  int64_t begin = 0;
  int64_t size = 0;

  bool isApartFrom(const Extent &other) const {
    return begin + size <= other.begin || other.begin + other.size <= begin;
  }
};

Extent extentOf(const llvm::Value *pointer, int64_t size, const llvm::DataLayout &layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value *object = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  return {object, offset.getSExtValue(), size};
}

class LastStored {
public:
  explicit LastStored(const llvm::LoadInst &load)
      : load_(load), layout_(load.getModule()->getDataLayout()),
        wanted_(extentOf(load.getPointerOperand(),
                         static_cast<int64_t>(layout_.getTypeStoreSize(load.getType())), layout_)) {
  }

  /// Null: it cannot be told.
  llvm::Constant *find(const llvm::DominatorTree &dominators) {
    const auto *local = dyn_cast<llvm::AllocaInst>(wanted_.object);
    if (local == nullptr || !load_.isSimple() ||
        llvm::PointerMayBeCapturedBefore(local, false, true, &load_, &dominators))
      return nullptr;
    std::set<const llvm::BasicBlock *> seen;
    std::vector<const llvm::Instruction *> work{load_.getPrevNode()};
    if (work.back() == nullptr)
      work = before(*load_.getParent());
    while (!work.empty() && !failed_) {
      const llvm::Instruction *at = work.back();
      work.pop_back();
      const llvm::BasicBlock &block = *at->getParent();
      if (at == block.getTerminator() && !seen.insert(&block).second)
        continue;
      while (at != nullptr && goesOn(*at))
        at = at->getPrevNode();
      if (at == nullptr)
        for (const llvm::Instruction *end : before(block))
          work.push_back(end);
    }
    return failed_ ? nullptr : found_;
  }

private:
  const llvm::LoadInst &load_;
  const llvm::DataLayout &layout_;
  Extent wanted_;
  llvm::Constant *found_ = nullptr;
  bool failed_ = false;

  static std::vector<const llvm::Instruction *> before(const llvm::BasicBlock &block) {
    std::vector<const llvm::Instruction *> ends;
    for (const llvm::BasicBlock *predecessor : llvm::predecessors(&block))
      ends.push_back(predecessor->getTerminator());
    return ends;
  }

  /// Of a store of the wanted bytes.
  void stored(llvm::Value *value) {
    auto *constant = dyn_cast_or_null<llvm::Constant>(value);
    failed_ = constant == nullptr || (found_ != nullptr && found_ != constant);
    found_ = constant;
  }

  /// False: the search ends here, with a value or without.
  bool goesOn(const llvm::Instruction &at) {
    if (&at == wanted_.object || &at == &load_) { // nothing was stored; the same once more
      failed_ = &at == wanted_.object;
      return false;
    }
    if (!at.mayWriteToMemory())
      return true;
    if (const auto *store = dyn_cast<llvm::StoreInst>(&at))
      return goesOnBefore(*store);
    if (const auto *operation = dyn_cast<llvm::MemIntrinsic>(&at))
      return goesOnBefore(*operation);
    failed_ = std::any_of(at.op_begin(), at.op_end(), [&](const llvm::Use &operand) {
      return operand->getType()->isPointerTy() && mayBeWanted(operand.get());
    });
    return !failed_;
  }

  bool mayBeWanted(const llvm::Value *pointer) const {
    auto objects = memory::objectsOf(pointer);
    return std::find(objects.begin(), objects.end(), wanted_.object) != objects.end();
  }

  bool goesOnBefore(const llvm::StoreInst &store) {
    llvm::Value *value = const_cast<llvm::Value *>(store.getValueOperand());
    auto size = static_cast<int64_t>(layout_.getTypeStoreSize(value->getType()));
    Extent written = extentOf(store.getPointerOperand(), size, layout_);
    if (written.object != wanted_.object) {
      failed_ = mayBeWanted(store.getPointerOperand());
      return !failed_;
    }
    if (written.isApartFrom(wanted_))
      return true;
    bool same = written.begin == wanted_.begin && value->getType() == load_.getType();
    stored(same ? value : nullptr);
    return false;
  }

  /// An initialiser is a copy of a constant.
  bool goesOnBefore(const llvm::MemIntrinsic &operation) {
    const auto *length = dyn_cast<llvm::ConstantInt>(operation.getLength());
    Extent written =
        extentOf(operation.getRawDest(), length != nullptr ? length->getSExtValue() : 0, layout_);
    if (!mayBeWanted(operation.getRawDest()))
      return true;
    if (length == nullptr || written.object != wanted_.object) {
      failed_ = true;
      return false;
    }
    if (written.isApartFrom(wanted_))
      return true;
    const auto *copy = dyn_cast<llvm::MemTransferInst>(&operation);
    auto *source = copy != nullptr ? dyn_cast<llvm::Constant>(copy->getRawSource()) : nullptr;
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(operation.getRawDest()->getType()),
                       static_cast<uint64_t>(wanted_.begin - written.begin), true);
    stored(source != nullptr
               ? llvm::ConstantFoldLoadFromConstPtr(const_cast<llvm::Constant *>(source),
                                                    load_.getType(), offset, layout_)
               : nullptr);
    return false;
  }
};

} // namespace

void readStoredPointers(llvm::Function &function) {
  const llvm::DominatorTree dominators(function);
  std::vector<std::pair<llvm::LoadInst *, llvm::Constant *>> known;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *load = dyn_cast<llvm::LoadInst>(&instruction);
        load != nullptr && load->getType()->isPointerTy())
      if (llvm::Constant *value = LastStored(*load).find(dominators))
        known.emplace_back(load, value);
  for (const auto &[load, value] : known) {
    load->replaceAllUsesWith(value);
    load->eraseFromParent();
  }
}

} // namespace understudy::passes::lower
