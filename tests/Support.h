// SPDX-License-Identifier: Apache-2.0
//
// Counts and seeds of randomised tests. By default a tenth of the full count runs;
// UNDERSTUDY_FULL=1 runs all. Under the sanitizers, which are slow, a fiftieth and a tenth.
// UNDERSTUDY_SEED=N starts from another seed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace understudy::tests {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDERSTUDY_SANITIZED 1
#endif
#endif

/// The root of the source tree.
std::string sourceFolder();

inline size_t runs(size_t full) {
  const char *variable = std::getenv("UNDERSTUDY_FULL");
  const bool all = variable && std::string(variable) == "1";
#ifdef UNDERSTUDY_SANITIZED
  const size_t share = all ? 10 : 50;
#else
  const size_t share = all ? 1 : 10;
#endif
  return std::max<size_t>(1, full / share);
}

/// The seed of the run with this number. Put it into an INFO, so that a failure can be repeated.
inline uint64_t seedOf(size_t run) {
  const char *first = std::getenv("UNDERSTUDY_SEED");
  return (first ? std::strtoull(first, nullptr, 10) : 1) + run;
}

/// The same numbers from the same seed with every standard library. (Compilers differ in the order
/// in which they evaluate arguments, so a seed names a case for one compiler.)
class Random {
public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  /// 0 .. bound - 1
  size_t below(size_t bound) { return static_cast<size_t>(engine_() % bound); }
  int64_t between(int64_t lower, int64_t upper) {
    return lower + static_cast<int64_t>(below(static_cast<size_t>(upper - lower) + 1));
  }
  bool oneIn(size_t chances) { return below(chances) == 0; }
  template <typename T>
  const T &pick(const std::vector<T> &from) {
    return from[below(from.size())];
  }

private:
  std::mt19937_64 engine_;
};

} // namespace understudy::tests
