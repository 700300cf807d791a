// SPDX-License-Identifier: Apache-2.0
//
// Random syntax trees without source ranges, of every construct. Parentheses stand where the
// grammar needs them, so that parsing the printed tree gives the tree.
#pragma once

#include "specs/Parse.h"

#include <cstdint>

namespace understudy::tests {

specs::Parsed<specs::Contract> randomContract(uint64_t seed);
specs::Parsed<specs::ConcFile> randomConc(uint64_t seed);

} // namespace understudy::tests
