// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace understudy::tools::options {

/// "did you mean 'PnpAdd'?" for the known name nearest to what was written, or "known TITLE: a, b"
/// when none is near; empty when nothing is known.
std::string suggestion(const std::string &written, const std::vector<std::string> &known,
                       const std::string &title);

} // namespace understudy::tools::options
