// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/proof/Evidence.h"
#include "tools/certificate/CertificateReader.h"

namespace understudy::tools::certificate {

report::Json owickiGriesJson(const compose::proof::OwickiGriesEvidence &evidence);
/// Throws `logic::Error` for what is none.
compose::proof::OwickiGriesEvidence readOwickiGriesJson(const Reader &proof);

} // namespace understudy::tools::certificate
