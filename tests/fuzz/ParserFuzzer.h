// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Render.h"
#include "specs/Compile.h"
#include "specs/format/Format.h"
#include "specs/syntax/Parse.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace understudy::tests {

inline void require(bool holds, const char *what, const std::string &first,
                    const std::string &second) {
  if (holds)
    return;
  std::fprintf(stderr, "%s\n--- first\n%s\n--- second\n%s\n", what, first.c_str(), second.c_str());
  std::abort();
}

inline logic::SourceFilePtr sourceOf(std::string text) {
  return std::make_shared<logic::SourceFile>("input", std::move(text));
}

/// Compiling ends with a program or with readable errors.
template <typename Tree>
void checkCompiler(const Tree &tree, const std::string &input) {
  try {
    specs::compile(tree, {});
  } catch (const logic::Error &error) {
    require(!error.diagnostics().empty(), "refused without a message", input, {});
    require(!logic::render(error.diagnostics()).empty(), "an empty message", input, {});
  }
}

/// What must hold of every input: it is refused with at least one readable error, or it can be
/// formatted, the result parses with as many comments, and formatting again changes nothing; and it
/// can be compiled.
template <typename Parse>
void checkParser(const uint8_t *data, size_t size, Parse parse) {
  std::string input(reinterpret_cast<const char *>(data), size);
  std::string once;
  size_t comments = 0;
  try {
    auto parsed = parse(sourceOf(input));
    once = specs::format::format(parsed);
    comments = parsed.comments.size();
    checkCompiler(parsed.tree, input);
  } catch (const logic::Error &error) {
    require(!error.diagnostics().empty(), "refused without a message", input, {});
    require(!logic::render(error.diagnostics()).empty(), "an empty message", input, {});
    return;
  }
  try {
    auto again = parse(sourceOf(once));
    require(specs::format::format(again) == once, "formatting is not idempotent", once,
            specs::format::format(again));
    require(again.comments.size() == comments, "a comment was lost", input, once);
  } catch (const logic::Error &error) {
    require(false, logic::render(error.diagnostics()).c_str(), input, once);
  }
}

} // namespace understudy::tests
