// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace understudy::logic::solver {

/// From now on every question to the solver is written into this folder, which exists.
void writeQueries(const std::string &folder);

} // namespace understudy::logic::solver
