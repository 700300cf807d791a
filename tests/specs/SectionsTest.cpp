// SPDX-License-Identifier: Apache-2.0
//
// States inside a section, compared with the wording of the language: the same contract without
// `inside` is explored with the reference interpreter, and steps that the wording forbids are left
// out one by one.
#include "compose/Interpreter.h"
#include "tests/Support.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

#include <set>

using namespace understudy;
using namespace understudy::tests;

namespace {

enum class Kind { Outside, Writer, Reader };

struct State {
  Kind kind = Kind::Outside;
  std::vector<std::string> edges;
};

/// x is guarded by the section, y by nothing.
struct RandomThread {
  std::vector<State> states; ///< the first is initial, the last final
};

RandomThread randomThread(Random &random) {
  static const std::vector<std::string> conditions{
      "",           " : x' == 1", " : x' == 0",           " : y' == 1",
      " : y' == 0", " : x == 0",  " : x == 1 && y' == 1", " : x' == x && y' == 1",
      " : havoc x", " : y == x"};
  RandomThread thread;
  thread.states.resize(3 + random.below(3));
  for (size_t i = 0; i + 1 < thread.states.size(); ++i) {
    State &state = thread.states[i];
    if (i > 0)
      state.kind = static_cast<Kind>(random.below(3));
    // A way to the end, so that every state is reached.
    state.edges.push_back("-> S" + std::to_string(i + 1) + random.pick(conditions) + ";");
    if (random.oneIn(2))
      state.edges.push_back("-> S" + std::to_string(random.below(thread.states.size())) +
                            random.pick(conditions) + ";");
  }
  return thread;
}

std::string textOf(const std::vector<RandomThread> &threads, bool withInside) {
  std::string text = "system s {\n  shared section lock;\n"
                     "  shared int 0..1 x = 0 guarded by lock;\n  shared int 0..1 y = 0;\n";
  std::string run;
  for (size_t t = 0; t < threads.size(); ++t) {
    std::string name = "T" + std::to_string(t);
    run += (run.empty() ? "" : ", ") + name;
    text += "  thread " + name + " {\n";
    for (size_t i = 0; i < threads[t].states.size(); ++i) {
      const State &state = threads[t].states[i];
      bool last = i + 1 == threads[t].states.size();
      text += std::string("    ") +
              (i == 0 ? "initial"
               : last ? "final"
                      : "state") +
              " S" + std::to_string(i);
      if (withInside && state.kind != Kind::Outside)
        text += state.kind == Kind::Writer ? " inside lock" : " inside lock for reading";
      text += " {";
      for (const std::string &edge : state.edges)
        text += " " + edge;
      text += " }\n";
    }
    text += "  }\n";
  }
  return text + "  run " + run + ";\n}\n";
}

/// The values of x and y, and where the threads are.
using Seen = std::vector<int64_t>;

class Exploration {
public:
  Exploration(const specs::Compiled &compiled, const std::vector<RandomThread> *filter)
      : program_(compiled.program), interpreter_(program_), filter_(filter) {}

  std::set<Seen> run() {
    std::vector<compose::Configuration> work = interpreter_.starts();
    while (!work.empty()) {
      compose::Configuration at = std::move(work.back());
      work.pop_back();
      if (!known_.insert(project(at)).second)
        continue;
      for (const compose::Step &step : interpreter_.steps(at))
        if (!filter_ || allowed(at, step))
          work.push_back(step.after);
    }
    return known_;
  }

private:
  const compose::Program &program_;
  compose::Interpreter interpreter_;
  const std::vector<RandomThread> *filter_;
  std::set<Seen> known_;

  int64_t value(const compose::Configuration &at, const std::string &name) const {
    for (size_t i = 0; i < program_.globals.size(); ++i)
      if (program_.globals[i].name() == name)
        return at.globals[i].number();
    return 0;
  }
  std::vector<int64_t> places(const compose::Configuration &at) const {
    std::vector<int64_t> result(program_.templates.size());
    for (const compose::Thread &thread : at.threads)
      result[thread.thread] = thread.location;
    return result;
  }
  Seen project(const compose::Configuration &at) const {
    Seen seen = places(at);
    seen.push_back(value(at, "x"));
    seen.push_back(value(at, "y"));
    return seen;
  }
  Kind kindOf(size_t thread, int64_t place) const {
    return (*filter_)[thread].states[static_cast<size_t>(place)].kind;
  }
  /// "While a thread is in such a state no other thread enters a state inside L (two readers may),
  /// and edges that change what L guards wait."
  bool allowed(const compose::Configuration &before, const compose::Step &step) const {
    std::vector<int64_t> from = places(before);
    std::vector<int64_t> to = places(step.after);
    size_t mover = step.templateId;
    bool changes = value(before, "x") != value(step.after, "x");
    Kind was = kindOf(mover, from[mover]);
    Kind becomes = kindOf(mover, to[mover]);
    for (size_t other = 0; other < from.size(); ++other) {
      Kind kind = kindOf(other, from[other]);
      if (other == mover || kind == Kind::Outside)
        continue;
      bool enters = becomes != Kind::Outside && was != becomes;
      if (changes || (enters && !(becomes == Kind::Reader && kind == Kind::Reader)))
        return false;
    }
    return true;
  }
};

} // namespace

