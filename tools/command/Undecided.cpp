// SPDX-License-Identifier: Apache-2.0
//
// Commands that verify end with a verdict, also when they cannot begin.
#include "logic/Error.h"
#include "logic/Render.h"
#include "tools/ExitCode.h"
#include "tools/Files.h"
#include "tools/certificate/CertificateCheck.h"
#include "tools/command/ConformCommand.h"
#include "tools/command/ExploreCommand.h"
#include "tools/command/Run.h"
#include "tools/report/CoverReport.h"

#include <iostream>

namespace understudy::tools::command {

using options::CommandName;

namespace {

int publishUnknown(const options::Options &options, const logic::Unsupported &reason) {
  report::Result result{options.command, options.file, "", compose::Origin::Conc,
                        options.threads, {},           {}, {}};
  result.verdict.reason = reason.what();
  result.verdict.where = reason.range();
  return publish(result, options);
}

int publishUnknownCode(const options::Options &options, const logic::Unsupported &reason) {
  report::CodeResult result;
  result.command = options.command;
  result.file = options.file;
  result.codeFiles = options.files;
  result.threads = options.threads;
  result.overflow = options.overflow;
  result.undecided = reason;
  report::judge(result, options.strict);
  return publish(result, nullptr, options);
}

int publishUnknownNet(const options::Options &options, const logic::Unsupported &reason) {
  specs::net::CoverModel none;
  report::CoverRun run{options, none, readSource(options.file), {}, {}};
  run.answer.answer = compose::Answer::Unknown;
  run.answer.reason = reason.what();
  std::cout << report::coverJson(run);
  return Undecided;
}

/// A limit is not a construct that nobody supports, and some reasons say it themselves.
std::string heading(const std::string &reason) {
  for (const char *words : {"not supported", "more than", "limit", "out of memory", "too large"})
    if (reason.find(words) != std::string::npos)
      return "";
  return "unsupported: ";
}

} // namespace

int undecided(const options::Options &options, const logic::Unsupported &reason) {
  std::cerr << logic::render(
      {logic::Severity::Note, reason.range(), heading(reason.what()) + reason.what(), {}});
  const bool isText = options.format == options::OutputFormat::Text && options.outputs.empty();
  switch (options.command) {
  case CommandName::Fmt:
  case CommandName::Export:
    return Undecided;
  case CommandName::Validate: {
    certificate::Validation found;
    found.outcome = certificate::Validation::Outcome::Unknown;
    found.reason = reason.what();
    return publish(found, options);
  }
  default:
    break;
  }
  if (isText) {
    std::cout << "verdict: unknown (" << reason.what() << ")\n";
    return Undecided;
  }
  switch (options.command) {
  case CommandName::Check:
  case CommandName::Conform:
    return publishUnknownCode(options, reason);
  case CommandName::Cover:
    return publishUnknownNet(options, reason);
  case CommandName::Explore:
    return publishUnknownStates(options, reason);
  default:
    return publishUnknown(options, reason);
  }
}

} // namespace understudy::tools::command
