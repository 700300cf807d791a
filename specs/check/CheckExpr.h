// SPDX-License-Identifier: Apache-2.0
//
// Expressions: names are resolved, sorts checked, constants folded. One checker for all languages;
// what differs from place to place is said by `ExprPlace`.
#pragma once

#include "specs/check/Names.h"

#include <functional>
#include <memory>

namespace understudy::specs::check {

using logic::SourceRange;

/// Where an expression stands, which decides what may occur in it.
enum class ExprPlace : uint8_t {
  Constant,   ///< constants and enum values only
  Edge,       ///< a contract's edge: primes, held, free
  Rely,       ///< primes; no locals, no held, no free
  Definition, ///< primes, free
  Assertion,  ///< a contract's assertion: held, free
  System,     ///< `invariant`: free
  Initially,  ///< `initially`: free, the numbers of threads
  ThreadId,   ///< after `as`: held, free
  Statement,  ///< CONC: held, free
  Net,        ///< relations of thread ids
};

struct ExprRules {
  ExprPlace place = ExprPlace::Constant;
  /// The term for "this thread holds m"; empty outside threads.
  std::function<logic::Term(const Symbol &mutex)> held = {};
  /// How many of the threads run at the start; empty outside `initially`.
  std::function<int64_t(const Symbol &thread, const SourceRange &range)> count = {};
  /// In the expansion of a definition that is primed: every shared variable is.
  bool primeVariables = false;
  /// Nodes of definitions that were expanded so far; one counter for a whole expression.
  std::shared_ptr<uint64_t> expansions = {};
  /// The term for `parent(p, q)` and the like, or none after a report; empty outside nets.
  std::function<logic::Term(const syntax::Expr &related)> related = {};
};

/// A term with what it costs. An empty term means: reported, go on with something else.
struct Checked {
  logic::Term term;
  uint32_t depth = 1;
  uint64_t expanded = 0; ///< nodes that came from definitions
  uint32_t selects = 0;  ///< array elements that are read
  bool lockState = false;

  explicit operator bool() const { return static_cast<bool>(term); }
  /// This is an operation that has the other as an operand.
  void absorb(const Checked &operand);
};

class ExprChecker {
public:
  ExprChecker(logic::TermPool &pool, const Scope &scope, syntax::Reporter &reporter,
              ExprRules rules)
      : pool_(pool), scope_(scope), reporter_(reporter), rules_(std::move(rules)) {}

  /// Of any sort but array.
  Checked check(const syntax::Expr &expr);
  Checked condition(const syntax::Expr &expr);
  Checked integer(const syntax::Expr &expr);
  /// Of a sort that may be assigned to a variable of the sort; ranges are not looked at.
  Checked assignable(const syntax::Expr &expr, logic::Sort sort);
  /// Reports the names in the body of a definition that are neither declared nor its parameters.
  bool namesKnown(const syntax::Expr &expr, const std::vector<syntax::Name> &parameters);

private:
  logic::TermPool &pool_;
  const Scope &scope_;
  syntax::Reporter &reporter_;
  ExprRules rules_;

  Checked dispatch(const syntax::Expr &expr);
  Checked name(const syntax::Expr &expr);
  Checked symbolValue(const syntax::Expr &expr, const Symbol &symbol);
  Checked variable(const syntax::Expr &expr, const Symbol &symbol);
  Checked definition(const syntax::Expr &expr, const Symbol &symbol);
  Checked application(const syntax::Expr &expr);
  Checked expansion(const syntax::Expr &use, const Symbol &symbol,
                    const std::vector<Checked> &arguments);
  Checked threadCount(const syntax::Expr &expr);
  Checked index(const syntax::Expr &expr);
  Checked lockFlag(const syntax::Expr &expr);
  Checked unary(const syntax::Expr &expr);
  Checked chain(const syntax::Expr &expr);
  Checked logical(const syntax::Expr &expr);
  Checked sum(const syntax::Expr &expr);
  Checked product(const syntax::Expr &expr);
  Checked factor(const syntax::Expr &expr, size_t at, Checked left, Checked right);
  Checked compare(const syntax::Expr &expr);
  Checked membership(const syntax::Expr &expr);
  Checked implication(const syntax::Expr &expr);
  Checked conditional(const syntax::Expr &expr);

  const Symbol *resolve(const syntax::Expr &expr);
  bool primeAllowed(const syntax::Expr &expr);
  bool sameClass(const syntax::Expr &at, const syntax::Expr &left, const Checked &a,
                 const syntax::Expr &right, const Checked &b);
  Checked folded(const syntax::Expr &expr, Checked checked);
  Checked fail(const SourceRange &range, const std::string &message, const std::string &hint = {});
};

/// The number of nodes.
uint64_t sizeOf(const syntax::Expr &expr);

/// Definitions are not expanded beyond this number of nodes.
constexpr uint64_t largestExpansion = 100'000;

/// Is every value of the term within the sort, as far as intervals of its parts can tell?
bool provablyInSort(logic::Term value, logic::Sort sort);

/// The negation, without double negations and with constants folded.
logic::Term complement(logic::Term formula);

/// A constant if no variable occurs in the term, otherwise the term itself.
logic::Term foldConstant(logic::Term term);

/// Conjunction that is `false` when one of the parts is.
logic::Term allOf(logic::TermPool &pool, std::vector<logic::Term> parts);

/// "1 argument", "2 arguments".
std::string argumentCount(size_t count);

/// The name of the sort of thread ids in nets; a keyword there, so that no enum can have it.
inline const std::string pidName = "pid";

/// "bool", "an integer", "enum 'Mode'", "an array", "a thread id": for messages.
std::string sortClass(logic::Sort sort);

} // namespace understudy::specs::check
