// SPDX-License-Identifier: Apache-2.0
//
// The part of a certificate whose evidence is an uncoverability proof: its file, and its check.
#pragma once

#include "compose/proof/CoverCheck.h"
#include "compose/proof/Evidence.h"
#include "tools/certificate/CertificateSubject.h"

#include <string>

namespace understudy::tools::certificate {

/// One line for each element, as targets are written: "3|1,2*2" is the shared state 3 with a thread
/// in local state 1 and two in 2.
std::string elementsText(const compose::proof::CoverEvidence &evidence);
/// Throws `logic::Error`, naming the line.
compose::proof::CoverEvidence readElements(const std::string &text, const std::string &name);

/// Why the elements prove nothing about the part, in words; nothing if they do. Throws
/// `logic::Unsupported` when the program cannot be made a net.
std::optional<std::string> faultOfElements(const SubjectPart &part,
                                           const compose::proof::CoverEvidence &evidence);

/// ", minimal" if it is known to be: for the reader. Precondition: no fault.
std::string minimalityText(const SubjectPart &part, const compose::proof::CoverEvidence &evidence);

} // namespace understudy::tools::certificate
