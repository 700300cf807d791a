// SPDX-License-Identifier: Apache-2.0
#include "tools/command/Commands.h"

#include "logic/Error.h"
#include "specs/format/Format.h"
#include "tools/ExitCode.h"
#include "tools/Files.h"

#include <iostream>

namespace understudy::tools::command {

namespace {

std::string canonical(const logic::SourceFilePtr &file) {
  switch (languageOf(file->name())) {
  case Language::Contract:
    return specs::format::format(specs::syntax::parseContract(file));
  case Language::Conc:
    return specs::format::format(specs::syntax::parseConc(file));
  case Language::Net:
    return specs::format::format(specs::syntax::parseNet(file));
  case Language::C:
  case Language::Other:
    break;
  }
  throw logic::Error({}, "cannot format '" + file->name() + "': unknown file type",
                     "fmt takes .contract, .conc and .tnet files");
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

int runFmt(const options::Options &options) {
  std::vector<logic::Diagnostic> errors;
  int code = Proven;
  std::vector<std::string> files{options.file};
  files.insert(files.end(), options.files.begin(), options.files.end());
  for (const std::string &path : files) {
    try {
      logic::SourceFilePtr file = readSource(path);
      std::string wanted = canonical(file);
      if (options.fmtMode == options::FmtMode::Print) {
        std::cout << wanted;
      } else if (wanted != file->text()) {
        if (options.fmtMode == options::FmtMode::InPlace) {
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

} // namespace understudy::tools::command
