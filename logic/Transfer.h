// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Term.h"

#include <map>
#include <string>
#include <unordered_map>

namespace understudy::logic {

/// New names of variables, their scopes, enums and enumerators.
using NewNames = std::map<std::string, std::string>;

/// The same sorts, variables and terms in another pool, under other names if there are any. Only
/// reads the pool they come from, so that another thread may create terms there.
class Transfer {
public:
  explicit Transfer(TermPool &target, NewNames names = {})
      : target_(target), names_(std::move(names)) {}

  Sort operator()(Sort sort);
  Variable operator()(Variable variable);
  Term operator()(Term term);
  std::string operator()(const std::string &name) const;

private:
  TermPool &target_;
  NewNames names_;
  std::unordered_map<Term, Term> done_;

  Term compute(Term term);
};

} // namespace understudy::logic
