// SPDX-License-Identifier: Apache-2.0
#include "tools/report/Wording.h"

#include "logic/Words.h"
#include "tools/Files.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace understudy::tools::report {

using namespace compose;

namespace {

std::string names(const std::vector<Actor> &actors) {
  return logic::joined(actors, [](const Actor &actor) { return actor.name; }, " and ");
}

/// "stopped = true, n = 3": the variables of the formula, mutexes left out.
std::string valuesIn(const Program &program, Term formula, const Configuration &configuration,
                     const Thread *thread) {
  std::vector<std::string> parts;
  std::set<Variable> seen;
  for (const logic::VariableUse &use : logic::variablesOf(formula)) {
    Variable variable = use.variable;
    if (program.isMutexFlag(variable) || !seen.insert(variable).second)
      continue;
    auto global = std::find(program.globals.begin(), program.globals.end(), variable);
    const Value *value = nullptr;
    if (global != program.globals.end())
      value = &configuration.globals[static_cast<size_t>(global - program.globals.begin())];
    else if (thread && showsLocals(program, thread->thread)) {
      const auto &locals = program.templates[thread->thread].locals;
      auto local = std::find(locals.begin(), locals.end(), variable);
      if (local != locals.end())
        value = &thread->locals[static_cast<size_t>(local - locals.begin())];
    }
    if (value)
      parts.push_back(variable.name() + " = " + logic::valueText(*value, variable.sort()));
  }
  return logic::joined(parts);
}

/// The steps of a contract are written in it; those of C code in its file, or nowhere.
bool isCode(const Program &program, TemplateId kind) {
  const auto &edges = program.templates[kind].edges;
  return program.origin == Origin::Contract &&
         std::any_of(edges.begin(), edges.end(), [](const Edge &edge) {
           return !edge.range.known() || languageOf(edge.range.file->name()) != Language::Contract;
         });
}

std::string quoted(const std::string &text) { return "`" + text + "`"; }

/// Builds the sentence; the thread that fails is the first of the failure's threads.
class Sentence {
public:
  Sentence(const Program &program, const Trace &trace, const ThreadNames &names)
      : program_(program), trace_(trace), names_(names),
        claim_(quoted(claimText(trace.failure.text))) {}

  std::string build() const {
    switch (trace_.failure.kind) {
    case FailureKind::Assertion:
      return assertion();
    case FailureKind::OutOfRange:
      return name(0) + " assigns an out-of-range value in " + claim_ + with(edgeValues());
    case FailureKind::OutOfBounds:
      return name(0) + " uses an out-of-bounds index in " + claim_ + with(edgeValues());
    case FailureKind::Relock:
      return name(0) + " locks a mutex that it already holds: " + claim_;
    case FailureKind::NotHeld:
      return name(0) + " does not hold the mutex for " + claim_;
    case FailureKind::StillHeld:
      return name(0) + " ends while still holding " + heldMutexes();
    case FailureKind::Invariant:
      return "the invariant " + claim_ + " is false" + with(invariantValues());
    case FailureKind::Exclusion:
      return name(0) + " is " + where(0) + " while " + name(1) + " is " + where(1) +
             ", which must never happen together";
    case FailureKind::Rely:
      return "the step of " + name(1) + " violates the rely of " + name(0) + ": " + claim_;
    case FailureKind::Deadlock:
      return deadlock();
    }
    throw std::logic_error("unknown failure kind");
  }

private:
  const Program &program_;
  const Trace &trace_;
  const ThreadNames &names_;
  std::string claim_;

  /// The configuration before the failing step.
  const Configuration &before() const {
    return trace_.steps.size() < 2 ? trace_.start : trace_.steps[trace_.steps.size() - 2].after;
  }
  const Thread &thread(size_t index) const {
    return *trace_.end().find(trace_.failure.threads.at(index));
  }
  std::string name(size_t index) const { return names_.of(thread(index)); }
  std::string where(const Thread &thread) const {
    std::string place = placeText(program_, thread);
    const Location &location = program_.templates[thread.thread].locations[thread.location];
    if (location.hidden)
      return place;
    return (isStateMachine(program_, thread.thread) ? "in state " : "at ") + place;
  }
  std::string where(size_t index) const { return where(thread(index)); }
  static std::string with(const std::string &values) {
    return values.empty() ? "" : ", with " + values;
  }

  std::string edgeValues() const {
    const Step &last = trace_.steps.back();
    const Edge &edge = program_.edge(last.templateId, last.edge);
    return valuesIn(program_, edge.relation, before(), before().find(last.thread));
  }

  std::string assertion() const {
    const Step &last = trace_.steps.back();
    const Thread &failing = *before().find(last.thread);
    std::string values = edgeValues();
    std::string who = names_.of(failing);
    if (isStateMachine(program_, failing.thread))
      return who + " is " + where(failing) + ", where " + claim_ + " must hold, but " +
             (values.empty() ? "it does not" : values);
    return who + " asserts " + claim_ + ", but " + (values.empty() ? "it is false" : values);
  }

  std::string heldMutexes() const {
    const Thread &failing = thread(0);
    const auto &locals = program_.templates[failing.thread].locals;
    std::vector<std::string> held;
    for (const Mutex &mutex : program_.mutexes)
      for (size_t i = 0; i < locals.size(); ++i)
        if (locals[i].name() == heldName(mutex.name) && failing.locals[i].number() != 0)
          held.push_back(mutex.name);
    return held.empty() ? "a mutex" : logic::joined(held, " and ");
  }

  std::string invariantValues() const {
    for (const Claim &invariant : program_.invariants)
      if (invariant.text == trace_.failure.text)
        return valuesIn(program_, invariant.formula, trace_.end(), nullptr);
    return {};
  }

