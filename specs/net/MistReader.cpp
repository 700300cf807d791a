// SPDX-License-Identifier: Apache-2.0
//
// mist's format. A rule takes the values of all variables at once:
//   x' = c + sum of the variables that flow into x.
// A variable that flows into itself stays, into another is transferred, into none is lost (to a
// local state of its own, from which nothing returns). A guard x >= n takes n threads out of x;
// they are put where x flows. So x' gets c plus the guards' shares as produced threads; if that is
// negative, the rule needs more threads than its guard says, and with one source the guard is
// raised.
#include "specs/net/CoverModel.h"

#include "compose/cover/Configurations.h"
#include "specs/net/CoverScanner.h"

#include <algorithm>
#include <set>

namespace understudy::specs::net {

using namespace compose::cover;

namespace {

/// lower <= x, and x <= upper if there is an upper bound.
struct Bounds {
  uint32_t lower = 0;
  std::optional<uint32_t> upper;
  size_t offset = 0;
};
using Condition = std::map<compose::cover::net::LocalState, Bounds>;

struct Sum {
  std::map<compose::cover::net::LocalState, uint32_t> variables;
  int64_t constant = 0;
};

class MistParser {
public:
  explicit MistParser(const logic::SourceFilePtr &file) : scanner_(file) {}

  CoverModel run() {
    model_.problem.net.sharedStates = 1;
    section("vars");
    variables();
    section("rules");
    for (scanner_.skipLines(); !atSection("init"); scanner_.skipLines())
      rule();
    section("init");
    init();
    section("target");
    targets();
    if (!scanner_.atEnd())
      section("invariants"); // facts about the net that nobody needs to believe
    model_.problem.net.localStates = static_cast<uint32_t>(names_.size());
    model_.problem.net.localNames = names_;
    return std::move(model_);
  }

private:
  CoverScanner scanner_;
  CoverModel model_;
  std::vector<std::string> names_;
  std::map<std::string, compose::cover::net::LocalState, std::less<>> numbers_;
  size_t declared_ = 0;
  std::optional<compose::cover::net::LocalState> nowhere_;

  static constexpr const char *ruleHint =
      "a rule looks like 'x >= 1, y >= 2 -> x' = x - 1, y' = y + 1;'";

  bool atSection(const std::string &name) {
    CoverScanner ahead = scanner_;
    return ahead.atWord() && ahead.word("") == name;
  }

  void section(const std::string &name) {
    scanner_.skipLines();
    if (!atSection(name))
      scanner_.fail(
          "expected the section '" + name + "'",
          "the sections of a file are vars, rules, init, target and, optionally, invariants");
    scanner_.accept(name);
  }

  void variables() {
    for (scanner_.skipLines(); !atSection("rules"); scanner_.skipLines()) {
      size_t begin = scanner_.offset();
      std::string name(scanner_.word("the name of a variable"));
      if (!numbers_.emplace(name, static_cast<compose::cover::net::LocalState>(names_.size()))
               .second)
        scanner_.failAt(begin, "variable '" + name + "' is declared twice");
      names_.push_back(std::move(name));
      scanner_.skipBlanks();
      scanner_.accept(",");
    }
    declared_ = names_.size();
  }

  compose::cover::net::LocalState variable() {
    scanner_.skipLines();
    size_t begin = scanner_.offset();
    std::string_view name = scanner_.word("a variable");
    auto found = numbers_.find(name);
    if (found == numbers_.end())
      scanner_.failAt(begin, "unknown variable '" + std::string(name) + "'",
                      "variables are declared in the section vars");
    return found->second;
  }

  bool acceptNext(std::string_view sign) {
    scanner_.skipLines();
    return scanner_.accept(sign);
  }

  uint32_t number() {
    scanner_.skipLines();
    return scanner_.number("a number");
  }

