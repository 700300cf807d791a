// SPDX-License-Identifier: Apache-2.0
#include "tools/FmtCommand.h"

#include "logic/Error.h"
#include "specs/Format.h"
#include "tools/ExitCode.h"
#include "tools/Files.h"

#include <iostream>

namespace understudy::tools {

namespace {

std::string canonical(const logic::SourceFilePtr &file) {
  switch (languageOf(file->name())) {
  case Language::Contract:
    return specs::format(specs::parseContract(file));
  case Language::Conc:
    return specs::format(specs::parseConc(file));
  case Language::C:
  case Language::Other:
    break;
  }
  throw logic::Error({}, "cannot format '" + file->name() + "': its name does not say what it is",
                     "fmt takes files that end in .contract or .conc");
}

uint32_t firstDifference(const logic::SourceFile &file, const std::string &wanted) {
  logic::SourceFile other(file.name(), wanted);
  uint32_t line = 1;
  while (line <= file.lineCount() && line <= other.lineCount() &&
         file.line(line) == other.line(line))
    ++line;
  return line;
}

} // namespace

int runFmt(const FmtOptions &options) {
  std::vector<logic::Diagnostic> errors;
  int code = Proven;
  for (const std::string &path : options.files) {
    try {
      logic::SourceFilePtr file = readSource(path);
      std::string wanted = canonical(file);
      if (options.mode == FmtOptions::Mode::Print) {
        std::cout << wanted;
      } else if (wanted != file->text()) {
        if (options.mode == FmtOptions::Mode::InPlace) {
          writeFile(path, wanted);
          continue;
        }
        std::cout << path << ":" << firstDifference(*file, wanted)
                  << ": not in canonical layout (understudy fmt -i " << path << ")\n";
        code = Violation;
      }
    } catch (const logic::Error &error) { // report the errors of all files in one run
      errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!errors.empty())
    throw logic::Error(errors);
  return code;
}

} // namespace understudy::tools
