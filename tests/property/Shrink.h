// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace understudy::tests {

/// Removes lines, whole blocks and the braces around blocks as long as `fails` holds of what is
/// left. Precondition: fails(text).
std::string shrink(const std::string &text, const std::function<bool(const std::string &)> &fails);

} // namespace understudy::tests