  /// "x >= n", "x = n" or "x in [a, b]".
  void limit(Condition &condition) {
    scanner_.skipLines();
    size_t begin = scanner_.offset();
    compose::cover::net::LocalState x = variable();
    Bounds bounds;
    bounds.offset = begin;
    if (acceptNext(">=")) {
      bounds.lower = number();
    } else if (acceptNext("=")) {
      bounds.lower = number();
      bounds.upper = bounds.lower;
    } else if (acceptNext("in")) {
      if (!acceptNext("["))
        scanner_.fail("expected '['", "an interval looks like 'x in [1, 3]'");
      bounds.lower = number();
      if (!acceptNext(","))
        scanner_.fail("expected ','", "an interval looks like 'x in [1, 3]'");
      bounds.upper = number();
      if (!acceptNext("]"))
        scanner_.fail("expected ']'", "an interval looks like 'x in [1, 3]'");
      if (*bounds.upper < bounds.lower)
        scanner_.failAt(begin, "the interval is empty");
    } else {
      scanner_.fail("expected '>=', '=' or 'in'",
                    "a condition looks like 'x >= 1', 'x = 1' or 'x in [1, 3]'");
    }
    if (!condition.emplace(x, bounds).second)
      scanner_.failAt(begin, "'" + names_[x] + "' is constrained twice",
                      "write one condition per variable");
  }

  Condition conjunction() {
    Condition condition;
    do
      limit(condition);
    while (acceptNext(","));
    return condition;
  }

  /// One rule for each choice of values in intervals.
  void rule() {
    uint32_t line = scanner_.line();
    size_t begin = scanner_.offset();
    Condition guard;
    if (atSection("true"))
      scanner_.accept("true");
    else
      guard = conjunction();
    if (!acceptNext("->"))
      scanner_.fail("expected ',' or '->'", ruleHint);
    std::map<compose::cover::net::LocalState, Sum> assigned = assignments();
    if (!acceptNext(";"))
      scanner_.fail("expected ',' or ';'", ruleHint);
    addRules(guard, assigned, line, begin);
  }

  std::map<compose::cover::net::LocalState, Sum> assignments() {
    std::map<compose::cover::net::LocalState, Sum> assigned;
    scanner_.skipLines();
    if (scanner_.peek() == ';')
      return assigned; // nothing changes
    do {
      scanner_.skipLines();
      size_t begin = scanner_.offset();
      compose::cover::net::LocalState x = variable();
      if (!acceptNext("'"))
        scanner_.fail("expected ''' after the variable", ruleHint);
      if (!acceptNext("="))
        scanner_.fail("expected '='", ruleHint);
      if (!assigned.emplace(x, sum()).second)
        scanner_.failAt(begin, "'" + names_[x] + "' is assigned twice");
    } while (acceptNext(","));
    return assigned;
  }

  Sum sum() {
    Sum result;
    int64_t sign = acceptNext("-") ? -1 : 1;
    for (;;) {
      scanner_.skipLines();
      size_t begin = scanner_.offset();
      if (scanner_.atNumber()) {
        result.constant += sign * int64_t{number()};
      } else {
        compose::cover::net::LocalState x = variable();
        if (sign < 0)
          throw logic::Unsupported("a variable cannot be subtracted", scanner_.rangeAt(begin));
        ++result.variables[x];
      }
      if (acceptNext("+"))
        sign = 1;
      else if (acceptNext("-"))
        sign = -1;
      else
        return result;
    }
  }

  void addRules(const Condition &guard,
                const std::map<compose::cover::net::LocalState, Sum> &assigned, uint32_t line,
                size_t begin) {
    constexpr uint32_t widest = 100;
    for (const auto &[x, bounds] : guard)
      if (bounds.upper && *bounds.upper != bounds.lower) {
        if (*bounds.upper - bounds.lower > widest)
          throw logic::Unsupported("an interval cannot have more than " + std::to_string(widest) +
                                       " values",
                                   scanner_.rangeAt(bounds.offset));
        for (uint32_t value = bounds.lower; value <= *bounds.upper; ++value) {
          Condition one = guard;
          one[x].lower = value;
          one[x].upper = value;
          addRules(one, assigned, line, begin);
        }
        return;
      }
    addRule(guard, assigned, line, begin);
  }

