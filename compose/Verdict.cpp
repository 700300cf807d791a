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

} // namespace understudy::compose
