// SPDX-License-Identifier: Apache-2.0
#include "passes/memory/Escape.h"

#include "passes/lower/KnownFunctions.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <set>
#include <vector>

namespace understudy::passes::memory {

namespace {

using lower::Known;

/// The encoder takes local objects apart into elements; more than this it does not.
constexpr uint64_t maxElements = 4096;

/// What a use does with an address.
enum class Use : uint8_t {
  Nothing,  ///< it is compared, or only described
  Access,   ///< it is where something is read or written
  Element,  ///< it becomes the address of an element, or the same address again
  Choice,   ///< it becomes one of several addresses
  Argument, ///< of a function with a body
  Escape,
};

/// Calls that do not keep the addresses they get, and touch at most what lies there.
bool isHarmless(const llvm::CallBase &call) {
  return llvm::isa<llvm::DbgInfoIntrinsic>(call) || call.isLifetimeStartOrEnd();
}

Use useInCall(const llvm::CallBase &call, const llvm::Use &use) {
  if (isHarmless(call))
    return Use::Nothing;
  if (llvm::isa<llvm::MemIntrinsic>(call))
    return Use::Access;
  if (call.isCallee(&use))
    return Use::Nothing;
  if (!call.isArgOperand(&use))
    return Use::Escape;
  const llvm::Function *callee = lower::calleeOf(call);
  if (callee == nullptr || callee->isIntrinsic())
    return Use::Escape;
  switch (lower::meaningOf(*callee)) {
  case Known::NondetMemory:
    return Use::Access;
  case Known::AssertFail:
  case Known::EndsRun:
    return Use::Nothing; // nothing happens afterwards
  case Known::Computes:
    return Use::Nothing; // read, into a value that is not modelled
  case Known::None:
  case Known::AtomicFunction:
    return !callee->isDeclaration() && call.getArgOperandNo(&use) < callee->arg_size()
               ? Use::Argument
               : Use::Escape;
  default:
    return Use::Escape;
  }
}

Use useOf(const llvm::Use &use) {
  const llvm::User *user = use.getUser();
  auto accessThrough = [&](const llvm::Value *pointer, const llvm::Value *stored) {
    return pointer == use.get() && stored != use.get() ? Use::Access : Use::Escape;
  };
  if (llvm::isa<llvm::LoadInst>(user))
    return Use::Access;
  if (llvm::isa<llvm::ICmpInst>(user))
    return Use::Nothing;
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
    return accessThrough(store->getPointerOperand(), store->getValueOperand());
  if (const auto *modify = llvm::dyn_cast<llvm::AtomicRMWInst>(user))
    return accessThrough(modify->getPointerOperand(), modify->getValOperand());
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(user))
    return exchange->getCompareOperand() == use.get()
               ? Use::Escape
               : accessThrough(exchange->getPointerOperand(), exchange->getNewValOperand());
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user))
    return useInCall(*call, use);
  if (llvm::isa<llvm::GEPOperator>(user) || llvm::isa<llvm::BitCastOperator>(user))
    return Use::Element;
  if (const auto *alias = llvm::dyn_cast<llvm::GlobalAlias>(user))
    return alias->isInterposable() ? Use::Escape : Use::Element; // another name
  if (llvm::isa<llvm::PHINode, llvm::SelectInst>(user) ||
      llvm::isa<llvm::AddrSpaceCastOperator>(user))
    return Use::Choice;
  return Use::Escape;
}

/// `llvm.used` and its kind are lists of globals, not places where addresses are kept.
bool isListOfGlobals(const llvm::User &user) {
  if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(&user))
    return global->getName().starts_with("llvm.");
  if (!llvm::isa<llvm::ConstantAggregate>(user))
    return false;
  for (const llvm::User *outer : user.users())
    if (!isListOfGlobals(*outer))
      return false;
  return true;
}

/// Does an access of the type at the pointer touch exactly one element?
bool fitsElement(const llvm::Value &pointer, const llvm::Type &type, const LocalElements &elements,
                 const llvm::DataLayout &layout) {
  if (&type != elements.type)
    return false;
  const llvm::Value *at = &pointer;
  while (const auto *step = llvm::dyn_cast<llvm::GEPOperator>(at)) {
    unsigned bits = layout.getIndexTypeSizeInBits(step->getType());
    llvm::MapVector<llvm::Value *, llvm::APInt> variables;
    llvm::APInt constant(bits, 0);
    if (!step->collectOffset(layout, bits, variables, constant))
      return false;
    auto whole = [&](const llvm::APInt &bytes) {
      return bytes.getSExtValue() % static_cast<int64_t>(elements.size) == 0;
    };
    if (!whole(constant))
      return false;
    for (const auto &[index, scale] : variables)
      if (!whole(scale))
        return false;
    at = step->getPointerOperand();
  }
  return llvm::isa<llvm::AllocaInst>(at);
}

/// Looks at every use of one local.
class LocalSearch {
public:
  explicit LocalSearch(const llvm::AllocaInst &local)
      : local_(local), layout_(local.getModule()->getDataLayout()), elements_(elementsOf(local)),
        followed_(elements_.has_value()) {}

  Local run() {
    work_.push_back(&local_);
    while (!work_.empty()) {
      const llvm::Value *value = work_.back();
      work_.pop_back();
      if (!seen_.insert(value).second)
        continue;
      for (const llvm::Use &use : value->uses())
        if (!look(use))
          return Local::Escaped;
    }
    return followed_ ? Local::Followed : Local::Loose;
  }

private:
  const llvm::AllocaInst &local_;
  const llvm::DataLayout &layout_;
  std::optional<LocalElements> elements_;
  bool followed_;
  std::vector<const llvm::Value *> work_;
  std::set<const llvm::Value *> seen_;

