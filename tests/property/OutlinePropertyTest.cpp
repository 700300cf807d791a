// SPDX-License-Identifier: Apache-2.0
//
// Random programs: an outline that is written is read as what it was, and changed ones are accepted
// exactly if the changed annotation is.
#include "Annotations.h"
#include "RandomConc.h"
#include "RandomContract.h"
#include "RandomForks.h"
#include "Support.h"
#include "compose/proof/OwickiGriesCheck.h"
#include "logic/Error.h"
#include "specs/Compile.h"
#include "tools/exports/AnnotatedConc.h"
#include "tools/outline/OutlineReader.h"
#include "tools/outline/OutlineWriter.h"

#include <catch2/catch.hpp>

#include <iostream>
#include <map>
#include <set>

namespace understudy::tests {
namespace {

struct ReadBack {
  Program program; ///< of the outline
  OwickiGries annotation;
};

template <typename Tree>
ReadBack readParsed(const specs::syntax::Parsed<Tree> &parsed, const logic::SourceFilePtr &file,
                    specs::SpuriousWakeups spurious) {
  ReadBack result{specs::compile(parsed.tree, {spurious}).program, {}};
  result.annotation = tools::outline::readOutline(result.program, file, parsed.comments).annotation;
  return result;
}

ReadBack readBack(Language language, const std::string &text) {
  auto file = std::make_shared<logic::SourceFile>("outline", text);
  return language == Language::Conc
             ? readParsed(specs::syntax::parseConc(file), file, specs::SpuriousWakeups::Off)
             : readParsed(specs::syntax::parseContract(file), file, specs::SpuriousWakeups::On);
}

std::string written(const Proved &proved, const OwickiGries &annotation) {
  const auto &location = proved.program.templates.front().locations.front();
  return tools::outline::outlineText(proved.program, *location.range.file, annotation);
}

std::string generated(size_t run, uint64_t seed) {
  return run % 3 == 0 ? randomConc(seed) : run % 3 == 1 ? randomForks(seed) : randomContract(seed);
}

/// The language of outlines has no expressions for whole arrays.
bool speaksOfArrays(const OwickiGries &annotation) {
  auto has = [](logic::Term formula) {
    std::vector<logic::Term> open{formula};
    std::set<logic::Term> seen;
    while (!open.empty()) {
      const logic::Term next = open.back();
      open.pop_back();
      if (!seen.insert(next).second)
        continue;
      const bool isElement =
          next.op() == logic::Op::Select && next.operand(0).op() == logic::Op::Variable;
      if (next.sort().isArray())
        return true;
      if (isElement)
        open.push_back(next.operand(1));
      else
        open.insert(open.end(), next.operands().begin(), next.operands().end());
    }
    return false;
  };
  return std::any_of(annotation.assertions.begin(), annotation.assertions.end(),
                     [&](const auto &at) { return has(at.formula); });
}

} // namespace

TEST_CASE("annotated programs: safe with their proof, unsafe with a wrong one") {
  Tally tally;
  size_t exported = 0, refused = 0, unknown = 0;
  std::map<std::string, size_t> reasons;
  const size_t wanted = runs(200);
  for (size_t run = 0; exported < wanted; ++run) {
    const uint64_t seed = seedOf(run);
    const std::string text = run % 2 == 0 ? randomConc(seed) : randomForks(seed);
    INFO("seed " << seed << "\n" << text);
    auto proved = prove(Language::Conc, text, tally);
    if (!proved || proved->annotation.assertions.empty())
      continue;
    const auto file = proved->program.templates.front().range.file;
    const auto tree = specs::syntax::parseConc(file).tree;
    try {
      const std::string whole =
          tools::exports::annotatedConc(tree, proved->program, proved->annotation);
      INFO("with its proof\n" << whole);
      const auto verdict = explored(compiled(Language::Conc, whole), 0, 200'000);
      CHECK(verdict.answer != compose::Answer::Unsafe);
      if (verdict.answer != compose::Answer::Safe) {
        ++unknown; // too large, or without bounds
        continue;
      }
      ++exported;
      // A thread of the start is where it begins.
      const compose::TemplateId first = proved->program.starts.front().thread;
      const auto begin = proved->program.templates[first].initials.front();
      for (OwickiGries::At &at : proved->annotation.assertions)
        if (at.slot.thread == first && at.location == begin)
          at.formula = proved->program.pool->boolean(false);
      const std::string wrong =
          tools::exports::annotatedConc(tree, proved->program, proved->annotation);
      CHECK(explored(compiled(Language::Conc, wrong), 0, 200'000).answer ==
            compose::Answer::Unsafe);
    } catch (const logic::Unsupported &reason) {
      ++refused;
      ++reasons[reason.what()];
    }
  }
  std::cout << "annotated programs: " << exported << " exported, " << refused << " refused, "
            << unknown << " too large\n";
  for (const auto &[reason, count] : reasons)
    std::cout << "  " << count << ": " << reason << "\n";
  CHECK(refused <= 2 * exported);
}

TEST_CASE("outlines: what is written is read back") {
  Tally tally;
  size_t outlines = 0, arrays = 0, mutants = 0, rejected = 0;
  const size_t wanted = runs(200);
  for (size_t run = 0; outlines < wanted; ++run) {
    const uint64_t seed = seedOf(run);
    const Language language = run % 3 == 2 ? Language::Contract : Language::Conc;
    const std::string text = generated(run, seed);
    INFO("seed " << seed << "\n" << text);
    const auto proved = prove(language, text, tally);
    if (!proved || proved->annotation.assertions.empty())
      continue;
    ++outlines;
    if (speaksOfArrays(proved->annotation)) {
      ++arrays;
      continue;
    }
    const std::string outline = written(*proved, proved->annotation);
    INFO("outline\n" << outline);
    const ReadBack read = readBack(language, outline);
    CHECK(answer(read.program, read.annotation, SolverProgram::Z3) == Discharge::Outcome::Holds);
    Random random(seed);
    for (size_t mutant = 0; mutant < 6; ++mutant) {
      const OwickiGries other = mutated(proved->program, proved->annotation, random);
      if (other.slots != proved->annotation.slots || speaksOfArrays(other))
        continue; // an outline has slots for all threads of the start
      ++mutants;
      const std::string changed = written(*proved, other);
      INFO("mutant " << mutant << "\n" << changed);
      const ReadBack again = readBack(language, changed);
      const bool isAccepted = accepted(again.program, again.annotation);
      rejected += isAccepted ? 0 : 1;
      CHECK(isAccepted == accepted(proved->program, other));
      if (isAccepted)
        checkMeaning(*proved, other, seed, tally);
    }
  }
  std::cout << "outlines: " << outlines << " read back, " << arrays << " about arrays left out, "
            << mutants << " changed ones, of which " << rejected << " rejected\n";
  CHECK(arrays * 20 <= outlines);
  CHECK(rejected * 3 >= mutants);
}

} // namespace understudy::tests
