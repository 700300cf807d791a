// SPDX-License-Identifier: Apache-2.0
//
// The problem: a program of one thread, with data of any kind. The idea, from cheap to dear: leave
// out what cannot matter (`Flow`); compute boxes, which prove most programs safe in time near
// linear
// (`Boxes`); drop what the boxes exclude; of the rest, one question to the solver decides programs
// without loops (`Unroll`), Horn clauses those with loops (`SequentialHorn`). Invariants that
// somebody states are confirmed first (`SequentialStated`) and then known to all of these.
//
// The invariant of the whole: `unsafe` is answered with a trace that the interpreter replays on the
// original program; `safe` after invariants, boxes included, were checked by queries of their own
// on the original program; everything else is `unknown`.
#include "compose/sequential/Sequential.h"

#include "compose/Interpreter.h"
#include "compose/sequential/Boxes.h"
#include "compose/sequential/Components.h"
#include "compose/sequential/Scalarise.h"
#include "compose/sequential/SequentialParts.h"
#include "logic/Error.h"
#include "logic/Simplify.h"

#include <algorithm>

namespace understudy::compose::sequential {

namespace {

using logic::solver::Satisfiability;

/// What the boxes say, to be used by the exact engines and to be re-checked if they answer safe.
struct Filter {
  std::vector<EdgeRole> remaining;   ///< edges that the boxes exclude are dropped
  std::vector<EdgeRole> obligations; ///< these must be impossible; errors left open are dropped
  CutInvariants known;               ///< at the heads of stretches
};

Filter filterOf(const Flow &flow, const Boxes &boxes) {
  Filter result;
  result.remaining.assign(flow.program.templates[flow.thread].edges.size(), EdgeRole::Plain);
  result.obligations = result.remaining;
  for (uint32_t e = 0; e < flow.edges.size(); ++e) {
    const FlowEdge &edge = flow.edges[e];
    if (!edge.origin)
      continue;
    if (!boxes.possible[e]) {
      result.remaining[*edge.origin] = EdgeRole::Dropped;
      result.obligations[*edge.origin] = EdgeRole::Obligation;
    } else if (edge.target == errorNode) {
      result.obligations[*edge.origin] = EdgeRole::Dropped;
    }
  }
  for (NodeId node : stretchHeads(flow))
    result.known[node] = formulaOf(flow, boxes, node);
  return result;
}

class SequentialRun {
public:
  SequentialRun(const Program &program, const SequentialOptions &options)
      : running_(&program), options_(options), budget_(options) {}

  SequentialResult run() {
    result_.verdict.engine = EngineName::Sequential;
    result_.verdict.assumptions = running_->assumptions;
    try {
      if (auto reason = outOfScope())
        unknown(*reason);
      else if (auto reasonToStop = noStart())
        unknown(*reasonToStop);
      else
        decideWithoutArrays();
    } catch (const logic::Unsupported &unsupported) {
      unknown(unsupported.what());
      result_.verdict.where = unsupported.range();
    }
    result_.statistics.queries = budget_.queries();
    result_.statistics.seconds = budget_.seconds();
    result_.verdict.statistics.seconds = result_.statistics.seconds;
    return std::move(result_);
  }

private:
  const Program *running_;
  const SequentialOptions &options_;
  Budget budget_;
  SequentialResult result_;
  FlowTables tables_;
  CutInvariants stated_; ///< by somebody, and confirmed

  void unknown(const std::string &reason) {
    result_.verdict.answer = Answer::Unknown;
    result_.verdict.reason = reason;
    result_.invariants.clear();
    result_.between.clear();
  }
  void safe() { result_.verdict.answer = Answer::Safe; }
  void unsafe(Trace trace) {
    result_.verdict.answer = Answer::Unsafe;
    result_.verdict.trace = std::move(trace);
  }

  std::optional<std::string> outOfScope() const {
    if (running_->starts.size() != 1 || running_->starts[0].unbounded ||
        running_->starts[0].count != 1)
      return "the sequential engine needs exactly one thread";
    if (!running_->invariants.empty())
      return "the sequential engine does not support invariants";
    for (const Edge &edge : running_->templates[running_->starts[0].thread].edges)
      if (std::holds_alternative<Fork>(edge.action) || std::holds_alternative<Join>(edge.action))
        return "the sequential engine does not support fork and join";
    return std::nullopt;
  }

