// SPDX-License-Identifier: Apache-2.0
#include "tools/options/CommandName.h"

#include <utility>

namespace understudy::tools::options {

namespace {

constexpr std::pair<CommandName, const char *> commandWords[] = {
    {CommandName::Check, "check"},       {CommandName::Conform, "conform"},
    {CommandName::Compose, "compose"},   {CommandName::Verify, "verify"},
    {CommandName::Cover, "cover"},       {CommandName::Explore, "explore"},
    {CommandName::Validate, "validate"}, {CommandName::Fmt, "fmt"},
    {CommandName::Export, "export"},
};

} // namespace

std::string word(CommandName command) { return commandWords[static_cast<size_t>(command)].second; }

std::optional<CommandName> commandNamed(const std::string &text) {
  for (const auto &[name, word] : commandWords)
    if (text == word)
      return name;
  return std::nullopt;
}

} // namespace understudy::tools::options
