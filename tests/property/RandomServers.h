// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace understudy::tests {

/// A small random CONC program in which the names of threads say nothing: listeners that are alike
/// fork handlers with fresh ids, which they keep, copy, compare, publish and join by. Many of its
/// states differ only in these ids. At most a few threads are alive at once.
std::string randomServers(uint64_t seed);

} // namespace understudy::tests
