// SPDX-License-Identifier: Apache-2.0
//
// The parts of the translation: what can happen in a shared state, which local states may occur
// with it, and the transitions made of both.
#pragma once

#include "compose/cover/Translate.h"

#include <chrono>
#include <set>
#include <tuple>

namespace understudy::compose::cover {

/// One step that a thread, or a thread that exists once, can take in a shared state, as far as it
/// does not depend on who else is there.
struct Act {
  enum class Effect : uint8_t {
    None,
    Fork,
    Join,
    Signal,   ///< wakes one of the waiting threads, or none if nobody waits
    WakeOne,  ///< wakes one of the waiting threads
    Broadcast ///< wakes all
  };
  StepMeaning step;
  std::optional<LocalId> before; ///< of the actor; none: it is part of the shared state
  std::optional<LocalId> after;
  GlobalId global = 0; ///< after the step
  SharedState to = 0;
  Effect effect = Effect::None;
  bool fails = false;
  LocalId created = 0; ///< of Fork
  CondId cond = 0;     ///< of Signal, WakeOne and Broadcast
  std::optional<TemplateId> joinTemplate;
  std::optional<int64_t> joinId;
};

/// Which local states may occur with which shared state, as if each thread moved in an environment
/// of all others that may be there: more than there are, never fewer.
class ProgramNet::Closure {
public:
  Closure(ProgramNet &net, const TranslateOptions &options);

  void run();

  SharedState sharedCount() const { return static_cast<SharedState>(present_.size()); }
  const std::vector<LocalId> &localsOf(SharedState shared) const { return present_[shared].locals; }
  /// All that the threads there can do: first those that exist once.
  std::vector<Act> actsOf(SharedState shared);
  /// Something is wrong whoever else is there: what comes after it does not matter.
  bool isWrong(SharedState shared) const;
  bool areExcluded(LocalId first, LocalId second) const;
  void requireTime() const;

  void addShared(SharedState shared);
  void addPair(SharedState shared, LocalId local);

private:
  /// What becomes of the threads that do not act.
  struct Passage {
    SharedState to = 0;
    Act::Effect effect = Act::Effect::None; ///< None, Signal or Broadcast
    CondId cond = 0;
    auto operator<=>(const Passage &) const = default;
  };
  struct Present {
    std::vector<LocalId> locals;
    std::vector<bool> has; ///< by LocalId
    std::set<Passage> passages;
  };

  ProgramNet &net_;
  const TranslateOptions &options_;
  bool idsMatter_;
  std::vector<Present> present_;
  std::vector<std::pair<SharedState, std::optional<LocalId>>> open_;
  uint64_t pairs_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();

  std::vector<Act> actsOfThread(SharedState shared, LocalId local);
  std::vector<Act> actsOfSingle(SharedState shared, size_t single);
  void addActs(SharedState shared, LocalId actor, std::optional<size_t> single,
               std::vector<Act> &out);
  void addForks(const compose::Move &move, Act act, const SharedMeaning &before,
                std::optional<size_t> single, std::vector<Act> &out);
  void addWakes(const compose::Move &move, Act act, const SharedMeaning &after,
                std::optional<size_t> single, std::vector<Act> &out);
  void follow(SharedState shared, const Act &act);
  void pass(LocalId local, const Passage &passage);
};

/// Transitions and targets, once it is known who may be where.
class ProgramNet::Emitter {
public:
  Emitter(ProgramNet &net, Closure &closure, const TranslateOptions &options)
      : net_(net), closure_(closure), options_(options) {}

  void run();

private:
  using Key =
      std::tuple<SharedState, SharedState, Threads, Threads, std::vector<Move>, std::vector<Move>>;

  ProgramNet &net_;
  Closure &closure_;
  const TranslateOptions &options_;
  std::set<Key> known_;
  std::set<Configuration> targets_;

  const LocalInfo &info(LocalId local) const { return net_.model_->info(local); }
  void emit(SharedState shared, const Act &act);
  void add(const Act &act, Transition transition);
  void addTarget(Configuration target);
  void addExclusions(SharedState shared);
  void addBrokenRelies(SharedState shared, const Act &act, const Threads &there);
  std::vector<Move> wakings(SharedState shared, CondId cond);
  std::vector<LocalId> joinable(SharedState shared, const Act &act) const;
  void emitFor(SharedState shared, const Act &act, const Transition &transition);
};

/// The start configurations.
class ProgramNet::Starts {
public:
  Starts(ProgramNet &net, Closure &closure, const TranslateOptions &options)
      : net_(net), closure_(closure), options_(options) {}

  void run();

private:
  ProgramNet &net_;
  Closure &closure_;
  const TranslateOptions &options_;

  void addFor(GlobalId global);
  std::vector<SharedMeaning> withSingles(GlobalId global) const;
  bool isSingle(TemplateId thread) const;
};

/// One more, or `count` more, of a local state.
void put(Threads &threads, LocalState local, uint32_t count = 1);

} // namespace understudy::compose::cover
