// SPDX-License-Identifier: Apache-2.0
//
// From a result to its certificate, if one was asked for and there is one.
#pragma once

#include "compose/cover/CoverAnswer.h"
#include "compose/tnet/Explore.h"
#include "tools/report/CodeResult.h"
#include "tools/report/Report.h"

namespace understudy::tools::certificate {

/// Call it on the final verdict. `result.certificate` says what became of it.
void certify(report::Result &result, const options::Options &options);
void certify(report::CodeResult &result, const options::Options &options);

/// Of a net in a file. Returns what became of it.
CertificateNote certify(const compose::cover::CoverAnswer &answer, const options::Options &options);
CertificateNote certify(const compose::tnet::Net &net, const compose::tnet::ExploreResult &result,
                        const options::Options &options, const std::stop_token &stop);

} // namespace understudy::tools::certificate
