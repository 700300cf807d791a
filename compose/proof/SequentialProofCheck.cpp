// SPDX-License-Identifier: Apache-2.0
//
// The problem: do invariants at some locations prove a program of one thread safe? The idea: cut
// the program at these locations, so that no loop remains. From every cut, all that can happen
// until the next cut or an error is one formula: a Boolean for each edge ("it is taken"), values
// that an edge changes are new variables, and where paths meet, values that differ are equated with
// those of the edge taken. It must exclude every error and every arrival outside the next
// invariant.
//
// The invariant: an execution from cut to cut satisfies the formula; and a solution in which an
// edge is taken is such an execution, found by going back along the edges taken.
//
// Locations from which no error can be reached in the graph are left out. Loops that remain without
// an invariant are cut, too, and nothing is known there; or the edge that closes the loop must be
// impossible, if it looks like it.
#include "compose/proof/SequentialProofCheck.h"

#include "compose/proof/ObligationText.h"
#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::compose::proof {

namespace {

const Start &onlyStart(const Program &program) {
  if (program.starts.size() != 1 || program.starts[0].unbounded || program.starts[0].count != 1)
    throw logic::Unsupported("a sequential proof is about exactly one thread");
  if (!program.invariants.empty())
    throw logic::Unsupported("a sequential proof does not cover invariants of a program");
  for (const Edge &edge : program.templates[program.starts[0].thread].edges)
    if (std::holds_alternative<Fork>(edge.action) || std::holds_alternative<Join>(edge.action))
      throw logic::Unsupported("a sequential proof does not cover fork and join", edge.range);
  return program.starts[0];
}

class SequentialScript {
public:
  SequentialScript(const Program &program, const SequentialEvidence &evidence)
      : program_(program), thread_(program.templates[onlyStart(program).thread]),
        evidence_(evidence), text_(*program.pool) {
    variables_ = program.globals;
    variables_.insert(variables_.end(), thread_.locals.begin(), thread_.locals.end());
    for (size_t i = 0; i < variables_.size(); ++i)
      indexOf_[variables_[i]] = i;
  }

  ObligationScript run() {
    readInvariants();
    findRelevant();
    cutLoops();
    script_.preamble = preamble();
    for (LocationId initial : thread_.initials)
      addStart(initial);
    for (const auto &[location, invariant] : cuts_)
      addCut(location, invariant);
    return std::move(script_);
  }

private:
  using Values = std::vector<Term>; ///< of the variables, in their order

  /// One way to come to a location.
  struct Arrival {
    Term taken;
    Values values;
    const Edge *edge = nullptr;
  };

  const Program &program_;
  const Template &thread_;
  const SequentialEvidence &evidence_;
  ObligationText text_;
  std::vector<Variable> variables_;
  std::map<Variable, size_t> indexOf_;
  std::vector<bool> relevant_;                       ///< an error can be reached in the graph
  std::map<LocationId, std::optional<size_t>> cuts_; ///< with invariant, or nothing is known there
  std::set<const Edge *> impossible_;                ///< to be shown; these close no loop
  ObligationScript script_;
  size_t fresh_ = 0;
  size_t number_ = 0;

  logic::TermPool &pool() const { return *program_.pool; }
  static std::string nameOf(size_t invariant) { return "inv!" + std::to_string(invariant); }
  std::string placeOf(LocationId location) const {
    return thread_.locations[location].name + placeNote(thread_.locations[location].range);
  }
  bool isError(const Edge &edge) const {
    return edge.failure || thread_.locations[edge.target].kind == LocationKind::Error;
  }

  // ---- the cuts

  void readInvariants() {
    for (size_t i = 0; i < evidence_.invariants.size(); ++i) {
      LocationId location = evidence_.invariants[i].location;
      if (location >= thread_.locations.size())
        throw InvalidEvidence("an invariant is at a place that the program does not have");
      if (!cuts_.emplace(location, i).second)
        throw InvalidEvidence("two invariants are given for " + placeOf(location));
    }
  }

  void findRelevant() {
    relevant_.assign(thread_.locations.size(), false);
    std::vector<std::vector<LocationId>> sources(thread_.locations.size());
    std::vector<LocationId> work;
    auto note = [&](LocationId location) {
      if (!relevant_[location])
        work.push_back(location);
      relevant_[location] = true;
    };
    for (const Edge &edge : thread_.edges)
      if (isError(edge))
        note(edge.source);
      else
        sources[edge.target].push_back(edge.source);
    while (!work.empty()) {
      LocationId location = work.back();
      work.pop_back();
      for (LocationId source : sources[location])
        note(source);
    }
    std::erase_if(cuts_, [&](const auto &cut) { return !relevant_[cut.first]; });
  }

