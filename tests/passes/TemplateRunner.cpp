// SPDX-License-Identifier: Apache-2.0
#include "TemplateRunner.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <unordered_map>

namespace understudy::tests {

using logic::Op;
using logic::Term;
using logic::Variable;
using logic::Wide;
using State = TemplateRunner::State;

namespace {

/// The value of a term, if all its variables have one and nothing leaves 128 bits. Choices need
/// only the branch taken.
class Evaluation {
public:
  Evaluation(const State &before, const State &after) : before_(before), after_(after) {}

  std::optional<Wide> of(Term term) {
    if (auto found = known_.find(term); found != known_.end())
      return found->second;
    auto value = compute(term);
    known_.emplace(term, value);
    return value;
  }

private:
  const State &before_;
  const State &after_;
  std::unordered_map<Term, std::optional<Wide>> known_;

  std::optional<Wide> connective(Term term, bool unit) {
    bool isOpen = false;
    for (Term t : term.operands()) {
      auto value = of(t);
      isOpen = isOpen || !value;
      if (value && (*value != 0) != unit)
        return unit ? 0 : 1;
    }
    return isOpen ? std::nullopt : std::optional<Wide>(unit ? 1 : 0);
  }

  std::optional<Wide> compute(Term term) {
    switch (term.op()) {
    case Op::Constant:
      return term.value();
    case Op::Variable: {
      const State &state = term.primed() ? after_ : before_;
      auto found = state.find(term.variable());
      return found == state.end() ? std::nullopt : std::optional(found->second);
    }
    case Op::And:
      return connective(term, true);
    case Op::Or:
      return connective(term, false);
    case Op::Ite: {
      auto condition = of(term.operand(0));
      return condition ? of(term.operand(*condition != 0 ? 1 : 2)) : std::nullopt;
    }
    default:
      return arithmetic(term);
    }
  }

  std::optional<Wide> arithmetic(Term term) {
    std::vector<Wide> values;
    for (Term t : term.operands()) {
      auto value = of(t);
      if (!value)
        return std::nullopt;
      values.push_back(*value);
    }
    switch (term.op()) {
    case Op::Not:
      return values[0] == 0 ? 1 : 0;
    case Op::Equal:
      return values[0] == values[1] ? 1 : 0;
    case Op::Less:
      return values[0] < values[1] ? 1 : 0;
    case Op::LessEqual:
      return values[0] <= values[1] ? 1 : 0;
    case Op::Add: {
      Wide sum = 0;
      for (Wide v : values)
        if (__builtin_add_overflow(sum, v, &sum))
          return std::nullopt;
      return sum;
    }
    case Op::Multiply: {
      Wide product = 0;
      if (__builtin_mul_overflow(values[0], Wide{term.value()}, &product))
        return std::nullopt;
      return product;
    }
    case Op::Divide:
      return values[0] / term.value();
    case Op::Remainder:
      return values[0] % term.value();
    default:
      throw std::runtime_error("arrays are not run here");
    }
  }
};

bool inSort(Wide value, logic::Sort sort) {
  if (sort.isBool())
    return value == 0 || value == 1;
  return sort.kind() != logic::SortKind::Range || (sort.lower() <= value && value <= sort.upper());
}

unsigned widthOf(const std::string &function) {
  static const std::map<std::string, unsigned> widths{
      {"bool", 1}, {"char", 8},  {"uchar", 8}, {"short", 16}, {"ushort", 16},
      {"int", 32}, {"uint", 32}, {"long", 64}, {"ulong", 64},
  };
  return widths.at(function.substr(std::string("__VERIFIER_nondet_").size()));
}

/// Gives the unknowns the values that equations determine. True if the formula holds then.
bool solve(Term relation, const State &before, State &after, const std::vector<Variable> &open) {
  auto conjuncts = logic::conjunctsOf(relation);
  auto isOpen = [&](Term t) {
    return t.op() == Op::Variable && t.primed() && !after.contains(t.variable());
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Term t : conjuncts) {
      Evaluation evaluation(before, after);
      auto set = [&](Term variable, std::optional<Wide> value) {
        if (!value)
          return;
        after[variable.variable()] = *value;
        changed = true;
      };
      if (isOpen(t))
        set(t, 1);
      else if (t.op() == Op::Not && isOpen(t.operand(0)))
        set(t.operand(0), 0);
      else if (t.op() == Op::Equal && isOpen(t.operand(0)))
        set(t.operand(0), evaluation.of(t.operand(1)));
      else if (t.op() == Op::Equal && isOpen(t.operand(1)))
        set(t.operand(1), evaluation.of(t.operand(0)));
    }
  }
  Evaluation evaluation(before, after);
  bool isUndecided = false;
  for (Term t : conjuncts) {
    auto value = evaluation.of(t);
    if (value && *value == 0)
      return false;
    isUndecided = isUndecided || !value;
  }
  for (Variable v : open)
    isUndecided = isUndecided || !after.contains(v);
  if (isUndecided)
    throw std::runtime_error("an edge leaves something open");
  return std::all_of(open.begin(), open.end(),
                     [&](Variable v) { return inSort(after.at(v), v.sort()); });
}

} // namespace

bool TemplateRunner::take(const compose::Edge &edge,
                          const std::vector<passes::encode::Input> &inputs,
                          const std::vector<llvm::APInt> &values, size_t consumed,
                          State &after) const {
  State changed;
  for (size_t i = 0; i < inputs.size(); ++i) {
    llvm::APInt bits = values.at(consumed + i).trunc(widthOf(inputs[i].function));
    logic::Sort sort = inputs[i].variable.sort();
    bool isSigned = sort.kind() == logic::SortKind::Range && sort.lower() < 0;
    Wide value = isSigned ? Wide{bits.getSExtValue()} : Wide{bits.getZExtValue()};
    changed[inputs[i].variable] = value;
  }
  if (!solve(edge.relation, state, changed, edge.modified))
    return false;
  after = state;
  for (const auto &[variable, value] : changed)
    after[variable] = value;
  return true;
}

Outcome TemplateRunner::run(std::vector<llvm::APInt> inputs) {
  const compose::Template &thread = program_.templates.front();
  State locals = state;
  for (Variable v : thread.locals)
    locals[v] = 0;
  // Start values are equations between a local and a constant, or one-sided bounds that 0
  // satisfies.
  for (Term t : logic::conjunctsOf(thread.initial)) {
    if (t.op() == Op::Variable)
      locals[t.variable()] = 1;
    else if (t.op() == Op::Equal && t.operand(0).op() == Op::Variable)
      locals[t.operand(0).variable()] = *Evaluation(locals, {}).of(t.operand(1));
  }
  state = locals;
  if (Evaluation(state, {}).of(thread.initial) != Wide{1})
    throw std::runtime_error("no start value");
  compose::LocationId at = thread.initials.front();
  size_t consumed = 0;
  while (thread.locations[at].kind == compose::LocationKind::Normal) {
    std::optional<compose::EdgeId> taken;
    State after;
    for (compose::EdgeId id : thread.edgesFrom(at)) {
      State next;
      if (!take(thread.edges[id], encoded_.inputs[id], inputs, consumed, next))
        continue;
      if (taken)
        throw std::runtime_error("two edges can be taken");
      taken = id;
      after = std::move(next);
    }
    if (!taken)
      return Outcome::Blocked;
    consumed += encoded_.inputs[*taken].size();
    state = std::move(after);
    at = thread.edges[*taken].target;
  }
  bool isFinal = thread.locations[at].kind == compose::LocationKind::Final;
  return isFinal ? Outcome::Returned : Outcome::Failed;
}

} // namespace understudy::tests
