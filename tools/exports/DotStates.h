// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/tnet/Explore.h"

#include <string>

namespace understudy::tools::exports {

/// The state graph of a net as a picture for Graphviz. Ids are letters; an edge tells which letters
/// of the state before became which others.
std::string dotText(const compose::tnet::Net &net, const compose::tnet::StateGraph &graph,
                    const std::string &name);

} // namespace understudy::tools::exports
