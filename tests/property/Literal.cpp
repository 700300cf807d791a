// SPDX-License-Identifier: Apache-2.0
#include "Literal.h"

#include "LiteralStep.h"
#include "logic/Error.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::tests {

using namespace literal;

namespace {

/// (M, g): the globals and the multiset of threads, sorted.
using Global = std::pair<std::vector<int64_t>, std::vector<literal::Thread>>;

class LiteralSearch {
public:
  LiteralSearch(const Model &model, const LiteralOptions &options)
      : model_(model), options_(options), stepper_(model, options.spurious) {}

  LiteralResult run() {
    starts();
    while (stepper_.failure.empty() && !open_.empty()) {
      if (seen_.size() > options_.maxStates)
        throw logic::Unsupported("too many states");
      const Global next = std::move(open_.back());
      open_.pop_back();
      expand(next);
    }
    if (!stepper_.failure.empty())
      return {compose::Answer::Unsafe, {}, 0, stepper_.failure};
    return {compose::Answer::Safe, {}, width_, {}};
  }

private:
  void starts() {
    std::vector<std::vector<int64_t>> valuations = {{}};
    for (const literal::Variable &global : model_.globals) {
      std::vector<std::vector<int64_t>> longer;
      for (const std::vector<int64_t> &partial : valuations)
        for (int64_t value : initialValues(global, partial)) {
          longer.push_back(partial);
          longer.back().push_back(value);
        }
      valuations = std::move(longer);
    }
    for (const std::vector<int64_t> &globals : valuations) {
      const Moment moment{globals, {}, {}};
      if (std::all_of(model_.initially.begin(), model_.initially.end(),
                      [&](const Expr *e) { return valueOf(model_, *e, moment) != 0; }))
        populate(globals);
    }
  }

  std::vector<int64_t> initialValues(const literal::Variable &global,
                                     const std::vector<int64_t> &earlier) {
    if (global.initial)
      return {valueOf(model_, *global.initial, {earlier, {}, {}})};
    if (!global.type.values)
      throw logic::Unsupported("an unbounded global without a value");
    return *global.type.values;
  }

  void populate(const std::vector<int64_t> &globals) {
    std::vector<std::vector<literal::Thread>> all = {{}};
    for (const auto &[name, count] : model_.run)
      for (uint32_t i = 0; i < count; ++i) {
        std::vector<std::vector<literal::Thread>> more;
        for (const literal::Thread &thread : stepper_.created(model_.templateNamed(name).value(),
                                                              std::nullopt, {}, {globals, {}, {}}))
          for (const auto &partial : all) {
            more.push_back(partial);
            more.back().push_back(thread);
          }
        all = std::move(more);
      }
    for (const auto &threads : all)
      add({globals, threads});
  }

  void add(Global global) {
    std::sort(global.second.begin(), global.second.end());
    if (!seen_.insert(global).second)
      return;
    std::map<size_t, uint32_t> alive;
    for (const literal::Thread &thread : global.second)
      width_ = std::max(width_, ++alive[thread.thread]);
    const Moment moment{global.first, global.second, {}};
    for (const Expr *invariant : model_.invariants)
      if (valueOf(model_, *invariant, moment) == 0)
        stepper_.failure = "invariant";
    for (const specs::syntax::NeverItem *never : model_.exclusions)
      if (together(*never, global.second))
        stepper_.failure = "never";
    open_.push_back(std::move(global));
  }

  bool at(const literal::Thread &thread, const specs::syntax::PlaceRef &place) const {
    return model_.templates[thread.thread].name == place.thread.text && !thread.rest.empty() &&
           thread.mode == Mode::Running &&
           model_.labels.at(thread.rest.back()).contains(place.place.text);
  }

  bool together(const specs::syntax::NeverItem &never,
                const std::vector<literal::Thread> &threads) const {
    for (size_t i = 0; i < threads.size(); ++i)
      for (size_t j = 0; j < threads.size(); ++j)
        if (i != j && at(threads[i], never.first) && at(threads[j], never.second))
          return true;
    return false;
  }

  void expand(const Global &global) {
    for (size_t i = 0; i < global.second.size(); ++i) {
      Moment before{global.first, global.second, global.second[i]};
      before.others.erase(before.others.begin() + static_cast<std::ptrdiff_t>(i));
      for (Moment &after : stepper_.steps(before)) {
        after.others.push_back(after.self);
        add({std::move(after.globals), std::move(after.others)});
      }
    }
  }

  const Model &model_;
  const LiteralOptions &options_;
  Stepper stepper_;
  std::set<Global> seen_;
  std::vector<Global> open_;
  uint32_t width_ = 0;
};

} // namespace

LiteralResult exploreLiterally(const specs::syntax::ConcFile &program,
                               const LiteralOptions &options) {
  try {
    const Model model = modelOf(program, options.starred);
    return LiteralSearch(model, options).run();
  } catch (const logic::Unsupported &unsupported) {
    return {compose::Answer::Unknown, unsupported.what(), 0, {}};
  }
}

} // namespace understudy::tests
