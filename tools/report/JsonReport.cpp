// SPDX-License-Identifier: Apache-2.0
#include "tools/report/JsonReport.h"

#include "tools/report/JsonParts.h"

#include <nlohmann/json.hpp>

namespace understudy::tools::report {

std::string jsonReport(const Result &result, options::Verbosity verbosity) {
  const compose::Verdict &verdict = result.verdict;
  Json report{
      {"tool", toolJson()},
      {"command", options::word(result.command)},
      {"file", result.file},
      {"system", textOrNull(result.system)},
      {"threads", numbersJson(result.threads)},
      {"verdict", compose::word(verdict.answer)},
      {"reason", textOrNull(verdict.reason)},
      {"where", rangeJson(verdict.where)},
      {"scope", textOrNull(verdict.scope)},
      {"exitCode", certificate::exitCodeWith(result.certificate, exitCodeOf(verdict.answer))},
  };
  addEngineJson(report, result, verbosity);
  if (verdict.engine == compose::EngineName::Refine)
    report["iterations"] = iterationsJson(result.iterations, verbosity);
  if (!result.annotated.empty())
    report["annotated"] = result.annotated;
  report["assumptions"] = verdict.assumptions;
  report["certificate"] = textOrNull(result.certificate.folder);
  report["counterexample"] = result.story ? storyJson(*result.story) : Json(nullptr);
  return printed(report);
}

} // namespace understudy::tools::report
