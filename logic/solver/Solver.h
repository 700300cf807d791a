// SPDX-License-Identifier: Apache-2.0
//
// The door to Z3 (`Horn.h` is the other). A solver owns its Z3 context and belongs to one thread;
// only `interrupt` may be called from another. Our terms cross threads, Z3's never do.
#pragma once

#include "logic/Term.h"
#include "logic/Value.h"
#include "logic/solver/Pace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace understudy::logic::solver {

enum class Satisfiability : uint8_t { Sat, Unsat, Unknown };

/// Limits of one check. All really stop: `resources` is Z3's rlimit (the same on every machine),
/// `seconds` interrupts from a watchdog thread, and so does a stop that another thread asks for. 0
/// means no limit.
struct SolverLimits {
  uint64_t resources = 0;
  double seconds = 0;
  std::stop_token stop = {}; ///< every check from the stop on is Unknown
  Pace *pace = nullptr; ///< gets what checks cost; one that is longer than it allows begins anew
};

/// Values of the variables that occurred in the assertions. A number beyond 64 bits is absent.
class Model {
public:
  std::optional<Value> valueOf(Variable variable, bool primed) const;
  std::map<VariableUse, Value> values;
};

/// Variables range over their sorts: for every Range or Enum variable that occurs in an assertion,
/// before or after, its range is asserted too.
class Solver {
public:
  explicit Solver(TermPool &pool, SolverLimits limits = {});
  ~Solver();
  Solver(const Solver &) = delete;
  Solver &operator=(const Solver &) = delete;

  void add(Term formula);
  void push();
  void pop();

  /// The time limit of the checks to come.
  void limitSeconds(double seconds);

  Satisfiability check();
  /// The conjunction of the assertions and the assumptions.
  Satisfiability check(std::span<const Term> assumptions);

  /// After Sat.
  Model model() const;
  /// After Unsat of a check with assumptions: a subset of them that is inconsistent.
  std::vector<Term> unsatCore() const;
  /// After Unknown.
  std::string reasonUnknown() const;

  /// Makes a running check, or the next one, return Unknown. May be called from any thread.
  void interrupt();

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Is the formula true for all values of its variables (within their sorts)? None: the solver
/// could not tell within the limits.
std::optional<bool> isValid(Term formula, SolverLimits limits = {});

} // namespace understudy::logic::solver
