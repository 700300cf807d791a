// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/ExplicitCheck.h"

#include "compose/Solutions.h"
#include "compose/proof/ObligationText.h"
#include "logic/Error.h"
#include "logic/Words.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace understudy::compose::proof {

namespace {

void append(std::string &key, const Value &value) {
  if (!value.isArray()) {
    key += std::to_string(value.number()) + ",";
    return;
  }
  key += "[" + std::to_string(value.array().rest);
  for (const auto &[index, element] : value.array().elements)
    key += ";" + std::to_string(index) + ":" + std::to_string(element);
  key += "],";
}

class StatesCheck {
public:
  StatesCheck(const Program &program, const ExplicitEvidence &evidence)
      : program_(program), evidence_(evidence), interpreter_(program), ids_(analyseIds(program)) {
    if (ids_.givesFresh && ids_.matters && !ids_.opaque)
      throw logic::Unsupported(
          "the program compares or computes with the ids that fork returns, so "
          "no finite set of ids is enough");
  }

  std::optional<std::string> run(const std::vector<ThreadCounts> &starts, DeadlockClaim deadlock) {
    if (auto misfit = firstMisfit())
      return misfit;
    for (const Configuration &state : evidence_.states)
      known_.insert(keyOf(state));
    for (const ThreadCounts &counts : starts)
      for (const Configuration &start : interpreter_.starts(counts))
        if (!known_.contains(keyOf(start)))
          return "an initial state is not listed: " + text(start);
    for (const Configuration &state : evidence_.states)
      if (auto fault = faultOf(numbered(state), deadlock))
        return fault;
    return std::nullopt;
  }

private:
  const Program &program_;
  const ExplicitEvidence &evidence_;
  Interpreter interpreter_;
  IdUse ids_;
  std::unordered_set<std::string> known_;

  /// States as they are read may be about another program.
  std::optional<std::string> firstMisfit() const {
    auto fit = [](const std::vector<Value> &values, const std::vector<Variable> &variables) {
      return std::equal(values.begin(), values.end(), variables.begin(), variables.end(),
                        [](const Value &value, Variable variable) {
                          logic::Sort sort = variable.sort();
                          return sort.isInteger() ? !value.isArray() : inSort(value, sort);
                        });
    };
    for (size_t i = 0; i < evidence_.states.size(); ++i) {
      const Configuration &state = evidence_.states[i];
      bool fits = fit(state.globals, program_.globals);
      for (const Thread &thread : state.threads)
        fits = fits && thread.thread < program_.templates.size() &&
               thread.location < program_.templates[thread.thread].locations.size() &&
               fit(thread.locals, program_.templates[thread.thread].locals);
      if (!fits)
        return "state " + std::to_string(i + 1) + " is not a state of the program";
    }
    return std::nullopt;
  }

  std::string keyOf(const Configuration &state) const {
    std::string key;
    for (const Value &value : state.globals)
      append(key, value);
    std::vector<std::string> threads;
    for (const Thread &thread : state.threads) {
      std::string one = "|" + std::to_string(thread.thread) + "." + std::to_string(thread.location);
      one += ids_.matters && thread.id ? "#" + std::to_string(*thread.id) + ":" : ":";
      for (const Value &value : thread.locals)
        append(one, value);
      threads.push_back(std::move(one));
    }
    std::sort(threads.begin(), threads.end());
    for (const std::string &thread : threads)
      key += thread;
    return key;
  }

  static Configuration numbered(Configuration state) {
    state.created = 0;
    for (Thread &thread : state.threads)
      thread.number = ++state.created;
    return state;
  }

