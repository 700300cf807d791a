// SPDX-License-Identifier: Apache-2.0
//
// JSON of certificates. Reading believes nothing: every field is there, has its type and fits its
// range, and nothing else is there.
#pragma once

#include "logic/Error.h"
#include "logic/Value.h"
#include "tools/report/JsonParts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace understudy::tools::certificate {

/// A JSON value with the way to it, for messages.
class Reader {
public:
  Reader(const report::Json &json, std::string path) : json_(json), path_(std::move(path)) {}

  [[noreturn]] void refuse(const std::string &wanted) const {
    throw logic::Error({}, path_ + " is not " + wanted,
                       "the file is corrupt or was written by another tool");
  }

  /// An object with exactly these fields.
  void require(const std::vector<std::string> &fields) const {
    if (!json_.is_object())
      refuse("an object");
    for (const std::string &field : fields)
      if (!json_.contains(field))
        throw logic::Error({}, path_ + " has no field '" + field + "'",
                           "the file is corrupt or was written by another tool");
    if (json_.size() != fields.size())
      for (const auto &[key, value] : json_.items())
        if (std::find(fields.begin(), fields.end(), key) == fields.end())
          throw logic::Error({}, path_ + " has an unknown field '" + key + "'",
                             "the file is corrupt or was written by another tool");
  }
  Reader operator[](const std::string &field) const {
    return {json_.at(field), path_ + "." + field};
  }

  std::string text() const {
    if (!json_.is_string())
      refuse("a string");
    return json_.get<std::string>();
  }
  bool boolean() const {
    if (!json_.is_boolean())
      refuse("true or false");
    return json_.get<bool>();
  }
  int64_t number() const {
    bool fits = json_.is_number_integer() &&
                (!json_.is_number_unsigned() || json_.get<uint64_t>() <= INT64_MAX);
    if (!fits)
      refuse("a 64-bit integer");
    return json_.get<int64_t>();
  }
  uint32_t index(uint32_t most = UINT32_MAX) const {
    int64_t value = number();
    if (value < 0 || value > most)
      refuse("a number from 0 to " + std::to_string(most));
    return static_cast<uint32_t>(value);
  }
  std::vector<Reader> list() const {
    if (!json_.is_array())
      refuse("a list");
    std::vector<Reader> result;
    for (size_t i = 0; i < json_.size(); ++i)
      result.emplace_back(json_[i], path_ + "[" + std::to_string(i) + "]");
    return result;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> result;
    for (const Reader &one : list())
      result.push_back(one.text());
    return result;
  }
  std::vector<uint32_t> indices() const {
    std::vector<uint32_t> result;
    for (const Reader &one : list())
      result.push_back(one.index());
    return result;
  }
  logic::Value value() const {
    if (!json_.is_object())
      return number();
    require({"rest", "elements"});
    logic::ArrayValue array{(*this)["rest"].number(), {}};
    for (const Reader &pair : (*this)["elements"].list()) {
      auto both = pair.list();
      if (both.size() != 2)
        pair.refuse("an index and an element");
      array = array.with(both[0].number(), both[1].number());
    }
    return logic::Value(std::move(array));
  }
  std::vector<logic::Value> values() const {
    std::vector<logic::Value> result;
    for (const Reader &one : list())
      result.push_back(one.value());
    return result;
  }
  const report::Json &json() const { return json_; }

private:
  const report::Json &json_;
  std::string path_;
};

/// Throws `logic::Error` for what is no JSON, is nested too deeply, or has a field twice.
report::Json parsed(const std::string &text, const std::string &name);

/// As `Reader::value` reads them.
report::Json valueList(const std::vector<logic::Value> &values);

} // namespace understudy::tools::certificate
