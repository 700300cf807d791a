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
  const syntax::SharedDecl *tree = nullptr;
  // What the discipline names.
  std::optional<uint32_t> mutex;
  std::optional<uint32_t> section;
  std::optional<uint32_t> owner; ///< number of the thread in the file

  bool is(syntax::DisciplineKind kind) const {
    return tree->discipline && tree->discipline->kind == kind;
  }
};

/// A section is no lock in the composition; only states inside it exclude each other.
struct SectionInfo {
  const syntax::SharedDecl *tree = nullptr;
  std::optional<logic::Variable> inside;  ///< a writer is; none if no state is
  std::optional<logic::Variable> readers; ///< how many are; none if no state is for reading
};

/// A thread of the file; one without body has an empty template.
struct ThreadEntry {
  const syntax::ContractThread *tree = nullptr;
  compose::TemplateId id = 0;
  bool used = false; ///< run or forked
  const syntax::ActionRef *forkedBy = nullptr;
  std::map<std::string, compose::LocationId> states;
};

struct ContractContext {
  check::Unit unit;
  CompileOptions options;
  std::vector<ThreadEntry> threads;
  std::map<logic::Variable, SharedInfo> shared;
  std::vector<SectionInfo> sections;
  std::vector<compose::Claim> relies; ///< as stored in locations; to be proved transitive

  bool isGhost(logic::Variable variable) const {
    auto found = shared.find(variable);
    return found != shared.end() && found->second.tree->ghost;
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

/// The section of a state `inside L`.
struct Inside {
  uint32_t section = 0;
  bool reading = false;
};

struct CheckedState {
  const syntax::StateDecl *tree = nullptr;
  std::optional<Inside> inside;
  std::vector<compose::Claim> asserts;
  std::vector<compose::Claim> relies;
  std::vector<CheckedEdge> edges;
  std::optional<MutexSet> held; ///< none: not reached
};

struct ThreadAssert {
  compose::Claim claim;
  std::set<size_t> except; ///< indices of states
};

struct CheckedThread {
  const syntax::ContractThread *tree = nullptr;
  std::vector<logic::Variable> locals;
  std::vector<logic::Term> initial;
  std::vector<ThreadAssert> asserts;
  std::vector<compose::Claim> relies;
  std::vector<CheckedState> states;
};

CheckedThread checkThread(ContractContext &context, const syntax::ContractThread &tree);

/// Checks a definition with parameters, which is not declared yet.
check::Symbol withParameters(ContractContext &context, const syntax::DefineDecl &node);
/// Paths, disciplines and claims: what the items that speak of C say is checked as far as it can
/// be without the code. Resolves what disciplines name.
void checkBindings(ContractContext &context, const syntax::Contract &contract);
/// Reports an owner that is not one thread; all threads have been checked.
void checkOwners(ContractContext &context);
/// Declares the flags of sections that states of the contract are inside of.
void declareInside(ContractContext &context);
/// "environment Timer changes busy under lock": for the list of assumptions.
std::vector<std::string> environmentSections(const ContractContext &context,
                                             const CheckedThread &thread);

/// What an edge between two states asks of the flags of sections, and does to them.
struct SectionMove {
  logic::Term enabled;             ///< over the flags before: what entering waits for
  std::vector<logic::Term> effect; ///< on the flags, and what changing a guarded variable waits for
  std::set<logic::Variable> modified;
};
SectionMove sectionMove(ContractContext &context, const std::optional<Inside> &from,
                        const std::optional<Inside> &to, const std::set<logic::Variable> &changed);

/// The variables that the edge may change.
std::set<logic::Variable> changedBy(const CheckedEdge &edge);

/// Sets `held` of every state and reports what breaks the discipline: locking twice, unlocking or
/// waiting without the lock, ending with it, states with and without it, guarded variables changed
/// without it.
void checkLocks(ContractContext &context, CheckedThread &thread);

compose::Template emitThread(ContractContext &context, const CheckedThread &thread);

/// The variable that stands for held(m) until the state is known.
logic::Variable heldPlaceholder(logic::TermPool &pool, const std::string &thread,
                                const std::string &mutex);

} // namespace understudy::specs::contract
