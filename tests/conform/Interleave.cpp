// SPDX-License-Identifier: Apache-2.0
#include "Interleave.h"

#include <deque>
#include <map>
#include <set>

namespace understudy::tests {
namespace {

constexpr size_t mostStates = 300000;

class Interleaving {
public:
  explicit Interleaving(const FiniteSystem &system) : space_(system.shared) {
    for (const Part &part : system.parts) {
      codes_.emplace_back(space_, part.code, ConcreteThread::Elsewhere::Local, NeverWritten{},
                          World::Code);
      for (int i = 0; i < part.count; ++i)
        instances_.push_back(codes_.size() - 1);
    }
  }

  std::optional<std::string> failure();

private:
  struct State {
    GlobalId g = 0;
    std::vector<LocalId> locals; ///< of each instance
    auto operator<=>(const State &) const = default;
  };

  void start(State state);
  void visit(State state, const State *from);
  bool startsWith(GlobalId g) const;

  SharedSpace space_;
  std::deque<ConcreteThread> codes_;
  std::vector<size_t> instances_; ///< the code that each thread runs
  std::map<State, const State *> seen_;
  std::vector<const State *> queue_;
};

bool Interleaving::startsWith(GlobalId g) const {
  for (size_t i = 0; i < space_.variables().size(); ++i)
    if (space_.variables()[i].start.value_or(space_.values(g)[i]) != space_.values(g)[i])
      return false;
  return true;
}

void Interleaving::visit(State state, const State *from) {
  const auto [found, isNew] = seen_.try_emplace(std::move(state), from);
  if (!isNew)
    return;
  if (seen_.size() > mostStates)
    throw TooLarge();
  queue_.push_back(&found->first);
}

void Interleaving::start(State state) {
  if (state.locals.size() == instances_.size())
    return visit(std::move(state), nullptr);
  for (LocalId l : codes_[instances_[state.locals.size()]].initial()) {
    State longer = state;
    longer.locals.push_back(l);
    start(std::move(longer));
  }
}

std::optional<std::string> Interleaving::failure() {
  for (GlobalId g = 0; g < space_.size(); ++g)
    if (startsWith(g))
      start({g, {}});
  for (size_t next = 0; next < queue_.size(); ++next) {
    const State &state = *queue_[next];
    for (size_t i = 0; i < instances_.size(); ++i) {
      ConcreteThread &code = codes_[instances_[i]];
      if (code.wrong(state.g, state.locals[i])) {
        std::string story = "thread " + std::to_string(i) + " goes wrong\n";
        for (const State *at = &state; at; at = seen_.at(*at))
          story = space_.text(at->g) + "\n" + story;
        return story;
      }
      for (const ConcreteThread::Step &step : code.steps(state.g, state.locals[i])) {
        State after = state;
        after.g = step.after;
        after.locals[i] = step.next;
        visit(std::move(after), &state);
      }
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<std::string> codeFails(const FiniteSystem &system) {
  return Interleaving(system).failure();
}

bool failsAlone(const FiniteSystem &system, size_t part) {
  const SharedSpace space(system.shared);
  ConcreteThread thread(space, system.parts[part].code, ConcreteThread::Elsewhere::Local,
                        NeverWritten{}, World::Code);
  std::set<LocalId> seen(thread.initial().begin(), thread.initial().end());
  std::vector<LocalId> todo(seen.begin(), seen.end());
  while (!todo.empty()) {
    const LocalId l = todo.back();
    todo.pop_back();
    for (GlobalId g = 0; g < space.size(); ++g) {
      if (thread.wrong(g, l))
        return true;
      for (const ConcreteThread::Step &step : thread.steps(g, l))
        if (seen.insert(step.next).second)
          todo.push_back(step.next);
    }
  }
  return false;
}

} // namespace understudy::tests
