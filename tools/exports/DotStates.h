// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/tnet/Explore.h"

#include <stop_token>
#include <string>

namespace understudy::tools::exports {

struct StatesPicture {
  std::string name;
  uint64_t states = 0;        ///< that were found
  std::string unfinished;     ///< why there may be more; empty: there are not
  std::stop_token limit = {}; ///< from then on only the first states are drawn
};

/// The state graph of a net as a picture for Graphviz. Ids are letters; an edge tells which letters
/// of the state before became which others. A picture that is not the whole says so.
std::string dotText(const compose::tnet::Net &net, const compose::tnet::StateGraph &graph,
                    const StatesPicture &picture);

} // namespace understudy::tools::exports
