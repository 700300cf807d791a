// SPDX-License-Identifier: Apache-2.0
//
// The running example of *The Ghosts of Empires* and rows that follow from it: states, edges,
// updates and sizes exactly.
#include "compose/empire/Empire.h"

#include "compose/empire/Focus.h"
#include "compose/empire/Sizes.h"
#include "compose/refine/InvariantDomain.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::empire;
using logic::TermPool;
using petri::Label;

namespace {

/// A net with labels, and components of an invariant domain whose laws are single predicates.
class Example {
public:
  TermPool pool;
  petri::Net net;
  std::vector<Label> labels;
  refine::InvariantDomain domain;
  std::vector<PlaceId> bad;
  struct Limits0 : Limits {};
  Budget budget{Limits0{}};

  Term x() { return pool.var(variable("x")); }
  Term y() { return pool.var(variable("y")); }
  Term next(const std::string &name) { return pool.primed(variable(name)); }
  Variable variable(const std::string &name) { return pool.variable("", name, pool.intSort()); }
  Term number(int64_t value) { return pool.integer(value); }

  TransitionId add(std::vector<PlaceId> pre, std::vector<PlaceId> post, Label label) {
    net.transitions.push_back({std::move(pre), std::move(post)});
    labels.push_back(std::move(label));
    return static_cast<TransitionId>(labels.size() - 1);
  }
  Label guard(Term formula) { return {{formula}, {}}; }
  Label increment() { return {{pool.equal(next("x"), pool.add(x(), number(1)))}, {variable("x")}}; }

  void component(const std::vector<std::vector<Term>> &laws,
                 const std::vector<std::tuple<uint32_t, TransitionId, int>> &posts) {
    refine::DomainComponent result;
    result.laws = laws;
    for (const auto &[from, transition, to] : posts)
      result.post[{from, transition}] = to < 0 ? std::nullopt : std::optional<uint32_t>(to);
    domain.components.push_back(result);
  }

