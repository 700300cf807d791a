// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/proof/OwickiGries.h"

#include <string>

namespace understudy::tools::outline {

/// The source of a program with the annotation as comments (docs/outlines.md).
std::string outlineText(const compose::Program &program, const logic::SourceFile &file,
                        const compose::proof::OwickiGries &annotation);

} // namespace understudy::tools::outline
