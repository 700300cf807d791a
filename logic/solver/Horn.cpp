// SPDX-License-Identifier: Apache-2.0
#include "logic/solver/Horn.h"

#include "logic/SortFacts.h"
#include "logic/smtlib/TermReader.h"
#include "logic/solver/Context.h"
#include "logic/solver/ModelReader.h"
#include "logic/solver/QueryLog.h"
#include "logic/solver/Resources.h"
#include "logic/solver/Translate.h"
#include "logic/solver/Watchdog.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

namespace understudy::logic::solver {

namespace {

struct Predicate {
  std::vector<Variable> parameters;
  z3::func_decl declaration;
};

} // namespace

struct HornSolver::Implementation {
  TermPool &pool;
  SolverLimits limits;
  Context context;
  z3::fixedpoint fixedpoint{context};
  z3::solver idle{context}; // as in Solver.cpp
  Resources resources{context, idle, limits};
  Translator translator{context};
  std::vector<Predicate> predicates;
  std::unordered_map<unsigned, PredicateId> numbers; ///< by the declaration's id in Z3
  std::map<PredicateId, z3::expr> equations;         ///< of the answer
  std::string reason;
  std::string failure;
  Watchdog watchdog{[this] { Z3_interrupt(context); }};

  Implementation(TermPool &terms, SolverLimits given) : pool(terms), limits(std::move(given)) {
    z3::params parameters(context);
    parameters.set("engine", context.str_symbol("spacer"));
    // With these, predicates keep their arguments and none disappears.
    parameters.set("xform.slice", false);
    parameters.set("xform.inline_linear", false);
    parameters.set("xform.inline_eager", false);
    fixedpoint.set(parameters);
  }

  z3::sort sortOf(Sort sort) {
    if (sort.isArray())
      return context.array_sort(context.int_sort(), sortOf(sort.element()));
    return sort.isBool() ? context.bool_sort() : context.int_sort();
  }

  z3::expr apply(const HornAtom &atom) {
    z3::expr_vector arguments(context);
    for (const Term &argument : atom.arguments)
      arguments.push_back(translator.translate(argument));
    return predicates.at(atom.predicate).declaration(arguments);
  }

  /// The formulas with what the sorts of their variables say, and those variables.
  z3::expr closed(const std::optional<HornAtom> &premise, const std::vector<Term> &constraints,
                  const HornAtom &conclusion) {
    std::unordered_set<Term> facts;
    std::unordered_set<Term> variables;
    z3::expr_vector bound(context);
    z3::expr_vector body(context);
    auto introduce = [&](const Term &formula) {
      SortFacts known = sortFacts(formula);
      for (const Term &fact : known.facts)
        if (facts.insert(fact).second)
          body.push_back(translator.translate(fact));
      for (const Term &variable : known.variables)
        if (variables.insert(variable).second)
          bound.push_back(translator.translate(variable));
    };
    if (premise) {
      for (const Term &argument : premise->arguments)
        introduce(argument);
      body.push_back(apply(*premise));
    }
    for (const Term &constraint : constraints) {
      introduce(constraint);
      body.push_back(translator.translate(constraint));
    }
    for (const Term &argument : conclusion.arguments)
      introduce(argument);
    z3::expr clause = z3::implies(z3::mk_and(body), apply(conclusion));
    return bound.empty() ? clause : z3::forall(bound, clause);
  }

  void add(const std::optional<HornAtom> &premise, const std::vector<Term> &constraints,
           const HornAtom &conclusion) {
    try {
      z3::expr clause = closed(premise, constraints, conclusion);
      Z3_fixedpoint_add_rule(context, fixedpoint, clause, nullptr);
      context.check_error();
    } catch (const z3::exception &e) {
      failure = std::string("Z3: ") + e.msg();
    }
  }

  Satisfiability unknown(std::string why) {
    reason = std::move(why);
    return Satisfiability::Unknown;
  }

  /// Some fact about the predicate: one with arguments is asked for through one without.
  z3::expr someFact(PredicateId predicate) {
    HornAtom atom{predicate, {}};
    for (Variable v : predicates.at(predicate).parameters)
      atom.arguments.push_back(pool.var(v));
    z3::expr fact = apply(atom);
    if (atom.arguments.empty())
      return fact;
    z3::expr_vector bound(context);
    for (const Term &argument : atom.arguments)
      bound.push_back(translator.translate(argument));
    return z3::exists(bound, fact);
  }

  /// The clauses, and that no fact follows, for the log.
  z3::expr_vector question(PredicateId predicate) {
    z3::expr_vector result = fixedpoint.rules();
    result.push_back(!someFact(predicate));
    return result;
  }

  Satisfiability run(PredicateId predicate) {
    try {
      z3::expr query = someFact(predicate);
      switch (fixedpoint.query(query)) {
      case z3::sat:
        return Satisfiability::Sat;
      case z3::unsat:
        readAnswer();
        return Satisfiability::Unsat;
      case z3::unknown:
        break;
      }
      return unknown(fixedpoint.reason_unknown());
    } catch (const z3::exception &e) {
      return unknown(std::string("Z3: ") + e.msg());
    }
  }

