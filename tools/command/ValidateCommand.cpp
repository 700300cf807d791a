// SPDX-License-Identifier: Apache-2.0
#include "tools/command/Commands.h"

#include "logic/Error.h"
#include "logic/Render.h"
#include "tools/ExitCode.h"
#include "tools/Supervise.h"
#include "tools/certificate/CertificateCheck.h"
#include "tools/command/OutlineCommand.h"
#include "tools/command/Run.h"
#include "tools/report/JsonParts.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <iostream>
#include <stdexcept>

namespace understudy::tools::command {

namespace {

using compose::proof::EvidenceKind;
using Outcome = certificate::Validation::Outcome;

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
std::string partText(const certificate::PartFinding &part, const std::string &solver) {
  if (part.kind == EvidenceKind::Explicit || part.kind == EvidenceKind::Net)
    return word(part.kind) + ", " + report::plural(part.obligations, "state") +
           ", closed under steps";
  if (part.kind == EvidenceKind::Cover)
    return word(part.kind) + ", " + report::plural(part.obligations, "element") +
           ", closed under predecessors, " + part.note;
  return word(part.kind) + ", " + report::plural(part.obligations, "obligation") +
         (part.obligations == 1 ? " holds (" : " hold (") + solver + ")";
}

std::string textReport(const certificate::Validation &found, const options::Options &options) {
  using logic::printable; // somebody may have written the certificate by hand
  std::string last = "verdict: " + word(found.outcome) +
                     (found.reason.empty() ? "" : " (" + printable(found.reason) + ")") + "\n";
  if (options.verbosity == options::Verbosity::Quiet)
    return last;
  std::string text;
  if (!found.what.empty())
    text = "certificate: " + printable(found.what) + "\nclaim: " + printable(found.claim) + "\n";
  if (!found.options.empty())
    text += "options: " + printable(found.options) + "\n";
  for (const certificate::PartFinding &part : found.parts)
    text +=
        printable(part.name) + ": " + partText(part, logic::solver::word(options.solver)) + "\n";
  std::vector<std::string> assumptions;
  for (const std::string &assumption : found.assumptions)
    assumptions.push_back(printable(assumption));
  if (!found.what.empty())
    text += report::assumptionText(assumptions);
  return text + report::timeText(found.seconds, options.verbosity) + last;
}

std::string jsonReport(const certificate::Validation &found, const options::Options &options) {
  report::Json parts = report::Json::array();
  for (const certificate::PartFinding &part : found.parts) {
    bool states = part.kind == EvidenceKind::Explicit || part.kind == EvidenceKind::Net;
    bool elements = part.kind == EvidenceKind::Cover;
    report::Json json{{"name", part.name},
                      {"kind", word(part.kind)},
                      {"obligations", states || elements ? 0 : part.obligations},
                      {"states", states ? part.obligations : 0}};
    if (elements) {
      json["elements"] = part.obligations;
      json["minimality"] = part.note;
    }
    parts.push_back(std::move(json));
  }
  report::Json report{{"tool", report::toolJson()},
                      {"command", options::word(options::CommandName::Validate)},
                      {"folder", options.file},
                      {"certificate", found.what},
                      {"claim", found.claim},
                      {"options", found.options},
                      {"solver", logic::solver::word(options.solver)},
                      {"verdict", word(found.outcome)},
                      {"reason", report::textOrNull(found.reason)},
                      {"exitCode", exitCodeOf(found.outcome)},
                      {"assumptions", found.assumptions},
                      {"parts", parts}};
  return report::printed(report);
}

} // namespace

int publish(const certificate::Validation &found, const options::Options &options) {
  std::cout << (options.format == options::OutputFormat::Json ? jsonReport(found, options)
                                                              : textReport(found, options));
  return exitCodeOf(found.outcome);
}

int runValidate(const options::Options &options) {
  if (options.outline)
    return runOutline(options);
  if (!options.threads.empty() || options.spurious)
    throw logic::Error({}, "--threads and --spurious are only for --outline",
                       "a certificate states what it is about");
  certificate::Validation found;
  if (auto end = continueInChild({options.timeoutSeconds, options.memoryMegabytes.value_or(0)})) {
    if (end->stopped.empty())
      return end->code;
    found.outcome = Outcome::Unknown;
    found.reason = end->stopped;
  } else {
    const auto begin = std::chrono::steady_clock::now();
    found = certificate::validate(options.file, {options.solver, options.timeoutSeconds});
    found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return publish(found, options);
}

} // namespace understudy::tools::command
