// SPDX-License-Identifier: Apache-2.0
//
// Is an Owicki-Gries annotation valid (ghosts of empires, Definition 3.5)?
#pragma once

#include "compose/proof/Evidence.h"
#include "compose/proof/Obligations.h"
#include "compose/proof/SlotModel.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace understudy::compose::proof {

enum class TripleKind : uint8_t {
  Start,        ///< the start satisfies an assertion
  Local,        ///< a step of the thread leads from assertion to assertion
  Interference, ///< a step keeps the assertion of a thread that takes no part
  Error,        ///< a step that goes wrong is impossible
  Bound,        ///< there is a slot for every thread that is forked
  Range,        ///< the arguments of a fork lie in the ranges of the parameters
  Invariant,    ///< a claim of the program holds at the start, and after a step
  Rely,         ///< a step keeps what another thread relies on
  Exclusion,    ///< two threads are not where they must not be together
};
std::string word(TripleKind kind);

/// What must be impossible: all of the group's conditions, and `wrong`.
struct Triple {
  TripleKind kind = TripleKind::Local;
  std::string meaning;
  Term wrong;
  std::optional<SlotPlace> place{}; ///< whose assertion it is about
  /// The assertion as it must hold there, over the values before and after.
  Term claim{};
};

struct TripleGroup {
  std::optional<size_t> step; ///< of SlotModel::steps
  std::vector<Term> conditions;
  std::vector<Triple> triples;
};

/// Computes what must be shown from the program and the annotation. If nothing of it can happen,
/// the program never goes wrong: by induction, in every state each slot's assertion holds.
/// Interference is asked wherever two threads may be together as far as `SlotModel` knows, so no
/// exploration is needed. Deadlock is not looked at.
class OwickiGriesCheck {
public:
  /// Throws InvalidEvidence when the annotation does not fit the program.
  OwickiGriesCheck(const Program &program, const OwickiGries &annotation);

  const SlotModel &model() const { return model_; }
  /// Calls `visit` with each group in turn; ends when it says false.
  void each(const std::function<bool(const TripleGroup &)> &visit) const;

  /// The assertion; false if there is none.
  Term at(SlotPlace place) const { return assertions_[place]; }
  /// What the formula about the state after the step means before it, ghosts included: over primed
  /// variables where the step changes them.
  Term after(const SlotStep &step, Term formula) const;

private:
  const Program &program_;
  const OwickiGries &annotation_;
  SlotModel model_;
  logic::TermPool &pool_;
  std::vector<Term> assertions_;                          ///< by place
  std::map<size_t, const OwickiGries::Update *> updates_; ///< by step

  void readAssertions();
  void readUpdates();
  void requireKnown(Term formula, const std::set<Variable> &known, const std::string &what) const;
  TripleGroup start() const;
  TripleGroup exclusions() const;
  TripleGroup group(size_t step) const;
  void addClaims(const SlotStep &step, TripleGroup &into) const;
  void addRelies(const SlotStep &step, TripleGroup &into) const;
  Term broken(const SlotStep &step, Term twoState) const;
};

/// The same as a script for a solver. Throws InvalidEvidence.
ObligationScript owickiGriesObligations(const Program &program,
                                        const OwickiGriesEvidence &evidence);

/// The annotation with its formulas read. Throws InvalidEvidence for what has no meaning, and
/// `logic::Error` for a text that is no formula.
OwickiGries readOwickiGries(const Program &program, const OwickiGriesEvidence &evidence);
OwickiGriesEvidence evidenceOf(const OwickiGries &annotation);

} // namespace understudy::compose::proof