  std::vector<const Edge *> edgesFrom(LocationId location) const {
    std::vector<const Edge *> result;
    for (EdgeId edge : thread_.edgesFrom(location))
      result.push_back(&thread_.edges[edge]);
    return result;
  }

  /// The edges that do not end the stretch.
  std::vector<const Edge *> inside(LocationId location) const {
    std::vector<const Edge *> result;
    for (const Edge *edge : edgesFrom(location))
      if (!isError(*edge) && relevant_[edge->target] && !cuts_.contains(edge->target) &&
          !impossible_.contains(edge))
        result.push_back(edge);
    return result;
  }

  /// Depth first from the start, then from what that does not reach; where an edge leads back to
  /// the path, the loop is cut.
  void cutLoops() {
    enum class Mark : uint8_t { New, OnPath, Done };
    std::vector<Mark> marks(thread_.locations.size(), Mark::New);
    std::vector<LocationId> roots = thread_.initials;
    for (LocationId location = 0; location < thread_.locations.size(); ++location)
      roots.push_back(location);
    for (LocationId root : roots) {
      std::vector<std::pair<LocationId, std::vector<const Edge *>>> path;
      auto enter = [&](LocationId location) {
        marks[location] = Mark::OnPath;
        path.emplace_back(location, inside(location));
      };
      if (marks[root] == Mark::New && relevant_[root])
        enter(root);
      while (!path.empty()) {
        auto &[location, next] = path.back();
        if (next.empty()) {
          marks[location] = Mark::Done;
          path.pop_back();
          continue;
        }
        const Edge *edge = next.back();
        const LocationId target = edge->target;
        next.pop_back();
        if (marks[target] == Mark::OnPath) {
          if (logic::simplify(edge->relation).isFalse())
            impossible_.insert(edge);
          else
            cuts_.emplace(target, std::nullopt);
        } else if (marks[target] == Mark::New && !cuts_.contains(target))
          enter(target);
      }
    }
  }

  // ---- stretches

  std::string preamble() {
    std::string text = "(set-logic ALL)\n";
    // Also where they are not needed: what is in a certificate makes sense.
    for (size_t i = 0; i < evidence_.invariants.size(); ++i)
      text += text_.define(nameOf(i), variables_, evidence_.invariants[i].formula,
                           "the invariant for " + placeOf(evidence_.invariants[i].location));
    for (Variable variable : variables_)
      text += text_.declare({variable, false});
    return text;
  }

  Values startValues() const {
    Values values;
    for (Variable variable : variables_)
      values.push_back(pool().var(variable));
    return values;
  }

  void addStart(LocationId initial) {
    if (!relevant_[initial])
      return;
    ObligationGroup group;
    group.text = text_.assertion(program_.initial) + text_.assertion(thread_.initial);
    std::string from = "from the initial state";
    if (cuts_.contains(initial))
      addArrival(group, from, initial, {pool().boolean(true), startValues(), nullptr});
    else
      addStretch(group, from, initial);
    keep(std::move(group));
  }

  void addCut(LocationId location, std::optional<size_t> invariant) {
    ObligationGroup group;
    if (invariant)
      group.text =
          ObligationText::assertion(ObligationText::application(nameOf(*invariant), startValues()));
    addStretch(group,
               (invariant ? "from the invariant at " : "from anything at ") + placeOf(location),
               location);
    keep(std::move(group));
  }

  void keep(ObligationGroup group) {
    if (!group.obligations.empty())
      script_.groups.push_back(std::move(group));
  }

  /// The locations between the cuts, sources of edges before targets.
  std::vector<LocationId> ordered(LocationId source) const {
    std::vector<LocationId> result;
    std::set<LocationId> seen;
    std::vector<std::pair<LocationId, std::vector<const Edge *>>> path{{source, inside(source)}};
    while (!path.empty()) {
      auto &[location, next] = path.back();
      if (next.empty()) {
        result.push_back(location);
        path.pop_back();
        continue;
      }
      const LocationId target = next.back()->target;
      next.pop_back();
      if (seen.insert(target).second)
        path.emplace_back(target, inside(target));
    }
    std::reverse(result.begin(), result.end());
    return result;
  }