  /// The statement that a thread of CONC cannot execute.
  std::string blockedStatement(const Thread &stuck) const {
    const Template &type = program_.templates[stuck.thread];
    if (!isStateMachine(program_, stuck.thread) && !type.locations[stuck.location].hidden)
      for (EdgeId id : type.edgesFrom(stuck.location))
        return " (" + stepText(program_, type.edges[id]) + ")";
    return {};
  }

  std::string deadlock() const {
    std::string result = "no thread can move";
    for (const Thread &stuck : trace_.end().threads) {
      const Location &location = program_.templates[stuck.thread].locations[stuck.location];
      if (location.kind != LocationKind::Final)
        result += "; " + names_.of(stuck) + " is " + where(stuck) + blockedStatement(stuck);
    }
    return result;
  }
};

} // namespace

ThreadNames::ThreadNames(const Program &program, const Trace &trace)
    : program_(program), numbers_(program.templates.size()) {
  uint32_t last = 0; // numbers ascend in the order of creation
  auto collect = [&](const std::vector<Thread> &threads) {
    auto isKnown = [&](const Thread &thread) { return thread.number <= last; };
    for (auto at = std::find_if(threads.rbegin(), threads.rend(), isKnown).base();
         at != threads.end(); ++at) {
      numbers_[at->thread].push_back(at->number);
      last = at->number;
    }
  };
  collect(trace.start.threads);
  for (const Step &step : trace.steps)
    collect(step.after.threads);
}

std::string ThreadNames::of(const Thread &thread) const {
  const std::vector<uint32_t> &alike = numbers_[thread.thread];
  const std::string &name = program_.templates[thread.thread].name;
  if (alike.size() <= 1)
    return name;
  auto at = std::lower_bound(alike.begin(), alike.end(), thread.number);
  return name + " #" + std::to_string(at - alike.begin() + 1);
}

bool speaksOfIds(const Program &program) {
  for (const Template &kind : program.templates)
    for (const Edge &edge : kind.edges) {
      const auto *fork = std::get_if<Fork>(&edge.action);
      const auto *join = std::get_if<Join>(&edge.action);
      if ((fork && (fork->id || fork->result)) || (join && join->id))
        return true;
    }
  return false;
}

bool isStateMachine(const Program &program, TemplateId kind) {
  return program.origin == Origin::Contract && !isCode(program, kind);
}

bool showsLocals(const Program &program, TemplateId kind) { return !isCode(program, kind); }

bool isStateAssertion(const Program &program, const Step &step) {
  return isStateMachine(program, step.templateId) &&
         program.edge(step.templateId, step.edge).failure == FailureKind::Assertion;
}

std::string placeText(const Program &program, const Thread &thread) {
  const Template &kind = program.templates[thread.thread];
  const Location &location = kind.locations[thread.location];
  if (location.waiting)
    return "waiting on " + program.conditions[location.waiting->cond];
  if (!location.hidden)
    return location.name;
  for (const Edge &edge : kind.edges)
    if (edge.source == thread.location)
      if (const auto *lock = std::get_if<LockMutex>(&edge.action))
        return "awake, about to lock " + program.mutexes[lock->mutex].name;
  return "between two steps";
}

std::string stepText(const Program &program, const Edge &edge) {
  std::string text = edge.text.substr(0, edge.text.find(" (wakes up"));
  text = text.substr(0, text.find(" (locks again"));
  bool bare = program.origin == Origin::Conc && edge.failure == FailureKind::Assertion;
  return bare ? "assert " + claimText(text) : text;
}

std::string claimText(const std::string &text) {
  std::string result = text;
  while (!result.empty() && (result.back() == ';' || result.back() == ' '))
    result.pop_back();
  for (const std::string keyword : {"assert ", "invariant ", "rely "})
    if (result.starts_with(keyword))
      return result.substr(keyword.size());
  if (result.starts_with("assert(") && result.ends_with(")")) // of C
    return result.substr(7, result.size() - 8);
  return result;
}

std::vector<std::string> notesOf(const Program &program, TemplateId kind, const Edge &edge,
                                 const StoryStep &step) {
  std::vector<std::string> notes;
  const Location &source = program.templates[kind].locations[edge.source];
  for (const Actor &created : step.created)
    notes.push_back("creates " + created.name +
                    (created.id ? " with id " + std::to_string(*created.id) : ""));
  for (const Actor &joined : step.joined)
    notes.push_back("joins " + joined.name +
                    (joined.id ? ", id " + std::to_string(*joined.id) : ""));
  if (edge.failure) {
    if (edge.failure == FailureKind::Assertion && isCode(program, kind))
      notes.emplace_back("fails");
    return notes;
  }
  if (source.waiting)
    notes.push_back("wakes up spuriously");
  if (const auto *lock = std::get_if<LockMutex>(&edge.action))
    notes.push_back((source.hidden ? "reacquires " : "acquires ") +
                    program.mutexes[lock->mutex].name);
  if (const auto *unlock = std::get_if<UnlockMutex>(&edge.action))
    notes.push_back("releases " + program.mutexes[unlock->mutex].name);
  if (const auto *wait = std::get_if<WaitCond>(&edge.action)) {
    if (wait->mutex)
      notes.push_back("releases " + program.mutexes[*wait->mutex].name);
    notes.push_back("waits on " + program.conditions[wait->cond]);
  }
  bool wakes = std::holds_alternative<SignalCond>(edge.action) ||
               std::holds_alternative<BroadcastCond>(edge.action);
  if (wakes)
    notes.push_back(step.woken.empty() ? "no thread is waiting" : "wakes " + names(step.woken));
  return notes;
}

std::string failureSentence(const Program &program, const Trace &trace, const ThreadNames &names) {
  return Sentence(program, trace, names).build();
}

} // namespace understudy::tools::report
