// SPDX-License-Identifier: Apache-2.0
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::tests;

TEST_CASE("assignments keep ranges and array bounds", "[specs][conc]") {
  auto compiled = compileConc("global int x = 0; global int 0..3 r = 1; global int[2] a = 7;\n"
                              "thread main {\n"
                              "  x := x + 1;\n"
                              "  r := r + 1;\n"
                              "  r := r;\n"
                              "  a[x] := a[0] - 1;\n"
                              "  havoc r;\n"
                              "  havoc x;\n"
                              "}\n");
  CHECK(logic::smtlib::text(compiled.program.initial) == "x == 0 && r == 1 && a == [7]");
  CHECK(edgesOf(compiled, "main") ==
        Lines{"line 3 -> line 4 : x' == x + 1 {x}",
              "line 4 -> line 5 : r + 1 >= 0 && r + 1 <= 3 && r' == r + 1 {r}",
              "line 4 -> error : !(r + 1 >= 0 && r + 1 <= 3) {} ! OutOfRange",
              "line 5 -> line 6 : r' == r {r}",
              "line 6 -> line 7 : x >= 0 && x < 2 && a' == a[x := a[0] - 1] {a}",
              "line 6 -> error : !(x >= 0 && x < 2) {} ! OutOfBounds",
              "line 7 -> line 8 : r' >= 0 && r' <= 3 {r}", "line 8 -> end : true {x}"});
}

TEST_CASE("conditions are steps", "[specs][conc]") {
  auto compiled = compileConc("global int x = 0;\n"
                              "thread main {\n"
                              "  while (x < 3) {\n"
                              "    if (*) { x := 1; } else { assume x == 2; }\n"
                              "  }\n"
                              "  assert x > 0;\n"
                              "  while (true) { skip; }\n"
                              "}\n");
  CHECK(edgesOf(compiled, "main") ==
        Lines{"line 3 -> line 4 : x < 3 {}", "line 3 -> line 6 : x >= 3 {}",
              "line 4 -> line 4:14 : true {}", "line 4 -> line 4:31 : true {}",
              "line 4:14 -> line 3 : x' == 1 {x}", "line 4:31 -> line 3 : x == 2 {}",
              "line 6 -> line 7 : x > 0 {}", "line 6 -> error : x <= 0 {} ! Assertion",
              "line 7 -> line 7:18 : true {}", "line 7:18 -> line 7 : true {}"});
  const compose::Template &thread = compiled.program.templates[0];
  CHECK(thread.edges[7].text == "x > 0");
  CHECK(thread.edges[7].range.text() == "test.conc:6:10");
  CHECK(thread.edges[1].text == "!(x < 3)");
}

TEST_CASE("labels are places and jumps are steps", "[specs][conc]") {
  auto compiled = compileConc("global bool b;\n"
                              "thread main {\n"
                              "  A: B: b := true;\n"
                              "  if (b) { goto B; }\n"
                              "  L: goto L;\n"
                              "  return;\n"
                              "  End:\n"
                              "}\n"
                              "never main.B with main.End;\n");
  CHECK(edgesOf(compiled, "main") ==
        Lines{"A -> line 4 : b' == true {b}", "line 4 -> line 4:12 : b {}", "line 4 -> L : !b {}",
              "line 4:12 -> A : true {}", "L -> L : true {}", "line 6 -> End : true {}"});
  const compose::Program &program = compiled.program;
  REQUIRE(program.exclusions.size() == 1);
  CHECK(program.exclusions[0].first.location == program.templates[0].initials[0]);
  CHECK(program.templates[0].locations[program.exclusions[0].second.location].kind ==
        compose::LocationKind::Final);
  CHECK(program.exclusions[0].text == "never main.B with main.End");
}

TEST_CASE("an empty thread starts at its end", "[specs][conc]") {
  auto compiled = compileConc("thread main { }");
  CHECK(edgesOf(compiled, "main").empty());
  const compose::Template &main = compiled.program.templates[0];
  CHECK(main.locations[main.initials[0]].kind == compose::LocationKind::Final);
}

