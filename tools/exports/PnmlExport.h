// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/petri/PetriProgram.h"

#include <string>

namespace understudy::tools::exports {

/// The net of a petrified program as a P/T net of PNML (ISO/IEC 15909-2). What a place stands for,
/// whether it is bad, and the relations of the transitions are tool-specific parts, which other
/// tools skip.
std::string pnmlText(const compose::petri::PetriProgram &petri, const compose::Program &program);

} // namespace understudy::tools::exports
