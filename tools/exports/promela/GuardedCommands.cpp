// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/promela/GuardedCommands.h"

#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::tools::exports::promela {

using logic::Op;
using logic::Sort;
using logic::SortKind;
using logic::Term;
using logic::VariableUse;

namespace {

constexpr size_t maxCommands = 1024;

using Conjuncts = std::vector<Term>;
using Unknowns = std::set<VariableUse>;

bool mentions(Term term, const Unknowns &unknowns) {
  auto uses = logic::variablesOf(term);
  return std::any_of(uses.begin(), uses.end(),
                     [&](const VariableUse &use) { return unknowns.contains(use); });
}

/// Replaces whole subterms, outermost first.
class Replacer {
public:
  explicit Replacer(const std::map<Term, Term> &replacements) : replacements_(replacements) {}

  Term operator()(Term term) {
    if (auto found = replacements_.find(term); found != replacements_.end())
      return found->second;
    if (auto found = done_.find(term); found != done_.end())
      return found->second;
    std::vector<Term> operands;
    for (const Term &operand : term.operands())
      operands.push_back((*this)(operand));
    Term result = operands.empty() ? term : term.pool().rebuild(term, std::move(operands));
    done_.emplace(term, result);
    return result;
  }

private:
  const std::map<Term, Term> &replacements_;
  std::map<Term, Term> done_;
};

/// Disjunctive normal form as far as unknowns occur; everything else stays one conjunct.
class Normalizer {
public:
  Normalizer(const Unknowns &unknowns, const std::string &what, const logic::SourceRange &where)
      : unknowns_(unknowns), what_(what), where_(where) {}

  std::vector<Conjuncts> run(Term term) const { return expand(term, true); }

private:
  const Unknowns &unknowns_;
  const std::string &what_;
  const logic::SourceRange &where_;

  std::vector<Conjuncts> expand(Term term, bool wanted) const {
    logic::TermPool &pool = term.pool();
    if (!mentions(term, unknowns_))
      return {{wanted ? term : pool.negate(term)}};
    switch (term.op()) {
    case Op::Not:
      return expand(term.operand(0), !wanted);
    case Op::And:
      return wanted ? all(term, wanted) : any(term, wanted);
    case Op::Or:
      return wanted ? any(term, wanted) : all(term, wanted);
    case Op::Implies: {
      auto left = expand(term.operand(0), !wanted);
      auto right = expand(term.operand(1), wanted);
      return wanted ? joined(std::move(left), std::move(right)) : crossed(left, right);
    }
    case Op::Ite: {
      auto yes = crossed(expand(term.operand(0), true), expand(term.operand(1), wanted));
      auto no = crossed(expand(term.operand(0), false), expand(term.operand(2), wanted));
      return joined(std::move(yes), std::move(no));
    }
    default:
      return {{wanted ? term : pool.negate(term)}};
    }
  }

  std::vector<Conjuncts> all(Term term, bool wanted) const {
    std::vector<Conjuncts> result{{}};
    for (const Term &operand : term.operands())
      result = crossed(result, expand(operand, wanted));
    return result;
  }

  std::vector<Conjuncts> any(Term term, bool wanted) const {
    std::vector<Conjuncts> result;
    for (const Term &operand : term.operands())
      result = joined(std::move(result), expand(operand, wanted));
    return result;
  }

  std::vector<Conjuncts> joined(std::vector<Conjuncts> a, std::vector<Conjuncts> b) const {
    std::move(b.begin(), b.end(), std::back_inserter(a));
    refuseTooMany(a.size());
    return a;
  }

  std::vector<Conjuncts> crossed(const std::vector<Conjuncts> &a,
                                 const std::vector<Conjuncts> &b) const {
    refuseTooMany(a.size() * b.size());
    std::vector<Conjuncts> result;
    for (const Conjuncts &left : a)
      for (const Conjuncts &right : b) {
        result.push_back(left);
        result.back().insert(result.back().end(), right.begin(), right.end());
      }
    return result;
  }

