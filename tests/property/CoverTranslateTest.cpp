// SPDX-License-Identifier: Apache-2.0
//
// Random programs and their nets, for fixed numbers of threads: the net, explored forward by brute
// force, covers a target exactly if the explicit engine finds the program to go wrong; and its
// traces lead back to executions that replay.
#include "Judging.h"
#include "RandomConc.h"
#include "RandomContract.h"
#include "RandomCounting.h"
#include "Support.h"
#include "compose/cover/BruteForce.h"
#include "compose/cover/translate/Translate.h"
#include "compose/exploration/Explicit.h"
#include "logic/Error.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>
#include <map>

namespace understudy::tests {
namespace {

using compose::Answer;
using compose::Program;
using namespace compose::cover;
using namespace compose::cover::net;
using namespace compose::cover::translate;
using Singles = TranslateOptions::Singles;

/// Forward, breadth first, with this many threads of each kind that is run in any number.
class Search {
public:
  Search(const ProgramNet &net, uint32_t each) : net_(net), each_(each) {
    for (size_t t = 0; t < net_.problem().net.transitions.size(); ++t)
      from_[net_.problem().net.transitions[t].from].push_back(static_cast<uint32_t>(t));
  }

  /// A trace to a target; an empty one: there is none. None: too large.
  std::optional<CoverTrace> run(size_t most) {
    for (const StartSet &start : net_.problem().net.starts)
      addStarts(start);
    for (size_t at = 0; at < queue_.size(); ++at) {
      if (queue_.size() > most)
        return std::nullopt;
      const Configuration current = queue_[at];
      if (std::any_of(net_.problem().targets.begin(), net_.problem().targets.end(),
                      [&](const Configuration &t) { return brute::covers(current, t); }))
        return traceTo(current);
      for (uint32_t t : from_[current.shared])
        for (const Configuration &next : brute::fire(net_.problem().net.transitions[t], current))
          meet(next, current, t);
    }
    return CoverTrace{};
  }

private:
  struct Origin {
    Configuration before;
    uint32_t fired = 0;
  };
  const ProgramNet &net_;
  uint32_t each_;
  std::map<SharedState, std::vector<uint32_t>> from_;
  std::map<Configuration, Origin> seen_;
  std::vector<Configuration> queue_;

  void meet(const Configuration &next, const Configuration &before, uint32_t fired) {
    if (seen_.emplace(next, Origin{before, fired}).second)
      queue_.push_back(next);
  }

  void addStarts(const StartSet &start) {
    std::map<compose::TemplateId, std::vector<LocalState>> kinds;
    for (LocalState local : start.anyNumber)
      kinds[net_.thread(local).thread].push_back(local);
    std::map<LocalState, uint32_t> fixed;
    for (const Group &group : start.threads)
      fixed[group.local] = group.count;
    std::set<std::map<LocalState, uint32_t>> all{fixed};
    for (const auto &[kind, locals] : kinds)
      for (uint32_t i = 0; i < each_; ++i) {
        std::set<std::map<LocalState, uint32_t>> larger;
        for (const auto &threads : all)
          for (LocalState local : locals) {
            auto more = threads;
            ++more[local];
            larger.insert(more);
          }
        all = larger;
      }
    for (const auto &counts : all) {
      Configuration configuration{start.shared, {}};
      for (const auto &[local, count] : counts)
        configuration.threads.push_back({local, count});
      meet(configuration, configuration, 0);
    }
  }

  CoverTrace traceTo(Configuration at) const {
    CoverTrace trace;
    trace.after.push_back(at);
    while (seen_.at(at).before != at) {
      trace.fired.push_back(seen_.at(at).fired);
      at = seen_.at(at).before;
      trace.after.push_back(at);
    }
    std::reverse(trace.fired.begin(), trace.fired.end());
    std::reverse(trace.after.begin(), trace.after.end());
    return trace;
  }
};

struct Opinion {
  bool accepted = false, compared = false, unsafe = false;
  std::string reason;
  std::string defect;
};

std::string compare(const Program &program, const ProgramNet &net, Answer expected, uint32_t each) {
  auto found = Search(net, each).run(20'000);
  if (!found)
    return "too large";
  bool unsafe = !found->after.empty();
  if (unsafe != (expected == Answer::Unsafe))
    return "expected " + word(expected) + ", and the net says the contrary";
  if (!unsafe)
    return "";
  auto trace = net.traceOf(*found);
  if (!trace)
    return "the trace of the net is no execution";
  return compose::replay(program, *trace).value_or("");
}

Opinion judge(Language language, const std::string &text) {
  Opinion opinion;
  try {
    const Program program = compiled(language, text);
    opinion.accepted = true;
    TranslateOptions options;
    options.maxShared = 2'000;
    options.maxPairs = 20'000;
    options.maxTransitions = 50'000;
    constexpr uint32_t each = 2;
    const Answer expected = explored(program, each, 3'000).answer;
    if (expected == Answer::Unknown)
      return opinion;
    for (Singles singles : {Singles::InSharedState, Singles::AsThreads}) {
      options.singles = singles;
      const ProgramNet net(program, options);
      const std::string defect = compare(program, net, expected, each);
      if (defect == "too large") {
        opinion.reason = defect;
        return opinion;
      }
      opinion.defect = defect;
      if (!defect.empty())
        return opinion;
    }
    opinion.compared = true;
    opinion.unsafe = expected == Answer::Unsafe;
  } catch (const logic::Error &error) {
    opinion.reason = error.what();
  } catch (const logic::Unsupported &unsupported) {
    opinion.reason = unsupported.what();
  }
  return opinion;
}

struct Count {
  size_t all = 0, accepted = 0, compared = 0, unsafe = 0;
  Reasons reasons;

  void add(Language language, uint64_t seed, const std::string &text) {
    const Opinion opinion = judge(language, text);
    ++all;
    accepted += opinion.accepted ? 1 : 0;
    compared += opinion.compared ? 1 : 0;
    unsafe += opinion.unsafe ? 1 : 0;
    reasons.add(opinion.reason);
    requireNoDefect(seed, text, opinion.defect,
                    [&](const std::string &candidate) { return judge(language, candidate); });
  }
  void tell(const std::string &name) const {
    std::cout << name << ": " << accepted << " programs, " << compared << " compared, " << unsafe
              << " unsafe\n";
    reasons.tell();
  }
};

} // namespace

TEST_CASE("cover: random programs and their nets agree for few threads") {
  Count conc, contract, open;
  const size_t all = runs(3000);
  for (size_t i = 0; i < all; ++i) {
    const uint64_t seed = seedOf(i);
    conc.add(Language::Conc, seed, randomConc(seed));
    contract.add(Language::Contract, seed, randomContract(seed));
    open.add(Language::Contract, seed, randomCounting(seed));
  }
  conc.tell("cover, CONC");
  contract.tell("cover, contracts");
  open.tell("cover, any number of threads");
  CHECK(conc.compared * 3 >= all);
  CHECK(conc.unsafe * 10 >= all);
  CHECK((conc.compared - conc.unsafe) * 10 >= all);
  CHECK(contract.compared * 3 >= all);
  CHECK(open.compared * 5 >= all);
}

} // namespace understudy::tests
