// SPDX-License-Identifier: Apache-2.0
//
// The options of a claim as the user would type them.
#include "tools/certificate/Certificate.h"
#include "tools/options/ClaimTable.h"
#include "tools/options/Words.h"

namespace understudy::tools::certificate {

namespace {

using options::Declared;
using options::Switch;

template <typename Number>
std::string typed(const Declared &option, const std::map<std::string, Number> &numbers) {
  std::string text;
  for (const auto &[name, number] : numbers)
    text += " " + option.name + " " + name + "=" + std::to_string(number);
  return text;
}
std::string typed(const Declared &option, Switch value) {
  return value == Switch::On ? " " + option.name : "";
}
std::string typed(const Declared &option, options::Overflow value) {
  return value == options::Overflow{} ? "" : " " + option.name + " " + options::wordOf(value);
}
std::string typed(const Declared &option, const std::vector<std::string> &texts) {
  std::string all;
  for (const std::string &text : texts)
    all += " " + option.name + "=" + text;
  return all;
}
std::string typed(const Declared &option, const std::optional<std::string> &text) {
  return text ? " " + option.name + "=" + *text : "";
}

std::string typed(const Declared &option,
                  const std::optional<compose::tnet::Relations> &relations) {
  if (!relations)
    return "";
  std::string list = compose::tnet::text(*relations);
  std::erase(list, ' ');
  return " " + option.name + " " + list;
}

} // namespace

options::Switch usualSpurious(options::CommandName command) {
  return command == options::CommandName::Verify ? Switch::Off : Switch::On;
}

std::string claimText(const Certificate &certificate) {
  std::string text;
  options::visitClaim(certificate.options, [&](const Declared &option, const auto &value) {
    if constexpr (std::is_same_v<decltype(value), const std::optional<Switch> &>) {
      if (value && *value != usualSpurious(certificate.command))
        text += " " + option.name + " " + options::wordOf(*value);
    } else {
      text += typed(option, value);
    }
  });
  return text.empty() ? "" : text.substr(1);
}

} // namespace understudy::tools::certificate
