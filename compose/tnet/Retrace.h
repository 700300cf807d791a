// SPDX-License-Identifier: Apache-2.0
//
// From states without ids back to a run with them: the literal interpreter walks along the states
// that the search found, and every step is done again, with the ids that the atoms have by then.
#pragma once

#include "compose/exploration/StateStore.h"
#include "compose/tnet/Explore.h"
#include "compose/tnet/Rules.h"

#include <vector>

namespace understudy::compose::tnet {

struct Walk {
  Run run;
  std::vector<Pid> pids; ///< of the atoms of the last state
};

/// The states on the way to this one, the start first.
std::vector<uint32_t> pathTo(const exploration::StateStore &store, uint32_t number);

/// What the variables of the pattern are in a marking whose ids are these.
Binding bindingOf(const Pattern &pattern, const Matcher &matcher, const Matcher::Slots &slots,
                  const std::vector<Pid> &pids);

class Retracing {
public:
  Retracing(const Net &net, Rules &rules, const exploration::StateStore &store,
            CanonicalLabelling &labelling, Budget &budget)
      : net_(net), rules_(rules), store_(store), labelling_(labelling), budget_(budget) {}

  Walk along(const std::vector<uint32_t> &path);

private:
  const Net &net_;
  Rules &rules_;
  const exploration::StateStore &store_;
  CanonicalLabelling &labelling_;
  Budget &budget_;
  std::vector<uint8_t> bytes_;
  std::vector<Atom> positions_;

  bool step(Walk &walk, const State &state, uint32_t target);
  bool leadsTo(uint32_t target, const std::optional<State> &next);
  void follow(Walk &walk, uint32_t transition, const Matcher::Slots &slots) const;
};

} // namespace understudy::compose::tnet
