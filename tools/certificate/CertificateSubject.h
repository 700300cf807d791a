// SPDX-License-Identifier: Apache-2.0
//
// What a certificate is about, compiled again from its sources: the programs that must be safe, and
// what the verdict rests on. Nothing of the evidence is looked at.
#pragma once

#include "compose/Interpreter.h"
#include "compose/cover/net/TransferNet.h"
#include "tools/certificate/Certificate.h"

#include <filesystem>

namespace understudy::tools::certificate {

struct SubjectPart {
  std::string name;
  compose::Program program;
  std::optional<compose::cover::net::CoverProblem> net{}; ///< instead of the program: of a model
  std::optional<compose::tnet::Net> threadNet{};          ///< the same: of explore
};

struct CertificateSubject {
  std::vector<SubjectPart> parts;
  compose::ThreadCounts counts; ///< for the composition
  std::string verdict;          ///< the word that the parts together prove
  std::string scope;
  std::vector<std::string> assumptions;
};

/// Throws `logic::Error` when the sources do not compile, and InvalidCertificate when the command,
/// options or files make no sense together.
CertificateSubject subjectOf(const Certificate &certificate, const std::filesystem::path &sources);

} // namespace understudy::tools::certificate
