// SPDX-License-Identifier: Apache-2.0
#include "tools/command/Run.h"

#include "compose/ProgramCopy.h"
#include "logic/Error.h"
#include "logic/Render.h"
#include "logic/Words.h"
#include "tools/Files.h"
#include "tools/certificate/Certify.h"
#include "tools/command/Engines.h"
#include "tools/outline/Annotation.h"
#include "tools/report/Progress.h"
#include "tools/report/StoryText.h"

#include <algorithm>
#include <iostream>
#include <stdexcept>

namespace understudy::tools::command {

using compose::Answer;
using compose::Verdict;

namespace {

Verdict standsForItself(const specs::Compiled &compiled) {
  Verdict verdict;
  verdict.answer = Answer::Unknown;
  verdict.assumptions = compiled.program.assumptions;
  const auto &names = compiled.withoutContract;
  verdict.reason = (names.size() == 1 ? "thread " : "threads ") + logic::joined(names) +
                   (names.size() == 1 ? " has" : " have") +
                   " no contract: the contracts alone prove nothing";
  return verdict;
}

void beStrict(Verdict &verdict) {
  if (verdict.answer != Answer::Safe || verdict.assumptions.empty())
    return;
  verdict.answer = Answer::Unknown;
  verdict.reason = "safe only under assumptions, which --strict does not allow";
}

report::Result begun(const compose::Program &program, const options::Options &options) {
  return {options.command, options.file, program.name, program.origin,
          options.threads, {},           {},           program.pool};
}

std::string traceText(const report::Result &result) {
  return result.story ? report::storyText(*result.story, options::TraceLength::Full)
                      : "no counterexample\n" + report::verdictLine(result.verdict) + "\n";
}

/// The source with its proof, or a line that says why there is none.
std::string annotated(const compose::Program &program, const report::Result &result) {
  if (result.verdict.answer != Answer::Safe)
    return "";
  try {
    if (result.evidence)
      return outline::annotatedSource(program, *result.evidence);
  } catch (const logic::Unsupported &reason) {
    return std::string("annotation: none (") + reason.what() + ")\n";
  }
  return "annotation: none (" +
         (result.withoutEvidence.empty() ? "the engine leaves no proof" : result.withoutEvidence) +
         ")\n";
}

} // namespace

void showWarnings(const std::vector<logic::Diagnostic> &warnings, options::Verbosity verbosity) {
  if (!warnings.empty() && verbosity != options::Verbosity::Quiet)
    std::cerr << logic::render(warnings);
}

specs::CompileOptions compileOptions(const options::Claim &claim, Language language) {
  const auto usual = language == Language::Conc ? options::Switch::Off : options::Switch::On;
  return {claim.spurious.value_or(usual) == options::Switch::On ? specs::SpuriousWakeups::On
                                                                : specs::SpuriousWakeups::Off};
}

compose::ThreadCounts threadCounts(const compose::Program &program,
                                   const options::ThreadNumbers &numbers) {
  std::vector<std::string> open;
  for (const compose::Start &start : program.starts)
    if (start.unbounded)
      open.push_back(program.templates[start.thread].name);
  compose::ThreadCounts counts;
  for (const auto &[name, number] : numbers) {
    auto id = program.templateNamed(name);
    if (!id)
      throw logic::Error({},
                         "invalid value '" + name + "' for --threads: no such thread in this file",
                         logic::suggestion(name, open, "threads of any number"));
    if (std::find(open.begin(), open.end(), name) == open.end())
      throw logic::Error(
          {}, "--threads cannot set the number of '" + name + "' threads: it is fixed",
          open.empty() ? "only threads run as in 'run " + name + "*;' have an open number"
                       : "threads with an open number: " + logic::joined(open));
    counts[*id] = number;
  }
  return counts;
}

compose::Watch watchOf(const options::Options &options) {
  return {options.timeoutSeconds, options.memoryMegabytes.value_or(0) << 20};
}

report::Result explore(const compose::Program &program, const options::Options &options,
                       const compose::Watch &watch) {
  report::Result result = begun(program, options);
  {
    report::ProgressLine progress(options.verbosity);
    compose::portfolio::Outcome outcome = runEngines(program, options, watch, progress.callback());
    result.verdict = std::move(outcome.verdict);
    if (auto limit = watch.exceeded(); limit && result.verdict.answer == Answer::Unknown)
      result.verdict.reason = *limit;
    result.evidence = std::move(outcome.evidence);
    result.withoutEvidence = std::move(outcome.withoutEvidence);
    result.annotation = outcome.annotation;
    result.iterations = std::move(outcome.iterations);
    result.attempts = std::move(outcome.attempts);
  }
  if (options.annotate == options::Switch::On)
    result.annotated =
        annotated(compose::withNumbers(program, threadCounts(program, options.threads)), result);
  if (result.verdict.trace) {
    if (auto defect = compose::replay(program, *result.verdict.trace))
      throw std::logic_error("the counterexample does not replay: " + *defect);
    result.story = report::tell(program, *result.verdict.trace);
  }
  return result;
}

report::Result decide(const specs::Compiled &compiled, const options::Options &options) {
  report::Result result = begun(compiled.program, options);
  if (!compiled.withoutContract.empty()) {
    result.verdict = standsForItself(compiled);
    certificate::certify(result, options);
    return result;
  }
  result = explore(compiled.program, options, watchOf(options));
  if (options.strict == options::Switch::On)
    beStrict(result.verdict);
  certificate::certify(result, options);
  return result;
}

int conclude(int code, const certificate::CertificateNote &note) {
  if (note.failed)
    std::cerr << "error: the certificate was not written: " << note.reason << "\n";
  return certificate::exitCodeWith(note, code);
}

/// The verdict comes first: it is known even if a file cannot be written.
void publish(const Forms &forms, const options::Options &options) {
  std::cout << (options.format == options::OutputFormat::Json ? forms.json() : forms.text())
            << std::flush;
  for (const options::OutputFile &output : options.outputs)
    switch (output.kind) {
    case options::OutputKind::Text:
      writeFile(output.path, forms.text());
      break;
    case options::OutputKind::Json:
      writeFile(output.path, forms.json());
      break;
    case options::OutputKind::Trace:
      writeFile(output.path, forms.trace());
      break;
    case options::OutputKind::Annotated:
      writeFile(output.path, forms.annotated());
      break;
    case options::OutputKind::Checker:
      if (forms.writeChecker)
        forms.writeChecker(output.path);
      break;
    case options::OutputKind::Dot:
      if (forms.dot)
        writeFile(output.path, forms.dot());
      break;
    }
}

int publish(const report::Result &result, const options::Options &options) {
  publish({.text = [&] { return report::textReport(result, options.verbosity, options.trace); },
           .json = [&] { return report::jsonReport(result, options.verbosity); },
           .trace = [&] { return traceText(result); },
           .annotated = [&] { return result.annotated; }},
          options);
  return conclude(report::exitCodeOf(result.verdict.answer), result.certificate);
}

} // namespace understudy::tools::command
