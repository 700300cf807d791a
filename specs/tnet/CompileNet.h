// SPDX-License-Identifier: Apache-2.0
//
// From the syntax tree of a .tnet file to a thread net. What the assumptions of the paper on
// dynamic process creation demand is checked here, once and for all.
#pragma once

#include "compose/tnet/Net.h"
#include "specs/syntax/Parse.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace understudy::specs::tnet {

struct NetOptions {
  std::map<std::string, int64_t> set;                ///< values of constants: --set
  std::optional<compose::tnet::Relations> relations; ///< instead of the file's: --relations
};

/// Throws `logic::Error` with all errors of the file, in file order.
compose::tnet::Net compileNet(const syntax::NetFile &file, const NetOptions &options);

} // namespace understudy::specs::tnet
