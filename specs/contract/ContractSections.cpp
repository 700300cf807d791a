// SPDX-License-Identifier: Apache-2.0
//
// Sections in the composition. A section is no lock there: what it guards changes in single steps
// anyway. Only states `inside` it are more than that: while a thread is in one, no other thread
// enters another (two readers may), and steps of others that change what the section guards wait.
// That is data: a flag for the writer and a counter of readers, both in the shared state.
//
// Steps that only test what the section guards do not wait. That would be wrong: the code tests it
// outside the section, where it sees any value.
#include "specs/contract/ContractThread.h"

#include <algorithm>

namespace understudy::specs::contract {

using logic::Term;
using logic::Variable;

namespace {

struct InsideUse {
  bool used = false;
  bool reading = false;
  /// How many threads can be readers at once; none: any number.
  std::optional<int64_t> readers = 0;
};

/// How many threads of the template there can be.
std::optional<int64_t> instances(const ContractContext &context, const ThreadEntry &thread,
                                 const std::set<std::string> &forked) {
  if (forked.contains(thread.tree->name.text))
    return std::nullopt;
  int64_t count = 0;
  for (const compose::Start &start : context.unit.program.starts)
    if (start.thread == thread.id) {
      if (start.unbounded)
        return std::nullopt;
      count += start.count;
    }
  return count;
}

template <typename Visitor>
void eachState(const syntax::ContractThread &thread, const Visitor &visitor) {
  for (const syntax::ThreadMember &member : thread.members)
    if (const auto *state = std::get_if<syntax::StateDecl>(&member))
      visitor(*state);
}

std::set<std::string> forkedThreads(const ContractContext &context) {
  std::set<std::string> result;
  for (const ThreadEntry &thread : context.threads)
    eachState(*thread.tree, [&](const syntax::StateDecl &state) {
      for (const syntax::StateMember &member : state.members)
        if (const auto *edge = std::get_if<syntax::EdgeDecl>(&member))
          if (edge->action && edge->action->kind == syntax::ActionKind::Fork)
            result.insert(edge->action->target->text);
    });
  return result;
}

/// No variable that the section guards differs after the step: then it need not wait.
Term keepsGuarded(ContractContext &context, uint32_t section, const std::set<Variable> &changed) {
  logic::TermPool &pool = context.unit.pool();
  std::vector<Term> same;
  for (Variable v : changed) {
    auto info = context.shared.find(v);
    if (info != context.shared.end() && info->second.section == section &&
        info->second.is(syntax::DisciplineKind::GuardedBy))
      same.push_back(pool.equal(pool.primed(v), pool.var(v)));
  }
  return pool.conjunction(std::move(same));
}

std::map<std::string, InsideUse> usesOf(const ContractContext &context) {
  std::map<std::string, InsideUse> uses;
  std::set<std::string> forked = forkedThreads(context);
  for (const ThreadEntry &thread : context.threads) {
    std::set<std::string> counted;
    eachState(*thread.tree, [&](const syntax::StateDecl &state) {
      if (!state.inside)
        return;
      InsideUse &use = uses[state.inside->section.text];
      use.used = true;
      use.reading = use.reading || state.inside->reading;
      if (!state.inside->reading || !counted.insert(state.inside->section.text).second)
        return;
      std::optional<int64_t> more = instances(context, thread, forked);
      use.readers = use.readers && more ? std::optional(*use.readers + *more) : std::nullopt;
    });
  }
  return uses;
}

} // namespace

void declareInside(ContractContext &context) {
  logic::TermPool &pool = context.unit.pool();
  auto declare = [&](const std::string &name, logic::Sort sort, Term start) {
    std::string free = name;
    while (context.unit.scope.find(free))
      free += "_";
    Variable variable = pool.variable("", free, sort);
    context.unit.program.globals.push_back(variable);
    context.unit.initial.push_back(pool.equal(pool.var(variable), start));
    return variable;
  };
  std::map<std::string, InsideUse> uses = usesOf(context);
  for (SectionInfo &section : context.sections) {
    const std::string &name = section.tree->name.text;
    const InsideUse &use = uses[name];
    if (use.used)
      section.inside = declare("inside_" + name, pool.boolSort(), pool.boolean(false));
    if (use.reading)
      section.readers = declare("readers_inside_" + name,
                                use.readers ? pool.rangeSort(0, std::max<int64_t>(*use.readers, 1))
                                            : pool.intSort(),
                                pool.integer(0));
  }
}

SectionMove sectionMove(ContractContext &context, const std::optional<Inside> &from,
                        const std::optional<Inside> &to, const std::set<Variable> &changed) {
  logic::TermPool &pool = context.unit.pool();
  SectionMove move;
  std::vector<Term> enabled;
  for (uint32_t index = 0; index < context.sections.size(); ++index) {
    const SectionInfo &section = context.sections[index];
    if (!section.inside)
      continue;
    auto in = [&](const std::optional<Inside> &state) { return state && state->section == index; };
    bool writes = in(from) && !from->reading;
    bool reads = in(from) && from->reading;
    bool willWrite = in(to) && !to->reading;
    bool willRead = in(to) && to->reading;
    // Where a writer is inside, nobody else is; where a reader is, no writer.
    Term noWriter = writes || reads ? pool.boolean(true) : pool.negate(pool.var(*section.inside));
    Term noReader = writes || !section.readers
                        ? pool.boolean(true)
                        : pool.equal(pool.var(*section.readers), pool.integer(reads ? 1 : 0));
    if (willWrite || willRead)
      enabled.push_back(noWriter);
    if (willWrite)
      enabled.push_back(noReader);
    Term alone = pool.conjunction({noWriter, noReader});
    if (Term same = keepsGuarded(context, index, changed); !same.isTrue() && !alone.isTrue())
      move.effect.push_back(pool.disjunction({alone, same}));
    if (writes != willWrite) {
      move.effect.push_back(pool.equal(pool.primed(*section.inside), pool.boolean(willWrite)));
      move.modified.insert(*section.inside);
    }
    if (reads != willRead) {
      move.effect.push_back(
          pool.equal(pool.primed(*section.readers),
                     pool.add(pool.var(*section.readers), pool.integer(willRead ? 1 : -1))));
      move.modified.insert(*section.readers);
    }
  }
  move.enabled = pool.conjunction(std::move(enabled));
  return move;
}

std::vector<std::string> environmentSections(const ContractContext &context,
                                             const CheckedThread &thread) {
  std::vector<std::string> result;
  if (thread.tree->kind != syntax::ThreadKind::Environment)
    return result;
  std::set<Variable> changed;
  std::set<Variable> tested;
  for (const CheckedState &state : thread.states)
    for (const CheckedEdge &edge : state.edges) {
      changed.merge(changedBy(edge));
      for (const Term &conjunct : edge.conjuncts)
        for (const auto &[variable, primed] : logic::variablesOf(conjunct))
          tested.insert(variable);
    }
  for (const auto &[variable, info] : context.shared) {
    bool guarded = info.is(syntax::DisciplineKind::GuardedBy);
    if (!info.section || !(changed.contains(variable) || (guarded && tested.contains(variable))))
      continue;
    result.push_back("environment " + thread.tree->name.text +
                     (changed.contains(variable) ? " changes " : " tests ") + variable.name() +
                     " under " + info.tree->discipline->by.text);
  }
  return result;
}

} // namespace understudy::specs::contract
