// SPDX-License-Identifier: Apache-2.0
//
// The finite set Global of the paper: all valuations of the shared variables of a system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace understudy::tests {

enum class ContractType : uint8_t { Bool, Range, Enum };
enum class CType : uint8_t { Int, Bool, UnsignedChar, Unsigned, Enum };
/// Locks stand among the variables, after all others. The value of a mutex says whether some thread
/// holds it.
enum class LockKind : uint8_t { None, Mutex };

struct SharedVariable {
  std::string name; ///< in the contract; the printer to C adds the system's prefix
  ContractType type = ContractType::Bool;
  int lower = 0; ///< of a range
  int upper = 1;
  CType cType = CType::Int;
  bool atomic = false; ///< declared _Atomic in C
  std::optional<int> start;
  int elements = 0; ///< "a[1]": it is an element of an array of so many
  LockKind lock = LockKind::None;
  int guardedBy = -1; ///< the number of a lock

  bool isLock() const { return lock != LockKind::None; }

  std::string array() const { return name.substr(0, name.find('[')); }
  bool isFirst() const { return name.ends_with("[0]"); }
};

/// The one enum of contracts and code, with a gap between its values.
const std::vector<std::pair<std::string, int>> &enumerators();
std::string enumeratorNamed(int value);

/// How many of the variables are no locks.
size_t dataCount(const std::vector<SharedVariable> &variables);

/// Ascending.
std::vector<int> valuesOf(ContractType type, int lower, int upper);

using GlobalId = uint32_t;

class SharedSpace {
public:
  explicit SharedSpace(std::vector<SharedVariable> variables);

  const std::vector<SharedVariable> &variables() const { return variables_; }
  GlobalId size() const { return static_cast<GlobalId>(states_.size()); }
  const std::vector<int> &values(GlobalId id) const { return states_[id]; }
  int value(GlobalId id, int variable) const { return states_[id][static_cast<size_t>(variable)]; }

  /// The state in which C code has stored `value`; none if the contract's type has no such value. A
  /// bool takes everything: zero is false.
  std::optional<GlobalId> stored(GlobalId id, int variable, int value) const;
  /// Every raw value that C code may find in the variable. A true bool is any non-zero number
  /// unless it is a _Bool; 1 and one other number stand for them all, see `Expr::Read`.
  std::vector<int> readable(GlobalId id, int variable) const;
  std::string text(GlobalId id) const;

private:
  std::vector<SharedVariable> variables_;
  std::vector<std::vector<int>> states_;
  std::vector<std::vector<int>> domains_;
  std::vector<GlobalId> weights_; ///< distance of states that differ by one place in a domain
};

} // namespace understudy::tests
