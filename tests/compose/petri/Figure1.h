// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace understudy::tests {

/// Figure 1 of the petrification paper: correct, of thread width 2, without a bound on i.
inline constexpr const char *figure1 = R"(
global int c = 0, i = 0;
thread main {
  while (true) {
    fork i w();
    if (i > 0) { join i - 1; }
    i := i + 1;
  }
}
thread w {
  c := c + i;
  assert c <= 2 * i;
  c := c - i;
}
)";

} // namespace understudy::tests
