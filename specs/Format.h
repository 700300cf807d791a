// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "specs/Parse.h"

#include <string>

namespace understudy::specs {

/// The canonical layout, comments kept. format(parse(format(x))) == format(x), and both parse to
/// the same tree up to source ranges and the order of members that section 8 of the contract
/// language prescribes.
std::string format(const Parsed<Contract> &contract);
std::string format(const Parsed<ConcFile> &program);

/// An expression on one line, as it would appear in the canonical layout.
std::string format(const Expr &expression);

} // namespace understudy::specs
