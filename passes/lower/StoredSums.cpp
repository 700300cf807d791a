// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/StoredSums.h"

#include "passes/lower/Poison.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
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

constexpr const char *mark = "understudy.sum"; ///< metadata of sums and stores

/// `llvm.expect` is its first operand, and is not computed before code is generated.
bool isCopy(const Value *value) {
  const auto *call = dyn_cast<llvm::IntrinsicInst>(value);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::expect;
}

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
  llvm::SmallVector<llvm::DbgVariableIntrinsic *> calls;
  llvm::SmallVector<llvm::DbgVariableRecord *> records;
  llvm::findDbgUsers(calls, const_cast<llvm::AllocaInst *>(&place), &records);
  if (!calls.empty() || !records.empty())
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

bool isPlace(const Value *address) {
  const auto *place = llvm::dyn_cast_or_null<llvm::AllocaInst>(address);
  return place != nullptr && llvm::any_of(place->users(), [](const llvm::User *user) {
           return isa<llvm::LoadInst, llvm::StoreInst, llvm::GEPOperator>(user);
         });
}

/// A local that the debug information follows from value to value is no longer in its place.
bool hasMovedLocals(const Instruction &instruction) {
  auto hasMoved = [](bool isValue, const Value *address) { return isValue || !isPlace(address); };
  for (llvm::DbgVariableRecord &local : llvm::filterDbgVars(instruction.getDbgRecordRange()))
    if (hasMoved(local.isDbgValue(),
                 local.isDbgAssign() ? local.getAddress() : local.getVariableLocationOp(0)))
      return true;
  if (const auto *assign = dyn_cast<llvm::DbgAssignIntrinsic>(&instruction))
    return hasMoved(false, assign->getAddress());
  const auto *local = dyn_cast<llvm::DbgVariableIntrinsic>(&instruction);
  return local != nullptr &&
         hasMoved(isa<llvm::DbgValueInst>(local), local->getVariableLocationOp(0));
}

/// Has the function no sign of optimisation? With debug information all optimisers of LLVM leave
/// some: attributes that they find out, parameters and locals that are not in memory, inlined code.
bool looksAsWritten(const llvm::Function &function) {
  using llvm::Attribute;
  if (function.getSubprogram() == nullptr)
    return false;
  for (Attribute::AttrKind found : {Attribute::Memory, Attribute::NoFree, Attribute::NoRecurse,
                                    Attribute::NoSync, Attribute::WillReturn})
    if (function.hasFnAttribute(found))
      return false;
  for (const llvm::Argument &argument : function.args()) {
    const auto *store =
        argument.hasOneUse() ? dyn_cast<llvm::StoreInst>(argument.user_back()) : nullptr;
    if (store == nullptr || !isPlace(store->getPointerOperand()))
      return false;
  }
  return llvm::none_of(llvm::instructions(function), [](const Instruction &instruction) {
    const llvm::DebugLoc &place = instruction.getDebugLoc();
    return (place && place.getInlinedAt() != nullptr) || hasMovedLocals(instruction);
  });
}

bool isOnOneLine(const Instruction &store, const Instruction &sum) {
  const llvm::DebugLoc &a = store.getDebugLoc();
  const llvm::DebugLoc &b = sum.getDebugLoc();
  return a && b && a.getLine() != 0 && a.getLine() == b.getLine() && a.getScope() == b.getScope();
}

class Marker {
public:
  explicit Marker(read::SourceMap &sources) : sources_(sources) {}

  void run(llvm::Function &function) {
    bool written = isAsWritten(function);
    bool looksWritten = !written && looksAsWritten(function);
    for (Instruction &instruction : llvm::instructions(function)) {
      const Value *value = storedBy(instruction);
      if (value == nullptr)
        continue;
      const Instruction *own = written || looksWritten ? ownSum(instruction, *value) : nullptr;
      if (own != nullptr && (written || isOnOneLine(instruction, *own)))
        note(instruction, *own, written ? InStore::Yes : InStore::ByForm);
      else if (const Instruction *sum = written ? nullptr : possibleSum(*value))
        note(instruction, *sum, InStore::Perhaps);
    }
  }

private:
  read::SourceMap &sources_;

  /// The sum gets a name; the store says which one it is, and whether for sure.
  static void note(Instruction &store, const Instruction &sum, InStore how) {
    llvm::LLVMContext &context = store.getContext();
    llvm::MDNode *name = sum.getMetadata(mark);
    if (name == nullptr)
      name = llvm::MDNode::getDistinct(context, {});
    const_cast<Instruction &>(sum).setMetadata(mark, name);
    keep(const_cast<Instruction &>(sum), store);
    auto *answer =
        llvm::ConstantInt::get(llvm::Type::getInt8Ty(context), static_cast<uint64_t>(how));
    store.setMetadata(mark,
                      llvm::MDNode::get(context, {name, llvm::ConstantAsMetadata::get(answer)}));
  }

  /// A sum of constants is computed when its function is inlined, and nothing tells then whether it
  /// fits its type. An operand that is copied is no constant. Stores to locals are not checked.
  static void keep(Instruction &sum, const Instruction &store) {
    const auto *place = dyn_cast<llvm::StoreInst>(&store);
    if ((place != nullptr && isa<llvm::AllocaInst>(place->getPointerOperand())) ||
        isCopy(sum.getOperand(0)))
      return;
    llvm::IRBuilder<> builder(&sum);
    llvm::Value *operand = sum.getOperand(0);
    sum.setOperand(0,
                   builder.CreateBinaryIntrinsic(llvm::Intrinsic::expect, operand,
                                                 llvm::Constant::getNullValue(operand->getType())));
  }

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

void endCopies(llvm::Function &function) {
  for (Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (isCopy(&instruction)) {
      instruction.replaceAllUsesWith(instruction.getOperand(0));
      instruction.eraseFromParent();
    }
}

InStore isInStore(const llvm::Value &value, const llvm::Instruction &store) {
  const llvm::MDNode *node = store.getMetadata(mark);
  const Instruction *sum = sumOf(value);
  if (node == nullptr || sum == nullptr || sum->getMetadata(mark) != node->getOperand(0))
    return InStore::No;
  const auto *answer = llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(1));
  return static_cast<InStore>(answer->getZExtValue());
}

} // namespace understudy::passes::lower
