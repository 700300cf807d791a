// SPDX-License-Identifier: Apache-2.0
//
// Values of options, from text. Every function throws `logic::Error` with a message that names the
// option and says what would be right.
#pragma once

#include "tools/options/Options.h"

#include <map>
#include <string>
#include <vector>

namespace understudy::tools::options {

/// More threads than this cannot be explored anyway; the limit keeps typing mistakes short.
inline constexpr uint32_t maxThreadNumber = 10'000;

/// A whole number in lower..upper.
uint64_t parseCount(const std::string &option, const std::string &text, uint64_t lower,
                    uint64_t upper);

/// A positive, finite number of seconds.
double parseSeconds(const std::string &option, const std::string &text);

/// "PnpAdd=5", or several: "PnpAdd=5,Timer=1".
ThreadNumbers parseThreads(const std::vector<std::string> &texts);

using OutputKinds = std::map<std::string, OutputKind>;

/// "json=result.json", of the kinds that the command can write.
std::vector<OutputFile> parseOutputs(const std::vector<std::string> &texts,
                                     const OutputKinds &kinds);

} // namespace understudy::tools::options
