// SPDX-License-Identifier: Apache-2.0
//
// Random syntax trees without source ranges, of every construct. Parentheses stand where the
// grammar needs them, so that parsing the printed tree gives the tree.
#pragma once

#include "specs/syntax/Parse.h"

#include <cstdint>

namespace understudy::tests {

specs::syntax::Parsed<specs::syntax::Contract> randomContract(uint64_t seed);
specs::syntax::Parsed<specs::syntax::ConcFile> randomConc(uint64_t seed);

} // namespace understudy::tests
