// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace understudy::tools::options {

enum class CommandName : uint8_t {
  Check,
  Conform,
  Compose,
  Verify,
  Cover,
  Explore,
  Validate,
  Fmt,
  Export
};

/// As the user types it: "check", "conform", …
std::string word(CommandName command);

std::optional<CommandName> commandNamed(const std::string &text);

} // namespace understudy::tools::options
