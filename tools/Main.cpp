// SPDX-License-Identifier: Apache-2.0
//
// The one place where exceptions end: bad input is exit code 2, what cannot be decided 3, and
// anything else a defect of the tool, 4.
#include "logic/Error.h"
#include "logic/Render.h"
#include "tools/CommandLine.h"
#include "tools/ExitCode.h"

#include <iostream>
#include <new>

namespace {

using namespace understudy;

int undecided(const logic::Unsupported &reason) {
  if (reason.range().known())
    std::cerr << logic::render({logic::Severity::Note, reason.range(), "this is the place", {}});
  std::cout << "verdict: unknown (" << reason.what() << ")\n";
  return tools::Undecided;
}

} // namespace

int main(int argc, char **argv) {
  int code = tools::InternalError;
  try {
    code = tools::runCommandLine(argc, argv);
  } catch (const logic::Error &error) {
    std::cerr << logic::render(error.diagnostics());
    return tools::BadInput;
  } catch (const logic::Unsupported &reason) {
    code = undecided(reason);
  } catch (const std::bad_alloc &) {
    std::cout << "verdict: unknown (out of memory)\n";
    code = tools::Undecided;
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
