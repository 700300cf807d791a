// SPDX-License-Identifier: Apache-2.0
#include "tests/Support.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace understudy;
using namespace understudy::tests;

namespace {

/// A system with one thread T whose initial state A has these edges to the final state B.
specs::Compiled withEdges(const std::string &items, const std::string &edges) {
  return compileContract("system s {\n" + items + "\nthread T { initial A { " + edges +
                         " } final B; }\nrun T*;\n}\n");
}

} // namespace

TEST_CASE("the reference contracts compile", "[specs][contract]") {
  for (const char *name : {"battery", "bluetooth", "queue"}) {
    INFO(name);
    std::ifstream in(tests::sourceFolder() + "/tests/data/" + name + ".contract");
    std::stringstream text;
    text << in.rdbuf();
    specs::Compiled compiled = compileContract(text.str());
    CHECK(compiled.warnings.empty());
    CHECK(compiled.program.name == name);
  }
}

TEST_CASE("the frame rule", "[specs][contract]") {
  auto compiled = withEdges("shared int x = 0; shared bool b; shared int 0..3 r = 1;\n"
                            "define used = x - 1; define get = x' == x + 1;",
                            "-> B : x > 0; -> B : b'; -> B : !b' && get; -> B : used' == 2;"
                            "-> B : r' == r + 1; -> B : r' == 2; -> B : havoc r && x == 1; -> B;");
  CHECK(edgesOf(compiled, "T") ==
        Lines{"A -> B : x > 0 {}", "A -> B : b' {b}", "A -> B : !b' && x' == x + 1 {x b}",
              "A -> B : x' - 1 == 2 {x}", "A -> B : r' == r + 1 && r' >= 0 && r' <= 3 {r}",
              "A -> B : r' == 2 {r}", "A -> B : x == 1 && r' >= 0 && r' <= 3 {r}",
              "A -> B : true {}"});
  CHECK(compiled.program.templates[0].edges[1].text == "-> B : b'");
}

TEST_CASE("a case that leaves a primed variable open gets a warning", "[specs][contract]") {
  auto compiled = withEdges("shared int a = 0; shared int b = 0;",
                            "-> B : a' == 1 || b' == 1; -> B : a == 0 => a' == 1;"
                            "-> B : a == 0 ? a' == 1 : a' == 2; -> B : a' == 1 || a' == 2;");
  REQUIRE(compiled.warnings.size() == 3);
  CHECK(compiled.warnings[0].message == "this condition does not determine 'a'' in every case");
  CHECK(compiled.warnings[1].message == "this condition does not determine 'b'' in every case");
  CHECK(compiled.warnings[2].message == "this condition does not determine 'a'' in every case");
}

TEST_CASE("arrays: elements that are not named keep their values", "[specs][contract]") {
  auto compiled = withEdges("shared int a[2]; shared int i = 0;",
                            "-> B : a'[0] == 1; -> B : a'[i] == 1 && a'[1] == i;"
                            "-> B : a'[0] > a[0];");
  CHECK(edgesOf(compiled, "T") ==
        Lines{"A -> B : a' == a[0 := 1] {a}", "A -> error : !(i >= 0 && i < 2) {} ! OutOfBounds",
              "A -> B : i >= 0 && i < 2 && a' == a[i := 1][1 := i] && (i == 1 => 1 == i) {a}",
              "A -> B : a[0] < a'[0] && a'[1] == a[1] {a}"});
}

TEST_CASE("the id of an edge that cannot be taken is not evaluated", "[specs][contract]") {
  for (std::string operation : {"fork T as a[i]", "join T as a[i]", "join as a[i]"}) {
    INFO(operation);
    auto compiled = withEdges("shared int 0..1 a[2]; shared int i = 5; shared int x = 0;\n"
                              "shared ghost int 0..1 g = 0;",
                              "-> B : i < 2 && x' == 1 do " + operation + "; -> B do " + operation +
                                  "; -> B : g' == i do " + operation + ";");
    Lines failing;
    for (std::string line : edgesOf(compiled, "T")) {
      if (!line.starts_with("A -> error"))
        continue;
      if (size_t action = line.find("} ") + 1, kind = line.find(" ! "); action < kind)
        line.erase(action, kind - action);
      failing.push_back(line);
    }
    CHECK(failing == Lines{"A -> error : !(i >= 0 && i < 2) && i < 2 && x' == 1 {x} ! OutOfBounds",
                           "A -> error : !(i >= 0 && i < 2) {} ! OutOfBounds",
                           "A -> error : i >= 0 && i < 2 && !(i >= 0 && i <= 1) {} ! OutOfRange",
                           "A -> error : !(i >= 0 && i < 2) && g' == i && i >= 0 && i <= 1 {g} "
                           "! OutOfBounds",
                           "A -> error : !(i >= 0 && i < 2) && !(i >= 0 && i <= 1) {} "
                           "! OutOfBounds"});
  }
}

