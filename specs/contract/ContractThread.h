// SPDX-License-Identifier: Apache-2.0
//
// One thread of a contract between syntax and template: first everything is checked
// (ContractCheck.cpp), then the mutexes that each state holds are found (ContractLocks.cpp), then
// locations and edges are made (ContractEmit.cpp).
#pragma once

#include "specs/Compile.h"
#include "specs/check/Unit.h"

#include <map>
#include <set>

namespace understudy::specs::contract {

struct SharedInfo {
  bool ghost = false;
  std::optional<syntax::Name> guardName;
  std::optional<uint32_t> guard; ///< number of the mutex
};

/// A thread of the file; one without body has an empty template.
struct ThreadEntry {
  const syntax::ContractThread *tree = nullptr;
  compose::TemplateId id = 0;
  bool used = false; ///< run or forked
  std::map<std::string, compose::LocationId> states;
};

struct ContractContext {
  check::Unit unit;
  CompileOptions options;
  std::vector<ThreadEntry> threads;
  std::map<logic::Variable, SharedInfo> shared;
  std::vector<compose::Claim> relies; ///< as stored in locations; to be proved transitive

  bool isGhost(logic::Variable variable) const {
    auto found = shared.find(variable);
    return found != shared.end() && found->second.ghost;
  }
};

struct CheckedAction {
  syntax::ActionKind kind = syntax::ActionKind::Call;
  const check::Symbol *target = nullptr; ///< thread, mutex or cond; null for call and `join as e`
  const check::Symbol *mutex = nullptr;  ///< of wait
  logic::Term id;                        ///< may be empty
  std::string function;                  ///< of call
};

struct CheckedEdge {
  const syntax::EdgeDecl *tree = nullptr;
  std::optional<size_t> target;       ///< index into the states; none after a report
  std::vector<logic::Term> conjuncts; ///< held(m) is still a variable in them
  std::set<logic::Variable> havocs;
  std::optional<CheckedAction> action;
};

using MutexSet = std::set<uint32_t>;

struct CheckedState {
  const syntax::StateDecl *tree = nullptr;
  std::vector<compose::Claim> asserts;
  std::vector<compose::Claim> relies;
  std::vector<CheckedEdge> edges;
  std::optional<MutexSet> held; ///< none: not reached
};

struct CheckedThread {
  const syntax::ContractThread *tree = nullptr;
  std::vector<logic::Variable> locals;
  std::vector<logic::Term> initial;
  std::vector<compose::Claim> asserts;
  std::vector<compose::Claim> relies;
  std::vector<CheckedState> states;
};

CheckedThread checkThread(ContractContext &context, const syntax::ContractThread &tree);

/// Sets `held` of every state and reports what breaks the discipline: locking twice, unlocking or
/// waiting without the lock, ending with it, states with and without it, guarded variables changed
/// without it.
void checkLocks(ContractContext &context, CheckedThread &thread);

compose::Template emitThread(ContractContext &context, const CheckedThread &thread);

/// The variable that stands for held(m) until the state is known.
logic::Variable heldPlaceholder(logic::TermPool &pool, const std::string &thread,
                                const std::string &mutex);

} // namespace understudy::specs::contract