  /// Where each variable flows to.
  std::map<compose::cover::net::LocalState, compose::cover::net::LocalState>
  flows(const std::map<compose::cover::net::LocalState, Sum> &assigned, size_t begin) {
    std::map<compose::cover::net::LocalState, compose::cover::net::LocalState> ends;
    auto flow = [&](compose::cover::net::LocalState from, compose::cover::net::LocalState to) {
      if (!ends.emplace(from, to).second)
        throw logic::Unsupported("a rule cannot add '" + names_[from] + "' to two variables",
                                 scanner_.rangeAt(begin));
    };
    for (const auto &[x, sum] : assigned)
      for (auto [source, count] : sum.variables)
        for (uint32_t i = 0; i < count; ++i)
          flow(source, x);
    for (compose::cover::net::LocalState x = 0; x < declared_; ++x)
      if (!assigned.contains(x))
        flow(x, x);
    return ends;
  }

  compose::cover::net::LocalState nowhere() {
    if (!nowhere_) {
      nowhere_ = static_cast<compose::cover::net::LocalState>(names_.size());
      names_.push_back("(gone)");
    }
    return *nowhere_;
  }

  void addRule(const Condition &guard,
               const std::map<compose::cover::net::LocalState, Sum> &assigned, uint32_t line,
               size_t begin) {
    auto ends = flows(assigned, begin);
    std::map<compose::cover::net::LocalState, uint32_t> taken;
    for (const auto &[x, bounds] : guard)
      taken[x] = bounds.lower;
    compose::cover::net::Transition t;
    t.origin = line;
    for (const auto &[x, sum] : assigned)
      if (int64_t count = produced(x, sum, ends, taken, begin); count > 0)
        t.produces.push_back({x, static_cast<uint32_t>(count)});
    for (auto [x, count] : taken)
      if (count > 0)
        t.consumes.push_back({x, count});
    for (auto [x, count] : taken) // what is taken from a variable that is not assigned is put back
      if (count > 0 && !assigned.contains(x))
        compose::cover::addTo(t.produces, x, count);
    for (compose::cover::net::LocalState x = 0; x < declared_; ++x)
      if (!ends.contains(x))
        t.transfers.push_back({x, nowhere()});
      else if (ends[x] != x)
        t.transfers.push_back({x, ends[x]});
    addTests(guard, taken, t, begin);
    model_.problem.net.transitions.push_back(std::move(t));
  }

  /// Threads that x gets besides those that flow there; raises a guard where it must.
  int64_t
  produced(compose::cover::net::LocalState x, const Sum &sum,
           const std::map<compose::cover::net::LocalState, compose::cover::net::LocalState> &ends,
           std::map<compose::cover::net::LocalState, uint32_t> &taken, size_t begin) {
    int64_t count = sum.constant;
    std::vector<compose::cover::net::LocalState> sources;
    for (auto [source, end] : ends)
      if (end == x) {
        sources.push_back(source);
        count += taken[source];
      }
    if (count >= 0)
      return checked(count, begin);
    if (sources.size() != 1)
      throw logic::Unsupported("the guard of this rule does not keep '" + names_[x] +
                                   "' from dropping below 0",
                               scanner_.rangeAt(begin));
    taken[sources.front()] += static_cast<uint32_t>(checked(-count, begin));
    return 0;
  }

  int64_t checked(int64_t count, size_t begin) const {
    if (count >= compose::cover::omega)
      throw logic::Unsupported("a number in this rule is too large", scanner_.rangeAt(begin));
    return count;
  }

  void addTests(const Condition &guard,
                const std::map<compose::cover::net::LocalState, uint32_t> &taken,
                compose::cover::net::Transition &t, size_t begin) {
    std::vector<compose::cover::net::LocalState> empty;
    for (const auto &[x, bounds] : guard)
      if (bounds.upper) {
        if (taken.at(x) > *bounds.upper)
          throw logic::Unsupported("this rule takes more of '" + names_[x] +
                                       "' than its guard allows",
                                   scanner_.rangeAt(begin));
        empty.push_back(x);
        std::erase_if(t.transfers,
                      [&](const compose::cover::net::Move &move) { return move.from == x; });
        t.transfers.push_back({x, nowhere()});
      }
    std::sort(t.transfers.begin(), t.transfers.end());
    if (!empty.empty())
      model_.zeroTests.emplace(static_cast<uint32_t>(model_.problem.net.transitions.size()), empty);
  }

