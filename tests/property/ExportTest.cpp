// SPDX-License-Identifier: Apache-2.0
//
// Random programs, exported and read again: the verdict of the exported text is the program's own.
// SPIN reads Promela in SpinTest.cpp; .tts, .spec and PNML of nets are in tests/tools.
#include "RandomContract.h"
#include "RandomOdd.h"
#include "Support.h"
#include "compose/exploration/Explicit.h"
#include "compose/petri/Petrify.h"
#include "logic/Error.h"
#include "specs/Compile.h"
#include "specs/syntax/Parse.h"
#include "tools/exports/ConcExport.h"
#include "tools/exports/DotExport.h"
#include "tools/exports/PnmlExport.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <regex>
#include <set>

namespace understudy::tests {
namespace {

using compose::Answer;

logic::SourceFilePtr source(const std::string &name, const std::string &text) {
  return std::make_shared<logic::SourceFile>(name, text);
}

struct Contract {
  specs::syntax::Contract tree;
  specs::Compiled compiled;
};

std::optional<Contract> contractOf(const std::string &text) {
  try {
    auto parsed = specs::syntax::parseContract(source("random.contract", text));
    specs::Compiled compiled = specs::compile(parsed.tree, {specs::SpuriousWakeups::On});
    return Contract{std::move(parsed.tree), std::move(compiled)};
  } catch (const logic::Error &) {
    return std::nullopt; // the checker's business
  }
}

compose::ThreadCounts twoOfEach(const compose::Program &program) {
  compose::ThreadCounts counts;
  for (const compose::Start &start : program.starts)
    if (start.unbounded)
      counts[start.thread] = 2;
  return counts;
}

compose::Verdict verdictOf(const compose::Program &program) {
  compose::exploration::ExplicitOptions options;
  options.maxStates = 20000;
  options.counts = twoOfEach(program);
  return compose::exploration::verifyExplicit(program, options);
}

std::string randomText(size_t i, uint64_t seed) {
  return i % 2 == 0 ? randomOddContract(seed) : randomContract(seed);
}

/// A place/transition net as PNML says it, without what a tool adds.
struct PlainNet {
  std::set<size_t> marked;
  std::set<size_t> bad;
  std::vector<std::pair<std::set<size_t>, std::set<size_t>>> transitions; ///< takes, gives
};

PlainNet netOf(const compose::petri::PetriProgram &petri, const compose::Program &program) {
  PlainNet net;
  net.marked.insert(petri.net.initial.begin(), petri.net.initial.end());
  for (size_t i = 0; i < petri.places.size(); ++i)
    if (isBad(petri.places[i], program, compose::petri::Specification::Safety))
      net.bad.insert(i);
  for (const auto &transition : petri.net.transitions)
    net.transitions.push_back({{transition.pre.begin(), transition.pre.end()},
                               {transition.post.begin(), transition.post.end()}});
  return net;
}

/// Element by element, in the order of the text; ids need not be numbers.
PlainNet readPnml(const std::string &text) {
  PlainNet net;
  std::map<std::string, size_t> places;
  std::map<std::string, size_t> transitions;
  std::string place;
  const std::regex token("<(place|transition|arc) id=\"(\\w+)\"(?: source=\"(\\w+)\" "
                         "target=\"(\\w+)\")?|<initialMarking><text>1<|<bad>safety<");
  for (std::sregex_iterator at(text.begin(), text.end(), token), end; at != end; ++at) {
    const std::smatch &found = *at;
    if (found[1] == "place") {
      place = found[2];
      places.emplace(place, places.size());
    } else if (found[1] == "transition") {
      transitions.emplace(found[2], net.transitions.size());
      net.transitions.emplace_back();
    } else if (found[1] == "arc") {
      if (places.contains(found[3]))
        net.transitions[transitions.at(found[4])].first.insert(places.at(found[3]));
      else
        net.transitions[transitions.at(found[3])].second.insert(places.at(found[4]));
    } else {
      (found.str().starts_with("<bad") ? net.bad : net.marked).insert(places.at(place));
    }
  }
  return net;
}

struct Exploration {
  size_t markings = 0;
  bool bad = false;
  bool complete = true;
  bool operator==(const Exploration &) const = default;
};

Exploration explored(const PlainNet &net) {
  constexpr size_t most = 300;
  std::set<std::set<size_t>> known{net.marked};
  std::vector<std::set<size_t>> work{net.marked};
  Exploration result;
  while (!work.empty() && known.size() < most) {
    const std::set<size_t> marking = work.back();
    work.pop_back();
    for (const auto &[takes, gives] : net.transitions) {
      if (!std::includes(marking.begin(), marking.end(), takes.begin(), takes.end()))
        continue;
      std::set<size_t> next = marking;
      for (size_t place : takes)
        next.erase(place);
      next.insert(gives.begin(), gives.end());
      result.bad = result.bad || std::any_of(gives.begin(), gives.end(),
                                             [&](size_t place) { return net.bad.contains(place); });
      if (known.insert(next).second)
        work.push_back(next);
    }
  }
  result.markings = known.size();
  result.complete = work.empty();
  return result;
}

/// The most threads of one template that are alive together in the trace.
uint32_t widthOf(const compose::Verdict &verdict) {
  uint32_t most = 0;
  for (const compose::Step &step : verdict.trace->steps) {
    std::map<compose::TemplateId, uint32_t> alive;
    for (const compose::Thread &thread : step.after.threads)
      most = std::max(most, ++alive[thread.thread]);
  }
  return most;
}

size_t countOf(const std::string &text, const std::string &pattern) {
  const std::regex regex(pattern);
  return static_cast<size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()));
}

