// SPDX-License-Identifier: Apache-2.0
//
// The one place where exceptions end: bad input is exit code 2, what cannot be decided 3, and
// anything else a defect of the tool, 4.
#include "logic/Error.h"
#include "logic/Render.h"
#include "tools/ExitCode.h"
#include "tools/command/CommandLine.h"
#include "tools/options/CommandName.h"

#include <iostream>
#include <new>
#include <string>

namespace {

using namespace understudy;

/// Commands that verify end with a verdict, also when they cannot begin.
bool answersWithVerdict(int argc, char **argv) {
  using tools::options::CommandName;
  auto command = tools::options::commandNamed(argc > 1 ? argv[1] : "");
  return command && *command != CommandName::Fmt && *command != CommandName::Export;
}

int undecided(const logic::Unsupported &reason, int argc, char **argv) {
  std::cerr << logic::render(
      {logic::Severity::Note, reason.range(), std::string("unsupported: ") + reason.what(), {}});
  if (answersWithVerdict(argc, argv))
    std::cout << "verdict: unknown (" << reason.what() << ")\n";
  return tools::Undecided;
}

} // namespace

int main(int argc, char **argv) {
  int code = tools::InternalError;
  try {
    code = tools::command::runCommandLine(argc, argv);
  } catch (const logic::Error &error) {
    std::cerr << logic::render(error.diagnostics());
    return tools::BadInput;
  } catch (const logic::Unsupported &reason) {
    code = undecided(reason, argc, argv);
  } catch (const std::bad_alloc &) {
    code = undecided(logic::Unsupported("out of memory"), argc, argv);
  } catch (const std::exception &error) {
    std::cerr << "internal error: " << error.what()
              << "\nThis is a defect of understudy. Please report it with the input file.\n";
    return tools::InternalError;
  }
  if (!std::cout.flush()) {
    std::cerr << "error: cannot write to standard output\n";
    return tools::InternalError;
  }
  return code;
}
