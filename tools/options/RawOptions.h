// SPDX-License-Identifier: Apache-2.0
//
// The options as CLI11 fills them in, what the user reads about them, and their values.
#pragma once

#include "tools/options/Options.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace understudy::tools::options {

/// The value of --engine that leaves the choice to the tool.
inline const std::string automatic = "auto";

/// Of all commands that end with a verdict; a command shows those that it adds.
struct RawRun {
  std::string file;               ///< of compose and verify
  std::vector<std::string> files; ///< of conform and check: the contract, then the code
  std::string format = "text", engine = automatic, spurious, symmetry = "on", overflow = "assume";
  std::string maxStates, timeout, memory, certificate, algorithm, maxWidth;
  std::vector<std::string> threads, onlyThreads, outputs, clangArgs, assertHooks;
  bool deadlock = false, strict = false, quiet = false, verbose = false, expect = false,
       fullTrace = false;
};

struct RawFmt {
  std::vector<std::string> files;
  bool check = false, inPlace = false;
};

struct RawExport {
  std::string file, target, output, width, spurious, goal, init;
  std::vector<std::string> threads;
};

struct RawValidate {
  std::string folder, solver = "z3", format = "text", timeout, memory;
  bool quiet = false;
};

struct RawCover {
  std::string file, target, init, algorithm = "lean", widenThreads, timeout, memory,
                                  format = "text", certificate;
  bool noOracle = false, noPrePass = false, quiet = false, verbose = false, fullTrace = false;
};

/// One of these words. It adds nothing to the help, where the type name lists them already.
CLI::Validator oneOf(const std::vector<std::string> &words);

void addFmtOptions(CLI::App &app, RawFmt &raw);
void addComposeOptions(CLI::App &app, RawRun &raw);
void addConformOptions(CLI::App &app, RawRun &raw);
void addCheckOptions(CLI::App &app, RawRun &raw);
void addVerifyOptions(CLI::App &app, RawRun &raw);
void addCoverOptions(CLI::App &app, RawCover &raw);
void addExportOptions(CLI::App &app, RawExport &raw);
void addValidateOptions(CLI::App &app, RawValidate &raw);

/// The values; throw `logic::Error` for what is no good value.
FmtOptions readFmt(const RawFmt &raw);
ComposeOptions readCompose(const RawRun &raw);
ConformOptions readConform(const RawRun &raw);
CheckOptions readCheck(const RawRun &raw);
VerifyOptions readVerify(const RawRun &raw);
CoverOptions readCover(const RawCover &raw);
ExportOptions readExport(const RawExport &raw);
ValidateOptions readValidate(const RawValidate &raw);

} // namespace understudy::tools::options
