// SPDX-License-Identifier: Apache-2.0
//
// What the user reads about a coverability run.
#pragma once

#include "compose/cover/CoverAnswer.h"
#include "specs/net/CoverModel.h"
#include "tools/certificate/CertificateWriter.h"
#include "tools/options/Options.h"

#include <string>

namespace understudy::tools::report {

struct CoverRun {
  const options::Options &options;
  const specs::net::CoverModel &model;
  logic::SourceFilePtr source; ///< the model's text, for the lines of transitions
  compose::cover::CoverAnswer answer;
  certificate::CertificateNote certificate{};
};

std::string coverText(const CoverRun &run);
std::string coverJson(const CoverRun &run);

} // namespace understudy::tools::report
