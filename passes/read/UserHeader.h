// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace understudy::passes::read {

/// The text of understudy.h, which the user's code may include.
std::string userHeader();

} // namespace understudy::passes::read