  /// False: the address escapes.
  bool look(const llvm::Use &use) {
    switch (useOf(use)) {
    case Use::Nothing:
      return true;
    case Use::Access:
      followed_ = followed_ && fits(use);
      return true;
    case Use::Choice: // an access through it does not fit
    case Use::Element:
      work_.push_back(use.getUser());
      return true;
    case Use::Argument: // it should have been inlined
    case Use::Escape:
      return false;
    }
    return false;
  }

  bool fits(const llvm::Use &use) const {
    const auto &user = llvm::cast<llvm::Instruction>(*use.getUser());
    auto whole = [&](const llvm::Type *type) {
      return !user.isVolatile() && fitsElement(*use.get(), *type, *elements_, layout_);
    };
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&user))
      return whole(load->getType());
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&user))
      return whole(store->getValueOperand()->getType());
    if (const auto *modify = llvm::dyn_cast<llvm::AtomicRMWInst>(&user))
      return !modify->isFloatingPointOperation() && whole(modify->getType());
    if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&user))
      return whole(exchange->getCompareOperand()->getType());
    if (const auto *operation = llvm::dyn_cast<llvm::MemIntrinsic>(&user)) {
      bool written = use.getOperandNo() == 0;
      return !written || (!operation->isVolatile() &&
                          rangeOf(*use.get(), *operation->getLength(), layout_).has_value());
    }
    const auto &call = llvm::cast<llvm::CallBase>(user); // __VERIFIER_nondet_memory
    return call.arg_size() == 2 && use.getOperandNo() == 0 &&
           rangeOf(*use.get(), *call.getArgOperand(1), layout_).has_value();
  }
};

} // namespace

bool isGivenTo(const std::vector<const llvm::Function *> &functions, const AddressUses &uses) {
  return std::any_of(functions.begin(), functions.end(),
                     [&](const llvm::Function *function) { return uses.given.contains(function); });
}

AddressUses usesOf(const llvm::Value &object) {
  AddressUses result;
  std::vector<const llvm::Value *> work{&object};
  std::set<const llvm::Value *> seen;
  while (!work.empty()) {
    const llvm::Value *value = work.back();
    work.pop_back();
    if (!seen.insert(value).second)
      continue;
    for (const llvm::Use &use : value->uses())
      switch (useOf(use)) {
      case Use::Nothing:
        break;
      case Use::Access:
        result.accesses.push_back(&use);
        break;
      case Use::Element:
      case Use::Choice:
        work.push_back(use.getUser());
        break;
      case Use::Argument: {
        const auto &call = llvm::cast<llvm::CallBase>(*use.getUser());
        const llvm::Function *callee = lower::calleeOf(call);
        result.given.insert(callee);
        work.push_back(callee->getArg(call.getArgOperandNo(&use)));
        break;
      }
      case Use::Escape:
        if (!isListOfGlobals(*use.getUser()))
          result.escapes.push_back(&use);
      }
  }
  return result;
}

bool addressEscapes(const llvm::GlobalValue &global) { return !usesOf(global).escapes.empty(); }

const llvm::Value *writtenBy(const llvm::Instruction &instruction) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getPointerOperand();
  if (const auto *modify = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return modify->getPointerOperand();
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  if (const auto *operation = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
    return operation->getRawDest();
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function *callee = call != nullptr ? lower::calleeOf(*call) : nullptr;
  bool sets = callee != nullptr && lower::meaningOf(*callee) == Known::NondetMemory;
  return sets && call->arg_size() > 0 ? call->getArgOperand(0) : nullptr;
}

std::optional<LocalElements> elementsOf(const llvm::AllocaInst &local) {
  if (local.isArrayAllocation())
    return std::nullopt;
  llvm::Type *type = local.getAllocatedType();
  uint64_t count = 1;
  while (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    if (array->getNumElements() == 0 || array->getNumElements() > maxElements)
      return std::nullopt;
    count *= array->getNumElements();
    if (count > maxElements)
      return std::nullopt;
    type = array->getElementType();
  }
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64)
    return std::nullopt;
  const llvm::DataLayout &layout = local.getModule()->getDataLayout();
  return LocalElements{type, layout.getTypeAllocSize(type).getFixedValue(), count};
}

std::optional<ElementRange> rangeOf(const llvm::Value &pointer, const llvm::Value &bytes,
                                    const llvm::DataLayout &layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  const auto *local = llvm::dyn_cast<llvm::AllocaInst>(
      pointer.stripAndAccumulateConstantOffsets(layout, offset, true));
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(&bytes);
  std::optional<LocalElements> elements = local != nullptr ? elementsOf(*local) : std::nullopt;
  if (!elements || length == nullptr || offset.isNegative() || length->getValue().ugt(UINT32_MAX))
    return std::nullopt;
  uint64_t begin = offset.getZExtValue();
  uint64_t size = length->getZExtValue();
  // Bytes of padding, as in an i24, belong to nobody.
  bool whole = begin % elements->size == 0 && size % elements->size == 0 &&
               elements->size * 8 == elements->type->getIntegerBitWidth();
  uint64_t count = size / elements->size;
  if (!whole || count > maxSetElements || begin / elements->size + count > elements->count)
    return std::nullopt;
  return ElementRange{local, begin / elements->size, count};
}

Locals::Locals(const llvm::Function &function) {
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      locals_[local] = LocalSearch(*local).run();
}

} // namespace understudy::passes::memory
