// SPDX-License-Identifier: Apache-2.0
#include "tools/command/CoverCommand.h"

#include "compose/Watch.h"
#include "logic/Error.h"
#include "logic/Render.h"
#include "specs/net/TtsReader.h"
#include "tools/Files.h"
#include "tools/certificate/Certify.h"
#include "tools/command/ComposeCommand.h"
#include "tools/command/Run.h"
#include "tools/command/VerifyCommand.h"
#include "tools/report/CoverReport.h"
#include "tools/report/Progress.h"
#include "tools/report/Report.h"

#include <filesystem>
#include <iostream>

namespace understudy::tools::command {

namespace fs = std::filesystem;
using compose::Answer;

namespace {

logic::SourceFilePtr optionText(const std::string &option, const std::string &text) {
  return std::make_shared<logic::SourceFile>(option, text);
}

logic::SourceFilePtr targetText(const options::CoverOptions &options) {
  if (options.target)
    return optionText("--target", *options.target);
  fs::path beside = fs::path(options.file).replace_extension(".prop");
  if (!fs::exists(beside))
    throw logic::Error({}, "what must not be covered is not said",
                       "use --target, as in --target \"1|2,2\", or write it to '" +
                           beside.string() + "'");
  return readSource(beside.string());
}

specs::net::CoverModel readTtsModel(const options::CoverOptions &options) {
  specs::net::CoverModel model;
  auto &net = model.problem.net;
  net = specs::net::readTts(readSource(options.file));
  net.starts = options.init
                   ? std::vector{specs::net::readStart(optionText("--init", *options.init), net)}
                   : specs::net::defaultStarts(net);
  auto [targets, warnings] = specs::net::readTargets(targetText(options), net);
  model.problem.targets = std::move(targets);
  model.warnings = std::move(warnings);
  return model;
}

specs::net::CoverModel readMistModel(const options::CoverOptions &options) {
  for (const auto &[name, value] :
       {std::pair{"--target", options.target}, std::pair{"--init", options.init}})
    if (value)
      throw logic::Error({}, std::string(name) + " is for .tts files only",
                         "a .spec file has its sections 'init' and 'target'");
  return specs::net::readMist(readSource(options.file));
}

/// As `verify` and `compose` run the engine.
options::RunOptions programRun(const options::CoverOptions &options) {
  if (options.target || options.init)
    throw logic::Error({}, "--target and --init are for .tts files only",
                       "a program says itself how it starts and what is wrong");
  options::RunOptions run;
  run.file = options.file;
  run.engine = compose::EngineName::Cover;
  run.cover = options.engine;
  run.maxStates = options.engine.maxVertices;
  run.memoryMegabytes = options.engine.maxMemoryBytes >> 20;
  run.timeoutSeconds = options.engine.maxSeconds;
  run.certificate = options.certificate;
  run.format = options.format;
  run.verbosity = options.verbosity;
  return run;
}

/// A net that allows more than the file does proves safety only.
void obeyTests(const specs::net::CoverModel &model, compose::cover::CoverAnswer &answer) {
  if (!answer.trace)
    return;
  if (auto reason = specs::net::disobeyed(model, *answer.trace)) {
    answer.answer = Answer::Unknown;
    answer.reason = *reason;
    answer.trace.reset();
  }
}

/// A file that cannot be read as a net has its verdict, too. Text leaves that to the border.
int unreadable(const options::CoverOptions &options, const logic::Unsupported &reason) {
  if (options.format != options::OutputFormat::Json)
    throw reason;
  std::cerr << logic::render(
      {logic::Severity::Note, reason.range(), std::string("unsupported: ") + reason.what(), {}});
  specs::net::CoverModel none;
  report::CoverRun run{options, none, readSource(options.file), {}, {}};
  run.answer.answer = Answer::Unknown;
  run.answer.reason = reason.what();
  std::cout << report::coverJson(run);
  return report::exitCodeOf(Answer::Unknown);
}

int decide(const options::CoverOptions &options, const specs::net::CoverModel &model) {
  report::CoverRun run{options, model, readSource(options.file), {}, {}};
  {
    report::ProgressLine progress(options.verbosity);
    auto engine = options.engine;
    const compose::Watch watch(engine.maxSeconds, engine.maxMemoryBytes);
    engine.maxSeconds = 0;
    engine.stop = watch.token();
    engine.progress = progress.callback();
    if (options.certificate)
      engine.stateEquation = compose::cover::CoverOptions::StateEquation::Off;
    run.answer = compose::cover::decideCover(model.problem, engine);
    if (auto limit = watch.exceeded(); limit && run.answer.answer == Answer::Unknown)
      run.answer.reason = *limit;
  }
  obeyTests(model, run.answer);
  run.certificate = certificate::certify(options, run.answer);
  std::cout << (options.format == options::OutputFormat::Json ? report::coverJson(run)
                                                              : report::coverText(run));
  return conclude(report::exitCodeOf(run.answer.answer), run.certificate);
}

} // namespace

std::vector<std::string> coverFiles(const options::CoverOptions &options) {
  std::vector<std::string> files{options.file};
  if (fs::path(options.file).extension() == ".tts" && !options.target)
    files.push_back(fs::path(options.file).replace_extension(".prop").string());
  return files;
}

specs::net::CoverModel readCoverModel(const options::CoverOptions &options) {
  std::string extension = fs::path(options.file).extension().string();
  requireReadable(options.file);
  if (extension == ".tts")
    return readTtsModel(options);
  if (extension == ".spec")
    return readMistModel(options);
  throw logic::Error({}, "cover cannot read '" + options.file + "'",
                     "the name of a thread transition system ends in .tts, that of a net of "
                     "mist's in .spec, and that of a program in .conc or .contract");
}

int runCover(const options::CoverOptions &options) {
  if (languageOf(options.file) == Language::Conc)
    return runVerify({programRun(options), options::Switch::Off});
  if (languageOf(options.file) == Language::Contract)
    return runCompose({programRun(options), options::Overflow::Assume});
  try {
    specs::net::CoverModel model = readCoverModel(options);
    showWarnings(model.warnings, options.verbosity);
    return decide(options, model);
  } catch (const logic::Unsupported &reason) {
    return unreadable(options, reason);
  }
}

} // namespace understudy::tools::command
