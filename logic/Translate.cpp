// SPDX-License-Identifier: Apache-2.0
#include "logic/Translate.h"

#include "logic/SortFacts.h"

#include <stdexcept>
#include <vector>

namespace understudy::logic {

z3::expr Translator::translate(Term term) {
  std::vector<Term> work{term};
  while (!work.empty()) {
    Term t = work.back();
    if (done_.contains(t)) {
      work.pop_back();
      continue;
    }
    size_t before = work.size();
    for (const Term &operand : t.operands())
      if (!done_.contains(operand))
        work.push_back(operand);
    if (work.size() > before)
      continue;
    work.pop_back();
    done_.emplace(t, compute(t));
  }
  return done_.at(term);
}

z3::expr Translator::freshBool() {
  return context_.constant(context_.int_symbol(symbols_++), context_.bool_sort());
}

z3::sort Translator::sortOf(Sort sort) {
  if (sort.isArray())
    return context_.array_sort(context_.int_sort(), sortOf(sort.element()));
  return sort.isBool() ? context_.bool_sort() : context_.int_sort();
}

z3::expr Translator::constant(Term term) {
  if (term.sort().isBool())
    return context_.bool_val(term.value() != 0);
  return context_.int_val(term.value());
}

z3::expr Translator::divide(Term term) {
  const z3::expr &a = at(term, 0);
  z3::expr divisor = context_.int_val(term.value());
  return z3::ite(a >= 0, a / divisor, -((-a) / divisor));
}

z3::expr Translator::remainder(Term term) {
  const z3::expr &a = at(term, 0);
  z3::expr divisor = context_.int_val(term.value());
  return z3::ite(a >= 0, z3::mod(a, divisor), -z3::mod(-a, divisor));
}

z3::expr Translator::constArray(Term term) {
  Term stores = asStores(term);
  return stores == term ? z3::const_array(context_.int_sort(), at(term, 0)) : translate(stores);
}

z3::expr_vector Translator::operandsOf(Term term) {
  z3::expr_vector result(context_);
  for (const Term &t : term.operands())
    result.push_back(done_.at(t));
  return result;
}

z3::expr Translator::compute(Term term) {
  switch (term.op()) {
  case Op::Constant:
    return constant(term);
  case Op::Variable:
    return context_.constant(context_.int_symbol(symbols_++), sortOf(term.sort()));
  case Op::Not:
    return !at(term, 0);
  case Op::And:
    return z3::mk_and(operandsOf(term));
  case Op::Or:
    return z3::mk_or(operandsOf(term));
  case Op::Implies:
    return z3::implies(at(term, 0), at(term, 1));
  case Op::Ite:
    return z3::ite(at(term, 0), at(term, 1), at(term, 2));
  case Op::Equal:
    return at(term, 0) == at(term, 1);
  case Op::Less:
    return at(term, 0) < at(term, 1);
  case Op::LessEqual:
    return at(term, 0) <= at(term, 1);
  case Op::Add:
    return z3::sum(operandsOf(term));
  case Op::Multiply:
    return context_.int_val(term.value()) * at(term, 0);
  case Op::Divide:
    return divide(term);
  case Op::Remainder:
    return remainder(term);
  case Op::Select:
    return z3::select(at(term, 0), at(term, 1));
  case Op::Store:
    return z3::store(at(term, 0), at(term, 1), at(term, 2));
  case Op::ConstArray:
    return constArray(term);
  }
  throw std::logic_error("unknown operation");
}

namespace {

std::optional<int64_t> numberOf(const z3::expr &e) {
  if (e.is_true())
    return 1;
  if (e.is_false())
    return 0;
  int64_t number = 0;
  if (e.is_numeral_i64(number))
    return number;
  return std::nullopt;
}

bool isApplication(const z3::expr &e, Z3_decl_kind kind) {
  return e.is_app() && e.decl().decl_kind() == kind;
}

std::optional<ArrayValue> fromFunction(const z3::model &model, const z3::expr &e) {
  z3::func_decl function(e.ctx(), Z3_get_as_array_func_decl(e.ctx(), e));
  if (!model.has_interp(function))
    return std::nullopt;
  z3::func_interp interpretation = model.get_func_interp(function);
  auto rest = numberOf(interpretation.else_value());
  if (!rest)
    return std::nullopt;
  ArrayValue result{*rest, {}};
  for (unsigned i = 0; i < interpretation.num_entries(); ++i) {
    z3::func_entry entry = interpretation.entry(i);
    auto index = numberOf(entry.arg(0));
    auto element = numberOf(entry.value());
    if (!index || !element)
      return std::nullopt;
    result = result.with(*index, *element);
  }
  return result;
}

std::optional<ArrayValue> arrayOf(const z3::model &model, z3::expr e) {
  std::vector<std::pair<int64_t, int64_t>> stores;
  for (; isApplication(e, Z3_OP_STORE); e = e.arg(0)) {
    auto index = numberOf(e.arg(1));
    auto element = numberOf(e.arg(2));
    if (!index || !element)
      return std::nullopt;
    stores.emplace_back(*index, *element);
  }
  std::optional<ArrayValue> result;
  if (isApplication(e, Z3_OP_AS_ARRAY))
    result = fromFunction(model, e);
  else if (isApplication(e, Z3_OP_CONST_ARRAY))
    if (auto rest = numberOf(e.arg(0)))
      result = ArrayValue{*rest, {}};
  if (!result)
    return std::nullopt;
  for (auto store = stores.rbegin(); store != stores.rend(); ++store)
    result = result->with(store->first, store->second);
  return result;
}

/// An array of fixed size without what the model says about other indices.
Value canonical(ArrayValue array, Sort sort) {
  auto size = sort.arraySize();
  if (!size)
    return Value(std::move(array));
  ArrayValue result{defaultValue(sort.element()).number(), {}};
  if (array.rest != result.rest)
    for (int64_t i = 0; i < *size; ++i) {
      if (int64_t element = array.at(i); element != result.rest)
        result.elements.emplace(i, element);
    }
  else
    for (const auto &[index, element] : array.elements)
      if (0 <= index && index < *size)
        result.elements.emplace(index, element);
  return Value(std::move(result));
}

} // namespace

std::optional<Value> valueOf(const z3::model &model, const z3::expr &evaluated, Sort sort) {
  if (sort.isArray()) {
    auto array = arrayOf(model, evaluated);
    return array ? std::optional<Value>(canonical(std::move(*array), sort)) : std::nullopt;
  }
  auto number = numberOf(evaluated);
  return number ? std::optional<Value>(*number) : std::nullopt;
}

} // namespace understudy::logic
