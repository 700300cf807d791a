// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/promela/GuardedCommands.h"

#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"
#include "logic/smtlib/Print.h"

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

/// No thread has this name, so that no local has this scope.
constexpr const char *elementScope = "an element";

} // namespace

bool isElement(VariableUse use) { return use.variable.scope() == elementScope; }

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

/// Relations that say something about some elements of an array after the step: each such element
/// becomes an unknown of its own, so that equations can solve it. Where nothing else is said of the
/// array, its elements are all of it.
class ElementNames {
public:
  ElementNames(Term relation, Unknowns &unknowns)
      : relation_(relation), unknowns_(unknowns), pool_(relation.pool()) {}

  Term run() {
    visit(relation_);
    if (names_.empty())
      return relation_;
    std::vector<Term> conjuncts;
    for (const auto &[array, whole] : arrays_)
      if (!whole)
        conjuncts.push_back(composed(array));
    conjuncts.push_back(Replacer(names_)(relation_));
    for (auto one = names_.begin(); one != names_.end(); ++one)
      for (auto other = names_.begin(); other != one; ++other)
        agree(*one, *other, conjuncts);
    unknowns_.insert(fresh_.begin(), fresh_.end());
    return pool_.conjunction(conjuncts);
  }

private:
  Term relation_;
  Unknowns &unknowns_;
  logic::TermPool &pool_;
  std::map<Term, Term> names_;  ///< element to its name
  std::map<Term, bool> arrays_; ///< those with named elements: do they also occur as a whole?
  std::set<Term> whole_;
  std::set<Term> seen_;
  Unknowns fresh_;

  bool isUnknownArray(Term term) const {
    return term.op() == Op::Variable && term.sort().isArray() &&
           unknowns_.contains({term.variable(), term.primed()});
  }

  void visit(Term term) {
    if (!seen_.insert(term).second)
      return;
    if (term.op() == Op::Select && isUnknownArray(term.operand(0)) &&
        !mentions(term.operand(1), unknowns_)) {
      arrays_[term.operand(0)] = whole_.contains(term.operand(0));
      name(term);
      visit(term.operand(1));
      return;
    }
    for (const Term &operand : term.operands()) {
      if (isUnknownArray(operand)) {
        whole_.insert(operand);
        if (auto array = arrays_.find(operand); array != arrays_.end())
          array->second = true;
      }
      visit(operand);
    }
  }

  Term name(Term element) {
    auto [found, isNew] = names_.emplace(element, Term{});
    if (isNew) {
      auto variable = pool_.variable(elementScope, logic::smtlib::text(element), element.sort());
      found->second = pool_.primed(variable);
      fresh_.insert({variable, true});
    }
    return found->second;
  }

  /// The array is what its elements are. What is not named may have any value.
  Term composed(Term array) {
    Term first = name(pool_.select(array, pool_.integer(0)));
    Term value =
        array.primed() ? pool_.var(array.variable()) : pool_.constArray(array.sort(), first);
    for (int64_t i = 0; i < array.sort().arraySize().value_or(0); ++i) {
      Term position = pool_.integer(i);
      value = pool_.store(value, position, name(pool_.select(array, position)));
    }
    return pool_.equal(array, value);
  }

  void agree(const std::pair<const Term, Term> &one, const std::pair<const Term, Term> &other,
             std::vector<Term> &conjuncts) {
    Term a = one.first.operand(1);
    Term b = other.first.operand(1);
    if (one.first.operand(0) != other.first.operand(0) || (a.isConstant() && b.isConstant()))
      return;
    conjuncts.push_back(
        pool_.disjunction({pool_.distinct(a, b), pool_.equal(one.second, other.second)}));
  }
};

bool evidentlyIn(Term value, Sort sort) {
  if (sort.isBool() || sort.kind() == SortKind::Int || value.sort() == sort)
    return true;
  if (sort.isArray() || !value.isConstant())
    return false;
  if (!sort.isEnum())
    return sort.lower() <= value.value() && value.value() <= sort.upper();
  auto values = sort.values();
  return std::binary_search(values->begin(), values->end(), value.value());
}

/// Solves the equations of one disjunct.
class Solver {
public:
  Solver(Conjuncts conjuncts, const Unknowns &unknowns)
      : conjuncts_(std::move(conjuncts)), unsolved_(unknowns) {}

  GuardedCommand run() {
    while (solveOne())
      replaceSolved();
    std::erase_if(conjuncts_, [this](Term conjunct) { return solveArray(conjunct); });
    GuardedCommand command;
    for (const Term &conjunct : conjuncts_)
      if (!conjunct.isTrue())
        (mentions(conjunct, unsolved_) ? command.constraints : command.guard).push_back(conjunct);
    for (const auto &[use, value] : solved_) {
      addRange(command, value, use.variable.sort());
      if (!isElement(use))
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

  /// The array is what its elements are, known or not.
  bool solveArray(Term conjunct) {
    if (conjunct.op() != Op::Equal || conjunct.operand(1).op() != Op::Store ||
        !isUnsolved(conjunct.operand(0)))
      return false;
    Term array = conjunct.operand(0);
    VariableUse use{array.variable(), array.primed()};
    if (mentions(conjunct.operand(1), {use}))
      return false;
    solved_.emplace(use, withoutCopies(conjunct.operand(1)));
    unsolved_.erase(use);
    return true;
  }

  /// Without a[i := a[i]].
  static Term withoutCopies(Term value) {
    if (value.op() != Op::Store)
      return value;
    Term rest = withoutCopies(value.operand(0));
    Term base = rest;
    while (base.op() == Op::Store)
      base = base.operand(0);
    logic::TermPool &pool = value.pool();
    bool copy = value.operand(2) == pool.select(base, value.operand(1));
    return copy && rest == base ? rest : pool.store(rest, value.operand(1), value.operand(2));
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
  return isElement(use) ||
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
  if (!isElement(use))
    result.assignments.push_back({use.variable, value});
  return result;
}

Term constantOf(const GuardedCommand &command, Sort sort, int64_t value) {
  const Term &some = !command.constraints.empty()   ? command.constraints.front()
                     : !command.assignments.empty() ? command.assignments.front().value
                                                    : command.guard.front();
  return some.pool().constant(sort, value);
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
  relation = withoutSorts(relation, all);
  relation = ElementNames(relation, all).run();
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
      throw logic::Unsupported(what + " does not determine '" + use.variable.name() +
                                   "' open: too many values to list",
                               where);
    for (auto value = values->rbegin(); value != values->rend(); ++value)
      work.push_back(withValue(command, use, constantOf(command, use.variable.sort(), *value)));
  }
  return result;
}

} // namespace understudy::tools::exports::promela
