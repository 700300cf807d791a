// SPDX-License-Identifier: Apache-2.0
#include "logic/Words.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace understudy::logic {

namespace {

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> beforeLast(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
    std::swap(beforeLast, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

} // namespace

std::string joined(const std::vector<std::string> &parts, std::string_view last) {
  std::string result;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0)
      result += i + 1 == parts.size() ? last : ", ";
    result += parts[i];
  }
  return result;
}

std::string plural(uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

const std::string *nearest(const std::string &name, const std::vector<std::string> &candidates) {
  constexpr size_t longestName = 100; // the distance costs the square
  if (name.size() > longestName)
    return nullptr;
  const size_t limit = std::max<size_t>(1, name.size() / 3);
  const std::string lower = lowered(name);
  const std::string *best = nullptr;
  size_t bestDistance = limit + 1;
  for (const std::string &candidate : candidates) {
    size_t gap = std::max(candidate.size(), name.size()) - std::min(candidate.size(), name.size());
    if (gap > limit || candidate == name)
      continue;
    if (size_t distance = editDistance(lower, lowered(candidate)); distance < bestDistance) {
      best = &candidate;
      bestDistance = distance;
    }
  }
  // A name of one letter is near to every other one.
  return bestDistance < name.size() ? best : nullptr;
}

std::string didYouMean(const std::string &name, const std::vector<std::string> &candidates) {
  const std::string *found = nearest(name, candidates);
  return found ? "did you mean '" + *found + "'?" : "";
}

std::string suggestion(const std::string &name, const std::vector<std::string> &known,
                       const std::string &title) {
  std::string hint = didYouMean(name, known);
  return !hint.empty() || known.empty() ? hint : "known " + title + ": " + joined(known);
}

} // namespace understudy::logic
