// SPDX-License-Identifier: Apache-2.0
//
// The problem: a model of the unrolled flow knows only what matters, the trace must have a value
// for every variable. The idea: go through the path with a full state. What the model knows is
// taken from it, what an assignment determines is evaluated, and if the relation does not hold with
// default values for the rest, the solver finds them: for one edge, all else being given.
#include "compose/Interpreter.h"
#include "compose/sequential/SequentialParts.h"
#include "logic/Error.h"

#include <algorithm>

namespace understudy::compose::sequential {

namespace {

using logic::Op;
using State = std::vector<Value>;

const std::string noNumbers = "there is a counterexample, but a number in it does not fit in "
                              "64 bits, or was not found: in ";

class Concretiser {
public:
  Concretiser(const Flow &flow, const FlowPath &path, Budget &budget)
      : flow_(flow), path_(path), budget_(budget), pool_(flow.pool()),
        type_(flow.program.templates[flow.thread]), solver_(pool_, budget.limits()) {}

  TraceResult run() {
    Trace trace;
    const FlowEdge &first = flow_.edges[path_.edges.at(0)];
    auto state = startState();
    if (!state)
      return Undecided{noNumbers + "its initial state"};
    trace.start = configuration(*state, first.target - firstLocation);
    for (size_t i = 1; i < path_.edges.size(); ++i) {
      EdgeId id = *flow_.edges[path_.edges[i]].origin;
      const Edge &edge = type_.edges[id];
      state = stateAfter(edge, *state, path_.after[i]);
      if (!state)
        return Undecided{noNumbers + "step " + std::to_string(i)};
      trace.steps.push_back({1, flow_.thread, id, {}, configuration(*state, edge.target)});
    }
    return replayed(std::move(trace));
  }

private:
  const Flow &flow_;
  const FlowPath &path_;
  Budget &budget_;
  logic::TermPool &pool_;
  const Template &type_;
  logic::solver::Solver solver_;

  Configuration configuration(const State &state, LocationId location) const {
    Configuration result;
    auto locals = state.begin() + static_cast<std::ptrdiff_t>(flow_.program.globals.size());
    result.globals.assign(state.begin(), locals);
    result.threads.push_back({1, flow_.thread, location, std::nullopt, {locals, state.end()}});
    result.created = 1;
    return result;
  }

  /// The relation, with some of its variable occurrences known, made true by values for the rest.
  std::optional<State> solve(Term formula, const PartialState &known, const State *before) {
    solver_.push();
    solver_.add(formula);
    bool primed = before != nullptr;
    auto fix = [&](VariableIndex v, bool after, const Value &value) {
      Variable variable = flow_.variables[v];
      Term term = after ? pool_.primed(variable) : pool_.var(variable);
      solver_.add(pool_.equal(term, logic::termOf(pool_, value, variable.sort())));
    };
    for (VariableIndex v = 0; v < flow_.variables.size(); ++v) {
      if (before)
        fix(v, false, (*before)[v]);
      if (known[v])
        fix(v, primed, *known[v]);
    }
    std::optional<State> result;
    if (budget_.check(solver_) == logic::solver::Satisfiability::Sat) {
      logic::solver::Model model = solver_.model();
      result.emplace();
      for (Variable v : flow_.variables)
        result->push_back(model.valueOf(v, primed).value_or(logic::defaultValue(v.sort())));
      for (VariableIndex v = 0; v < known.size(); ++v)
        if (known[v])
          (*result)[v] = *known[v];
    }
    solver_.pop();
    return result;
  }

  std::optional<State> startState() {
    Term formula = pool_.conjunction({flow_.program.initial, type_.initial});
    State guess;
    for (VariableIndex v = 0; v < flow_.variables.size(); ++v)
      guess.push_back(path_.start[v].value_or(logic::defaultValue(flow_.variables[v].sort())));
    if (logic::holds(formula, [&](Variable v, bool) { return guess[flow_.indexOf.at(v)]; }))
      return guess;
    return solve(formula, path_.start, nullptr);
  }

