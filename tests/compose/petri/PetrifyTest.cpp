// SPDX-License-Identifier: Apache-2.0
//
// The properties that the petrification paper proves of its construction, on small programs: every
// reachable marking is coherent (Lemma 3.5), hence the net is 1-safe (Proposition 3.6).
#include "compose/petri/Petrify.h"

#include "compose/petri/Explorer.h"
#include "compose/petri/Instances.h"
#include "logic/Error.h"
#include "tests/compose/petri/Figure1.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

#include <map>
#include <set>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::petri;
using tests::figure1;

namespace {

using Marking = std::vector<PlaceId>;

/// All markings, whatever the labels say.
std::set<Marking> markings(const Net &net) {
  std::set<Marking> seen{net.initial};
  std::vector<Marking> open{net.initial};
  while (!open.empty()) {
    const Marking marking = open.back();
    open.pop_back();
    for (const NetTransition &transition : net.transitions) {
      if (!std::includes(marking.begin(), marking.end(), transition.pre.begin(),
                         transition.pre.end()))
        continue;
      Marking kept;
      Marking after;
      std::set_difference(marking.begin(), marking.end(), transition.pre.begin(),
                          transition.pre.end(), std::back_inserter(kept));
      std::merge(kept.begin(), kept.end(), transition.post.begin(), transition.post.end(),
                 std::back_inserter(after));
      REQUIRE(std::adjacent_find(after.begin(), after.end()) == after.end());
      if (seen.insert(after).second)
        open.push_back(after);
    }
  }
  return seen;
}

struct Tokens {
  size_t locations = 0, inUse = 0, notInUse = 0, waits = 0, notWaiting = 0;
};

/// The three conditions of the paper, for every instance of a forked template; and a waiting thread
/// has no token at "not waiting".
bool isCoherent(const Marking &marking, const PetriProgram &petri, const Program &program) {
  std::map<Instance, Tokens> tokens;
  std::set<TemplateId> insufficient;
  for (PlaceId place : marking) {
    const PlaceMeaning &meaning = petri.places[place];
    Tokens &own = tokens[meaning.instance];
    switch (meaning.kind) {
    case PlaceKind::Location:
      own.waits += program.templates[meaning.instance.thread].locations[meaning.index].waiting
                       ? size_t{1}
                       : size_t{0};
      [[fallthrough]];
    case PlaceKind::Start:
    case PlaceKind::Error:
      ++own.locations;
      break;
    case PlaceKind::InUse:
      ++own.inUse;
      break;
    case PlaceKind::NotInUse:
      ++own.notInUse;
      break;
    case PlaceKind::NotWaiting:
      ++own.notWaiting;
      break;
    case PlaceKind::Insufficient:
      insufficient.insert(meaning.instance.thread);
      break;
    }
  }
  bool coherent = true;
  for (const auto &[instance, own] : tokens) {
    const bool usedUp = insufficient.contains(instance.thread);
    coherent = coherent && own.locations <= 1 && own.inUse + own.notInUse <= 1;
    coherent = coherent && own.waits + own.notWaiting <= 1;
    if (own.inUse == 1)
      coherent = coherent && !usedUp;
    if (own.notInUse == 1)
      coherent = coherent && own.locations == 0 && !usedUp;
  }
  return coherent;
}

void checkCoherence(const std::string &text, uint32_t limit) {
  INFO(text << " limit " << limit);
  const Program program = tests::compileConc(text).program;
  const PetriProgram petri = petrify(program, {limit});
  for (Specification specification : {Specification::Safety, Specification::Bound}) {
    const SpecifiedNet net = specified(petri, program, specification);
    for (const Marking &marking : markings(net.net))
      REQUIRE(isCoherent(marking, petri, program));
  }
}

size_t countOf(const PetriProgram &petri, PlaceKind kind) {
  return static_cast<size_t>(
      std::count_if(petri.places.begin(), petri.places.end(),
                    [&](const PlaceMeaning &place) { return place.kind == kind; }));
}

} // namespace

TEST_CASE("petrification: the net of Figure 2") {
  const Program program = tests::compileConc(figure1).program;
  const PetriProgram petri = petrify(program, {2});
  CHECK(countOf(petri, PlaceKind::InUse) == 2);
  CHECK(countOf(petri, PlaceKind::NotInUse) == 2);
  CHECK(countOf(petri, PlaceKind::Insufficient) == 1);
  size_t forks = 0;
  size_t joins = 0;
  size_t insufficient = 0;
  for (const TransitionMeaning &transition : petri.transitions) {
    const Action &action = program.edge(transition.mover.thread, transition.edge).action;
    if (transition.kind == TransitionKind::Insufficient)
      ++insufficient;
    else if (std::holds_alternative<Fork>(action))
      ++forks;
    else if (std::holds_alternative<Join>(action))
      ++joins;
  }
  CHECK(forks == 2);
  CHECK(joins == 2);
  CHECK(insufficient == 1);
}

