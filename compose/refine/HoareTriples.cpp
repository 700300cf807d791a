// SPDX-License-Identifier: Apache-2.0
//
// Problem: a Floyd-Hoare automaton asks thousands of questions {s} T {q}, most of them alike.
// Idea: (1) only the conjuncts of s that are connected to T through shared variables matter;
// (2) instances of a template are interchangeable, so a question is first renamed to the instances
// 1, 2, … in order of appearance; (3) one model of s and T refutes many q at once.
// Invariant: an answer "holds" or "false" was given by the solver for a renaming of the question,
// or is one of the syntactic cases below; everything else is "does not hold", which is always
// sound.
#include "compose/refine/HoareTriples.h"

#include "logic/Error.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace understudy::compose::refine {

using logic::solver::Satisfiability;

namespace {

bool intersects(const std::vector<Variable> &a, const std::vector<Variable> &b) {
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() && j != b.end()) {
    if (*i == *j)
      return true;
    *i < *j ? ++i : ++j;
  }
  return false;
}

bool meets(const std::vector<Variable> &some, const std::set<Variable> &all) {
  return std::any_of(some.begin(), some.end(), [&](Variable v) { return all.contains(v); });
}

/// Renames instances in the order in which they are met; the same variables in, the same names out.
class Renaming {
public:
  explicit Renaming(logic::TermPool &pool) : pool_(pool) {}

  Variable operator()(Variable variable) {
    const std::string &scope = variable.scope();
    const size_t mark = scope.rfind('#');
    if (mark == std::string::npos)
      return variable;
    auto &numbers = numbers_[scope.substr(0, mark)];
    auto [entry, isNew] = numbers.try_emplace(scope, numbers.size() + 1);
    return pool_.variable(scope.substr(0, mark + 1) + std::to_string(entry->second),
                          variable.name(), variable.sort());
  }
  Term operator()(Term term) {
    return logic::substitute(term, [&](Variable v, bool primed) {
      const Variable to = (*this)(v);
      return primed ? pool_.primed(to) : pool_.var(to);
    });
  }

private:
  logic::TermPool &pool_;
  std::map<std::string, std::map<std::string, size_t>> numbers_;
};

struct CannotEvaluate {};

} // namespace

std::vector<Variable> variablesIn(Term term) {
  std::vector<Variable> result;
  for (const logic::VariableUse &use : logic::variablesOf(term))
    if (result.empty() || result.back() != use.variable)
      result.push_back(use.variable);
  return result;
}

Term afterwards(Term formula, const std::vector<Variable> &modified) {
  logic::TermPool &pool = formula.pool();
  return logic::substitute(formula, [&](Variable v, bool) {
    return std::binary_search(modified.begin(), modified.end(), v) ? pool.primed(v) : Term();
  });
}

HoareTriples::HoareTriples(logic::TermPool &pool, uint64_t resources, Budget &budget)
    : pool_(pool), solver_(pool, budget.limits(resources)), budget_(budget) {}

uint32_t HoareTriples::labelId(const petri::Label &label) {
  return labels_
      .try_emplace({label.conjuncts, label.modified}, static_cast<uint32_t>(labels_.size()))
      .first->second;
}

namespace {

/// The conjuncts that share variables with these, directly or through others; adds their variables.
std::vector<Term> connected(const std::vector<Term> &state, std::set<Variable> &variables) {
  std::vector<bool> taken(state.size());
  for (bool grown = true; grown;) {
    grown = false;
    for (size_t i = 0; i < state.size(); ++i)
      if (auto own = variablesIn(state[i]); !taken[i] && meets(own, variables)) {
        taken[i] = grown = true;
        variables.insert(own.begin(), own.end());
      }
  }
  std::vector<Term> result;
  for (size_t i = 0; i < state.size(); ++i)
    if (taken[i])
      result.push_back(state[i]);
  return result;
}

} // namespace

