// SPDX-License-Identifier: Apache-2.0
//
// Certificates as JSON. Reading believes nothing: every field is there, has its type and fits its
// range, and nothing else is there.
#include "logic/Error.h"
#include "tools/certificate/Certificate.h"
#include "tools/certificate/CertificateReader.h"
#include "tools/certificate/OwickiGriesJson.h"
#include "tools/options/ClaimTable.h"
#include "tools/options/Words.h"
#include "tools/report/JsonParts.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace understudy::tools::certificate {

using compose::proof::CountingEvidence;
using compose::proof::CoverEvidence;
using compose::proof::EvidenceKind;
using compose::proof::ExplicitEvidence;
using compose::proof::SequentialEvidence;

namespace {

// ---- writing

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

report::Json proofJson(const compose::proof::OwickiGriesEvidence &evidence) {
  return owickiGriesJson(evidence);
}

report::Json proofJson(const compose::proof::NetEvidence &evidence) {
  return {{"states", evidence.states.size()}};
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

report::Json claimJson(const options::ConstantValues &values) {
  report::Json json = report::Json::object();
  for (const auto &[name, value] : values)
    json[name] = value;
  return json;
}
report::Json claimJson(const std::optional<compose::tnet::Relations> &relations) {
  if (!relations)
    return nullptr;
  report::Json json = report::Json::array();
  for (const auto &[relation, word] : options::words<compose::tnet::Relation>())
    if (relations->has(relation))
      json.push_back(word);
  return json;
}

/// Those of a kind of net for its command, the others for programs.
bool isStated(const options::Declared &option, options::CommandName command) {
  using options::CommandName;
  for (CommandName ofNets : {CommandName::Cover, CommandName::Explore})
    if (option.isOf(ofNets) || command == ofNets)
      return option.isOf(command);
  return true;
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
  case EvidenceKind::Net:
    part["proof"].require({"states"});
    result.evidence = compose::proof::NetEvidence{};
    result.states = part["proof"]["states"].index();
    break;
  case EvidenceKind::Cover:
    part["proof"].require({"elements"});
    result.evidence = CoverEvidence{};
    result.states = part["proof"]["elements"].index();
    break;
  case EvidenceKind::OwickiGries:
    result.evidence = readOwickiGriesJson(part["proof"]);
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

void readClaim(const Reader &json, const options::Declared &, options::ConstantValues &values) {
  if (!json.json().is_object())
    json.refuse("an object");
  for (const auto &[name, number] : json.json().items())
    values[name] = json[name].number();
}
void readClaim(const Reader &json, const options::Declared &,
               std::optional<compose::tnet::Relations> &relations) {
  if (json.json().is_null())
    return;
  relations.emplace();
  for (const std::string &word : json.texts()) {
    auto known = options::valueOf<compose::tnet::Relation>(word);
    if (!known)
      json.refuse("a list of relations: " + options::alternatives<compose::tnet::Relation>());
    relations->add(*known);
  }
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

} // namespace understudy::tools::certificate
