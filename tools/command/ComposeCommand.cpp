// SPDX-License-Identifier: Apache-2.0
#include "tools/command/Commands.h"

#include "logic/Error.h"
#include "specs/Compile.h"
#include "tools/Files.h"
#include "tools/command/Run.h"

#include <algorithm>

namespace understudy::tools::command {

namespace {

void refuseAllButContracts(const std::string &path) {
  switch (languageOf(path)) {
  case Language::Contract:
    return;
  case Language::Conc:
    throw logic::Error({}, "compose takes a contract, but '" + path + "' is a CONC program",
                       "try 'understudy verify " + path + "'");
  case Language::Net:
    throw logic::Error({}, "compose takes a contract, but '" + path + "' is a process net",
                       "try 'understudy explore " + path + "'");
  case Language::C:
    throw logic::Error({}, "compose takes a contract, but '" + path + "' is code",
                       "try 'understudy check SYSTEM.contract " + path + "'");
  case Language::Other:
    throw logic::Error({}, "compose takes a contract, but '" + path + "' is not a contract",
                       "the name of a contract ends in .contract");
  }
}

bool canFail(const compose::Program &program) {
  using compose::Location, compose::Edge;
  return !program.invariants.empty() || !program.exclusions.empty() ||
         std::any_of(program.templates.begin(), program.templates.end(), [](const auto &thread) {
           return std::any_of(thread.edges.begin(), thread.edges.end(),
                              [](const Edge &edge) { return edge.failure.has_value(); }) ||
                  std::any_of(thread.locations.begin(), thread.locations.end(),
                              [](const Location &state) { return !state.relies.empty(); });
         });
}

} // namespace

int runCompose(const options::Options &options) {
  if (options.overflow == options::Overflow::Wrap)
    throw logic::Error(
        {},
        "compose does not support --overflow wrap: a contract does not give the widths of "
        "C integers",
        "give the code as well: 'understudy check " + options.file + " FILE.c'");
  options::Options run = options;
  run.overflow = options::Overflow::Assume; // which means the same here
  logic::SourceFilePtr file = readSource(run.file);
  refuseAllButContracts(run.file);
  auto parsed = specs::syntax::parseContract(file);
  showWarnings(parsed.warnings, run.verbosity);
  specs::Compiled compiled = specs::compile(parsed.tree, compileOptions(run, Language::Contract));
  showWarnings(compiled.warnings, run.verbosity);
  if (run.deadlock == options::Switch::Off && compiled.withoutContract.empty() &&
      !canFail(compiled.program))
    showWarnings({{logic::Severity::Note,
                   {},
                   "nothing is claimed: the contract has no assert, invariant, never or rely",
                   {}}},
                 run.verbosity);
  return publish(decide(compiled, run), run);
}

} // namespace understudy::tools::command
