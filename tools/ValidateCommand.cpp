// SPDX-License-Identifier: Apache-2.0
#include "tools/ValidateCommand.h"

#include "tools/CertificateCheck.h"
#include "tools/ExitCode.h"
#include "tools/JsonParts.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <stdexcept>

namespace understudy::tools {

namespace {

using Outcome = Validation::Outcome;

std::string word(Outcome outcome) {
  switch (outcome) {
  case Outcome::Valid:
    return "valid";
  case Outcome::Invalid:
    return "invalid";
  case Outcome::Unknown:
    return "unknown";
  }
  throw std::logic_error("unknown outcome");
}

int exitCodeOf(Outcome outcome) {
  return outcome == Outcome::Valid ? Proven : outcome == Outcome::Invalid ? Violation : Undecided;
}

/// "12 obligations hold (z3)", "528 states, closed under steps".
std::string partText(const PartFinding &part, const std::string &solver) {
  if (part.kind == "explicit")
    return part.kind + ", " + plural(part.obligations, "state") + ", closed under steps";
  if (part.kind == "cover")
    return part.kind + ", " + plural(part.obligations, "element") +
           ", closed under predecessors, " + part.note;
  return part.kind + ", " + plural(part.obligations, "obligation") +
         (part.obligations == 1 ? " holds (" : " hold (") + solver + ")";
}

std::string textReport(const Validation &found, const ValidateOptions &options) {
  std::string last = "verdict: " + word(found.outcome) +
                     (found.reason.empty() ? "" : " (" + found.reason + ")") + "\n";
  if (options.verbosity == Verbosity::Quiet)
    return last;
  std::string text = "certificate: " + found.what + "\nclaim: " + found.claim + "\n";
  for (const PartFinding &part : found.parts)
    text += part.name + ": " + partText(part, logic::word(options.solver)) + "\n";
  return text + assumptionText(found.assumptions) + last;
}

std::string jsonReport(const Validation &found, const ValidateOptions &options) {
  Json parts = Json::array();
  for (const PartFinding &part : found.parts) {
    bool states = part.kind == "explicit";
    bool elements = part.kind == "cover";
    Json json{{"name", part.name},
              {"kind", part.kind},
              {"obligations", states || elements ? 0 : part.obligations},
              {"states", states ? part.obligations : 0}};
    if (elements) {
      json["elements"] = part.obligations;
      json["minimality"] = part.note;
    }
    parts.push_back(std::move(json));
  }
  Json report{{"tool", toolJson()},
              {"command", "validate"},
              {"folder", options.folder},
              {"certificate", found.what},
              {"claim", found.claim},
              {"solver", logic::word(options.solver)},
              {"verdict", word(found.outcome)},
              {"reason", textOrNull(found.reason)},
              {"exitCode", exitCodeOf(found.outcome)},
              {"assumptions", found.assumptions},
              {"parts", parts}};
  return printed(report);
}

} // namespace

int runValidate(const ValidateOptions &options) {
  Validation found = validate(options.folder, {options.solver, options.secondsEach});
  std::cout << (options.format == OutputFormat::Json ? jsonReport(found, options)
                                                     : textReport(found, options));
  return exitCodeOf(found.outcome);
}

} // namespace understudy::tools
