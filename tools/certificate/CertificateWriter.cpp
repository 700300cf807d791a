// SPDX-License-Identifier: Apache-2.0
//
// Writing goes the way of the validator: copy the sources, compile the copies, compute the
// obligations. So a certificate whose obligations cannot be computed again is never written.
#include "tools/certificate/CertificateWriter.h"

#include "logic/Error.h"
#include "passes/Conform.h"
#include "tools/ExitCode.h"
#include "tools/Files.h"
#include "tools/certificate/CertificateCheck.h"
#include "tools/certificate/CertificateFolder.h"
#include "tools/certificate/CoverPart.h"
#include "tools/command/CoverCommand.h"

namespace understudy::tools::certificate {

namespace fs = std::filesystem;

namespace {

/// Folders in options become relative, so that they lead to the copies.
std::vector<std::string> relativeArgs(const std::vector<std::string> &args) {
  std::vector<std::string> result;
  for (const std::string &arg : args) {
    size_t at = arg.starts_with("-I") ? 2 : 0;
    bool names = arg.size() > at && arg[at] == '/';
    result.push_back(names ? arg.substr(0, at) +
                                 fs::path(arg.substr(at))
                                     .lexically_relative(fs::absolute(fs::current_path()))
                                     .generic_string()
                           : arg);
  }
  return result;
}

void addSources(Certificate &certificate, const fs::path &into) {
  std::vector<std::string> files{certificate.file};
  if (certificate.command == options::CommandName::Cover) {
    files = command::coverFiles(certificate.file, certificate.options);
  }
  files.insert(files.end(), certificate.codeFiles.begin(), certificate.codeFiles.end());
  if (!certificate.codeFiles.empty())
    for (const std::string &header :
         passes::read::includedFiles({certificate.codeFiles, certificate.options.clangArgs}))
      files.push_back(header);
  SourceLayout layout = layOut(files, certificate.options.clangArgs);
  certificate.sources = copySources(layout, into);
  certificate.folder = layout.folder;
  certificate.file = nameIn(layout, certificate.file);
  for (std::string &file : certificate.codeFiles)
    file = nameIn(layout, file);
  certificate.options.clangArgs = relativeArgs(certificate.options.clangArgs);
}

void addPart(const CertificateSubject &subject, size_t index, CertificatePart &part,
             const fs::path &folder) {
  std::string path = (folder / proofFile(part)).string();
  if (const auto *states = std::get_if<compose::proof::ExplicitEvidence>(&part.evidence)) {
    writeFile(path, statesText(*states));
    return;
  }
  if (const auto *elements = std::get_if<compose::proof::CoverEvidence>(&part.evidence)) {
    writeFile(path, elementsText(*elements));
    return;
  }
  if (const auto *markings = std::get_if<compose::proof::NetEvidence>(&part.evidence)) {
    writeFile(path, markingsText(*markings));
    return;
  }
  compose::proof::ObligationScript script = obligationsOf(subject, index, part.evidence);
  for (const compose::proof::ObligationGroup &group : script.groups)
    for (const compose::proof::Obligation &obligation : group.obligations)
      part.obligations.push_back({obligation.name, "unsat"});
  writeFile(path, compose::proof::smtLibFile(script));
}

} // namespace

std::string text(const CertificateNote &note) {
  if (!note.folder.empty())
    return note.folder;
  return note.reason.empty() ? "none" : "none (" + note.reason + ")";
}

int exitCodeWith(const CertificateNote &note, int code) {
  return note.failed && code == Proven ? BadInput : code;
}

CertificateNote withoutCertificate(const std::string &folder, const std::string &reason) {
  const bool removed = removeCertificate(folder);
  return {"", removed ? reason + "; removed the old one in '" + folder + "'" : reason};
}

CertificateNote writeCertificate(const std::string &folder, Certificate certificate) {
  FolderInMaking making(folder);
  try {
    addSources(certificate, making.path() / "sources");
    CertificateSubject subject = subjectOf(certificate, making.path() / "sources");
    certificate.scope = subject.scope;
    if (certificate.parts.size() != subject.parts.size())
      return withoutCertificate(folder, "the proof does not cover every part");
    for (size_t i = 0; i < subject.parts.size(); ++i) {
      if (certificate.parts[i].name != subject.parts[i].name)
        return withoutCertificate(folder, "the proof does not cover " + subject.parts[i].name);
      addPart(subject, i, certificate.parts[i], making.path());
    }
    writeFile((making.path() / "certificate.json").string(), certificateJson(certificate));
  } catch (const logic::Unsupported &reason) {
    return withoutCertificate(folder, reason.what());
  } catch (const InvalidCertificate &reason) {
    return withoutCertificate(folder, reason.what());
  } catch (const compose::proof::InvalidEvidence &reason) {
    return withoutCertificate(folder, reason.what());
  }
  making.publish();
  return {folder, ""};
}

} // namespace understudy::tools::certificate
