// SPDX-License-Identifier: Apache-2.0
//
// The bookkeeping of a conformance checker: its variables, and the functions that work on them.
// Each function has one block. With F the set of nodes, g the shared state:
//   start    g := any; F := initial nodes, closed at g
//   before   u := g; F := F closed at u; assume the assertion of every node in F at u
//   after    F := targets of moves from F that allow (u, g); gives whether F has a node;
//            F := F closed at g
//   others   v := g; g := any, such that (v, g) satisfies the rely of every node in F and nothing
//            differs that a mutex guards which the thread holds
//   take     the run goes on only if nobody else holds the mutex; the thread holds it
//   release  nobody holds the mutex
//   excused  gives whether some node of F closed at g fails at g
//   mayEnd   gives whether a final node is in F
// `start`, `after` and `others` are the steps of contract-language section 6 with their numbers: 1
// and 2 are `before`, 4 to 6 `after`, 7 `others`.
#pragma once

#include "passes/checker/ContractCode.h"
#include "passes/checker/Instrument.h"

namespace understudy::passes::checker {

class CheckerState {
public:
  CheckerState(llvm::Module &module, const Machine &machine, const memory::Binding &binding,
               Coverage coverage);

  llvm::Function *start();
  llvm::Function *before();
  llvm::Function *after(const std::string &action);
  llvm::Function *others();
  llvm::Function *take(const std::string &mutex);
  llvm::Function *release(const std::string &mutex);
  /// i1: does the thread hold the mutex?
  llvm::GlobalVariable *held(const std::string &mutex) const { return held_.at(mutex); }
  llvm::Function *excused();
  llvm::Function *mayEnd();
  /// Is one of the nodes of the state in F?
  llvm::Function *contains(const std::string &state);
  /// With goals: is one of the wanted parts used by the last step, or possible at an assertion?
  llvm::Function *reachesGoal();
  llvm::Function *claimsGoal();
  /// With goals: is the place wanted?
  llvm::GlobalVariable *wantedPlace(uint32_t place);

  const std::vector<llvm::GlobalVariable *> &nodes() const { return nodes_; }
  const std::map<logic::Variable, llvm::GlobalVariable *> &unseen() const { return unseen_; }
  const Goals &goals() const { return goals_; }

private:
  using Bits = std::vector<llvm::Value *>; ///< F, as values
  enum class When { Now, Snapshot };

  llvm::Module &module_;
  const Machine &machine_;
  const memory::Binding &binding_;
  Coverage coverage_;
  llvm::IRBuilder<> builder_;
  llvm::IntegerType *wide_ = nullptr;
  std::vector<llvm::GlobalVariable *> nodes_;
  /// Not in this module: ghosts, flags of mutexes, variables that only other files mention.
  std::vector<logic::Variable> withoutObject_;
  std::map<logic::Variable, llvm::GlobalVariable *> unseen_;
  std::map<logic::Variable, llvm::GlobalVariable *> snapshots_;
  std::map<std::string, llvm::GlobalVariable *> held_; ///< by mutex
  std::map<std::string, llvm::Function *> made_;
  Goals goals_;
  std::vector<llvm::Value *> used_; ///< by goal, in the function that is being made; null: not

  void chooseWidth();
  llvm::GlobalVariable *makeGlobal(const std::string &name, llvm::Type *type);
  std::string prefix() const { return "understudy." + machine_.binding->name + "."; }

  /// Makes the function on first use: `body` fills its block and gives the result, null for none.
  llvm::Function *make(const std::string &name, llvm::Type *type,
                       const std::function<llvm::Value *()> &body);

  Bits loadNodes();
  void storeNodes(const Bits &bits);
  Bits closed(Bits bits, ContractCode &code);
  llvm::Value *any(const Bits &bits);
  /// The conjunction of `F[n] implies what(n)`; null if nothing is to be assumed.
  llvm::Value *everywhere(const Bits &bits, const std::function<Term(const MachineNode &)> &what,
                          ContractCode &code);

  llvm::GlobalVariable *memoryOf(logic::Variable variable, When when);
  /// The variable as the contract sees it.
  Elements read(logic::Variable variable, When when);
  /// A reader of formulas: unprimed variables as they are at `before`, primed ones at `after`.
  ContractCode code(When before, When after);
  void takeSnapshot(logic::Variable variable);
  void makeArbitrary(const memory::BoundVariable &variable);
  void makeArbitraryUnseen(logic::Variable variable);
  logic::Variable flagOf(const std::string &mutex) const;
  void setHolder(const std::string &mutex, llvm::Value *value);
  /// What nobody else can have changed is as it was at the snapshot.
  void keepHeld();
  void keepIf(llvm::Value *condition, logic::Variable variable);
  void assumeInSort(llvm::Value *wideValue, logic::Sort sort);
  llvm::Value *widened(const memory::BoundVariable &variable, llvm::Value *value);
  const memory::BoundVariable *bound(logic::Variable variable) const;
  void reportEdge(uint32_t number, llvm::Value *taken);

  enum class Earlier { Forget, Keep };
  void makeGoals();
  void use(size_t goal, llvm::Value *condition);
  void useStates(const Bits &bits);
  void storeGoals(Earlier earlier);
  llvm::Value *anyWanted(size_t begin, size_t end);
};

} // namespace understudy::passes::checker
