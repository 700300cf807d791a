// SPDX-License-Identifier: Apache-2.0
//
// Reading C: the door to clang and LLVM's readers. No LLVM type is seen here.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace understudy::passes::read {

struct CodeOptions {
  std::vector<std::string> files;            ///< .c, .ll or .bc
  std::vector<std::string> clangArgs;        ///< handed to clang for every .c file
  std::vector<std::string> assertHooks = {}; ///< functions whose calls are failed assertions
};

/// The files as one linked program. Cheap to move; shared by everything below.
class Code {
public:
  struct Implementation;
  explicit Code(std::unique_ptr<Implementation> implementation);
  ~Code();
  Code(Code &&) noexcept;
  Code &operator=(Code &&) noexcept;
  const Implementation &get() const { return *implementation_; }

private:
  std::unique_ptr<Implementation> implementation_;
};

/// Throws `logic::Error` when a file cannot be read or compiled (clang's messages are shown as they
/// are) or the files do not link.
Code readCode(const CodeOptions &options);

/// The files besides those given that clang reads, system headers left out.
std::vector<std::string> includedFiles(const CodeOptions &options);

} // namespace understudy::passes::read