TEST_CASE("a state inside a section keeps others out, as the language says", "[specs][sections]") {
  size_t restricted = 0;
  const size_t count = runs(4000);
  for (size_t run = 0; run < count; ++run) {
    INFO("seed " << seedOf(run));
    Random random(seedOf(run));
    std::vector<RandomThread> threads(2 + random.below(2));
    for (RandomThread &thread : threads)
      thread = randomThread(random);
    std::string text = textOf(threads, true);
    INFO(text);
    specs::Compiled with = compileContract(text);
    specs::Compiled without = compileContract(textOf(threads, false));
    std::set<Seen> reached = Exploration(with, nullptr).run();
    CHECK(reached == Exploration(without, &threads).run());
    restricted += reached != Exploration(without, nullptr).run() ? 1 : 0;
  }
  CHECK(restricted > count / 5); // the sections of these contracts matter
}

TEST_CASE("a section without states inside is nothing in the composition", "[specs][sections]") {
  auto compiled =
      compileContract("system s {\n"
                      "  shared section lock @ dev->lock;\n"
                      "  object dev : struct uart;\n"
                      "  shared int busy @ dev->busy = 0 guarded by lock;\n"
                      "  thread T { initial A { -> B : busy' == busy + 1; } final B; }\n"
                      "  run T*;\n"
                      "}\n");
  CHECK(compiled.program.globals.size() == 1);
  CHECK(compiled.program.mutexes.empty());
  CHECK(edgesOf(compiled, "T") == Lines{"A -> B : busy' == busy + 1 {busy}"});
  REQUIRE(compiled.locks.size() == 1);
  CHECK(compiled.locks[0].paths[0].text == "dev->lock");
  CHECK_FALSE(compiled.locks[0].recursive);
}

TEST_CASE("what states inside a section wait for", "[specs][sections]") {
  auto compiled = compileContract(
      "system s {\n"
      "  shared section lock; shared int x = 0 guarded by lock; shared bool y;\n"
      "  thread W { initial A { -> B : y'; } state B inside lock { -> C : x' == 1; }\n"
      "             state C inside lock { -> D; } final D; }\n"
      "  thread R { initial A { -> B; } state B inside lock for reading { -> C : !x_is(1); }\n"
      "             final C; }\n"
      "  thread O { initial A { -> B : x' == 2; -> B : x == 1; } final B; }\n"
      "  define x_is(i) = x == i;\n"
      "  run W, R * 2, O;\n"
      "}\n");
  CHECK(edgesOf(compiled, "W") ==
        Lines{"A -> B : y' && !inside_lock && readers_inside_lock == 0 && inside_lock' == true "
              "{y inside_lock}",
              "B -> C : x' == 1 {x}", "C -> D : inside_lock' == false {inside_lock}"});
  CHECK(edgesOf(compiled, "R") ==
        Lines{"A -> B : !inside_lock && readers_inside_lock' == readers_inside_lock + 1 "
              "{readers_inside_lock}",
              "B -> C : x != 1 && readers_inside_lock' == readers_inside_lock - 1 "
              "{readers_inside_lock}"});
  CHECK(edgesOf(compiled, "O") ==
        Lines{"A -> B : x' == 2 && (!inside_lock && readers_inside_lock == 0 || x' == x) {x}",
              "A -> B : x == 1 {}"});
  CHECK(compiled.insideFlags.size() == 2);
}

TEST_CASE("what environments do under a section's lock is an assumption", "[specs][sections]") {
  auto compiled =
      compileContract("system s {\n"
                      "  shared section lock;\n"
                      "  shared bool a guarded by lock; shared bool b guarded by lock;\n"
                      "  shared bool c written under lock;\n"
                      "  environment E { initial final A { -> A : a' && b && c'; } }\n"
                      "  run E;\n"
                      "}\n");
  CHECK(compiled.program.assumptions ==
        Lines{"environment E: its contract stands for hardware or kernel code that is not checked",
              "environment E changes a under lock", "environment E tests b under lock",
              "environment E changes c under lock"});
}
