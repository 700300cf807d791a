// SPDX-License-Identifier: Apache-2.0
//
// The vacuity report.
//
// The problem: a contract with states and edges that the code never uses says less than it seems
// to. The idea: a second checker goes wrong where a *wanted* part of the contract is used. Each
// trace that the engine finds shows some parts in use, which are then no longer wanted; when the
// engine proves that none of the wanted parts is ever used, these are reported. So every item of
// the report is proved, and every part that is not reported was seen in use. Parts that are far
// from the initial states are wanted first: a trace that leads there uses much on its way.
#include "passes/checker/Vacuity.h"

#include "passes/checker/CheckerProgram.h"
#include "passes/checker/Claims.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::passes::checker {

namespace {

constexpr size_t maxRounds = 100;
constexpr size_t maxEdges = 2000; ///< of the checker's program: beyond, the search takes too long

class Search {
public:
  Search(System &system, const Machine &machine,
         const compose::sequential::SequentialOptions &options)
      : machine_(machine), options_(options), lowered_(system.lower(*machine.binding)),
        checker_(instrument(lowered_, machine, system.binding(), Coverage::Goals)),
        program_(encodeChecker(checker_, lowered_, system.binding(), system.contract().program.pool,
                               machine.binding->name, system.sources())),
        contract_(system.contract().program) {
    options_.expect = compose::sequential::SequentialOptions::Expect::Unsafe;
    chooseGoals();
  }

  std::optional<Vacuity> run() {
    if (program_.encoded.thread.edges.size() > maxEdges)
      return std::nullopt;
    for (size_t round = 0; !open_.empty(); ++round) {
      if (round == maxRounds)
        return std::nullopt;
      std::set<size_t> wanted = farthest();
      want(wanted);
      compose::sequential::SequentialResult found =
          compose::sequential::verifySequential(program_.program, program_.with(options_));
      if (found.verdict.answer == compose::Answer::Unknown)
        return std::nullopt;
      if (found.verdict.answer == compose::Answer::Unsafe && !dropUsed(*found.verdict.trace))
        return std::nullopt;
      if (found.verdict.answer == compose::Answer::Safe)
        for (size_t goal : wanted) {
          open_.erase(goal);
          unused_.insert(goal);
        }
    }
    return report();
  }

private:
  const Machine &machine_;
  compose::sequential::SequentialOptions options_;
  lower::Lowered lowered_;
  Checker checker_;
  CheckerProgram program_;
  const compose::Program &contract_;
  std::map<size_t, size_t> distances_; ///< by goal
  std::set<size_t> open_;
  std::set<size_t> unused_; ///< proved

  const compose::Template &thread() const { return machine_.thread(); }
  const Goals &goals() const { return checker_.goals; }

  bool isState(size_t location) const {
    const compose::Location &state = thread().locations[location];
    return !state.hidden && state.kind != compose::LocationKind::Error;
  }

  bool hasMarker(const std::string &state) const {
    return std::any_of(lowered_.places.begin(), lowered_.places.end(),
                       [&](const lower::Place &place) {
                         return place.kind == lower::PlaceKind::Marker && place.detail == state;
                       });
  }

  std::vector<Unused> claimsOf(size_t state) const {
    return claimsAt(contract_, {machine_.binding->id, static_cast<compose::LocationId>(state)});
  }

  /// How many moves of the contract lead to each state, at least.
  std::vector<size_t> stateDistances() const {
    std::vector<size_t> distances(goals().states, goals().states);
    std::vector<compose::LocationId> work(thread().initials);
    for (compose::LocationId initial : work)
      distances[initial] = 0;
    for (size_t i = 0; i < work.size(); ++i)
      for (const compose::Edge &edge : thread().edges)
        if (edge.source == work[i] && distances[edge.target] == goals().states) {
          distances[edge.target] = distances[work[i]] + 1;
          work.push_back(edge.target);
        }
    return distances;
  }

  void chooseGoals() {
    std::vector<size_t> distances = stateDistances();
    for (size_t i = 0; i < goals().states; ++i) {
      if (!isState(i))
        continue;
      distances_[goals().state(i)] = distances[i];
      if (!claimsOf(i).empty() && !hasMarker(thread().locations[i].name))
        distances_[goals().claim(i)] = distances[i];
    }
    for (const MachineEdge &edge : machine_.edges)
      distances_[goals().edge(edge.edge)] = distances[thread().edges[edge.edge].source] + 1;
    for (const auto &[goal, distance] : distances_)
      open_.insert(goal);
  }

  std::set<size_t> farthest() const {
    size_t most = 0;
    for (size_t goal : open_)
      most = std::max(most, distances_.at(goal));
    std::set<size_t> result;
    for (size_t goal : open_)
      if (distances_.at(goal) == most)
        result.insert(goal);
    return result;
  }

  compose::Variable memory(const llvm::GlobalVariable *global) const {
    auto found = program_.encoded.memory.find(global->getName().str());
    return found == program_.encoded.memory.end() ? compose::Variable{} : found->second.front();
  }

  void want(const std::set<size_t> &wanted) {
    logic::TermPool &pool = *program_.program.pool;
    std::vector<Term> choice;
    for (size_t i = 0; i < goals().count(); ++i)
      if (compose::Variable variable = memory(goals().wanted[i])) {
        Term value = pool.var(variable);
        choice.push_back(wanted.contains(i) ? value : pool.negate(value));
      }
    program_.program.templates[0].initial = pool.conjunction(std::move(choice));
  }

  /// Every configuration of the trace shows what its step used. False if it shows nothing new.
  bool dropUsed(const compose::Trace &trace) {
    size_t before = open_.size();
    const auto &locals = program_.encoded.thread.locals;
    for (size_t goal = 0; goal < goals().count(); ++goal) {
      auto index = static_cast<size_t>(
          std::find(locals.begin(), locals.end(), memory(goals().hit[goal])) - locals.begin());
      if (index == locals.size() || !open_.contains(goal))
        continue;
      for (const compose::Step &step : trace.steps)
        if (step.after.threads.front().locals[index].number() != 0 && isStepEnd(step.edge))
          open_.erase(goal);
    }
    return open_.size() < before;
  }

  /// What was hit is known only where the step has been taken.
  bool isStepEnd(compose::EdgeId edge) const {
    const auto &place = program_.encoded.places[edge];
    return place && *place != checker_.othersMoved;
  }

  std::optional<Vacuity> report() const {
    Vacuity result;
    for (size_t i = 0; i < goals().states; ++i) {
      const compose::Location &state = thread().locations[i];
      if (unused_.contains(goals().state(i)))
        result.states.push_back({state.name, state.range});
      else if (unused_.contains(goals().claim(i)))
        for (Unused &claim : claimsOf(i)) {
          claim.text += " in state " + state.name;
          result.claims.push_back(std::move(claim));
        }
    }
    for (size_t i = 0; i < goals().edges; ++i) {
      const compose::Edge &edge = thread().edges[i];
      if (!unused_.contains(goals().edge(i)))
        continue;
      bool reachable = !unused_.contains(goals().state(edge.source));
      (reachable ? result.guards : result.edges)
          .push_back({thread().locations[edge.source].name + " " + edge.text, edge.range});
    }
    result.claimsNothing = isSilent(lowered_);
    return result;
  }
};

} // namespace

std::optional<Vacuity> findVacuity(System &system, const Machine &machine,
                                   const compose::sequential::SequentialOptions &options) {
  return Search(system, machine, options).run();
}

} // namespace understudy::passes::checker
