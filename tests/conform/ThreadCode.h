// SPDX-License-Identifier: Apache-2.0
//
// Finite C threads as trees, and their printer.
//
// What a step is follows contract-language.md, section 6: one access to shared memory, one marker
// or one atomic section. `x++` on a plain variable is a load and a store, on an _Atomic one a
// single step. An expression reads at most one shared variable, and reads it on every evaluation,
// so that the order of steps is the order of statements.
#pragma once

#include "Shared.h"

#include <string>
#include <vector>

namespace understudy::tests {

/// Over C's int. The generator keeps locals within a few values.
struct Expr {
  enum class Op : uint8_t {
    Constant,
    Local,
    /// Of a shared variable. One that is a bool in the contract stands only in !x, x != 0, x == 1
    /// or as the whole value of a store or condition: there, 1 and one other number are as good as
    /// all.
    Read,
    Nondet, ///< any truth value; always the whole expression
    /// Does a global that the contract does not name hold 1? Always the whole expression.
    Elsewhere,
    Not,
    Add,
    Remainder,
    Equal,
    NotEqual,
    Less,
    Greater,
  };
  Op op = Op::Constant;
  int value = 0; ///< constant, index of the local, or of the shared variable
  std::vector<Expr> operands;
};

Expr constant(int value);
Expr local(int index);
Expr read(int variable);
Expr nondet();
Expr apply(Expr::Op op, Expr first);
Expr apply(Expr::Op op, Expr first, Expr second);
/// The shared variable that the expression reads, if any.
std::optional<int> variableRead(const Expr &expr);
/// `readValue` stands for the variable read. Precondition: no Nondet.
int evaluate(const Expr &expr, const std::vector<int> &locals, int readValue);

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  enum class Kind : uint8_t {
    Assign,          ///< local = expr
    Any,             ///< local = any of lower .. upper
    Store,           ///< variable = expr
    Increment,       ///< variable += amount
    FetchAdd,        ///< local = fetch_add(variable, amount), the value before
    AddFetch,        ///< local = add_and_fetch(variable, amount), the value after
    Exchange,        ///< local = exchange(variable, expr)
    CompareExchange, ///< local = compare_exchange(variable, &other, expr); of 32 bits, no bool
    CompareSwap,     ///< local = __sync_bool_compare_and_swap(variable, other, expr); not _Atomic
    Atomic,          ///< body is one step
    If,
    While,
    Assert,
    Assume,
    Return, ///< of a helper: expr
    Marker, ///< UNDERSTUDY_AT(name)
    Touch,  ///< stores 1 into the global that the contract does not name
    Call,   ///< local = helper number `other` (expr)
    Lock,   ///< takes the lock `variable`; with a local, tries to: local = it failed
    Unlock,
    Critical, ///< takes the lock, body, gives it back; weak: only if it can be had
  };
  Kind kind = Kind::Return;
  int local = -1;
  int variable = -1;
  int other = -1; ///< local with the expected value, or helper
  int amount = 0;
  int lower = 0;
  int upper = 0;
  bool weak = false;
  std::string name;
  Expr expr;
  Block body;
  Block orElse;
};

struct Helper {
  int locals = 1; ///< the first one is the parameter
  Block body;
};

struct ThreadCode {
  std::string function;
  int locals = 0; ///< all start as 0
  std::vector<Helper> helpers;
  Block body;
};

/// C names: the prefix belongs to the system, so that many systems go into one file.
std::string cName(const std::string &prefix, const SharedVariable &variable);
/// What stands once at the top of a file. Globals are declared with `SHARED`, which is nothing
/// unless it is defined.
std::string cHeader();
std::string cVariables(const std::string &prefix, const std::vector<SharedVariable> &variables);
std::string cFunction(const std::string &prefix, const std::vector<SharedVariable> &variables,
                      const ThreadCode &code);

} // namespace understudy::tests
