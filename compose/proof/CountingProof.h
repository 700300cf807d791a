// SPDX-License-Identifier: Apache-2.0
//
// Why a program with any number of threads is safe: an inductive invariant over its globals and
// over counters that say how many threads are where. Data only; `Counting` builds it,
// `CountingCheck` checks it and shares nothing else with the builder.
#pragma once

#include "compose/Program.h"
#include "logic/Value.h"

#include <vector>

namespace understudy::compose::proof {

/// The threads of one template that are at one location with the same values of their locals.
struct Crowd {
  TemplateId thread = 0;
  LocationId location = 0;
  std::vector<logic::Value> locals; ///< in the order of Template::locals
  Variable count;                   ///< of sort Int: how many there are
};

/// Holds whenever the threads that are followed one by one are at `control`.
struct InvariantAt {
  std::vector<LocationId> control; ///< one location for each of CountingProof::singles
  /// Over the globals, the locals of the singles, and the counts of the crowds.
  Term formula;
};

/// No invariant for a control: it is claimed to be unreachable. No crowd for a template, location
/// and valuation: no thread is ever there.
struct CountingProof {
  /// Templates of which exactly one thread exists for certain: started once, with count 1, and by
  /// no fork. They are followed one by one, and their locals may have any sort.
  std::vector<TemplateId> singles;
  std::vector<Crowd> crowds; ///< of all the other templates
  std::vector<InvariantAt> invariants;
};

} // namespace understudy::compose::proof