  void addStretch(ObligationGroup &group, const std::string &from, LocationId source) {
    std::map<LocationId, std::vector<Arrival>> arrivals;
    arrivals[source].push_back({pool().boolean(true), startValues(), nullptr});
    for (LocationId location : ordered(source)) {
      Arrival here = merged(group, arrivals[location]);
      for (const Edge *edge : edgesFrom(location)) {
        if (!isError(*edge) && !relevant_[edge->target])
          continue;
        Arrival next = follow(group, here, *edge);
        if (isError(*edge))
          addGoal(group, "error", from + ", the step " + stepText(thread_, *edge) + " never fails",
                  text_.assertion(next.taken));
        else if (impossible_.contains(edge))
          addGoal(group, "step", from + ", the step " + stepText(thread_, *edge) + " is impossible",
                  text_.assertion(next.taken));
        else if (cuts_.contains(edge->target))
          addArrival(group, from, edge->target, next);
        else
          arrivals[edge->target].push_back(std::move(next));
      }
    }
  }

  void addGoal(ObligationGroup &group, const std::string &kind, const std::string &meaning,
               const std::string &goal) {
    group.obligations.push_back({kind + " " + std::to_string(++number_), meaning, goal});
  }

  void addArrival(ObligationGroup &group, const std::string &from, LocationId cut,
                  const Arrival &arrival) {
    auto invariant = cuts_.at(cut);
    if (!invariant)
      return;
    std::string goal =
        text_.assertion(arrival.taken) +
        ObligationText::assertion(
            "(not " + ObligationText::application(nameOf(*invariant), arrival.values) + ")");
    std::string step = arrival.edge ? ", the step " + stepText(thread_, *arrival.edge) : "";
    addGoal(group, "step", from + step + " leads to the invariant at " + placeOf(cut), goal);
  }

  Variable declareFresh(ObligationGroup &group, const std::string &scope, const std::string &name,
                        logic::Sort sort) {
    Variable variable = pool().variable(scope, name + "@" + std::to_string(++fresh_), sort);
    group.text += text_.declare({variable, false});
    return variable;
  }

  Arrival follow(ObligationGroup &group, const Arrival &here, const Edge &edge) {
    Arrival next{pool().var(declareFresh(group, "", "taken", pool().boolSort())), here.values,
                 &edge};
    for (Variable variable : edge.modified)
      next.values[indexOf_.at(variable)] =
          pool().var(declareFresh(group, variable.scope(), variable.name(), variable.sort()));
    Term relation = logic::substitute(edge.relation, [&](Variable variable, bool primed) {
      return (primed ? next.values : here.values)[indexOf_.at(variable)];
    });
    group.text +=
        text_.assertion(pool().implies(next.taken, pool().conjunction({here.taken, relation})));
    return next;
  }

  /// The state at a location where paths meet.
  Arrival merged(ObligationGroup &group, const std::vector<Arrival> &arrivals) {
    if (arrivals.size() == 1)
      return arrivals.front();
    Arrival result{pool().var(declareFresh(group, "", "here", pool().boolSort())),
                   arrivals.front().values, nullptr};
    std::vector<Term> ways;
    std::vector<std::vector<Term>> equations(arrivals.size());
    for (size_t i = 0; i < variables_.size(); ++i) {
      bool same = std::all_of(arrivals.begin(), arrivals.end(), [&](const Arrival &arrival) {
        return arrival.values[i] == result.values[i];
      });
      if (same)
        continue;
      result.values[i] = pool().var(
          declareFresh(group, variables_[i].scope(), variables_[i].name(), variables_[i].sort()));
      for (size_t a = 0; a < arrivals.size(); ++a)
        equations[a].push_back(pool().equal(result.values[i], arrivals[a].values[i]));
    }
    for (size_t a = 0; a < arrivals.size(); ++a) {
      equations[a].insert(equations[a].begin(), arrivals[a].taken);
      ways.push_back(pool().conjunction(std::move(equations[a])));
    }
    group.text += text_.assertion(pool().implies(result.taken, pool().disjunction(ways)));
    return result;
  }
};

} // namespace

ObligationScript sequentialObligations(const Program &program, const SequentialEvidence &evidence) {
  return SequentialScript(program, evidence).run();
}

} // namespace understudy::compose::proof
