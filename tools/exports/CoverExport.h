// SPDX-License-Identifier: Apache-2.0
//
// Coverability problems as text of other tools: thread transition systems (.tts), mist's nets
// (.spec) and PNML. A target can be covered in the text exactly if one can be in the problem; what
// a format cannot say is refused with the reason.
#pragma once

#include "compose/Program.h"
#include "compose/cover/net/TransferNet.h"
#include "tools/options/Options.h"

#include <string>

namespace understudy::tools::exports {

/// A problem in the notation asked for: Tts, Spec or Pnml.
std::string netText(const compose::cover::net::CoverProblem &problem, options::ExportTarget target);

/// The same for a program with finite data and any number of threads. Throws `logic::Unsupported`
/// for what is no net, and `logic::Error` when numbers of threads are set.
std::string netText(const compose::Program &program, const options::Options &options);

/// Start and target stand in comments at the top, as they are given to `understudy cover`. Throws
/// `logic::Unsupported` for signals, for steps that create threads and need none, and for starts
/// that differ in their threads.
std::string ttsText(const compose::cover::net::CoverProblem &problem);

/// Throws `logic::Unsupported` for signals, and for transfers that leave a choice.
std::string mistText(const compose::cover::net::CoverProblem &problem);

/// A place/transition net; the targets stand in comments. Throws `logic::Unsupported` for signals
/// and transfers.
std::string coverPnmlText(const compose::cover::net::CoverProblem &problem);

} // namespace understudy::tools::exports
