// SPDX-License-Identifier: Apache-2.0
//
// Limits that hold whatever the work does: it goes on in a child process, and the parent watches
// the child and all that it starts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace understudy::tools {

struct ProcessLimits {
  double seconds = 0;     ///< 0: no limit
  uint64_t megabytes = 0; ///< of the child and what it started; 0: no limit
};

struct ChildEnd {
  int code = 0;        ///< of a child that ended by itself
  std::string stopped; ///< the limit that stopped it, as a sentence; empty: none did
};

/// Returns twice: nothing in the child, which does the work, and in the parent, when the child has
/// ended, how it did. To be called before there are threads.
std::optional<ChildEnd> continueInChild(const ProcessLimits &limits);

} // namespace understudy::tools
