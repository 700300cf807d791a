// SPDX-License-Identifier: Apache-2.0
//
// Annotations by hand: what the check asks for, and that it gives nothing away. Random programs and
// changed annotations are in tests/property.
#include "compose/proof/OwickiGriesCheck.h"

#include "logic/Error.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::proof;

namespace {

/// An annotation by names; `true` at each location that is no error location, until told otherwise.
class Outline {
public:
  Outline(const Program &program, std::vector<uint32_t> slots) : program_(program) {
    evidence.slots = std::move(slots);
    for (TemplateId id = 0; id < evidence.slots.size(); ++id)
      for (uint32_t number = 1; number <= evidence.slots[id]; ++number) {
        evidence.assertions.push_back({{id, number}, std::nullopt, "true"});
        for (LocationId at = 0; at < program.templates[id].locations.size(); ++at)
          if (program.templates[id].locations[at].kind != LocationKind::Error)
            evidence.assertions.push_back({{id, number}, at, "true"});
      }
  }

  Outline &ghost(const std::string &name, const std::string &sort, const std::string &initial) {
    evidence.ghosts.push_back({name, sort, initial});
    return *this;
  }
  Outline &at(const std::string &thread, uint32_t number, LocationKind kind,
              const std::string &formula) {
    const TemplateId id = *program_.templateNamed(thread);
    for (OwickiGriesEvidence::At &one : evidence.assertions)
      if (one.slot == Slot{id, number} && one.location &&
          program_.templates[id].locations[*one.location].kind == kind)
        one.formula = formula;
    return *this;
  }
  Outline &update(const std::string &thread, uint32_t number, const std::string &ghost,
                  const std::string &value) {
    evidence.updates.push_back(
        {{*program_.templateNamed(thread), number}, 0, {}, {{ghost, value}}});
    return *this;
  }
  Outline &without(const std::string &thread, uint32_t number, LocationKind kind) {
    const TemplateId id = *program_.templateNamed(thread);
    std::erase_if(evidence.assertions, [&](const OwickiGriesEvidence::At &one) {
      return one.slot == Slot{id, number} && one.location &&
             program_.templates[id].locations[*one.location].kind == kind;
    });
    return *this;
  }

  /// "holds", or what does not.
  std::string verdict() const {
    try {
      const Discharge found = discharge(owickiGriesObligations(program_, evidence), {});
      return found.outcome == Discharge::Outcome::Holds ? "holds" : found.obligation.meaning;
    } catch (const InvalidEvidence &fault) {
      return fault.what();
    } catch (const logic::Error &fault) {
      return fault.what();
    }
  }

  OwickiGriesEvidence evidence;

private:
  const Program &program_;
};

Program conc(const std::string &text) { return tests::compileConc(text).program; }

Outline increments(const Program &program) {
  return Outline(program, {2, 1})
      .ghost("a", "Bool", "false")
      .ghost("b", "Int", "0")
      .at("T", 1, LocationKind::Normal, "(not a)")
      .at("T", 1, LocationKind::Final, "a")
      .at("T", 2, LocationKind::Normal, "(= b 0)")
      .at("T", 2, LocationKind::Final, "(= b 1)")
      .at("C", 1, LocationKind::Normal, "(and (<= x (+ (ite a 1 0) b)) (<= b 1))")
      .update("T", 1, "a", "true")
      .update("T", 2, "b", "(+ b 1)");
}

} // namespace