TEST_CASE("mutexes are data", "[specs][conc]") {
  auto compiled = compileConc("global mutex m;\n"
                              "thread main {\n"
                              "  lock m;\n"
                              "  unlock m;\n"
                              "  lock m;\n"
                              "}\n");
  CHECK(edgesOf(compiled, "main") ==
        Lines{"line 3 -> line 4 : !held(m) && !m && m' && held(m)' {m held(m)} do lock",
              "line 3 -> error : held(m) {} ! Relock",
              "line 4 -> line 5 : held(m) && !m' && !held(m)' {m held(m)} do unlock",
              "line 4 -> error : !held(m) {} ! NotHeld",
              "line 5 -> error : !held(m) && !m && m' && held(m)' {m held(m)} do lock ! StillHeld",
              "line 5 -> error : held(m) {} ! Relock"});
  const compose::Program &program = compiled.program;
  CHECK(logic::smtlib::text(program.initial) == "!m");
  CHECK(logic::smtlib::text(program.templates[0].initial) == "!held(m)");
  CHECK(program.isMutexFlag(program.mutexes[0].locked));
  CHECK(program.isMutexFlag(program.templates[0].locals[0]));
}

TEST_CASE("ending while holding a mutex goes wrong", "[specs][conc]") {
  auto compiled = compileConc("global mutex m; global cond c;\n"
                              "thread main {\n"
                              "  if (*) { lock m; }\n"
                              "  wait c;\n"
                              "}\n");
  CHECK(edgesOf(compiled, "main") ==
        Lines{"line 3 -> line 3:12 : true {}", "line 3 -> line 4 : true {}",
              "line 3:12 -> line 4 : !held(m) && !m && m' && held(m)' {m held(m)} do lock",
              "line 3:12 -> error : held(m) {} ! Relock",
              "line 4 -> line 4 (waiting on c) : true {} do wait", "woken -> end : !held(m) {}",
              "woken -> error : held(m) {} ! StillHeld"});
}

TEST_CASE("waiting releases the mutex and takes it again", "[specs][conc]") {
  const std::string text = "global mutex m; global cond c;\n"
                           "thread main {\n"
                           "  lock m;\n"
                           "  W: wait c with m;\n"
                           "  unlock m;\n"
                           "}\n";
  auto compiled = compileConc(text);
  Lines edges = edgesOf(compiled, "main");
  CHECK(Lines(edges.begin() + 2, edges.begin() + 5) ==
        Lines{"W -> W (waiting on c) : held(m) && !m' && !held(m)' {m held(m)} do wait",
              "W -> error : !held(m) {} ! NotHeld",
              "W (woken) -> line 5 : !held(m) && !m && m' && held(m)' {m held(m)} do lock"});
  auto spurious = edgesOf(compileConc(text, specs::SpuriousWakeups::On), "main");
  CHECK(spurious[5] ==
        "W (waiting on c) -> line 5 : !held(m) && !m && m' && held(m)' {m held(m)} do lock");
  const compose::Template &main = compiled.program.templates[0];
  for (const compose::Location &location : main.locations)
    if (location.waiting)
      CHECK(main.locations[location.waiting->wakesTo].name == "W (woken)");
}

TEST_CASE("fork and join", "[specs][conc]") {
  auto compiled = compileConc("global int i = 0;\n"
                              "thread main {\n"
                              "  fork i w(i, true);\n"
                              "  i := fork w(2, false);\n"
                              "  join i - 1;\n"
                              "  join w;\n"
                              "}\n"
                              "thread w(int 0..3 p, bool q) { local int k = p + i; skip; }\n");
  CHECK(edgesOf(compiled, "main") == Lines{"line 3 -> line 4 : i >= 0 && i <= 3 {} do fork",
                                           "line 3 -> error : !(i >= 0 && i <= 3) {} ! OutOfRange",
                                           "line 4 -> line 5 : true {i} do fork",
                                           "line 5 -> line 6 : true {} do join",
                                           "line 6 -> end : true {} do join"});
  const compose::Template &main = compiled.program.templates[0];
  const auto &first = std::get<compose::Fork>(main.edges[0].action);
  CHECK(logic::smtlib::text(first.id.value()) == "i");
  CHECK(first.arguments.size() == 2);
  CHECK(std::get<compose::Fork>(main.edges[2].action).result.value().name() == "i");
  CHECK(logic::smtlib::text(std::get<compose::Join>(main.edges[3].action).id.value()) == "i - 1");
  CHECK(std::get<compose::Join>(main.edges[4].action).thread == compose::TemplateId{1});
  CHECK(logic::smtlib::text(compiled.program.templates[1].initial) == "k == p + i");
}

