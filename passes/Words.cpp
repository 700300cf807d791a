// SPDX-License-Identifier: Apache-2.0
#include "passes/Conform.h"

#include <stdexcept>

namespace understudy::passes {

std::string word(ConformAnswer answer) {
  switch (answer) {
  case ConformAnswer::Conforms:
    return "conforms";
  case ConformAnswer::Violates:
    return "violates";
  case ConformAnswer::Unknown:
    return "unknown";
  }
  throw std::logic_error("unknown answer");
}

std::string word(StatedOutcome outcome) {
  switch (outcome) {
  case StatedOutcome::Holds:
    return "holds";
  case StatedOutcome::NotConfirmed:
    return "not confirmed";
  case StatedOutcome::NotNeeded:
    return "not needed";
  }
  throw std::logic_error("unknown outcome");
}

std::string word(ViolationKind kind) {
  switch (kind) {
  case ViolationKind::Step:
    return "step";
  case ViolationKind::Assertion:
    return "assertion";
  case ViolationKind::Atomic:
    return "atomic-assertion";
  case ViolationKind::Return:
    return "return";
  case ViolationKind::Marker:
    return "marker";
  case ViolationKind::Range:
    return "range";
  case ViolationKind::Underflow:
    return "underflow";
  case ViolationKind::Overflow:
    return "overflow";
  case ViolationKind::Guard:
    return "guard";
  case ViolationKind::Lock:
    return "lock";
  case ViolationKind::Start:
    return "start";
  }
  throw std::logic_error("unknown kind");
}

} // namespace understudy::passes
