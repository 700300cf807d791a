// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace understudy::specs::syntax {

/// Runs `work` to its end on a stack large enough for `maxNesting` levels of recursion in a
/// grammar, also in builds with sanitizers. Exceptions pass through.
void onDeepStack(const std::function<void()> &work);

} // namespace understudy::specs::syntax
