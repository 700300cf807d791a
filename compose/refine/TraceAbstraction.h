// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Budget.h"
#include "compose/petri/PetriProgram.h"
#include "compose/refine/Feasibility.h"
#include "compose/refine/HoareTriples.h"
#include "compose/refine/InvariantDomain.h"

#include <string>
#include <vector>

namespace understudy::compose::refine {

/// How runs are looked for.
enum class Search : uint8_t {
  Explore, ///< one marking after the other
  Unfold,  ///< in the complete finite prefix of the unfolding
};

struct AbstractionOptions {
  Search search = Search::Unfold;
  uint64_t resources = 20'000'000; ///< Z3's rlimit of one query
  uint64_t maxStates = 1'000'000;  ///< of one search for a run: states, or events
  uint64_t maxRefinements = 200;
  uint64_t maxPredicates = 200; ///< of one automaton
  uint64_t maxSetAside = 5;     ///< runs that are left open while others are looked for
  /// Of a search beside those: they tie steps together, so that their orders are enumerated.
  uint64_t maxStatesAside = 50'000;
};

/// What one check of a specification cost.
struct AbstractionStatistics {
  uint64_t refinements = 0;
  uint64_t automata = 0;   ///< those taken over included
  uint64_t predicates = 0; ///< of all automata
  uint64_t places = 0;     ///< of the net
  uint64_t transitions = 0;
  uint64_t states = 0;     ///< of the last exploration: (marking, automata states)
  uint64_t events = 0;     ///< of the last unfolding
  uint64_t conditions = 0; ///< of the last unfolding
  uint64_t queries = 0;
  double seconds = 0;
};

struct AbstractionResult {
  enum class Outcome : uint8_t { Holds, Violated, Open };
  Outcome outcome = Outcome::Open;
  std::string reason;     ///< of Open
  petri::Run run;         ///< of Violated: transitions of the Petri program
  Execution execution;    ///< of Violated: states[i + 1] after the first i transitions
  InvariantDomain domain; ///< of Holds
  AbstractionStatistics statistics;
};

/// The predicates of automata found so far: they are kept from one limit, and one specification, to
/// the next.
using Predicates = std::vector<std::vector<Term>>;

/// Trace abstraction: runs that mark a bad place are found, and excluded by Floyd-Hoare automata
/// when they are infeasible, until there are none or one is feasible. A run that is neither shown
/// to be feasible nor excluded is set aside: if no other is feasible, the outcome is Open with the
/// reason of the first. New predicates are added to `known`. Never throws for what it cannot
/// decide. Precondition: the program has a start.
AbstractionResult checkSpecification(const Program &program, const petri::PetriProgram &petri,
                                     petri::Specification specification, Predicates &known,
                                     HoareTriples &triples, Budget &budget,
                                     const AbstractionOptions &options);

} // namespace understudy::compose::refine
