// SPDX-License-Identifier: Apache-2.0
//
// Contracts as trees, and their printer. The same trees are evaluated by brute force and printed
// for the tool to read.
#pragma once

#include "ThreadCode.h"

#include <set>

namespace understudy::tests {

/// An expression of the contract language; truth values are 0 and 1.
struct Formula {
  enum class Op : uint8_t {
    Number,
    Truth,
    Enumerator,
    Shared,
    Local,
    Not,
    And,
    Or,
    Implies,
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Add,
  };
  Op op = Op::Truth;
  int value = 1; ///< number, truth value, value of the enumerator, or index of the variable
  bool primed = false;
  std::vector<Formula> operands;
};

Formula number(int value);
Formula truth(bool value);
Formula shared(int variable);
Formula sharedAfter(int variable);
Formula contractLocal(int variable);
Formula contractLocalAfter(int variable);
Formula combine(Formula::Op op, Formula first);
Formula combine(Formula::Op op, Formula first, Formula second);
Formula conjunction(std::vector<Formula> all);
Formula disjunction(std::vector<Formula> any);

/// Values before and after a step.
struct Valuation {
  const std::vector<int> &shared;
  const std::vector<int> &sharedAfter;
  const std::vector<int> &locals;
  const std::vector<int> &localsAfter;
};
int evaluate(const Formula &formula, const Valuation &values);

struct Primed {
  std::set<int> shared;
  std::set<int> locals;
};
/// Which variables occur primed.
Primed primedIn(const Formula &formula);

struct LockAction {
  enum class Kind : uint8_t { Lock, Unlock };
  Kind kind = Kind::Lock;
  int lock = 0; ///< a shared variable
  auto operator<=>(const LockAction &) const = default;
};

struct ContractEdge {
  size_t target = 0;
  std::optional<Formula> formula;
  std::vector<int> havoc; ///< shared variables
  std::optional<LockAction> action = std::nullopt;
};

struct ContractState {
  std::string name;
  bool initial = false;
  bool final = false;
  std::optional<Formula> assertion;
  std::optional<Formula> rely;
  std::vector<ContractEdge> edges;
};

struct ContractLocal {
  std::string name;
  ContractType type = ContractType::Bool;
  int lower = 0;
  int upper = 1;
  std::optional<int> start;
};

struct ThreadContract {
  std::string name;
  std::vector<ContractLocal> locals;
  std::optional<Formula> rely;
  std::optional<Formula> assertion;
  std::vector<ContractState> states;
};

/// A thread's code with its contract, and how many of it run.
struct Part {
  ThreadCode code;
  ThreadContract contract;
  int count = 1;
};

struct FiniteSystem {
  std::string prefix; ///< of C names
  std::vector<SharedVariable> shared;
  std::optional<Formula> invariant;
  std::vector<Part> parts;
};

/// One item, state or edge per line.
std::string contractText(const FiniteSystem &system);
/// The C variables and functions, without the header.
std::string codeText(const FiniteSystem &system);

} // namespace understudy::tests