  std::optional<std::string> faultOf(const Configuration &state, DeadlockClaim deadlock) const {
    if (auto failure = interpreter_.stateFailure(state))
      return "'" + failure->text + "'" + placeNote(failure->range) +
             " is violated in a listed state: " + text(state);
    if (deadlock == DeadlockClaim::Free && interpreter_.isDeadlock(state))
      return "no thread can move in a listed state: " + text(state);
    for (const Step &step : interpreter_.steps(state)) {
      const Edge &edge = program_.edge(step.templateId, step.edge);
      std::string words = "the step " + stepText(program_.templates[step.templateId], edge);
      if (auto failure = interpreter_.stepFailure(state, step))
        return words + " fails ('" + failure->text + "'" + placeNote(failure->range) +
               ") in a listed state: " + text(state);
      if (!known_.contains(keyOf(step.after)))
        return words + " leads from a listed state to one that is not: " + text(step.after);
    }
    return std::nullopt;
  }

  std::string text(const Configuration &state) const {
    std::string result;
    for (size_t i = 0; i < state.globals.size(); ++i)
      result += program_.globals[i].name() + " = " +
                logic::valueText(state.globals[i], program_.globals[i].sort()) + ", ";
    for (const Thread &thread : state.threads) {
      const Template &type = program_.templates[thread.thread];
      result += type.name + " in " + type.locations[thread.location].name + ", ";
    }
    return result.substr(0, result.size() - std::min<size_t>(2, result.size()));
  }
};

/// More threads can do all that fewer can, except get stuck: deadlock needs every number.
std::vector<ThreadCounts> countsToTry(const ThreadCounts &counts, DeadlockClaim deadlock) {
  std::vector<ThreadCounts> result{counts};
  if (deadlock == DeadlockClaim::None)
    return result;
  for (const auto &[thread, most] : counts) {
    std::vector<ThreadCounts> all;
    for (ThreadCounts one : result)
      for (uint32_t n = 0; n <= most; ++n) {
        one[thread] = n;
        all.push_back(one);
      }
    result = std::move(all);
  }
  return result;
}

/// Before starts are enumerated: is the list too short for the numbers of threads?
std::optional<std::string> missingNumbers(const Program &program, const ExplicitEvidence &evidence,
                                          const ThreadCounts &counts, DeadlockClaim deadlock) {
  uint64_t started = 0;
  for (const Start &start : program.starts)
    started += start.unbounded ? counts.at(start.thread) : start.count;
  constexpr uint64_t few = 100; // their starts can be listed, and say more
  if (started > few &&
      std::none_of(evidence.states.begin(), evidence.states.end(),
                   [&](const Configuration &state) { return state.threads.size() == started; }))
    return "an initial state is not listed: it has " + std::to_string(started) + " threads";
  uint64_t numbers = 1;
  for (const auto &[thread, most] : counts)
    if (deadlock == DeadlockClaim::Free && numbers <= evidence.states.size())
      numbers *= uint64_t(most) + 1;
  if (numbers > std::max<uint64_t>(evidence.states.size(), 1))
    return "the listed states cannot cover every number of threads";
  return std::nullopt;
}

} // namespace

std::optional<std::string> faultOfStates(const Program &program, const ExplicitEvidence &evidence,
                                         const ThreadCounts &counts, DeadlockClaim deadlock) {
  for (const Start &start : program.starts)
    if (start.unbounded && !counts.contains(start.thread))
      return "any number of " + program.templates[start.thread].name +
             " threads are started, but a list of states covers only a given number";
  if (auto missing = missingNumbers(program, evidence, counts, deadlock))
    return missing;
  return StatesCheck(program, evidence).run(countsToTry(counts, deadlock), deadlock);
}

std::string scopeText(const Program &program, const ThreadCounts &counts) {
  std::vector<std::string> parts;
  std::set<TemplateId> done;
  for (const auto &[thread, count] : counts)
    parts.push_back(std::to_string(count) + " or fewer " + program.templates[thread].name +
                    " threads");
  std::vector<std::string> open;
  for (const Start &start : program.starts)
    if (start.unbounded && !counts.contains(start.thread) && done.insert(start.thread).second)
      open.push_back(program.templates[start.thread].name);
  if (!open.empty())
    parts.push_back("any number of " + logic::joined(open, " and ") + " threads");
  return parts.empty() ? "" : "for " + logic::joined(parts, " and ");
}

} // namespace understudy::compose::proof
