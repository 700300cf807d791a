// SPDX-License-Identifier: Apache-2.0
#include "Native.h"

#include "tests/Support.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <link.h>
#include <random>
#include <sstream>

namespace understudy::tests::hostile {
namespace {

std::string quoted(const std::filesystem::path &path) { return "'" + path.string() + "'"; }

void compile(const std::filesystem::path &source, const std::filesystem::path &library) {
  const auto messages = std::filesystem::path(source).replace_extension(".txt");
  const std::string command =
      "clang-19 -O0 -w -fno-builtin -fPIC -shared -fsanitize=thread -nostartfiles -DHOSTILE_NATIVE"
      " -mllvm -tsan-instrument-read-before-write=1"
      " -Wl,-Bsymbolic -Wl,-z,norelro -Wl,-z,now -I" +
      quoted(std::filesystem::path(sourceFolder()) / "include") + " " + quoted(source) + " -o " +
      quoted(library) + " 2>" + quoted(messages);
  if (std::system(command.c_str()) == 0) // NOLINT(concurrency-mt-unsafe,bugprone-command-processor)
    return;
  std::ostringstream text;
  text << std::ifstream(messages).rdbuf();
  throw std::runtime_error(text.str());
}

using EachSegment = std::function<void(char *, size_t)>;
struct Visit {
  const void *known;
  const EachSegment *segment;
};

/// The writable parts of the object that holds the known address.
int visitObject(dl_phdr_info *info, size_t /*size*/, void *data) {
  const auto *visit = static_cast<const Visit *>(data);
  const auto at = [&](const ElfW(Phdr) & header) {
    return reinterpret_cast<char *>(info->dlpi_addr + header.p_vaddr); // NOLINT
  };
  const std::vector<ElfW(Phdr)> headers(info->dlpi_phdr, info->dlpi_phdr + info->dlpi_phnum);
  const bool ours = std::any_of(headers.begin(), headers.end(), [&](const ElfW(Phdr) & header) {
    return header.p_type == PT_LOAD && visit->known >= at(header) &&
           visit->known < at(header) + header.p_memsz;
  });
  for (const ElfW(Phdr) & header : headers)
    if (ours && header.p_type == PT_LOAD && (header.p_flags & PF_W))
      (*visit->segment)(at(header), header.p_memsz);
  return ours ? 1 : 0;
}

} // namespace

Folder::Folder() {
  std::random_device device;
  path_ = std::filesystem::temp_directory_path() /
          ("understudy-hostile-" + std::to_string(device()) + std::to_string(device()));
  std::filesystem::create_directory(path_);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Library::Library(const std::filesystem::path &source) {
  const auto path = std::filesystem::path(source).replace_extension(".so");
  compile(source, path);
  handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_)
    throw std::runtime_error(dlerror()); // NOLINT(concurrency-mt-unsafe)
  programs_ = static_cast<const NativeProgram *>(dlsym(handle_, "hostile_programs"));
  if (!programs_)
    throw std::runtime_error("no table of programs");
  const EachSegment keep = [&](char *start, size_t size) {
    segments_.push_back({start, {start, start + size}});
  };
  Visit visit{programs_, &keep};
  dl_iterate_phdr(visitObject, &visit);
}

Library::~Library() {
  if (handle_)
    dlclose(handle_);
}

void Library::reset() const {
  for (const Segment &segment : segments_)
    std::memcpy(segment.start, segment.contents.data(), segment.contents.size());
}

bool Library::owns(const void *address) const {
  return std::any_of(segments_.begin(), segments_.end(), [&](const Segment &segment) {
    return address >= segment.start && address < segment.start + segment.contents.size();
  });
}

} // namespace understudy::tests::hostile
