// SPDX-License-Identifier: Apache-2.0
//
// Random terms and states for the tests of logic/.
#pragma once

#include "logic/Term.h"
#include "logic/Value.h"
#include "tests/Support.h"

#include <map>

namespace understudy::tests {

using State = std::map<logic::VariableUse, logic::Value>;

logic::Environment environmentOf(const State &state);

/// What terms are made of.
struct Vocabulary {
  std::vector<logic::Term> bools;
  std::vector<logic::Term> integers;
  std::vector<logic::Term> enums; ///< of one sort
  std::vector<logic::Term> integerArrays;
  std::vector<logic::Term> boolArrays;
  std::vector<int64_t> constants;
  /// Values of unbounded variables in random states.
  std::vector<int64_t> numbers;

  std::vector<logic::Term> all() const;
};

/// All sorts; numbers at the edges of 64 bits.
Vocabulary wideVocabulary(logic::TermPool &pool);
/// Few states: Booleans, small ranges, an enum and, if asked for, an array of two elements.
enum class Arrays { Without, With };
Vocabulary smallVocabulary(logic::TermPool &pool, Arrays arrays);

class RandomTerm {
public:
  RandomTerm(logic::TermPool &pool, const Vocabulary &vocabulary, Random &random)
      : pool_(pool), vocabulary_(vocabulary), random_(random) {}

  logic::Term boolean(int depth);
  logic::Term integer(int depth);

private:
  logic::TermPool &pool_;
  const Vocabulary &vocabulary_;
  Random &random_;

  logic::Term connective(int depth);
  logic::Term comparison(int depth);
  logic::Term enumeration(int depth);
  logic::Term array(logic::Sort sort, int depth);
  std::vector<logic::Term> several(logic::Term (RandomTerm::*make)(int), int depth);
};

logic::Value randomValue(logic::Sort sort, const Vocabulary &vocabulary, Random &random);
State randomState(const Vocabulary &vocabulary, Random &random);

/// Every state of a vocabulary whose sorts are finite; arrays are 0 outside their indices.
std::vector<State> allStates(const Vocabulary &vocabulary);

} // namespace understudy::tests
