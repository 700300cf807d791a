// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace understudy::logic::solver {

/// Tells computations that run beside one another when to wait. Work is counted, never timed, so
/// that who comes first does not depend on the machine. A unit is one of Z3's resources, about a
/// microsecond.
class Pace {
public:
  Pace() = default;
  virtual ~Pace() = default;
  Pace(const Pace &) = delete;
  Pace &operator=(const Pace &) = delete;

  /// Work has been done. Returns when there may be more of it.
  virtual void spend(uint64_t work) = 0;
  /// The most that may be done before the next `spend`, by what can be stopped. At least 1.
  virtual uint64_t allowance() const = 0;
};

} // namespace understudy::logic::solver
