// SPDX-License-Identifier: Apache-2.0
#include "specs/check/Names.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace understudy::specs::check {

namespace {

constexpr size_t longestName = 100;

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

std::string describe(SymbolKind kind) {
  switch (kind) {
  case SymbolKind::Variable:
    return "a variable";
  case SymbolKind::Constant:
    return "a constant";
  case SymbolKind::Definition:
    return "a definition";
  case SymbolKind::EnumType:
    return "an enum";
  case SymbolKind::Mutex:
    return "a mutex";
  case SymbolKind::Cond:
    return "a condition variable";
  case SymbolKind::Thread:
    return "a thread";
  }
  return "a name";
}

std::string didYouMean(const std::string &name, const std::vector<std::string> &candidates) {
  if (name.size() > longestName)
    return {};
  size_t limit = std::max<size_t>(1, name.size() / 3);
  std::string lower = lowered(name);
  const std::string *best = nullptr;
  size_t bestDistance = limit + 1;
  for (const std::string &candidate : candidates) {
    size_t gap = std::max(candidate.size(), name.size()) - std::min(candidate.size(), name.size());
    if (gap > limit || candidate == name)
      continue;
    size_t distance = lowered(candidate) == lower ? 0 : editDistance(lower, lowered(candidate));
    if (distance < bestDistance) {
      best = &candidate;
      bestDistance = distance;
    }
  }
  // A name of one letter is near to every other one.
  if (!best || bestDistance >= name.size())
    return {};
  return "did you mean '" + *best + "'?";
}

const Symbol *Scope::find(const std::string &name) const {
  if (auto found = symbols_.find(name); found != symbols_.end())
    return &found->second;
  return outer_ ? outer_->find(name) : nullptr;
}

void Scope::declare(Symbol symbol, syntax::Reporter &reporter) {
  const Symbol *other = find(symbol.name);
  if (!other) {
    symbols_.emplace(symbol.name, std::move(symbol));
    return;
  }
  bool here = symbols_.contains(symbol.name);
  reporter.error(symbol.range,
                 "'" + symbol.name + "' is already declared in line " +
                     std::to_string(other->range.begin.line) + ", as " + describe(other->kind),
                 here ? "choose another name"
                      : "a name inside a thread may not hide one outside; choose another");
}

void Scope::announce(const syntax::Name &name) { announced_.emplace(name.text, name.range); }

const SourceRange *Scope::announced(const std::string &name) const {
  if (auto found = announced_.find(name); found != announced_.end())
    return &found->second;
  return outer_ ? outer_->announced(name) : nullptr;
}

std::string Scope::suggestion(const std::string &name, const std::vector<SymbolKind> &kinds) const {
  std::vector<std::string> candidates;
  for (const Scope *scope = this; scope; scope = scope->outer_)
    for (const auto &[other, symbol] : scope->symbols_)
      if (std::find(kinds.begin(), kinds.end(), symbol.kind) != kinds.end())
        candidates.push_back(other);
  return didYouMean(name, candidates);
}

} // namespace understudy::specs::check
