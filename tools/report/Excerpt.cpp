// SPDX-License-Identifier: Apache-2.0
#include "tools/report/Excerpt.h"

#include "logic/Words.h"
#include "tools/report/Report.h"

#include <algorithm>

namespace understudy::tools::report {

namespace {

constexpr size_t longestRound = 40; ///< steps; longer rounds are not looked for
constexpr size_t fewestRounds = 3;
constexpr size_t fewestSaved =
    4; ///< steps; a fold that saves less is harder to read than the steps
constexpr size_t mostLines = 60;
constexpr size_t linesAtEnd = 20;

/// May wrap, as the numbers of C may; only equality matters.
uint64_t difference(int64_t to, int64_t from) {
  return static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
}

class Folder {
public:
  explicit Folder(const std::vector<TraceStep> &steps) : steps_(steps) {}

  Excerpt fold() const {
    Excerpt result;
    for (size_t at = 0; at < steps_.size();) {
      auto [length, rounds] = bestLoop(at);
      for (size_t i = 0; i < length; ++i)
        result.emplace_back(OneStep{at + i});
      if (rounds > 1)
        result.emplace_back(repeat(at, length, rounds));
      at += length * rounds;
    }
    return result;
  }

private:
  const std::vector<TraceStep> &steps_;

  bool sameForm(size_t a, size_t b) const {
    const TraceStep &one = steps_[a], &other = steps_[b];
    return one.text == other.text &&
           std::equal(one.counters.begin(), one.counters.end(), other.counters.begin(),
                      other.counters.end(),
                      [](const Counter &x, const Counter &y) { return x.name == y.name; });
  }

  /// Does the step after `b` by one round differ from `b` as `b` differs from `a`?
  bool sameGrowth(size_t a, size_t b, size_t c) const {
    for (size_t i = 0; i < steps_[a].counters.size(); ++i) {
      const Counter &x = steps_[a].counters[i], &y = steps_[b].counters[i],
                    &z = steps_[c].counters[i];
      if (difference(y.before, x.before) != difference(z.before, y.before) ||
          difference(y.after, x.after) != difference(z.after, y.after))
        return false;
    }
    return true;
  }

  /// How many rounds of this length begin at `at`.
  size_t rounds(size_t at, size_t length) const {
    size_t next = at + length;
    while (next < steps_.size() && sameForm(next - length, next) &&
           (next - at < 2 * length || sameGrowth(next - 2 * length, next - length, next)))
      ++next;
    return (next - at) / length;
  }

  /// The loop at `at` that covers most steps; a round of one step, taken once, if there is none.
  std::pair<size_t, size_t> bestLoop(size_t at) const {
    std::pair<size_t, size_t> best{1, 1};
    for (size_t length = 1; length <= longestRound && at + length < steps_.size(); ++length) {
      size_t count = rounds(at, length);
      if (count >= fewestRounds && (count - 1) * length >= fewestSaved &&
          count * length > best.first * best.second)
        best = {length, count};
    }
    return best;
  }

  bool grows(size_t step, size_t counter, size_t length) const {
    return steps_[step].counters[counter].after != steps_[step + length].counters[counter].after;
  }

  Repeat repeat(size_t at, size_t length, size_t rounds) const {
    Repeat result{at, at + length - 1, rounds - 1, {}};
    size_t last = at + length * (rounds - 1);
    for (size_t i = 0; i < length; ++i)
      for (size_t k = 0; k < steps_[at + i].counters.size(); ++k) {
        if (!grows(at + i, k, length))
          continue;
        Counter total = steps_[at + length + i].counters[k];
        total.after = steps_[last + i].counters[k].after;
        auto known = std::find_if(result.counters.begin(), result.counters.end(),
                                  [&](const Counter &c) { return c.name == total.name; });
        if (known == result.counters.end())
          result.counters.push_back(total);
        else
          known->after = total.after;
      }
    return result;
  }
};

struct StepsOf {
  size_t operator()(const OneStep &) const { return 1; }
  size_t operator()(const Repeat &repeat) const {
    return repeat.times * (repeat.last - repeat.first + 1);
  }
  size_t operator()(const Gap &gap) const { return gap.steps; }
};

} // namespace

Excerpt excerpt(const std::vector<TraceStep> &steps) {
  Excerpt folded = Folder(steps).fold();
  if (folded.size() <= mostLines)
    return folded;
  auto from = folded.begin() + (mostLines - linesAtEnd);
  auto to = folded.end() - linesAtEnd;
  // A line about repetitions stays with the steps that it is about.
  while (from != to && std::holds_alternative<Repeat>(*from))
    ++from;
  while (to != from && std::holds_alternative<Repeat>(*to))
    --to;
  Gap gap;
  for (auto each = from; each != to; ++each)
    gap.steps += std::visit(StepsOf{}, *each);
  Excerpt result(folded.begin(), from);
  result.emplace_back(gap);
  result.insert(result.end(), to, folded.end());
  return result;
}

Excerpt everyStep(size_t count) {
  Excerpt result;
  for (size_t i = 0; i < count; ++i)
    result.emplace_back(OneStep{i});
  return result;
}

std::string repeatText(const Repeat &repeat) {
  std::string text = repeat.first == repeat.last
                         ? "step " + std::to_string(repeat.first + 1) + " repeats "
                         : "steps " + std::to_string(repeat.first + 1) + "-" +
                               std::to_string(repeat.last + 1) + " repeat ";
  text += std::to_string(repeat.times) + " more times";
  std::string counters = logic::joined(repeat.counters, [](const Counter &counter) {
    return counter.name + ": " + std::to_string(counter.before) + " → " +
           std::to_string(counter.after);
  });
  return text + (counters.empty() ? "" : " (" + counters + ")");
}

std::string gapText(const Gap &gap) {
  return "… " + plural(gap.steps, "step") + " omitted; --full-trace prints all";
}

} // namespace understudy::tools::report
