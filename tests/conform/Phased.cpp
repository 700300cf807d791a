// SPDX-License-Identifier: Apache-2.0
#include "Phased.h"

#include <functional>
#include <set>

namespace understudy::tests {
namespace {

/// g(0) l(0) -> g'(0) l(1), g(1) l(1) -> …; g and l are longer by one than g'.
struct Phased {
  std::vector<GlobalId> g;
  std::vector<GlobalId> after;
  std::vector<LocalId> l;
  std::optional<std::string> marker; ///< of the last step
  size_t length() const { return after.size(); }
};

class Search {
public:
  Search(ConcreteThread &thread, ContractMachine &contract)
      : thread_(thread), contract_(contract) {}

  bool all(size_t length);

private:
  /// What the execution of the contract must be like at its end, besides matching.
  using Demand = std::function<bool(Configuration)>;

  bool extended(Phased &execution, size_t length);
  bool judged(const Phased &execution);
  bool duties(const Phased &execution);
  bool some(const Phased &execution, size_t matched, const Demand &demand);
  bool follow(const Phased &execution, size_t matched, const Demand &demand, size_t j,
              Configuration m);
  void silently(Configuration m, GlobalId g, std::set<Configuration> &passed);

  ConcreteThread &thread_;
  ContractMachine &contract_;
};

void Search::silently(Configuration m, GlobalId g, std::set<Configuration> &passed) {
  if (!passed.insert(m).second)
    return;
  for (Configuration next : contract_.moves(m, g, g))
    silently(next, g, passed);
}

/// The contract has matched j steps and is at m. Can it go on to match the execution so that it
/// goes wrong at a shared state that the execution still passes, or matches `matched` steps and
/// meets the demand? The shared state number `matched` itself is looked at by demands only.
bool Search::follow(const Phased &execution, size_t matched, const Demand &demand, size_t j,
                    Configuration m) {
  if (j == matched)
    return demand(m);
  const GlobalId g = execution.g[j];
  if (j > 0 && !contract_.relies(m, execution.after[j - 1], g))
    return true;
  std::set<Configuration> before;
  silently(m, g, before);
  for (Configuration n : before)
    if (contract_.fails(n, g))
      return true;
  for (Configuration n : before)
    for (Configuration moved : contract_.moves(n, g, execution.after[j])) {
      std::set<Configuration> behind;
      silently(moved, execution.after[j], behind);
      for (Configuration next : behind)
        if (follow(execution, matched, demand, j + 1, next))
          return true;
    }
  return false;
}

bool Search::some(const Phased &execution, size_t matched, const Demand &demand) {
  for (Configuration m : contract_.initial())
    if (follow(execution, matched, demand, 0, m))
      return true;
  return false;
}

/// Is the execution abstracted by some execution of the contract?
bool Search::judged(const Phased &execution) {
  const size_t p = execution.length();
  const GlobalId last = execution.g[p];
  const bool mustFail = thread_.wrong(last, execution.l[p]);
  return some(execution, p, [&](Configuration m) {
    if (!mustFail || (p > 0 && !contract_.relies(m, execution.after[p - 1], last)))
      return true;
    std::set<Configuration> reached;
    silently(m, last, reached);
    for (Configuration n : reached)
      if (contract_.fails(n, last))
        return true;
    return false;
  });
}

/// Markers and returns, judged right after the last step.
bool Search::duties(const Phased &execution) {
  const size_t p = execution.length();
  if (execution.marker && !some(execution, p, [&](Configuration m) {
        return contract_.stateOf(m).name == *execution.marker;
      }))
    return false;
  if (!thread_.returned(execution.l[p]))
    return true;
  return some(execution, p, [&](Configuration m) {
    std::set<Configuration> reached{m};
    if (p == 0) {
      reached.clear();
      silently(m, execution.g[0], reached);
    }
    for (Configuration n : reached)
      if (contract_.final(n))
        return true;
    return false;
  });
}

bool Search::extended(Phased &execution, size_t length) {
  for (GlobalId g = 0; g < thread_.space().size(); ++g) {
    const LocalId l = execution.l.back();
    execution.g.push_back(g);
    if (!judged(execution) || !duties(execution))
      return false;
    if (execution.length() < length && !thread_.wrong(g, l))
      for (const ConcreteThread::Step &step : thread_.steps(g, l)) {
        const auto marker = execution.marker;
        execution.after.push_back(step.after);
        execution.l.push_back(step.next);
        execution.marker = step.marker;
        if (!extended(execution, length))
          return false;
        execution.after.pop_back();
        execution.l.pop_back();
        execution.marker = marker;
      }
    execution.g.pop_back();
  }
  return true;
}

bool Search::all(size_t length) {
  for (LocalId l : thread_.initial()) {
    Phased execution{{}, {}, {l}, {}};
    if (!extended(execution, length))
      return false;
  }
  return true;
}

} // namespace

bool abstractedUpTo(size_t length, ConcreteThread &thread, ContractMachine &contract) {
  return Search(thread, contract).all(length);
}

} // namespace understudy::tests
