// SPDX-License-Identifier: Apache-2.0
#include "tools/command/ExploreCommand.h"

#include "compose/tnet/Explore.h"
#include "specs/tnet/CompileNet.h"
#include "tools/certificate/Certify.h"
#include "tools/command/Commands.h"
#include "tools/command/Run.h"
#include "tools/exports/DotStates.h"
#include "tools/report/ExploreReport.h"
#include "tools/report/Progress.h"

#include <algorithm>

namespace understudy::tools::command {

using compose::tnet::ExploreResult;
using options::OutputKind;
using options::Switch;

namespace {

bool wantsPicture(const options::Options &options) {
  return std::any_of(
      options.outputs.begin(), options.outputs.end(),
      [](const options::OutputFile &output) { return output.kind == OutputKind::Dot; });
}

void refuseEndless(const options::Options &options) {
  if (options.equivalence == Switch::On)
    return;
  if (!options.depth && !options.maxStates)
    throw logic::Error({}, "--no-equivalence needs a limit: threads may be created for ever",
                       "add --depth N or --max-states N");
  if (wantsPicture(options))
    throw logic::Error({}, "-o dot draws states up to the names of ids, not with --no-equivalence",
                       "leave one of the two out");
}

ExploreResult explored(const compose::tnet::Net &net, const options::Options &options,
                       const compose::Watch &watch) {
  report::ProgressLine progress(options.verbosity);
  compose::tnet::ExploreOptions engine;
  if (options.maxStates)
    engine.maxStates = std::min(*options.maxStates, compose::tnet::ExploreOptions::mostStates);
  engine.maxDepth = options.depth;
  engine.stop = watch.token();
  engine.progress = progress.callback();
  if (options.equivalence == Switch::Off)
    engine.equivalence = compose::tnet::ExploreOptions::Equivalence::Off;
  if (wantsPicture(options))
    engine.graph = compose::tnet::ExploreOptions::Graph::Keep;
  ExploreResult result = compose::tnet::explore(net, engine);
  if (auto limit = watch.exceeded(); limit && result.limit)
    result.limit = *limit;
  return result;
}

int publishStates(const report::ExploreRun &run, const std::stop_token &limit) {
  Forms forms{[&] { return report::exploreText(run); }, [&] { return report::exploreJson(run); },
              [&] { return report::exploreTrace(run); }};
  if (run.result.graph)
    forms.dot = [&] {
      return exports::dotText(run.net, *run.result.graph,
                              {run.options.file, run.result.states, run.result.reason(), limit});
    };
  publish(forms, run.options);
  return conclude(report::exitCodeOf(run.result.answer(run.net)), run.certificate);
}

} // namespace

compose::tnet::Net readThreadNet(const std::string &file, const options::Claim &claim) {
  requireReadable(file);
  if (languageOf(file) != Language::Net)
    throw logic::Error({}, "explore takes a process net, but '" + file + "' is not one",
                       "the name of a process net ends in .tnet");
  return specs::tnet::compileNet(specs::syntax::parseNet(readSource(file)).tree,
                                 {claim.set, claim.relations});
}

int publishUnknownStates(const options::Options &options, const logic::Unsupported &reason) {
  const compose::tnet::Net none;
  report::ExploreRun run{options, none, {}, {}};
  run.result.limit = reason.what();
  return publishStates(run, {});
}

int runExplore(const options::Options &options) {
  refuseEndless(options);
  const compose::tnet::Net net = readThreadNet(options.file, options);
  if (net.questions.empty())
    showWarnings(
        {{logic::Severity::Note, {}, "nothing is claimed: the net has no never and no reach", {}}},
        options.verbosity);
  const compose::Watch watch = watchOf(options);
  report::ExploreRun run{options, net, explored(net, options, watch), {}};
  run.certificate = certificate::certify(net, run.result, options, watch.token());
  return publishStates(run, watch.token());
}

} // namespace understudy::tools::command