TEST_CASE("assertions become error edges", "[specs][contract]") {
  auto compiled = compileContract("system s {\n"
                                  "  shared int x = 0; shared int a[2];\n"
                                  "  thread T {\n"
                                  "    assert x >= 0;\n"
                                  "    initial A { assert x < 5 && x > 1; -> B; }\n"
                                  "    state B { assert a[x] == 0; -> C; }\n"
                                  "    final C;\n"
                                  "  }\n"
                                  "  run T;\n"
                                  "}\n");
  CHECK(edgesOf(compiled, "T") ==
        Lines{"A -> error : x < 0 {} ! Assertion", "A -> error : !(x < 5 && x > 1) {} ! Assertion",
              "A -> B : true {}", "B -> error : x < 0 {} ! Assertion",
              "B -> error : !(x >= 0 && x < 2 && a[x] == 0) {} ! Assertion", "B -> C : true {}"});
  CHECK(compiled.program.templates[0].edges[1].text == "x < 5 && x > 1");
}

TEST_CASE("locks and waiting", "[specs][contract]") {
  const std::string text = "system s {\n"
                           "  shared mutex m; shared cond c; shared int x = 0 guarded by m;\n"
                           "  thread T {\n"
                           "    assert held(m) => x == 0;\n"
                           "    initial A { -> B do lock m; }\n"
                           "    state B { -> C : x == 0 do wait c with m; }\n"
                           "    state C { -> D : x' == 1 do unlock m; }\n"
                           "    final D;\n"
                           "  }\n"
                           "  run T;\n"
                           "}\n";
  auto compiled = compileContract(text, specs::SpuriousWakeups::Off);
  CHECK(edgesOf(compiled, "T") ==
        Lines{"A -> B : !m && m' {m} do lock", "B -> error : x != 0 {} ! Assertion",
              "B (woken by c) -> C : !m && m' {m} do lock",
              "B -> B (waiting on c) : x == 0 && !m' {m} do wait",
              "C -> error : x != 0 {} ! Assertion", "C -> D : x' == 1 && !m' {m x} do unlock"});
  CHECK(compiled.program.assumptions == Lines{"condition variables do not wake up spuriously"});
  auto spurious = compileContract(text);
  CHECK(edgesOf(spurious, "T")[3] == "B (waiting on c) -> C : !m && m' {m} do lock");
  CHECK(spurious.program.assumptions.empty());
}

TEST_CASE("ghosts are set, and leaving their range is an error", "[specs][contract]") {
  auto compiled = withEdges("shared int x = 0; shared ghost int 0..1 g = 0;",
                            "-> B : x' == 1 && g' == g + 1; -> B : g' == 1;");
  CHECK(edgesOf(compiled, "T") ==
        Lines{"A -> error : x' == 1 && !(g + 1 >= 0 && g + 1 <= 1) {x} ! OutOfRange",
              "A -> B : x' == 1 && g' == g + 1 && g + 1 >= 0 && g + 1 <= 1 {x g}",
              "A -> B : g' == 1 {g}"});
}

TEST_CASE("relies hold or nothing happens", "[specs][contract]") {
  auto compiled = compileContract("system s {\n"
                                  "  shared int x = 0; shared bool b = false; shared mutex m;\n"
                                  "  thread T {\n"
                                  "    rely x' >= x;\n"
                                  "    initial A { rely b => b'; -> B; }\n"
                                  "    final B;\n"
                                  "  }\n"
                                  "  run T*;\n"
                                  "}\n");
  const compose::Template &thread = compiled.program.templates[0];
  REQUIRE(thread.locations[0].relies.size() == 2);
  CHECK(logic::smtlib::text(thread.locations[0].relies[0].formula) ==
        "x <= x' || x' == x && b' == b");
  CHECK(thread.locations[0].relies[1].text == "b => b'");
  CHECK(thread.locations[1].relies.size() == 1);
}

