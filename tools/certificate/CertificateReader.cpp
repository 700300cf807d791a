// SPDX-License-Identifier: Apache-2.0
#include "tools/certificate/CertificateReader.h"

#include <set>

namespace understudy::tools::certificate {

namespace {

report::Json numberOrArray(const logic::Value &value) {
  if (!value.isArray())
    return value.number();
  report::Json elements = report::Json::array();
  for (const auto &[index, element] : value.array().elements)
    elements.push_back({index, element});
  return {{"rest", value.array().rest}, {"elements", elements}};
}

/// Refuses what a reader could understand in two ways, and what no certificate needs.
class StrictParsing {
public:
  explicit StrictParsing(const std::string &name) : name_(name) {}

  bool operator()(int depth, report::Json::parse_event_t event, const report::Json &value) {
    using Event = report::Json::parse_event_t;
    constexpr int deepest = 32;
    if (depth > deepest)
      throw logic::Error({}, "'" + name_ + "' is nested too deeply",
                         "write it again with --certificate");
    if (event == Event::object_start)
      keys_.emplace_back();
    else if (event == Event::object_end)
      keys_.pop_back();
    else if (event == Event::key && !keys_.back().insert(value.get<std::string>()).second)
      throw logic::Error({},
                         "'" + name_ + "' has the field '" + value.get<std::string>() + "' twice",
                         "the file is corrupt or was written by another tool");
    return true;
  }

private:
  const std::string &name_;
  std::vector<std::set<std::string>> keys_; ///< of the objects that are open
};

} // namespace

report::Json valueList(const std::vector<logic::Value> &values) {
  report::Json list = report::Json::array();
  for (const logic::Value &value : values)
    list.push_back(numberOrArray(value));
  return list;
}

report::Json parsed(const std::string &text, const std::string &name) {
  try {
    StrictParsing strict(name);
    return report::Json::parse(text,
                               [&](int depth, report::Json::parse_event_t event,
                                   report::Json &value) { return strict(depth, event, value); });
  } catch (const report::Json::exception &) {
    throw logic::Error({}, "'" + name + "' is truncated or not valid JSON",
                       "write it again with --certificate");
  }
}

} // namespace understudy::tools::certificate
