// SPDX-License-Identifier: Apache-2.0
#include "tools/options/Arguments.h"

#include "logic/Error.h"
#include "logic/Words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace understudy::tools::options {

namespace {

template <typename Number>
bool readWhole(const std::string &text, Number &value) {
  const char *end = text.data() + text.size();
  auto [stop, failed] = std::from_chars(text.data(), end, value);
  return failed == std::errc{} && stop == end;
}

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

/// "a=1,b=2", each name once.
std::map<std::string, uint32_t> parseNumbers(const std::string &option,
                                             const std::vector<std::string> &texts, Range range,
                                             const std::string &shape) {
  std::map<std::string, uint32_t> result;
  for (const std::string &text : texts)
    for (const std::string &part : split(text, ',')) {
      size_t equals = part.find('=');
      if (equals == std::string::npos || equals == 0)
        throw logic::Error({}, "invalid value '" + part + "' for " + option, "write " + shape);
      std::string name = part.substr(0, equals);
      auto number =
          static_cast<uint32_t>(parseCount(option + " " + name, part.substr(equals + 1), range));
      if (!result.emplace(name, number).second)
        throw logic::Error({}, option + " sets '" + name + "' twice", {});
    }
  return result;
}

} // namespace

uint64_t parseCount(const std::string &option, const std::string &text, Range range) {
  uint64_t value = 0;
  if (!readWhole(text, value) || value < range.least || value > range.most)
    throw logic::Error({}, "invalid value '" + text + "' for " + option,
                       "expected an integer from " + std::to_string(range.least) + " to " +
                           std::to_string(range.most));
  return value;
}

double parseSeconds(const std::string &option, const std::string &text) {
  double value = 0;
  if (!readWhole(text, value) || !std::isfinite(value) || value <= 0)
    throw logic::Error({}, "invalid value '" + text + "' for " + option,
                       "expected a positive number of seconds, such as 60 or 0.5");
  return value;
}

ThreadNumbers parseThreads(const std::string &option, const std::vector<std::string> &texts,
                           Range range) {
  return parseNumbers(option, texts, range, "NAME=NUMBER, such as " + option + " Worker=3");
}

LogLevels parseLog(const std::string &option, const std::vector<std::string> &texts, Range range) {
  const std::string every = "all";
  LogLevels result;
  ThreadNumbers given =
      parseNumbers(option, texts, range, "TOPIC=LEVEL, such as " + option + " refine=2");
  std::vector<std::string> names{every};
  for (const auto &[topic, name] : logic::topics()) {
    names.push_back(name);
    if (auto found = given.find(given.contains(name) ? name : every); found != given.end())
      result[topic] = static_cast<uint8_t>(found->second);
  }
  for (const auto &[name, level] : given)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw logic::Error({}, "unknown topic '" + name + "' for " + option,
                         logic::suggestion(name, names, "topics"));
  return result;
}

OutputKinds outputKinds(CommandName command) {
  OutputKinds kinds = words<OutputKind>();
  if (command != CommandName::Check && command != CommandName::Conform)
    std::erase_if(kinds, [](const auto &kind) { return kind.first == OutputKind::Checker; });
  return kinds;
}

std::vector<OutputFile> parseOutputs(const std::vector<std::string> &texts,
                                     const OutputKinds &kinds) {
  std::vector<std::string> names;
  for (const auto &[kind, name] : kinds)
    names.push_back(name);
  std::vector<OutputFile> result;
  for (const std::string &text : texts) {
    size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size())
      throw logic::Error({}, "invalid value '" + text + "' for -o",
                         "write KIND=FILE, such as -o json=result.json");
    std::string kind = text.substr(0, equals);
    auto known = std::find_if(kinds.begin(), kinds.end(),
                              [&](const auto &entry) { return entry.second == kind; });
    if (known == kinds.end())
      throw logic::Error({}, "unknown output kind '" + kind + "'",
                         logic::suggestion(kind, names, "kinds"));
    result.push_back({known->first, text.substr(equals + 1)});
  }
  return result;
}

} // namespace understudy::tools::options
