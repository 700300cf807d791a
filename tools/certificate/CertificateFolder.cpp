// SPDX-License-Identifier: Apache-2.0
#include "tools/certificate/CertificateFolder.h"

#include "logic/Error.h"
#include "passes/Sha256.h"
#include "tools/Files.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace understudy::tools::certificate {

namespace fs = std::filesystem;

namespace {

constexpr const char *envelope = "certificate.json";

fs::path wholePath(const fs::path &path) {
  fs::path normal = fs::absolute(path).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

bool isBelow(const fs::path &path, const fs::path &folder) {
  auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

fs::path commonFolder(const fs::path &a, const fs::path &b) {
  fs::path result;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j)
    result /= *i;
  return result;
}

/// By its first lines: other tools have files of that name, too.
bool isCertificate(const fs::path &folder) {
  constexpr size_t enough = 200;
  std::ifstream stream(folder / envelope, std::ios::binary);
  std::string begin(enough, '\0');
  stream.read(begin.data(), enough);
  return begin.find("\"" + certificateFormat + "\"") != std::string::npos;
}

constexpr const char *partSuffix = ".part";

/// A run holds a lock on its folder in the making, so one that nobody holds is a leftover of a run
/// that was killed. Very young ones may be about to be locked.
bool isLeftover(const fs::path &folder) {
  using namespace std::chrono_literals;
  std::error_code failed;
  auto changed = fs::last_write_time(folder, failed);
  if (failed || !fs::is_directory(fs::symlink_status(folder, failed)) ||
      fs::file_time_type::clock::now() - changed < 1min)
    return false;
  int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0)
    return false;
  bool free = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  ::close(descriptor);
  return free;
}

/// "PLACE.part" and six characters, or a number as earlier versions had it.
void removeLeftovers(const fs::path &place) {
  std::string beginning = place.filename().string() + partSuffix;
  std::error_code failed;
  for (const auto &entry : fs::directory_iterator(place.parent_path(), failed)) {
    std::string name = entry.path().filename().string();
    bool ours = name.starts_with(beginning) && name.size() > beginning.size() &&
                std::all_of(name.begin() + static_cast<ptrdiff_t>(beginning.size()), name.end(),
                            [](unsigned char c) { return std::isalnum(c) != 0; });
    if (ours && isLeftover(entry.path()))
      fs::remove_all(entry.path(), failed);
  }
}

fs::perms currentMask() {
  mode_t mask = ::umask(0);
  ::umask(mask);
  return static_cast<fs::perms>(mask);
}

/// No way out of the folder.
bool isInside(const fs::path &relative) {
  return !relative.empty() && relative.is_relative() &&
         std::none_of(relative.begin(), relative.end(),
                      [](const fs::path &part) { return part == ".." || part == "."; });
}

} // namespace

std::string readAll(const fs::path &path) {
  constexpr uintmax_t maxBytes = uintmax_t(1) << 30;
  std::error_code failed;
  if (fs::file_size(path, failed) > maxBytes && !failed)
    throw logic::Error({}, "'" + path.string() + "' is too large: at most 1 GB", {});
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream)
    throw logic::Error({}, "cannot read '" + path.string() + "'", {});
  return text.str();
}

void requireCertificatePlace(const std::string &folder) {
  fs::path place = wholePath(folder);
  std::error_code failed;
  if (fs::exists(place, failed)) {
    if (!fs::is_directory(place))
      throw logic::Error({}, "'" + folder + "' is a file, but a certificate is a folder", {});
    if (!isCertificate(place) && !fs::is_empty(place))
      throw logic::Error({}, "'" + folder + "' is a folder that holds other files",
                         "give a folder that does not exist yet, or one that holds a certificate");
  }
  if (!fs::is_directory(place.parent_path(), failed))
    throw logic::Error({},
                       "cannot create '" + folder + "': no such folder '" +
                           fs::path(folder).parent_path().string() + "'",
                       {});
}

