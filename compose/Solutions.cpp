// SPDX-License-Identifier: Apache-2.0
//
// Solving a two-state formula by trying values: the reference interpreter's way to take an edge.
//
// Idea: an unknown is given every value of its sort when that is finite; otherwise every value e
// that some equation `unknown == e` of the formula proposes. The whole formula is evaluated on each
// complete candidate, so nothing wrong gets through. Nothing is missed either: before an unknown is
// tried by proposals alone, `determined` has shown that the formula cannot hold unless one of its
// equations for the unknown does.
#include "compose/Solutions.h"

#include "logic/Error.h"

#include <algorithm>
#include <set>

namespace understudy::compose {

using logic::Op;
using logic::Sort;
using logic::SortKind;
using logic::Term;
using logic::Value;
using logic::Variable;
using logic::VariableUse;

std::string openText(Variable variable) {
  Sort sort = variable.sort();
  Sort scalar = sort.isArray() ? sort.element() : sort;
  bool finite = scalar.kind() != SortKind::Int && (!sort.isArray() || sort.arraySize());
  return "does not determine '" + variable.name() + "': it can take " +
         (finite ? "too many values to try" : "infinitely many values");
}

bool inSort(const Value &value, Sort sort) {
  switch (sort.kind()) {
  case SortKind::Bool:
    return !value.isArray() && (value.number() == 0 || value.number() == 1);
  case SortKind::Int:
    return !value.isArray();
  case SortKind::Range:
    return !value.isArray() && sort.lower() <= value.number() && value.number() <= sort.upper();
  case SortKind::Enum: {
    auto values = *sort.values();
    return !value.isArray() && std::binary_search(values.begin(), values.end(), value.number());
  }
  case SortKind::Array:
    break;
  }
  if (!value.isArray() || !inSort(value.array().rest, sort.element()))
    return false;
  auto size = sort.arraySize();
  return std::all_of(value.array().elements.begin(), value.array().elements.end(),
                     [&](const auto &entry) {
                       bool inBounds = !size || (0 <= entry.first && entry.first < *size);
                       return inBounds && inSort(entry.second, sort.element());
                     });
}

namespace {

constexpr size_t maxValues = 1u << 16;

class Search {
public:
  Search(Term formula, const std::vector<VariableUse> &unknowns, const logic::Environment &known,
         const std::string &what, const logic::SourceRange &where)
      : formula_(formula), unknowns_(unknowns), known_(known), what_(what), where_(where),
        assigned_(unknowns.size()), values_(unknowns.size()) {}

  std::vector<std::vector<Value>> run() {
    if (!refuted(formula_))
      extend(0);
    return {found_.begin(), found_.end()};
  }

private:
  Term formula_;
  const std::vector<VariableUse> &unknowns_;
  const logic::Environment &known_;
  const std::string &what_;
  const logic::SourceRange &where_;
  std::vector<bool> assigned_;
  std::vector<Value> values_;
  std::set<std::vector<Value>> found_;

  Value lookUp(Variable variable, bool primed) const {
    for (size_t i = 0; i < unknowns_.size(); ++i)
      if (unknowns_[i].variable == variable && unknowns_[i].primed == primed)
        return values_[i];
    return known_(variable, primed);
  }

  bool evaluable(Term term) const {
    for (const VariableUse &use : logic::variablesOf(term))
      for (size_t i = 0; i < unknowns_.size(); ++i)
        if (unknowns_[i] == use && !assigned_[i])
          return false;
    return true;
  }

  Value evaluate(Term term) const {
    return logic::evaluate(term, [this](Variable v, bool p) { return lookUp(v, p); });
  }

  /// Some conjunct is false already.
  bool refuted(Term formula) const {
    for (const Term &t : logic::conjunctsOf(formula))
      if (evaluable(t) && evaluate(t).number() == 0)
        return true;
    return false;
  }

