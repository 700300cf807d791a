// SPDX-License-Identifier: Apache-2.0
//
// The file of a part whose evidence is a list of states.
#include "tools/certificate/Certificate.h"
#include "tools/certificate/CertificateReader.h"

#include <sstream>

namespace understudy::tools::certificate {

using compose::proof::ExplicitEvidence;

namespace {

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

std::vector<compose::DeadLocal> readDead(const Reader &dead) {
  std::vector<compose::DeadLocal> result;
  for (const Reader &one : dead.list()) {
    auto numbers = one.indices();
    if (numbers.size() != 3)
      one.refuse("a dead variable: template, location, local");
    result.push_back({numbers[0], numbers[1], numbers[2]});
  }
  return result;
}

void readRenamed(const Reader &steps, uint32_t state, std::vector<compose::RenamedStep> &out) {
  for (const Reader &step : steps.list()) {
    auto fields = step.list();
    if (fields.size() != 3)
      step.refuse("a step: thread, edge, renaming");
    compose::RenamedStep read{state, fields[0].index(), fields[1].index(), {}};
    for (const Reader &pair : fields[2].list()) {
      auto both = pair.list();
      if (both.size() != 2)
        pair.refuse("an id and its new name");
      read.renaming.emplace_back(both[0].number(), both[1].number());
    }
    out.push_back(std::move(read));
  }
}

} // namespace

std::string statesText(const ExplicitEvidence &evidence) {
  std::string text;
  report::Json dead = report::Json::array();
  for (const compose::DeadLocal &one : evidence.dead)
    dead.push_back({one.thread, one.location, one.local});
  if (!dead.empty())
    text += report::Json{{"dead", dead}}.dump() + "\n";
  auto renamed = evidence.renamed.begin();
  for (uint32_t number = 0; number < evidence.states.size(); ++number) {
    const compose::Configuration &state = evidence.states[number];
    report::Json threads = report::Json::array();
    for (const compose::Thread &thread : state.threads)
      threads.push_back({thread.thread, thread.location,
                         thread.id ? report::Json(*thread.id) : report::Json(nullptr),
                         valueList(thread.locals)});
    report::Json line = report::Json::array({valueList(state.globals), threads});
    report::Json steps = report::Json::array();
    for (; renamed != evidence.renamed.end() && renamed->state == number; ++renamed)
      steps.push_back({renamed->thread, renamed->edge, renamed->renaming});
    if (!steps.empty())
      line.push_back(steps);
    text += line.dump() + "\n";
  }
  return text;
}

ExplicitEvidence readStates(const std::string &text, const std::string &name) {
  ExplicitEvidence result;
  std::istringstream lines(text);
  size_t lineNumber = 0;
  for (std::string line; std::getline(lines, line);) {
    std::string where = name + ":" + std::to_string(++lineNumber);
    report::Json json = parsed(line, where);
    Reader state(json, "'" + where + "'");
    if (lineNumber == 1 && json.is_object()) {
      state.require({"dead"});
      result.dead = readDead(state["dead"]);
      continue;
    }
    auto fields = state.list();
    if (fields.size() != 2 && fields.size() != 3)
      state.refuse("a state: globals, threads, and the steps that rename ids");
    if (fields.size() == 3)
      readRenamed(fields[2], static_cast<uint32_t>(result.states.size()), result.renamed);
    compose::Configuration configuration;
    configuration.globals = fields[0].values();
    for (const Reader &thread : fields[1].list())
      configuration.threads.push_back(readThread(thread));
    result.states.push_back(std::move(configuration));
  }
  return result;
}

} // namespace understudy::tools::certificate
