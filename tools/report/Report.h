// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/portfolio/Engine.h"
#include "logic/Words.h"
#include "tools/certificate/CertificateWriter.h"
#include "tools/options/Options.h"
#include "tools/report/Story.h"

#include <optional>
#include <string>
#include <vector>

namespace understudy::tools::report {

/// Everything a report says about one run. Where `withoutContract` is not empty, no engine ran.
struct Result {
  options::CommandName command = options::CommandName::Compose; ///< check: its composition
  std::string file;
  std::string system;
  compose::Origin origin = compose::Origin::Conc;
  options::ThreadNumbers threads; ///< as asked for with --threads
  compose::Verdict verdict;
  std::optional<Story> story; ///< of unsafe
  logic::TermPoolPtr pool;    ///< owns what the story's variables are handles of
  std::optional<compose::proof::Evidence> evidence{}; ///< of safe, if a certificate is wanted
  std::string withoutEvidence{}; ///< why there is none, where the engine alone does not say it
  std::optional<compose::empire::AnnotateStatistics> annotation{};
  std::string annotated{}; ///< the source with its proof, or why there is none
  certificate::CertificateNote certificate{};
  std::vector<compose::refine::RefineIteration> iterations{}; ///< of the engine refine
  std::vector<compose::portfolio::Attempt> attempts{};        ///< of auto without an answer
};

int exitCodeOf(compose::Answer answer);

/// The verdict line without its line break: "verdict: safe (for 5 or fewer PnpAdd threads)".
std::string verdictLine(const compose::Verdict &verdict);

/// The whole report; ends with the verdict line.
std::string textReport(const Result &result, options::Verbosity verbosity,
                       options::TraceLength length);

/// One JSON object as described by docs/result.schema.json, indented, with a line break at the end.
std::string jsonReport(const Result &result, options::Verbosity verbosity);

// Pieces of reports.

using logic::plural;

inline constexpr size_t pageWidth = 100;
inline constexpr size_t widestText = 40; ///< a longer statement pushes the rest to the next line

/// "uart.c:12": the file without its folder; empty for what has no source.
std::string shortPlace(const logic::SourceRange &range);

/// "engine: explicit, 34 states, …" or "engine: count, 7 counters, …", and with --verbose time and
/// memory.
std::string engineText(const compose::Verdict &verdict, options::Verbosity verbosity,
                       const std::string &time = "time");

/// One line for each engine that found no answer.
std::string attemptText(const std::vector<compose::portfolio::Attempt> &attempts);

/// One line for each check of a specification by the engine refine.
std::string iterationText(const std::vector<compose::refine::RefineIteration> &iterations);

/// What making the annotation cost; nothing if none was made.
std::string annotationText(const std::optional<compose::empire::AnnotateStatistics> &annotation);

/// "time: 0.12 s", if all is to be told.
std::string timeText(double seconds, options::Verbosity verbosity);

/// "assumptions: none", or a list.
std::string assumptionText(const std::vector<std::string> &assumptions);

} // namespace understudy::tools::report
