// SPDX-License-Identifier: Apache-2.0
#include "logic/solver/Solver.h"

#include "logic/SortFacts.h"
#include "logic/solver/Context.h"
#include "logic/solver/ModelReader.h"
#include "logic/solver/QueryLog.h"
#include "logic/solver/Resources.h"
#include "logic/solver/Translate.h"
#include "logic/solver/Watchdog.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

namespace understudy::logic::solver {

namespace {

/// What must be forgotten when a scope is popped.
struct Scope {
  std::vector<Term> variables;
  std::vector<Term> facts;
  std::vector<Term> assumptions;
};

} // namespace

std::optional<Value> Model::valueOf(Variable variable, bool primed) const {
  auto found = values.find({variable, primed});
  return found == values.end() ? std::nullopt : std::optional<Value>(found->second);
}

struct Solver::Implementation {
  SolverLimits limits;
  Context context;
  // Without the tactics of the default one: some of them blow up on formulas that share much.
  z3::solver solver{context, z3::solver::simple()};
  // Z3 forgets a stop that came too late when it checks something; this has nothing to check.
  z3::solver idle{context};
  Translator translator{context};

  std::vector<Scope> scopes = std::vector<Scope>(1);
  std::unordered_set<Term> variables;
  std::unordered_set<Term> facts;
  std::unordered_map<Term, z3::expr> proxies;
  std::unordered_map<Term, SortFacts> contexts;

  std::vector<Term> core;
  std::string reason;
  // Why Z3 refused an assertion. From then on nothing is known about the assertions.
  std::string failure;

  Watchdog watchdog{[this] { Z3_interrupt(context); }};

  Resources resources{context, idle, limits};

  explicit Implementation(SolverLimits given) : limits(std::move(given)) {}

  /// Carries out a change of the assertions; Z3's exceptions end here.
  template <typename Change>
  void guarded(Change change) {
    try {
      change();
    } catch (const z3::exception &e) {
      failure = std::string("Z3: ") + e.msg();
    }
  }

  /// Asserts what the formula's variables need, once in every chain of scopes.
  void introduce(Term formula) {
    auto [found, isNew] = contexts.try_emplace(formula);
    if (isNew)
      found->second = sortFacts(formula);
    for (const Term &variable : found->second.variables)
      if (variables.insert(variable).second)
        scopes.back().variables.push_back(variable);
    for (const Term &fact : found->second.facts)
      if (facts.insert(fact).second) {
        scopes.back().facts.push_back(fact);
        solver.add(translator.translate(fact));
      }
  }

  void forget(const Scope &scope) {
    for (const Term &t : scope.variables)
      variables.erase(t);
    for (const Term &t : scope.facts)
      facts.erase(t);
    for (const Term &t : scope.assumptions)
      proxies.erase(t);
  }

  /// A literal that implies the assumption, so that cores can name it.
  z3::expr proxyOf(Term assumption) {
    if (auto found = proxies.find(assumption); found != proxies.end())
      return found->second;
    introduce(assumption);
    z3::expr proxy = translator.freshBool();
    solver.add(z3::implies(proxy, translator.translate(assumption)));
    proxies.emplace(assumption, proxy);
    scopes.back().assumptions.push_back(assumption);
    return proxy;
  }

  /// The check itself. All assertions are made before, since a stop would make Z3 refuse them.
  Satisfiability run(const std::vector<std::pair<z3::expr, Term>> &named) {
    z3::expr_vector literals(context);
    for (const auto &[proxy, assumption] : named)
      literals.push_back(proxy);
    switch (named.empty() ? solver.check() : solver.check(literals)) {
    case z3::sat:
      return Satisfiability::Sat;
    case z3::unsat:
      if (!named.empty())
        readCore(named);
      return Satisfiability::Unsat;
    case z3::unknown:
      break;
    }
    reason = solver.reason_unknown();
    if (reason == "canceled")
      reason = "resource limit";
    return Satisfiability::Unknown;
  }

