// SPDX-License-Identifier: Apache-2.0
//
// The problem: is an invariant over globals, control and counters inductive, and does it exclude
// everything that goes wrong, for any number of threads? The idea: a case distinction that follows
// the semantics in `Program.h` literally. Who moves (a thread that is followed, or one of a crowd,
// which then has at least one), along which edge, where to, and what the action does to others;
// every case is one question to a solver.
//
// Deviations, all of which allow more steps than the program has: a fork gives any id; a join by id
// takes any thread that could have it; a fork is possible even if no start of its thread is.
#include "compose/proof/CountingCheck.h"

#include "compose/proof/CountingCheckSteps.h"
#include "logic/Error.h"

namespace understudy::compose::proof {

namespace {

class CountingScript {
public:
  CountingScript(const Program &program, const CountingEvidence &evidence)
      : model_(program, evidence), program_(program), evidence_(evidence), text_(*program.pool),
        writer_(model_, text_) {}

  ObligationScript run() {
    script_.preamble = preamble();
    script_.groups.push_back({"", {}});
    addStarts();
    for (size_t i = 0; i < evidence_.invariants.size(); ++i)
      addControl(i);
    return std::move(script_);
  }

private:
  CrowdModel model_;
  const Program &program_;
  const CountingEvidence &evidence_;
  ObligationText text_;
  ObligationWriter writer_;
  ObligationScript script_;

  logic::TermPool &pool() const { return model_.pool(); }

  std::string preamble() {
    std::string text = "(set-logic ALL)\n";
    for (size_t i = 0; i < evidence_.invariants.size(); ++i) {
      std::string where = model_.controlText(evidence_.invariants[i].control);
      text += text_.define(ObligationWriter::nameOf(i), model_.parameters(),
                           evidence_.invariants[i].formula, "the invariant for " + where);
    }
    for (Variable global : program_.globals)
      text += text_.declare({global, false}) + text_.declare({global, true});
    for (TemplateId id = 0; id < program_.templates.size(); ++id) {
      const Template &thread = program_.templates[id];
      // Parameters are values of the crowd, or those that the fork gives, which may be out of
      // range.
      for (size_t i = 0; i < thread.locals.size(); ++i)
        text += (i < thread.parameters.size() ? "" : text_.declare({thread.locals[i], false})) +
                text_.declare({thread.locals[i], true});
    }
    for (size_t crowd = 0; crowd < evidence_.crowds.size(); ++crowd) {
      text += text_.declare({model_.counts()[crowd], false});
      text += text_.assertion(pool().lessEqual(pool().integer(0), model_.count(crowd)));
    }
    return text;
  }

  void add(Obligation obligation) {
    script_.groups.back().obligations.push_back(std::move(obligation));
  }

  // ---- the start

  std::vector<Control> startControls() const {
    std::vector<Control> result{{}};
    for (TemplateId single : evidence_.singles) {
      std::vector<Control> longer;
      for (const Control &control : result)
        for (LocationId location : model_.thread(single).initials) {
          longer.push_back(control);
          longer.back().push_back(location);
        }
      result = std::move(longer);
    }
    return result;
  }

  /// The threads of `run`: at least so many, and no more unless any number may be started.
  struct Started {
    uint64_t least = 0;
    bool open = false;
  };
  Started started(TemplateId thread) const {
    Started result;
    for (const Start &start : program_.starts) {
      if (start.thread != thread)
        continue;
      if (start.unbounded)
        result.open = true;
      else
        result.least += start.count;
    }
    return result;
  }

  void addStarts() {
    std::vector<Term> conditions{program_.initial};
    for (TemplateId single : evidence_.singles)
      conditions.push_back(model_.thread(single).initial);
    for (TemplateId id = 0; id < program_.templates.size(); ++id)
      if (!model_.singleOf(id))
        addStartOf(id, conditions);
    for (const Control &control : startControls())
      add(writer_.reaches("start", "the initial state", conditions, control, writer_.before()));
  }

