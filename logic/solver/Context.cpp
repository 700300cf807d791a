// SPDX-License-Identifier: Apache-2.0
#include "logic/solver/Context.h"

#include <cstdlib> // says whether the library is glibc
#include <mutex>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace understudy::logic::solver {

namespace {

void keepMemory() {
#ifdef __GLIBC__
  constexpr int largestTable = 32 << 20, kept = 256 << 20;
  static std::once_flag once;
  std::call_once(once, [] {
    mallopt(M_MMAP_THRESHOLD, largestTable);
    mallopt(M_TRIM_THRESHOLD, kept);
  });
#endif
}

} // namespace

Context::Context() { keepMemory(); }

} // namespace understudy::logic::solver