  Satisfiability query(PredicateId predicate) {
    if (!failure.empty())
      return unknown(failure);
    equations.clear();
    LoggedQuery logged(translator, [&] { return question(predicate); });
    std::stop_callback cancel(limits.stop, [this] { watchdog.interrupt(); });
    if (!watchdog.begin(limits.seconds))
      return unknown("interrupted");
    Satisfiability result = resources.run([&] { return run(predicate); });
    // A fact follows if it cannot be that none does.
    logged.answer(result == Satisfiability::Sat     ? Satisfiability::Unsat
                  : result == Satisfiability::Unsat ? Satisfiability::Sat
                                                    : result);
    Watchdog::Outcome outcome = watchdog.end();
    if (outcome.stopSent)
      try {
        idle.check();
      } catch (const z3::exception &) {
        // Only to clear the stop.
      }
    if (result == Satisfiability::Unknown && outcome.cause == Watchdog::Cause::OutOfTime)
      return unknown("time limit");
    if (result == Satisfiability::Unknown && reason.find("resource limit") != std::string::npos)
      return unknown("resource limit");
    return result;
  }

  std::optional<PredicateId> predicateOf(const z3::expr &e) const {
    if (!e.is_app())
      return std::nullopt;
    auto found = numbers.find(e.decl().id());
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  }

  /// The answer is a conjunction of "forall x. p(x) = formula".
  void readAnswer() {
    z3::expr answer = fixedpoint.get_answer();
    bool several = answer.is_app() && answer.decl().decl_kind() == Z3_OP_AND;
    for (unsigned i = 0; i < (several ? answer.num_args() : 1); ++i) {
      z3::expr conjunct = several ? answer.arg(i) : answer;
      z3::expr equation = conjunct.is_quantifier() ? conjunct.body() : conjunct;
      if (equation.is_app() && equation.num_args() == 2)
        if (auto predicate = predicateOf(equation.arg(0)))
          equations.emplace(*predicate, equation);
    }
  }

  std::optional<Term> definition(const z3::expr &equation, PredicateId predicate) const {
    z3::expr head = equation.arg(0);
    std::vector<Variable> parameters(head.num_args());
    for (unsigned i = 0; i < head.num_args(); ++i) {
      if (!head.arg(i).is_var())
        return std::nullopt;
      unsigned index = Z3_get_index_value(head.ctx(), head.arg(i));
      if (index >= parameters.size())
        return std::nullopt;
      parameters[index] = predicates[predicate].parameters[i];
    }
    return smtlib::TermReader(pool, parameters).read(equation.arg(1));
  }

  std::optional<HornFact> factOf(PredicateId predicate, const z3::expr &e) const {
    HornFact fact{predicate, {}};
    z3::model empty(const_cast<Context &>(context));
    ModelReader reader(empty);
    for (unsigned i = 0; i < e.num_args(); ++i) {
      auto value = reader.value(e.arg(i), predicates[predicate].parameters[i].sort());
      if (!value)
        return std::nullopt;
      fact.arguments.push_back(*value);
    }
    return fact;
  }

  /// The proof is a chain of hyper-resolutions: (hyper-res clause premise… conclusion).
  std::optional<std::vector<HornFact>> chain() const {
    std::vector<HornFact> result;
    std::optional<z3::expr> proof = const_cast<z3::fixedpoint &>(fixedpoint).get_answer();
    while (proof && proof->is_app() && proof->num_args() > 0) {
      z3::expr node = *proof;
      Z3_decl_kind kind = node.decl().decl_kind();
      proof.reset();
      if (kind == Z3_OP_PR_MODUS_PONENS) {
        proof = node.arg(0);
        continue;
      }
      z3::expr conclusion = node.arg(node.num_args() - 1);
      if (auto predicate = predicateOf(conclusion)) {
        auto fact = factOf(*predicate, conclusion);
        if (!fact)
          return std::nullopt;
        result.push_back(std::move(*fact));
      }
      if (kind == Z3_OP_PR_HYPER_RESOLVE && node.num_args() > 2)
        proof = node.arg(1);
    }
    std::reverse(result.begin(), result.end());
    return result;
  }
};

HornSolver::HornSolver(TermPool &pool, SolverLimits limits)
    : implementation_(std::make_unique<Implementation>(pool, limits)) {}
HornSolver::~HornSolver() = default;

PredicateId HornSolver::declare(std::vector<Variable> parameters) {
  Implementation &self = *implementation_;
  z3::sort_vector sorts(self.context);
  for (Variable v : parameters)
    sorts.push_back(self.sortOf(v.sort()));
  auto id = static_cast<PredicateId>(self.predicates.size());
  z3::func_decl declaration =
      self.context.function(("p" + std::to_string(id)).c_str(), sorts, self.context.bool_sort());
  self.fixedpoint.register_relation(declaration);
  self.numbers[declaration.id()] = id;
  self.predicates.push_back({std::move(parameters), declaration});
  return id;
}

void HornSolver::add(const std::optional<HornAtom> &premise, const std::vector<Term> &constraints,
                     const HornAtom &conclusion) {
  implementation_->add(premise, constraints, conclusion);
}

Satisfiability HornSolver::query(PredicateId predicate) {
  return implementation_->query(predicate);
}

std::optional<Term> HornSolver::solution(PredicateId predicate) const {
  const Implementation &self = *implementation_;
  try {
    auto found = self.equations.find(predicate);
    return found == self.equations.end() ? std::nullopt : self.definition(found->second, predicate);
  } catch (const z3::exception &) {
    return std::nullopt;
  }
}

std::optional<std::vector<HornFact>> HornSolver::derivation() const {
  try {
    return implementation_->chain();
  } catch (const z3::exception &) {
    return std::nullopt;
  }
}

std::string HornSolver::reasonUnknown() const { return implementation_->reason; }

} // namespace understudy::logic::solver
