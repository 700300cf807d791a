// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/ExplicitCheck.h"

#include "compose/Solutions.h"
#include "compose/proof/ObligationText.h"
#include "logic/Error.h"
#include "logic/Words.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
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

bool mentions(Term term, Variable variable) {
  auto uses = logic::variablesOf(term);
  return std::any_of(uses.begin(), uses.end(), [&](const logic::VariableUse &use) {
    return use.variable == variable && !use.primed;
  });
}

/// Does the edge look at the variable's value before the step?
bool looksAt(const Edge &edge, Variable variable) {
  std::vector<Term> terms{edge.relation};
  if (const auto *fork = std::get_if<Fork>(&edge.action)) {
    terms.insert(terms.end(), fork->arguments.begin(), fork->arguments.end());
    if (fork->id)
      terms.push_back(*fork->id);
  }
  if (const auto *join = std::get_if<Join>(&edge.action); join && join->id)
    terms.push_back(*join->id);
  return std::any_of(terms.begin(), terms.end(), [&](Term t) { return mentions(t, variable); });
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
    if (auto alive = firstAlive())
      return alive;
    if (auto wrong = firstWrongRenaming())
      return wrong;
    for (const Configuration &state : evidence_.states)
      known_.insert(keyOf(state));
    for (const ThreadCounts &counts : starts)
      for (const Configuration &start : interpreter_.starts(counts))
        if (!known_.contains(keyOf(start)))
          return "an initial state is not listed: " + text(start);
    for (uint32_t i = 0; i < evidence_.states.size(); ++i)
      if (auto fault = faultOf(i, numbered(evidence_.states[i]), deadlock))
        return fault;
    return std::nullopt;
  }

