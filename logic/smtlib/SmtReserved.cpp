// SPDX-License-Identifier: Apache-2.0
//
// Found by declaring every word in cvc5 1.0 and z3 4.8; z3 accepts most of them, cvc5 does not.
#include "logic/smtlib/SmtReserved.h"

#include <algorithm>
#include <array>

namespace understudy::logic::smtlib {

namespace {

constexpr auto reservedWords = std::to_array<std::string_view>({"!",
                                                                "Array",
                                                                "BINARY",
                                                                "Bool",
                                                                "DECIMAL",
                                                                "HEXADECIMAL",
                                                                "Int",
                                                                "NUMERAL",
                                                                "RNA",
                                                                "RNE",
                                                                "RTN",
                                                                "RTP",
                                                                "RTZ",
                                                                "Real",
                                                                "STRING",
                                                                "String",
                                                                "_",
                                                                "abs",
                                                                "and",
                                                                "arccos",
                                                                "arccot",
                                                                "arccsc",
                                                                "arcsec",
                                                                "arcsin",
                                                                "arctan",
                                                                "array-ext",
                                                                "as",
                                                                "assert",
                                                                "bag",
                                                                "check-sat",
                                                                "concat",
                                                                "const",
                                                                "cos",
                                                                "cot",
                                                                "csc",
                                                                "distinct",
                                                                "div",
                                                                "echo",
                                                                "eqrange",
                                                                "exists",
                                                                "exit",
                                                                "exp",
                                                                "false",
                                                                "forall",
                                                                "fp",
                                                                "iff",
                                                                "implies",
                                                                "include",
                                                                "int2bv",
                                                                "is",
                                                                "is_int",
                                                                "ite",
                                                                "lambda",
                                                                "let",
                                                                "match",
                                                                "mod",
                                                                "not",
                                                                "or",
                                                                "par",
                                                                "pop",
                                                                "pto",
                                                                "push",
                                                                "reset",
                                                                "roundNearestTiesToAway",
                                                                "roundNearestTiesToEven",
                                                                "roundTowardNegative",
                                                                "roundTowardPositive",
                                                                "roundTowardZero",
                                                                "sec",
                                                                "select",
                                                                "sep",
                                                                "simplify",
                                                                "sin",
                                                                "sqrt",
                                                                "store",
                                                                "tan",
                                                                "to_int",
                                                                "to_real",
                                                                "true",
                                                                "tuple",
                                                                "update",
                                                                "wand",
                                                                "xor"});

// Operations of theories: set.union, bvadd, ...
constexpr auto prefixes = std::to_array<std::string_view>(
    {"bag.", "bv", "fp.", "int.", "re.", "rel.", "seq.", "set.", "str.", "table."});

static_assert(std::is_sorted(reservedWords.begin(), reservedWords.end()));

} // namespace

bool isReservedInSmtLib(std::string_view name) {
  return std::binary_search(reservedWords.begin(), reservedWords.end(), name) ||
         std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

} // namespace understudy::logic::smtlib
