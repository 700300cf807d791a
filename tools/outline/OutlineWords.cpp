// SPDX-License-Identifier: Apache-2.0
#include "tools/outline/OutlineWords.h"

#include "logic/Simplify.h"
#include "logic/Substitute.h"
#include "logic/smtlib/Print.h"
#include "logic/smtlib/Readable.h"

#include <charconv>
#include <set>

namespace understudy::tools::outline {

OutlineWords::OutlineWords(const compose::Program &program) : program_(program) {
  std::set<std::string> taken;
  for (Variable global : program.globals)
    taken.insert(global.name());
  for (const compose::Template &thread : program.templates)
    for (Variable local : thread.locals)
      taken.insert(local.name());
  while (taken.contains(idWord_))
    idWord_ += "_";
  while (taken.contains(aliveWord_))
    aliveWord_ += "_";
}

std::string OutlineWords::scopeOf(Slot slot) const {
  return program_.templates[slot.thread].name + "#" + std::to_string(slot.number);
}

std::optional<Slot> OutlineWords::slotNamed(const std::string &scope) const {
  const size_t hash = scope.rfind('#');
  if (hash == std::string::npos)
    return std::nullopt;
  const auto thread = program_.templateNamed(scope.substr(0, hash));
  uint32_t number = 0;
  const char *end = scope.data() + scope.size();
  const auto read = std::from_chars(scope.data() + hash + 1, end, number);
  if (!thread || read.ec != std::errc{} || read.ptr != end || number == 0)
    return std::nullopt;
  return Slot{*thread, number};
}

const compose::Mutex *OutlineWords::lockedMutex(Variable variable) const {
  for (const compose::Mutex &mutex : program_.mutexes)
    if (mutex.locked == variable)
      return &mutex;
  return nullptr;
}

std::string OutlineWords::wordFor(Variable variable, const std::string &own) const {
  if (variable.scope().empty())
    return variable.name();
  const bool isOwn = variable.scope() == own || variable.scope().find('#') == std::string::npos;
  std::string word = variable.name() == "thread id" ? idWord_
                     : variable.name() == "is live" ? aliveWord_
                                                    : variable.name();
  for (const compose::Mutex &mutex : program_.mutexes)
    if (variable.name() == compose::heldName(mutex.name))
      word = "held(" + mutex.name + ")";
  return isOwn ? word : variable.scope() + "." + word;
}

std::string OutlineWords::text(Term term, std::optional<Slot> self) const {
  logic::TermPool &pool = *program_.pool;
  const std::string own = self ? scopeOf(*self) : "";
  // Variables that only serve to print.
  auto shown = [&](const std::string &name, logic::Sort sort) {
    return pool.var(pool.variable("", name, sort));
  };
  const Term named = logic::substitute(term, [&](Variable v, bool) -> Term {
    if (const compose::Mutex *mutex = lockedMutex(v))
      return pool.negate(shown("free(" + mutex->name + ")", v.sort()));
    return v.scope().empty() ? Term() : shown(wordFor(v, own), v.sort());
  });
  return logic::smtlib::text(logic::smtlib::readable(logic::simplify(named)));
}

} // namespace understudy::tools::outline
