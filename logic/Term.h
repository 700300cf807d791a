// SPDX-License-Identifier: Apache-2.0
//
// Terms: immutable, hash-consed formulas and expressions over variables before (`x`) and after
// (`x'`) a step.
//
// Equal terms of one pool are the same object, so equality is pointer equality. A `Term`, `Sort` or
// `Variable` is a handle of one pointer; the `TermPool` owns the nodes and must outlive them.
// Creating terms is thread-safe; handles may be shared between threads.
//
// Numbers are mathematical integers; constants are 64-bit. Bounded integers and enums are integers
// whose variables carry a range. Arithmetic is linear: multiplication has a constant factor,
// division and remainder a positive constant divisor and truncate towards zero, as in C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace understudy::logic {

class TermPool;
struct SortNode;
struct VariableNode;
struct TermNode;

enum class SortKind : uint8_t { Bool, Int, Range, Enum, Array };

struct Enumerator {
  std::string name;
  int64_t value = 0;
  auto operator<=>(const Enumerator &) const = default;
};

class Sort {
public:
  Sort() = default;
  SortKind kind() const;
  bool isBool() const { return kind() == SortKind::Bool; }
  bool isArray() const { return kind() == SortKind::Array; }
  bool isEnum() const { return kind() == SortKind::Enum; }
  /// Int, Range or Enum: denotes an integer in formulas.
  bool isNumeric() const { return !isBool() && !isArray(); }
  /// Int or Range: arithmetic is allowed.
  bool isInteger() const { return kind() == SortKind::Int || kind() == SortKind::Range; }

  int64_t lower() const; ///< Range only
  int64_t upper() const; ///< Range only
  const std::string &enumName() const;
  const std::vector<Enumerator> &enumerators() const;
  Sort element() const; ///< Array only
  std::optional<int64_t>
  arraySize() const; ///< Array only: N for indices 0..N-1; none: all integers

  /// The values of a finite scalar sort in ascending order, false before true; none if infinite or
  /// larger than `limit`.
  std::optional<std::vector<int64_t>> values(size_t limit = 1u << 20) const;
  /// "bool", "int", "int 0..3", the enum's name, "int[]", "bool[4]".
  std::string text() const;

  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const Sort &) const = default;
  const SortNode *node() const { return node_; }

private:
  friend class TermPool;
  explicit Sort(const SortNode *node) : node_(node) {}
  const SortNode *node_ = nullptr;
};

/// A variable is its scope (empty for globals, the template's name for locals), name and sort.
class Variable {
public:
  Variable() = default;
  const std::string &name() const;
  const std::string &scope() const;
  Sort sort() const;
  /// "scope.name", or the name alone for globals.
  std::string fullName() const;

  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const Variable &) const = default;
  /// Order of creation in the pool: deterministic.
  bool operator<(const Variable &other) const;
  const VariableNode *node() const { return node_; }

private:
  friend class TermPool;
  explicit Variable(const VariableNode *node) : node_(node) {}
  const VariableNode *node_ = nullptr;
};

enum class Op : uint8_t {
  Constant,   ///< value(); sort Bool (0, 1), Int or Enum
  Variable,   ///< variable(), primed()
  Not,        ///< Bool
  And,        ///< Bool, at least 2 operands
  Or,         ///< Bool, at least 2 operands
  Implies,    ///< Bool, Bool
  Ite,        ///< Bool, T, T
  Equal,      ///< two operands of one sort class (Bool, the same Enum, integers, arrays)
  Less,       ///< two numeric operands
  LessEqual,  ///< two numeric operands
  Add,        ///< at least 2 integers
  Multiply,   ///< value() times the integer operand
  Divide,     ///< the integer operand by value() > 0, truncating
  Remainder,  ///< of the integer operand by value() > 0, sign of the dividend
  Select,     ///< array, integer
  Store,      ///< array, integer, element
  ConstArray, ///< element; every index holds it
};

class Term {
public:
  Term() = default;
  Op op() const;
  Sort sort() const;
  std::span<const Term> operands() const;
  const Term &operand(size_t index) const { return operands()[index]; }
  int64_t value() const;     ///< Constant; factor of Multiply; divisor of Divide and Remainder
  Variable variable() const; ///< Variable only
  bool primed() const;       ///< Variable only
  bool hasPrimes() const;    ///< some variable in it is primed
  TermPool &pool() const;

