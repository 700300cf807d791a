// SPDX-License-Identifier: Apache-2.0
//
// What the Promela model keeps about each kind of thread, and how it is declared. Every thread is a
// process; its locals stand in tables with one entry for each thread, so that a fork can fill them
// in its own step. The place of a thread is its process's control state; where other threads look
// at it or change it (join, wake-ups, relies, exclusions), also an entry of a table.
#pragma once

#include "compose/Interpreter.h"
#include "tools/exports/promela/PromelaText.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace understudy::tools::exports::promela {

struct PromelaKind {
  uint32_t started = 0; ///< alive at the start
  uint32_t slots = 0;   ///< processes: started ones first, then those that forks bring to life
  bool forked = false;
  bool joinable = false;
  bool hasPlaceTable = false;
  bool hasIds = false;    ///< forked, and the program speaks of ids
  bool hasIdFlag = false; ///< some have an id and some have none
  std::string process;
  std::string placeTable;
  std::string idTable;
  std::string idFlagTable;
  std::vector<std::string> labels; ///< of the locations
};

class PromelaModel {
public:
  /// A slot whose thread is not alive.
  static constexpr unsigned nowhere = 32767;

  /// `pools` gives the number of slots for forked threads; others get `defaultPool`.
  PromelaModel(const compose::Program &program, const compose::ThreadCounts &counts,
               const std::map<compose::TemplateId, uint32_t> &pools);

  static constexpr uint32_t defaultPool = 8;

  const compose::Program &program() const { return program_; }
  const PromelaScope &scope() const { return scope_; }
  const PromelaKind &kind(compose::TemplateId id) const { return kinds_[id]; }
  size_t kindCount() const { return kinds_.size(); }

  /// "PnpAdd_at[2] == 3"
  std::string isAt(compose::TemplateId kind, const std::string &slot,
                   compose::LocationId location) const;
  /// "some living thread has this id"
  std::string isAlive(const std::string &id) const;
  /// "the program knows this id": a constant is it, or a variable of some thread holds it.
  std::string isHeld(const std::string &id) const;
  /// Everything that the program may compare ids with: constants, and places of variables. Throws
  /// `logic::Unsupported` when no finite choice of fresh ids is enough.
  std::vector<std::string> heldIds() const;
  /// Label of a location in its process.
  const std::string &label(compose::TemplateId kind, compose::LocationId location) const;

  std::string declarations() const;

private:
  const compose::Program &program_;
  PromelaNames names_;
  PromelaScope scope_;
  std::vector<PromelaKind> kinds_;

  void countThreads(const compose::ThreadCounts &counts);
  void markForksAndJoins();
  void sizePools(const std::map<compose::TemplateId, uint32_t> &pools);
  void markObserved();
  void nameTables();
};

} // namespace understudy::tools::exports::promela