  /// Where the threads of a template may be; and that each of them is in a listed crowd.
  void addStartOf(TemplateId id, std::vector<Term> &conditions) {
    const Template &thread = model_.thread(id);
    Started number = started(id);
    std::vector<Term> counts;
    for (size_t crowd = 0; crowd < evidence_.crowds.size(); ++crowd) {
      if (evidence_.crowds[crowd].thread != id)
        continue;
      Term count = model_.count(crowd);
      if (std::find(thread.initials.begin(), thread.initials.end(),
                    evidence_.crowds[crowd].location) == thread.initials.end()) {
        conditions.push_back(pool().equal(count, pool().integer(0)));
        continue;
      }
      counts.push_back(count);
      conditions.push_back(pool().implies(pool().lessEqual(pool().integer(1), count),
                                          writer_.atCrowd(crowd, thread.initial)));
    }
    Term all = pool().sum(std::move(counts));
    Term least = pool().integer(static_cast<int64_t>(number.least));
    conditions.push_back(number.open ? pool().lessEqual(least, all) : pool().equal(least, all));
    if (!number.open && number.least == 0)
      return;
    for (LocationId location : thread.initials)
      add(writer_.impossible(
          "closed",
          "every " + thread.name + " thread that starts in " + thread.locations[location].name +
              " is in a listed crowd" + placeNote(thread.range),
          {program_.initial, thread.initial, writer_.noCrowdAt(id, location, [&](size_t local) {
             return pool().var(thread.locals[local]);
           })}));
  }

  // ---- the states and steps at one control

  void addControl(size_t invariant) {
    const Control &control = evidence_.invariants[invariant].control;
    script_.groups.push_back({ObligationText::assertion(ObligationText::application(
                                  ObligationWriter::nameOf(invariant), writer_.before())),
                              {}});
    addClaims(control);
    CheckedSteps steps(model_, writer_, control, script_.groups.back().obligations);
    for (size_t s = 0; s < control.size(); ++s)
      steps.addMover({evidence_.singles[s], control[s], s, std::nullopt});
    for (size_t crowd = 0; crowd < evidence_.crowds.size(); ++crowd)
      steps.addMover(
          {evidence_.crowds[crowd].thread, evidence_.crowds[crowd].location, std::nullopt, crowd});
    if (script_.groups.back().obligations.empty())
      script_.groups.pop_back();
  }

  void addClaims(const Control &control) {
    std::string here = ", " + model_.controlText(control);
    for (const Claim &claim : program_.invariants)
      add(writer_.impossible("invariant",
                             "'" + claim.text + "' holds" + placeNote(claim.range) + here,
                             {pool().negate(claim.formula)}));
    for (const Exclusion &exclusion : program_.exclusions)
      if (auto together = bothPlaces(control, exclusion))
        add(writer_.impossible("exclusion",
                               "'" + exclusion.text + "' holds" + placeNote(exclusion.range) + here,
                               {*together}));
  }

  /// Two different threads are at the places; none: they cannot be.
  std::optional<Term> bothPlaces(const Control &control, const Exclusion &exclusion) const {
    auto [first, second] = std::pair(exclusion.first, exclusion.second);
    auto firstSingle = model_.singleOf(first.thread);
    auto secondSingle = model_.singleOf(second.thread);
    if ((firstSingle && control[*firstSingle] != first.location) ||
        (secondSingle && control[*secondSingle] != second.location) ||
        (firstSingle && firstSingle == secondSingle))
      return std::nullopt;
    auto atLeast = [&](int64_t number, const Place &place) {
      return pool().lessEqual(pool().integer(number),
                              model_.crowdedAt(place.thread, place.location, {}));
    };
    bool same = first.thread == second.thread && first.location == second.location;
    std::vector<Term> parts;
    if (!firstSingle)
      parts.push_back(atLeast(same ? 2 : 1, first));
    if (!secondSingle && !same)
      parts.push_back(atLeast(1, second));
    return pool().conjunction(std::move(parts));
  }
};

/// The id that a fork gives may be any number.
void refuseBoundedIds(const Program &program) {
  for (const Template &thread : program.templates)
    for (const Edge &edge : thread.edges)
      if (const auto *fork = std::get_if<Fork>(&edge.action);
          fork && fork->result && fork->result->sort().kind() != logic::SortKind::Int)
        throw logic::Unsupported("the id that fork gives is stored in '" + fork->result->name() +
                                     "', which is bounded",
                                 edge.range);
}

} // namespace

ObligationScript countingObligations(const Program &program, const CountingEvidence &evidence) {
  refuseBoundedIds(program);
  return CountingScript(program, evidence).run();
}

} // namespace understudy::compose::proof
