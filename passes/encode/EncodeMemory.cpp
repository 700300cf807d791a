// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores. Local objects are taken apart into elements, and an index that is not constant
// becomes a choice between them; shared arrays stay arrays. An index outside of its object is
// undefined behaviour and assumed not to occur.
#include "passes/encode/EncodePath.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <span>

namespace understudy::passes::encode {

using llvm::dyn_cast;
using llvm::isa;
using llvm::Value;
using logic::Sort;
using logic::Unsupported;

namespace {

std::string nameOf(const MemoryObject &object) {
  return object.base->hasName() ? quoted(object.base->getName()) : "a local variable";
}

bool isArrayCell(const MemoryObject &object) {
  return object.cell && object.cell->variable.sort().isArray();
}

Reading readingOf(const Cell &cell) { return cell.isSigned ? Reading::Signed : Reading::Unsigned; }

/// Index offset of an address computation, in elements of `size` bytes.
struct Offset {
  Wide constant = 0;
  std::vector<std::pair<const Value *, Wide>> variables;
};

Offset offsetOf(const llvm::GEPOperator &element, const llvm::DataLayout &layout, Wide size) {
  unsigned bits = layout.getIndexTypeSizeInBits(element.getType());
  llvm::MapVector<Value *, llvm::APInt> variables;
  llvm::APInt constant(bits, 0);
  if (!element.collectOffset(layout, bits, variables, constant))
    throw Unsupported("address arithmetic cannot be followed here");
  Offset result;
  auto inElements = [&](const llvm::APInt &bytes) {
    Wide value = bytes.getSExtValue();
    if (value % size != 0)
      throw Unsupported("an access to a part of an array element is not supported");
    return value / size;
  };
  result.constant = inElements(constant);
  for (const auto &[index, scale] : variables)
    result.variables.emplace_back(index, inElements(scale));
  return result;
}

} // namespace

Address PathExecutor::addressOf(Path &path, const Frame &frame, const Value &pointer) {
  if (const auto *element = dyn_cast<llvm::GEPOperator>(&pointer)) {
    Address address = addressOf(path, frame, *element->getPointerOperand());
    const llvm::DataLayout &layout = scope_.function().getParent()->getDataLayout();
    Wide size = layout.getTypeAllocSize(address.object->element).getFixedValue();
    Offset offset = offsetOf(*element, layout, size);
    address.index = arithmetic_.exactSum(address.index, arithmetic_.constant(offset.constant));
    for (const auto &[index, scale] : offset.variables) {
      unsigned bits = index->getType()->getIntegerBitWidth();
      Number value = arithmetic_.read(Reading::Signed, number(path, frame, *index), bits);
      address.index = arithmetic_.exactSum(
          address.index, arithmetic_.exactProduct(value, arithmetic_.constant(scale)));
    }
    return address;
  }
  if (const MemoryObject *object = objects_.find(&pointer))
    return {object, arithmetic_.constant(0)};
  if (auto found = frame.values.find(&pointer); found != frame.values.end()) {
    if (const auto *address = std::get_if<Address>(&found->second))
      return *address;
    if (const auto *nothing = std::get_if<Missing>(&found->second))
      throw *nothing->why;
  }
  throw Unsupported("an access through this pointer cannot be followed");
}

void PathExecutor::requireAccess(const MemoryObject &object, const llvm::Type &type) const {
  if (!object.problem.empty())
    throw Unsupported(object.problem);
  if (&type != object.element)
    throw Unsupported("an access to " + nameOf(object) + " with a different type is not supported");
}

void PathExecutor::assumeInBounds(Path &path, const Address &address) {
  Wide last = static_cast<Wide>(address.object->count) - 1;
  path.assume(arithmetic_.isWithin(address.index, 0, last));
}

Symbol PathExecutor::cellValue(const MemoryObject &object, Term value) {
  Sort sort = value.sort();
  if (sort.isBool())
    return value;
  if (sort.isEnum()) {
    auto others = std::span(sort.enumerators()).first(sort.enumerators().size() - 1);
    Number result = arithmetic_.constant(sort.enumerators().back().value);
    for (const logic::Enumerator &e : others)
      result = arithmetic_.ite(terms_.equal(value, terms_.pool().enumerator(sort, e.value)),
                               arithmetic_.constant(e.value), result);
    return result;
  }
  if (sort.kind() == logic::SortKind::Range)
    return Number{value, sort.lower(), sort.upper()};
  Reading reading = readingOf(*object.cell);
  return Number{value, leastOf(reading, object.bits), greatestOf(reading, object.bits)};
}

Symbol PathExecutor::content(const Path &path, const ObjectLayout &layout, uint32_t element) {
  const MemoryObject &object = *layout.object;
  if (object.isConstant)
    return constantSymbol(*object.initial.at(element));
  if (auto found = path.memory.find(layout.first + element); found != path.memory.end())
    return found->second;
  if (object.cell) {
    Term variable = terms_.pool().var(object.cell->variable);
    return isArrayCell(object) ? Symbol(variable) : cellValue(object, variable);
  }
  const Storage &storage = layout.elements.at(element);
  return read(storage, terms_.pool().var(storage.variable));
}

Symbol PathExecutor::merge(Path &path, const MemoryObject &object, Term condition,
                           const Symbol &yes, const Symbol &no) {
  if (condition.isConstant())
    return condition.isTrue() ? yes : no;
  if (object.bits == 1)
    return terms_.ite(condition, truth(path, yes, 1), truth(path, no, 1));
  return arithmetic_.ite(condition, number(path, yes, object.bits), number(path, no, object.bits));
}

Symbol PathExecutor::loadElement(Path &path, const Address &address) {
  const MemoryObject &object = *address.object;
  const ObjectLayout &layout = layout_.of(object);
  assumeInBounds(path, address);
  Wide low = std::max<Wide>(address.index.lower, 0);
  Wide high = std::min<Wide>(address.index.upper, static_cast<Wide>(object.count) - 1);
  if (low > high)
    return Anything{};
  if (isArrayCell(object)) {
    Term array = std::get<Term>(content(path, layout, 0));
    return cellValue(object, terms_.pool().select(array, address.index.term));
  }
  Symbol result = content(path, layout, static_cast<uint32_t>(high));
  for (Wide i = high - 1; i >= low; --i)
    result = merge(path, object,
                   arithmetic_.exactly(Comparison::Equal, address.index, arithmetic_.constant(i)),
                   content(path, layout, static_cast<uint32_t>(i)), result);
  return result;
}

Symbol PathExecutor::load(Path &path, Frame &frame, const llvm::LoadInst &load) {
  Address address = addressOf(path, frame, *load.getPointerOperand());
  const MemoryObject &object = *address.object;
  requireAccess(object, *load.getType());
  Symbol value = loadElement(path, address);
  const auto *isSet = std::get_if<Term>(&value);
  if (!isSet || object.bits == 1 || forms_.of(load) == Form::Truth)
    return value;
  if (object.cell->isBool)
    return arithmetic_.ofBoolean(*isSet);
  // A true one reads as any number but 0.
  Number any = anyNumber(path, object.bits);
  path.assume(arithmetic_.isNonZero(any, object.bits));
  return arithmetic_.ite(*isSet, any, arithmetic_.constant(0));
}

void PathExecutor::storeElement(Path &path, const Address &address, Symbol value) {
  const MemoryObject &object = *address.object;
  const ObjectLayout &layout = layout_.of(object);
  assumeInBounds(path, address);
  Wide low = std::max<Wide>(address.index.lower, 0);
  Wide high = std::min<Wide>(address.index.upper, static_cast<Wide>(object.count) - 1);
  if (isArrayCell(object) && low <= high) {
    Term array = std::get<Term>(content(path, layout, 0));
    Term element = cellTerm(path, object, array.sort().element(), value);
    path.memory[layout.first] = terms_.pool().store(array, address.index.term, element);
    return;
  }
  if (low < high) // the same arbitrary value, wherever it goes
    value =
        object.bits == 1 ? Symbol(truth(path, value, 1)) : Symbol(number(path, value, object.bits));
  for (Wide i = low; i <= high; ++i) {
    auto element = static_cast<uint32_t>(i);
    Term isHere = arithmetic_.exactly(Comparison::Equal, address.index, arithmetic_.constant(i));
    path.memory[layout.first + element] =
        merge(path, object, isHere, value, content(path, layout, element));
  }
}

void PathExecutor::store(Path &path, Frame &frame, const llvm::StoreInst &store) {
  Address address = addressOf(path, frame, *store.getPointerOperand());
  const MemoryObject &object = *address.object;
  // Whoever reads it is told.
  if (!object.problem.empty() && !object.cell)
    return;
  requireAccess(object, *store.getValueOperand()->getType());
  if (object.isConstant)
    throw Unsupported("a store to the constant " + nameOf(object) + " is not supported");
  storeElement(path, address, lookUp(frame, *store.getValueOperand()));
}

void PathExecutor::forget(Path &path, const Value &base) {
  const MemoryObject *object = objects_.find(&base);
  if (!object || !object->maybeUnset)
    return;
  const ObjectLayout &layout = layout_.of(*object);
  for (uint32_t i = 0; i < layout.elements.size(); ++i)
    path.memory[layout.first + i] = Anything{};
}

Term PathExecutor::cellTerm(Path &path, const MemoryObject &object, Sort sort,
                            const Symbol &value) {
  if (sort.isBool())
    return truth(path, value, object.bits);
  Number stored =
      arithmetic_.read(readingOf(*object.cell), number(path, value, object.bits), object.bits);
  if (!sort.isEnum())
    return stored.term;
  Term isNamed = terms_.boolean(false);
  Term result = terms_.pool().enumerator(sort, sort.enumerators().back().value);
  for (const logic::Enumerator &e : sort.enumerators()) {
    Term same = arithmetic_.exactly(Comparison::Equal, stored, arithmetic_.constant(e.value));
    isNamed = terms_.either(isNamed, same);
    result = terms_.ite(same, terms_.pool().enumerator(sort, e.value), result);
  }
  path.assume(isNamed);
  return result;
}

void PathExecutor::assignSlot(Path &path, uint32_t slot, std::vector<Term> &equations) {
  auto [layout, element] = layout_.slot(slot);
  const Symbol symbol = path.memory.at(slot);
  const MemoryObject &object = *layout->object;
  if (!object.cell) {
    assign(path, layout->elements.at(element), symbol, equations);
    return;
  }
  Variable variable = object.cell->variable;
  Term value = isArrayCell(object) ? std::get<Term>(symbol)
                                   : cellTerm(path, object, variable.sort(), symbol);
  setTo(path, variable, value, equations);
}

} // namespace understudy::passes::encode
