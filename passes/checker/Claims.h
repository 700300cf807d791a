// SPDX-License-Identifier: Apache-2.0
//
// What a contract claims (assertions of states, exclusions), and whether the code says anything of
// the kind itself.
#pragma once

#include "passes/Conform.h"
#include "passes/lower/Lower.h"

namespace understudy::passes::checker {

/// What the state says that the composition checks.
std::vector<Unused> claimsAt(const compose::Program &contract, const compose::Place &state);

/// The code has no assertion and no marker.
bool isSilent(const lower::Lowered &lowered);

/// The assumptions that threads with silent code make necessary.
class SilentCode {
public:
  explicit SilentCode(const specs::Compiled &contract) : contract_(contract) {}
  /// A thread that was checked; `silent`: it conforms, and its code is silent.
  void add(const specs::ThreadBinding &thread, bool silent);
  std::vector<std::string> assumptions() const;

private:
  const specs::Compiled &contract_;
  size_t threads_ = 0;
  std::vector<const specs::ThreadBinding *> silent_;

  bool claimsSomething(const specs::ThreadBinding &thread) const;
};

} // namespace understudy::passes::checker