  struct Row {
    Configurations configurations;
    Empire naiveEmpire, empire;
    size_t naive, naiveImperial, saturated, first, last;
  };
  Row row() {
    Row result;
    result.configurations = configurationsOf(net, {domain}, 10'000, budget);
    const auto &predicates = result.configurations.predicates;
    std::vector<const Label *> pointers;
    for (const Label &label : labels)
      pointers.push_back(&label);
    Cores cores(pointers, predicates, pool, budget);
    const auto all = [](PlaceId) { return true; };
    const auto laws = lawsOf(result.configurations);
    result.naiveEmpire = empireOf(net, result.configurations, *laws, Growth::Naive, 10'000, budget);
    result.empire = empireOf(net, result.configurations, *laws, Growth::Saturated, 10'000, budget);
    for (const Empire *empire : {&result.naiveEmpire, &result.empire})
      CHECK(faultOfEmpire(*empire, net, result.configurations, cores, bad) == "");
    result.naive = naiveSize(net, result.configurations);
    auto size = [&](const Empire &empire, const Focus &focus) {
      return imperialSize(net, empire, focus, predicates);
    };
    result.naiveImperial = size(result.naiveEmpire, trivialFocus(result.naiveEmpire, all));
    result.saturated = size(result.empire, trivialFocus(result.empire, all));
    result.first =
        size(result.empire, focusOf(net, result.empire, cores, Preference::First, all, budget));
    result.last =
        size(result.empire, focusOf(net, result.empire, cores, Preference::Last, all, budget));
    return result;
  }
};

/// Figure 2: p0 … p7 are 0 … 7, e1 is 8 and e2 is 9.
void addFigure2(Example &e) {
  TermPool &pool = e.pool;
  e.net.places = 10;
  e.net.initial = {0};
  e.bad = {8, 9};
  const Term x = e.x(), y = e.y();
  const auto assume = e.add({0}, {1, 5}, e.guard(pool.greater(x, e.number(0))));
  const auto copy = e.add({1}, {2}, {{pool.equal(e.next("y"), x)}, {e.variable("y")}});
  e.add({2}, {3}, {});
  const auto left = e.add({3}, {4}, e.increment());
  const auto wrong1 = e.add({4}, {8}, e.guard(pool.negate(pool.less(y, x))));
  e.add({5}, {6}, {{}, {e.variable("z")}});
  const auto right = e.add({6}, {7}, e.increment());
  const auto wrong2 = e.add({4, 7}, {9}, e.guard(pool.negate(pool.greater(x, e.number(2)))));
  e.component({{}, {pool.lessEqual(y, x)}, {pool.less(y, x)}},
              {{0, copy, 1}, {1, left, 2}, {2, wrong1, -1}});
  e.component(
      {{},
       {pool.greater(x, e.number(0))},
       {pool.greater(x, e.number(1))},
       {pool.greater(x, e.number(2))}},
      {{0, assume, 1}, {1, left, 2}, {1, right, 2}, {2, left, 3}, {2, right, 3}, {3, wrong2, -1}});
}

/// `threads` threads increment x once, between local steps; in the end x is their number.
void addIncrements(Example &e, uint32_t threads, uint32_t before, uint32_t after) {
  TermPool &pool = e.pool;
  const uint32_t each = before + after + 2;
  e.net.places = threads * each + 1;
  std::vector<TransitionId> steps;
  std::vector<PlaceId> ends;
  for (uint32_t thread = 0; thread < threads; ++thread) {
    const PlaceId first = thread * each;
    e.net.initial.push_back(first);
    for (uint32_t i = 0; i + 1 < each; ++i) {
      const auto added = e.add({first + i}, {first + i + 1}, i == before ? e.increment() : Label{});
      if (i == before)
        steps.push_back(added);
    }
    ends.push_back(first + each - 1);
  }
  const PlaceId wrong = threads * each;
  e.bad = {wrong};
  const auto fails = e.add(ends, {wrong}, e.guard(pool.distinct(e.x(), e.number(threads))));
  std::vector<std::vector<Term>> laws;
  std::vector<std::tuple<uint32_t, TransitionId, int>> posts;
  for (uint32_t value = 0; value <= threads; ++value) {
    laws.push_back({pool.equal(e.x(), e.number(value))});
    for (TransitionId step : steps)
      if (value < threads)
        posts.emplace_back(value, step, static_cast<int>(value) + 1);
  }
  posts.emplace_back(threads, fails, -1);
  e.component(laws, posts);
}

} // namespace

TEST_CASE("empire: the paper's running example", "[empire]") {
  Example e;
  addFigure2(e);
  const Example::Row row = e.row();
  // 17 markings are reachable in the net; four of them have an error place, which no configuration
  // of a safe domain has.
  CHECK(row.configurations.all.size() == 13);
  CHECK(row.naiveEmpire.states.size() == 13);
  CHECK(row.empire.states.size() == 7);
  CHECK(row.empire.edges() == 13);
  CHECK(row.empire.loops() == 5);
  CHECK(row.empire.impossible() == 3);
  CHECK(imperialUpdates(row.empire) == 4); // example 4.10 says three, Definition 4.9 gives four
  CHECK(row.empire.states[0].territory == Territory{{0}});
  std::map<Territory, size_t> laws;
  for (const Empire::State &state : row.empire.states)
    laws[state.territory] = row.empire.laws[state.law].size();
  const std::map<Territory, size_t> expected{
      {{{0}}, 0},         {{{1}, {5, 6}}, 1}, {{{2, 3}, {5, 6}}, 2}, {{{1}, {7}}, 1},
      {{{4}, {5, 6}}, 2}, {{{2, 3}, {7}}, 2}, {{{4}, {7}}, 2}};
  CHECK(laws == expected);
  CHECK(row.naive == 276);
  CHECK(row.naiveImperial == 230);
  CHECK(row.saturated == 166);
  CHECK(std::max(row.first, row.last) == 129);
  CHECK(std::min(row.first, row.last) == 127);
}

TEST_CASE("empire: two and three increments", "[empire]") {
  struct Expected {
    uint32_t threads, before, after;
    size_t configurations, states, updates, naive, naiveImperial, saturated, focused;
  };
  for (const Expected &expected :
       {Expected{2, 0, 0, 4, 4, 2, 81, 67, 67, 56}, Expected{2, 2, 0, 16, 4, 2, 241, 252, 113, 92},
        Expected{3, 2, 0, 64, 8, 3, 624, 1262, 281, 210}}) {
    Example e;
    addIncrements(e, expected.threads, expected.before, expected.after);
    const Example::Row row = e.row();
    INFO(expected.threads << " threads, " << expected.before << " steps before");
    CHECK(row.configurations.all.size() == expected.configurations);
    CHECK(row.empire.states.size() == expected.states);
    CHECK(imperialUpdates(row.empire) == expected.updates);
    CHECK(row.naive == expected.naive);
    CHECK(row.naiveImperial == expected.naiveImperial);
    CHECK(row.saturated == expected.saturated);
    CHECK(row.first == expected.focused);
  }
}

TEST_CASE("empire: example 3.10 is no safe domain as it is printed", "[empire]") {
  // Its post keeps x > 0 && y <= x under both increments; then e2 is reached with x > 1 && y < x.
  Example e;
  addFigure2(e);
  const TransitionId left = 3, right = 6;
  auto &second = e.domain.components[1].post;
  second[{1, left}] = 1;
  second[{1, right}] = 1;
  const Configurations found = configurationsOf(e.net, {e.domain}, 1000, e.budget);
  CHECK(std::any_of(found.all.begin(), found.all.end(),
                    [](const auto &c) { return c.marking == std::vector<PlaceId>{9}; }));
}
