// SPDX-License-Identifier: Apache-2.0
//
// What the commands that run an engine share: from a program to a report.
#pragma once

#include "compose/Interpreter.h"
#include "specs/Compile.h"
#include "tools/options/Options.h"
#include "tools/report/Report.h"

#include <string>

namespace understudy::tools::command {

/// Warnings go to standard error, unless the user wants quiet.
void showWarnings(const std::vector<logic::Diagnostic> &warnings, options::Verbosity verbosity);

/// The numbers of `--threads`, checked against the program: only threads that the file runs in any
/// number (`T*`) can be given one. Throws `logic::Error` otherwise.
compose::ThreadCounts threadCounts(const compose::Program &program,
                                   const options::ThreadNumbers &numbers);

/// Runs the engine. An unsafe verdict is replayed before anyone sees it.
report::Result decide(options::CommandName command, const specs::Compiled &compiled,
                      const options::RunOptions &options);

/// The same for a program that is complete. `--strict` is not looked at.
report::Result explore(options::CommandName command, const compose::Program &program,
                       const options::RunOptions &options);

/// Says what became of a certificate that could not be written, and returns the exit code.
int conclude(int code, const certificate::CertificateNote &note);

/// Prints the report, writes the files of `-o`, returns the exit code.
int publish(const report::Result &result, const options::RunOptions &options);

} // namespace understudy::tools::command
