// SPDX-License-Identifier: Apache-2.0
//
// Programs compiled by clang with hooks at each access to memory (those of the thread sanitizer,
// whose runtime is ours: Hooks.cpp) and loaded into this process.
#pragma once

#include "Program.h"

#include <filesystem>

namespace understudy::tests::hostile {

/// As in `tables`; all of them C.
struct NativeCell {
  void *at;
  uint32_t kind;
  uint32_t size;
};
struct NativeProgram {
  void (*thread)();
  void *const *named;
  const NativeCell *cells;
  uint32_t cellCount;
};

/// A folder that goes with its owner.
class Folder {
public:
  Folder();
  ~Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  std::filesystem::path operator/(const std::string &name) const { return path_ / name; }

private:
  std::filesystem::path path_;
};

/// A loaded file of programs.
class Library {
public:
  /// Throws `std::runtime_error` with clang's words.
  explicit Library(const std::filesystem::path &source);
  ~Library();
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  const NativeProgram &program(size_t index) const { return programs_[index]; }
  /// All its variables as they were when it was loaded.
  void reset() const;
  /// Is it a variable of the library?
  bool owns(const void *address) const;

private:
  void *handle_ = nullptr;
  const NativeProgram *programs_ = nullptr;
  struct Segment {
    char *start = nullptr;
    std::vector<char> contents;
  };
  std::vector<Segment> segments_;
};

} // namespace understudy::tests::hostile
