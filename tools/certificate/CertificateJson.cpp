// SPDX-License-Identifier: Apache-2.0
//
// Certificates as JSON. Reading believes nothing: every field is there, has its type and fits its
// range, and nothing else is there.
#include "logic/Error.h"
#include "tools/certificate/Certificate.h"
#include "tools/options/ClaimTable.h"
#include "tools/options/Words.h"
#include "tools/report/JsonParts.h"

#include <nlohmann/json.hpp>

#include <set>
#include <sstream>

namespace understudy::tools::certificate {

using compose::Value;
using compose::proof::CountingEvidence;
using compose::proof::CoverEvidence;
using compose::proof::EvidenceKind;
using compose::proof::ExplicitEvidence;
using compose::proof::SequentialEvidence;

namespace {

// ---- writing

report::Json numberOrArray(const Value &value) {
  if (!value.isArray())
    return value.number();
  report::Json elements = report::Json::array();
  for (const auto &[index, element] : value.array().elements)
    elements.push_back({index, element});
  return {{"rest", value.array().rest}, {"elements", elements}};
}

report::Json valueList(const std::vector<Value> &values) {
  report::Json list = report::Json::array();
  for (const Value &value : values)
    list.push_back(numberOrArray(value));
  return list;
}

report::Json proofJson(const CountingEvidence &evidence) {
  report::Json crowds = report::Json::array();
  for (const CountingEvidence::Group &crowd : evidence.crowds)
    crowds.push_back({{"thread", crowd.thread},
                      {"location", crowd.location},
                      {"locals", valueList(crowd.locals)}});
  report::Json invariants = report::Json::array();
  for (const CountingEvidence::At &at : evidence.invariants)
    invariants.push_back({{"control", at.control}, {"formula", at.formula}});
  return {{"singles", evidence.singles}, {"crowds", crowds}, {"invariants", invariants}};
}

report::Json proofJson(const SequentialEvidence &evidence) {
  report::Json invariants = report::Json::array();
  for (const SequentialEvidence::At &at : evidence.invariants)
    invariants.push_back({{"location", at.location}, {"formula", at.formula}});
  return {{"invariants", invariants}};
}

report::Json proofJson(const ExplicitEvidence &evidence) {
  return {{"states", evidence.states.size()}};
}

report::Json proofJson(const CoverEvidence &evidence) {
  return {{"elements", evidence.elements.size()}};
}

report::Json partJson(const CertificatePart &part) {
  report::Json obligations = report::Json::array();
  for (const StatedObligation &obligation : part.obligations)
    obligations.push_back({{"name", obligation.name}, {"expected", obligation.expected}});
  return {{"name", part.name},
          {"kind", word(kindOf(part.evidence))},
          {"proof", std::visit([](const auto &e) { return proofJson(e); }, part.evidence)},
          {"obligations", obligations}};
}

report::Json claimJson(const options::ThreadNumbers &threads) {
  return report::numbersJson(threads);
}
report::Json claimJson(options::Switch value) { return value == options::Switch::On; }
report::Json claimJson(const std::optional<options::Switch> &value) {
  return claimJson(value.value());
}
report::Json claimJson(options::Overflow value) { return options::wordOf(value); }
report::Json claimJson(const std::vector<std::string> &texts) { return texts; }
report::Json claimJson(const std::optional<std::string> &text) {
  return report::textOrNull(text.value_or(""));
}

/// Those of nets for nets, the others for programs.
bool isStated(const options::Declared &option, options::CommandName command) {
  using options::CommandName;
  return option.isOf(CommandName::Cover) == (command == CommandName::Cover);
}

report::Json optionsJson(const Certificate &certificate) {
  report::Json json = report::Json::object();
  options::visitClaim(certificate.options, [&](const options::Declared &option, const auto &value) {
    if (isStated(option, certificate.command))
      json[option.key] = claimJson(value);
  });
  return json;
}

// ---- reading

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
  Value value() const {
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
    return Value(std::move(array));
  }
  std::vector<Value> values() const {
    std::vector<Value> result;
    for (const Reader &one : list())
      result.push_back(one.value());
    return result;
  }
  const report::Json &json() const { return json_; }

private:
  const report::Json &json_;
  std::string path_;
};

CountingEvidence readCounting(const Reader &proof) {
  proof.require({"singles", "crowds", "invariants"});
  CountingEvidence result;
  result.singles = proof["singles"].indices();
  for (const Reader &crowd : proof["crowds"].list()) {
    crowd.require({"thread", "location", "locals"});
    result.crowds.push_back(
        {crowd["thread"].index(), crowd["location"].index(), crowd["locals"].values()});
  }
  for (const Reader &at : proof["invariants"].list()) {
    at.require({"control", "formula"});
    result.invariants.push_back({at["control"].indices(), at["formula"].text()});
  }
  return result;
}

SequentialEvidence readSequential(const Reader &proof) {
  proof.require({"invariants"});
  SequentialEvidence result;
  for (const Reader &at : proof["invariants"].list()) {
    at.require({"location", "formula"});
    result.invariants.push_back({at["location"].index(), at["formula"].text()});
  }
  return result;
}

EvidenceKind readKind(const Reader &kind) {
  std::string all;
  for (EvidenceKind known : compose::proof::evidenceKinds) {
    if (kind.text() == word(known))
      return known;
    all += (all.empty() ? "" : ", ") + word(known);
  }
  kind.refuse("a known kind: " + all);
}

options::CommandName readCommand(const Reader &command) {
  if (auto name = options::commandNamed(command.text()))
    return *name;
  command.refuse("a command that proves something");
}

CertificatePart readPart(const Reader &part) {
  part.require({"name", "kind", "proof", "obligations"});
  CertificatePart result;
  result.name = part["name"].text();
  switch (readKind(part["kind"])) {
  case EvidenceKind::Counting:
    result.evidence = readCounting(part["proof"]);
    break;
  case EvidenceKind::Sequential:
    result.evidence = readSequential(part["proof"]);
    break;
  case EvidenceKind::Explicit:
    part["proof"].require({"states"});
    result.evidence = ExplicitEvidence{};
    result.states = part["proof"]["states"].index();
    break;
  case EvidenceKind::Cover:
    part["proof"].require({"elements"});
    result.evidence = CoverEvidence{};
    result.states = part["proof"]["elements"].index();
    break;
  }
  for (const Reader &obligation : part["obligations"].list()) {
    obligation.require({"name", "expected"});
    result.obligations.push_back({obligation["name"].text(), obligation["expected"].text()});
  }
  return result;
}

void readClaim(const Reader &json, const options::Declared &option,
               options::ThreadNumbers &threads) {
  if (!json.json().is_object())
    json.refuse("an object");
  for (const auto &[name, number] : json.json().items())
    threads[name] = json[name].index(static_cast<uint32_t>(option.range.most));
}
void readClaim(const Reader &json, const options::Declared &, options::Switch &value) {
  value = json.boolean() ? options::Switch::On : options::Switch::Off;
}
void readClaim(const Reader &json, const options::Declared &option,
               std::optional<options::Switch> &value) {
  readClaim(json, option, value.emplace());
}
void readClaim(const Reader &json, const options::Declared &, options::Overflow &value) {
  auto known = options::valueOf<options::Overflow>(json.text());
  if (!known)
    json.refuse("one of " + options::alternatives<options::Overflow>());
  value = *known;
}
void readClaim(const Reader &json, const options::Declared &, std::vector<std::string> &texts) {
  texts = json.texts();
}
void readClaim(const Reader &json, const options::Declared &, std::optional<std::string> &text) {
  if (!json.json().is_null())
    text = json.text();
}

options::Claim readOptions(const Reader &json, options::CommandName command) {
  options::Claim claim;
  std::vector<std::string> keys;
  options::visitClaim(claim, [&](const options::Declared &option, const auto &) {
    if (isStated(option, command))
      keys.push_back(option.key);
  });
  json.require(keys);
  options::visitClaim(claim, [&](const options::Declared &option, auto &value) {
    if (isStated(option, command))
      readClaim(json[option.key], option, value);
  });
  return claim;
}

/// Refuses what a reader could understand in two ways, and what no certificate needs.
class StrictParsing {
public:
  explicit StrictParsing(const std::string &name) : name_(name) {}

