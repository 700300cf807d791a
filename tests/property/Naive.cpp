// SPDX-License-Identifier: Apache-2.0
#include "Naive.h"

#include "logic/Error.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace understudy::tests {
namespace {

using namespace compose;
using namespace compose::exploration;

using ThreadKey =
    std::tuple<TemplateId, LocationId, std::optional<int64_t>, std::vector<logic::Value>>;
using Key = std::pair<std::vector<logic::Value>, std::vector<ThreadKey>>;

class Search {
public:
  Search(const Program &program, const NaiveOptions &options)
      : options_(options), interpreter_(program), idsMatter_(analyseIds(program).matters) {}

  NaiveResult run() {
    level_ = {};
    ThreadCounts counts;
    addStarts(options_.counts.begin(), counts);
    for (size_t depth = 0; !level_.empty(); ++depth) {
      if (states_.size() > options_.maxStates) {
        result_.tooLarge = true;
        result_.reason = "too many states";
        return result_;
      }
      if (someStateFails())
        return unsafe(depth);
      if (!advance())
        return unsafe(depth + 1);
    }
    return safe();
  }

private:
  void addStarts(ThreadCounts::const_iterator next, ThreadCounts &counts) {
    if (next == options_.counts.end()) {
      for (const Configuration &start : interpreter_.starts(counts))
        add(start, level_);
      return;
    }
    const bool fewer = options_.starred == Starred::OrFewer;
    for (uint32_t count = fewer ? 0 : next->second; count <= next->second; ++count) {
      counts[next->first] = count;
      addStarts(std::next(next), counts);
    }
  }

  Key keyOf(const Configuration &configuration) const {
    Key key{configuration.globals, {}};
    for (const Thread &thread : configuration.threads)
      key.second.emplace_back(thread.thread, thread.location, idsMatter_ ? thread.id : std::nullopt,
                              thread.locals);
    return key;
  }

  void add(const Configuration &configuration, std::vector<Configuration> &to) {
    if (states_.insert(keyOf(configuration)).second)
      to.push_back(configuration);
  }

  bool someStateFails() const {
    return std::any_of(level_.begin(), level_.end(), [&](const Configuration &configuration) {
      return interpreter_.stateFailure(configuration) ||
             (options_.deadlock == ExplicitOptions::Deadlock::Check &&
              interpreter_.isDeadlock(configuration));
    });
  }

  /// To the next level; false if one of the steps there goes wrong.
  bool advance() {
    std::vector<Configuration> next;
    for (const Configuration &before : level_) {
      for (const Step &step : interpreter_.steps(before)) {
        if (interpreter_.stepFailure(before, step))
          return false;
        add(step.after, next);
      }
      if (states_.size() > options_.maxStates)
        break;
    }
    level_ = std::move(next);
    return true;
  }

  NaiveResult unsafe(size_t length) {
    result_.answer = Answer::Unsafe;
    result_.length = length;
    return result_;
  }

  NaiveResult safe() {
    result_.answer = Answer::Safe;
    result_.states = states_.size();
    std::set<Key> multisets;
    for (Key key : states_) {
      std::map<TemplateId, uint32_t> alive;
      for (const ThreadKey &thread : key.second)
        result_.width = std::max(result_.width, ++alive[std::get<0>(thread)]);
      std::sort(key.second.begin(), key.second.end());
      multisets.insert(std::move(key));
    }
    result_.symmetricStates = multisets.size();
    return result_;
  }

  const NaiveOptions &options_;
  Interpreter interpreter_;
  bool idsMatter_;
  std::set<Key> states_;
  std::vector<Configuration> level_;
  NaiveResult result_;
};

} // namespace

NaiveResult exploreNaively(const compose::Program &program, const NaiveOptions &options) {
  try {
    return Search(program, options).run();
  } catch (const logic::Unsupported &unsupported) {
    NaiveResult result;
    result.reason = unsupported.what();
    return result;
  }
}

} // namespace understudy::tests
