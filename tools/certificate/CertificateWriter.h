// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/certificate/Certificate.h"

#include <string>
#include <vector>

namespace understudy::tools::certificate {

/// What the report says behind "certificate:", and in JSON.
struct CertificateNote {
  std::string folder;  ///< empty: none was written
  std::string reason;  ///< why not, if one was asked for
  bool failed = false; ///< there is a proof, and it could not be stored
};
/// "none", "none (why)", or the folder.
std::string text(const CertificateNote &note);

/// The exit code of a run whose verdict has this one: a proof without the certificate that was
/// asked for is no success.
int exitCodeWith(const CertificateNote &note, int code);

/// Writes none, and removes an older one from the folder.
CertificateNote withoutCertificate(const std::string &folder, const std::string &reason);

/// Fills in what the sources and the evidence determine, and writes the folder in one step.
/// `certificate` has the files as the user named them. Throws `logic::Error` or a
/// `std::filesystem::filesystem_error` when it cannot be written; what has no obligations is a
/// note.
CertificateNote writeCertificate(const std::string &folder, Certificate certificate);

} // namespace understudy::tools::certificate
