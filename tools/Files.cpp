// SPDX-License-Identifier: Apache-2.0
#include "tools/Files.h"

#include "logic/Error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace understudy::tools {

namespace fs = std::filesystem;

namespace {

constexpr uintmax_t maxBytes = 64u << 20;

[[noreturn]] void refuse(const std::string &message, const std::string &hint = {}) {
  throw logic::Error({}, message, hint);
}

std::string whatFailed() { return errno != 0 ? std::strerror(errno) : "input/output error"; }

/// `shown` is the name that the user gave.
void writePlainly(const fs::path &path, const std::string &text, const std::string &shown) {
  errno = 0;
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream)
    refuse("cannot write '" + shown + "': " + whatFailed());
}

} // namespace

Language languageOf(const std::string &path) {
  std::string extension = fs::path(path).extension().string();
  if (extension == ".contract")
    return Language::Contract;
  if (extension == ".conc")
    return Language::Conc;
  if (extension == ".tnet")
    return Language::Net;
  if (extension == ".c" || extension == ".ll" || extension == ".bc")
    return Language::C;
  return Language::Other;
}

void requireReadable(const std::string &path) {
  std::error_code failed;
  fs::file_status status = fs::status(path, failed);
  if (status.type() == fs::file_type::not_found)
    refuse("cannot read '" + path + "': no such file");
  if (status.type() == fs::file_type::directory)
    refuse("cannot read '" + path + "': it is a directory", "give a file in it");
  if (failed)
    refuse("cannot read '" + path + "': " + failed.message());
  if (status.type() != fs::file_type::regular)
    refuse("cannot read '" + path + "': it is not a regular file");
  uintmax_t size = fs::file_size(path, failed);
  if (failed)
    refuse("cannot read '" + path + "': " + failed.message());
  if (::access(path.c_str(), R_OK) != 0)
    refuse("cannot read '" + path + "': " + whatFailed());
  if (size == 0)
    refuse("'" + path + "' is empty");
  if (size > maxBytes)
    refuse("'" + path + "' is too large: " + std::to_string(size) + " bytes, at most 64 MB");
}

logic::SourceFilePtr readSource(const std::string &path) {
  requireReadable(path);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    refuse("cannot read '" + path + "': " + whatFailed());
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad() || text.fail())
    refuse("cannot read '" + path + "': " + whatFailed());
  if (text.view().find('\0') != std::string_view::npos)
    refuse("'" + path + "' is not a text file");
  return std::make_shared<logic::SourceFile>(path, text.str());
}

void makeEmptyFolder(const std::string &path) {
  std::error_code failed;
  fs::create_directory(path, failed);
  if (failed)
    refuse("cannot create '" + path + "': " + failed.message());
  if (!fs::is_empty(path, failed))
    refuse("'" + path + "' is a folder that holds other files",
           "give a folder that does not exist yet, or an empty one");
  if (failed)
    refuse("cannot read '" + path + "': " + failed.message());
}

void writeFile(const std::string &path, const std::string &text) {
  std::error_code failed;
  fs::path target = fs::weakly_canonical(path, failed);
  if (failed)
    refuse("cannot write '" + path + "': " + failed.message());
  fs::file_status status = fs::status(target, failed);
  if (status.type() == fs::file_type::directory)
    refuse("cannot write '" + path + "': it is a directory");
  if (fs::exists(status) && status.type() != fs::file_type::regular) {
    writePlainly(target, text, path); // a pipe or a device cannot be renamed over
    return;
  }
  fs::path temporary = target;
  temporary += ".part" + std::to_string(::getpid());
  try {
    writePlainly(temporary, text, path);
    if (fs::exists(status))
      fs::permissions(temporary, status.permissions());
    fs::rename(temporary, target);
  } catch (const fs::filesystem_error &error) {
    fs::remove(temporary, failed);
    refuse("cannot write '" + path + "': " + error.code().message());
  } catch (const logic::Error &) {
    fs::remove(temporary, failed);
    throw;
  }
}

} // namespace understudy::tools