  void readCore(const std::vector<std::pair<z3::expr, Term>> &named) {
    z3::expr_vector literals = solver.unsat_core();
    for (unsigned i = 0; i < literals.size(); ++i)
      for (const auto &[proxy, term] : named)
        if (z3::eq(proxy, literals[static_cast<int>(i)])) {
          core.push_back(term);
          break;
        }
  }

  /// The assertions and the assumptions, for the log.
  z3::expr_vector question(const std::vector<std::pair<z3::expr, Term>> &named) {
    z3::expr_vector result = solver.assertions();
    for (const auto &[proxy, assumption] : named)
      result.push_back(proxy);
    return result;
  }

  Satisfiability unknown(std::string why) {
    reason = std::move(why);
    return Satisfiability::Unknown;
  }

  Satisfiability check(std::span<const Term> assumptions) {
    core.clear();
    reason.clear();
    std::vector<std::pair<z3::expr, Term>> named;
    guarded([&] {
      for (const Term &t : assumptions)
        named.emplace_back(proxyOf(t), t);
    });
    if (!failure.empty())
      return unknown(failure);
    LoggedQuery logged(translator, [&] { return question(named); });
    std::stop_callback cancel(limits.stop, [this] { watchdog.interrupt(); });
    if (!watchdog.begin(limits.seconds))
      return unknown("interrupted");
    Satisfiability result = Satisfiability::Unknown;
    try {
      result = resources.run([&] { return run(named); });
    } catch (const z3::exception &e) {
      result = unknown(std::string("Z3: ") + e.msg());
    }
    result = conclude(result, watchdog.end());
    logged.answer(result);
    return result;
  }

  Satisfiability conclude(Satisfiability result, Watchdog::Outcome outcome) {
    if (outcome.stopSent)
      guarded([&] { idle.check(); });
    if (outcome.cause == Watchdog::Cause::Interrupted)
      return unknown("interrupted");
    if (outcome.cause == Watchdog::Cause::OutOfTime && result == Satisfiability::Unknown)
      reason = "time limit";
    return result;
  }

  Model readModel() {
    Model result;
    try {
      z3::model model = solver.get_model();
      ModelReader reader(model);
      for (const Term &t : variables)
        if (auto value = reader.value(translator.translate(t), t.sort()))
          result.values.emplace(VariableUse{t.variable(), t.primed()}, std::move(*value));
    } catch (const z3::exception &) {
      // Values that cannot be read are absent.
      return {};
    }
    return result;
  }
};

Solver::Solver(TermPool &, SolverLimits limits)
    : implementation_(std::make_unique<Implementation>(limits)) {}
Solver::~Solver() = default;

void Solver::add(Term formula) {
  Implementation &self = *implementation_;
  self.guarded([&] {
    self.introduce(formula);
    self.solver.add(self.translator.translate(formula));
  });
}

void Solver::push() {
  Implementation &self = *implementation_;
  self.scopes.emplace_back();
  self.guarded([&] { self.solver.push(); });
}

void Solver::pop() {
  Implementation &self = *implementation_;
  if (self.scopes.size() == 1)
    throw std::logic_error("pop without push");
  self.forget(self.scopes.back());
  self.scopes.pop_back();
  self.guarded([&] { self.solver.pop(); });
}

void Solver::limitSeconds(double seconds) { implementation_->limits.seconds = seconds; }

Satisfiability Solver::check() { return implementation_->check({}); }

Satisfiability Solver::check(std::span<const Term> assumptions) {
  return implementation_->check(assumptions);
}

Model Solver::model() const { return implementation_->readModel(); }
std::vector<Term> Solver::unsatCore() const { return implementation_->core; }
std::string Solver::reasonUnknown() const { return implementation_->reason; }
void Solver::interrupt() { implementation_->watchdog.interrupt(); }

std::optional<bool> isValid(Term formula, SolverLimits limits) {
  TermPool &pool = formula.pool();
  Solver solver(pool, limits);
  solver.add(pool.negate(formula));
  switch (solver.check()) {
  case Satisfiability::Sat:
    return false;
  case Satisfiability::Unsat:
    return true;
  case Satisfiability::Unknown:
    break;
  }
  return std::nullopt;
}

} // namespace understudy::logic::solver
