// SPDX-License-Identifier: Apache-2.0
#include "compose/counting/CountingParts.h"

#include "compose/exploration/Explicit.h"

#include <algorithm>
#include <numeric>

namespace understudy::compose::counting {

namespace {

using Numbers = std::vector<uint32_t>; ///< for each kind of threads that is run in any number

class FewThreads {
public:
  FewThreads(const Program &program, uint64_t states, const Budget &budget)
      : program_(program), states_(states), budget_(budget) {
    for (const Start &start : program.starts)
      if (start.unbounded && std::find(open_.begin(), open_.end(), start.thread) == open_.end())
        open_.push_back(start.thread);
  }

  std::optional<Verdict> search(uint32_t least, uint32_t most) {
    if (open_.empty())
      return unsafe(look({}));
    for (uint32_t number = least; number <= most && !budget_.exhausted(); ++number) {
      Verdict verdict = look(Numbers(open_.size(), number));
      if (verdict.answer == Answer::Unsafe)
        return smallest(number, std::move(verdict));
      if (verdict.answer == Answer::Unknown)
        break;
    }
    return std::nullopt;
  }

private:
  const Program &program_;
  uint64_t states_;
  const Budget &budget_;
  std::vector<TemplateId> open_;

  Verdict look(const Numbers &numbers) const {
    exploration::ExplicitOptions options;
    for (size_t i = 0; i < open_.size(); ++i)
      options.counts[open_[i]] = numbers[i];
    options.maxStates = states_;
    options.maxSeconds = budget_.limits().seconds;
    options.stop = budget_.limits().stop;
    options.pace = budget_.limits().pace;
    return exploration::verifyExplicit(program_, options);
  }

  static std::optional<Verdict> unsafe(Verdict verdict) {
    return verdict.answer == Answer::Unsafe ? std::optional(std::move(verdict)) : std::nullopt;
  }

  /// With `number` threads of each kind there is a violation, with one less of each there is none.
  Verdict smallest(uint32_t number, Verdict found) const {
    std::vector<Numbers> candidates = candidatesUpTo(number);
    auto total = [](const Numbers &n) { return std::accumulate(n.begin(), n.end(), 0u); };
    std::sort(candidates.begin(), candidates.end(), [&](const Numbers &a, const Numbers &b) {
      return total(a) != total(b) ? total(a) < total(b) : b < a;
    });
    for (const Numbers &candidate : candidates)
      if (auto fewer = unsafe(look(candidate)))
        return std::move(*fewer);
    return found;
  }

  /// At most `number` of each kind, exactly that of some kind, less of some other.
  std::vector<Numbers> candidatesUpTo(uint32_t number) const {
    constexpr uint64_t most = 10'000;
    uint64_t all = 1;
    for (size_t i = 0; i < open_.size() && all < most; ++i)
      all *= number + 1;
    std::vector<Numbers> result;
    for (uint64_t code = 0; code < std::min(all, most); ++code) {
      Numbers numbers;
      for (uint64_t rest = code; numbers.size() < open_.size(); rest /= number + 1)
        numbers.push_back(static_cast<uint32_t>(rest % (number + 1)));
      auto largest = std::count(numbers.begin(), numbers.end(), number);
      if (largest > 0 && static_cast<size_t>(largest) < numbers.size())
        result.push_back(std::move(numbers));
    }
    return result;
  }
};

} // namespace

std::optional<Verdict> violationWithFew(const Program &program, uint32_t least, uint32_t most,
                                        uint64_t states, const Budget &budget) {
  return FewThreads(program, states, budget).search(least, most);
}

} // namespace understudy::compose::counting
