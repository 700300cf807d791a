// SPDX-License-Identifier: Apache-2.0
//
// Values of options, from text. Every function throws `logic::Error` with a message that names the
// option and says what would be right.
#pragma once

#include "tools/Options.h"

#include <string>
#include <vector>

namespace understudy::tools {

/// A whole number in lower..upper.
uint64_t parseCount(const std::string &option, const std::string &text, uint64_t lower,
                    uint64_t upper);

/// A positive, finite number of seconds.
double parseSeconds(const std::string &option, const std::string &text);

/// "PnpAdd=5", or several: "PnpAdd=5,Timer=1".
ThreadNumbers parseThreads(const std::vector<std::string> &texts);

/// "json=result.json"
std::vector<OutputFile> parseOutputs(const std::vector<std::string> &texts);

} // namespace understudy::tools
