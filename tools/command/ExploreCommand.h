// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/tnet/Net.h"
#include "logic/Error.h"
#include "tools/options/Options.h"

#include <string>

namespace understudy::tools::command {

/// The net that the file and the options state. Throws `logic::Error`.
compose::tnet::Net readThreadNet(const std::string &file, const options::Claim &claim);

/// Of a net that cannot be explored. Returns the exit code.
int publishUnknownStates(const options::Options &options, const logic::Unsupported &reason);

} // namespace understudy::tools::command
