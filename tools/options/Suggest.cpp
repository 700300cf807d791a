// SPDX-License-Identifier: Apache-2.0
#include "tools/options/Suggest.h"

#include <algorithm>
#include <numeric>

namespace understudy::tools::options {

namespace {

/// The number of insertions, deletions and replacements between two words.
size_t distance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

} // namespace

std::string suggestion(const std::string &written, const std::vector<std::string> &known,
                       const std::string &title) {
  if (known.empty())
    return {};
  // Longer input is no typing mistake of a name, and the distance costs its square.
  if (written.size() <= 64) {
    auto nearest = std::min_element(known.begin(), known.end(), [&](const auto &a, const auto &b) {
      return distance(written, a) < distance(written, b);
    });
    if (distance(written, *nearest) <= std::max<size_t>(1, written.size() / 3))
      return "did you mean '" + *nearest + "'?";
  }
  std::string list;
  for (const std::string &name : known)
    list += (list.empty() ? "" : ", ") + name;
  return "known " + title + ": " + list;
}

} // namespace understudy::tools::options
