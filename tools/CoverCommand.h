// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "specs/CoverModel.h"
#include "tools/Options.h"

#include <string>
#include <vector>

namespace understudy::tools {

/// `understudy cover`. Returns the exit code.
int runCover(const CoverOptions &options);

/// The problem that the file and the options state. Throws `logic::Error`, and `logic::Unsupported`
/// for what is not a transfer net. A new kind of file is read here.
specs::CoverModel readCoverModel(const CoverOptions &options);

/// The files that `readCoverModel` reads: the model, and the `.prop` file beside it if the target
/// stands there.
std::vector<std::string> coverFiles(const CoverOptions &options);

} // namespace understudy::tools
