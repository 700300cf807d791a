// SPDX-License-Identifier: Apache-2.0
//
// The door to CLI11 for options.
#pragma once

#include "tools/options/Options.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace understudy::tools::options {

/// Adds the options of the command to the parser, with their help. What it returns is to be called
/// when the arguments have been parsed: it fills in `options`, and throws `logic::Error` for bad
/// values.
std::function<void()> declare(CLI::App &app, CommandName command, Options &options);

} // namespace understudy::tools::options
