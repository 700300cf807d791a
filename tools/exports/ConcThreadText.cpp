// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/ConcThreadText.h"

#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"
#include "logic/smtlib/Print.h"

#include <algorithm>
#include <cctype>

namespace understudy::tools::exports {

using namespace compose;
using logic::Op;
using logic::VariableUse;

namespace {

std::string indented(const std::string &text, const std::string &indent) {
  std::string result;
  bool lineStart = true;
  for (char c : text) {
    if (lineStart && c != '\n')
      result += indent;
    result += c;
    lineStart = c == '\n';
  }
  return result;
}

bool reads(Term term, Variable variable) {
  auto uses = logic::variablesOf(term);
  return std::any_of(uses.begin(), uses.end(),
                     [&](const VariableUse &use) { return use.variable == variable; });
}

} // namespace

ConcExpression::ConcExpression(const Program &program) {
  logic::TermPool &pool = *program.pool;
  for (const Mutex &mutex : program.mutexes) {
    // Variables whose names are written like calls: they only serve to print.
    auto spelled = [&](const std::string &word) {
      return pool.var(pool.variable("", word + "(" + mutex.name + ")", pool.boolSort()));
    };
    flags_[mutex.locked] = pool.negate(spelled("free"));
    for (const Template &type : program.templates)
      for (Variable local : type.locals)
        if (local.name() == heldName(mutex.name))
          flags_[local] = spelled("held");
  }
}

std::string ConcExpression::operator()(Term term) const {
  // "!locked" first, so that it reads free(m) and not !!free(m).
  auto rewrite = [&](auto &self, Term t) -> Term {
    if (t.op() == Op::Not && t.operand(0).op() == Op::Variable)
      if (auto flag = flags_.find(t.operand(0).variable());
          flag != flags_.end() && flag->second.op() == Op::Not)
        return flag->second.operand(0);
    if (t.op() == Op::Variable) {
      auto flag = flags_.find(t.variable());
      return flag == flags_.end() ? t : flag->second;
    }
    std::vector<Term> operands;
    for (const Term &operand : t.operands())
      operands.push_back(self(self, operand));
    return operands.empty() ? t : t.pool().rebuild(t, std::move(operands));
  };
  return logic::smtlib::text(rewrite(rewrite, term));
}

ConcThreadText::ConcThreadText(const Program &program, TemplateId id, const Guardians &guardians)
    : program_(program), type_(program.templates[id]), guardians_(guardians), expression_(program) {
  for (const Exclusion &exclusion : program.exclusions)
    for (const Place &place : {exclusion.first, exclusion.second})
      if (place.thread == id)
        watched_.insert(place.location);
  auto take = [this](const std::vector<Variable> &variables) {
    for (Variable variable : variables)
      taken_.insert(variable.name());
  };
  take(program.globals);
  for (const Template &type : program.templates) {
    taken_.insert(type.name);
    take(type.locals);
    for (const Location &location : type.locations)
      taken_.insert(location.name);
  }
}

std::string ConcThreadText::print() {
  std::string body = entry();
  for (LocationId location = 0; location < type_.locations.size(); ++location) {
    const Location &place = type_.locations[location];
    if (!place.relies.empty())
      throw logic::Unsupported("CONC has no rely: '" + place.relies.front().text + "' of thread " +
                                   type_.name,
                               place.relies.front().range);
    if (!place.hidden && place.kind != LocationKind::Error && !isPlainEnd(location))
      body += state(location);
  }
  return "thread " + type_.name + " {\n" + locals() + body + "}\n";
}

std::string ConcThreadText::locals() const {
  std::string text;
  for (Variable local : type_.locals) {
    if (program_.isMutexFlag(local))
      continue;
    text += "  local " + local.sort().text() + " " + local.name();
    promela::GuardedCommand start =
        promela::guardedCommands(type_.initial, {{local, false}}, "the initial state", {}).at(0);
    if (!start.assignments.empty())
      text += " = " + expression_(start.assignments.front().value);
    text += ";\n";
  }
  for (const auto &[name, type] : extras_)
    text += "  local " + type + " " + name + ";\n";
  return text.empty() ? "" : text + "\n";
}

/// Several initial states: a thread chooses one. Otherwise the first label is the initial state,
/// or is jumped to.
std::string ConcThreadText::entry() const {
  std::string text;
  for (size_t i = 0; i + 1 < type_.initials.size(); ++i)
    text += "  if (*) {\n    goto " + type_.locations[type_.initials[i]].name + ";\n  }\n";
  LocationId last = type_.initials.back();
  bool first = last == 0 && type_.initials.size() == 1;
  if (isPlainEnd(last))
    return text + "  return;\n";
  return first ? text : text + "  goto " + type_.locations[last].name + ";\n";
}

bool ConcThreadText::isPlainEnd(LocationId location) const {
  return type_.locations[location].kind == LocationKind::Final && !watched_.contains(location) &&
         type_.edgesFrom(location).empty();
}

std::string ConcThreadText::leave(LocationId target) const {
  return isPlainEnd(target) ? "return;\n" : "goto " + type_.locations[target].name + ";\n";
}

std::string ConcThreadText::state(LocationId location) {
  std::vector<std::string> choices = alternatives(location);
  std::string text = type_.locations[location].name + ":\n";
  if (type_.locations[location].kind == LocationKind::Final)
    choices.push_back("return;\n");
  if (choices.empty())
    return "  " + text + "    assume false;\n";
  if (choices.size() == 1)
    return "  " + text + indented(choices.front(), "    ");
  for (size_t i = 0; i < choices.size(); ++i) {
    bool last = i + 1 == choices.size();
    text += (i == 0 ? "  if (*) {\n"
             : last ? " else {\n"
                    : " else if (*) {\n") +
            indented(choices[i], "    ") + "  }";
  }
  return indented(text + "\n", "  ");
}

std::vector<promela::GuardedCommand> ConcThreadText::commands(const Edge &edge) const {
  std::vector<VariableUse> unknowns;
  const auto *fork = std::get_if<Fork>(&edge.action);
  for (Variable variable : edge.modified)
    unknowns.push_back({variable, true});
  auto result =
      promela::guardedCommands(edge.relation, unknowns, "the edge '" + edge.text + "'", edge.range);
  std::set<Variable> implied;
  if (const auto *lock = std::get_if<LockMutex>(&edge.action))
    implied.insert(program_.mutexes[lock->mutex].locked);
  for (promela::GuardedCommand &command : result) {
    std::erase_if(command.guard, [&](Term t) {
      auto uses = logic::variablesOf(t);
      return !uses.empty() && std::all_of(uses.begin(), uses.end(), [&](const VariableUse &use) {
        return implied.contains(use.variable) ||
               (use.variable.scope() == type_.name && program_.isMutexFlag(use.variable));
      });
    });
    std::erase_if(command.assignments,
                  [&](const promela::Assignment &a) { return program_.isMutexFlag(a.variable); });
    std::erase_if(command.open, [&](const VariableUse &use) {
      return program_.isMutexFlag(use.variable) || (fork && fork->result == use.variable);
    });
  }
  return result;
}

std::vector<std::string> ConcThreadText::alternatives(LocationId location) {
  std::vector<std::string> result;
  for (EdgeId id : type_.edgesFrom(location)) {
    const Edge &edge = type_.edges[id];
    if (edge.failure == FailureKind::Assertion) {
      result.push_back("assert " +
                       expression_(logic::simplify(program_.pool->negate(edge.relation))) +
                       ";\ngoto " + type_.locations[location].name + ";\n");
      continue;
    }
    for (const promela::GuardedCommand &command : commands(edge))
      result.push_back(std::holds_alternative<WaitCond>(edge.action) ? waiting(edge, command)
                                                                     : alternative(edge, command));
  }
  return result;
}

std::string ConcThreadText::actionText(const Edge &edge) const {
  if (const auto *fork = std::get_if<Fork>(&edge.action))
    return "fork " + (fork->id ? "(" + expression_(*fork->id) + ") " : "") +
           program_.templates[fork->thread].name + "();\n";
  if (const auto *join = std::get_if<Join>(&edge.action)) {
    if (join->thread && join->id)
      throw logic::Unsupported("CONC joins by id or by thread, not by both: '" + edge.text + "'",
                               edge.range);
    return "join " + (join->id ? expression_(*join->id) : program_.templates[*join->thread].name) +
           ";\n";
  }
  if (const auto *lock = std::get_if<LockMutex>(&edge.action))
    return "lock " + program_.mutexes[lock->mutex].name + ";\n";
  if (const auto *unlock = std::get_if<UnlockMutex>(&edge.action))
    return "unlock " + program_.mutexes[unlock->mutex].name + ";\n";
  if (const auto *signal = std::get_if<SignalCond>(&edge.action))
    return "signal " + program_.conditions[signal->cond] + ";\n";
  if (const auto *broadcast = std::get_if<BroadcastCond>(&edge.action))
    return "broadcast " + program_.conditions[broadcast->cond] + ";\n";
  return "";
}

std::string ConcThreadText::alternative(const Edge &edge, const promela::GuardedCommand &command) {
  // What no equation determines is chosen beforehand: an atomic section must not block later on.
  std::string chosen;
  std::vector<promela::Assignment> pending = command.assignments;
  std::vector<Term> guard = command.guard;
  std::string last;
  for (const VariableUse &open : command.open) {
    bool bound = std::any_of(command.constraints.begin(), command.constraints.end(),
                             [&](Term t) { return reads(t, open.variable); }) ||
                 std::any_of(pending.begin(), pending.end(), [&](const promela::Assignment &a) {
                   return reads(a.value, open.variable);
                 });
    if (!bound) {
      last += "havoc " + open.variable.name() + ";\n";
      continue;
    }
    std::string name = extra("chosen_" + open.variable.name(), open.variable.sort());
    chosen += "havoc " + name + ";\n";
    Term local =
        program_.pool->var(program_.pool->variable(type_.name, name, open.variable.sort()));
    auto replace = [&](Term t) {
      return logic::substitute(t, [&](Variable v, bool primed) {
        return v == open.variable && primed == open.primed ? local : Term{};
      });
    };
    for (promela::Assignment &assignment : pending)
      assignment.value = replace(assignment.value);
    if (!promela::isElement(open))
      pending.push_back({open.variable, local});
    for (const Term &constraint : command.constraints)
      guard.push_back(replace(constraint));
  }
  std::string inside;
  for (const Term &term : guard)
    if (!term.hasPrimes())
      inside += "assume " + expression_(term) + ";\n";
  inside += actionText(edge);
  inside += edge.failure ? "assert false;\n" + leave(edge.source)
                         : assignments(edge, std::move(pending)) + last + leave(edge.target);
  return chosen + "atomic {\n" + indented(inside, "  ") + "}\n";
}

/// A further local of this type; the name is nobody else's.
std::string ConcThreadText::extra(const std::string &wanted, logic::Sort sort) {
  std::string name;
  for (char c : wanted)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  while (taken_.contains(name) || (extras_.contains(name) && extras_[name] != sort.text()))
    name += "_";
  extras_[name] = sort.text();
  return name;
}

/// The assignments are simultaneous: one may come first if no other reads what it changes.
std::string ConcThreadText::assignments(const Edge &edge,
                                        std::vector<promela::Assignment> pending) {
  std::string text;
  while (!pending.empty()) {
    auto next = std::find_if(pending.begin(), pending.end(), [&](const promela::Assignment &one) {
      return std::none_of(pending.begin(), pending.end(), [&](const promela::Assignment &other) {
        return &other != &one && reads(other.value, one.variable);
      });
    });
    if (next == pending.end()) {
      next = pending.begin();
      Variable variable = next->variable;
      std::string name = extra("old_" + variable.name(), variable.sort());
      text += name + " := " + variable.name() + ";\n";
      Term old = program_.pool->var(program_.pool->variable(type_.name, name, variable.sort()));
      for (promela::Assignment &other : pending)
        other.value = logic::substitute(
            other.value, [&](Variable v, bool) { return v == variable ? old : Term{}; });
    }
    text += assignment(edge, *next);
    pending.erase(next);
  }
  return text;
}

std::string ConcThreadText::assignment(const Edge &edge, const promela::Assignment &one) const {
  if (!one.variable.sort().isArray())
    return one.variable.name() + " := " + expression_(one.value) + ";\n";
  std::string text;
  Term value = one.value;
  for (; value.op() == Op::Store; value = value.operand(0))
    text = one.variable.name() + "[" + expression_(value.operand(1)) +
           "] := " + expression_(value.operand(2)) + ";\n" + text;
  if (value.op() != Op::Variable || value.variable() != one.variable)
    throw logic::Unsupported("CONC assigns arrays element by element: '" + edge.text + "'",
                             edge.range);
  return text;
}

/// A wait is no part of an atomic section. Its condition may be tested in a step before if nobody
/// else can change it meanwhile, that is, if all of it is guarded by the mutex of the wait.
std::string ConcThreadText::waiting(const Edge &edge, const promela::GuardedCommand &command) {
  const auto &wait = std::get<WaitCond>(edge.action);
  std::string mutex = wait.mutex ? program_.mutexes[*wait.mutex].name : "";
  std::string text;
  for (const Term &term : command.guard) {
    for (const VariableUse &use : logic::variablesOf(term)) {
      auto guardian = guardians_.find(use.variable.name());
      bool mine = use.variable.scope() == type_.name;
      if (!mine && (guardian == guardians_.end() || guardian->second != mutex))
        throw logic::Unsupported("CONC cannot test '" + use.variable.name() +
                                     "' and wait in one step; declare it 'guarded by " + mutex +
                                     "' or wait without a condition",
                                 edge.range);
    }
    text += "assume " + expression_(term) + ";\n";
  }
  text +=
      "wait " + program_.conditions[wait.cond] + (mutex.empty() ? "" : " with " + mutex) + ";\n";
  LocationId woken = type_.locations[edge.target].waiting->wakesTo;
  for (LocationId asleep : {edge.target, woken})
    for (EdgeId id : type_.edgesFrom(asleep))
      if (const Edge &failing = type_.edges[id]; failing.failure && type_.locations[asleep].hidden)
        throw logic::Unsupported("CONC cannot check '" + failing.text + "' while a thread waits",
                                 failing.range);
  if (type_.locations[woken].hidden)
    for (EdgeId id : type_.edgesFrom(woken))
      if (!type_.edges[id].failure)
        return text + leave(type_.edges[id].target);
  return text + leave(woken);
}

} // namespace understudy::tools::exports