TEST_CASE("Owicki-Gries: ghosts tell how far each thread is", "[proof]") {
  const Program program = conc("global int x = 0;\n"
                               "thread T {\n  x := x + 1;\n}\n"
                               "thread C {\n  assert x <= 2;\n}\n"
                               "run T * 2, C;\n");
  CHECK(increments(program).verdict() == "holds");

  Outline forgets = increments(program);
  forgets.evidence.updates.pop_back();
  CHECK(forgets.verdict() ==
        "'x := x + 1' of T#2 (test.conc:3) leads to the assertion of T#2 at end");
  CHECK(increments(program).at("C", 1, LocationKind::Normal, "true").verdict() ==
        "'x <= 2' of C#1 (test.conc:6) never fails");
  CHECK(increments(program).at("T", 2, LocationKind::Normal, "true").verdict() ==
        "'x := x + 1' of T#2 (test.conc:3) leads to the assertion of T#2 at end");
  // A missing assertion is false.
  CHECK(increments(program).without("T", 1, LocationKind::Final).verdict() ==
        "'x := x + 1' of T#1 (test.conc:3) leads to the assertion of T#1 at end");
  CHECK(increments(program).without("C", 1, LocationKind::Normal).verdict() ==
        "the start fulfils the assertion of C#1 at line 6");
  Outline late = increments(program);
  late.evidence.ghosts[1].initial = "1";
  CHECK(late.verdict() == "the start fulfils the assertion of T#2 at line 3");
  Outline few = increments(program);
  few.evidence.slots = {1, 1};
  CHECK(few.verdict() == "it has 1 slots for T, and 2 are started");
}

TEST_CASE("Owicki-Gries: an argument out of range is not taken for one in range", "[proof]") {
  Program program = conc("global int y = 5;\n"
                         "thread main {\n  fork 1 w(y);\n}\n"
                         "thread w(int 0..1 mine) {\n  assert mine <= 1;\n}\n"
                         "run main;\n");
  CHECK(Outline(program, {1, 1}).verdict() != "holds");
  // As if no front end had looked.
  Template &main = program.templates[*program.templateNamed("main")];
  std::erase_if(main.edges, [](const Edge &edge) { return edge.failure.has_value(); });
  for (Edge &edge : main.edges)
    edge.relation = program.pool->boolean(true);
  CHECK(Outline(program, {1, 1}).verdict() ==
        "'fork 1 w(y)' of main#1 (test.conc:3) gives parameters values in range");
}

TEST_CASE("Owicki-Gries: every fork has a slot", "[proof]") {
  const Program program = conc("thread main {\n  fork 1 w();\n  fork 2 w();\n}\n"
                               "thread w {\n  skip;\n}\n"
                               "run main;\n");
  CHECK(Outline(program, {1, 2}).verdict() == "holds");
  CHECK(Outline(program, {1, 1}).verdict() ==
        "'fork 2 w()' of main#1 (test.conc:3) finds a slot for the thread it forks");
}

TEST_CASE("Owicki-Gries: relies, exclusions and invariants are claims, too", "[proof]") {
  const auto contract = [](const std::string &claim, const std::string &watcher) {
    return tests::compileContract("system s {\n  shared int 0..3 x = 0;\n" + claim +
                                  "  thread Watcher {\n" + watcher +
                                  "    initial Start { -> Done; }\n    final Done;\n  }\n"
                                  "  thread Mover {\n    initial Start { -> Done : x' == 2; }\n"
                                  "    final Done;\n  }\n  run Watcher, Mover;\n}\n")
        .program;
  };
  const Program grows = contract("", "    rely x' >= x;\n");
  CHECK(Outline(grows, {1, 1}).at("Mover", 1, LocationKind::Normal, "(= x 0)").verdict() ==
        "holds");
  CHECK(Outline(grows, {1, 1}).verdict().find("relies on, 'x' >= x'") != std::string::npos);
  CHECK(Outline(contract("", "    rely x' == x;\n"), {1, 1}).verdict().find("relies on") !=
        std::string::npos);
  const Program apart = contract("  never Watcher.Done with Mover.Done;\n", "");
  CHECK(Outline(apart, {1, 1}).verdict().find("never Watcher.Done with Mover.Done") !=
        std::string::npos);
  CHECK(Outline(contract("  invariant x <= 2;\n", ""), {1, 1}).verdict() == "holds");
  CHECK(Outline(contract("  invariant x <= 1;\n", ""), {1, 1}).verdict().find("keeps 'x <= 1'") !=
        std::string::npos);
}
