// SPDX-License-Identifier: Apache-2.0
//
// Breadth-first search over the states of a program with finitely many threads at the start.
//
// With symmetry a state is a multiset of local states (section 2.3 of the widening paper calls this
// counter representation an exact abstraction): n threads of one template cost a polynomial, not an
// exponential, number of states. Where the program allows it, states that differ only in the names
// of thread ids are one state, too (`IdNames.h`). States are stored in the order they are found, so
// the store is also the queue, and the first violation found has a shortest path.
#pragma once

#include "compose/IdUse.h"
#include "compose/exploration/Explicit.h"
#include "compose/exploration/ExplicitModel.h"
#include "compose/exploration/ExplicitState.h"
#include "compose/exploration/IdNames.h"
#include "compose/exploration/StateStore.h"

#include <chrono>
#include <map>
#include <optional>

namespace understudy::compose::exploration {

class ExplicitSearch {
public:
  ExplicitSearch(const Program &program, const ExplicitOptions &options);

  /// Throws `logic::Unsupported` for what cannot be decided.
  Verdict run();

private:
  struct Violation {
    uint32_t state = 0;
    FailureKind kind = FailureKind::Assertion;
    LocalId mover = 0;          ///< of a failing step
    std::optional<EdgeId> edge; ///< of a failing step
  };

  const Program &program_;
  const ExplicitOptions &options_;
  ExplicitModel model_;
  IdUse ids_;
  ExplicitState::Order order_;
  std::optional<IdNames> names_;             ///< none: ids keep their names
  std::map<uint32_t, ExplicitState> starts_; ///< as they were before their ids got new names
  StateStore store_;
  std::optional<Violation> violation_;
  Statistics statistics_;
  uint32_t width_ = 0;
  std::vector<uint32_t> alive_;     ///< scratch: threads by template
  std::vector<uint8_t> bytes_;      ///< scratch
  ExplicitState next_;              ///< scratch, so that most steps allocate nothing
  ExplicitState named_;             ///< scratch
  uint32_t current_ = 0;            ///< the state that is being expanded
  uint32_t thread_ = 0;             ///< its thread that moves, as `reachedStates` lists them
  EdgeId edge_ = 0;                 ///< along which it moves
  ReachedStates *record_ = nullptr; ///< where to note how steps rename ids
  Budget budget_;
  uint64_t nextLogged_ = 1; ///< as many states

  void addStarts();
  /// The reason if there is a limit that ends it.
  std::optional<std::string> explore();
  void addStartsWith(const ThreadCounts &counts);
  std::vector<ThreadCounts> countsToTry() const;
  void expand(const ExplicitState &state);
  bool isStuck(const ExplicitState &state);
  /// Moves that need another thread, or an id, may have to wait for it.
  bool isEnabled(const ExplicitState &state, size_t mover, const Move &move);
  /// A deadlock in the level that is being expanded is nearer than a failing step from it.
  void preferDeadlock(uint32_t levelEnd);
  /// The groups with a thread that a Join move of `mover` can take.
  std::vector<size_t> joinable(const ExplicitState &state, size_t mover, const Move &move) const;
  void apply(const ExplicitState &state, size_t mover, const Move &move);
  void applyFork(const ExplicitState &state, size_t mover, const Move &move);
  void applyJoin(const ExplicitState &state, size_t mover, const Move &move);
  void applyWake(const ExplicitState &state, size_t mover, const Move &move);
  std::vector<int64_t> freshIds(const ExplicitState &state) const;
  /// A thread of group `joined` (or none) is gone after the step.
  bool keepsRelies(const ExplicitState &state, size_t mover, const Move &move,
                   std::optional<size_t> joined);
  void insert(const ExplicitState &reached, uint32_t parent);
  void noteRenaming();
  std::optional<FailureKind> stateFailure(const ExplicitState &state) const;
  bool violatesExclusion(const ExplicitState &state) const;
  bool unfinished(const ExplicitState &state) const;
  void noteWidth(const ExplicitState &state);
  /// The reason to stop, if a limit is reached.
  std::optional<std::string> limitReached() const;
  void report();

  ReachedStates reachedStates();
  Configuration listed(uint32_t number) const;
  Trace buildTrace();
  Configuration concreteStart(uint32_t number) const;
  ExplicitState abstractionOf(const Configuration &configuration);
  std::vector<Thread> distinctThreads(const Configuration &configuration);
  Step concreteStep(const Interpreter &interpreter, const Configuration &before, uint32_t next);
  void appendFailure(const Interpreter &interpreter, Trace &trace);
};

} // namespace understudy::compose::exploration