TEST_CASE("petrification: the least instance that is free is taken") {
  const Program program = tests::compileConc(figure1).program;
  const PetriProgram petri = petrify(program, {3});
  for (TransitionId id = 0; id < petri.transitions.size(); ++id) {
    const TransitionMeaning &meaning = petri.transitions[id];
    if (meaning.kind != TransitionKind::Edge ||
        !std::holds_alternative<Fork>(program.edge(meaning.mover.thread, meaning.edge).action))
      continue;
    uint32_t inUse = 0;
    for (PlaceId place : petri.net.transitions[id].pre)
      inUse += petri.places[place].kind == PlaceKind::InUse ? 1 : 0;
    CHECK(inUse + 1 == meaning.others.front().number);
  }
}

TEST_CASE("petrification: a fork leaves the locals of the new instance open") {
  const Program program = tests::compileConc(R"(
global int g = 0;
thread main { fork 0 w(); join 0; fork 0 w(); join 0; }
thread w { local int x; assume x == g; assert g == 0; }
)")
                              .program;
  const PetriProgram petri = petrify(program, {1});
  size_t forks = 0;
  for (const TransitionMeaning &meaning : petri.transitions) {
    if (meaning.others.empty() || meaning.kind != TransitionKind::Edge ||
        !std::holds_alternative<Fork>(program.edge(meaning.mover.thread, meaning.edge).action))
      continue;
    ++forks;
    const Variable x = petri.locals[meaning.others[0].thread][meaning.others[0].number - 1].at(0);
    CHECK(std::binary_search(meaning.label.modified.begin(), meaning.label.modified.end(), x));
  }
  CHECK(forks == 2);
}

TEST_CASE("petrification: every reachable marking is coherent") {
  for (uint32_t limit : {1u, 2u, 3u}) {
    checkCoherence(figure1, limit);
    checkCoherence("global int n = 0;\n"
                   "thread main { fork 0 a(); fork 1 b(); join 0; fork 2 a(); join b; }\n"
                   "thread a { fork 5 b(); n := n + 1; }\n"
                   "thread b { n := n - 1; assert n >= 0; }\n",
                   limit);
    checkCoherence("global cond c;\nglobal mutex m;\n"
                   "thread main { fork 0 a(); fork 1 a(); signal c; broadcast c; join 0; }\n"
                   "thread a { lock m; wait c with m; unlock m; }\n",
                   limit);
  }
}

TEST_CASE("petrification: threads of the start occupy instances") {
  const Program program = tests::compileConc("thread main { fork 1 w(); }\nthread w { skip; }\n"
                                             "run main, w * 2;\n")
                              .program;
  CHECK(leastLimit(program) == 2);
  const PetriProgram petri = petrify(program, {2});
  // Both instances of w are in use: the fork finds none, and join cannot help.
  size_t forked = 0;
  for (const TransitionMeaning &transition : petri.transitions)
    forked += transition.kind == TransitionKind::Edge && !transition.others.empty() ? 1 : 0;
  CHECK(forked == 0);
  CHECK(countOf(petri, PlaceKind::Insufficient) == 1);
}

TEST_CASE("petrification: what a long thread does is found by one look at each edge") {
  std::string body;
  for (int i = 0; i < 3000; ++i)
    body += i % 3 == 0 ? "  fork 1 w();\n" : "  g := g + 1;\n";
  const Program program = tests::compileConc("global int g = 0;\nthread main {\n" + body +
                                             "}\nthread w { while (g > 0) { g := g - 1; } }\n"
                                             "thread unused { g := 0; }\nrun main;\n")
                              .program;
  const TemplateId unused = program.templateNamed("unused").value();
  uint64_t edges = 0;
  for (TemplateId id = 0; id < program.templates.size(); ++id)
    edges += id == unused ? 0 : program.templates[id].edges.size();
  REQUIRE(edges > 3000);
  CHECK(ThreadUse(program).looks == edges);
}

TEST_CASE("petrification: any number of threads is refused") {
  const Program program = tests::compileConc("thread main { skip; }\nrun main*;\n").program;
  CHECK_THROWS_AS(petrify(program, {1}), logic::Unsupported);
}
