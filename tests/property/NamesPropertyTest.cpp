// SPDX-License-Identifier: Apache-2.0
//
// Random programs that fork: the states with renamed ids are those without, renamed.
#include "RandomForks.h"
#include "RandomServers.h"
#include "Support.h"
#include "compose/exploration/Explicit.h"
#include "compose/proof/ExplicitCheck.h"
#include "specs/Compile.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <set>

namespace understudy::tests {
namespace {

using namespace compose;
using namespace compose::exploration;
using Names = ExplicitOptions::Names;

/// Globals and threads, as text.
using Key = std::vector<std::vector<int64_t>>;

class Renamer {
public:
  explicit Renamer(const Program &program) : program_(program), ids_(analyseIds(program)) {}

  /// The least text over all permutations of the ids that are no constants; none if there are many.
  std::optional<Key> least(const Configuration &state) const {
    std::vector<int64_t> ids = idsOf(state);
    if (ids.size() > 5)
      return std::nullopt;
    std::vector<int64_t> names;
    for (int64_t next = 1; names.size() < ids.size(); ++next)
      if (!ids_.constants.contains(next))
        names.push_back(next);
    std::optional<Key> best;
    do {
      std::map<int64_t, int64_t> renaming;
      for (size_t i = 0; i < ids.size(); ++i)
        renaming[ids[i]] = names[i];
      Key key = keyOf(state, renaming);
      if (!best || key < *best)
        best = std::move(key);
    } while (std::next_permutation(names.begin(), names.end()));
    return best;
  }

private:
  const Program &program_;
  IdUse ids_;

  std::vector<int64_t> idsOf(const Configuration &state) const {
    std::set<int64_t> ids;
    auto note = [&](const std::vector<Variable> &variables, const std::vector<Value> &values) {
      for (size_t i = 0; i < variables.size(); ++i)
        if (ids_.variables.contains(variables[i]))
          ids.insert(values[i].number());
    };
    note(program_.globals, state.globals);
    for (const Thread &thread : state.threads) {
      note(program_.templates[thread.thread].locals, thread.locals);
      if (thread.id)
        ids.insert(*thread.id);
    }
    for (int64_t constant : ids_.constants)
      ids.erase(constant);
    return {ids.begin(), ids.end()};
  }

  Key keyOf(const Configuration &state, const std::map<int64_t, int64_t> &renaming) const {
    auto name = [&](int64_t id) { return renaming.contains(id) ? renaming.at(id) : id; };
    auto values = [&](const std::vector<Variable> &variables, const std::vector<Value> &all) {
      std::vector<int64_t> result;
      for (size_t i = 0; i < variables.size(); ++i)
        result.push_back(ids_.variables.contains(variables[i]) ? name(all[i].number())
                                                               : all[i].number());
      return result;
    };
    Key key;
    for (const Thread &thread : state.threads) {
      std::vector<int64_t> one{thread.thread, thread.location, thread.id.has_value(),
                               thread.id ? name(*thread.id) : 0};
      for (int64_t value : values(program_.templates[thread.thread].locals, thread.locals))
        one.push_back(value);
      key.push_back(std::move(one));
    }
    std::sort(key.begin(), key.end());
    key.push_back(values(program_.globals, state.globals));
    return key;
  }
};

struct Explored {
  Verdict verdict;
  ReachedStates reached;
};

Explored explored(const Program &program, Names names) {
  Explored result;
  ExplicitOptions options;
  options.names = names;
  options.maxStates = 3000;
  options.reached = [&](ReachedStates states) { result.reached = std::move(states); };
  result.verdict = verifyExplicit(program, options);
  return result;
}

size_t lengthOf(const Verdict &verdict) { return verdict.trace ? verdict.trace->steps.size() : 0; }

struct Found {
  size_t compared = 0; ///< programs, state by state
  size_t merged = 0;   ///< of them, those with fewer states
  size_t states = 0;   ///< of programs with fewer states
  size_t renamed = 0;  ///< what is left of them
};

Found compareAll(size_t count, const std::function<std::string(uint64_t seed)> &programOf) {
  Found found;
  for (size_t run = 0; run < count; ++run) {
    const uint64_t seed = seedOf(run);
    const std::string text = programOf(seed);
    INFO("seed " << seed << "\n" << text);
    const auto file = std::make_shared<const logic::SourceFile>("random.conc", text);
    std::optional<specs::Compiled> compiled;
    try {
      compiled = specs::compile(specs::syntax::parseConc(file).tree, {specs::SpuriousWakeups::Off});
    } catch (const logic::Error &) {
      continue;
    }
    const Program &program = compiled->program;
    const Explored kept = explored(program, Names::Keep);
    const Explored renamed = explored(program, Names::Rename);
    const Explored cleared = explored(program, Names::ClearAndRename);
    if (kept.verdict.answer == Answer::Unknown)
      continue;
    for (const Explored *other : {&renamed, &cleared}) {
      REQUIRE(other->verdict.answer == kept.verdict.answer);
      REQUIRE(other->verdict.width == kept.verdict.width);
      REQUIRE(lengthOf(other->verdict) == lengthOf(kept.verdict));
      REQUIRE(other->reached.states.size() <= kept.reached.states.size());
      if (kept.verdict.answer == Answer::Safe && other->reached.states.size() < 100)
        REQUIRE(proof::faultOfStates(program, other->reached, {}, proof::DeadlockClaim::None)
                    .value_or("none") == "none");
    }
    const IdUse ids = analyseIds(program);
    if (kept.verdict.answer != Answer::Safe || !ids.opaque || !ids.matters ||
        kept.reached.states.size() > 300)
      continue;
    const Renamer renamer(program);
    std::set<Key> all, representatives;
    bool small = true;
    for (const Configuration &state : kept.reached.states) {
      auto key = renamer.least(state);
      small = small && key;
      if (key)
        all.insert(*key);
    }
    if (!small)
      continue;
    for (const Configuration &state : renamed.reached.states)
      REQUIRE(representatives.insert(*renamer.least(state)).second);
    REQUIRE(representatives == all);
    ++found.compared;
    if (all.size() == kept.reached.states.size())
      continue;
    ++found.merged;
    found.states += kept.reached.states.size();
    found.renamed += all.size();
  }
  std::cout << "names of ids: " << found.compared << " programs compared state by state, "
            << found.merged << " with fewer states: " << found.renamed << " of " << found.states
            << "\n";
  return found;
}

} // namespace

TEST_CASE("random forks: renamed states are the states, renamed") {
  const size_t count = runs(10'000);
  const Found found = compareAll(count, randomForks);
  CHECK(found.compared * 5 >= count);
}

TEST_CASE("random servers: renamed states are the states, renamed") {
  const size_t count = runs(10'000);
  const Found found = compareAll(count, randomServers);
  CHECK(found.compared * 5 >= count * 2);
  CHECK(found.merged * 10 >= found.compared * 9);
  CHECK(found.renamed * 5 <= found.states * 4);
}

} // namespace understudy::tests
