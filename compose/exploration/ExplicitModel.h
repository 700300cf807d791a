// SPDX-License-Identifier: Apache-2.0
//
// A program made ready for explicit search: valuations of the globals and states of single threads
// get numbers, and what a thread in local state l can do while the globals are g is computed once
// for every pair (g, l) and remembered. A search then works on small numbers only.
#pragma once

#include "compose/Program.h"
#include "compose/Trace.h"
#include "compose/exploration/Code.h"
#include "compose/exploration/EdgePlan.h"
#include "compose/exploration/TupleTable.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace understudy::compose::exploration {

using GlobalId = uint32_t; ///< number of a valuation of the globals
using LocalId = uint32_t;  ///< number of (template, location, thread id, valuation of the locals)

/// What a thread can do, and what that means for the others.
struct Move {
  enum class Effect : uint8_t { None, Fork, FreshFork, Join, Signal, Broadcast };
  EdgeId edge = 0;
  GlobalId global = 0; ///< after the step; not of a FreshFork
  LocalId local = 0;   ///< of the moving thread, after the step; not of a FreshFork
  Effect effect = Effect::None;
  bool fails = false;
  /// Fork: the LocalId created. FreshFork: index for `forkFresh`. Signal, Broadcast: the condition.
  uint32_t object = 0;
  std::optional<TemplateId> joinTemplate;
  std::optional<int64_t> joinId;
};

/// What a search asks about a local state again and again.
struct LocalInfo {
  TemplateId thread = 0;
  LocationId location = 0;
  bool isFinal = false;
  bool relies = false;
  bool excluded = false; ///< at a place of some exclusion
  std::optional<int64_t> id;
  std::optional<CondId> waitsOn;
  LocalId woken = 0; ///< where a signal or broadcast moves it; set if `waitsOn` is
};

/// A thread created with a fresh id.
struct FreshThread {
  GlobalId global = 0;
  LocalId mover = 0;
  LocalId created = 0;
};

class ExplicitModel {
public:
  /// The program must outlive the model.
  explicit ExplicitModel(const Program &program);
  ~ExplicitModel();

  const Program &program() const { return program_; }

  std::vector<GlobalId> startGlobals();
  std::vector<LocalId> startLocals(TemplateId thread, GlobalId global);

  /// Valid until the next call.
  const std::vector<Move> &moves(GlobalId global, LocalId local);
  /// Carries out a FreshFork move with the given id, in every way; none if it is not enabled.
  std::vector<FreshThread> forkFresh(const Move &move, int64_t id);

  const LocalInfo &info(LocalId local) const { return infos_[local]; }
  const Edge &edge(LocalId local, EdgeId edge) const {
    return program_.edge(infos_[local].thread, edge);
  }
  /// The first violated invariant, or none.
  std::optional<size_t> violatedInvariant(GlobalId global) const;
  /// The first rely of the location that the change breaks, or none.
  std::optional<size_t> brokenRely(LocalId local, GlobalId before, GlobalId after);

  /// Values as they are stored; locals after a header: template, location, has an id, id. Valid
  /// until the next tuple is interned.
  static constexpr size_t localHeader = 4;
  std::span<const int64_t> globalTuple(GlobalId global) const { return globals_.tuple(global); }
  std::span<const int64_t> localTuple(LocalId local) const { return locals_.tuple(local); }
  GlobalId internGlobal(std::span<const int64_t> tuple);
  LocalId internLocal(std::span<const int64_t> tuple);
  ArrayTable &arrays() { return arrays_; }

  GlobalId globalOf(const std::vector<Value> &values);
  LocalId localOf(const Thread &thread);
  std::vector<Value> globalValues(GlobalId global) const;
  Thread threadOf(LocalId local) const;

  size_t memoryBytes() const;
  size_t globalCount() const { return globals_.size(); }
  size_t localCount() const { return locals_.size(); }

private:
  struct TemplatePlans;
  using Slots = std::vector<int64_t>;
  /// A fork that needs an id: its relation may speak of the id, so it is solved when the id is
  /// known.
  struct PendingFork {
    GlobalId before;
    LocalId local;
    EdgeId edge;
  };

  const Program &program_;
  bool idsMatter_; ///< otherwise no thread has an id here, so that all stay interchangeable
  ArrayTable arrays_;
  std::vector<TemplatePlans> plans_;
  TupleTable globals_;
  TupleTable locals_;
  std::vector<LocalInfo> infos_;
  std::vector<uint32_t> invariants_; ///< of a GlobalId: 0, or 1 + index of the violated one
  FlatMap moveIndex_;
  std::deque<std::vector<Move>> moves_;
  size_t moveCount_ = 0;
  std::vector<PendingFork> pendingForks_;
  std::vector<Code> invariantCode_;
  std::vector<std::vector<std::vector<Code>>> relyCode_; ///< template, location

  size_t localWidth() const;
  LocalId internThread(TemplateId thread, LocationId location, std::optional<int64_t> id,
                       std::span<const int64_t> values);
  LocalInfo describe(LocalId local);
  std::vector<Move> computeMoves(GlobalId global, LocalId local);
  void forEachOutcome(GlobalId global, LocalId local, EdgeId edge, std::optional<int64_t> freshId,
                      const std::function<void(const Move &, const Slots &)> &found);
  void addMoves(const Edge &edge, Move move, GlobalId before, const Slots &slots,
                std::vector<Move> &out);
  std::vector<int64_t> argumentsOf(TemplateId thread, EdgeId edge, const Slots &slots);
  std::vector<LocalId> newThreads(TemplateId thread, std::optional<int64_t> id,
                                  std::span<const int64_t> arguments, GlobalId context);
};

} // namespace understudy::compose::exploration
