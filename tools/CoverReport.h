// SPDX-License-Identifier: Apache-2.0
//
// What the user reads about a coverability run.
#pragma once

#include "compose/cover/CoverAnswer.h"
#include "specs/CoverModel.h"
#include "tools/CertificateWriter.h"
#include "tools/Options.h"

#include <string>

namespace understudy::tools {

struct CoverRun {
  const CoverOptions &options;
  const specs::CoverModel &model;
  logic::SourceFilePtr source; ///< the model's text, for the lines of transitions
  compose::cover::CoverAnswer answer;
  CertificateNote certificate{};
};

std::string coverText(const CoverRun &run);
std::string coverJson(const CoverRun &run);

} // namespace understudy::tools
