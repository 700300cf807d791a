// SPDX-License-Identifier: Apache-2.0
#include "tools/command/Commands.h"

#include "compose/petri/Petrify.h"
#include "compose/proof/OwickiGriesCheck.h"
#include "logic/Error.h"
#include "logic/Render.h"
#include "specs/Compile.h"
#include "specs/format/Format.h"
#include "tools/ExitCode.h"
#include "tools/Files.h"
#include "tools/Supervise.h"
#include "tools/command/CoverCommand.h"
#include "tools/command/Run.h"
#include "tools/exports/AnnotatedConc.h"
#include "tools/exports/ConcExport.h"
#include "tools/exports/CoverExport.h"
#include "tools/exports/DotExport.h"
#include "tools/exports/PnmlExport.h"
#include "tools/exports/promela/PromelaExport.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>

namespace understudy::tools::command {

namespace {

using Target = options::ExportTarget;

bool isForked(const compose::Program &program, compose::TemplateId id) {
  for (const compose::Template &type : program.templates)
    for (const compose::Edge &edge : type.edges)
      if (const auto *fork = std::get_if<compose::Fork>(&edge.action))
        if (fork->thread == id)
          return true;
  return false;
}

/// `--threads` sets the number of a `T*`, and for Promela the pool of a forked T.
std::string promela(const compose::Program &program, const options::ThreadNumbers &numbers) {
  exports::promela::PromelaOptions options;
  options::ThreadNumbers started;
  for (const auto &[name, number] : numbers) {
    auto id = program.templateNamed(name);
    bool open = id && std::any_of(program.starts.begin(), program.starts.end(),
                                  [&](const auto &s) { return s.thread == *id && s.unbounded; });
    if (id && !open && isForked(program, *id))
      options.pools[*id] = number;
    else
      started[name] = number;
  }
  options.counts = threadCounts(program, started);
  return exports::promela::promelaText(program, options);
}

/// Ends what takes too much work.
class MostWork final : public logic::solver::Pace {
public:
  void spend(uint64_t work) override {
    constexpr uint64_t most = 20'000'000;
    done_ += work;
    if (done_ > most)
      throw logic::Unsupported("the net for this width is too large; try a smaller --width");
  }
  uint64_t allowance() const override { return std::numeric_limits<uint64_t>::max(); }

private:
  uint64_t done_ = 0;
};

/// The threads of the start may need more than was asked for.
compose::petri::PetriProgram petrified(const compose::Program &program,
                                       const options::Options &options) {
  for (const compose::Start &start : program.starts)
    if (start.unbounded) {
      const std::string &name = program.templates[start.thread].name;
      throw logic::Unsupported("any number of '" + name + "' threads with --width; write 'run " +
                               name + " * 2;' in the file");
    }
  if (!options.threads.empty())
    throw logic::Unsupported("--threads cannot be combined with --width");
  const uint32_t least = compose::petri::leastLimit(program);
  if (*options.width < least)
    throw logic::Error({}, "--width " + std::to_string(*options.width) + " is too small",
                       "the initial threads need --width " + std::to_string(least));
  MostWork work;
  compose::Limits whole;
  whole.pace = &work;
  compose::Budget budget(whole);
  compose::petri::PetrifyOptions limits;
  limits.limit = *options.width;
  limits.budget = &budget;
  return compose::petri::petrify(program, limits);
}

/// The exports of the petrified net, which has a width; none if another one is asked for.
std::optional<std::string> exportPetrified(const compose::Program &program,
                                           const options::Options &options) {
  if (!options.width)
    return std::nullopt;
  if (options.to == Target::Pnml)
    return exports::pnmlText(petrified(program, options), program);
  if (options.to != Target::Dot)
    throw logic::Error({}, "--width is only for --to pnml and --to dot");
  return exports::dotText(petrified(program, options), program);
}

bool isNet(Target target) {
  return target == Target::Tts || target == Target::Spec || target == Target::Pnml;
}

void refuseThreadsWithoutContract(const specs::Compiled &compiled) {
  if (!compiled.withoutContract.empty())
    throw logic::Unsupported("thread " + compiled.withoutContract.front() +
                             " has no contract: its code is needed");
}

std::string exportContract(const logic::SourceFilePtr &file, const options::Options &options) {
  auto parsed = specs::syntax::parseContract(file);
  showWarnings(parsed.warnings, options::Verbosity::Normal);
  specs::Compiled compiled =
      specs::compile(parsed.tree, compileOptions(options, Language::Contract));
  showWarnings(compiled.warnings, options::Verbosity::Normal);
  if (options.to == Target::Dot && !options.width)
    return exports::dotText(parsed.tree);
  refuseThreadsWithoutContract(compiled);
  if (auto net = exportPetrified(compiled.program, options))
    return *net;
  if (options.to == Target::Promela)
    return promela(compiled.program, options.threads);
  if (isNet(options.to))
    return exports::netText(compiled.program, options);
  return exports::concText(parsed.tree, compiled.program,
                           threadCounts(compiled.program, options.threads));
}

/// With the proof of refine as a part of the program.
std::string exportAnnotated(const specs::syntax::ConcFile &tree, const compose::Program &program,
                            const options::Options &options) {
  if (!options.threads.empty())
    throw logic::Unsupported("--threads cannot be combined with --annotated");
  options::Options proving = options;
  proving.annotate = options::Switch::On;
  proving.engine = compose::EngineName::Refine;
  const report::Result result = explore(program, proving, watchOf(proving));
  if (result.verdict.answer != compose::Answer::Safe)
    throw logic::Unsupported(
        "there is no proof to add: the verdict is " + compose::word(result.verdict.answer) +
        (result.verdict.reason.empty() ? "" : " (" + result.verdict.reason + ")"));
  const auto *evidence = result.evidence
                             ? std::get_if<compose::proof::OwickiGriesEvidence>(&*result.evidence)
                             : nullptr;
  if (!evidence)
    throw logic::Unsupported("there is no annotation: " + result.withoutEvidence);
  return exports::annotatedConc(tree, program, compose::proof::readOwickiGries(program, *evidence));
}

std::string exportConc(const logic::SourceFilePtr &file, const options::Options &options) {
  auto parsed = specs::syntax::parseConc(file);
  showWarnings(parsed.warnings, options::Verbosity::Normal);
  specs::Compiled compiled = specs::compile(parsed.tree, compileOptions(options, Language::Conc));
  showWarnings(compiled.warnings, options::Verbosity::Normal);
  if (auto net = exportPetrified(compiled.program, options))
    return *net;
  switch (options.to) {
  case Target::Dot:
    return exports::dotText(compiled.program);
  case Target::Conc:
    return options.annotated == options::Switch::On
               ? exportAnnotated(parsed.tree, compiled.program, options)
               : specs::format::format(parsed);
  case Target::Promela:
    return promela(compiled.program, options.threads);
  default:
    return exports::netText(compiled.program, options);
  }
}

bool isNetFile(const std::string &path) {
  auto extension = std::filesystem::path(path).extension();
  return extension == ".tts" || extension == ".spec";
}

std::string exportNet(const options::Options &options) {
  if (!isNet(options.to))
    throw logic::Unsupported("a Petri net can only be exported to tts, spec and pnml: '" +
                             options.file + "'");
  specs::net::CoverModel read = readCoverModel(options.file, options);
  showWarnings(read.warnings, options::Verbosity::Normal);
  if (!read.zeroTests.empty() || !read.exactly.empty())
    throw logic::Unsupported("tests for exact numbers cannot be exported: '" + options.file + "'");
  return exports::netText(read.problem, options.to);
}

std::string exported(const options::Options &options) {
  if (options.annotated == options::Switch::On &&
      (options.to != Target::Conc || languageOf(options.file) != Language::Conc))
    throw logic::Error({}, "--annotated is only for CONC programs and --to conc");
  if (isNetFile(options.file))
    return exportNet(options);
  if (options.target || options.init)
    throw logic::Error({}, "--target and --init are only for .tts files",
                       "a program defines its own initial states and failures");
  logic::SourceFilePtr file = readSource(options.file);
  switch (languageOf(options.file)) {
  case Language::Contract:
    return exportContract(file, options);
  case Language::Conc:
    return exportConc(file, options);
  case Language::C:
    throw logic::Unsupported("C programs cannot be exported yet: '" + options.file + "'");
  case Language::Net:
  case Language::Other:
    break;
  }
  throw logic::Error({}, "cannot export '" + options.file + "': unknown file type",
                     "export takes .contract, .conc, .tts and .spec files");
}

void write(const std::string &text, const options::Options &options) {
  if (options.output)
    writeFile(*options.output, text);
  else
    std::cout << text;
}

/// A text that one process writes and the other reads.
class Handover {
public:
  Handover() : file_(std::tmpfile(), std::fclose) {
    if (!file_)
      refuse("cannot create");
  }
  void put(const std::string &text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
        std::fflush(file_.get()) != 0)
      refuse("cannot write");
  }
  std::string take() {
    std::string text;
    char part[1 << 16];
    std::rewind(file_.get());
    while (size_t count = std::fread(part, 1, sizeof part, file_.get()))
      text.append(part, count);
    if (std::ferror(file_.get()) != 0)
      refuse("cannot read");
    return text;
  }

private:
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file_;

  [[noreturn]] static void refuse(const std::string &what) {
    throw logic::Error(what + " a temporary file: " + std::strerror(errno));
  }
};

/// Whatever takes too long, nothing is written then, and otherwise all of it.
int exportWithin(const ProcessLimits &limits, const options::Options &options) {
  Handover text;
  const auto end = continueInChild(limits);
  if (!end) {
    text.put(exported(options));
    return Proven;
  }
  if (!end->stopped.empty()) {
    std::cerr << logic::render({logic::Severity::Note, {}, end->stopped, {}});
    return Undecided;
  }
  if (end->code == Proven)
    write(text.take(), options);
  return end->code;
}

} // namespace

int runExport(const options::Options &options) {
  if (options.timeoutSeconds > 0 || options.memoryMegabytes)
    return exportWithin({options.timeoutSeconds, options.memoryMegabytes.value_or(0)}, options);
  write(exported(options), options);
  return Proven;
}

} // namespace understudy::tools::command
