// SPDX-License-Identifier: Apache-2.0
//
// The folder of a certificate: certificate.json, sources/, and for every part PART.smt2 or
// PART.states.
#pragma once

#include "tools/certificate/Certificate.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace understudy::tools::certificate {

/// Throws `logic::Error` unless a certificate may be written there: there is nothing, an empty
/// folder, or another certificate, and the folder above exists.
void requireCertificatePlace(const std::string &folder);

/// Removes the certificate that is there, if there is one: a run without a proof leaves no proof
/// behind. Was there one?
bool removeCertificate(const std::string &folder);

/// A folder beside the place, which takes the place in one step or disappears. Its name is its own,
/// and what killed runs left behind is removed first.
class FolderInMaking {
public:
  explicit FolderInMaking(const std::string &place);
  ~FolderInMaking();
  FolderInMaking(const FolderInMaking &) = delete;
  FolderInMaking &operator=(const FolderInMaking &) = delete;

  const std::filesystem::path &path() const { return temporary_; }
  /// Throws `logic::Error` when the place cannot be taken.
  void publish();

private:
  std::filesystem::path place_;
  std::filesystem::path temporary_;
  int lock_ = -1; ///< held as long as the folder is in the making
};

/// Where copies of files go, so that they find each other as the originals do.
struct SourceLayout {
  std::string folder;                                  ///< where the command runs, below the copies
  std::map<std::filesystem::path, std::string> copies; ///< absolute path to path below the copies
  std::filesystem::path base;                          ///< what the copies' paths are relative to
};

/// Files below the current folder keep their names. So do all, seen from it, if there are options
/// for clang: these may name folders.
SourceLayout layOut(const std::vector<std::string> &files,
                    const std::vector<std::string> &clangArgs);
/// How the file is called by a command that runs in the layout's folder.
std::string nameIn(const SourceLayout &layout, const std::string &file);

/// Copies the files and says what was copied. Throws `logic::Error`.
std::vector<CertificateSource> copySources(const SourceLayout &layout,
                                           const std::filesystem::path &into);

/// Throws InvalidCertificate, naming the file, unless the folder holds exactly the sources,
/// unchanged.
void requireUnchanged(const std::vector<CertificateSource> &sources,
                      const std::filesystem::path &folder);

std::string readAll(const std::filesystem::path &path);

} // namespace understudy::tools::certificate