std::optional<std::vector<bool>> HoareTriples::post(const std::vector<Term> &state,
                                                    const petri::Label &label,
                                                    const std::vector<Term> &candidates) {
  std::set<Variable> concerned(label.modified.begin(), label.modified.end());
  for (const Term &conjunct : label.conjuncts)
    for (Variable v : variablesIn(conjunct))
      concerned.insert(v);
  connected(state, concerned);
  std::vector<bool> result(candidates.size());
  std::vector<size_t> open;
  std::vector<Term> questions;
  std::vector<size_t> apart;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const auto variables = variablesIn(candidates[i]);
    const bool kept = !intersects(variables, label.modified) &&
                      std::find(state.begin(), state.end(), candidates[i]) != state.end();
    if (kept) {
      result[i] = true;
    } else if (meets(variables, concerned)) {
      open.push_back(i);
      questions.push_back(candidates[i]);
    } else {
      apart.push_back(i);
    }
  }
  // A question can connect, too: after i := 0, c <= i follows from c <= 0.
  for (const Term &question : questions)
    for (Variable v : variablesIn(question))
      concerned.insert(v);
  const auto answers = decide(connected(state, concerned), label, questions);
  if (!answers)
    return std::nullopt;
  for (size_t i = 0; i < open.size(); ++i)
    result[open[i]] = (*answers)[i];
  // What the step does not concern follows from the state alone, or not at all.
  for (size_t i : apart) {
    const auto variables = variablesIn(candidates[i]);
    std::set<Variable> own(variables.begin(), variables.end());
    const auto answer = decide(connected(state, own), {}, {candidates[i]});
    result[i] = answer && answer->front();
  }
  return result;
}

std::optional<std::vector<bool>> HoareTriples::decide(const std::vector<Term> &context,
                                                      const petri::Label &label,
                                                      const std::vector<Term> &candidates) {
  Renaming rename(pool_);
  petri::Label canonical;
  for (Variable v : label.modified)
    canonical.modified.push_back(rename(v));
  for (const Term &conjunct : label.conjuncts)
    canonical.conjuncts.push_back(rename(conjunct));
  std::sort(canonical.modified.begin(), canonical.modified.end());
  std::vector<Term> state;
  for (const Term &conjunct : context)
    state.push_back(rename(conjunct));
  std::sort(state.begin(), state.end());
  std::vector<Term> questions;
  for (const Term &candidate : candidates)
    questions.push_back(rename(candidate));
  Answers &answers = known_[{labelId(canonical), state}];
  ask(state, canonical, questions, answers);
  if (*answers.isFalse)
    return std::nullopt;
  std::vector<bool> result;
  for (const Term &question : questions)
    result.push_back(answers.implied.at(question));
  return result;
}

Satisfiability HoareTriples::check(const std::vector<Term> &assumptions) {
  ++queries_;
  return budget_.check(solver_, assumptions);
}

void HoareTriples::ask(const std::vector<Term> &state, const petri::Label &label,
                       const std::vector<Term> &candidates, Answers &answers) {
  std::vector<Term> open;
  for (const Term &candidate : candidates)
    if (!answers.implied.contains(candidate))
      open.push_back(candidate);
  if (answers.isFalse && (*answers.isFalse || open.empty()))
    return;
  std::set<logic::VariableUse> uses;
  solver_.push();
  for (const auto *formulas : {&label.conjuncts, &state})
    for (const Term &formula : *formulas) {
      solver_.add(formula);
      for (const logic::VariableUse &use : logic::variablesOf(formula))
        uses.insert(use);
    }
  const std::vector<logic::VariableUse> asserted(uses.begin(), uses.end());
  const Satisfiability first = check({});
  answers.isFalse = first == Satisfiability::Unsat;
  if (first == Satisfiability::Sat)
    refute(open, label, asserted, answers);
  for (const Term &candidate : open) {
    if (first != Satisfiability::Sat || answers.implied.contains(candidate)) {
      answers.implied.try_emplace(candidate, false);
      continue;
    }
    const Satisfiability found = check({pool_.negate(afterwards(candidate, label.modified))});
    answers.implied[candidate] = found == Satisfiability::Unsat;
    if (found == Satisfiability::Sat)
      refute(open, label, asserted, answers);
  }
  solver_.pop();
}

/// Candidates that are false in the solver's model do not follow.
void HoareTriples::refute(const std::vector<Term> &open, const petri::Label &label,
                          const std::vector<logic::VariableUse> &asserted, Answers &answers) {
  const logic::solver::Model model = solver_.model();
  auto value = [&](Variable v, bool primed) -> logic::Value {
    if (auto found = model.valueOf(v, primed))
      return *found;
    if (std::binary_search(asserted.begin(), asserted.end(), logic::VariableUse{v, primed}))
      throw CannotEvaluate(); // its value is beyond 64 bits
    return logic::defaultValue(v.sort());
  };
  for (const Term &candidate : open) {
    if (answers.implied.contains(candidate))
      continue;
    try {
      if (!logic::holds(afterwards(candidate, label.modified), value))
        answers.implied[candidate] = false;
    } catch (const CannotEvaluate &) {
      continue;
    } catch (const logic::Unsupported &) {
      continue;
    }
  }
}

} // namespace understudy::compose::refine
