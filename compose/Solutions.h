// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Source.h"
#include "logic/Term.h"
#include "logic/Value.h"

#include <string>
#include <vector>

namespace understudy::compose {

/// All valuations of `unknowns`, each within its sort, that make `formula` true when every other
/// variable occurrence has its value from `known`; sorted, without duplicates.
///
/// An unknown of an infinite sort must be determined: every way to make the formula true equates it
/// with something that can be evaluated. Otherwise throws `logic::Unsupported`, naming `what`.
std::vector<std::vector<logic::Value>> solutions(logic::Term formula,
                                                 const std::vector<logic::VariableUse> &unknowns,
                                                 const logic::Environment &known,
                                                 const std::string &what,
                                                 const logic::SourceRange &where);

/// "leaves 'x' open: it can take infinitely many values".
std::string openText(logic::Variable variable);

/// Is the value one of the sort's?
bool inSort(const logic::Value &value, logic::Sort sort);

} // namespace understudy::compose
