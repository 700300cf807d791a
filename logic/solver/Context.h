// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <z3++.h>

namespace understudy::logic::solver {

/// A context of Z3. Each fills tables of 17 MB when it is made, so the memory of one that is gone
/// is kept for the next: getting pages from the system cost more than most questions.
class Context : public z3::context {
public:
  Context();
};

} // namespace understudy::logic::solver
