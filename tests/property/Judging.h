// SPDX-License-Identifier: Apache-2.0
//
// What the tests of engines on random programs have in common.
#pragma once

#include "Shrink.h"
#include "compose/exploration/Explicit.h"

#include <catch2/catch.hpp>

#include <map>
#include <string>

namespace understudy::tests {

enum class Language { Conc, Contract };

/// Throws `logic::Error` for a text that is no program.
compose::Program compiled(Language language, const std::string &text);

bool runsAnyNumber(const compose::Program &program);

/// By the explicit engine, with `each` threads of every kind that is run in any number.
compose::Verdict explored(const compose::Program &program, uint32_t each, uint64_t maxStates);

/// Why there were no answers, shown if the environment variable UNDERSTUDY_NOTES is set.
class Reasons {
public:
  void add(const std::string &reason) { ++reasons_[reason]; }
  void tell() const;

private:
  std::map<std::string, size_t> reasons_;
};

/// Fails the test if `judge(text)`, which has a member `defect`, found one; shows the smallest text
/// with the same defect.
template <typename Judge>
void requireNoDefect(uint64_t seed, const std::string &text, const std::string &defect,
                     Judge judge) {
  if (defect.empty())
    return;
  const std::string smallest =
      shrink(text, [&](const std::string &candidate) { return judge(candidate).defect == defect; });
  FAIL_CHECK("seed " << seed << ": " << defect << "\n" << smallest);
}

} // namespace understudy::tests
