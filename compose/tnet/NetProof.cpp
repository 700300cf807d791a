// SPDX-License-Identifier: Apache-2.0
//
// The literal interpreter runs once more through the graph; the canonical order of ids says which
// id of a marking is which of its representative.
#include "compose/tnet/NetProof.h"

#include "compose/Budget.h"
#include "compose/tnet/State.h"

#include <map>

namespace understudy::compose::tnet {

namespace {

class Prover {
public:
  Prover(const Net &net, const NetProofOptions &options)
      : net_(net), maxStates_(options.maxStates), budget_(options) {}

  std::optional<NetProof> run() {
    number(startMarking(net_), nullptr);
    for (uint32_t current = 0; current < proof_.states.size(); ++current) {
      const Marking marking = proof_.states[current].marking;
      for (const Firing &firing : firings(net_, marking, &budget_)) {
        budget_.work(50);
        NetProof::Move move;
        move.target = number(firing.after, &move);
        proof_.states[current].moves.push_back(std::move(move));
      }
      if (proof_.states.size() > maxStates_)
        return std::nullopt;
    }
    return std::move(proof_);
  }

private:
  const Net &net_;
  uint64_t maxStates_;
  Budget budget_;
  NetProof proof_;
  CanonicalLabelling labelling_;
  std::map<std::vector<uint8_t>, uint32_t> numbers_;
  std::vector<std::vector<Pid>> inOrder_; ///< the ids of each representative
  std::vector<uint8_t> bytes_;
  std::vector<Atom> positions_;

  uint32_t number(const Marking &marking, NetProof::Move *move) {
    std::vector<Pid> atoms;
    State::of(net_, marking, atoms).encode(labelling_, bytes_, positions_);
    std::vector<Pid> ordered(atoms.size());
    for (size_t i = 0; i < atoms.size(); ++i)
      ordered[positions_[i]] = atoms[i];
    auto [entry, isNew] = numbers_.try_emplace(bytes_, static_cast<uint32_t>(proof_.states.size()));
    if (isNew) {
      proof_.states.push_back({marking, {}});
      inOrder_.push_back(ordered);
    }
    for (size_t i = 0; move && i < ordered.size(); ++i)
      move->names.emplace_back(ordered[i], inOrder_[entry->second][i]);
    return entry->second;
  }
};

} // namespace

std::optional<NetProof> proveNet(const Net &net, const NetProofOptions &options) {
  return Prover(net, options).run();
}

} // namespace understudy::compose::tnet