  std::optional<std::string> noStart() {
    logic::solver::Solver solver(*running_->pool, budget_.limits());
    solver.add(running_->initial);
    solver.add(running_->templates[running_->starts[0].thread].initial);
    switch (budget_.check(solver)) {
    case Satisfiability::Sat:
      return std::nullopt;
    case Satisfiability::Unsat:
      return "no initial state satisfies the initial values and conditions";
    case Satisfiability::Unknown:
      break;
    }
    return "cannot decide whether there is an initial state: " + solver.reasonUnknown();
  }

  /// True if a path through few loops leads to the error.
  bool foundShortPath(const Flow &flow) {
    constexpr uint64_t hops = 3;
    budget_.report("short paths");
    PathSearch found = findPath(flow, hops, budget_);
    auto *path = std::get_if<FlowPath>(&found);
    if (path == nullptr)
      return false;
    TraceResult traced = traceOf(flow, *path, budget_);
    auto *trace = std::get_if<Trace>(&traced);
    if (trace == nullptr)
      return false;
    unsafe(std::move(*trace));
    return true;
  }

  /// Decides the program with arrays split, if they can be.
  void decideWithoutArrays() {
    auto scalarised = scalarise(*running_, budget_);
    if (!scalarised) {
      decide();
      return noteUnreachable();
    }
    const Program *original = std::exchange(running_, &scalarised->program);
    decide();
    noteUnreachable();
    running_ = original;
    for (auto *list : {&result_.invariants, &result_.between})
      for (LocationInvariant &invariant : *list)
        invariant.formula = withArrays(*scalarised, invariant.formula);
    if (!result_.verdict.trace)
      return;
    Trace trace = withArrays(*original, *scalarised, std::move(*result_.verdict.trace));
    result_.verdict.trace.reset();
    if (auto wrong = replay(*original, trace))
      unknown("the counterexample does not replay: " + *wrong);
    else
      unsafe(std::move(trace));
  }

  void noteUnreachable() {
    if (result_.verdict.answer != Answer::Safe)
      return;
    Flow all = makeFlow(*running_, FlowDetail::All, tables_);
    std::vector<std::vector<NodeId>> next(all.nodes());
    for (const FlowEdge &edge : all.edges)
      next[edge.source].push_back(edge.target);
    std::vector<bool> seen(all.nodes());
    std::vector<NodeId> work{entryNode};
    while (!work.empty()) {
      NodeId node = work.back();
      work.pop_back();
      if (seen[node])
        continue;
      seen[node] = true;
      work.insert(work.end(), next[node].begin(), next[node].end());
    }
    for (NodeId node = firstLocation; node < all.nodes(); ++node)
      if (!seen[node])
        result_.unreachable.push_back(node - firstLocation);
  }

  void decide() {
    budget_.report("preparation");
    Flow flow = makeFlow(*running_, FlowDetail::Needed, tables_);
    count(flow);
    if (!flow.reachesError())
      return safe();
    confirm();
    if (statedSuffice(flow))
      return;
    useStated(flow);
    if (options_.expect == SequentialOptions::Expect::Unsafe && foundShortPath(flow))
      return;
    if (options_.boxes == SequentialOptions::Boxes::Off || !decideWithBoxes(flow))
      decideExactly(flow);
  }

  void confirm() {
    if (options_.stated.empty())
      return;
    budget_.report("stated invariants");
    result_.confirmed =
        confirmStated(makeFlow(*running_, FlowDetail::All, tables_), options_.stated, budget_);
    logic::TermPool &pool = *running_->pool;
    for (size_t i = 0; i < options_.stated.size(); ++i)
      if (result_.confirmed[i]) {
        Term &known =
            stated_.try_emplace(firstLocation + options_.stated[i].location, pool.boolean(true))
                .first->second;
        known = pool.conjunction({known, options_.stated[i].formula});
      }
  }

  /// True if the stated invariants prove everything; then the answer is safe.
  bool statedSuffice(const Flow &flow) {
    if (stated_.empty())
      return false;
    Flow all = makeFlow(*running_, FlowDetail::All, tables_);
    CutInvariants invariants = stated_;
    for (NodeId node : cutsOf(all))
      if (node >= firstLocation)
        invariants.try_emplace(node, running_->pool->boolean(true));
    if (recheck(std::move(all), invariants, budget_))
      return false;
    keep(flow, invariants);
    safe();
    return true;
  }

