// SPDX-License-Identifier: Apache-2.0
//
// The watcher itself: programs that violate are seen to do so, and those that do not are not. A
// tool that took the published local for private, or did not follow the late callback, would say
// `conforms` for the programs here that are seen.
#include "Trial.h"
#include "conform/Build.h"

#include <catch2/catch.hpp>

namespace understudy::tests::hostile {
namespace {

using namespace build;

constexpr size_t enoughRuns = 400;

/// x goes to 1 once.
FiniteSystem once() {
  FiniteSystem one = system({range("x", 0, 3)}, {},
                            {State("S").initial().to(1, same(sharedAfter(0), number(1))),
                             State("D").final().relies(same(sharedAfter(0), shared(0)))});
  one.prefix = "p_";
  one.parts[0].code.function = "p_T";
  return one;
}

Program program(const std::vector<std::string> &globals, const std::vector<std::string> &body) {
  Program result;
  result.prefix = "p_";
  result.shared = once().shared;
  result.types = {{"int", 4, true, false}};
  result.globals = globals;
  Function thread{"void @T(void)", {}};
  for (const std::string &line : body)
    thread.body.push_back({line, {}, false});
  result.functions = {thread};
  return result;
}

std::string seen(const Program &program, const FiniteSystem &system = once()) {
  const Trial trial({program}, 1);
  const auto found = trial.watch(0, system, 1, enoughRuns);
  const Answer answer = trial.ask(system);
  CHECK((!found || answer.verdict != passes::ConformAnswer::Conforms));
  return found ? word(found->breach) : "nothing";
}

} // namespace

TEST_CASE("a local whose address others know is seen to change") {
  Program published =
      program({"static int *@slot;"}, {"int l = 0;", "@slot = &l;", "@x = 1;", "if (l) @x = 2;"});
  CHECK(seen(published) == "nothing");
  published.cells = {{"@slot", Cell::Kind::Pointer}};
  CHECK(seen(published) == "step");
}

TEST_CASE("what an external function keeps is seen to change") {
  CHECK(seen(program({}, {"int l = 0;", "ext_keep(&l);", "@x = 1;", "if (l) @x = 2;"})) == "step");
  CHECK(seen(program({}, {"int l = 0;", "ext_keep(&l);", "l = 0;", "*ext_give() = 1;", "@x = 1;",
                          "if (l) @x = 2;"})) == "step");
  CHECK(seen(program({}, {"int l = 0;", "@x = 1;", "if (l) @x = 2;"})) == "nothing");
}

TEST_CASE("what a callback stores is seen") {
  const std::vector<std::string> callback = {"static void @cb(int v) { @x = v; }"};
  CHECK(seen(program(callback, {"call_late(@cb, 1);"})) == "nothing");
  CHECK(seen(program(callback, {"call_late(@cb, 1);", "call_late(@cb, 2);"})) == "step");
}

TEST_CASE("accesses by pointer, atomic operations and sections are steps") {
  CHECK(seen(program({}, {"int *p = &@x;", "*p = 1;"})) == "nothing");
  CHECK(seen(program({}, {"int *p = &@x;", "*p = 2;"})) == "step");
  CHECK(seen(program({}, {"__atomic_exchange_n(&@x, 1, 5);"})) == "nothing");
  CHECK(seen(program({}, {"__atomic_exchange_n(&@x, 3, 5);"})) == "step");
  CHECK(seen(program({}, {"__VERIFIER_atomic_begin();", "@x = 2;", "@x = 1;",
                          "__VERIFIER_atomic_end();"})) == "nothing");
  CHECK(seen(program({}, {"@x = 2;", "@x = 1;"})) == "step");
}

TEST_CASE("others move as the contract says, at every access") {
  // In D nothing changes x.
  CHECK(seen(program({}, {"@x = 1;", "assert(@x == 1);"})) == "nothing");
  CHECK(seen(program({}, {"assert(@x != 2);", "@x = 1;"})) == "wrong");
  CHECK(seen(program({}, {"int l = @x;", "@x = 1;", "assert(l == @x);"})) == "wrong");
}

TEST_CASE("values outside of the contract's type, markers and returns are judged") {
  CHECK(seen(program({}, {"@x = 7;"})) == "step");
  CHECK(seen(program({}, {"@x = 1;", "UNDERSTUDY_AT(D);"})) == "nothing");
  CHECK(seen(program({}, {"@x = 1;", "UNDERSTUDY_AT(S);"})) == "marker");
  CHECK(seen(program({}, {"if (__VERIFIER_nondet_int()) @x = 1;"})) == "return");
  CHECK(seen(program({}, {"if (__VERIFIER_nondet_int()) abort();", "@x = 1;"})) == "nothing");
}

} // namespace understudy::tests::hostile
