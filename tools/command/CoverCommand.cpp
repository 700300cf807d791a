// SPDX-License-Identifier: Apache-2.0
#include "tools/command/CoverCommand.h"

#include "compose/Watch.h"
#include "logic/Error.h"
#include "specs/net/TtsReader.h"
#include "tools/Files.h"
#include "tools/certificate/Certify.h"
#include "tools/command/Commands.h"
#include "tools/command/Run.h"
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

logic::SourceFilePtr targetText(const std::string &file, const options::Claim &claim) {
  if (claim.target)
    return optionText("--target", *claim.target);
  fs::path beside = fs::path(file).replace_extension(".prop");
  if (!fs::exists(beside))
    throw logic::Error({}, "no coverage target given",
                       "use --target, such as --target \"1|2,2\", or write it to '" +
                           beside.string() + "'");
  return readSource(beside.string());
}

specs::net::CoverModel readTtsModel(const std::string &file, const options::Claim &claim) {
  specs::net::CoverModel model;
  auto &net = model.problem.net;
  net = specs::net::readTts(readSource(file));
  net.starts = claim.init
                   ? std::vector{specs::net::readStart(optionText("--init", *claim.init), net)}
                   : specs::net::defaultStarts(net);
  model.problem.targets = specs::net::readTargets(targetText(file, claim), net);
  return model;
}

specs::net::CoverModel readMistModel(const std::string &file, const options::Claim &claim) {
  for (const auto &[name, value] :
       {std::pair{"--target", claim.target}, std::pair{"--init", claim.init}})
    if (value)
      throw logic::Error({}, std::string(name) + " is only for .tts files",
                         "a .spec file has the sections 'init' and 'target' instead");
  return specs::net::readMist(readSource(file));
}

uint64_t memoryLimit(const options::Options &options) {
  return options.memoryMegabytes.value_or(options.cover.maxMemoryBytes >> 20);
}

/// As `verify` and `compose` run the engine.
options::Options programRun(const options::Options &options, options::CommandName command) {
  if (options.target || options.init)
    throw logic::Error({}, "--target and --init are only for .tts files",
                       "a program defines its own initial states and failures");
  options::Options run = options;
  run.command = command;
  run.engine = compose::EngineName::Cover;
  run.memoryMegabytes = memoryLimit(options);
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

int decide(const options::Options &options, const specs::net::CoverModel &model) {
  report::CoverRun run{options, model, readSource(options.file), {}, {}};
  {
    const logic::LogScope scope(logic::Topic::Cover);
    report::ProgressLine progress(options.verbosity);
    auto engine = options.cover;
    const compose::Watch watch(options.timeoutSeconds, memoryLimit(options) << 20);
    engine.stop = watch.token();
    engine.progress = progress.callback();
    if (options.certificate)
      engine.stateEquation = compose::cover::CoverOptions::StateEquation::Off;
    run.answer = compose::cover::decideCover(model.problem, engine);
    if (auto limit = watch.exceeded(); limit && run.answer.answer == Answer::Unknown)
      run.answer.reason = *limit;
  }
  obeyTests(model, run.answer);
  run.certificate = certificate::certify(run.answer, options);
  std::cout << (options.format == options::OutputFormat::Json ? report::coverJson(run)
                                                              : report::coverText(run));
  return conclude(report::exitCodeOf(run.answer.answer), run.certificate);
}

} // namespace

std::vector<std::string> coverFiles(const std::string &file, const options::Claim &claim) {
  std::vector<std::string> files{file};
  if (fs::path(file).extension() == ".tts" && !claim.target)
    files.push_back(fs::path(file).replace_extension(".prop").string());
  return files;
}

specs::net::CoverModel readCoverModel(const std::string &file, const options::Claim &claim) {
  std::string extension = fs::path(file).extension().string();
  requireReadable(file);
  if (extension == ".tts")
    return readTtsModel(file, claim);
  if (extension == ".spec")
    return readMistModel(file, claim);
  throw logic::Error(
      {}, "cover cannot read '" + file + "': unknown file type",
      "cover takes thread transition systems (.tts), mist nets (.spec), and programs "
      "(.conc, .contract)");
}

int runCover(const options::Options &options) {
  if (languageOf(options.file) == Language::Conc)
    return runVerify(programRun(options, options::CommandName::Verify));
  if (languageOf(options.file) == Language::Contract)
    return runCompose(programRun(options, options::CommandName::Compose));
  specs::net::CoverModel model = readCoverModel(options.file, options);
  showWarnings(model.warnings, options.verbosity);
  return decide(options, model);
}

} // namespace understudy::tools::command
