// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "specs/net/CoverModel.h"
#include "tools/options/Options.h"

#include <string>
#include <vector>

namespace understudy::tools::command {

/// The problem that the file and the options state. Throws `logic::Error`, and `logic::Unsupported`
/// for what is not a transfer net. A new kind of file is read here.
specs::net::CoverModel readCoverModel(const std::string &file, const options::Claim &claim);

/// The files that `readCoverModel` reads: the model, and the `.prop` file beside it if the target
/// stands there.
std::vector<std::string> coverFiles(const std::string &file, const options::Claim &claim);

} // namespace understudy::tools::command
