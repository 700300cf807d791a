// SPDX-License-Identifier: Apache-2.0
//
// The parts of the translation: what can happen in a shared state, which local states may occur
// with it, and the transitions made of both.
#pragma once

#include "compose/Budget.h"
#include "compose/cover/translate/Translate.h"

#include <set>
#include <tuple>

namespace understudy::compose::cover::translate {

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
  std::optional<exploration::LocalId>
      before; ///< of the actor; none: it is part of the shared state
  std::optional<exploration::LocalId> after;
  exploration::GlobalId global = 0; ///< after the step
  net::SharedState to = 0;
  Effect effect = Effect::None;
  bool fails = false;
  exploration::LocalId created = 0; ///< of Fork
  CondId cond = 0;                  ///< of Signal, WakeOne and Broadcast
  std::optional<TemplateId> joinTemplate;
  std::optional<int64_t> joinId;
};

/// Which local states may occur with which shared state, as if each thread moved in an environment
/// of all others that may be there: more than there are, never fewer.
class ProgramNet::Closure {
public:
  Closure(ProgramNet &net, const TranslateOptions &options);

  void run();

  net::SharedState sharedCount() const { return static_cast<net::SharedState>(present_.size()); }
  const std::vector<exploration::LocalId> &localsOf(net::SharedState shared) const {
    return present_[shared].locals;
  }
  /// All that the threads there can do: first those that exist once.
  std::vector<Act> actsOf(net::SharedState shared);
  /// Something is wrong whoever else is there: what comes after it does not matter.
  bool isWrong(net::SharedState shared) const;
  bool areExcluded(exploration::LocalId first, exploration::LocalId second) const;
  /// Throws when the time is over.
  void work(uint64_t units) { budget_.work(units); }

  void addShared(net::SharedState shared);
  void addPair(net::SharedState shared, exploration::LocalId local);

private:
  /// What becomes of the threads that do not act.
  struct Passage {
    net::SharedState to = 0;
    Act::Effect effect = Act::Effect::None; ///< None, Signal or Broadcast
    CondId cond = 0;
    auto operator<=>(const Passage &) const = default;
  };
  struct Present {
    std::vector<exploration::LocalId> locals;
    std::vector<bool> has; ///< by LocalId
    std::set<Passage> passages;
  };

  ProgramNet &net_;
  const TranslateOptions &options_;
  bool idsMatter_;
  std::vector<Present> present_;
  std::vector<std::pair<net::SharedState, std::optional<exploration::LocalId>>> open_;
  uint64_t pairs_ = 0;
  Budget budget_;

  std::vector<Act> actsOfThread(net::SharedState shared, exploration::LocalId local);
  std::vector<Act> actsOfSingle(net::SharedState shared, size_t single);
  void addActs(net::SharedState shared, exploration::LocalId actor, std::optional<size_t> single,
               std::vector<Act> &out);
  void addForks(const exploration::Move &move, Act act, const SharedMeaning &before,
                std::optional<size_t> single, std::vector<Act> &out);
  void addWakes(const exploration::Move &move, Act act, const SharedMeaning &after,
                std::optional<size_t> single, std::vector<Act> &out);
  void follow(net::SharedState shared, const Act &act);
  void pass(exploration::LocalId local, const Passage &passage);
};

/// Transitions and targets, once it is known who may be where.
class ProgramNet::Emitter {
public:
  Emitter(ProgramNet &net, Closure &closure, const TranslateOptions &options)
      : net_(net), closure_(closure), options_(options) {}

  void run();

private:
  using Key = std::tuple<net::SharedState, net::SharedState, net::Threads, net::Threads,
                         std::vector<net::Move>, std::vector<net::Move>>;

  ProgramNet &net_;
  Closure &closure_;
  const TranslateOptions &options_;
  std::set<Key> known_;
  std::set<net::Configuration> targets_;

  const exploration::LocalInfo &info(exploration::LocalId local) const {
    return net_.model_->info(local);
  }
  void emit(net::SharedState shared, const Act &act);
  void add(const Act &act, net::Transition transition);
  void addTarget(net::Configuration target);
  void addExclusions(net::SharedState shared);
  void addBrokenRelies(net::SharedState shared, const Act &act, const net::Threads &there);
  std::vector<net::Move> wakings(net::SharedState shared, CondId cond);
  std::vector<exploration::LocalId> joinable(net::SharedState shared, const Act &act) const;
  void emitFor(net::SharedState shared, const Act &act, const net::Transition &transition);
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

  void addFor(exploration::GlobalId global);
  std::vector<SharedMeaning> withSingles(exploration::GlobalId global) const;
  bool isSingle(TemplateId thread) const;
};

/// One more, or `count` more, of a local state.
void put(net::Threads &threads, net::LocalState local, uint32_t count = 1);

} // namespace understudy::compose::cover::translate
