// SPDX-License-Identifier: Apache-2.0
//
// Values of options, from text. Every function throws `logic::Error` with a message that names the
// option and says what would be right.
#pragma once

#include "tools/options/ClaimTable.h"
#include "tools/options/Words.h"

#include <string>
#include <vector>

namespace understudy::tools::options {

/// A whole number in the range.
uint64_t parseCount(const std::string &option, const std::string &text, Range range);

/// A positive, finite number of seconds.
double parseSeconds(const std::string &option, const std::string &text);

/// "PnpAdd=5", or several: "PnpAdd=5,Timer=1".
ThreadNumbers parseThreads(const std::string &option, const std::vector<std::string> &texts,
                           Range range);

/// "refine=2", or several: "auto=1,refine=2"; "all=1".
LogLevels parseLog(const std::string &option, const std::vector<std::string> &texts, Range range);

/// "k=3", or several: "k=3,m=-2".
ConstantValues parseConstants(const std::string &option, const std::vector<std::string> &texts);

/// "parent,next", or "none".
compose::tnet::Relations parseRelations(const std::string &option, const std::string &text);

using OutputKinds = WordList<OutputKind>;

/// What the command can write.
OutputKinds outputKinds(CommandName command);

/// "json=result.json", of these kinds.
std::vector<OutputFile> parseOutputs(const std::vector<std::string> &texts,
                                     const OutputKinds &kinds);

} // namespace understudy::tools::options
