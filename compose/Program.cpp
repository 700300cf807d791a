// SPDX-License-Identifier: Apache-2.0
#include "compose/Program.h"

#include "logic/VariableTable.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

namespace understudy::compose {

std::vector<EdgeId> Template::edgesFrom(LocationId source) const {
  std::vector<EdgeId> result;
  for (EdgeId id = 0; id < edges.size(); ++id)
    if (edges[id].source == source)
      result.push_back(id);
  return result;
}

std::optional<TemplateId> Program::templateNamed(const std::string &wanted) const {
  for (TemplateId id = 0; id < templates.size(); ++id)
    if (templates[id].name == wanted)
      return id;
  return std::nullopt;
}

bool Program::isMutexFlag(Variable variable) const {
  return std::any_of(mutexes.begin(), mutexes.end(), [&](const Mutex &m) {
    return variable == m.locked ||
           (!variable.scope().empty() && variable.name() == heldName(m.name));
  });
}

std::string heldName(const std::string &mutex) { return "held(" + mutex + ")"; }

namespace {

using Variables = std::unordered_set<Variable>;

/// One pass over a program; `where_` names the part at hand for the message.
class WellFormed {
public:
  explicit WellFormed(const Program &program)
      : program_(program), globals_(program.globals.begin(), program.globals.end()) {}

  void check() {
    require(program_.pool != nullptr, "no term pool");
    require(globals_.size() == program_.globals.size(), "a global occurs twice");
    for (const Variable &v : program_.globals)
      require(v.scope().empty(), "global '" + v.fullName() + "' has a scope");
    checkMutexes();
    where_ = "initial condition";
    checkState(program_.initial, globals_);
    for (const Claim &claim : program_.invariants) {
      where_ = "invariant '" + claim.text + "'";
      checkState(claim.formula, globals_);
    }
    for (const Template &thread : program_.templates)
      checkTemplate(thread);
    checkStarts();
    checkExclusions();
  }

private:
  const Program &program_;
  Variables globals_;
  logic::VariableTable variables_;
  std::string where_ = "program";

  void require(bool condition, const std::string &what) const {
    if (!condition)
      throw std::logic_error("ill-formed program: " + where_ + ": " + what);
  }

  void checkVariables(Term term, const Variables &before, const Variables &after) {
    for (const auto &[variable, primed] : variables_.of(term))
      require((primed ? after : before).contains(variable),
              "'" + variable.fullName() + (primed ? "'" : "") + "' does not belong here");
  }

  void checkState(Term formula, const Variables &variables) {
    require(static_cast<bool>(formula) && formula.sort().isBool(), "no formula");
    checkVariables(formula, variables, {});
  }

  void checkMutexes() {
    for (const Mutex &mutex : program_.mutexes) {
      where_ = "mutex '" + mutex.name + "'";
      require(globals_.contains(mutex.locked) && mutex.locked.sort().isBool(), "no flag");
    }
  }

  void checkTemplate(const Template &thread) {
    where_ = "template '" + thread.name + "'";
    require(program_.templateNamed(thread.name) ==
                static_cast<TemplateId>(&thread - program_.templates.data()),
            "its name occurs twice");
    Variables visible(thread.locals.begin(), thread.locals.end());
    require(visible.size() == thread.locals.size(), "a local occurs twice");
    for (const Variable &v : thread.locals)
      require(v.scope() == thread.name, "local '" + v.fullName() + "' belongs to another");
    require(
        thread.parameters.size() <= thread.locals.size() &&
            std::equal(thread.parameters.begin(), thread.parameters.end(), thread.locals.begin()),
        "the parameters are not the first locals");
    visible.insert(globals_.begin(), globals_.end());
    checkState(thread.initial, visible);
    require(!thread.initials.empty(), "no initial location");
    for (LocationId id : thread.initials)
      require(id < thread.locations.size(), "initial location out of range");
    for (const Location &location : thread.locations)
      checkLocation(thread, location);
    for (const Edge &edge : thread.edges)
      checkEdge(thread, edge, visible);
  }

  void checkLocation(const Template &thread, const Location &location) {
    where_ = "location '" + thread.name + "." + location.name + "'";
    if (location.waiting)
      require(location.waiting->cond < program_.conditions.size() &&
                  location.waiting->wakesTo < thread.locations.size(),
              "waiting out of range");
    for (const Claim &rely : location.relies) {
      require(static_cast<bool>(rely.formula) && rely.formula.sort().isBool(), "no rely");
      checkVariables(rely.formula, globals_, globals_);
    }
  }

