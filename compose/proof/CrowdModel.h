// SPDX-License-Identifier: Apache-2.0
//
// The states that counting evidence speaks of, and whether it fits the program.
#pragma once

#include "compose/Program.h"
#include "compose/proof/Evidence.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace understudy::compose::proof {

using Control = std::vector<LocationId>; ///< of the threads followed one by one

/// One thread that may move while the others are at a control.
struct CountedThread {
  TemplateId thread = 0;
  LocationId location = 0;
  std::optional<size_t> single; ///< its index, or
  std::optional<size_t> crowd;  ///< that of its crowd
};

class CrowdModel {
public:
  /// Throws InvalidEvidence when the evidence does not fit: a thread that is followed but may not
  /// be alone, a place that does not exist, the same crowd or control twice.
  CrowdModel(const Program &program, const CountingEvidence &evidence);

  const Program &program() const { return program_; }
  const CountingEvidence &evidence() const { return evidence_; }
  logic::TermPool &pool() const { return *program_.pool; }
  const Template &thread(TemplateId id) const { return program_.templates[id]; }

  /// Of every invariant: the globals, the locals of the singles, the counts.
  const std::vector<Variable> &parameters() const { return parameters_; }
  size_t firstCount() const { return parameters_.size() - counts_.size(); }
  Term count(size_t crowd) const { return pool().var(counts_[crowd]); }
  const std::vector<Variable> &counts() const { return counts_; }

  std::optional<size_t> singleOf(TemplateId thread) const;
  std::optional<size_t> invariantAt(const Control &control) const;
  std::vector<size_t> crowdsAt(TemplateId thread, LocationId location) const;
  std::optional<size_t> crowdAt(TemplateId thread, LocationId location,
                                const std::vector<logic::Value> &locals) const;
  /// How many are in the crowds at the place, without those in `absent` (once for each mention).
  Term crowdedAt(TemplateId thread, LocationId location,
                 const std::vector<std::optional<size_t>> &absent) const;

  /// "PnpStop in Waiting, Timer in Idle": for readers.
  std::string controlText(const Control &control) const;
  Term localValue(TemplateId thread, size_t local, const logic::Value &value) const;

private:
  const Program &program_;
  const CountingEvidence &evidence_;
  std::vector<Variable> counts_;
  std::vector<Variable> parameters_;
  std::map<Control, size_t> controls_;
  using Place = std::pair<TemplateId, LocationId>;
  std::map<Place, std::vector<size_t>> places_;

  void checkSingles() const;
  void checkSingle(TemplateId thread) const;
  void readCrowds();
  void readControls();
};

} // namespace understudy::compose::proof
