// SPDX-License-Identifier: Apache-2.0
//
// What the commands that run an engine share: from a program to a report.
#pragma once

#include "compose/Interpreter.h"
#include "compose/Watch.h"
#include "logic/Error.h"
#include "specs/Compile.h"
#include "tools/Files.h"
#include "tools/options/Options.h"
#include "tools/report/Report.h"

#include <functional>
#include <string>

namespace understudy::tools::certificate {
struct Validation;
}

namespace understudy::tools::command {

/// Warnings go to standard error, unless the user wants quiet.
void showWarnings(const std::vector<logic::Diagnostic> &warnings, options::Verbosity verbosity);

/// The numbers of `--threads`, checked against the program: only threads that the file runs in any
/// number (`T*`) can be given one. Throws `logic::Error` otherwise.
compose::ThreadCounts threadCounts(const compose::Program &program,
                                   const options::ThreadNumbers &numbers);

/// How a file in the language is compiled.
specs::CompileOptions compileOptions(const options::Claim &claim, Language language);

/// Over --timeout and --memory, from now on.
compose::Watch watchOf(const options::Options &options);

/// Runs the engine. An unsafe verdict is replayed before anyone sees it.
report::Result decide(const specs::Compiled &compiled, const options::Options &options);

/// The same for a program that is complete. `--strict` is not looked at.
report::Result explore(const compose::Program &program, const options::Options &options,
                       const compose::Watch &watch);

/// Says what became of a certificate that could not be written, and returns the exit code.
int conclude(int code, const certificate::CertificateNote &note);

/// A result in the forms that can be asked for, each made when it is.
struct Forms {
  std::function<std::string()> text;
  std::function<std::string()> json;
  std::function<std::string()> trace;
  std::function<void(const std::string &path)> writeChecker{}; ///< none: there is no code
  std::function<std::string()> dot{};                          ///< none: there are no states
  std::function<std::string()> annotated{};                    ///< none: nothing can be annotated
};

/// Writes the files of `-o`, and prints the report.
void publish(const Forms &forms, const options::Options &options);

/// Prints the report, writes the files of `-o`, returns the exit code.
int publish(const report::Result &result, const options::Options &options);
int publish(const certificate::Validation &found, const options::Options &options);

/// Of a command that cannot go on: a note and, if the command answers with one, the verdict.
int undecided(const options::Options &options, const logic::Unsupported &reason);

} // namespace understudy::tools::command
