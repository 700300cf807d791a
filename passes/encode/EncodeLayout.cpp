// SPDX-License-Identifier: Apache-2.0
//
// Values of one C variable share a local as long as no two of them live at one cut: a thread of ten
// thousand steps then has as many locals as its source has variables, not as many as it has steps.
#include "passes/encode/EncodeLayout.h"

#include "passes/lower/StepForm.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>

#include <algorithm>

namespace understudy::passes::encode {

using llvm::dyn_cast;
using llvm::isa;
using llvm::Value;

namespace {

Storage inputStorage(const llvm::CallBase &call) {
  InputType type = inputType(call);
  if (call.getType()->isIntegerTy(1))
    return {};
  // Of a pointer nothing is known but whether it is null.
  if (type.isBool || call.getType()->isPointerTy())
    return {{}, Storage::Kind::Number, Reading::Unsigned, 8, 0, 1};
  return numberStorage(type.reading, call.getType()->getIntegerBitWidth());
}

/// "x" for the values that promotion and inlining made of a variable x: "x", "x.0", "x.1.i".
std::string withoutSuffix(llvm::StringRef name) {
  while (true) {
    auto [front, back] = name.rsplit('.');
    bool isSuffix = !front.empty() && !back.empty() &&
                    (back == "i" || back.find_first_not_of("0123456789") == llvm::StringRef::npos);
    if (!isSuffix)
      return name.str();
    name = front;
  }
}

} // namespace

Storage numberStorage(Reading reading, unsigned bits) {
  return {{},   Storage::Kind::Number,  reading,
          bits, leastOf(reading, bits), greatestOf(reading, bits)};
}

EncodeLayout::EncodeLayout(const EncodeCuts &cuts, const EncodeObjects &objects,
                           const EncodeForms &forms, const std::string &name, TermBuilder &terms)
    : scopeName_(name), terms_(terms) {
  for (const MemoryObject *object : objects.all())
    placeObject(*object, forms);
  std::unordered_map<const Value *, std::vector<CutId>> lifetimes;
  for (CutId cut = 0; cut < cuts.size(); ++cut)
    for (const Value *value : cuts[cut].live)
      lifetimes[value].push_back(cut);
  for (const Value *value : cuts.living())
    placeValue(*value, forms, lifetimes[value]);
}

/// The debugger's name for a value, else LLVM's.
std::string EncodeLayout::nameOf(const Value &value) {
  const auto *instruction = dyn_cast<llvm::Instruction>(&value);
  const auto *argument = dyn_cast<llvm::Argument>(&value);
  const llvm::Function *function = instruction ? instruction->getFunction() : argument->getParent();
  if (!sourceNames_) {
    sourceNames_.emplace();
    for (const llvm::BasicBlock &block : *function)
      for (const llvm::Instruction &at : block)
        for (llvm::DbgVariableRecord &record : llvm::filterDbgVars(at.getDbgRecordRange()))
          if (!record.isDbgDeclare() && record.getNumVariableLocationOps() == 1)
            sourceNames_->emplace(record.getVariableLocationOp(0),
                                  record.getVariable()->getName().str());
  }
  if (auto found = sourceNames_->find(&value); found != sourceNames_->end())
    return found->second;
  return value.hasName() ? withoutSuffix(value.getName()) : "temporary";
}

std::string EncodeLayout::fresh(const std::string &name) {
  std::string result = name;
  for (unsigned &count = names_[name]; names_.contains(result) && count > 0; ++count)
    result = name + " #" + std::to_string(count + 1);
  names_[result] = std::max(names_[result], 1u);
  return result;
}

Storage EncodeLayout::make(Storage storage, const std::string &name) {
  logic::TermPool &pool = terms_.pool();
  logic::Sort sort = pool.boolSort();
  if (storage.kind == Storage::Kind::Number)
    sort = storage.upper <= INT64_MAX ? pool.rangeSort(static_cast<int64_t>(storage.lower),
                                                       static_cast<int64_t>(storage.upper))
                                      : pool.intSort();
  storage.variable = pool.variable(scopeName_, name, sort);
  locals_.push_back(storage.variable);
  return storage;
}

Term EncodeLayout::inRange(const Storage &storage, Term value) {
  if (storage.variable.sort().kind() != logic::SortKind::Int)
    return terms_.boolean(true);
  return terms_.both(terms_.atLeast(value, storage.lower), terms_.atMost(value, storage.upper));
}

void EncodeLayout::start(const Storage &storage, Start start) {
  Term variable = terms_.pool().var(storage.variable);
  if (start == Start::Open)
    initial_.push_back(inRange(storage, variable));
  else
    initial_.push_back(storage.kind == Storage::Kind::Number
                           ? terms_.equal(variable, terms_.integer(0))
                           : terms_.negate(variable));
}

void EncodeLayout::start(const Storage &storage, const llvm::Constant *value) {
  const auto *number = value ? dyn_cast<llvm::ConstantInt>(value) : nullptr;
  if (!number) {
    start(storage, Start::Open);
    return;
  }
  Term variable = terms_.pool().var(storage.variable);
  if (storage.kind != Storage::Kind::Number) {
    initial_.push_back(number->isZero() ? terms_.negate(variable) : variable);
    return;
  }
  Arithmetic arithmetic(terms_);
  Number signedValue = arithmetic.constant(number->getSExtValue());
  Number startValue = arithmetic.read(storage.reading, signedValue, storage.bits);
  initial_.push_back(terms_.equal(variable, startValue.term));
}

void EncodeLayout::placeObject(const MemoryObject &object, const EncodeForms &forms) {
  ObjectLayout &layout = objects_[&object];
  layout.object = &object;
  layout.first = static_cast<uint32_t>(slots_.size());
  if (!object.problem.empty() || object.isConstant)
    return;
  if (object.cell) {
    slots_.push_back(&layout);
    return;
  }
  // A start value that does not fit in 64 bits as unsigned could not be evaluated.
  auto isNegative = [](const llvm::Constant *start) {
    const auto *number = dyn_cast<llvm::ConstantInt>(start);
    return number && number->isNegative();
  };
  bool isHuge =
      object.bits == 64 && std::any_of(object.initial.begin(), object.initial.end(), isNegative);
  Storage like = numberStorage(isHuge ? Reading::Signed : forms.reading(object), object.bits);
  if (object.bits == 1)
    like = {};
  else if (forms.isZeroOne(object))
    like.kind = Storage::Kind::ZeroOne;
  std::string name = fresh(object.base->hasName() ? object.base->getName().str() : "memory");
  for (uint64_t i = 0; i < object.count; ++i) {
    bool isArray = object.count > 1;
    layout.elements.push_back(make(like, isArray ? name + "[" + std::to_string(i) + "]" : name));
    slots_.push_back(&layout);
    if (isa<llvm::AllocaInst>(object.base))
      start(layout.elements.back(), object.maybeUnset ? Start::Open : Start::Zero);
    else
      start(layout.elements.back(), object.initial.empty() ? nullptr : object.initial[i]);
  }
  memory_.emplace_back(name, &layout);
}

void EncodeLayout::placeValue(const Value &value, const EncodeForms &forms,
                              const std::vector<CutId> &lifetime) {
  Storage like;
  Form form = forms.of(value);
  if (form == Form::None)
    return;
  if (form == Form::Number) {
    unsigned bits = value.getType()->getIntegerBitWidth();
    if (bits > 64)
      return;
    like = numberStorage(forms.reading(value), bits);
    if (forms.isZeroOne(value))
      like.kind = Storage::Kind::ZeroOne;
  }
  std::string name = nameOf(value);
  if (isa<llvm::Argument>(value)) {
    Storage &storage = values_.emplace(&value, make(like, fresh(name))).first->second;
    start(storage, Start::Open);
    return;
  }
  values_.emplace(&value, share(like, name, lifetime));
}

Storage EncodeLayout::share(const Storage &like, const std::string &name,
                            const std::vector<CutId> &lifetime) {
  auto &candidates = shared_[{name, like.kind, like.reading, like.bits}];
  auto isFree = [&](const Shared &candidate) {
    return std::none_of(lifetime.begin(), lifetime.end(),
                        [&](CutId cut) { return candidate.busy.contains(cut); });
  };
  auto found = std::find_if(candidates.begin(), candidates.end(), isFree);
  if (found == candidates.end()) {
    found = candidates.insert(candidates.end(), {make(like, fresh(name)), {}});
    start(found->storage, Start::Zero);
  }
  found->busy.insert(lifetime.begin(), lifetime.end());
  return found->storage;
}

const Storage *EncodeLayout::find(const Value &value) const {
  auto found = values_.find(&value);
  return found == values_.end() ? nullptr : &found->second;
}

std::pair<const ObjectLayout *, uint32_t> EncodeLayout::slot(uint32_t number) const {
  const ObjectLayout *layout = slots_.at(number);
  return {layout, number - layout->first};
}

Storage EncodeLayout::scratch(const std::string &name, const Storage &like) {
  auto [found, isNew] = scratch_.try_emplace(name);
  if (isNew) {
    found->second = make(like, fresh(name));
    start(found->second, Start::Zero);
  }
  return found->second;
}

Storage EncodeLayout::input(const llvm::CallBase &call, unsigned ordinal) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  name.consume_front("__VERIFIER_");
  return scratch(name.str() + " " + std::to_string(ordinal), inputStorage(call));
}

Storage EncodeLayout::anyBoolean(unsigned ordinal) {
  return scratch("any bool " + std::to_string(ordinal), {});
}

Storage EncodeLayout::anyNumber(unsigned bits, unsigned ordinal) {
  return scratch("any i" + std::to_string(bits) + " " + std::to_string(ordinal),
                 numberStorage(Reading::Signed, bits));
}

Term EncodeLayout::initial() { return terms_.pool().conjunction(initial_); }

std::map<std::string, std::vector<Variable>> EncodeLayout::memory() const {
  std::map<std::string, std::vector<Variable>> result;
  for (const auto &[name, layout] : memory_)
    for (const Storage &element : layout->elements)
      result[name].push_back(element.variable);
  return result;
}

} // namespace understudy::passes::encode
