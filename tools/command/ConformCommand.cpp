// SPDX-License-Identifier: Apache-2.0
#include "tools/command/ConformCommand.h"

#include "logic/Error.h"
#include "logic/Render.h"
#include "logic/Words.h"
#include "tools/Files.h"
#include "tools/certificate/Certify.h"
#include "tools/command/Commands.h"
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
                             ? "'" + name + "' is an environment, which has no code"
                             : "'" + name + "' has no contract; its code stands for itself",
                         logic::suggestion("", names, "threads with contract and code"));
  throw logic::Error({},
                     "invalid value '" + name + "' for --thread: no such thread in this contract",
                     logic::suggestion(name, names, "threads"));
}

/// A thread that cannot be instrumented has no checker; that is no reason to lose the result.
void writeChecker(const System &system, const options::Options &options, const std::string &path) {
  try {
    writeFile(path, passes::checkerModule(system.code, system.contract, options.overflow));
  } catch (const logic::Unsupported &reason) {
    std::cerr << logic::render({logic::Severity::Note,
                                reason.range(),
                                "'" + path + "' is not written: " + reason.what(),
                                {}});
  }
}

} // namespace

report::CodeResult conformance(System &system, const options::Options &options,
                               const compose::Watch &watch) {
  report::CodeResult result = report::describe(system.contract, options);
  report::ProgressLine line(options.verbosity);
  passes::ConformOptions settings;
  settings.threads = options.onlyThreads;
  settings.overflow = options.overflow;
  settings.engine.maxSeconds = options.timeoutSeconds; // one thread may use it all
  settings.engine.stop = watch.token();
  settings.progress = [&](const std::string &thread) {
    line.announce(thread + ": checking conformance");
  };
  try {
    system.bound = passes::bind(system.code, system.contract, options.overflow);
    result.conformance = passes::conform(*system.bound, settings);
  } catch (const logic::Unsupported &reason) {
    result.undecided = reason;
  }
  if (auto limit = watch.exceeded())
    for (passes::ThreadConformance &thread : result.conformance.threads)
      if (thread.answer == passes::ConformAnswer::Unknown)
        thread.reason = *limit;
  return result;
}

int publish(const report::CodeResult &result, const System *system,
            const options::Options &options) {
  Forms forms{[&] { return report::textReport(result, options.verbosity, options.trace); },
              [&] { return report::jsonReport(result, options.verbosity); },
              [&] { return report::traceText(result); }};
  if (system)
    forms.writeChecker = [&](const std::string &path) { writeChecker(*system, options, path); };
  publish(forms, options);
  return conclude(report::exitCodeOf(result.answer), result.certificate);
}

int runConform(const options::Options &options) {
  System system = readSystem(options);
  for (const std::string &name : options.onlyThreads)
    refuseThread(system.contract, name);
  if (checkable(system.contract).empty())
    throw logic::Error({}, "no thread of '" + options.file + "' has a contract to conform to",
                       "try 'understudy check': threads without contract stand for themselves");
  const compose::Watch watch = watchOf(options);
  report::CodeResult result = conformance(system, options, watch);
  report::judge(result, options.strict);
  certificate::certify(result, options);
  return publish(result, &system, options);
}

} // namespace understudy::tools::command