  bool isTrue() const;
  bool isFalse() const;
  bool isConstant() const { return op() == Op::Constant; }

  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const Term &) const = default;
  /// Order of creation in the pool: deterministic.
  bool operator<(const Term &other) const;
  const TermNode *node() const { return node_; }

private:
  friend class TermPool;
  explicit Term(const TermNode *node) : node_(node) {}
  const TermNode *node_ = nullptr;
};

/// Owns sorts, variables and terms. The constructors check sorts (a violation is a defect of the
/// caller and throws std::logic_error) and fold nothing but what is said here.
class TermPool {
public:
  TermPool();
  ~TermPool();
  TermPool(const TermPool &) = delete;
  TermPool &operator=(const TermPool &) = delete;

  Sort boolSort();
  Sort intSort();
  Sort rangeSort(int64_t lower, int64_t upper);
  Sort enumSort(const std::string &name, const std::vector<Enumerator> &enumerators);
  Sort arraySort(Sort element, std::optional<int64_t> size);

  Variable variable(const std::string &scope, const std::string &name, Sort sort);

  Term boolean(bool value);
  Term integer(int64_t value);
  Term enumerator(Sort sort, int64_t value);
  /// The constant of the sort: Bool, integers and enums; Range constants have sort Int.
  Term constant(Sort sort, int64_t value);
  Term var(Variable variable);
  Term primed(Variable variable);

  Term negate(Term a);
  /// Empty: true. One: itself. Nested conjunctions are flattened, `true` dropped.
  Term conjunction(std::vector<Term> operands);
  /// Empty: false. One: itself. Nested disjunctions are flattened, `false` dropped.
  Term disjunction(std::vector<Term> operands);
  Term implies(Term a, Term b);
  Term ite(Term condition, Term yes, Term no);
  Term equal(Term a, Term b);
  Term distinct(Term a, Term b) { return negate(equal(a, b)); }
  Term less(Term a, Term b);
  Term lessEqual(Term a, Term b);
  Term greater(Term a, Term b) { return less(b, a); }
  Term greaterEqual(Term a, Term b) { return lessEqual(b, a); }
  /// Empty: 0. One: itself. Nested sums are flattened.
  Term sum(std::vector<Term> operands);
  Term add(Term a, Term b) { return sum({a, b}); }
  Term subtract(Term a, Term b) { return sum({a, multiply(-1, b)}); }
  Term multiply(int64_t factor, Term a);
  Term divide(Term a, int64_t divisor);
  Term remainder(Term a, int64_t divisor);
  Term select(Term array, Term index);
  Term store(Term array, Term index, Term element);
  Term constArray(Sort sort, Term element);
  /// lower <= a && a <= upper for Range, the disjunction of its values for Enum, true otherwise.
  Term inSort(Term a, Sort sort);

  /// The same operation on other operands (used by substitution and simplification).
  Term rebuild(Term like, std::vector<Term> operands);

private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
  Term make(Op op, Sort sort, int64_t value, std::vector<Term> operands);
  Term makeVariable(Variable variable, bool primed);
};

using TermPoolPtr = std::shared_ptr<TermPool>;

struct VariableUse {
  Variable variable;
  bool primed = false;
  auto operator<=>(const VariableUse &other) const {
    if (variable == other.variable)
      return primed <=> other.primed;
    return variable < other.variable ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  bool operator==(const VariableUse &) const = default;
};

/// Every (variable, primed) that occurs in the term, sorted.
std::vector<VariableUse> variablesOf(Term term);

/// The conjuncts of a formula: the operands of a conjunction, otherwise the formula itself.
std::vector<Term> conjunctsOf(Term formula);

} // namespace understudy::logic

template <>
struct std::hash<understudy::logic::Term> {
  size_t operator()(const understudy::logic::Term &t) const noexcept {
    return std::hash<const void *>()(t.node());
  }
};
template <>
struct std::hash<understudy::logic::Variable> {
  size_t operator()(const understudy::logic::Variable &v) const noexcept {
    return std::hash<const void *>()(v.node());
  }
};
