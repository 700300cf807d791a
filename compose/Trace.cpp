// SPDX-License-Identifier: Apache-2.0
#include "compose/Trace.h"

#include <algorithm>

namespace understudy::compose {

const Thread *Configuration::find(uint32_t number) const {
  auto found = std::lower_bound(threads.begin(), threads.end(), number,
                                [](const Thread &t, uint32_t n) { return t.number < n; });
  return found != threads.end() && found->number == number ? &*found : nullptr;
}

} // namespace understudy::compose