private:
  const Program &program_;
  const ExplicitEvidence &evidence_;
  Interpreter interpreter_;
  IdUse ids_;
  std::set<int64_t> fixed_; ///< ids that no renaming may touch
  std::set<std::tuple<TemplateId, LocationId, size_t>> dead_;
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

  /// A variable that is said to be dead must be: no edge looks at it, and where an edge or a
  /// wake-up keeps its value, it is dead again. So two states that differ in it only have the same
  /// steps, which again differ in dead variables only.
  std::optional<std::string> firstAlive() {
    for (const DeadLocal &one : evidence_.dead) {
      if (one.thread >= program_.templates.size() ||
          one.location >= program_.templates[one.thread].locations.size() ||
          one.local >= program_.templates[one.thread].locals.size())
        return "a variable that is said to be dead does not exist";
      dead_.emplace(one.thread, one.location, one.local);
    }
    for (const DeadLocal &one : evidence_.dead) {
      const Template &type = program_.templates[one.thread];
      Variable variable = type.locals[one.local];
      auto dead = [&](LocationId at) { return dead_.contains({one.thread, at, one.local}); };
      bool sound = true;
      for (EdgeId id : type.edgesFrom(one.location)) {
        const Edge &edge = type.edges[id];
        bool written =
            std::find(edge.modified.begin(), edge.modified.end(), variable) != edge.modified.end();
        sound = sound && !looksAt(edge, variable) && (written || dead(edge.target));
      }
      if (const auto &waiting = type.locations[one.location].waiting)
        sound = sound && dead(waiting->wakesTo);
      if (!sound)
        return "'" + variable.name() + "' of " + type.name + " is not dead in " +
               type.locations[one.location].name;
    }
    return std::nullopt;
  }

  /// Renamings are permutations of ids that the program cannot tell apart.
  std::optional<std::string> firstWrongRenaming() {
    if (evidence_.renamed.empty())
      return std::nullopt;
    if (!ids_.opaque)
      return "ids are renamed, and the program orders or computes with them";
    if (!std::is_sorted(evidence_.renamed.begin(), evidence_.renamed.end()))
      return "the renamings are not in order";
    fixed_ = ids_.constants;
    for (Variable variable : ids_.variables)
      if (variable.sort().isArray() && variable.sort().arraySize())
        fixed_.insert(0); // elements that are not listed are 0, which is no id then
    for (const RenamedStep &step : evidence_.renamed)
      for (const auto &[from, to] : step.renaming)
        if (fixed_.contains(from) || fixed_.contains(to))
          return "the id " + std::to_string(fixed_.contains(from) ? from : to) +
                 " is renamed, and the program compares ids with it";
    return std::nullopt;
  }

  /// Threads that are alike take the same steps: the first of them stands for all.
  uint32_t firstLike(uint32_t state, uint32_t thread) const {
    const std::vector<Thread> &threads = evidence_.states[state].threads;
    auto like = [&](const Thread &other) {
      return other.thread == threads[thread].thread && other.location == threads[thread].location &&
             other.id == threads[thread].id && other.locals == threads[thread].locals;
    };
    return static_cast<uint32_t>(std::find_if(threads.begin(), threads.end(), like) -
                                 threads.begin());
  }

  /// Is the state after the step listed once its ids are renamed as the evidence says?
  bool knownRenamed(uint32_t state, const Step &step) const {
    const RenamedStep least{state, firstLike(state, step.thread - 1), step.edge, {}};
    auto at = std::lower_bound(evidence_.renamed.begin(), evidence_.renamed.end(), least);
    for (; at != evidence_.renamed.end() && at->state == least.state &&
           at->thread == least.thread && at->edge == least.edge;
         ++at)
      if (auto renamed = renamedState(step.after, at->renaming);
          renamed && known_.contains(keyOf(*renamed)))
        return true;
    return false;
  }

  /// None if two ids would get one name.
  std::optional<Configuration> renamedState(Configuration state, const Renaming &renaming) const {
    std::map<int64_t, int64_t> names; // of the ids seen, to their new names
    std::set<int64_t> taken;
    bool injective = true;
    auto rename = [&](int64_t &id) {
      if (fixed_.contains(id))
        return;
      auto [entry, isNew] = names.try_emplace(id, id);
      if (isNew) {
        auto found = std::find_if(renaming.begin(), renaming.end(),
                                  [&](const auto &pair) { return pair.first == id; });
        if (found != renaming.end())
          entry->second = found->second;
        injective = taken.insert(entry->second).second && injective;
      }
      id = entry->second;
    };
    auto renameAll = [&](std::vector<Value> &values, const std::vector<Variable> &variables,
                         const Thread *of) {
      for (size_t i = 0; i < values.size(); ++i) {
        if (!ids_.variables.contains(variables[i]) ||
            (of && dead_.contains({of->thread, of->location, i})))
          continue;
        if (!values[i].isArray()) {
          int64_t id = values[i].number();
          rename(id);
          values[i] = id;
          continue;
        }
        logic::ArrayValue array = values[i].array();
        rename(array.rest);
        for (auto &[index, element] : array.elements)
          rename(element);
        values[i] = Value(std::move(array));
      }
    };
    renameAll(state.globals, program_.globals, nullptr);
    for (Thread &thread : state.threads) {
      renameAll(thread.locals, program_.templates[thread.thread].locals, &thread);
      if (thread.id)
        rename(*thread.id);
    }
    return injective ? std::optional(std::move(state)) : std::nullopt;
  }

  std::string keyOf(const Configuration &state) const {
    std::string key;
    for (const Value &value : state.globals)
      append(key, value);
    std::vector<std::string> threads;
    for (const Thread &thread : state.threads) {
      std::string one = "|" + std::to_string(thread.thread) + "." + std::to_string(thread.location);
      one += ids_.matters && thread.id ? "#" + std::to_string(*thread.id) + ":" : ":";
      for (size_t i = 0; i < thread.locals.size(); ++i)
        if (!dead_.contains({thread.thread, thread.location, i}))
          append(one, thread.locals[i]);
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

  std::optional<std::string> faultOf(uint32_t number, const Configuration &state,
                                     DeadlockClaim deadlock) const {
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
      if (!known_.contains(keyOf(step.after)) && !knownRenamed(number, step))
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
    parts.push_back((count == 0 ? "no " : std::to_string(count) + " or fewer ") +
                    program.templates[thread].name + " threads");
  std::vector<std::string> open;
  for (const Start &start : program.starts)
    if (start.unbounded && !counts.contains(start.thread) && done.insert(start.thread).second)
      open.push_back(program.templates[start.thread].name);
  if (!open.empty())
    parts.push_back("any number of " + logic::joined(open, " and ") + " threads");
  return parts.empty() ? "" : "for " + logic::joined(parts, " and ");
}

} // namespace understudy::compose::proof
