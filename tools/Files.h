// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Source.h"

#include <string>

namespace understudy::tools {

enum class Language { Contract, Conc, Net, C, Other };

/// By the file name's extension: `.contract`, `.conc`, `.tnet`; `.c`, `.ll` and `.bc` are C.
Language languageOf(const std::string &path);

/// Throws `logic::Error` when the input file is missing, not a regular file, empty, or larger than
/// 64 MB.
void requireReadable(const std::string &path);

/// Reads a whole input file. Throws `logic::Error` as above, and when it cannot be read
/// or is no text.
logic::SourceFilePtr readSource(const std::string &path);

/// Creates the folder, unless it is there and empty. Throws `logic::Error` if it cannot be.
void makeEmptyFolder(const std::string &path);

/// Replaces the file in one step: whatever happens, the old or the new text is there in full.
void writeFile(const std::string &path, const std::string &text);

} // namespace understudy::tools
