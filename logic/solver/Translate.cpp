// SPDX-License-Identifier: Apache-2.0
#include "logic/solver/Translate.h"

#include "logic/SortFacts.h"

#include <stdexcept>
#include <vector>

namespace understudy::logic::solver {

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

z3::expr Translator::named(z3::expr formula) const {
  z3::expr_vector numbered(context_);
  z3::expr_vector names(context_);
  for (const auto &[term, constant] : done_) {
    if (term.op() != Op::Variable)
      continue;
    // The number keeps variables of one name apart.
    const std::string name = term.variable().name() + "!" +
                             std::to_string(constant.decl().name().to_int()) +
                             (term.primed() ? ".after" : "");
    numbered.push_back(constant);
    names.push_back(context_.constant(name.c_str(), constant.get_sort()));
  }
  return formula.substitute(numbered, names);
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

} // namespace understudy::logic::solver
