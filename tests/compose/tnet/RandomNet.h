// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/tnet/Net.h"

#include <cstdint>
#include <string>

namespace understudy::tests {

/// A small random net whose guards use these relations only: threads that spawn, end, meet, and
/// write ids down; places with columns of ids and of data.
std::string randomNet(uint64_t seed, compose::tnet::Relations relations);

} // namespace understudy::tests