  bool operator()(int depth, report::Json::parse_event_t event, const report::Json &value) {
    using Event = report::Json::parse_event_t;
    constexpr int deepest = 32;
    if (depth > deepest)
      throw logic::Error({}, "'" + name_ + "' is nested too deeply", "the file is corrupt");
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

report::Json parsed(const std::string &text, const std::string &name) {
  try {
    StrictParsing strict(name);
    return report::Json::parse(text,
                               [&](int depth, report::Json::parse_event_t event,
                                   report::Json &value) { return strict(depth, event, value); });
  } catch (const report::Json::exception &) {
    throw logic::Error({}, "'" + name + "' is truncated or not valid JSON", "the file is corrupt");
  }
}

/// The format before anything else: other versions have other fields.
void requireFormat(const report::Json &json, const std::string &name) {
  if (!json.is_object() || !json.contains("format") || json["format"] != certificateFormat)
    throw logic::Error({}, "'" + name + "' is not a certificate of this tool", {});
  if (!json.contains("version") || json["version"] != certificateVersion)
    throw logic::Error({},
                       "'" + name + "' has an unsupported certificate version (" +
                           (json.contains("version") ? json["version"].dump() : "none") +
                           "), expected version " + std::to_string(certificateVersion),
                       "validate it with the tool that wrote it");
}

compose::Thread readThread(const Reader &thread) {
  auto fields = thread.list();
  if (fields.size() != 4)
    thread.refuse("a thread: template, location, id, locals");
  compose::Thread result;
  result.thread = fields[0].index();
  result.location = fields[1].index();
  if (!fields[2].json().is_null())
    result.id = fields[2].number();
  result.locals = fields[3].values();
  return result;
}

} // namespace

std::string conformPart(const std::string &thread) { return "conform-" + thread; }

std::string certificateJson(const Certificate &certificate) {
  report::Json sources = report::Json::array();
  for (const CertificateSource &source : certificate.sources)
    sources.push_back({{"path", source.path}, {"sha256", source.sha256}});
  report::Json parts = report::Json::array();
  for (const CertificatePart &part : certificate.parts)
    parts.push_back(partJson(part));
  report::Json json{{"format", certificateFormat},
                    {"version", certificateVersion},
                    {"tool", certificate.toolVersion},
                    {"command", options::word(certificate.command)},
                    {"folder", certificate.folder},
                    {"file", certificate.file},
                    {"code", certificate.codeFiles},
                    {"options", optionsJson(certificate)},
                    {"verdict", certificate.verdict},
                    {"scope", certificate.scope},
                    {"assumptions", certificate.assumptions},
                    {"sources", sources},
                    {"parts", parts}};
  return report::printed(json);
}

Certificate readCertificateJson(const std::string &text, const std::string &name) {
  report::Json json = parsed(text, name);
  requireFormat(json, name);
  Reader root(json, "'" + name + "'");
  root.require({"format", "version", "tool", "command", "folder", "file", "code", "options",
                "verdict", "scope", "assumptions", "sources", "parts"});
  Certificate result;
  result.toolVersion = root["tool"].text();
  result.command = readCommand(root["command"]);
  result.folder = root["folder"].text();
  result.file = root["file"].text();
  result.codeFiles = root["code"].texts();
  result.options = readOptions(root["options"], result.command);
  result.verdict = root["verdict"].text();
  result.scope = root["scope"].text();
  result.assumptions = root["assumptions"].texts();
  for (const Reader &source : root["sources"].list()) {
    source.require({"path", "sha256"});
    result.sources.push_back({source["path"].text(), source["sha256"].text()});
  }
  for (const Reader &part : root["parts"].list())
    result.parts.push_back(readPart(part));
  return result;
}

std::string statesText(const ExplicitEvidence &evidence) {
  std::string text;
  for (const compose::Configuration &state : evidence.states) {
    report::Json threads = report::Json::array();
    for (const compose::Thread &thread : state.threads)
      threads.push_back({thread.thread, thread.location,
                         thread.id ? report::Json(*thread.id) : report::Json(nullptr),
                         valueList(thread.locals)});
    text += report::Json::array({valueList(state.globals), threads}).dump() + "\n";
  }
  return text;
}

ExplicitEvidence readStates(const std::string &text, const std::string &name) {
  ExplicitEvidence result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::string where = name + ":" + std::to_string(result.states.size() + 1);
    report::Json json = parsed(line, where);
    Reader state(json, "'" + where + "'");
    auto fields = state.list();
    if (fields.size() != 2)
      state.refuse("a state: globals, threads");
    compose::Configuration configuration;
    configuration.globals = fields[0].values();
    for (const Reader &thread : fields[1].list())
      configuration.threads.push_back(readThread(thread));
    result.states.push_back(std::move(configuration));
  }
  return result;
}

} // namespace understudy::tools::certificate
