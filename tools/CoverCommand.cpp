// SPDX-License-Identifier: Apache-2.0
#include "tools/CoverCommand.h"

#include "logic/Error.h"
#include "specs/TtsReader.h"
#include "tools/CoverReport.h"
#include "tools/Files.h"
#include "tools/Progress.h"
#include "tools/Report.h"
#include "tools/Run.h"

#include <filesystem>
#include <iostream>

namespace understudy::tools {

namespace fs = std::filesystem;
using compose::Answer;

namespace {

logic::SourceFilePtr optionText(const std::string &option, const std::string &text) {
  return std::make_shared<logic::SourceFile>(option, text);
}

logic::SourceFilePtr targetText(const CoverOptions &options) {
  if (options.target)
    return optionText("--target", *options.target);
  fs::path beside = fs::path(options.file).replace_extension(".prop");
  if (!fs::exists(beside))
    throw logic::Error({}, "what must not be covered is not said",
                       "use --target, as in --target \"1|2,2\", or write it to '" +
                           beside.string() + "'");
  return readSource(beside.string());
}

specs::CoverModel readTtsModel(const CoverOptions &options) {
  specs::CoverModel model;
  auto &net = model.problem.net;
  net = specs::readTts(readSource(options.file));
  net.starts = options.init
                   ? std::vector{specs::readStart(optionText("--init", *options.init), net)}
                   : specs::defaultStarts(net);
  auto [targets, warnings] = specs::readTargets(targetText(options), net);
  model.problem.targets = std::move(targets);
  model.warnings = std::move(warnings);
  return model;
}

specs::CoverModel readMistModel(const CoverOptions &options) {
  for (const auto &[name, value] :
       {std::pair{"--target", options.target}, std::pair{"--init", options.init}})
    if (value)
      throw logic::Error({}, std::string(name) + " is for .tts files only",
                         "a .spec file has its sections 'init' and 'target'");
  return specs::readMist(readSource(options.file));
}

/// A net that allows more than the file does proves safety only.
void obeyTests(const specs::CoverModel &model, compose::cover::CoverAnswer &answer) {
  if (!answer.trace)
    return;
  if (auto reason = specs::disobeyed(model, *answer.trace)) {
    answer.answer = Answer::Unknown;
    answer.reason = *reason;
    answer.trace.reset();
  }
}

} // namespace

specs::CoverModel readCoverModel(const CoverOptions &options) {
  std::string extension = fs::path(options.file).extension().string();
  requireReadable(options.file);
  if (extension == ".tts")
    return readTtsModel(options);
  if (extension == ".spec")
    return readMistModel(options);
  throw logic::Error({}, "cover cannot read '" + options.file + "'",
                     "the name of a thread transition system ends in .tts, that of a net of "
                     "mist's in .spec");
}

int runCover(const CoverOptions &options) {
  specs::CoverModel model = readCoverModel(options);
  showWarnings(model.warnings, options.verbosity);
  CoverRun run{options, model, readSource(options.file), {}};
  {
    ProgressLine progress(options.verbosity);
    auto engine = options.engine;
    engine.progress = progress.callback();
    run.answer = compose::cover::decideCover(model.problem, engine);
  }
  obeyTests(model, run.answer);
  std::cout << (options.format == OutputFormat::Json ? coverJson(run) : coverText(run));
  return exitCodeOf(run.answer.answer);
}

} // namespace understudy::tools
