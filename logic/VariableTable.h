// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Term.h"

#include <unordered_map>
#include <vector>

namespace understudy::logic {

/// `variablesOf`, for many terms that share subterms: every distinct subterm is looked at once.
class VariableTable {
public:
  /// Ascending. Valid as long as the table.
  const std::vector<VariableUse> &of(Term term);

private:
  std::unordered_map<Term, std::vector<VariableUse>> known_;

  std::vector<VariableUse> unite(Term term) const;
};

} // namespace understudy::logic
