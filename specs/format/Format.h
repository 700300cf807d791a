// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "specs/syntax/Parse.h"

#include <string>

namespace understudy::specs::format {

/// The canonical layout, comments kept. format(parse(format(x))) == format(x), and both parse to
/// the same tree up to source ranges and the order of members that section 8 of the contract
/// language prescribes.
std::string format(const syntax::Parsed<syntax::Contract> &contract);
std::string format(const syntax::Parsed<syntax::ConcFile> &program);
std::string format(const syntax::Parsed<syntax::NetFile> &net);

/// An expression on one line, as it would appear in the canonical layout.
std::string format(const syntax::Expr &expression);
/// "guarded by m"
std::string format(const syntax::DisciplineRef &discipline);

} // namespace understudy::specs::format