TEST_CASE("an atomic section is one edge for each way through it", "[specs][conc]") {
  auto compiled = compileConc("global int x = 0, y = 0; global bool b;\n"
                              "thread main {\n"
                              "  atomic { assume x > 0; x := x - 1; y := x; assert y < 5; }\n"
                              "  A: atomic { if (x == 0) { y := 1; } else { x := 2; } }\n"
                              "  B: atomic { if (*) { goto A; } havoc x; y := x; return; }\n"
                              "  C: atomic { x := 1; assert x == 1; x := x + 1; }\n"
                              "}\n");
  CHECK(edgesOf(compiled, "main") ==
        Lines{"line 3 -> error : x > 0 && x - 1 >= 5 {} ! Assertion",
              "line 3 -> A : x > 0 && x - 1 < 5 && x' == x - 1 && y' == x - 1 {x y}",
              "A -> B : x' == (x == 0 ? x : 2) && y' == (x == 0 ? 1 : y) {x y}", "B -> A : true {}",
              "B -> end : y' == x' {x y}", "C -> end : x' == 2 {x}"});
}

TEST_CASE("atomic sections lock at their start only and do one thing", "[specs][conc]") {
  auto compiled = compileConc("global mutex m; global int x = 0; global int[2] a = 0;\n"
                              "thread main {\n"
                              "  atomic { lock m; x := 1; }\n"
                              "  atomic { a[x] := 1; unlock m; }\n"
                              "}\n");
  CHECK(
      edgesOf(compiled, "main") ==
      Lines{"line 3 -> error : held(m) {} ! Relock",
            "line 3 -> line 4 : !held(m) && !m && m' && x' == 1 && held(m)' {m x held(m)} do lock",
            "line 4 -> error : !(x >= 0 && x < 2) {} ! OutOfBounds",
            "line 4 -> error : x >= 0 && x < 2 && !held(m) {} ! NotHeld",
            "line 4 -> end : x >= 0 && x < 2 && held(m) && !m' && a' == a[x := 1] && !held(m)' "
            "{m a held(m)} do unlock"});
}

TEST_CASE("threads at the start", "[specs][conc]") {
  auto compiled = compileConc("thread a { skip; } thread b { skip; } thread c { skip; }\n"
                              "run a, b * 3, a*, a * 2;");
  REQUIRE(compiled.program.starts.size() == 3);
  CHECK(compiled.program.starts[0].count == 3);
  CHECK(compiled.program.starts[1].count == 3);
  CHECK(compiled.program.starts[2].unbounded);
  REQUIRE(compiled.warnings.size() == 1);
  CHECK(compiled.warnings[0].message == "thread 'c' is neither run nor forked");
}

TEST_CASE("what goes wrong after a join in an atomic section waits for the join", "[specs][conc]") {
  auto compiled = compileConc("global int x = 0;\n"
                              "thread main {\n"
                              "  atomic { assume x > 1; join 7; assert x == 2; }\n"
                              "}\n");
  CHECK(edgesOf(compiled, "main") ==
        Lines{"line 3 -> error : x > 1 && x != 2 {} do join ! Assertion",
              "line 3 -> end : x > 1 && x == 2 {} do join"});
}

TEST_CASE("texts are what the user wrote, on one line", "[specs][conc]") {
  auto compiled = compileConc("global int x = 0;\n"
                              "thread main {\n"
                              "  x :=  x // one\n"
                              "     + /* two */ 1 ;\n"
                              "}\n"
                              "invariant x   >= 0;\n");
  CHECK(compiled.program.templates[0].edges[0].text == "x := x + 1");
  CHECK(compiled.program.invariants[0].text == "x >= 0");
}
