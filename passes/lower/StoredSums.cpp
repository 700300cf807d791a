// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/StoredSums.h"

#include "passes/lower/Poison.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace understudy::passes::lower {

namespace {

using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::Value;

constexpr const char *mark = "understudy.sum"; ///< metadata: does the sum stand there for sure?

const Value *storedBy(const Instruction &instruction) {
  if (const auto *store = dyn_cast<llvm::StoreInst>(&instruction))
    return store->getValueOperand();
  if (const auto *exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getNewValOperand();
  const auto *modify = dyn_cast<llvm::AtomicRMWInst>(&instruction);
  return modify != nullptr && modify->getOperation() == llvm::AtomicRMWInst::Xchg
             ? modify->getValOperand()
             : nullptr;
}

/// A small integer is computed as an int and cut when it is stored.
const Instruction *sumOf(const Value &value) {
  const auto *cut = dyn_cast<llvm::TruncInst>(&value);
  const auto *sum = dyn_cast<llvm::BinaryOperator>(cut != nullptr ? cut->getOperand(0) : &value);
  return isa_and_nonnull<llvm::OverflowingBinaryOperator>(sum) ? sum : nullptr;
}

/// A place that the compiler made, for a value that is written once. Locals are described.
const llvm::StoreInst *onlyStoreTo(const llvm::AllocaInst &place) {
  if (place.getFunction()->getSubprogram() == nullptr)
    return nullptr;
  auto *described = const_cast<llvm::AllocaInst *>(&place);
  if (!llvm::findDbgDeclares(described).empty() || !llvm::findDVRDeclares(described).empty())
    return nullptr;
  const llvm::StoreInst *found = nullptr;
  for (const llvm::User *user : place.users()) {
    const auto *store = dyn_cast<llvm::StoreInst>(user);
    const auto *call = dyn_cast<llvm::CallBase>(user);
    bool passive = isa<llvm::LoadInst>(user) || (call != nullptr && call->isLifetimeStartOrEnd());
    bool first = store != nullptr && store->getPointerOperand() == &place && found == nullptr;
    if (!passive && !first)
      return nullptr;
    if (first)
      found = store;
  }
  return found;
}

/// The store into a place that the compiler made, if the value comes from there.
const llvm::StoreInst *throughPlace(const Value &value) {
  const auto *load = dyn_cast<llvm::LoadInst>(&value);
  const auto *place =
      load != nullptr ? dyn_cast<llvm::AllocaInst>(load->getPointerOperand()) : nullptr;
  return place != nullptr ? onlyStoreTo(*place) : nullptr;
}

/// A sum that may be the store's: whether it is, optimised code does not tell.
const Instruction *possibleSum(const Value &stored) {
  const llvm::StoreInst *only = throughPlace(stored);
  return sumOf(only != nullptr ? *only->getValueOperand() : stored);
}

/// `(TYPE)(… + …)`: the code cuts the sum itself. The text begins where the conversion does.
class CastReader {
public:
  CastReader(std::string_view text, size_t begin) : text_(text), at_(begin) {}

  bool holds(size_t operation) {
    if (!skipGroup())
      return false;
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    size_t group = at_;
    return skipGroup() && group < operation && operation < at_;
  }

private:
  std::string_view text_;
  size_t at_;

  /// From a parenthesis to behind the one that closes it.
  bool skipGroup() {
    if (at_ >= text_.size() || text_[at_] != '(')
      return false;
    for (size_t depth = 0; at_ < text_.size(); ++at_) {
      if (text_[at_] == '(')
        ++depth;
      if (text_[at_] == ')' && --depth == 0)
        return ++at_, true;
    }
    return false;
  }
};

size_t offsetOf(const logic::SourceRange &range) {
  return static_cast<size_t>(range.file->line(range.begin.line).data() -
                             range.file->text().data()) +
         range.begin.column - 1;
}

class Marker {
public:
  explicit Marker(read::SourceMap &sources) : sources_(sources) {}

  void run(llvm::Function &function) {
    bool written = isAsWritten(function);
    for (Instruction &instruction : llvm::instructions(function)) {
      const Value *value = storedBy(instruction);
      const Instruction *sum = value == nullptr ? nullptr
                               : written        ? ownSum(instruction, *value)
                                                : possibleSum(*value);
      if (sum == nullptr)
        continue;
      llvm::LLVMContext &context = function.getContext();
      llvm::MDNode *node = sum->getMetadata(mark);
      if (node == nullptr)
        node = llvm::MDNode::getDistinct(
            context, llvm::ConstantAsMetadata::get(llvm::ConstantInt::getBool(context, written)));
      const_cast<Instruction *>(sum)->setMetadata(mark, node);
      instruction.setMetadata(mark, node);
    }
  }

private:
  read::SourceMap &sources_;

  /// The sum, if nothing but the store's own expression has seen it before.
  const Instruction *ownSum(const Instruction &store, const Value &stored) {
    const Instruction *first = &store;
    if (const llvm::StoreInst *only = throughPlace(stored))
      first = only;
    const Value *value = first == &store ? &stored : first->getOperand(0);
    const Instruction *sum = sumOf(*value);
    if (sum == nullptr || !isFirst(*first, *value) || (sum != value && !sum->hasOneUse()) ||
        isa<llvm::AtomicRMWInst>(sum->getOperand(0)) ||
        isa<llvm::AtomicRMWInst>(sum->getOperand(1))) // the result of `z += 2`
      return nullptr;
    return sum != value && isCast(*llvm::cast<Instruction>(value), *sum) ? nullptr : sum;
  }

  static bool isFirst(const Instruction &store, const Value &value) {
    const auto *defined = dyn_cast<Instruction>(&value);
    if (defined == nullptr || defined->getParent() != store.getParent())
      return false;
    return llvm::all_of(value.users(), [&](const llvm::User *user) {
      const auto *other = dyn_cast<Instruction>(user);
      return other == &store || other->getParent() != store.getParent() || store.comesBefore(other);
    });
  }

  bool isCast(const Instruction &cut, const Instruction &sum) {
    if (!cut.getDebugLoc() || !sum.getDebugLoc())
      return false;
    logic::SourceRange begin = sources_.range(cut.getDebugLoc());
    logic::SourceRange operation = sources_.range(sum.getDebugLoc());
    auto isThere = [](const logic::SourceRange &range) {
      return range.known() && range.begin.line <= range.file->lineCount();
    };
    if (!isThere(begin) || !isThere(operation) || begin.file != operation.file)
      return false;
    return CastReader(begin.file->text(), offsetOf(begin)).holds(offsetOf(operation));
  }
};

} // namespace

void markStoredSums(llvm::Module &module, read::SourceMap &sources) {
  Marker marker(sources);
  for (llvm::Function &function : module)
    marker.run(function);
}

InStore isInStore(const llvm::Value &value, const llvm::Instruction &store) {
  const llvm::MDNode *node = store.getMetadata(mark);
  const Instruction *sum = sumOf(value);
  if (node == nullptr || sum == nullptr || sum->getMetadata(mark) != node)
    return InStore::No;
  const auto *sure = llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0));
  return sure->isOne() ? InStore::Yes : InStore::Perhaps;
}

} // namespace understudy::passes::lower
