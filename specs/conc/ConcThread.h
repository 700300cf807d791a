// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "specs/conc/ConcBuilder.h"

namespace understudy::specs::conc {

/// The template of one CONC thread; fills the context's labels on the way.
compose::Template compileThread(ConcContext &context, const syntax::ConcThread &tree,
                                compose::TemplateId id);

/// Puts an atomic section on edges from `source`: to `target` where it ends, elsewhere where a path
/// jumps out of it.
void compileAtomic(ThreadBuilder &builder, const syntax::Statement &section,
                   compose::LocationId source, compose::LocationId target,
                   compose::LocationId final);

} // namespace understudy::specs::conc
