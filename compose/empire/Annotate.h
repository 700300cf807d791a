// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Budget.h"
#include "compose/petri/PetriProgram.h"
#include "compose/proof/OwickiGries.h"
#include "compose/refine/InvariantDomain.h"

#include <vector>

namespace understudy::compose::empire {

/// All limits are counts, so that the annotation does not depend on the machine's speed.
struct AnnotateOptions {
  uint64_t maxConfigurations = 100'000; ///< of the proof
  uint64_t maxStates = 20'000;          ///< of the empire
  uint64_t maxNaive = 1'000;            ///< markings up to which the naive one is made, too
  uint64_t maxTriples = 150'000;        ///< looked at while states are merged
  uint64_t maxQueries = 1'500;          ///< asked while states are merged
  enum class Effort : uint8_t { Naive, Saturated, Focused, Merged } effort = Effort::Merged;
};

struct AnnotateStatistics {
  uint64_t places = 0; ///< of the net
  uint64_t transitions = 0;
  uint64_t markings = 0;
  uint64_t configurations = 0;
  uint64_t states = 0;    ///< of the empire
  uint64_t naiveSize = 0; ///< of the naive annotation of Definition 3.8
  uint64_t size = 0;
  uint64_t ghosts = 0;
  uint64_t updates = 0;
  uint64_t obligations = 0; ///< of its validity
  uint64_t queries = 0;
  double seconds = 0;
};

struct Annotated {
  proof::OwickiGries annotation;
  AnnotateStatistics statistics;
};

/// An Owicki-Gries annotation from a safe invariant domain of the petrified program, for both
/// specifications: valid, and never larger than the naive one. With a smaller effort than `Merged`
/// what the paper describes is made, and not checked.
/// Throws `logic::Unsupported` with the reason when a limit is met.
Annotated annotate(const Program &program, const petri::PetriProgram &petri,
                   const std::vector<refine::InvariantDomain> &domains, Budget &budget,
                   const AnnotateOptions &options = {});

} // namespace understudy::compose::empire