  void refuseTooMany(size_t count) const {
    if (count > maxCommands)
      throw logic::Unsupported(what_ + " has too many cases", where_);
  }
};

/// Drops what the sorts of the unknowns say anyway: a free choice reads "x' is in its range".
Term withoutSorts(Term relation, const Unknowns &unknowns) {
  logic::TermPool &pool = relation.pool();
  std::set<Term> evident;
  auto note = [&](Term value, Sort sort) {
    for (const Term &conjunct : logic::conjunctsOf(pool.inSort(value, sort)))
      evident.insert(conjunct);
  };
  for (const VariableUse &use : unknowns) {
    Term value = use.primed ? pool.primed(use.variable) : pool.var(use.variable);
    Sort sort = use.variable.sort();
    if (!sort.isArray())
      note(value, sort);
    else
      for (int64_t i = 0; i < sort.arraySize().value_or(0); ++i)
        note(pool.select(value, pool.integer(i)), sort.element());
  }
  Conjuncts conjuncts = logic::conjunctsOf(relation);
  std::erase_if(conjuncts, [&](Term t) { return evident.contains(t); });
  return pool.conjunction(conjuncts);
}

/// The frame rule of arrays says a' == store(a, i, a'[i]): elements of a' are named beside a'
/// itself. Each such element becomes an unknown of its own, so that equations can solve it.
Term nameElements(Term relation, Unknowns &unknowns) {
  std::map<Term, Term> names;
  std::vector<Term> elements;
  std::set<Term> seen;
  auto visit = [&](auto &self, Term term) -> void {
    if (!seen.insert(term).second)
      return;
    for (const Term &operand : term.operands())
      self(self, operand);
    if (term.op() != Op::Select || term.operand(0).op() != Op::Variable)
      return;
    VariableUse array{term.operand(0).variable(), term.operand(0).primed()};
    if (unknowns.contains(array) && !mentions(term.operand(1), unknowns))
      elements.push_back(term);
  };
  visit(visit, relation);
  if (elements.empty())
    return relation;
  logic::TermPool &pool = relation.pool();
  Unknowns fresh;
  for (const Term &element : elements) {
    auto name = element.operand(0).variable().name() + "_" + std::to_string(names.size());
    auto variable = pool.variable("element", name, element.sort());
    names.emplace(element, pool.primed(variable));
    fresh.insert({variable, true});
  }
  std::vector<Term> conjuncts{Replacer(names)(relation)};
  for (size_t i = 0; i < elements.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (elements[i].operand(0) == elements[j].operand(0))
        conjuncts.push_back(
            pool.disjunction({pool.distinct(elements[i].operand(1), elements[j].operand(1)),
                              pool.equal(names.at(elements[i]), names.at(elements[j]))}));
  unknowns.insert(fresh.begin(), fresh.end());
  return pool.conjunction(conjuncts);
}

bool evidentlyIn(Term value, Sort sort) {
  auto values = sort.values();
  if (!values)
    return !sort.isArray() || value.sort() == sort;
  if (value.isConstant())
    return std::binary_search(values->begin(), values->end(), value.value());
  return value.sort() == sort || sort.isBool();
}

/// Solves the equations of one disjunct.
class Solver {
public:
  Solver(Conjuncts conjuncts, const Unknowns &unknowns)
      : conjuncts_(std::move(conjuncts)), unsolved_(unknowns) {}

  GuardedCommand run() {
    while (solveOne())
      replaceSolved();
    GuardedCommand command;
    for (const Term &conjunct : conjuncts_)
      if (!conjunct.isTrue())
        (mentions(conjunct, unsolved_) ? command.constraints : command.guard).push_back(conjunct);
    for (const auto &[use, value] : solved_) {
      addRange(command, value, use.variable.sort());
      if (use.variable.scope() != "element")
        command.assignments.push_back({use.variable, value});
    }
    command.open.assign(unsolved_.begin(), unsolved_.end());
    return command;
  }

private:
  Conjuncts conjuncts_;
  Unknowns unsolved_;
  std::map<VariableUse, Term> solved_;

  bool isUnsolved(Term term) const {
    return term.op() == Op::Variable && unsolved_.contains({term.variable(), term.primed()});
  }

  bool propose(Term unknown, Term value) {
    if (!isUnsolved(unknown) || mentions(value, unsolved_))
      return false;
    VariableUse use{unknown.variable(), unknown.primed()};
    solved_.emplace(use, value);
    unsolved_.erase(use);
    return true;
  }

  bool solve(Term conjunct) {
    logic::TermPool &pool = conjunct.pool();
    if (conjunct.op() == Op::Equal)
      return propose(conjunct.operand(0), conjunct.operand(1)) ||
             propose(conjunct.operand(1), conjunct.operand(0));
    if (conjunct.op() == Op::Not)
      return propose(conjunct.operand(0), pool.boolean(false));
    return conjunct.sort().isBool() && propose(conjunct, pool.boolean(true));
  }

  bool solveOne() {
    for (size_t i = 0; i < conjuncts_.size(); ++i)
      if (solve(conjuncts_[i])) {
        conjuncts_.erase(conjuncts_.begin() + static_cast<ptrdiff_t>(i));
        return true;
      }
    return false;
  }

  void replaceSolved() {
    for (Term &conjunct : conjuncts_)
      conjunct = logic::substitute(conjunct, [this](logic::Variable variable, bool primed) {
        auto found = solved_.find({variable, primed});
        return found == solved_.end() ? Term{} : found->second;
      });
  }

  /// Values within a bounded array's elements are guarded where they are stored.
  void addRange(GuardedCommand &command, Term value, Sort sort) const {
    if (sort.isArray()) {
      if (value.op() == Op::Store) {
        addRange(command, value.operand(0), sort);
        addRange(command, value.operand(2), sort.element());
      }
      return;
    }
    if (evidentlyIn(value, sort))
      return;
    Term range = value.pool().inSort(value, sort);
    if (!range.isTrue())
      (mentions(range, unsolved_) ? command.constraints : command.guard).push_back(range);
  }
};

Term replaceUse(Term term, VariableUse use, Term value) {
  return logic::substitute(term, [&](logic::Variable variable, bool primed) {
    return variable == use.variable && primed == use.primed ? value : Term{};
  });
}

bool isBound(const GuardedCommand &command, VariableUse use) {
  Unknowns one{use};
  return use.variable.scope() == "element" ||
         std::any_of(command.constraints.begin(), command.constraints.end(),
                     [&](Term t) { return mentions(t, one); }) ||
         std::any_of(command.assignments.begin(), command.assignments.end(),
                     [&](const Assignment &a) { return mentions(a.value, one); });
}

GuardedCommand withValue(const GuardedCommand &command, VariableUse use, Term value) {
  GuardedCommand result;
  result.guard = command.guard;
  Unknowns open;
  for (const VariableUse &other : command.open)
    if (other != use) {
      open.insert(other);
      result.open.push_back(other);
    }
  for (const Term &constraint : command.constraints) {
    Term replaced = replaceUse(constraint, use, value);
    (mentions(replaced, open) ? result.constraints : result.guard).push_back(replaced);
  }
  for (const Assignment &assignment : command.assignments)
    result.assignments.push_back({assignment.variable, replaceUse(assignment.value, use, value)});
  if (use.variable.scope() != "element")
    result.assignments.push_back({use.variable, value});
  return result;
}

/// Simplifies the guard; is there any state in which it can be true?
bool isPossible(GuardedCommand &command) {
  for (Term &term : command.guard)
    term = logic::simplify(term);
  std::erase_if(command.guard, [](Term t) { return t.isTrue(); });
  return std::none_of(command.guard.begin(), command.guard.end(),
                      [](Term t) { return t.isFalse(); });
}

} // namespace

std::vector<GuardedCommand> guardedCommands(Term relation, std::vector<VariableUse> unknowns,
                                            const std::string &what,
                                            const logic::SourceRange &where) {
  Unknowns all(unknowns.begin(), unknowns.end());
  relation = nameElements(withoutSorts(relation, all), all);
  std::vector<GuardedCommand> result;
  for (Conjuncts &disjunct : Normalizer(all, what, where).run(relation)) {
    GuardedCommand command = Solver(std::move(disjunct), all).run();
    for (Term &term : command.guard)
      term = logic::simplify(term);
    std::erase_if(command.guard, [](Term t) { return t.isTrue(); });
    bool impossible =
        std::any_of(command.guard.begin(), command.guard.end(), [](Term t) { return t.isFalse(); });
    if (!impossible)
      result.push_back(std::move(command));
  }
  return result;
}

std::vector<GuardedCommand> enumerated(const std::vector<GuardedCommand> &commands,
                                       const std::string &what, const logic::SourceRange &where) {
  std::vector<GuardedCommand> result;
  std::vector<GuardedCommand> work(commands.rbegin(), commands.rend());
  while (!work.empty()) {
    GuardedCommand command = std::move(work.back());
    work.pop_back();
    auto bound = std::find_if(command.open.begin(), command.open.end(),
                              [&](VariableUse use) { return isBound(command, use); });
    if (bound == command.open.end()) {
      if (isPossible(command))
        result.push_back(std::move(command));
      continue;
    }
    VariableUse use = *bound;
    auto values = use.variable.sort().values(maxCommands);
    if (!values || work.size() + result.size() + values->size() > maxCommands)
      throw logic::Unsupported(what + " leaves the value of '" + use.variable.name() +
                                   "' open: too many values to list",
                               where);
    logic::TermPool &pool = command.constraints.empty() ? command.assignments.front().value.pool()
                                                        : command.constraints.front().pool();
    for (auto value = values->rbegin(); value != values->rend(); ++value)
      work.push_back(withValue(command, use, pool.constant(use.variable.sort(), *value)));
  }
  return result;
}

} // namespace understudy::tools::exports::promela
