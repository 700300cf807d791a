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

/// "a=1,b=2", each name once; `read` gets a name and the text behind '='.
template <typename Number, typename Read>
std::map<std::string, Number> parseNumbers(const std::string &option,
                                           const std::vector<std::string> &texts,
                                           const std::string &shape, const Read &read) {
  std::map<std::string, Number> result;
  for (const std::string &text : texts)
    for (const std::string &part : split(text, ',')) {
      size_t equals = part.find('=');
      if (equals == std::string::npos || equals == 0)
        throw logic::Error({}, "invalid value '" + part + "' for " + option, "write " + shape);
      std::string name = part.substr(0, equals);
      if (!result.emplace(name, read(name, part.substr(equals + 1))).second)
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

namespace {

std::map<std::string, uint32_t> parseCounts(const std::string &option,
                                            const std::vector<std::string> &texts, Range range,
                                            const std::string &shape) {
  return parseNumbers<uint32_t>(
      option, texts, shape, [&](const std::string &name, const std::string &text) {
        return static_cast<uint32_t>(parseCount(option + " " + name, text, range));
      });
}

} // namespace

ThreadNumbers parseThreads(const std::string &option, const std::vector<std::string> &texts,
                           Range range) {
  return parseCounts(option, texts, range, "NAME=NUMBER, such as " + option + " Worker=3");
}

LogLevels parseLog(const std::string &option, const std::vector<std::string> &texts, Range range) {
  const std::string every = "all";
  LogLevels result;
  ThreadNumbers given =
      parseCounts(option, texts, range, "TOPIC=LEVEL, such as " + option + " refine=2");
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

ConstantValues parseConstants(const std::string &option, const std::vector<std::string> &texts) {
  return parseNumbers<int64_t>(
      option, texts, "NAME=NUMBER, such as " + option + " k=3",
      [&](const std::string &name, const std::string &text) {
        int64_t value = 0;
        if (!readWhole(text, value))
          throw logic::Error({}, "invalid value '" + text + "' for " + option + " " + name,
                             "expected a 64-bit integer");
        return value;
      });
}

compose::tnet::Relations parseRelations(const std::string &option, const std::string &text) {
  compose::tnet::Relations result;
  if (text == compose::tnet::text(result))
    return result;
  std::vector<std::string> names;
  for (const auto &[relation, name] : words<compose::tnet::Relation>())
    names.push_back(name);
  std::vector<std::string> parts = split(text, ',');
  if (parts.empty())
    parts.emplace_back();
  for (const std::string &part : parts) {
    auto relation = valueOf<compose::tnet::Relation>(part);
    if (!relation)
      throw logic::Error({}, "unknown relation '" + part + "' for " + option,
                         logic::suggestion(part, names, "relations"));
    if (result.has(*relation))
      throw logic::Error({}, option + " lists '" + part + "' twice");
    result.add(*relation);
  }
  return result;
}

OutputKinds outputKinds(CommandName command) {
  OutputKinds kinds = words<OutputKind>();
  const bool hasCode = command == CommandName::Check || command == CommandName::Conform;
  const bool hasStates = command == CommandName::Explore;
  const bool annotates = command == CommandName::Compose || command == CommandName::Verify;
  std::erase_if(kinds, [&](const auto &kind) {
    return (kind.first == OutputKind::Checker && !hasCode) ||
           (kind.first == OutputKind::Dot && !hasStates) ||
           (kind.first == OutputKind::Annotated && !annotates);
  });
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
