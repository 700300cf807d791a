// SPDX-License-Identifier: Apache-2.0
#include "tools/report/CodeJson.h"

#include "tools/options/Words.h"
#include "tools/report/JsonParts.h"

#include <nlohmann/json.hpp>

namespace understudy::tools::report {

using passes::ConformStep;
using passes::ConformStory;
using passes::ThreadConformance;
using passes::Unused;
using passes::Vacuity;

namespace {

Json conformStepJson(const ConformStep &step) {
  Json supplied = Json::object();
  for (const passes::SharedValue &entry : step.supplied)
    supplied[entry.variable.name()] = valueJson(entry.value, entry.variable.sort());
  Json changes = Json::array();
  for (const passes::SharedChange &change : step.changes)
    changes.push_back(changeJson(change.variable, change.before, change.after));
  return {{"text", step.text},  {"source", rangeJson(step.range)}, {"supplied", supplied},
          {"changes", changes}, {"inputs", step.inputs},           {"possible", step.states}};
}

Json violationJson(const std::optional<ConformStory> &story) {
  if (!story)
    return nullptr;
  Json steps = Json::array();
  for (const ConformStep &step : story->steps)
    steps.push_back(conformStepJson(step));
  return {{"kind", passes::word(story->kind)},
          {"initialStates", story->initialStates},
          {"steps", steps},
          {"sentence", story->sentence},
          {"allowed", story->allowed},
          {"source", rangeJson(story->range)}};
}

Json unusedJson(const std::vector<Unused> &parts) {
  Json list = Json::array();
  for (const Unused &part : parts)
    list.push_back({{"text", part.text}, {"source", rangeJson(part.range)}});
  return list;
}

Json vacuityJson(const std::optional<Vacuity> &vacuity) {
  if (!vacuity)
    return nullptr;
  return {{"states", unusedJson(vacuity->states)},
          {"edges", unusedJson(vacuity->edges)},
          {"guards", unusedJson(vacuity->guards)},
          {"claims", unusedJson(vacuity->claims)},
          {"claimsNothing", vacuity->claimsNothing}};
}

Json unreachedJson(const std::optional<passes::UnreachedCode> &code) {
  if (!code)
    return nullptr;
  return {{"never", unusedJson(code->never)}, {"outside", unusedJson(code->outside)}};
}

Json invariantsJson(const std::vector<passes::LoopInvariant> &invariants) {
  Json list = Json::array();
  for (const passes::LoopInvariant &invariant : invariants)
    list.push_back({{"where", invariant.where},
                    {"formula", invariant.formula},
                    {"source", rangeJson(invariant.range)}});
  return list;
}

Json statedJson(const std::vector<passes::StatedInvariantReport> &stated) {
  Json list = Json::array();
  for (const passes::StatedInvariantReport &one : stated)
    list.push_back({{"text", one.text},
                    {"outcome", passes::word(one.outcome)},
                    {"source", rangeJson(one.range)}});
  return list;
}

Json conformStatisticsJson(const ThreadConformance &thread, options::Verbosity verbosity) {
  const compose::sequential::SequentialStatistics &statistics = thread.statistics;
  Json object{{"sharedSteps", thread.sharedSteps},
              {"locations", statistics.locations},
              {"edges", statistics.edges},
              {"queries", statistics.queries}};
  if (verbosity == options::Verbosity::Verbose)
    object["seconds"] = statistics.seconds;
  return object;
}

Json threadJson(const ThreadConformance &thread, options::Verbosity verbosity) {
  return {{"thread", thread.thread},
          {"function", thread.function},
          {"source", rangeJson(thread.range)},
          {"answer", passes::word(thread.answer)},
          {"reason", textOrNull(thread.reason)},
          {"where", rangeJson(thread.where)},
          {"violation", violationJson(thread.story)},
          {"inputs", thread.inputs},
          {"vacuity", vacuityJson(thread.vacuity)},
          {"unreached", unreachedJson(thread.unreached)},
          {"invariants", invariantsJson(thread.invariants)},
          {"stated", statedJson(thread.stated)},
          {"assumptions", thread.assumptions},
          {"statistics", conformStatisticsJson(thread, verbosity)}};
}

Json conformanceJson(const CodeResult &result, options::Verbosity verbosity) {
  Json threads = Json::array();
  for (const ThreadConformance &thread : result.conformance.threads)
    threads.push_back(threadJson(thread, verbosity));
  return {{"threads", threads},
          {"standForThemselves", result.standForThemselves},
          {"environments", result.environments},
          {"start", violationJson(result.conformance.start)},
          {"plainAccesses", result.conformance.plainAccesses}};
}

Json runJson(const Result &run, options::Verbosity verbosity) {
  const compose::Verdict &verdict = run.verdict;
  Json object{{"threads", numbersJson(run.threads)},
              {"verdict", compose::word(verdict.answer)},
              {"reason", textOrNull(verdict.reason)},
              {"where", rangeJson(verdict.where)},
              {"scope", textOrNull(verdict.scope)}};
  addEngineJson(object, run, verbosity);
  object["counterexample"] = run.story ? storyJson(*run.story) : Json(nullptr);
  return object;
}

Json compositionJson(const std::optional<CompositionRun> &composition,
                     options::Verbosity verbosity) {
  if (!composition)
    return nullptr;
  Json object = runJson(composition->contracts, verbosity);
  object["code"] = composition->code ? runJson(*composition->code, verbosity) : Json(nullptr);
  return object;
}

/// Of safe alone; otherwise what stands behind the verdict is its reason.
Json scopeJson(const CodeResult &result) {
  return result.answer == CodeAnswer::Safe ? textOrNull(result.reason) : Json(nullptr);
}

Json reasonJson(const CodeResult &result) {
  return result.answer == CodeAnswer::Safe ? Json(nullptr) : textOrNull(result.reason);
}

} // namespace

std::string jsonReport(const CodeResult &result, options::Verbosity verbosity) {
  Json report{
      {"tool", toolJson()},
      {"command", options::word(result.command)},
      {"file", result.file},
      {"code", result.codeFiles},
      {"system", textOrNull(result.system)},
      {"threads", numbersJson(result.threads)},
      {"overflow", options::wordOf(result.overflow)},
      {"verdict", report::word(result.answer)},
      {"reason", reasonJson(result)},
      {"where", rangeJson(result.where)},
      {"scope", scopeJson(result)},
      {"exitCode", certificate::exitCodeWith(result.certificate, exitCodeOf(result.answer))},
      {"assumptions", result.assumptions},
      {"certificate", textOrNull(result.certificate.folder)},
      {"conformance", conformanceJson(result, verbosity)},
      {"composition", compositionJson(result.composition, verbosity)}};
  return printed(report);
}

} // namespace understudy::tools::report
