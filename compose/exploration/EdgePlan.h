// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/exploration/Code.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace understudy::compose::exploration {

/// How to compute all values of some unknown slots that satisfy a formula, given the other slots:
/// a list of checks, assignments (`x' == e`) and enumerations (finite sorts), made once and run
/// many times. A disjunction that has to be split makes several alternatives, whose solutions may
/// overlap.
class EdgePlan {
public:
  /// `unknowns` are occurrences of variables; every other variable of the formula is known.
  EdgePlan(logic::Term formula, const std::vector<logic::VariableUse> &unknowns,
           const SlotOf &slotOf);

  /// Calls `found` with the unknown slots filled in, for every solution. Throws
  /// `logic::Unsupported` with the `openText` of a variable that cannot be enumerated.
  void run(int64_t *slots, ArrayTable &arrays, const std::function<void()> &found) const;

private:
  struct Action {
    enum class Kind : uint8_t { Check, Assign, Enumerate, Stuck } kind = Kind::Check;
    Code code;                        ///< of Check and Assign
    uint32_t slot = 0;                ///< of Assign and Enumerate
    logic::Sort sort;                 ///< of the variable
    std::vector<logic::Value> values; ///< of Enumerate
    std::string open;                 ///< of Stuck: what is left open
  };
  using Alternative = std::vector<Action>;

  class Builder;
  std::vector<Alternative> alternatives_;

  static void runFrom(const Alternative &alternative, size_t at, int64_t *slots, ArrayTable &arrays,
                      const std::function<void()> &found);
};

} // namespace understudy::compose::exploration
