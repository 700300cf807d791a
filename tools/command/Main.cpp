// SPDX-License-Identifier: Apache-2.0
//
// The one place where exceptions end: bad input is exit code 2, as is output that cannot be
// written, and what no command expects a defect of the tool, 4.
#include "logic/Error.h"
#include "logic/Render.h"
#include "tools/ExitCode.h"
#include "tools/command/CommandLine.h"

#include <iostream>

using namespace understudy;

int main(int argc, char **argv) {
  int code = tools::InternalError;
  try {
    code = tools::command::runCommandLine(argc, argv);
  } catch (const logic::Error &error) {
    std::cerr << logic::render(error.diagnostics());
    return tools::BadInput;
  } catch (const std::exception &error) {
    std::cerr << "internal error: " << error.what()
              << "\nThis is a bug in understudy. Please report it with the input files.\n";
    return tools::InternalError;
  }
  if (!std::cout.flush()) {
    std::cerr << "error: cannot write to standard output (is the device full or closed?)\n";
    return tools::BadInput;
  }
  return code;
}
