// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Term.h"

#include <unordered_map>

namespace understudy::logic {

/// The same sorts, variables and terms in another pool. Only reads the pool they come from, so that
/// another thread may create terms there.
class Transfer {
public:
  explicit Transfer(TermPool &target) : target_(target) {}

  Sort operator()(Sort sort);
  Variable operator()(Variable variable);
  Term operator()(Term term);

private:
  TermPool &target_;
  std::unordered_map<Term, Term> done_;

  Term compute(Term term);
};

} // namespace understudy::logic
