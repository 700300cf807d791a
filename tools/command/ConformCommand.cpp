// SPDX-License-Identifier: Apache-2.0
#include "tools/command/ConformCommand.h"

#include "logic/Error.h"
#include "logic/Render.h"
#include "logic/Words.h"
#include "tools/Files.h"
#include "tools/certificate/Certify.h"
#include "tools/command/Run.h"
#include "tools/report/CodeJson.h"
#include "tools/report/CodeReport.h"
#include "tools/report/Progress.h"

#include <algorithm>
#include <iostream>
#include <stdexcept>

namespace understudy::tools::command {

namespace {

std::vector<std::string> checkable(const specs::Compiled &contract) {
  std::vector<std::string> names;
  for (const specs::ThreadBinding &thread : contract.threads)
    if (thread.hasBody && thread.kind != specs::syntax::ThreadKind::Environment)
      names.push_back(thread.name);
  return names;
}

void refuseThread(const specs::Compiled &contract, const std::string &name) {
  std::vector<std::string> names = checkable(contract);
  if (std::find(names.begin(), names.end(), name) != names.end())
    return;
  for (const specs::ThreadBinding &thread : contract.threads)
    if (thread.name == name)
      throw logic::Error(thread.range,
                         thread.kind == specs::syntax::ThreadKind::Environment
                             ? "'" + name + "' is an environment: it has no code that could conform"
                             : "'" + name + "' has no contract: its code stands for itself",
                         logic::suggestion("", names, "threads with contract and code"));
  throw logic::Error({}, "--thread names '" + name + "', which is no thread of this contract",
                     logic::suggestion(name, names, "threads"));
}

/// A thread that cannot be instrumented has no checker; that is no reason to lose the result.
void writeChecker(const System &system, const options::CodeRunOptions &options,
                  const std::string &path) {
  try {
    writeFile(path,
              passes::checkerModule(system.code, system.contract, overflowMode(options.overflow)));
  } catch (const logic::Unsupported &reason) {
    std::cerr << logic::render({logic::Severity::Note,
                                reason.range(),
                                "'" + path + "' is not written: " + reason.what(),
                                {}});
  }
}

} // namespace

passes::OverflowMode overflowMode(options::Overflow overflow) {
  switch (overflow) {
  case options::Overflow::Assume:
    return passes::OverflowMode::Assume;
  case options::Overflow::Check:
    return passes::OverflowMode::Check;
  case options::Overflow::Wrap:
    return passes::OverflowMode::Wrap;
  }
  throw std::logic_error("unknown overflow mode");
}

report::CodeResult conformance(options::CommandName command, const System &system,
                               const options::CodeRunOptions &options,
                               const std::vector<std::string> &threads) {
  report::CodeResult result = report::describe(command, system.contract, options);
  report::ProgressLine line(options.run.verbosity);
  passes::ConformOptions settings;
  settings.threads = threads;
  settings.overflow = overflowMode(options.overflow);
  settings.engine.maxSeconds = options.run.timeoutSeconds;
  settings.progress = [&](const std::string &thread) {
    line.announce(thread + ": does it conform?");
  };
  try {
    result.conformance = passes::conform(system.code, system.contract, settings);
  } catch (const logic::Unsupported &reason) {
    result.undecided = reason;
  }
  return result;
}

int publish(const report::CodeResult &result, const System &system,
            const options::CodeRunOptions &options) {
  const options::RunOptions &run = options.run;
  for (const options::OutputFile &output : run.outputs)
    switch (output.kind) {
    case options::OutputKind::Text:
      writeFile(output.path, report::textReport(result, run.verbosity, run.trace));
      break;
    case options::OutputKind::Json:
      writeFile(output.path, report::jsonReport(result, run.verbosity));
      break;
    case options::OutputKind::Trace:
      writeFile(output.path, report::traceText(result));
      break;
    case options::OutputKind::Checker:
      writeChecker(system, options, output.path);
      break;
    }
  std::cout << (run.format == options::OutputFormat::Json
                    ? report::jsonReport(result, run.verbosity)
                    : report::textReport(result, run.verbosity, run.trace));
  return conclude(report::exitCodeOf(result.answer), result.certificate);
}

int runConform(const options::ConformOptions &options) {
  System system = readSystem(options::CommandName::Conform, options.code);
  for (const std::string &name : options.threads)
    refuseThread(system.contract, name);
  if (checkable(system.contract).empty())
    throw logic::Error({},
                       "no thread of '" + options.code.run.file + "' has a contract to conform to",
                       "try 'understudy check': threads without contract stand for themselves");
  report::CodeResult result =
      conformance(options::CommandName::Conform, system, options.code, options.threads);
  report::judge(result, options.code.run.strict);
  certificate::certify(result, options.code, options.threads);
  return publish(result, system, options.code);
}

} // namespace understudy::tools::command