  /// States what is confirmed as known, where its variables are live.
  void useStated(Flow &flow) const {
    for (const auto &[node, formula] : stated_) {
      const auto uses = logic::variablesOf(formula);
      bool live = std::all_of(uses.begin(), uses.end(), [&](const logic::VariableUse &use) {
        const auto &variables = flow.live[node];
        return std::binary_search(variables.begin(), variables.end(),
                                  flow.indexOf.at(use.variable));
      });
      if (!live || flow.out[node].empty())
        continue;
      Hint &hint = flow.hints.try_emplace(node, Hint{flow.pool().boolean(true), {}}).first->second;
      hint.formula = flow.pool().conjunction({hint.formula, formula});
    }
  }

  void count(const Flow &flow) {
    const Flow stretches = withCuts(flow, stretchHeads(flow));
    for (NodeId node : cutsOf(stretches)) {
      ++result_.statistics.locations;
      result_.statistics.edges += nextCuts(stretches, node).size();
    }
  }

  /// False: the boxes are of no use.
  bool decideWithBoxes(const Flow &flow) {
    budget_.report("boxes");
    auto boxes = computeBoxes(flow, budget_);
    if (!boxes)
      return false;
    Filter filter = filterOf(flow, *boxes);
    if (boxes->excludesError) {
      if (!holds(filter))
        return false;
      keep(flow, filter.known);
      safe();
      return true;
    }
    if (failsAlongBoxes(flow, *boxes))
      return true;
    auto addHints = [&](Flow &to) {
      for (const auto &[node, formula] : filter.known)
        if (!to.out[node].empty())
          to.hints[node] = hintFor(to, flow, *boxes, node);
      useStated(to);
    };
    Flow rest = makeFlow(*running_, FlowDetail::Needed, tables_, filter.remaining);
    if (failsOnWalk(flow, rest, *boxes))
      return true;
    addHints(rest);
    return decideRest(flow, rest, filter, addHints);
  }

  /// Is one of the paths that the boxes suggest one of the program?
  bool failsAlongBoxes(const Flow &flow, const Boxes &boxes) {
    constexpr size_t attempts = 1;
    budget_.report("paths through boxes");
    Flow hinted = flow;
    for (size_t i = 0; i < std::min(attempts, boxes.failures.size()); ++i) {
      std::vector<uint32_t> edges = pathTo(flow, boxes, boxes.failures[i]);
      for (uint32_t e : edges)
        if (NodeId node = flow.edges[e].target; node != errorNode)
          hinted.hints[node] = hintFor(flow, flow, boxes, node);
      Unroller unroller(hinted);
      auto end = unroller.follow(unroller.start(entryNode), edges);
      if (!end)
        continue;
      auto model = solveApart(flow.pool(), unroller.conditions(*end), budget_);
      if (!model)
        continue;
      if (isUnsafe(flow, unroller.path(*end, *model)))
        return true;
    }
    return false;
  }

  /// Does a walk through the boxes from which the error seems reachable lead to it?
  bool failsOnWalk(const Flow &flow, const Flow &rest, const Boxes &boxes) {
    budget_.report("walk");
    Boxes near = towardsError(flow, boxes);
    // The further a hop sees, the nearer the error that is found: in small programs, from loop head
    // to loop head.
    constexpr auto few = 150;
    bool small = std::count_if(rest.out.begin(), rest.out.end(),
                               [](const auto &edges) { return !edges.empty(); }) <= few;
    CutInvariants allowed;
    for (NodeId node : stretchHeads(flow))
      if (!rest.out[node].empty() && (!small || flow.cut[node]))
        allowed[node] = hintFor(rest, flow, near, node).formula;
    auto path = walk(rest, allowed, budget_);
    return path && isUnsafe(rest, *path);
  }

  bool holds(const Filter &filter) {
    budget_.report("re-check of boxes");
    return !recheck(makeFlow(*running_, FlowDetail::All, tables_, filter.obligations), filter.known,
                    budget_);
  }

  /// The exact engines on what the boxes leave. False: the boxes do not pass their re-check.
  template <typename AddHints>
  bool decideRest(const Flow &flow, const Flow &rest, const Filter &filter, AddHints addHints) {
    Proof found = exactProof(rest, headsIn(rest, filter.known));
    if (!std::holds_alternative<CutInvariants>(found)) {
      conclude(rest, found);
      return true;
    }
    if (!holds(filter))
      return false;
    auto &invariants = std::get<CutInvariants>(found);
    // Where the rest does not go, the boxes are enough; stated invariants lead from loop head to
    // loop head.
    for (const auto &[node, formula] : filter.known)
      if (rest.out[node].empty() && (stated_.empty() || flow.cut[node]))
        invariants.try_emplace(node, running_->pool->boolean(true));
    Flow all = makeFlow(*running_, FlowDetail::All, tables_, filter.remaining);
    addHints(all);
    budget_.report("re-check");
    if (auto reason = recheck(std::move(all), invariants, budget_)) {
      unknown(*reason);
      return true;
    }
    for (auto &[node, formula] : invariants)
      for (const CutInvariants *more :
           std::initializer_list<const CutInvariants *>{&filter.known, &stated_})
        if (auto known = more->find(node); known != more->end())
          formula = running_->pool->conjunction({known->second, formula});
    keep(flow, invariants);
    safe();
    return true;
  }