  std::optional<State> stateAfter(const Edge &edge, const State &before,
                                  const PartialState &modelled) {
    State guess = before;
    PartialState known(before.begin(), before.end());
    for (Variable variable : edge.modified) {
      VariableIndex v = flow_.indexOf.at(variable);
      known[v] = modelled[v];
      guess[v] = modelled[v].value_or(logic::defaultValue(variable.sort()));
    }
    for (const Term &conjunct : logic::conjunctsOf(edge.relation))
      assign(conjunct, before, known, guess);
    bool holds = logic::holds(edge.relation, [&](Variable v, bool primed) {
      return (primed ? guess : before)[flow_.indexOf.at(v)];
    });
    return holds ? guess : solve(edge.relation, known, &before);
  }

  /// What x' == e says of an x' that the model does not know.
  void assign(Term conjunct, const State &before, PartialState &known, State &guess) const {
    if (conjunct.op() != Op::Equal)
      return;
    for (size_t side : {0, 1}) {
      Term target = conjunct.operand(side);
      Term value = conjunct.operand(1 - side);
      if (target.op() != Op::Variable || !target.primed() || value.hasPrimes())
        continue;
      VariableIndex v = flow_.indexOf.at(target.variable());
      if (known[v])
        continue;
      guess[v] =
          logic::evaluate(value, [&](Variable w, bool) { return before[flow_.indexOf.at(w)]; });
      return;
    }
  }

  TraceResult replayed(Trace trace) const {
    if (trace.steps.empty())
      return Undecided{"the counterexample has no steps"};
    Interpreter interpreter(flow_.program);
    const Configuration &before =
        trace.steps.size() == 1 ? trace.start : trace.steps[trace.steps.size() - 2].after;
    auto failure = interpreter.stepFailure(before, trace.steps.back());
    if (!failure)
      return Undecided{"the counterexample does not fail"};
    trace.failure = *failure;
    if (auto wrong = replay(flow_.program, trace))
      return Undecided{"the counterexample does not replay: " + *wrong};
    return trace;
  }
};

} // namespace

FlowPath withSmallNumbers(const Flow &flow, const FlowPath &path, Budget &budget) {
  constexpr size_t longest = 400;
  constexpr int64_t small = 4;
  constexpr int rounds = 8;
  logic::TermPool &pool = flow.pool();
  Unroller unroller(flow);
  auto end = path.edges.size() > longest ? std::nullopt
                                         : unroller.follow(unroller.start(entryNode), path.edges);
  if (!end)
    return path;
  logic::solver::Solver solver(pool, budget.limits());
  std::vector<Term> conditions = unroller.conditions(*end);
  for (const Term &assertion : unroller.takeAssertions())
    conditions.push_back(assertion);
  std::vector<Term> wishes;
  for (const Term &condition : conditions) {
    solver.add(condition);
    for (const logic::VariableUse &use : logic::variablesOf(condition))
      if (use.variable.sort().isInteger()) {
        Term value = use.primed ? pool.primed(use.variable) : pool.var(use.variable);
        wishes.push_back(pool.conjunction({pool.lessEqual(pool.integer(-small), value),
                                           pool.lessEqual(value, pool.integer(small))}));
      }
  }
  std::sort(wishes.begin(), wishes.end());
  wishes.erase(std::unique(wishes.begin(), wishes.end()), wishes.end());
  for (int round = 0; round < rounds; ++round) {
    logic::solver::Satisfiability answer = budget.check(solver, wishes);
    if (answer == logic::solver::Satisfiability::Sat)
      return unroller.path(*end, solver.model());
    if (answer == logic::solver::Satisfiability::Unknown || wishes.empty())
      return path;
    std::vector<Term> core = solver.unsatCore();
    std::erase_if(wishes, [&](const Term &wish) {
      return std::find(core.begin(), core.end(), wish) != core.end();
    });
  }
  return path;
}

TraceResult traceOf(const Flow &flow, const FlowPath &path, Budget &budget) {
  try {
    return Concretiser(flow, path, budget).run();
  } catch (const logic::Unsupported &unsupported) {
    return Undecided{std::string("in the counterexample, ") + unsupported.what()};
  }
}

} // namespace understudy::compose::sequential
