// SPDX-License-Identifier: Apache-2.0
//
// Random programs: the explicit engine with and without symmetry, the naive search and the literal
// semantics must agree. A disagreement is shrunk and written to tests/bugs/.
#include "Compare.h"
#include "RandomConc.h"
#include "RandomContract.h"
#include "Shrink.h"
#include "Support.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

namespace understudy::tests {
namespace {

const std::filesystem::path bugs = std::filesystem::path(tests::sourceFolder()) / "tests" / "bugs";

using Generator = std::string (*)(uint64_t);

/// The part of a defect's text that stays the same while the program shrinks.
std::string kindOf(const Comparison &comparison) {
  return comparison.defect ? comparison.defect->substr(0, comparison.defect->find(':')) : "";
}

void keep(const std::string &kind, uint64_t seed, Language language, const std::string &text,
          const Comparison &comparison) {
  const CompareOptions options = optionsOf(seed);
  const std::string smallest = shrink(text, [&](const std::string &candidate) {
    return kindOf(compare(language, candidate, options)) == kindOf(comparison);
  });
  const auto path = bugs / (kind + "-" + std::to_string(seed) + "." + extension(language));
  std::ofstream(path) << "// seed " << seed << ": "
                      << compare(language, smallest, options).defect.value_or("") << "\n"
                      << smallest;
  UNSCOPED_INFO(path.string() << "\n" << smallest);
  FAIL_CHECK(kind << ", seed " << seed << ": " << *comparison.defect);
}

void judgeShares(const Tally &tally) {
  CHECK(tally.rejected * 5 <= tally.attempts);
  CHECK((tally.unknown + tally.tooLarge) * 20 <= tally.accepted());
  CHECK(tally.safe * 4 >= tally.accepted());
  CHECK(tally.unsafe * 4 >= tally.accepted());
}

void tellWhy(const std::map<std::string, size_t> &notes) {
  if (!std::getenv("UNDERSTUDY_NOTES"))
    return;
  for (const auto &[note, count] : notes)
    std::cout << "  " << count << " " << note << "\n";
}

void run(const std::string &kind, Language language, Generator generate, size_t count) {
  Tally tally;
  std::map<std::string, size_t> notes;
  size_t defects = 0;
  for (size_t i = 0; i < count && defects < 10; ++i) {
    const uint64_t seed = seedOf(i);
    const std::string text = generate(seed);
    const Comparison comparison = compare(language, text, optionsOf(seed));
    tally.add(comparison);
    ++notes[comparison.note];
    if (comparison.defect) {
      ++defects;
      keep(kind, seed, language, text, comparison);
    }
  }
  std::cout << kind << ": " << tally.text() << "\n";
  tellWhy(notes);
  judgeShares(tally);
}

std::string contentOf(const std::filesystem::path &path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("random CONC programs") { run("conc", Language::Conc, randomConc, runs(8000)); }

TEST_CASE("random scalar CONC programs") {
  run("scalar", Language::Conc, randomScalarConc, runs(4000));
}

TEST_CASE("random contracts") { run("contract", Language::Contract, randomContract, runs(8000)); }

TEST_CASE("programs that once showed a defect") {
  if (!std::filesystem::exists(bugs))
    return;
  for (const auto &entry : std::filesystem::directory_iterator(bugs)) {
    const std::filesystem::path &path = entry.path();
    const bool conc = path.extension() == ".conc";
    if (!conc && path.extension() != ".contract")
      continue;
    for (uint64_t seed = 0; seed < 12; ++seed) {
      const Comparison comparison =
          compare(conc ? Language::Conc : Language::Contract, contentOf(path), optionsOf(seed));
      INFO(path.string() << ", options of seed " << seed);
      CHECK(comparison.outcome != Outcome::Rejected);
      CHECK(comparison.defect.value_or("none") == "none");
      if (comparison.defect)
        break;
    }
  }
}

} // namespace understudy::tests
