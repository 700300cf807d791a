// SPDX-License-Identifier: Apache-2.0
//
// A certificate as data: what was claimed, of which sources, and the evidence. docs/certificate.md
// describes the folder it is stored in.
#pragma once

#include "compose/proof/Evidence.h"
#include "tools/options/Options.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace understudy::tools::certificate {

inline constexpr int certificateVersion = 1;
inline const std::string certificateFormat = "understudy-certificate";

/// The certificate does not prove what it says (exit code 1).
class InvalidCertificate : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

struct CertificateSource {
  std::string path; ///< below `sources/`, with slashes
  std::string sha256;
};

struct StatedObligation {
  std::string name;
  std::string expected; ///< "unsat"
};

/// The composition, or the conformance of a thread.
struct CertificatePart {
  std::string name; ///< "composition", or "conform" and the thread
  compose::proof::Evidence evidence;
  std::vector<StatedObligation> obligations;
  uint32_t states = 0; ///< or elements, of evidence that has a file of its own: as stated
};

struct Certificate {
  std::string toolVersion;
  options::CommandName command = options::CommandName::Compose;
  std::string folder; ///< below `sources/`, where the command ran; may be empty
  std::string file;   ///< the contract, CONC program or model, seen from there
  std::vector<std::string> codeFiles;
  options::Claim options;
  std::string verdict; ///< "safe" or "conforms"
  std::string scope;   ///< may be empty
  std::vector<std::string> assumptions;
  std::vector<CertificateSource> sources;
  std::vector<CertificatePart> parts;
};

/// What a command takes without --spurious.
options::Switch usualSpurious(options::CommandName command);

/// "--threads PnpAdd=2 --overflow wrap": the options that the claim depends on; may be empty.
std::string claimText(const Certificate &certificate);

/// The name of the part about a thread.
std::string conformPart(const std::string &thread);
inline const std::string compositionPart = "composition";

/// The envelope. Lists of states and of elements are not in it: they have a file of their own.
std::string certificateJson(const Certificate &certificate);
/// Throws `logic::Error` for what is no certificate of this version.
Certificate readCertificateJson(const std::string &text, const std::string &name);

/// One line for each state.
std::string statesText(const compose::proof::ExplicitEvidence &evidence);
/// Throws `logic::Error`, naming the line.
compose::proof::ExplicitEvidence readStates(const std::string &text, const std::string &name);

/// One line for each marking, with its moves.
std::string markingsText(const compose::proof::NetEvidence &evidence);
/// Throws `logic::Error`, naming the line.
compose::proof::NetEvidence readMarkings(const std::string &text, const std::string &name);

} // namespace understudy::tools::certificate
