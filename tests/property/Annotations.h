// SPDX-License-Identifier: Apache-2.0
//
// Random programs that refine proves, with their annotations, and what is asked of these.
#pragma once

#include "Judging.h"
#include "Support.h"
#include "compose/petri/PetriProgram.h"
#include "compose/proof/Obligations.h"
#include "compose/proof/OwickiGries.h"
#include "compose/refine/InvariantDomain.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace understudy::tests {

using compose::Program;
using compose::proof::Discharge;
using compose::proof::OwickiGries;
using logic::solver::SolverProgram;

struct Proved {
  Program program;
  std::shared_ptr<const compose::petri::PetriProgram> net;
  std::vector<compose::refine::InvariantDomain> domains;
  OwickiGries annotation;
};

struct Tally {
  size_t safe = 0, annotated = 0, notRun = 0, changes = 0;
  std::map<std::string, size_t> without;

  void tell(const std::string &name) const;
};

/// None: it does not compile, or refine does not prove it, or has no annotation for it.
std::optional<Proved> prove(Language language, const std::string &text, Tally &tally);

Discharge::Outcome answer(const Program &program, const OwickiGries &annotation,
                          SolverProgram solver);
/// Accepted by the validator, or the reason why not.
bool accepted(const Program &program, const OwickiGries &annotation);
/// The program run with its ghosts, and steps from other states in which all assertions hold.
void checkMeaning(const Proved &proved, const OwickiGries &annotation, uint64_t seed, Tally &tally);
/// One change: an update or a part of one gone or other, an assertion weaker, stronger or gone, a
/// ghost that begins otherwise, a slot too few.
OwickiGries mutated(const Program &program, OwickiGries annotation, Random &random);

} // namespace understudy::tests
