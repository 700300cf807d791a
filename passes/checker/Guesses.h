// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Trace.h"
#include "passes/encode/Encode.h"

#include <map>
#include <optional>

namespace understudy::passes::checker {

/// The templates of a program that are C code.
using CodeTemplates = std::map<compose::TemplateId, const encode::Encoded *>;

/// A value that is not modelled, in the code of a template.
struct Guess {
  compose::TemplateId thread = 0;
  uint32_t place = 0; ///< `PlaceKind::Guess`

  bool operator==(const Guess &) const = default;
};

/// The guess that the failure depends on, if it depends on one. None: the trace is one of the code
/// whatever the values are that were guessed.
std::optional<Guess> guessBehind(const compose::Program &program, const CodeTemplates &code,
                                 const compose::Trace &trace);

} // namespace understudy::passes::checker