bool removeCertificate(const std::string &folder) {
  fs::path place = wholePath(folder);
  if (!isCertificate(place))
    return false;
  FolderInMaking aside(folder);
  std::error_code failed;
  fs::rename(place, aside.path(), failed); // onto an empty folder
  if (failed)
    throw logic::Error({}, "cannot remove '" + folder + "': " + failed.message(), {});
  return true;
}

FolderInMaking::FolderInMaking(const std::string &place) : place_(wholePath(place)) {
  requireCertificatePlace(place);
  removeLeftovers(place_);
  std::string name = place_.string() + partSuffix + "XXXXXX";
  if (!::mkdtemp(name.data()))
    throw logic::Error({}, "cannot write '" + place + "': " + std::strerror(errno), {});
  temporary_ = name;
  lock_ = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ >= 0)
    ::flock(lock_, LOCK_EX | LOCK_NB);
  std::error_code ignored; // as any other folder that a command makes
  fs::permissions(temporary_, fs::perms::all & ~currentMask(), ignored);
}

FolderInMaking::~FolderInMaking() {
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
  if (lock_ >= 0)
    ::close(lock_);
}

void FolderInMaking::publish() {
  std::error_code failed;
  fs::rename(temporary_, place_, failed); // an empty folder may be there
  if (!failed)
    return;
  requireCertificatePlace(place_.string());
  // The old certificate goes with the temporary name, in one step.
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, place_.c_str(), RENAME_EXCHANGE) != 0)
    throw logic::Error({}, "cannot write '" + place_.string() + "': " + failed.message(), {});
}

SourceLayout layOut(const std::vector<std::string> &files,
                    const std::vector<std::string> &clangArgs) {
  fs::path here = wholePath(fs::current_path());
  fs::path base = clangArgs.empty() ? wholePath(files.front()).parent_path() : here;
  bool allBelow = true;
  for (const std::string &file : files) {
    base = commonFolder(base, wholePath(file).parent_path());
    allBelow = allBelow && isBelow(wholePath(file), here);
  }
  if (allBelow)
    base = here;
  SourceLayout layout{"", {}, base};
  if (!clangArgs.empty() && base != here)
    layout.folder = here.lexically_relative(base).generic_string();
  for (const std::string &file : files)
    layout.copies[wholePath(file)] = wholePath(file).lexically_relative(base).generic_string();
  return layout;
}

std::string nameIn(const SourceLayout &layout, const std::string &file) {
  return wholePath(file).lexically_relative(layout.base / layout.folder).generic_string();
}

std::vector<CertificateSource> copySources(const SourceLayout &layout, const fs::path &into) {
  fs::create_directories(into / layout.folder);
  std::vector<CertificateSource> result;
  for (const auto &[original, copy] : layout.copies) {
    std::string bytes = readAll(original);
    fs::create_directories((into / copy).parent_path());
    writeFile((into / copy).string(), bytes);
    result.push_back({copy, passes::sha256(bytes)});
  }
  return result;
}

void requireUnchanged(const std::vector<CertificateSource> &sources, const fs::path &folder) {
  std::set<fs::path> known;
  for (const CertificateSource &source : sources) {
    if (!isInside(source.path))
      throw InvalidCertificate("the source '" + source.path + "' is not inside the certificate");
    fs::path path = folder / source.path;
    known.insert(path.lexically_normal());
    if (!fs::is_regular_file(fs::symlink_status(path)))
      throw InvalidCertificate("the source '" + source.path + "' is missing");
    if (passes::sha256(readAll(path)) != source.sha256)
      throw InvalidCertificate("the source '" + source.path +
                               "' is not the one that was verified: hash mismatch");
  }
  if (!fs::is_directory(folder))
    throw InvalidCertificate("the folder 'sources' is missing");
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (!fs::is_directory(entry.symlink_status()) &&
        !known.contains(entry.path().lexically_normal()))
      throw InvalidCertificate("'" + entry.path().lexically_relative(folder).generic_string() +
                               "' is not among the sources that were verified");
}

} // namespace understudy::tools::certificate
