// SPDX-License-Identifier: Apache-2.0
#include "tools/report/Excerpt.h"

#include <catch2/catch.hpp>

using namespace understudy::tools::report;

namespace {

/// "1 2 [steps 1-2 repeat 3 more times] 9": what a reader would see.
std::string shown(const Excerpt &excerpt) {
  std::string text;
  for (const auto &piece : excerpt) {
    text += text.empty() ? "" : " ";
    if (const auto *step = std::get_if<OneStep>(&piece))
      text += std::to_string(step->index + 1);
    else if (const auto *repeat = std::get_if<Repeat>(&piece))
      text += "[" + repeatText(*repeat) + "]";
    else
      text += "[" + gapText(std::get<Gap>(piece)) + "]";
  }
  return text;
}

std::vector<TraceStep> steps(const std::string &letters) {
  std::vector<TraceStep> result;
  for (char letter : letters)
    result.push_back({std::string(1, letter), {}});
  return result;
}

/// `rounds` rounds of a test and an increment of n.
std::vector<TraceStep> counting(int64_t rounds) {
  std::vector<TraceStep> result;
  for (int64_t i = 0; i < rounds; ++i) {
    result.push_back({"n < 100", {}});
    result.push_back({"n := n + 1", {{"n", i, i + 1}}});
  }
  return result;
}

/// Steps that are all different.
std::vector<TraceStep> different(size_t count) {
  std::vector<TraceStep> result;
  for (size_t i = 0; i < count; ++i)
    result.push_back({"step " + std::to_string(i * i), {}});
  return result;
}

} // namespace

TEST_CASE("equal rounds of a loop are shown once", "[tools]") {
  CHECK(shown(excerpt(steps("xababababy"))) == "1 2 3 [steps 2-3 repeat 3 more times] 10");
  CHECK(shown(excerpt(steps("aaaaaab"))) == "1 [step 1 repeats 5 more times] 7");
}

TEST_CASE("what repeats twice only, or saves little, is not folded", "[tools]") {
  CHECK(shown(excerpt(steps("abab"))) == "1 2 3 4");
  CHECK(shown(excerpt(steps("aaa"))) == "1 2 3");
}

TEST_CASE("a loop inside a loop: the one that covers more is folded", "[tools]") {
  CHECK(shown(excerpt(steps("aaabaaabaaabaaab"))) == "1 2 3 4 [steps 1-4 repeat 3 more times]");
}

TEST_CASE("rounds that differ by a counter are folded with its first and last value", "[tools]") {
  CHECK(shown(excerpt(counting(98))) == "1 2 [steps 1-2 repeat 97 more times (n: 1 → 98)]");
}

TEST_CASE("a counter that changes unevenly is not folded", "[tools]") {
  std::vector<TraceStep> uneven = counting(4);
  uneven[5].counters[0].after = 17;
  CHECK(shown(excerpt(uneven)) == "1 2 3 4 5 6 7 8");
}

TEST_CASE("a number that is the same in every round is not a counter", "[tools]") {
  std::vector<TraceStep> flips;
  for (int i = 0; i < 4; ++i) {
    flips.push_back({"x := 1", {{"x", 0, 1}}});
    flips.push_back({"x := 0", {{"x", 1, 0}}});
  }
  CHECK(shown(excerpt(flips)) == "1 2 [steps 1-2 repeat 3 more times]");
}

TEST_CASE("a counter may wrap as in C", "[tools]") {
  std::vector<TraceStep> down;
  for (int64_t before : {INT64_MIN + 2, INT64_MIN + 1, INT64_MIN, INT64_MAX, INT64_MAX - 1})
    down.push_back({"x--", {{"x", before, 0}}});
  CHECK(shown(excerpt(down)) == "1 [step 1 repeats 4 more times]");
}

TEST_CASE("a long trace loses its middle", "[tools]") {
  CHECK(excerpt(different(60)).size() == 60);
  Excerpt cut = excerpt(different(1000));
  REQUIRE(cut.size() == 61);
  CHECK(std::get<OneStep>(cut[39]).index == 39);
  CHECK(gapText(std::get<Gap>(cut[40])) == "… 940 steps omitted; --full-trace prints all");
  CHECK(std::get<OneStep>(cut[41]).index == 980);
  CHECK(std::get<OneStep>(cut.back()).index == 999);
}

TEST_CASE("a line about repetitions stays with its steps", "[tools]") {
  std::vector<TraceStep> long_ = different(38);
  auto loop = counting(50);
  long_.insert(long_.end(), loop.begin(), loop.end());
  auto rest = different(39);
  long_.insert(long_.end(), rest.begin(), rest.end());
  Excerpt cut = excerpt(long_);
  CHECK(repeatText(std::get<Repeat>(cut[40])) == "steps 39-40 repeat 49 more times (n: 1 → 50)");
  size_t told = 0, lines = 0;
  for (const auto &piece : cut) {
    told += std::holds_alternative<Gap>(piece) ? std::get<Gap>(piece).steps : 0;
    if (const auto *repeat = std::get_if<Repeat>(&piece))
      told += repeat->times * (repeat->last - repeat->first + 1);
    lines += std::holds_alternative<OneStep>(piece) ? 1 : 0;
  }
  CHECK(told + lines == long_.size());
}

TEST_CASE("every step, if asked for", "[tools]") {
  Excerpt all = everyStep(1000);
  REQUIRE(all.size() == 1000);
  CHECK(std::get<OneStep>(all.back()).index == 999);
}
