// SPDX-License-Identifier: Apache-2.0
#include "compose/portfolio/Turns.h"

#include "tests/Support.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <random>
#include <stdexcept>
#include <thread>

using namespace understudy;
using namespace understudy::compose::portfolio;
using std::chrono::milliseconds;

namespace {

constexpr uint64_t firstRound = 10;

struct Script {
  std::vector<uint64_t> work;
  bool answers = false;
  uint64_t handicap = 1;
  milliseconds delay{0}; ///< before every piece of work

  uint32_t round() const {
    uint64_t all = 0;
    for (uint64_t piece : work)
      all += piece * handicap;
    uint32_t result = 0;
    for (uint64_t share = firstRound; all > share; share *= 2)
      ++result;
    return result;
  }
};

Contender contender(const Script &script) {
  return {[script](const std::stop_token &stop, logic::solver::Pace &pace) {
            for (uint64_t piece : script.work) {
              if (stop.stop_requested())
                return false;
              std::this_thread::sleep_for(script.delay);
              pace.spend(piece);
            }
            return script.answers;
          },
          script.handicap};
}

TurnOptions workers(unsigned number) {
  TurnOptions options;
  options.firstRound = firstRound;
  options.workers = number;
  options.patience = milliseconds(0);
  return options;
}

std::optional<size_t> winner(const std::vector<Script> &scripts, unsigned number) {
  std::vector<Contender> contenders;
  for (const Script &script : scripts)
    contenders.push_back(contender(script));
  return firstToAnswer(contenders, workers(number));
}

/// The definition.
std::optional<size_t> expected(const std::vector<Script> &scripts) {
  std::optional<size_t> best;
  for (size_t i = 0; i < scripts.size(); ++i)
    if (scripts[i].answers && (!best || scripts[i].round() < scripts[*best].round()))
      best = i;
  return best;
}

std::vector<Script> randomScripts(uint64_t seed) {
  std::mt19937_64 random(seed);
  auto below = [&](uint64_t bound) { return random() % bound; };
  std::vector<Script> scripts(1 + below(5));
  for (Script &script : scripts) {
    for (uint64_t n = below(8); n > 0; --n)
      script.work.push_back(below(uint64_t{1} << below(9)));
    script.answers = below(3) != 0;
    script.handicap = below(4) == 0 ? 3 : 1;
    script.delay = milliseconds(below(8) == 0 ? 1 : 0);
  }
  return scripts;
}

} // namespace

TEST_CASE("turns: the first by round and number wins, with any number of workers") {
  const size_t count = tests::runs(2000);
  for (size_t run = 0; run < count; ++run) {
    const uint64_t seed = tests::seedOf(run);
    INFO("seed " << seed);
    const std::vector<Script> scripts = randomScripts(seed);
    const auto right = expected(scripts);
    for (unsigned number : {1U, 2U, 4U})
      REQUIRE(winner(scripts, number) == right);
  }
}

TEST_CASE("turns: a slow contender still wins if its work ends in an earlier round") {
  const Script slow{{3, 3, 3}, true, 1, milliseconds(5)};
  const Script fast{{11}, true, 1, milliseconds(0)};
  for (unsigned number : {1U, 2U}) {
    CHECK(winner({slow, fast}, number) == 0);
    CHECK(winner({fast, slow}, number) == 1);
  }
}

TEST_CASE("turns: without an answer there is no winner") {
  CHECK(winner({}, 2) == std::nullopt);
  CHECK(winner({{{5, 500}, false}, {{}, false}}, 2) == std::nullopt);
}

TEST_CASE("turns: what the winner throws is thrown, what a loser throws is not") {
  const Contender throwing{[](const std::stop_token &, logic::solver::Pace &pace) -> bool {
                             pace.spend(25);
                             throw std::runtime_error("a defect");
                           },
                           1};
  for (unsigned number : {1U, 2U}) {
    CHECK_THROWS_WITH(firstToAnswer({throwing, contender({{100}, true})}, workers(number)),
                      "a defect");
    CHECK(firstToAnswer({throwing, contender({{5}, true})}, workers(number)) == 1);
  }
}

TEST_CASE("turns: a stop from outside ends all contenders") {
  std::stop_source source;
  std::atomic<int> ended = 0;
  const Contender endless{[&](const std::stop_token &stop, logic::solver::Pace &pace) {
                            for (uint64_t n = 0; !stop.stop_requested(); ++n) {
                              pace.spend(1);
                              if (n == 1000)
                                source.request_stop();
                            }
                            ++ended;
                            return false;
                          },
                          1};
  TurnOptions options = workers(2);
  options.stop = source.get_token();
  CHECK(firstToAnswer({endless, endless, endless}, options) == std::nullopt);
  CHECK(ended >= 2);
}

TEST_CASE("turns: one piece of work may take half a round") {
  std::vector<uint64_t> allowed;
  const Contender asking{[&](const std::stop_token &, logic::solver::Pace &pace) {
                           for (uint64_t piece : {0, 4, 5, 20}) {
                             pace.spend(piece);
                             allowed.push_back(pace.allowance());
                           }
                           return true;
                         },
                         1};
  CHECK(firstToAnswer({asking}, workers(1)) == 0);
  CHECK(allowed == std::vector<uint64_t>{10, 6, 5, 20});
}
