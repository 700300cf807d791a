// SPDX-License-Identifier: Apache-2.0
//
// Parts of `CountingCheck`: writing its obligations, and the steps of one thread.
#pragma once

#include "compose/proof/CrowdModel.h"
#include "compose/proof/ObligationText.h"

#include <functional>

namespace understudy::compose::proof {

/// Terms and texts of obligations about counted states.
class ObligationWriter {
public:
  ObligationWriter(const CrowdModel &model, ObligationText &text) : model_(model), text_(text) {}

  static std::string nameOf(size_t invariant) { return "inv!" + std::to_string(invariant); }

  /// The values of the invariants' parameters before the step.
  std::vector<Term> before() const;

  /// The formula for a thread of the crowd: its locals are constants.
  Term atCrowd(size_t crowd, Term formula) const;

  /// The values are those of no crowd at the place.
  Term noCrowdAt(TemplateId thread, LocationId location,
                 const std::function<Term(size_t local)> &value) const;

  Obligation impossible(const std::string &kind, const std::string &meaning,
                        const std::vector<Term> &conditions);
  /// Under the conditions, the invariant of the control holds for the values. A control without
  /// invariant must be impossible.
  Obligation reaches(const std::string &kind, const std::string &from,
                     const std::vector<Term> &conditions, const Control &control,
                     const std::vector<Term> &values);

private:
  const CrowdModel &model_;
  ObligationText &text_;
  size_t number_ = 0;

  std::string nextName(const std::string &kind);
};

/// All cases of the steps that one thread can take while the others are at a control.
class CheckedSteps {
public:
  CheckedSteps(const CrowdModel &model, ObligationWriter &writer, const Control &control,
               std::vector<Obligation> &into)
      : model_(model), writer_(writer), program_(model.program()), control_(control), into_(into) {}

  void addMover(const CountedThread &mover);

private:
  /// Where everybody is after a step.
  struct Outcome {
    std::vector<Term> conditions;
    Control control;
    std::map<size_t, std::vector<Term>> changes; ///< of the counts
  };
  /// The step that is looked at.
  struct Current {
    CountedThread mover;
    const Edge *edge = nullptr;
    std::string words;
    /// Guard and relation, for any values of the mover's locals after the step.
    std::vector<Term> conditions;
  };

  const CrowdModel &model_;
  ObligationWriter &writer_;
  const Program &program_;
  const Control &control_;
  std::vector<Obligation> &into_;
  Current step_;

  logic::TermPool &pool() const { return model_.pool(); }
  void addEdge(const CountedThread &mover, const Edge &edge);
  bool changes(Variable variable) const;
  Term inMover(Term formula) const;
  Term others(size_t crowd) const;
  bool waitsOn(TemplateId thread, LocationId location, CondId cond) const;
  std::vector<size_t> waitingSingles(CondId cond) const;
  std::vector<size_t> waitingCrowds(CondId cond) const;
  void wake(Outcome &outcome, size_t single) const;

  std::vector<Outcome> targets() const;
  void addTargetClosed();

  std::vector<Outcome> act(const Outcome &outcome) const;
  std::vector<Outcome> act(const Outcome &outcome, const Fork &fork) const;
  std::vector<Outcome> act(const Outcome &outcome, const Join &join) const;
  std::vector<Outcome> act(const Outcome &outcome, const SignalCond &signal) const;
  std::vector<Outcome> act(const Outcome &outcome, const BroadcastCond &broadcast) const;
  /// What the action would do to threads outside the listed crowds must be impossible.
  void addActionClosed();
  void addForkClosed(const Fork &fork);
  void addJoinClosed(const Join &join);
  void addWakeClosed(CondId cond);
  std::vector<size_t> joinable(const Join &join) const;
  bool joins(const Join &join, size_t single) const;
  Term canJoin(const Join &join) const;

  void addRelies();
  void addRelies(std::optional<size_t> joined);
  void addRely(const Claim &rely, const Template &other, std::vector<Term> conditions);

  std::vector<Term> valuesAfter(const Outcome &outcome) const;
  void addImpossible(const std::string &kind, const std::string &meaning, std::vector<Term> more);
};

} // namespace understudy::compose::proof
