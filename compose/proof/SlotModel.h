// SPDX-License-Identifier: Apache-2.0
//
// The program with its threads in slots: the states and steps that an Owicki-Gries annotation
// speaks of, from the semantics in `Program.h` alone.
#pragma once

#include "compose/proof/OwickiGries.h"

#include <string>
#include <vector>

namespace understudy::compose::proof {

using SlotId = uint32_t;
using SlotPlace = uint32_t; ///< a slot at a location, or empty

/// One step of the program, for one mover and one way in which its action concerns others.
struct SlotStep {
  struct Move {
    SlotId slot = 0;
    SlotPlace from = 0;
    SlotPlace to = 0;
  };
  /// The slot is at one of the places, and stays there.
  struct Rest {
    SlotId slot = 0;
    std::vector<SlotPlace> places;
  };
  enum class Kind : uint8_t {
    Taken,     ///< a step of the program
    TooFew,    ///< a fork that finds no empty slot; it has no `to`
    Arguments, ///< a fork before it gives the parameters their values; it has no `to`
  };
  Kind kind = Kind::Taken;
  EdgeId edge = 0;
  std::vector<Move> moves; ///< the mover first, then the others by slot
  std::vector<Rest> rests;
  std::vector<Term> relation;     ///< conjuncts
  std::vector<Variable> modified; ///< sorted; all else keeps its value
  std::vector<Term> ranges;       ///< of Arguments: what must hold of them
};

class SlotModel {
public:
  static constexpr uint64_t maxSteps = 200'000;
  static constexpr uint64_t maxPlaces = 10'000;

  /// Throws InvalidEvidence when there are fewer slots than threads at the start, and
  /// `logic::Unsupported` for threads of any number, for ids in bounded variables and for more than
  /// `maxSteps` steps or `maxPlaces` places.
  SlotModel(const Program &program, std::vector<uint32_t> slots);

  const Program &program() const { return program_; }
  const std::vector<Slot> &slots() const { return slots_; }
  const Template &thread(SlotId slot) const { return program_.templates[slots_[slot].thread]; }
  std::optional<SlotId> slotOf(Slot slot) const;

  uint32_t places() const { return places_; }
  SlotPlace place(SlotId slot, std::optional<LocationId> location) const;
  SlotId slotAt(SlotPlace place) const { return owner_[place]; }
  std::optional<LocationId> locationAt(SlotPlace place) const;
  /// Those of one slot: from `first(slot)` to before `first(slot + 1)`.
  SlotPlace first(SlotId slot) const { return first_[slot]; }
  std::string describe(SlotPlace place) const; ///< "w#2 at line 3"

  const std::vector<Variable> &variables() const { return variables_; }
  const std::vector<Term> &initial() const { return initial_; } ///< conjuncts
  const std::vector<SlotPlace> &starts() const { return starts_; }
  const std::vector<SlotStep> &steps() const { return steps_; }
  std::string describe(const SlotStep &step) const;
  bool isWaking(const SlotStep &step) const;
  /// Created, joined or woken, by slot, as an update names them.
  std::vector<OwickiGries::Other> othersOf(const SlotStep &step) const;
  const Edge &edgeOf(const SlotStep &step) const;
  /// The formula with the template's locals replaced by the slot's.
  Term inSlot(SlotId slot, Term formula) const;

  /// May the two places, of different slots, be taken together; or, for one place, may it be taken
  /// at all? An over-approximation.
  bool together(SlotPlace a, SlotPlace b) const { return together_[a][b]; }
  /// May the step be taken, as far as `together` knows?
  bool canHappen(const SlotStep &step) const;
  /// Places of slots that do not move, at which another thread may be while the step is taken.
  std::vector<SlotPlace> bystanders(const SlotStep &step) const;

private:
  const Program &program_;
  logic::TermPool &pool_;
  std::vector<uint32_t> counts_;
  std::vector<Slot> slots_;
  std::vector<SlotPlace> first_;
  std::vector<SlotId> owner_;
  uint32_t places_ = 0;
  std::vector<bool> forked_; ///< template -> by some thread that may run
  std::vector<Variable> variables_;
  std::vector<Term> initial_;
  std::vector<SlotPlace> starts_;
  std::vector<SlotStep> steps_;
  std::vector<std::vector<bool>> together_;

  std::string scope(SlotId slot) const;
  Variable local(SlotId slot, Variable variable) const;
  Variable idOf(SlotId slot) const;
  Variable liveOf(SlotId slot) const;
  bool hasId(SlotId slot) const { return forked_[slots_[slot].thread]; }
  bool waitsOn(SlotPlace place, CondId cond) const;

  void findForked();
  void makeSlots();
  void makeStart();
  void addEdge(SlotId mover, EdgeId edge);
  void addStep(SlotStep step);
  void addFork(const SlotStep &step, const Fork &fork);
  void addArguments(SlotStep step, const Fork &fork);
  void create(SlotStep &step, const Fork &fork, SlotId created) const;
  void addJoin(const SlotStep &step, const Join &join);
  void addSignal(const SlotStep &step, CondId cond);
  void addBroadcast(SlotStep step, CondId cond, SlotId next);
  SlotStep::Rest awake(SlotId slot, CondId cond) const;

  void findTogether();
  bool relate(SlotPlace a, SlotPlace b);
  bool allow(const SlotStep &step, SlotPlace place) const;
  bool fire(const SlotStep &step);
};

} // namespace understudy::compose::proof
