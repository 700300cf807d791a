// SPDX-License-Identifier: Apache-2.0
//
// From the comments of a proof outline to the annotation they mean. What has no comment is true,
// except that of slots only those are inhabited that a comment at the place names.
#pragma once

#include "compose/proof/OwickiGries.h"
#include "specs/syntax/Syntax.h"

#include <map>
#include <utility>
#include <vector>

namespace understudy::tools::outline {

struct Outline {
  compose::proof::OwickiGries annotation;
  /// Where assertions stand, as far as they are written.
  std::map<std::pair<compose::proof::Slot, std::optional<compose::LocationId>>, logic::SourceRange>
      assertions;
  size_t written = 0; ///< assertions, invariants included
};

/// `program` is that of the outline itself, and `comments` are its comments. Throws `logic::Error`
/// with all that is wrong, and `logic::Unsupported` for programs without such proofs.
Outline readOutline(const compose::Program &program, const logic::SourceFilePtr &file,
                    const std::vector<specs::syntax::Comment> &comments);

} // namespace understudy::tools::outline