TEST_CASE("a rely may need an invariant to be transitive", "[specs][contract]") {
  const std::string thread = "thread T { rely x == 1 || x' == x + 1; initial final A; } run T; }";
  CHECK_THROWS_AS(compileContract("system s { shared int x = 1; " + thread), logic::Error);
  CHECK_NOTHROW(compileContract("system s { shared int x = 1; invariant x == 1; " + thread));
}

TEST_CASE("handlers are called again with new locals", "[specs][contract]") {
  auto compiled = compileContract("system s {\n"
                                  "  shared int x = 0;\n"
                                  "  handler H { local int 0..3 n = 1;\n"
                                  "    initial A { -> B : n' == 2; }\n"
                                  "    final B;\n"
                                  "  }\n"
                                  "  environment E { initial final A { -> A : x' == 1; } }\n"
                                  "  run H, E;\n"
                                  "}\n");
  CHECK(edgesOf(compiled, "H") ==
        Lines{"A -> B : n' == 2 {n}", "B -> A : n' >= 0 && n' <= 3 && n' == 1 {n}"});
  CHECK(compiled.program.templates[0].edges[1].text == "called again");
  CHECK(
      compiled.program.assumptions ==
      Lines{"environment E: its contract stands for hardware or kernel code that is not checked"});
}

TEST_CASE("threads without contract have an empty template", "[specs][contract]") {
  auto compiled = compileContract("system s {\n"
                                  "  thread A { initial S { -> D do fork C; } final D; }\n"
                                  "  thread B;\n"
                                  "  thread C;\n"
                                  "  never A.S with B.anything;\n"
                                  "  run A, B*;\n"
                                  "}\n");
  CHECK(compiled.withoutContract == Lines{"B", "C"});
  CHECK(compiled.program.templates.size() == 3);
  CHECK(compiled.program.templates[1].edges.empty());
  CHECK(compiled.program.starts.size() == 2);
  CHECK(compiled.program.exclusions.empty());
  CHECK(edgesOf(compiled, "A") == Lines{"S -> D : true {} do fork"});
  REQUIRE(compiled.threads.size() == 3);
  CHECK(compiled.threads[1].function == "B");
  CHECK_FALSE(compiled.threads[1].hasBody);
}

TEST_CASE("actions of contracts", "[specs][contract]") {
  auto compiled =
      withEdges("shared int i = 0;", "-> B do fork T as i + 1; -> B do join T; -> B do join as i; "
                                     "-> B : i' == 0 do call reset;");
  CHECK(edgesOf(compiled, "T") == Lines{"A -> B : true {} do fork", "A -> B : true {} do join",
                                        "A -> B : true {} do join",
                                        "A -> B : i' == 0 {i} do call"});
  const auto &edges = compiled.program.templates[0].edges;
  CHECK(logic::smtlib::text(std::get<compose::Fork>(edges[0].action).id.value()) == "i + 1");
  CHECK(std::get<compose::CallFunction>(edges[3].action).name == "reset");
}

TEST_CASE("an index is looked at when the step is taken", "[specs][contract]") {
  auto compiled =
      compileContract("system s {\n"
                      "  shared mutex m; shared int i; shared bool a[2];\n"
                      "  thread T {\n"
                      "    initial A { -> B : a[i] do lock m; -> C : a'[i] do join T; }\n"
                      "    state B { -> C do unlock m; }\n"
                      "    final C;\n"
                      "  }\n"
                      "  run T*;\n"
                      "}\n");
  CHECK(edgesOf(compiled, "T") ==
        Lines{"A -> error : !m && !(i >= 0 && i < 2) {} ! OutOfBounds",
              "A -> B : i >= 0 && i < 2 && a[i] && !m && m' {m} do lock",
              "A -> error : !(i >= 0 && i < 2) {} do join ! OutOfBounds",
              "A -> C : i >= 0 && i < 2 && a' == a[i := true] {a} do join",
              "B -> C : !m' {m} do unlock"});
}
