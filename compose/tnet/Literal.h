// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a thread net: Definitions 1 and 2 and Assumptions 1 to 3 of the paper, literally,
// with ids such as 1.2.1 and the place of generators. Written for reading: everything else about
// thread nets is measured against it.
#pragma once

#include "compose/Budget.h"
#include "compose/tnet/Net.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace understudy::compose::tnet {

/// 1.2.1 is the first child of the second child of the initial thread.
using Pid = std::vector<uint32_t>;

std::string text(const Pid &pid);

/// The relations of section 2, on the dotted sequences.
bool related(Relation relation, const Pid &first, const Pid &second);

/// An id, or a data value if there is none.
struct Field {
  Pid pid;
  int64_t value = 0;
  auto operator<=>(const Field &) const = default;
};
using Token = std::vector<Field>;

struct Marking {
  std::map<PlaceId, std::multiset<Token>> tokens; ///< of places that are not empty
  std::multiset<std::pair<Pid, uint32_t>> generators;
  auto operator<=>(const Marking &) const = default;

  /// All ids in tokens, and those of active threads.
  std::set<Pid> pids() const;
};

/// "listen(1.1, 0)".
std::string text(const Net &net, PlaceId place, const Token &token);
/// "listen(1.1, 0), ready(1.1.1)"; generators are left out.
std::string text(const Net &net, const Marking &marking);

using Binding = std::map<Variable, Field>;

struct Firing {
  uint32_t transition = 0;
  Binding binding; ///< new threads included
  Marking after;
};

/// Assumption 2.
Marking startMarking(const Net &net);

/// Every binding under which a transition is enabled, with what it leads to; in the order of the
/// transitions, then of the bindings. Throws `logic::Overflow` as evaluation does, and
/// `logic::Unsupported` when the time of the budget is over.
std::vector<Firing> firings(const Net &net, const Marking &marking, Budget *budget = nullptr);
/// What the transition leads to under the binding of its variables; none if it is not enabled.
std::optional<Firing> firing(const Net &net, const Marking &marking, uint32_t transition,
                             const Binding &binding);

/// The bindings under which the pattern is there.
std::vector<Binding> matches(const Net &net, const Pattern &pattern, const Marking &marking,
                             Budget *budget = nullptr);
/// Is it there under this binding of its variables?
bool isThere(const Net &net, const Pattern &pattern, const Marking &marking,
             const Binding &binding);

} // namespace understudy::compose::tnet
