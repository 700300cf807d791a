// SPDX-License-Identifier: Apache-2.0
//
// A coverability problem as a file states it.
#pragma once

#include "compose/cover/net/TransferNet.h"
#include "logic/Error.h"
#include "logic/Source.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace understudy::specs::net {

/// A transfer net has no zero tests and no exact targets; a file may have them. The problem then
/// allows more runs than the file does: what a test wants to be empty is emptied instead, and an
/// exact count is a lower bound. So "uncoverable" holds for the file, too, and a firing sequence
/// holds if it obeys the tests (`disobeyed`).
struct CoverModel {
  compose::cover::net::CoverProblem problem;
  std::vector<logic::Diagnostic> warnings;

  /// By transition: after its threads are taken, these local states must be empty.
  std::map<uint32_t, std::vector<compose::cover::net::LocalState>> zeroTests;
  /// By target, all of them if there are any: local states whose count must be met exactly. A count
  /// of 0 is not in the target itself.
  std::vector<std::map<compose::cover::net::LocalState, uint32_t>> exactly;
};

/// Does the trace obey the tests of the file? If not, the reason why it proves nothing.
std::optional<std::string> disobeyed(const CoverModel &model,
                                     const compose::cover::net::CoverTrace &trace);

/// A net in mist's format (`.spec`). One shared state; a local state for each variable. Throws
/// `logic::Error` for bad input, `logic::Unsupported` for rules that are no transfers.
CoverModel readMist(const logic::SourceFilePtr &file);

} // namespace understudy::specs::net
