// SPDX-License-Identifier: Apache-2.0
//
// What `conform` and `check` found out, and the one verdict that follows from it.
#pragma once

#include "logic/Error.h"
#include "passes/Conform.h"
#include "tools/report/Report.h"

#include <optional>
#include <string>
#include <vector>

namespace understudy::tools::report {

enum class CodeAnswer { Conforms, Safe, Violates, Unsafe, Unknown };
/// "conforms", "safe", …
std::string word(CodeAnswer answer);
int exitCodeOf(CodeAnswer answer);

/// The composition of `check`.
struct CompositionRun {
  Result contracts;         ///< contracts, and the code of threads that have none
  bool hasContracts = true; ///< false: all of it is code
  /// A failure of the contracts, tried on the code of all threads.
  std::optional<Result> code;
};

struct CodeResult {
  options::CommandName command = options::CommandName::Check; ///< or conform
  std::string file;
  std::vector<std::string> codeFiles;
  std::string system;
  options::ThreadNumbers threads; ///< as asked for with --threads
  options::Overflow overflow = options::Overflow::Assume;
  passes::ConformResult conformance;
  std::vector<std::string> standForThemselves; ///< threads without a contract
  std::vector<std::string> environments;       ///< threads without code
  std::optional<logic::Unsupported> undecided; ///< why no thread could be looked at
  std::optional<CompositionRun> composition;   ///< of check, unless a thread violates
  std::vector<std::string> assumptions;        ///< without duplicates

  CodeAnswer answer = CodeAnswer::Unknown;
  std::string reason;       ///< in parentheses behind the word
  logic::SourceRange where; ///< of the construct behind an unknown, if there is one
  certificate::CertificateNote certificate;
};

/// Everything but the findings: names, and the assumptions that come with the contract.
CodeResult describe(const specs::Compiled &contract, const options::Options &options);

/// "run PnpStop, PnpAdd*;"
std::string runLine(const compose::Program &program);

bool violates(const passes::ConformResult &conformance);

/// Adds what is not in the list yet.
void addAssumptions(CodeResult &result, const std::vector<std::string> &more);

/// Fills in assumptions, answer and reason. A violation outweighs everything, since the contracts
/// then say nothing about the code; a failure of the code itself outweighs what is not known.
void judge(CodeResult &result, options::Switch strict);

/// "uart.c:12 assert(open)"
std::string placed(const passes::Unused &part);

/// "a step that the contract does not allow, uart.c:12"
std::string shortReason(const passes::ConformStory &story);

} // namespace understudy::tools::report
