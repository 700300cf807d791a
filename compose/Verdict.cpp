// SPDX-License-Identifier: Apache-2.0
#include "compose/Verdict.h"

#include <stdexcept>

namespace understudy::compose {

std::string word(Answer answer) {
  switch (answer) {
  case Answer::Safe:
    return "safe";
  case Answer::Unsafe:
    return "unsafe";
  case Answer::Unknown:
    return "unknown";
  }
  throw std::logic_error("unknown answer");
}

std::string word(EngineName engine) {
  switch (engine) {
  case EngineName::Explicit:
    return "explicit";
  case EngineName::Count:
    return "count";
  case EngineName::Refine:
    return "refine";
  case EngineName::Cover:
    return "cover";
  case EngineName::Sequential:
    return "sequential";
  }
  throw std::logic_error("unknown engine");
}

} // namespace understudy::compose
