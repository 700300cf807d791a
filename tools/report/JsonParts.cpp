// SPDX-License-Identifier: Apache-2.0
#include "tools/report/JsonParts.h"

#include <nlohmann/json.hpp>

namespace understudy::tools::report {

namespace {

Json scalarJson(int64_t number, logic::Sort sort) {
  if (sort.isBool())
    return number != 0;
  if (sort.isEnum())
    return logic::valueText(number, sort);
  return number;
}

Json valuesJson(const std::vector<VariableValue> &values) {
  Json object = Json::object();
  for (const VariableValue &entry : values)
    object[entry.variable.name()] = valueJson(entry.value, entry.variable.sort());
  return object;
}

Json actorJson(const Actor &actor) {
  return {{"number", actor.number}, {"name", actor.name},
          {"kind", actor.kind},     {"id", actor.id ? Json(*actor.id) : Json(nullptr)},
          {"place", actor.place},   {"locals", valuesJson(actor.locals)}};
}

Json actorsJson(const std::vector<Actor> &actors) {
  Json list = Json::array();
  for (const Actor &actor : actors)
    list.push_back(actorJson(actor));
  return list;
}

Json stepJson(const StoryStep &step) {
  Json changes = Json::array();
  for (const Change &change : step.changes)
    changes.push_back(changeJson(change.variable, change.before, change.after));
  return {{"thread", actorJson(step.actor)},
          {"from", step.from},
          {"to", step.to},
          {"text", step.text},
          {"source", rangeJson(step.range)},
          {"changes", changes},
          {"notes", step.notes},
          {"created", actorsJson(step.created)},
          {"joined", actorsJson(step.joined)},
          {"woken", actorsJson(step.woken)}};
}

Json statisticsJson(std::optional<compose::EngineName> engine,
                    const compose::Statistics &statistics, options::Verbosity verbosity) {
  Json object{{"states", statistics.states},
              {"transitions", statistics.transitions},
              {"depth", statistics.depth}};
  if (engine)
    for (const compose::portfolio::NamedCount &count :
         compose::portfolio::engineOf(*engine).counts(statistics))
      object[count.key] = count.count;
  if (verbosity == options::Verbosity::Verbose) {
    object["seconds"] = statistics.seconds;
    object["memoryBytes"] = statistics.memoryBytes;
  }
  return object;
}

} // namespace

Json valueJson(const compose::Value &value, logic::Sort sort) {
  if (!value.isArray())
    return scalarJson(value.number(), sort);
  logic::Sort element = sort.element();
  if (auto size = sort.arraySize()) {
    Json list = Json::array();
    for (int64_t i = 0; i < *size; ++i)
      list.push_back(scalarJson(value.array().at(i), element));
    return list;
  }
  Json elements = Json::object();
  for (const auto &[index, entry] : value.array().elements)
    elements[std::to_string(index)] = scalarJson(entry, element);
  return {{"elements", elements}, {"otherwise", scalarJson(value.array().rest, element)}};
}

Json changeJson(logic::Variable variable, const compose::Value &before,
                const compose::Value &after) {
  return {{"variable", variable.name()},
          {"before", valueJson(before, variable.sort())},
          {"after", valueJson(after, variable.sort())}};
}

Json rangeJson(const compose::SourceRange &range) {
  if (!range.known())
    return nullptr;
  return {{"file", range.file->name()},
          {"line", range.begin.line},
          {"column", range.begin.column},
          {"endLine", range.end.line},
          {"endColumn", range.end.column}};
}

Json textOrNull(const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); }

Json numbersJson(const options::ThreadNumbers &numbers) {
  Json object = Json::object();
  for (const auto &[name, number] : numbers)
    object[name] = number;
  return object;
}

Json toolJson() { return {{"name", "understudy"}, {"version", UNDERSTUDY_VERSION}}; }

Json storyJson(const Story &story) {
  Json steps = Json::array();
  for (const StoryStep &step : story.steps)
    steps.push_back(stepJson(step));
  return {
      {"start", {{"globals", valuesJson(story.globals)}, {"threads", actorsJson(story.threads)}}},
      {"steps", steps},
      {"failure",
       {{"kind", word(story.kind)},
        {"claim", story.claim},
        {"sentence", story.sentence},
        {"source", rangeJson(story.range)},
        {"threads", actorsJson(story.culprits)}}}};
}

void addEngineJson(Json &object, const Result &result, options::Verbosity verbosity) {
  const compose::Verdict &verdict = result.verdict;
  object["engine"] = verdict.engine ? Json(compose::word(*verdict.engine)) : Json(nullptr);
  object["statistics"] = statisticsJson(verdict.engine, verdict.statistics, verbosity);
  if (!result.attempts.empty()) {
    Json &attempts = object["attempts"] = Json::array();
    for (const compose::portfolio::Attempt &attempt : result.attempts)
      attempts.push_back(
          {{"engine", compose::word(attempt.engine)},
           {"reason", attempt.reason},
           {"statistics", statisticsJson(attempt.engine, attempt.statistics, verbosity)}});
  }
  object["threadWidth"] = verdict.width ? Json(*verdict.width) : Json(nullptr);
  object["deadlockChecked"] = verdict.deadlockChecked;
}

Json iterationsJson(const std::vector<compose::refine::RefineIteration> &iterations,
                    options::Verbosity verbosity) {
  using Outcome = compose::refine::AbstractionResult::Outcome;
  Json list = Json::array();
  for (const compose::refine::RefineIteration &iteration : iterations) {
    const compose::refine::AbstractionStatistics &cost = iteration.statistics;
    Json object{{"limit", iteration.limit},
                {"specification", compose::petri::word(iteration.specification)},
                {"outcome", iteration.outcome == Outcome::Holds      ? "holds"
                            : iteration.outcome == Outcome::Violated ? "violated"
                                                                     : "open"},
                {"refinements", cost.refinements},
                {"predicates", cost.predicates},
                {"events", cost.events},
                {"conditions", cost.conditions}};
    if (verbosity == options::Verbosity::Verbose)
      object["seconds"] = cost.seconds;
    list.push_back(std::move(object));
  }
  return list;
}

std::string printed(const Json &report) {
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace understudy::tools::report
