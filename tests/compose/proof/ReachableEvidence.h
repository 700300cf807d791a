// SPDX-License-Identifier: Apache-2.0
//
// The reachable states of a small program, by the reference interpreter, as evidence: a proof
// exactly if nothing goes wrong.
#pragma once

#include "compose/Interpreter.h"
#include "compose/proof/Evidence.h"
#include "logic/smtlib/SmtLib.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace understudy::tests {

using compose::Configuration;
using compose::Edge;
using compose::Fork;
using compose::Interpreter;
using compose::Join;
using compose::LocationId;
using compose::Program;
using compose::Start;
using compose::Step;
using compose::Template;
using compose::TemplateId;
using compose::Term;
using compose::Thread;
using compose::ThreadCounts;
using compose::Value;
using compose::Variable;
using compose::proof::CountingEvidence;

/// The states, each thread list sorted and without ids, and whether something goes wrong.
struct Explored {
  std::vector<Configuration> states;
  bool wrong = false;
};

using Key = std::pair<std::vector<Value>, std::vector<Thread>>;

inline Key keyOf(Configuration state) {
  for (Thread &thread : state.threads) {
    thread.number = 0;
    thread.id.reset();
  }
  std::sort(state.threads.begin(), state.threads.end(), [](const Thread &a, const Thread &b) {
    return std::tie(a.thread, a.location, a.locals) < std::tie(b.thread, b.location, b.locals);
  });
  return {state.globals, state.threads};
}

inline std::optional<Explored> explore(const Program &program, const ThreadCounts &counts,
                                       size_t maxStates) {
  Interpreter interpreter(program);
  Explored result;
  std::map<std::vector<Value>, std::vector<std::vector<Thread>>> seen;
  auto add = [&](const Configuration &state) {
    auto [globals, threads] = keyOf(state);
    auto &known = seen[globals];
    if (std::find(known.begin(), known.end(), threads) != known.end())
      return;
    known.push_back(threads);
    result.states.push_back(state);
    result.wrong = result.wrong || interpreter.stateFailure(state);
  };
  for (const Configuration &start : interpreter.starts(counts))
    add(start);
  for (size_t i = 0; i < result.states.size(); ++i) {
    if (result.states.size() > maxStates)
      return std::nullopt;
    Configuration state = result.states[i];
    for (const Step &step : interpreter.steps(state))
      if (interpreter.stepFailure(state, step))
        result.wrong = true;
      else
        add(step.after);
  }
  return result;
}

inline bool isSingle(const Program &program, TemplateId id) {
  uint64_t started = 0;
  for (const Start &start : program.starts)
    if (start.thread == id) {
      if (start.unbounded)
        return false;
      started += start.count;
    }
  for (const Template &thread : program.templates)
    for (const Edge &edge : thread.edges) {
      const auto *fork = std::get_if<Fork>(&edge.action);
      const auto *join = std::get_if<Join>(&edge.action);
      if ((fork && fork->thread == id) || (join && !join->id))
        return false;
    }
  return started == 1;
}

enum class Follow { Singles, Nobody };

inline CountingEvidence evidenceFor(const Program &program,
                                    const std::vector<Configuration> &states, Follow follow) {
  CountingEvidence evidence;
  for (TemplateId id = 0; id < program.templates.size(); ++id)
    if (follow == Follow::Singles && isSingle(program, id))
      evidence.singles.push_back(id);
  auto isFollowed = [&](const Thread &thread) {
    return std::find(evidence.singles.begin(), evidence.singles.end(), thread.thread) !=
           evidence.singles.end();
  };
  auto crowdOf = [&](const Thread &thread) {
    return std::find_if(evidence.crowds.begin(), evidence.crowds.end(), [&](const auto &crowd) {
      return crowd.thread == thread.thread && crowd.location == thread.location &&
             crowd.locals == thread.locals;
    });
  };
  for (const Configuration &state : states)
    for (const Thread &thread : state.threads)
      if (!isFollowed(thread) && crowdOf(thread) == evidence.crowds.end())
        evidence.crowds.push_back({thread.thread, thread.location, thread.locals});
  std::vector<Variable> counts = countVariables(program, evidence.crowds);
  logic::TermPool &pool = *program.pool;
  std::map<std::vector<LocationId>, std::vector<Term>> formulas;
  for (const Configuration &state : states) {
    std::vector<LocationId> control(evidence.singles.size());
    std::vector<int64_t> numbers(counts.size());
    std::vector<Term> parts;
    auto equate = [&](Variable variable, const Value &value) {
      parts.push_back(pool.equal(pool.var(variable), logic::termOf(pool, value, variable.sort())));
    };
    for (size_t i = 0; i < program.globals.size(); ++i)
      equate(program.globals[i], state.globals[i]);
    for (const Thread &thread : state.threads)
      if (isFollowed(thread)) {
        auto single = std::find(evidence.singles.begin(), evidence.singles.end(), thread.thread);
        control[static_cast<size_t>(single - evidence.singles.begin())] = thread.location;
        for (size_t i = 0; i < thread.locals.size(); ++i)
          equate(program.templates[thread.thread].locals[i], thread.locals[i]);
      } else {
        ++numbers[static_cast<size_t>(crowdOf(thread) - evidence.crowds.begin())];
      }
    for (size_t i = 0; i < counts.size(); ++i)
      parts.push_back(pool.equal(pool.var(counts[i]), pool.integer(numbers[i])));
    formulas[control].push_back(pool.conjunction(parts));
  }
  for (const auto &[control, ways] : formulas)
    evidence.invariants.push_back({control, logic::smtlib::smtLib(pool.disjunction(ways))});
  return evidence;
}

/// Joins by id are over-approximated: what does not hold there may still be true.
inline bool joinsById(const Program &program) {
  for (const Template &thread : program.templates)
    for (const Edge &edge : thread.edges) {
      const auto *join = std::get_if<Join>(&edge.action);
      const auto *fork = std::get_if<Fork>(&edge.action);
      if ((join && join->id) || (fork && fork->result))
        return true;
    }
  return false;
}

inline bool hasArrays(const Program &program) {
  return std::any_of(program.globals.begin(), program.globals.end(),
                     [](Variable global) { return global.sort().isArray(); });
}

} // namespace understudy::tests
