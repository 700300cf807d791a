// SPDX-License-Identifier: Apache-2.0
#include "compose/petri/Instances.h"

#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>

namespace understudy::compose::petri {

namespace {

void add(Label &label, Term formula) {
  for (const Term &conjunct : logic::conjunctsOf(logic::simplify(formula)))
    if (!conjunct.isTrue())
      label.conjuncts.push_back(conjunct);
}

} // namespace

void normalise(std::vector<Variable> &variables) {
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
}

ThreadUse::ThreadUse(const Program &program)
    : reachable(program.templates.size()), forked(program.templates.size()),
      started(program.templates.size()) {
  for (const Start &start : program.starts) {
    started[start.thread] += start.count;
    if (start.count > 0 || start.unbounded)
      reach(program, start.thread);
  }
  bool freshStored = false;
  for (TemplateId id = 0; id < program.templates.size(); ++id)
    for (const Edge &edge : program.templates[id].edges) {
      if (reachable[id].empty() || !reachable[id][edge.source])
        continue;
      if (const auto *join = std::get_if<Join>(&edge.action))
        needsIds = needsIds || join->id.has_value();
      if (const auto *fork = std::get_if<Fork>(&edge.action); fork && !fork->id) {
        givesFresh = true;
        freshStored = freshStored || fork->result.has_value();
      }
    }
  needsIds = needsIds || freshStored;
}

void ThreadUse::reach(const Program &program, TemplateId thread) {
  if (!reachable[thread].empty())
    return;
  const Template &type = program.templates[thread];
  reachable[thread].assign(type.locations.size(), false);
  std::vector<std::vector<EdgeId>> leaving(type.locations.size());
  for (EdgeId edge = 0; edge < type.edges.size(); ++edge)
    leaving[type.edges[edge].source].push_back(edge);
  std::vector<LocationId> open;
  auto visit = [&](LocationId location) {
    if (!reachable[thread][location])
      open.push_back(location);
    reachable[thread][location] = true;
  };
  for (LocationId location : type.initials)
    visit(location);
  while (!open.empty()) {
    const LocationId at = open.back();
    open.pop_back();
    if (type.locations[at].waiting)
      visit(type.locations[at].waiting->wakesTo);
    looks += leaving[at].size();
    for (EdgeId number : leaving[at]) {
      const Edge &edge = type.edges[number];
      visit(edge.target);
      if (const auto *fork = std::get_if<Fork>(&edge.action)) {
        forked[fork->thread] = true;
        reach(program, fork->thread);
      }
    }
  }
}

Instances::Instances(const Program &program, const ThreadUse &use, uint32_t limit)
    : program_(program), use_(use), limit_(limit), pool_(*program.pool),
      localIndex_(program.templates.size()), locals_(program.templates.size()) {
  for (TemplateId thread = 0; thread < program.templates.size(); ++thread) {
    const auto &locals = program.templates[thread].locals;
    for (size_t i = 0; i < locals.size(); ++i)
      localIndex_[thread][locals[i]] = i;
    for (uint32_t number = 1; number <= spare(thread); ++number) {
      std::vector<Variable> copies;
      for (Variable v : locals)
        copies.push_back(pool_.variable(scope({thread, number}), v.name(), v.sort()));
      locals_[thread].push_back(std::move(copies));
    }
  }
}

uint32_t Instances::count(TemplateId thread) const {
  return use_.forked[thread] ? limit_ : use_.started[thread];
}

std::string Instances::scope(Instance instance) const {
  return program_.templates[instance.thread].name + "#" + std::to_string(instance.number);
}

bool Instances::hasLive(TemplateId thread) const {
  return hasId(thread) && (use_.givesFresh || use_.started[thread] > 0);
}

// The names cannot clash with those of locals.
Variable Instances::id(Instance instance) const {
  return pool_.variable(scope(instance), "thread id", pool_.intSort());
}
Variable Instances::live(Instance instance) const {
  return pool_.variable(scope(instance), "is live", pool_.boolSort());
}

Variable Instances::local(Instance instance, Variable variable) const {
  const auto &index = localIndex_[instance.thread];
  auto found = index.find(variable);
  return found == index.end() ? Variable()
                              : locals_[instance.thread][instance.number - 1][found->second];
}

Term Instances::renamed(Instance instance, Term term) const {
  return logic::substitute(term, [&](Variable v, bool primed) -> Term {
    const Variable copy = local(instance, v);
    if (!copy)
      return {};
    return primed ? pool_.primed(copy) : pool_.var(copy);
  });
}

Term Instances::created(Instance instance, Term initial) const {
  return logic::substitute(initial, [&](Variable v, bool) -> Term {
    const Variable copy = local(instance, v);
    return copy ? pool_.primed(copy) : Term();
  });
}

Label Instances::step(Instance mover, const Edge &edge) const {
  Label label;
  for (Variable v : edge.modified) {
    const Variable copy = local(mover, v);
    label.modified.push_back(copy ? copy : v);
  }
  normalise(label.modified);
  add(label, renamed(mover, edge.relation));
  return label;
}

void Instances::addFork(Label &label, Instance mover, const Fork &fork, Instance instance) const {
  const auto &copies = locals_[instance.thread][instance.number - 1];
  label.modified.insert(label.modified.end(), copies.begin(), copies.end());
  for (size_t i = 0; i < fork.arguments.size(); ++i)
    add(label, pool_.equal(pool_.primed(copies[i]), renamed(mover, fork.arguments[i])));
  add(label, created(instance, program_.templates[instance.thread].initial));
  std::optional<Term> idTerm;
  if (fork.id)
    idTerm = renamed(mover, *fork.id);
  if (hasId(instance.thread)) {
    const Variable own = id(instance);
    label.modified.push_back(own);
    if (idTerm)
      add(label, pool_.equal(pool_.primed(own), *idTerm));
    else
      for (TemplateId thread = 0; thread < program_.templates.size(); ++thread)
        for (uint32_t number = 1; hasId(thread) && number <= count(thread); ++number)
          add(label,
              pool_.implies(pool_.var(live({thread, number})),
                            pool_.distinct(pool_.var(id({thread, number})), pool_.primed(own))));
    idTerm = pool_.primed(own);
    if (hasLive(instance.thread)) {
      label.modified.push_back(live(instance));
      add(label, pool_.primed(live(instance)));
    }
  }
  if (fork.result) {
    const Variable copy = local(mover, *fork.result);
    add(label, pool_.equal(pool_.primed(copy ? copy : *fork.result), *idTerm));
  }
  normalise(label.modified);
}

bool Instances::joinable(const Join &join, TemplateId thread) const {
  if (join.thread && *join.thread != thread)
    return false;
  return !join.id || hasId(thread);
}

void Instances::addJoin(Label &label, Instance mover, const Join &join, Instance joined) const {
  if (join.id) {
    add(label, pool_.equal(pool_.var(id(joined)), renamed(mover, *join.id)));
    if (hasLive(joined.thread))
      add(label, pool_.var(live(joined)));
  }
  if (hasLive(joined.thread)) {
    label.modified.push_back(live(joined));
    add(label, pool_.negate(pool_.primed(live(joined))));
    normalise(label.modified);
  }
}

void Instances::addStart(std::vector<Term> &initial, Instance started) const {
  for (const Term &conjunct : logic::conjunctsOf(
           logic::simplify(renamed(started, program_.templates[started.thread].initial))))
    if (!conjunct.isTrue())
      initial.push_back(conjunct);
  addAbsent(initial, started);
}

void Instances::addAbsent(std::vector<Term> &initial, Instance absent) const {
  if (hasLive(absent.thread))
    initial.push_back(pool_.negate(pool_.var(live(absent))));
}

void Instances::describe(PetriProgram &petri) const {
  petri.variables = program_.globals;
  petri.locals.resize(program_.templates.size());
  petri.ids.resize(program_.templates.size());
  for (TemplateId thread = 0; thread < program_.templates.size(); ++thread)
    for (uint32_t number = 1; number <= count(thread); ++number) {
      const auto &copies = locals_[thread][number - 1];
      petri.locals[thread].push_back(copies);
      petri.ids[thread].push_back(hasId(thread) ? std::optional(id({thread, number}))
                                                : std::nullopt);
      petri.variables.insert(petri.variables.end(), copies.begin(), copies.end());
      if (hasId(thread))
        petri.variables.push_back(id({thread, number}));
      if (hasLive(thread))
        petri.variables.push_back(live({thread, number}));
    }
}

} // namespace understudy::compose::petri
