// SPDX-License-Identifier: Apache-2.0
//
// What the user asked for, as plain data. `Declare.cpp` says of each option once what it is called,
// which values are good, and which commands have it.
#pragma once

#include "compose/cover/Cover.h"
#include "compose/refine/Refine.h"
#include "compose/tnet/Net.h"
#include "logic/Log.h"
#include "logic/solver/SolverProcess.h"
#include "passes/Conform.h"
#include "tools/options/CommandName.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace understudy::tools::options {

enum class OutputFormat : uint8_t { Text, Json };
enum class Verbosity : uint8_t { Quiet, Normal, Verbose };
enum class Switch : uint8_t { Off, On };
/// How much of a counterexample is printed.
enum class TraceLength : uint8_t { Excerpt, Full };
using Overflow = passes::OverflowMode;
enum class FmtMode : uint8_t { Print, Check, InPlace };
enum class ExportTarget : uint8_t { Dot, Conc, Promela, Tts, Spec, Pnml };

/// `-o KIND=FILE`: besides standard output, write this to a file.
enum class OutputKind : uint8_t { Json, Text, Trace, Checker, Annotated, Dot };
struct OutputFile {
  OutputKind kind = OutputKind::Text;
  std::string path;
};

/// `--threads T=N`, by thread name.
using ThreadNumbers = std::map<std::string, uint32_t>;

/// `--log TOPIC=LEVEL`
using LogLevels = std::map<logic::Topic, uint8_t>;

/// `--set k=3`, by constant.
using ConstantValues = std::map<std::string, int64_t>;

/// What the meaning of a verdict depends on, besides the files. Certificates state it.
struct Claim {
  ThreadNumbers threads;
  std::optional<Switch> spurious; ///< none: as usual in the language
  Switch deadlock = Switch::Off;
  Overflow overflow = Overflow::Assume;
  std::vector<std::string> onlyThreads; ///< of conform, by contract name; empty: all
  std::vector<std::string> clangArgs;   ///< for every .c file
  std::vector<std::string> assertHooks; ///< functions whose calls are failed assertions
  std::optional<std::string> target;    ///< of a .tts file; none: the .prop file beside it
  std::optional<std::string> init;      ///< of a .tts file; none: any number of threads in 0
  ConstantValues set;                   ///< of a .tnet file; the others keep their values
  std::optional<compose::tnet::Relations> relations; ///< none: as the .tnet file says or needs
};

/// What a command does not have keeps its default.
struct Options : Claim {
  CommandName command = CommandName::Verify;
  std::string file;                          ///< the first one, or the folder of validate
  std::vector<std::string> files;            ///< the others: the code of conform and check
  std::optional<compose::EngineName> engine; ///< none: auto
  std::optional<compose::refine::Algorithm> algorithm; ///< of refine; none: its default
  std::optional<uint32_t> maxWidth;                    ///< of refine
  Switch symmetry = Switch::On;
  compose::cover::CoverOptions cover; ///< how cover searches; its limits are those below
  Switch equivalence = Switch::On;    ///< of explore: markings that differ in names are one state
  std::optional<uint64_t> depth;      ///< of explore; none: to the end
  Switch strict = Switch::Off;
  Switch expect = Switch::Off;
  std::optional<uint64_t> maxStates;
  double timeoutSeconds = 0; ///< for the whole run; 0: no limit
  std::optional<uint64_t> memoryMegabytes;
  std::optional<std::string> certificate; ///< the folder to write
  Switch annotate = Switch::Off;          ///< print the source with its proof
  OutputFormat format = OutputFormat::Text;
  std::vector<OutputFile> outputs;
  TraceLength trace = TraceLength::Excerpt;
  Verbosity verbosity = Verbosity::Normal;
  FmtMode fmtMode = FmtMode::Print;
  ExportTarget to = ExportTarget::Dot;
  std::optional<std::string> output; ///< of export; none: standard output
  std::optional<uint32_t> width;     ///< of the exported Petri net
  Switch annotated = Switch::Off;    ///< of export: with a proof
  LogLevels log;
  std::optional<std::string> queries; ///< the folder for questions to the solver
  std::optional<std::string> outline; ///< of validate: a proof outline of the program
  logic::solver::SolverProgram solver = logic::solver::SolverProgram::Z3;
};

} // namespace understudy::tools::options
