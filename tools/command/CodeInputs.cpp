// SPDX-License-Identifier: Apache-2.0
#include "tools/command/CodeInputs.h"

#include "logic/Error.h"
#include "tools/Files.h"
#include "tools/command/Run.h"
#include "tools/options/Outputs.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace understudy::tools::command {

namespace {

std::string quoted(const std::string &path) { return "'" + path + "'"; }

/// The files in the order in which they should have been given.
std::string sorted(const options::Options &options) {
  std::vector<std::string> files{options.file};
  files.insert(files.end(), options.files.begin(), options.files.end());
  std::string line = "understudy " + options::word(options.command);
  for (bool contracts : {true, false})
    for (const std::string &file : files)
      if ((languageOf(file) == Language::Contract) == contracts)
        line += " " + file;
  return line;
}

void refuseFirst(const options::Options &options) {
  const std::string &first = options.file;
  auto isContract = [](const std::string &file) { return languageOf(file) == Language::Contract; };
  if (isContract(first))
    return;
  std::string wanted =
      options::word(options.command) + " takes a contract first, but " + quoted(first);
  if (std::any_of(options.files.begin(), options.files.end(), isContract))
    throw logic::Error({}, wanted + " is not a contract", "try '" + sorted(options) + "'");
  if (languageOf(first) == Language::Conc)
    throw logic::Error({}, wanted + " is a CONC program", "try 'understudy verify " + first + "'");
  throw logic::Error({}, wanted + " is not a contract",
                     "write 'understudy " + options::word(options.command) +
                         " SYSTEM.contract FILE.c'; the name of a "
                         "contract ends in .contract");
}

std::string hintFor(const std::string &path) {
  std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".h")
    return "give the .c file that includes it";
  if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C")
    return "C++ is not supported; code must be a .c, .ll or .bc file";
  if (extension == ".o" || extension == ".a" || extension == ".so" || extension == ".s" ||
      extension == ".S")
    return "machine code is not supported; compile to .bc with 'clang -g -O0 -emit-llvm -c'";
  return "code must be a .c, .ll or .bc file";
}

void refuseAllButCode(const options::Options &options, const std::string &path) {
  switch (languageOf(path)) {
  case Language::C:
    return;
  case Language::Contract:
    throw logic::Error({},
                       options::word(options.command) + " takes one contract, but " + quoted(path) +
                           " is another one",
                       "a system is described by one file; run " + options::word(options.command) +
                           " for each");
  case Language::Conc:
    throw logic::Error({}, quoted(path) + " is a CONC program, not C code",
                       "code must be a .c, .ll or .bc file");
  case Language::Net:
  case Language::Other:
    throw logic::Error({}, quoted(path) + " is not a C file", hintFor(path));
  }
}

void refuseWrongFiles(const options::Options &options) {
  refuseFirst(options);
  if (options.files.empty())
    throw logic::Error({},
                       options::word(options.command) +
                           " needs the code as well: give the C files after the contract",
                       "for the contract alone, try 'understudy compose " + options.file + "'");
  std::set<std::string> seen;
  for (const std::string &path : options.files) {
    refuseAllButCode(options, path);
    if (!seen.insert(std::filesystem::path(path).lexically_normal().string()).second)
      throw logic::Error({}, quoted(path) + " is given twice");
    requireReadable(path);
  }
}

} // namespace

System readSystem(const options::Options &options) {
  refuseWrongFiles(options);
  auto parsed = specs::syntax::parseContract(readSource(options.file));
  showWarnings(parsed.warnings, options.verbosity);
  specs::Compiled contract =
      specs::compile(parsed.tree, compileOptions(options, Language::Contract));
  showWarnings(contract.warnings, options.verbosity);
  const passes::read::CodeOptions given{options.files, options.clangArgs, options.assertHooks};
  passes::read::Code code = passes::read::readCode(given);
  if (!options.outputs.empty() || options.certificate) // nor is a header lost
    options::refuseOverwriting(options, passes::read::includedFiles(given));
  return {std::move(contract), std::move(code), nullptr};
}

} // namespace understudy::tools::command
