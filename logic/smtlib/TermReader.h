// SPDX-License-Identifier: Apache-2.0
//
// Z3 expressions as terms: the way back from `Translate.h`. Private to logic/: no other folder may
// see Z3.
//
// The fragment is what Spacer's solutions are made of: connectives, comparisons, linear arithmetic,
// division and remainder by constants, reads and writes of arrays. Z3 rounds quotients down where
// our terms truncate; enums are numbers there and a sort of their own here.
#pragma once

#include "logic/Term.h"

#include <z3++.h>

#include <optional>
#include <unordered_map>
#include <vector>

namespace understudy::logic::smtlib {

class TermReader {
public:
  /// Z3's bound variable number i stands for parameter i.
  TermReader(TermPool &pool, std::vector<Variable> parameters)
      : pool_(pool), parameters_(std::move(parameters)) {}

  /// None for what has no counterpart.
  std::optional<Term> read(const z3::expr &expression);

private:
  TermPool &pool_;
  std::vector<Variable> parameters_;
  std::unordered_map<unsigned, std::optional<Term>> done_;

  std::optional<Term> compute(const z3::expr &e);
  std::optional<Term> application(const z3::expr &e, const std::vector<Term> &operands);
  std::optional<Term> arithmetic(const z3::expr &e, const std::vector<Term> &operands);
  std::optional<Term> comparison(Z3_decl_kind kind, Term a, Term b);
  std::optional<Term> equality(Term a, Term b);
  std::optional<Term> constantArray(Term element);
  std::optional<Term> product(const std::vector<Term> &operands);
  Term quotientDown(Term a, int64_t divisor);
};

} // namespace understudy::logic::smtlib