  static std::vector<NodeId> headsIn(const Flow &rest, const CutInvariants &known) {
    std::vector<NodeId> result;
    for (const auto &[node, formula] : known)
      if (!rest.out[node].empty())
        result.push_back(node);
    return result;
  }

  /// Invariants (none for programs without loops), or a path to the error.
  using Proof = std::variant<CutInvariants, FlowPath, Undecided>;

  Proof exactProof(const Flow &flow, const std::vector<NodeId> &heads) {
    auto cuts = cutsOf(flow);
    bool loops = std::any_of(cuts.begin(), cuts.end(), [&](NodeId node) {
      return node >= firstLocation && !flow.out[node].empty();
    });
    if (loops)
      return hornProof(flow, heads);
    budget_.report("loop-free");
    PathSearch found = findPath(flow, 1, budget_);
    if (auto *path = std::get_if<FlowPath>(&found))
      return *path;
    if (auto *undecided = std::get_if<Undecided>(&found))
      return *undecided;
    return CutInvariants{};
  }

  /// Many small clauses are easier as a rule; where Spacer gives up, few large ones are tried.
  Proof hornProof(const Flow &flow, const std::vector<NodeId> &heads) {
    constexpr uint64_t few = 20'000'000;
    if (stated_.empty()) { // these lead from loop head to loop head
      HornResult found = solveHorn(flow, heads, few, budget_);
      if (!std::holds_alternative<Undecided>(found) || budget_.exhausted())
        return found;
    }
    return solveHorn(flow, {}, 0, budget_);
  }

  void decideExactly(const Flow &flow) {
    Proof found = exactProof(flow, stretchHeads(flow));
    auto *invariants = std::get_if<CutInvariants>(&found);
    if (!invariants)
      return conclude(flow, found);
    for (auto &[node, formula] : *invariants)
      if (auto known = stated_.find(node); known != stated_.end())
        formula = running_->pool->conjunction({known->second, formula});
    budget_.report("re-check");
    if (auto reason = recheck(makeFlow(*running_, FlowDetail::All, tables_), *invariants, budget_))
      return unknown(*reason);
    keep(flow, *invariants);
    safe();
  }

  void keep(const Flow &flow, const CutInvariants &invariants) {
    for (const auto &[node, formula] : invariants)
      (flow.cut[node] ? result_.invariants : result_.between)
          .push_back({node - firstLocation, logic::simplify(formula)});
  }

  /// The execution along the path, with small numbers if somebody is going to read it.
  TraceResult told(const Flow &flow, const FlowPath &path) {
    if (options_.expect == SequentialOptions::Expect::Safe) {
      TraceResult pretty = traceOf(flow, withSmallNumbers(flow, path, budget_), budget_);
      if (std::holds_alternative<Trace>(pretty))
        return pretty;
    }
    return traceOf(flow, path, budget_);
  }

  /// True if the path is an execution; then it is the verdict.
  bool isUnsafe(const Flow &flow, const FlowPath &path) {
    TraceResult found = told(flow, path);
    auto *trace = std::get_if<Trace>(&found);
    if (trace)
      unsafe(std::move(*trace));
    return trace != nullptr;
  }

  /// Precondition: a path or undecided.
  void conclude(const Flow &flow, const Proof &found) {
    if (auto *undecided = std::get_if<Undecided>(&found))
      return unknown(undecided->reason);
    budget_.report("counterexample");
    TraceResult trace = told(flow, std::get<FlowPath>(found));
    if (auto *undecided = std::get_if<Undecided>(&trace))
      return unknown(undecided->reason);
    unsafe(std::get<Trace>(std::move(trace)));
  }
};

} // namespace

SequentialResult verifySequential(const Program &program, const SequentialOptions &options) {
  return SequentialRun(program, options).run();
}

} // namespace understudy::compose::sequential
