// SPDX-License-Identifier: Apache-2.0
//
// Random programs with finite data: the cover engine and the explicit engine agree where numbers of
// threads are fixed; where they are not, a proof for any number holds for each small number, and a
// violation with few threads is found.
#include "Judging.h"
#include "RandomConc.h"
#include "RandomContract.h"
#include "Support.h"
#include "compose/cover/translate/VerifyCover.h"
#include "compose/exploration/Explicit.h"
#include "compose/proof/CoverCheck.h"
#include "logic/Error.h"

#include <catch2/catch.hpp>

#include <iostream>
#include <map>
#include <regex>

namespace understudy::tests {
namespace {

using compose::Answer;
using compose::Program;
using namespace compose::cover;
using namespace compose::cover::net;
using namespace compose::cover::translate;

enum class Numbers { AsWritten, Any };

/// "run A * 2, B;" becomes "run A*, B*;"; without it, "run main*;" is meant.
std::string withAnyNumber(const std::string &text) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex("\n *run ([^;]*);")))
    return text + "\nrun main*;\n";
  const std::string list =
      std::regex_replace(found[1].str(), std::regex("(\\w+)(?: *\\*[^,]*)?(,|$)"), "$1*$2");
  return std::string(found.prefix()) + "\nrun " + list + ";" + std::string(found.suffix());
}

struct Opinion {
  bool accepted = false, compared = false;
  bool translated = false; ///< the program is one for this engine
  Answer got = Answer::Unknown;
  std::string reason;
  std::string defect;
};

std::string defectOf(const Program &program, const VerifyCoverResult &result) {
  const compose::Verdict &verdict = result.verdict;
  if (verdict.answer == Answer::Unknown)
    return verdict.reason.empty() ? "unknown without a reason" : "";
  if (verdict.answer == Answer::Safe)
    return result.proof ? "" : "safe without a proof";
  return verdict.trace ? compose::replay(program, *verdict.trace).value_or("")
                       : "unsafe without a trace";
}

Opinion judge(Language language, const std::string &text) {
  Opinion opinion;
  try {
    const Program program = compiled(language, text);
    opinion.accepted = true;
    VerifyCoverOptions options;
    options.translate.maxShared = 3'000;
    options.translate.maxPairs = 30'000;
    options.translate.maxTransitions = 60'000;
    options.search.maxVertices = 200'000;
    const VerifyCoverResult result = verifyCover(program, options);
    opinion.got = result.verdict.answer;
    opinion.translated = result.verdict.statistics.states > 0;
    opinion.reason = result.verdict.reason;
    opinion.defect = defectOf(program, result);
    if (opinion.got == Answer::Unknown || !opinion.defect.empty())
      return opinion;
    const bool open = runsAnyNumber(program);
    for (uint32_t each = 1; each <= (open ? 4U : 1U); ++each) {
      const Answer expected = explored(program, each, 10'000).answer;
      if (expected == Answer::Unknown)
        break;
      opinion.compared = true;
      const bool agree = open ? expected == Answer::Safe || opinion.got == Answer::Unsafe
                              : expected == opinion.got;
      if (!agree)
        opinion.defect = "expected " + word(expected) + ", got " + word(opinion.got);
    }
  } catch (const logic::Error &error) {
    opinion.reason = error.what();
  }
  return opinion;
}

struct Count {
  size_t all = 0, accepted = 0, translated = 0, compared = 0, safe = 0, unsafe = 0, unknown = 0;
  Reasons reasons;

  void add(Language language, Numbers numbers, uint64_t seed, const std::string &written) {
    const std::string text = numbers == Numbers::Any ? withAnyNumber(written) : written;
    const Opinion opinion = judge(language, text);
    ++all;
    accepted += opinion.accepted ? 1 : 0;
    compared += opinion.compared ? 1 : 0;
    safe += opinion.got == Answer::Safe ? 1 : 0;
    unsafe += opinion.got == Answer::Unsafe ? 1 : 0;
    translated += opinion.translated ? 1 : 0;
    unknown += opinion.translated && opinion.got == Answer::Unknown ? 1 : 0;
    reasons.add(opinion.reason);
    requireNoDefect(seed, text, opinion.defect,
                    [&](const std::string &candidate) { return judge(language, candidate); });
  }
  void tell(const std::string &name) const {
    std::cout << name << ": " << accepted << " programs, " << compared << " compared, " << safe
              << " safe, " << unsafe << " unsafe, " << unknown << " unknown of those translated\n";
    reasons.tell();
  }
};

} // namespace

TEST_CASE("cover: random programs with fixed numbers of threads") {
  Count conc, contract;
  const size_t all = runs(2000);
  for (size_t i = 0; i < all; ++i) {
    const uint64_t seed = seedOf(i);
    conc.add(Language::Conc, Numbers::AsWritten, seed, randomConc(seed));
    contract.add(Language::Contract, Numbers::AsWritten, seed, randomContract(seed));
  }
  conc.tell("cover, CONC");
  contract.tell("cover, contracts");
  for (const Count &count : {conc, contract}) {
    CHECK(count.compared * 2 >= all);
    CHECK(count.safe * 5 >= all);
    CHECK(count.unsafe * 10 >= all);
    CHECK(count.unknown * 20 <= count.translated);
  }
}

TEST_CASE("cover: random programs with any number of threads") {
  Count conc, contract;
  const size_t all = runs(2000);
  for (size_t i = 0; i < all; ++i) {
    const uint64_t seed = seedOf(i);
    conc.add(Language::Conc, Numbers::Any, seed, randomConc(seed));
    contract.add(Language::Contract, Numbers::Any, seed, randomContract(seed));
  }
  conc.tell("cover, CONC, any number");
  contract.tell("cover, contracts, any number");
  for (const Count &count : {conc, contract}) {
    CHECK(count.compared * 3 >= all);
    CHECK(count.safe * 10 >= all);
    CHECK(count.unsafe * 10 >= all);
    CHECK(count.unknown * 20 <= count.translated);
  }
}

} // namespace understudy::tests
