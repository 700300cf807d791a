// SPDX-License-Identifier: Apache-2.0
#include "passes/checker/Claims.h"

#include <algorithm>

namespace understudy::passes::checker {

std::vector<Unused> claimsAt(const compose::Program &contract, const compose::Place &state) {
  std::vector<Unused> claims;
  for (const compose::Edge &edge : contract.templates[state.thread].edges)
    if (edge.source == state.location && edge.failure == compose::FailureKind::Assertion)
      claims.push_back({"assert " + edge.text, edge.range});
  auto isHere = [&](const compose::Place &place) {
    return place.thread == state.thread && place.location == state.location;
  };
  for (const compose::Exclusion &exclusion : contract.exclusions)
    if (isHere(exclusion.first) || isHere(exclusion.second))
      claims.push_back({exclusion.text, exclusion.range});
  return claims;
}

bool isSilent(const lower::Lowered &lowered) {
  return lowered.assertions == 0 && lowered.markers == 0 && lowered.isSilent;
}

void SilentCode::add(const specs::ThreadBinding &thread, bool silent) {
  ++threads_;
  if (silent)
    silent_.push_back(&thread);
}

bool SilentCode::claimsSomething(const specs::ThreadBinding &thread) const {
  size_t states = contract_.program.templates[thread.id].locations.size();
  for (compose::LocationId state = 0; state < states; ++state)
    if (!claimsAt(contract_.program, {thread.id, state}).empty())
      return true;
  return false;
}

std::vector<std::string> SilentCode::assumptions() const {
  std::vector<std::string> result;
  for (const specs::ThreadBinding *thread : silent_)
    if (claimsSomething(*thread))
      result.push_back("the code of " + thread->name +
                       " has no assertions or markers: "
                       "what its contract claims is proved only for the contract");
  // The assertions of a thread that stands for itself are in the composition.
  if (result.empty() && threads_ > 0 && silent_.size() == threads_ &&
      contract_.withoutContract.empty())
    result.emplace_back("the code has no assertions or markers: "
                        "only its steps are checked");
  return result;
}

} // namespace understudy::passes::checker
