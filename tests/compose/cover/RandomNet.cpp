// SPDX-License-Identifier: Apache-2.0
#include "RandomNet.h"

#include "../../Support.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::tests {

using namespace compose::cover;
using namespace compose::cover::net;

namespace {

class Maker {
public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  CoverProblem make() {
    net().sharedStates = static_cast<uint32_t>(1 + random_.below(4));
    net().localStates = static_cast<uint32_t>(1 + random_.below(4));
    size_t transitions = random_.below(10);
    for (size_t i = 0; i < transitions; ++i)
      net().transitions.push_back(transition(static_cast<uint32_t>(i + 1)));
    size_t starts = random_.oneIn(4) ? random_.below(3) : 1;
    for (size_t i = 0; i < starts; ++i)
      net().starts.push_back({shared(), threads(random_.below(3)), someLocals()});
    size_t targets = random_.oneIn(4) ? 2 : 1;
    for (size_t i = 0; i < targets; ++i)
      problem_.targets.push_back({shared(), threads(random_.below(4))});
    return std::move(problem_);
  }

private:
  Random random_;
  CoverProblem problem_;

  TransferNet &net() { return problem_.net; }
  SharedState shared() { return static_cast<SharedState>(random_.below(net().sharedStates)); }
  LocalState local() { return static_cast<LocalState>(random_.below(net().localStates)); }

  Threads threads(size_t count) {
    std::map<LocalState, uint32_t> counts;
    for (size_t i = 0; i < count; ++i)
      ++counts[local()];
    Threads result;
    for (const auto &[where, number] : counts)
      result.push_back({where, number});
    return result;
  }

  std::vector<LocalState> someLocals() {
    std::set<LocalState> chosen;
    for (size_t i = random_.below(3); i > 0; --i)
      chosen.insert(local());
    return {chosen.begin(), chosen.end()};
  }

  std::vector<Move> moves() {
    std::set<Move> chosen;
    for (size_t i = 1 + random_.below(3); i > 0; --i)
      chosen.insert({local(), local()});
    return {chosen.begin(), chosen.end()};
  }

  Transition transition(uint32_t origin) {
    Transition result;
    result.from = shared();
    result.to = shared();
    result.origin = origin;
    switch (random_.below(8)) {
    case 0: // spawn
      result.consumes = threads(1);
      result.produces = result.consumes;
      result.produces = more(result.produces);
      break;
    case 1: // join, or another step of a Petri net
      result.consumes = threads(random_.below(4));
      result.produces = threads(random_.below(4));
      break;
    case 2: // signal
      result.consumes = threads(random_.below(3));
      result.produces = threads(random_.below(3));
      result.signals = moves();
      break;
    case 3: // signal of a thread
      result.consumes = threads(1);
      result.produces = threads(1);
      result.signals = moves();
      break;
    case 4: // broadcast without an active thread
      result.transfers = moves();
      break;
    case 5: // broadcast
      result.consumes = threads(1);
      result.produces = threads(random_.oneIn(4) ? 2 : 1);
      result.transfers = moves();
      break;
    default: // thread
      result.consumes = threads(1);
      result.produces = threads(1);
      break;
    }
    return result;
  }

  Threads more(Threads threads) {
    LocalState added = local();
    for (Group &group : threads)
      if (group.local == added) {
        ++group.count;
        return threads;
      }
    threads.push_back({added, 1});
    std::sort(threads.begin(), threads.end());
    return threads;
  }
};

std::string list(const Threads &threads) {
  std::string text;
  for (const Group &group : threads)
    for (uint32_t i = 0; i < group.count; ++i)
      text += (text.empty() ? "" : ",") + std::to_string(group.local);
  return text;
}

std::string list(const std::vector<Move> &moves) {
  std::string text;
  for (const Move &move : moves)
    text += " " + std::to_string(move.from) + "~>" + std::to_string(move.to);
  return text;
}

} // namespace

CoverProblem randomCoverProblem(uint64_t seed) { return Maker(seed).make(); }

std::string describe(const CoverProblem &problem) {
  const TransferNet &net = problem.net;
  std::string text =
      std::to_string(net.sharedStates) + " shared, " + std::to_string(net.localStates) + " local\n";
  for (const Transition &t : net.transitions)
    text += std::to_string(t.from) + "|" + list(t.consumes) + " -> " + std::to_string(t.to) + "|" +
            list(t.produces) + (t.signals.empty() ? "" : " signals" + list(t.signals)) +
            (t.transfers.empty() ? "" : " transfers" + list(t.transfers)) + "\n";
  for (const StartSet &start : net.starts) {
    text += "start " + std::to_string(start.shared) + "|" + list(start.threads) + "/";
    for (LocalState local : start.anyNumber)
      text += std::to_string(local) + " ";
    text += "\n";
  }
  for (const Configuration &target : problem.targets)
    text += "target " + std::to_string(target.shared) + "|" + list(target.threads) + "\n";
  return text;
}

} // namespace understudy::tests
