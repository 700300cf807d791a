// SPDX-License-Identifier: Apache-2.0
//
// The variables of a petrified program: every instance of a template has its own copies of the
// template's locals, and where thread ids matter its id.
#pragma once

#include "compose/petri/PetriProgram.h"

#include <map>
#include <optional>
#include <vector>

namespace understudy::compose::petri {

/// What the program does with threads, as far as its reachable locations go.
struct ThreadUse {
  explicit ThreadUse(const Program &program);

  std::vector<std::vector<bool>> reachable; ///< template -> location, along edges and wake-ups
  std::vector<bool> forked;
  std::vector<uint32_t> started;
  bool needsIds = false;   ///< a join asks for an id, or a fork stores a fresh one
  bool givesFresh = false; ///< some fork needs an id different from all alive
  uint64_t looks = 0;      ///< at edges, to find this out

private:
  void reach(const Program &program, TemplateId thread);
};

/// The labels of petrified steps: equations (1) to (4) without places.
///
/// Deviations. Fork leaves every local of the new instance open and then constrains it by the
/// template's initial condition: in the paper the locals of a reused instance keep the values of
/// the thread that is gone, which loses executions. An instance has a flag `live` (it exists and
/// has an id) where fresh ids are given or threads without id share the template with forked ones.
class Instances {
public:
  Instances(const Program &program, const ThreadUse &use, uint32_t limit);

  /// How many instances the template has; those that forks can create number `limit`.
  uint32_t count(TemplateId thread) const;
  /// The number used for the thread that finds no instance: its variables serve as unknowns only.
  uint32_t spare(TemplateId thread) const { return count(thread) + 1; }

  /// The edge's relation for this instance, without its action.
  Label step(Instance mover, const Edge &edge) const;
  void addFork(Label &label, Instance mover, const Fork &fork, Instance created) const;
  void addJoin(Label &label, Instance mover, const Join &join, Instance joined) const;
  /// Can this join remove a thread of the template at all?
  bool joinable(const Join &join, TemplateId thread) const;

  /// What holds of instance `started` at the start.
  void addStart(std::vector<Term> &initial, Instance started) const;
  /// What holds at the start of an instance that does not exist.
  void addAbsent(std::vector<Term> &initial, Instance absent) const;

  /// Fills `variables`, `locals` and `ids`.
  void describe(PetriProgram &petri) const;

private:
  const Program &program_;
  const ThreadUse &use_;
  uint32_t limit_;
  logic::TermPool &pool_;
  std::vector<std::map<Variable, size_t>> localIndex_;
  std::vector<std::vector<std::vector<Variable>>> locals_; ///< with those of the spare

  std::string scope(Instance instance) const;
  bool hasId(TemplateId thread) const { return use_.needsIds && use_.forked[thread]; }
  bool hasLive(TemplateId thread) const;
  Variable id(Instance instance) const;
  Variable live(Instance instance) const;
  Variable local(Instance instance, Variable variable) const;
  Term renamed(Instance instance, Term term) const;
  Term created(Instance instance, Term initial) const;
};

/// Sorts and removes duplicates.
void normalise(std::vector<Variable> &variables);

} // namespace understudy::compose::petri
