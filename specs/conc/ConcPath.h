// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "specs/check/Unit.h"

#include <map>
#include <set>
#include <vector>

namespace understudy::specs::conc {

using logic::SourceRange;

/// One way through an atomic section, up to some point.
struct Path {
  std::map<logic::Variable, logic::Term> values; ///< of the variables that were changed
  std::vector<logic::Term> conditions;
  compose::Action action;
  SourceRange actionRange;
  std::set<logic::Variable> changedAfterAction;
};

/// Does the path need the value that was freely chosen for the variable?
bool mentions(const Path &path, logic::Variable variable);

/// The two branches of an `if` on `test`, which `path` reached, as one path again.
void join(logic::TermPool &pool, Path &path, logic::Term test, const Path &yes, const Path &no);

} // namespace understudy::specs::conc
