// SPDX-License-Identifier: Apache-2.0
#include "tools/command/OutlineCommand.h"

#include "compose/ProgramCopy.h"
#include "compose/proof/OwickiGriesCheck.h"
#include "logic/Error.h"
#include "logic/Render.h"
#include "specs/Compile.h"
#include "specs/syntax/Lexer.h"
#include "tools/ExitCode.h"
#include "tools/Files.h"
#include "tools/Supervise.h"
#include "tools/command/Run.h"
#include "tools/outline/OutlineCheck.h"
#include "tools/report/JsonParts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>

namespace understudy::tools::command {

namespace {

using Outcome = compose::proof::Discharge::Outcome;
using outline::OutlineFinding;

struct Finding {
  OutlineFinding found;
  size_t ghosts = 0, updates = 0, assertions = 0;
  std::vector<std::string> assumptions;
  double seconds = 0;
};

std::string outlineWord(Outcome outcome) {
  return outcome == Outcome::Holds ? "valid" : outcome == Outcome::Fails ? "invalid" : "unknown";
}

int outlineExit(Outcome outcome) {
  return outcome == Outcome::Holds ? Proven : outcome == Outcome::Fails ? Violation : Undecided;
}

/// Throws unless the two files differ in comments and white space only.
void requireSameProgram(const logic::SourceFilePtr &program, const logic::SourceFilePtr &outline,
                        specs::syntax::Language language) {
  const auto wanted = specs::syntax::lex(program, language).tokens;
  const auto given = specs::syntax::lex(outline, language).tokens;
  auto text = [](const logic::SourceFilePtr &file, const specs::syntax::Token &token) {
    return token.kind == specs::syntax::Tok::End
               ? std::string("the end of the file")
               : "'" + std::string(file->text().substr(token.begin, token.end - token.begin)) + "'";
  };
  for (size_t i = 0; i < std::min(wanted.size(), given.size()); ++i)
    if (const std::string one = text(program, wanted[i]), other = text(outline, given[i]);
        one != other) {
      const logic::Position at = program->positionOf(wanted[i].begin);
      throw logic::Error(
          {outline, outline->positionOf(given[i].begin), outline->positionOf(given[i].end)},
          "this is an outline of another program: expected " + one + ", found " + other,
          "an outline differs from its program only in comments; see " + program->name() + ":" +
              std::to_string(at.line));
    }
}

template <typename Tree>
Finding checkParsed(const specs::syntax::Parsed<Tree> &parsed, const logic::SourceFilePtr &file,
                    Language language, const options::Options &options) {
  specs::Compiled compiled = specs::compile(parsed.tree, compileOptions(options, language));
  if (!compiled.withoutContract.empty())
    throw logic::Unsupported("thread " + compiled.withoutContract.front() +
                             " has no contract: its code is needed");
  const compose::Program program =
      compose::withNumbers(compiled.program, threadCounts(compiled.program, options.threads));
  const outline::Outline outline = outline::readOutline(program, file, parsed.comments);
  Finding result;
  result.found = outline::checkOutline(program, outline, {options.solver, options.timeoutSeconds});
  result.ghosts = outline.annotation.ghosts.size();
  result.updates = outline.annotation.updates.size();
  result.assertions = outline.written;
  result.assumptions = program.assumptions;
  return result;
}

Finding check(const options::Options &options) {
  const Language language = languageOf(options.file);
  if (language != Language::Conc && language != Language::Contract)
    throw logic::Error({}, "--outline needs a program, but '" + options.file + "' is not one",
                       "the name of a program ends in .conc or .contract");
  const bool isConc = language == Language::Conc;
  const logic::SourceFilePtr program = readSource(options.file);
  const logic::SourceFilePtr outline = readSource(*options.outline);
  if (isConc)
    specs::syntax::parseConc(program);
  else
    specs::syntax::parseContract(program);
  requireSameProgram(program, outline,
                     isConc ? specs::syntax::Language::Conc : specs::syntax::Language::Contract);
  return isConc ? checkParsed(specs::syntax::parseConc(outline), outline, language, options)
                : checkParsed(specs::syntax::parseContract(outline), outline, language, options);
}

std::string outlineReport(const Finding &finding, const options::Options &options) {
  const OutlineFinding &found = finding.found;
  const std::string last =
      "verdict: " + outlineWord(found.outcome) +
      (found.reason.empty() ? "" : " (" + logic::printable(found.reason) + ")") + "\n";
  if (options.verbosity == options::Verbosity::Quiet)
    return last;
  std::string text;
  for (const logic::Diagnostic &diagnostic : found.where)
    text += logic::render(diagnostic);
  text += "outline: " + *options.outline + ", of " + options.file + "\n";
  text += "annotation: " + report::plural(finding.assertions, "assertion") + ", " +
          report::plural(finding.ghosts, "ghost") + ", " +
          report::plural(finding.updates, "update") + "\n";
  if (found.outcome == Outcome::Holds)
    text += "obligations: " + std::to_string(found.obligations) +
            (found.obligations == 1 ? " holds (" : " hold (") +
            logic::solver::word(options.solver) + ")\n";
  return text + report::assumptionText(finding.assumptions) +
         report::timeText(finding.seconds, options.verbosity) + last;
}

report::Json failureJson(const OutlineFinding &found) {
  if (found.outcome != Outcome::Fails)
    return nullptr;
  report::Json where = report::Json::array();
  for (const logic::Diagnostic &diagnostic : found.where)
    where.push_back({{"line", diagnostic.range.begin.line},
                     {"column", diagnostic.range.begin.column},
                     {"message", diagnostic.message}});
  return {{"obligation", found.kind}, {"where", where}, {"values", found.values}};
}

std::string outlineJson(const Finding &finding, const options::Options &options) {
  const OutlineFinding &found = finding.found;
  return report::printed({{"tool", report::toolJson()},
                          {"command", options::word(options::CommandName::Validate)},
                          {"program", options.file},
                          {"outline", *options.outline},
                          {"solver", logic::solver::word(options.solver)},
                          {"verdict", outlineWord(found.outcome)},
                          {"reason", report::textOrNull(found.reason)},
                          {"exitCode", outlineExit(found.outcome)},
                          {"assumptions", finding.assumptions},
                          {"obligations", found.obligations},
                          {"ghosts", finding.ghosts},
                          {"updates", finding.updates},
                          {"failure", failureJson(found)}});
}

} // namespace

int runOutline(const options::Options &options) {
  Finding finding;
  if (auto end = continueInChild({options.timeoutSeconds, options.memoryMegabytes.value_or(0)})) {
    if (end->stopped.empty())
      return end->code;
    finding.found.outcome = Outcome::Unknown;
    finding.found.reason = end->stopped;
  } else {
    const auto begin = std::chrono::steady_clock::now();
    finding = check(options);
    finding.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  std::cout << (options.format == options::OutputFormat::Json ? outlineJson(finding, options)
                                                              : outlineReport(finding, options));
  return outlineExit(finding.found.outcome);
}

} // namespace understudy::tools::command
