// SPDX-License-Identifier: Apache-2.0
//
// Thread transition systems as text (`.tts`), their targets and their initial states.
#pragma once

#include "compose/cover/net/TransferNet.h"
#include "logic/Error.h"
#include "logic/Source.h"

#include <vector>

namespace understudy::specs::net {

/// The net of a `.tts` file, without starts. `origin` of a transition is its line. Throws
/// `logic::Error`.
compose::cover::net::TransferNet readTts(const logic::SourceFilePtr &file);

/// "s|l1,l2,…", one for each line that is not empty; a `.prop` file or an option. States that the
/// net does not have are an error: nobody could cover them, and a slip would be proved safe.
std::vector<compose::cover::net::Configuration>
readTargets(const logic::SourceFilePtr &file, const compose::cover::net::TransferNet &net);

/// "s|b1,b2/u1,u2": the threads b once each, and any number in each u.
compose::cover::net::StartSet readStart(const logic::SourceFilePtr &file,
                                        const compose::cover::net::TransferNet &net);

/// "0/0"; none for a net without states.
std::vector<compose::cover::net::StartSet>
defaultStarts(const compose::cover::net::TransferNet &net);

} // namespace understudy::specs::net
