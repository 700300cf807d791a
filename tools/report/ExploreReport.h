// SPDX-License-Identifier: Apache-2.0
//
// What the user reads about the states of a net.
#pragma once

#include "compose/tnet/Explore.h"
#include "tools/certificate/CertificateWriter.h"
#include "tools/options/Options.h"

#include <string>

namespace understudy::tools::report {

struct ExploreRun {
  const options::Options &options;
  const compose::tnet::Net &net;
  compose::tnet::ExploreResult result;
  certificate::CertificateNote certificate{};
};

std::string exploreText(const ExploreRun &run);
std::string exploreJson(const ExploreRun &run);
/// The runs that violate a `never`, in full.
std::string exploreTrace(const ExploreRun &run);

} // namespace understudy::tools::report
