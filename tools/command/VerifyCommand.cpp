// SPDX-License-Identifier: Apache-2.0
#include "tools/command/Commands.h"

#include "logic/Error.h"
#include "specs/Compile.h"
#include "tools/ExitCode.h"
#include "tools/Files.h"
#include "tools/command/Run.h"

#include <iostream>

namespace understudy::tools::command {

namespace {

void refuseAllButPrograms(const std::string &path) {
  if (languageOf(path) == Language::Contract)
    throw logic::Error({}, "verify takes a CONC program, but '" + path + "' is a contract",
                       "try 'understudy compose " + path + "'");
  if (languageOf(path) == Language::Net)
    throw logic::Error({}, "verify takes a CONC program, but '" + path + "' is a process net",
                       "try 'understudy explore " + path + "'");
  if (languageOf(path) == Language::Other)
    throw logic::Error({}, "verify takes a CONC program, but '" + path + "' is not one",
                       "the name of a CONC program ends in .conc");
}

report::Result notYet(const std::string &path) {
  report::Result result{
      options::CommandName::Verify, path, "", compose::Origin::Conc, {}, {}, {}, {}};
  result.verdict.answer = compose::Answer::Unknown;
  result.verdict.reason = "C programs cannot be verified without a contract yet; with one, try "
                          "'understudy check'";
  return result;
}

std::string expectationText(const specs::syntax::Expectation &expectation) {
  return std::string(expectation.safe ? "safe" : "unsafe") +
         (expectation.width ? ", width " + std::to_string(*expectation.width) : "");
}

std::string resultText(const compose::Verdict &verdict,
                       const specs::syntax::Expectation &expectation) {
  std::string text = compose::word(verdict.answer);
  if (expectation.width)
    text += verdict.width ? ", width " + std::to_string(*verdict.width) : ", width not known";
  return text;
}

bool isMet(const specs::syntax::Expectation &expectation, const compose::Verdict &verdict) {
  auto wanted = expectation.safe ? compose::Answer::Safe : compose::Answer::Unsafe;
  return verdict.answer == wanted && (!expectation.width || verdict.width == expectation.width);
}

/// The exit code says whether the expectation was met, not what the verdict is.
int compareWith(const specs::syntax::Expectation &expectation, const compose::Verdict &verdict) {
  if (isMet(expectation, verdict))
    return Proven;
  std::cerr << expectation.range.text() << ": expected " << expectationText(expectation) << ", got "
            << resultText(verdict, expectation) << "\n";
  return Violation;
}

} // namespace

int runVerify(const options::Options &options) {
  logic::SourceFilePtr file = readSource(options.file);
  refuseAllButPrograms(options.file);
  if (languageOf(options.file) == Language::C)
    return publish(notYet(options.file), options);
  auto parsed = specs::syntax::parseConc(file);
  const bool isCompared = options.expect == options::Switch::On;
  if (isCompared && !parsed.tree.expectation)
    throw logic::Error({}, "'" + options.file + "' states no expectation",
                       "its first line must be '// expect: safe', '// expect: unsafe' or "
                       "'// expect: safe, width 2'");
  showWarnings(parsed.warnings, options.verbosity);
  specs::Compiled compiled = specs::compile(parsed.tree, compileOptions(options, Language::Conc));
  showWarnings(compiled.warnings, options.verbosity);
  report::Result result = decide(compiled, options);
  int code = publish(result, options);
  if (isCompared)
    code = compareWith(*parsed.tree.expectation, result.verdict);
  return certificate::exitCodeWith(result.certificate, code);
}

} // namespace understudy::tools::command
