// SPDX-License-Identifier: Apache-2.0
//
// Definition 3.5 of the paper on ghosts and empires, for threads in slots: what holds at the start,
// what a step makes of the assertions of those who take part and of all the others, and what the
// program claims. Deviations: co-marked is over-approximated (`SlotModel`); that there are enough
// slots is an obligation of its own; and since relies, invariants and exclusions are no edges, they
// have obligations, too.
#include "compose/proof/OwickiGriesCheck.h"

#include "compose/proof/ObligationText.h"
#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

namespace understudy::compose::proof {

std::string word(TripleKind kind) {
  switch (kind) {
  case TripleKind::Start:
    return "start";
  case TripleKind::Local:
    return "local";
  case TripleKind::Interference:
    return "interference";
  case TripleKind::Error:
    return "error";
  case TripleKind::Bound:
    return "bound";
  case TripleKind::Range:
    return "range";
  case TripleKind::Invariant:
    return "invariant";
  case TripleKind::Rely:
    return "rely";
  case TripleKind::Exclusion:
    return "exclusion";
  }
  throw std::logic_error("unknown kind of triple");
}

OwickiGriesCheck::OwickiGriesCheck(const Program &program, const OwickiGries &annotation)
    : program_(program), annotation_(annotation), model_(program, annotation.slots),
      pool_(*program.pool), assertions_(model_.places(), pool_.boolean(false)) {
  readAssertions();
  readUpdates();
}

// ---- the annotation fits the program

void OwickiGriesCheck::requireKnown(Term formula, const std::set<Variable> &known,
                                    const std::string &what) const {
  for (const logic::VariableUse &use : logic::variablesOf(formula))
    if (use.primed || !known.contains(use.variable))
      throw InvalidEvidence(what + " speaks of '" + use.variable.fullName() +
                            "', which is not a variable there");
}

void OwickiGriesCheck::readAssertions() {
  std::set<Variable> known(model_.variables().begin(), model_.variables().end());
  for (const OwickiGries::Ghost &ghost : annotation_.ghosts) {
    if (!known.insert(ghost.variable).second)
      throw InvalidEvidence("the ghost '" + ghost.variable.name() + "' is a variable already");
    const bool fits =
        ghost.initial.isConstant() &&
        ghost.initial.sort().isBool() == ghost.variable.sort().isBool() &&
        (ghost.variable.sort().isBool() || ghost.variable.sort().kind() == logic::SortKind::Int);
    if (!fits)
      throw InvalidEvidence("the ghost '" + ghost.variable.name() +
                            "' has no constant of its type as its initial value");
  }
  std::set<SlotPlace> seen;
  for (const OwickiGries::At &at : annotation_.assertions) {
    const auto slot = model_.slotOf(at.slot);
    if (!slot || (at.location && *at.location >= model_.thread(*slot).locations.size()))
      throw InvalidEvidence("an assertion is at a place that the program does not have");
    const SlotPlace place = model_.place(*slot, at.location);
    if (!seen.insert(place).second)
      throw InvalidEvidence("there are two assertions for " + model_.describe(place));
    const bool error =
        at.location && model_.thread(*slot).locations[*at.location].kind == LocationKind::Error;
    if (error && !at.formula.isFalse())
      throw InvalidEvidence("the assertion for " + model_.describe(place) +
                            ", where something went wrong, is not false");
    requireKnown(at.formula, known, "the assertion for " + model_.describe(place));
    assertions_[place] = at.formula;
  }
}

void OwickiGriesCheck::readUpdates() {
  using Key = std::tuple<Slot, EdgeId, std::vector<OwickiGries::Other>>;
  std::map<Key, size_t> steps;
  for (size_t i = 0; i < model_.steps().size(); ++i) {
    const SlotStep &step = model_.steps()[i];
    if (step.kind != SlotStep::Kind::Taken)
      continue;
    steps[{model_.slots()[step.moves[0].slot], step.edge, model_.othersOf(step)}] = i;
  }
  std::set<Variable> known(model_.variables().begin(), model_.variables().end());
  std::set<Variable> ghosts;
  for (const OwickiGries::Ghost &ghost : annotation_.ghosts)
    ghosts.insert(ghost.variable);
  known.insert(ghosts.begin(), ghosts.end());
  for (const OwickiGries::Update &update : annotation_.updates) {
    auto others = update.others;
    std::sort(others.begin(), others.end());
    auto found = steps.find({update.mover, update.edge, others});
    if (found == steps.end())
      throw InvalidEvidence("a ghost is updated by a step that the program does not have");
    const std::string where = "the update at " + model_.describe(model_.steps()[found->second]);
    if (!updates_.emplace(found->second, &update).second)
      throw InvalidEvidence(where + " is given twice");
    std::set<Variable> assigned;
    for (const auto &[ghost, value] : update.assign) {
      if (!ghosts.contains(ghost) || !assigned.insert(ghost).second)
        throw InvalidEvidence(where + " does not assign ghosts, each once");
      if (value.sort().isArray() || value.sort().isEnum() ||
          value.sort().isBool() != ghost.sort().isBool())
        throw InvalidEvidence(where + " gives '" + ghost.name() + "' a value of another type");
      requireKnown(value, known, where);
    }
  }
}

// ---- what must hold

Term OwickiGriesCheck::after(const SlotStep &step, Term formula) const {
  const auto changed = [&](Variable v) {
    return std::binary_search(step.modified.begin(), step.modified.end(), v) ? pool_.primed(v)
                                                                             : Term();
  };
  std::map<Variable, Term> ghosts;
  const auto index = static_cast<size_t>(&step - model_.steps().data());
  if (auto update = updates_.find(index); update != updates_.end())
    for (const auto &[ghost, value] : update->second->assign)
      ghosts[ghost] = logic::substitute(value, [&](Variable v, bool) { return changed(v); });
  return logic::substitute(formula, [&](Variable v, bool) {
    auto ghost = ghosts.find(v);
    return ghost == ghosts.end() ? changed(v) : ghost->second;
  });
}

TripleGroup OwickiGriesCheck::start() const {
  TripleGroup result;
  result.conditions = model_.initial();
  for (const OwickiGries::Ghost &ghost : annotation_.ghosts)
    result.conditions.push_back(pool_.equal(pool_.var(ghost.variable), ghost.initial));
  for (SlotPlace place : model_.starts())
    if (!at(place).isTrue())
      result.triples.push_back({TripleKind::Start,
                                "the start fulfils the assertion of " + model_.describe(place),
                                pool_.negate(at(place)), place, at(place)});
  for (const Claim &claim : program_.invariants)
    result.triples.push_back({TripleKind::Invariant,
                              "'" + claim.text + "' holds at the start" + placeNote(claim.range),
                              pool_.negate(claim.formula)});
  return result;
}

TripleGroup OwickiGriesCheck::exclusions() const {
  TripleGroup result;
  for (const Exclusion &exclusion : program_.exclusions)
    for (SlotId a = 0; a < model_.slots().size(); ++a)
      for (SlotId b = 0; b < model_.slots().size(); ++b) {
        if (a == b || model_.slots()[a].thread != exclusion.first.thread ||
            model_.slots()[b].thread != exclusion.second.thread)
          continue;
        const SlotPlace first = model_.place(a, exclusion.first.location);
        const SlotPlace second = model_.place(b, exclusion.second.location);
        if (model_.together(first, second) && !at(first).isFalse() && !at(second).isFalse())
          result.triples.push_back({TripleKind::Exclusion,
                                    "'" + exclusion.text + "' holds" + placeNote(exclusion.range) +
                                        ": " + model_.describe(first) + ", " +
                                        model_.describe(second),
                                    pool_.conjunction({at(first), at(second)})});
      }
  return result;
}

Term OwickiGriesCheck::broken(const SlotStep &step, Term twoState) const {
  return logic::simplify(
      pool_.negate(logic::substitute(twoState, [&](Variable v, bool primed) -> Term {
        const bool changes = std::binary_search(step.modified.begin(), step.modified.end(), v);
        return primed && !changes ? pool_.var(v) : Term();
      })));
}

void OwickiGriesCheck::addClaims(const SlotStep &step, TripleGroup &into) const {
  std::vector<Term> before;
  for (const Claim &claim : program_.invariants)
    before.push_back(claim.formula);
  for (const Claim &claim : program_.invariants) {
    const Term wrong = broken(step, logic::prime(claim.formula));
    if (wrong == logic::simplify(pool_.negate(claim.formula)) || wrong.isFalse())
      continue;
    std::vector<Term> parts = before;
    parts.push_back(wrong);
    into.triples.push_back(
        {TripleKind::Invariant,
         model_.describe(step) + " keeps '" + claim.text + "'" + placeNote(claim.range),
         pool_.conjunction(std::move(parts))});
  }
}

void OwickiGriesCheck::addRelies(const SlotStep &step, TripleGroup &into) const {
  auto add = [&](SlotPlace place) {
    const auto location = model_.locationAt(place);
    if (!location || at(place).isFalse())
      return;
    for (const Claim &rely : model_.thread(model_.slotAt(place)).locations[*location].relies) {
      const Term wrong = broken(step, rely.formula);
      if (!wrong.isFalse())
        into.triples.push_back({TripleKind::Rely,
                                model_.describe(step) + " keeps what " + model_.describe(place) +
                                    " relies on, '" + rely.text + "'" + placeNote(rely.range),
                                pool_.conjunction({at(place), wrong}), place});
    }
  };
  for (SlotPlace place : model_.bystanders(step))
    add(place);
  // One that is woken is there before and after; one that is created or joined is not.
  for (size_t i = 1; model_.isWaking(step) && i < step.moves.size(); ++i)
    add(step.moves[i].from);
}

TripleGroup OwickiGriesCheck::group(size_t index) const {
  const SlotStep &step = model_.steps()[index];
  TripleGroup result;
  result.step = index;
  if (!model_.canHappen(step))
    return result;
  for (const SlotStep::Move &move : step.moves) {
    if (at(move.from).isFalse())
      return result;
    result.conditions.push_back(at(move.from));
  }
  const std::vector<SlotPlace> bystanders = model_.bystanders(step);
  for (const SlotStep::Rest &rest : step.rests) {
    std::vector<Term> ways;
    for (SlotPlace place : rest.places)
      if (std::binary_search(bystanders.begin(), bystanders.end(), place))
        ways.push_back(at(place));
    result.conditions.push_back(pool_.disjunction(std::move(ways)));
  }
  result.conditions.insert(result.conditions.end(), step.relation.begin(), step.relation.end());
  const std::string words = model_.describe(step);
  for (const Term &range : step.ranges)
    result.triples.push_back(
        {TripleKind::Range, words + " gives parameters values in range", pool_.negate(range)});
  if (step.kind == SlotStep::Kind::Arguments)
    return result;
  if (step.kind == SlotStep::Kind::TooFew) {
    result.triples.push_back(
        {TripleKind::Bound, words + " finds a slot for the thread it forks", pool_.boolean(true)});
    return result;
  }
  if (model_.edgeOf(step).failure) {
    result.triples.push_back({TripleKind::Error, words + " never fails", pool_.boolean(true)});
    return result;
  }
  for (const SlotStep::Move &move : step.moves) {
    const Term claim = after(step, at(move.to));
    if (!claim.isTrue())
      result.triples.push_back({TripleKind::Local,
                                words + " leads to the assertion of " + model_.describe(move.to),
                                pool_.negate(claim), move.to, claim});
  }
  for (SlotPlace place : bystanders) {
    const Term before = at(place);
    const Term claim = after(step, before);
    if (claim != before && !before.isFalse())
      result.triples.push_back({TripleKind::Interference,
                                words + " keeps the assertion of " + model_.describe(place),
                                pool_.conjunction({before, pool_.negate(claim)}), place, claim});
  }
  addClaims(step, result);
  addRelies(step, result);
  return result;
}

void OwickiGriesCheck::each(const std::function<bool(const TripleGroup &)> &visit) const {
  if (!visit(start()))
    return;
  for (size_t step = 0; step < model_.steps().size(); ++step)
    if (const TripleGroup found = group(step); !found.triples.empty() && !visit(found))
      return;
  if (const TripleGroup found = exclusions(); !found.triples.empty())
    visit(found);
}

ObligationScript owickiGriesObligations(const Program &program,
                                        const OwickiGriesEvidence &evidence) {
  const OwickiGries annotation = readOwickiGries(program, evidence);
  const OwickiGriesCheck check(program, annotation);
  ObligationText text(*program.pool);
  ObligationScript script;
  script.preamble = "(set-logic ALL)\n";
  for (Variable variable : check.model().variables())
    script.preamble += text.declare({variable, false}) + text.declare({variable, true});
  for (const OwickiGries::Ghost &ghost : annotation.ghosts)
    script.preamble += text.declare({ghost.variable, false});
  size_t number = 0;
  check.each([&](const TripleGroup &group) {
    script.groups.emplace_back();
    for (const Term &condition : group.conditions)
      script.groups.back().text += text.assertion(condition);
    for (const Triple &triple : group.triples)
      script.groups.back().obligations.push_back(
          {word(triple.kind) + " " + std::to_string(++number), triple.meaning,
           text.assertion(triple.wrong)});
    return true;
  });
  return script;
}

} // namespace understudy::compose::proof
