// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Limits.h"
#include "logic/Term.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace understudy::compose::refine {

using logic::Term;
using logic::Variable;

/// One step of a run: a relation between the values before (`x`) and after (`x'`), as a list of
/// conjuncts. Variables outside `modified` keep their values; a modified variable that no conjunct
/// mentions after the step gets any value of its sort.
struct Step {
  std::vector<Term> conjuncts;
  std::vector<Variable> modified; ///< sorted, without duplicates
};

/// predicates[i] holds after the first i steps: predicates[0] is empty (true), the last one is
/// {false}, and {predicates[i]} steps[i] {predicates[i + 1]} for every i. Each entry is a list of
/// conjuncts over values before a step (no primes), without quantifiers.
struct Interpolants {
  std::vector<std::vector<Term>> predicates;
  std::string method; ///< "weakest precondition", "templates" ...
};

struct InterpolationOptions : Limits {
  uint64_t resources = 20'000'000; ///< Z3's rlimit of one query
};

/// Every sequence that the portfolio finds for an infeasible run, each checked step by step against
/// the full steps. Empty: none was found.
std::vector<Interpolants> interpolate(logic::TermPool &pool, std::span<const Step> steps,
                                      const InterpolationOptions &options = {});

} // namespace understudy::compose::refine
