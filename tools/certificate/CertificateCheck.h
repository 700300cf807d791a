// SPDX-License-Identifier: Apache-2.0
//
// From the subject and the evidence to what must be shown. The writer uses it to write the
// obligations down, the validator to compute them again.
#pragma once

#include "compose/proof/Obligations.h"
#include "tools/certificate/CertificateSubject.h"

#include <string>
#include <vector>

namespace understudy::tools::certificate {

/// Throws `compose::InvalidEvidence` or `logic::Unsupported`. Empty for evidence that is a list.
compose::proof::ObligationScript obligationsOf(const CertificateSubject &subject, size_t part,
                                               const compose::proof::Evidence &evidence);

/// "PART.smt2", "PART.states" or "PART.cover".
std::string proofFile(const CertificatePart &part);

struct PartFinding {
  std::string name;
  compose::proof::EvidenceKind kind = compose::proof::EvidenceKind::Counting;
  size_t obligations = 0; ///< or states, or elements
  std::string note{};     ///< of cover: whether it is minimal
};

struct Validation {
  enum class Outcome { Valid, Invalid, Unknown };
  Outcome outcome = Outcome::Valid;
  std::string reason;                   ///< of invalid and unknown
  std::vector<PartFinding> parts;       ///< that hold
  std::vector<std::string> assumptions; ///< that the verdict rests on
  std::string claim;                    ///< "safe (for 3 or fewer PnpAdd threads)"
  std::string options;                  ///< "--overflow wrap": that the claim depends on
  std::string what;                     ///< "compose bluetooth.contract"
  size_t sources = 0;
  double seconds = 0; ///< that validation took
};

/// Throws `logic::Error` when there is no certificate that can be read.
Validation validate(const std::filesystem::path &folder,
                    const compose::proof::DischargeOptions &options);

} // namespace understudy::tools::certificate