  void checkEdge(const Template &thread, const Edge &edge, const Variables &visible) {
    where_ = "edge '" + edge.text + "' of '" + thread.name + "' (" + edge.range.text() + ")";
    require(edge.source < thread.locations.size() && edge.target < thread.locations.size(),
            "location out of range");
    require(thread.locations[edge.source].kind != LocationKind::Error, "leaves an error location");
    bool fails = thread.locations[edge.target].kind == LocationKind::Error;
    require(fails == edge.failure.has_value(), "failure and error location disagree");
    require(std::is_sorted(edge.modified.begin(), edge.modified.end()) &&
                std::adjacent_find(edge.modified.begin(), edge.modified.end()) ==
                    edge.modified.end(),
            "modified variables are not sorted");
    Variables after(edge.modified.begin(), edge.modified.end());
    for (const Variable &v : after)
      require(visible.contains(v), "modifies '" + v.fullName() + "', which it cannot see");
    require(static_cast<bool>(edge.relation) && edge.relation.sort().isBool(), "no relation");
    checkVariables(edge.relation, visible, after);
    checkAction(edge, visible, after);
  }

  void checkAction(const Edge &edge, const Variables &visible, const Variables &after) {
    auto term = [&](Term t) {
      require(static_cast<bool>(t) && t.sort().isInteger(), "thread id is not an integer");
      checkVariables(t, visible, {});
    };
    if (const auto *fork = std::get_if<Fork>(&edge.action))
      checkFork(*fork, visible, after);
    if (const auto *join = std::get_if<Join>(&edge.action)) {
      require(!join->thread || *join->thread < program_.templates.size(), "joins nobody");
      if (join->id)
        term(*join->id);
    }
    if (const auto *fork = std::get_if<Fork>(&edge.action); fork && fork->id)
      term(*fork->id);
    if (const auto *lock = std::get_if<LockMutex>(&edge.action))
      require(lock->mutex < program_.mutexes.size(), "unknown mutex");
    if (const auto *unlock = std::get_if<UnlockMutex>(&edge.action))
      require(unlock->mutex < program_.mutexes.size(), "unknown mutex");
    if (const auto *wait = std::get_if<WaitCond>(&edge.action))
      require(wait->cond < program_.conditions.size() &&
                  wait->mutex.value_or(0) < std::max<size_t>(program_.mutexes.size(), 1),
              "unknown condition or mutex");
    if (const auto *signal = std::get_if<SignalCond>(&edge.action))
      require(signal->cond < program_.conditions.size(), "unknown condition");
    if (const auto *broadcast = std::get_if<BroadcastCond>(&edge.action))
      require(broadcast->cond < program_.conditions.size(), "unknown condition");
  }

  void checkFork(const Fork &fork, const Variables &visible, const Variables &after) {
    require(fork.thread < program_.templates.size(), "forks nobody");
    const Template &thread = program_.templates[fork.thread];
    require(fork.arguments.size() == thread.parameters.size(), "wrong number of arguments");
    for (size_t i = 0; i < fork.arguments.size(); ++i) {
      Sort parameter = thread.parameters[i].sort();
      Sort argument = fork.arguments[i].sort();
      require(parameter == argument || (parameter.isInteger() && argument.isInteger()),
              "argument of another sort");
      checkVariables(fork.arguments[i], visible, {});
    }
    if (fork.result)
      require(after.contains(*fork.result) && fork.result->sort().isInteger(),
              "the result is not among the modified variables");
  }

  using Sort = logic::Sort;

  void checkStarts() {
    where_ = "start";
    for (const Start &start : program_.starts) {
      require(start.thread < program_.templates.size(), "unknown template");
      require(program_.templates[start.thread].parameters.empty(), "a parameter has no value");
      require(!start.unbounded || start.count == 0, "both counted and unbounded");
    }
  }

  void checkExclusions() {
    for (const Exclusion &exclusion : program_.exclusions) {
      where_ = "exclusion '" + exclusion.text + "'";
      for (const Place &place : {exclusion.first, exclusion.second})
        require(place.thread < program_.templates.size() &&
                    place.location < program_.templates[place.thread].locations.size(),
                "unknown place");
    }
  }
};

} // namespace

void checkWellFormed(const Program &program) { WellFormed(program).check(); }

} // namespace understudy::compose
