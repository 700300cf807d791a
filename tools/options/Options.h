// SPDX-License-Identifier: Apache-2.0
//
// What the user asked for, as plain data. The command line is read in `RawOptions.cpp` and
// `CommandLine.cpp` only.
#pragma once

#include "compose/cover/Cover.h"
#include "logic/solver/SolverProcess.h"
#include "tools/options/CommandName.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace understudy::tools::options {

enum class OutputFormat { Text, Json };
enum class Verbosity { Quiet, Normal, Verbose };
enum class Switch { Off, On };
/// How much of a counterexample is printed.
enum class TraceLength { Excerpt, Full };

/// `-o KIND=FILE`: besides standard output, write this to a file.
enum class OutputKind { Text, Json, Trace, Checker };
struct OutputFile {
  OutputKind kind = OutputKind::Text;
  std::string path;
};

/// `--threads T=N`, by thread name.
using ThreadNumbers = std::map<std::string, uint32_t>;

struct FmtOptions {
  enum class Mode { Print, Check, InPlace };
  std::vector<std::string> files;
  Mode mode = Mode::Print;
};

/// C integers that leave their type (contract language, section 7).
enum class Overflow { Assume, Check, Wrap };

/// What the commands that end with a verdict have in common.
struct RunOptions {
  std::string file; ///< the contract or the CONC program
  ThreadNumbers threads;
  std::optional<compose::EngineName> engine; ///< none: auto
  std::optional<uint32_t> algorithm;         ///< of refine: 1, 2 or 3; none: its default
  std::optional<uint32_t> maxWidth;          ///< of refine
  Switch deadlock = Switch::Off;
  Switch symmetry = Switch::On;
  Switch strict = Switch::Off;
  std::optional<Switch> spurious; ///< none: the language's default
  OutputFormat format = OutputFormat::Text;
  std::vector<OutputFile> outputs;
  std::optional<uint64_t> maxStates;
  std::optional<uint64_t> memoryMegabytes;
  double timeoutSeconds = 0;              ///< 0: no limit
  compose::cover::CoverOptions cover;     ///< of the engine cover; its limits are those above
  std::optional<std::string> certificate; ///< the folder to write
  Verbosity verbosity = Verbosity::Normal;
  TraceLength trace = TraceLength::Excerpt;
};

struct ComposeOptions {
  RunOptions run;
  Overflow overflow = Overflow::Assume;
};

/// What `conform` and `check` have in common.
struct CodeRunOptions {
  RunOptions run;
  std::vector<std::string> files;       ///< the code: .c, .ll, .bc
  std::vector<std::string> clangArgs;   ///< for every .c file
  std::vector<std::string> assertHooks; ///< functions whose calls are failed assertions
  Overflow overflow = Overflow::Assume;
};

struct ConformOptions {
  CodeRunOptions code;
  std::vector<std::string> threads; ///< by contract name; empty: all
};

struct CheckOptions {
  CodeRunOptions code;
};

struct VerifyOptions {
  RunOptions run;
  Switch expect = Switch::Off;
};

struct ExportOptions {
  enum class Target { Dot, Conc, Promela, Tts, Spec, Pnml };
  std::string file;
  Target target = Target::Dot;
  std::optional<std::string> output; ///< none: standard output
  std::optional<std::string> goal;   ///< of a .tts file: --target
  std::optional<std::string> init;   ///< of a .tts file
  ThreadNumbers threads;
  std::optional<uint32_t> width; ///< of the petrified program
  std::optional<Switch> spurious;
};

struct ValidateOptions {
  std::string folder;
  logic::solver::SolverProgram solver = logic::solver::SolverProgram::Z3;
  double timeoutSeconds = 600; ///< for the whole run
  uint64_t memoryMegabytes = 4096;
  OutputFormat format = OutputFormat::Text;
  Verbosity verbosity = Verbosity::Normal;
};

struct CoverOptions {
  std::string file;                  ///< .tts or .spec, or a program
  std::optional<std::string> target; ///< of a .tts file; none: the .prop file beside it
  std::optional<std::string> init;   ///< of a .tts file; none: any number of threads in 0
  compose::cover::CoverOptions engine;
  std::optional<std::string> certificate; ///< the folder to write
  OutputFormat format = OutputFormat::Text;
  Verbosity verbosity = Verbosity::Normal;
  TraceLength trace = TraceLength::Excerpt;
};

using Command = std::variant<FmtOptions, ComposeOptions, ConformOptions, CheckOptions,
                             VerifyOptions, CoverOptions, ExportOptions, ValidateOptions>;

} // namespace understudy::tools::options