/// Random contracts, until `compare` has said of 2000 that it could compare them: of at most this
/// many times as many.
template <typename Compare>
void forRandomContracts(size_t mostTries, Compare compare) {
  const size_t wanted = runs(2000);
  size_t compared = 0;
  for (size_t i = 0; compared < wanted && i < wanted * mostTries; ++i) {
    const uint64_t seed = seedOf(i);
    const std::string text = randomText(i, seed);
    const auto contract = contractOf(text);
    if (!contract)
      continue;
    INFO("seed " << seed << "\n" << text);
    compared += compare(*contract) ? 1 : 0;
  }
  CHECK(compared == wanted);
}

} // namespace

TEST_CASE("CONC made of random contracts has their verdicts") {
  size_t compared = 0;
  size_t unsafe = 0;
  size_t refused = 0;
  forRandomContracts(12, [&](const Contract &contract) {
    const compose::Program &program = contract.compiled.program;
    std::string conc;
    Answer expected = Answer::Unknown;
    try {
      expected = verdictOf(program).answer;
      conc = tools::exports::concText(contract.tree, program, twoOfEach(program));
    } catch (const logic::Unsupported &) {
      ++refused;
      return false;
    }
    if (expected == Answer::Unknown)
      return false;
    INFO(conc);
    const auto again = specs::compile(specs::syntax::parseConc(source("random.conc", conc)).tree,
                                      {specs::SpuriousWakeups::On});
    const compose::Verdict verdict = verdictOf(again.program);
    if (verdict.answer == Answer::Unknown)
      return false;
    CHECK(compose::word(verdict.answer) == compose::word(expected));
    ++compared;
    unsafe += expected == Answer::Unsafe ? 1 : 0;
    return true;
  });
  std::cout << "conc export: " << compared << " compared, " << unsafe << " unsafe, " << refused
            << " refused\n";
  CHECK(unsafe * 5 >= compared);
}

TEST_CASE("pictures of random programs have their places and edges") {
  forRandomContracts(3, [](const Contract &contract) {
    const compose::Program &program = contract.compiled.program;
    const std::string dot = tools::exports::dotText(program);
    INFO(dot);
    size_t nodes = 0;
    size_t edges = 0;
    for (const compose::Template &type : program.templates) {
      std::set<compose::LocationId> shown(type.initials.begin(), type.initials.end());
      for (const compose::Edge &edge : type.edges)
        if (!edge.failure || *edge.failure == compose::FailureKind::Assertion) {
          shown.insert({edge.source, edge.target});
          ++edges;
        }
      nodes += shown.size() + type.initials.size(); // a point for each beginning
      edges += type.initials.size();
    }
    CHECK(countOf(dot, "\n    \"[^\"]*\" \\[") == nodes);
    CHECK(countOf(dot, "\n    \"[^\"]*\" -> \"[^\"]*\"") == edges);
    return true;
  });
}

TEST_CASE("PNML of random programs is their net") {
  size_t compared = 0;
  size_t bad = 0;
  forRandomContracts(4, [&](const Contract &contract) {
    const compose::Program &program = contract.compiled.program;
    try {
      compose::petri::PetrifyOptions limits;
      limits.limit = std::max<uint32_t>(2, compose::petri::leastLimit(program));
      const auto petri = compose::petri::petrify(program, limits);
      const std::string pnml = tools::exports::pnmlText(petri, program);
      const auto expected = explored(netOf(petri, program));
      const auto got = explored(readPnml(pnml));
      CHECK(got == expected);
      const compose::Verdict verdict = verdictOf(program);
      if (verdict.answer == Answer::Unsafe && widthOf(verdict) <= limits.limit && got.complete)
        CHECK(got.bad);
      ++compared;
      bad += got.bad ? 1 : 0;
      return true;
    } catch (const logic::Unsupported &) {
      return false;
    }
  });
  std::cout << "pnml: " << compared << " nets, " << bad << " reach a bad place\n";
  CHECK(bad * 5 >= compared);
}

} // namespace understudy::tests
