// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/tnet/NetProof.h"

#include <optional>
#include <string>

namespace understudy::compose::proof {

/// Why the markings do not prove that the net reaches no other states and violates no `never`, in
/// words; nothing if they do: the start is the first of them, every firing leads, by the names that
/// the proof carries, to an equivalent one (Definitions 6 and 7 of the paper), and no `never` is
/// there in any. By Theorem 2 every reachable marking is then equivalent to a listed one. Follows
/// the literal interpreter; nothing is searched for.
std::optional<std::string> faultOfMarkings(const tnet::Net &net, const tnet::NetProof &proof);

} // namespace understudy::compose::proof