  bool isUnknown(Term term, size_t unknown) const {
    return term.op() == Op::Variable && term.variable() == unknowns_[unknown].variable &&
           term.primed() == unknowns_[unknown].primed;
  }

  /// Does `term` having the truth value `wanted` imply that one of its proposals is the value?
  bool determined(Term term, size_t unknown, bool wanted) const {
    if (evaluable(term))
      return (evaluate(term).number() != 0) != wanted; // cannot have that value
    auto some = [&](bool operandValue) {
      return std::any_of(term.operands().begin(), term.operands().end(),
                         [&](const Term &t) { return determined(t, unknown, operandValue); });
    };
    auto all = [&](bool operandValue) {
      return std::all_of(term.operands().begin(), term.operands().end(),
                         [&](const Term &t) { return determined(t, unknown, operandValue); });
    };
    switch (term.op()) {
    case Op::Variable:
      return isUnknown(term, unknown);
    case Op::Not:
      return determined(term.operand(0), unknown, !wanted);
    case Op::And:
      return wanted ? some(true) : all(false);
    case Op::Or:
      return wanted ? all(true) : some(false);
    case Op::Implies: {
      bool left = determined(term.operand(0), unknown, !wanted);
      bool right = determined(term.operand(1), unknown, wanted);
      return wanted ? left && right : left || right;
    }
    case Op::Ite: {
      const Term &condition = term.operand(0);
      return (determined(condition, unknown, true) ||
              determined(term.operand(1), unknown, wanted)) &&
             (determined(condition, unknown, false) ||
              determined(term.operand(2), unknown, wanted));
    }
    case Op::Equal:
      return wanted && proposal(term, unknown);
    default:
      return false;
    }
  }

  /// `term` is `unknown == e` or `e == unknown` with e evaluable: returns e.
  Term proposal(Term term, size_t unknown) const {
    for (size_t side : {0u, 1u})
      if (isUnknown(term.operand(side), unknown) && evaluable(term.operand(1 - side)))
        return term.operand(1 - side);
    return {};
  }

  void collectProposals(Term term, size_t unknown, std::set<Value> &out) const {
    if (isUnknown(term, unknown) && term.sort().isBool()) {
      out.insert(0);
      out.insert(1);
    }
    if (term.op() == Op::Equal)
      if (Term e = proposal(term, unknown))
        out.insert(evaluate(e));
    for (const Term &t : term.operands())
      collectProposals(t, unknown, out);
  }

  std::optional<std::set<Value>> candidates(size_t unknown) const {
    Sort sort = unknowns_[unknown].variable.sort();
    std::set<Value> result;
    if (determined(formula_, unknown, true)) {
      collectProposals(formula_, unknown, result);
      return result;
    }
    if (auto values = logic::allValues(sort, maxValues)) {
      result.insert(values->begin(), values->end());
      return result;
    }
    return std::nullopt;
  }

  void extend(size_t count) {
    if (count == unknowns_.size()) {
      if (evaluate(formula_).number() != 0)
        found_.insert(values_);
      return;
    }
    for (size_t i = 0; i < unknowns_.size(); ++i) {
      if (assigned_[i])
        continue;
      if (auto tried = candidates(i)) {
        assigned_[i] = true;
        for (const Value &v : *tried) {
          values_[i] = v;
          if (inSort(v, unknowns_[i].variable.sort()) && !refuted(formula_))
            extend(count + 1);
        }
        assigned_[i] = false;
        return;
      }
    }
    for (size_t i = 0; i < unknowns_.size(); ++i)
      if (!assigned_[i])
        throw logic::Unsupported(what_ + " " + openText(unknowns_[i].variable), where_);
  }
};

} // namespace

std::vector<std::vector<Value>> solutions(Term formula, const std::vector<VariableUse> &unknowns,
                                          const logic::Environment &known, const std::string &what,
                                          const logic::SourceRange &where) {
  return Search(formula, unknowns, known, what, where).run();
}

} // namespace understudy::compose