  void init() {
    scanner_.skipLines();
    size_t begin = scanner_.offset();
    std::vector<compose::cover::net::StartSet> starts{{}};
    Condition condition = atSection("target") ? Condition{} : conjunction();
    for (compose::cover::net::LocalState x = 0; x < declared_; ++x) {
      auto found = condition.find(x);
      if (found == condition.end())
        model_.warnings.push_back({logic::Severity::Warning, scanner_.rangeAt(begin),
                                   "init does not constrain '" + names_[x] + "'",
                                   "it may have any initial value"});
      Bounds bounds = found == condition.end() ? Bounds{} : found->second;
      starts = withValues(starts, x, bounds);
    }
    model_.problem.net.starts = std::move(starts);
  }

  std::vector<compose::cover::net::StartSet>
  withValues(const std::vector<compose::cover::net::StartSet> &starts,
             compose::cover::net::LocalState x, const Bounds &bounds) {
    constexpr size_t most = 10'000;
    std::vector<compose::cover::net::StartSet> result;
    for (const compose::cover::net::StartSet &start : starts)
      for (uint32_t value = bounds.lower; value <= bounds.upper.value_or(bounds.lower); ++value) {
        result.push_back(start);
        compose::cover::addTo(result.back().threads, x, value);
        if (!bounds.upper)
          result.back().anyNumber.push_back(x);
        if (result.size() > most)
          throw logic::Unsupported("more than " + std::to_string(most) + " initial states",
                                   scanner_.rangeAt(bounds.offset));
      }
    return result;
  }

  void targets() {
    std::vector<std::map<compose::cover::net::LocalState, uint32_t>> exactly;
    for (scanner_.skipLines(); !scanner_.atEnd() && !atSection("invariants");
         scanner_.skipLines()) {
      compose::cover::net::Configuration target;
      std::map<compose::cover::net::LocalState, uint32_t> counts;
      for (const auto &[x, bounds] : conjunction()) {
        compose::cover::addTo(target.threads, x, bounds.lower);
        if (bounds.upper && *bounds.upper != bounds.lower)
          throw logic::Unsupported("a target cannot contain an interval",
                                   scanner_.rangeAt(bounds.offset));
        if (bounds.upper)
          counts.emplace(x, bounds.lower);
      }
      model_.problem.targets.push_back(std::move(target));
      exactly.push_back(std::move(counts));
    }
    if (model_.problem.targets.empty())
      scanner_.fail("expected a target", "a target looks like 'x >= 1, y >= 2'");
    bool any =
        std::any_of(exactly.begin(), exactly.end(), [](const auto &c) { return !c.empty(); });
    if (any)
      model_.exactly = std::move(exactly);
  }
};

} // namespace

CoverModel readMist(const logic::SourceFilePtr &file) { return MistParser(file).run(); }

std::optional<std::string> disobeyed(const CoverModel &model,
                                     const compose::cover::net::CoverTrace &trace) {
  for (size_t i = 0; i < trace.fired.size(); ++i) {
    auto tests = model.zeroTests.find(trace.fired[i]);
    if (tests == model.zeroTests.end())
      continue;
    const compose::cover::net::Transition &t = model.problem.net.transitions[trace.fired[i]];
    compose::cover::net::Threads passive = compose::cover::less(trace.after[i].threads, t.consumes);
    for (compose::cover::net::LocalState local : tests->second)
      if (compose::cover::countOf(passive, local) > 0)
        return "a net with tests for an exact value, as on line " + std::to_string(t.origin) +
               ", can only be proved safe";
  }
  if (model.exactly.empty())
    return std::nullopt;
  for (size_t target = 0; target < model.exactly.size(); ++target) {
    const compose::cover::net::Configuration &last = trace.after.back();
    const auto &counts = model.exactly[target];
    bool met = std::all_of(counts.begin(), counts.end(), [&](const auto &count) {
      return countOf(last.threads, count.first) == count.second;
    });
    if (met && compose::cover::isBelow(model.problem.targets[target], last))
      return std::nullopt;
  }
  return "a target with exact values can only be proved unreachable";
}

} // namespace understudy::specs::net
