// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace understudy::tools {

/// What the process tells its caller; the same for every command.
enum ExitCode : int {
  Proven = 0,
  Violation = 1,
  BadInput = 2, ///< or bad usage, or output that cannot be written
  Undecided = 3,
  InternalError = 4,
};

} // namespace understudy::tools
