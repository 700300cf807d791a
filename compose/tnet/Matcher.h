// SPDX-License-Identifier: Apache-2.0
//
// Finds where a pattern is in a state. What each token decides is planned once: which variables it
// binds, which it must agree with, and which parts of the guard can be asked as soon as it is
// there.
#pragma once

#include "compose/Budget.h"
#include "compose/exploration/Code.h"
#include "compose/tnet/State.h"

#include <functional>
#include <map>
#include <vector>

namespace understudy::compose::tnet {

class Matcher {
public:
  using Slots = std::vector<int64_t>;
  /// Gets the values of the variables and the numbers of the tokens taken, in the order of the
  /// arcs; returns whether to go on.
  using Found = std::function<bool(Slots &slots, const std::vector<uint32_t> &taken)>;

  /// `extra` variables, which the pattern does not bind, get slots, too.
  explicit Matcher(const Pattern &pattern, const std::vector<Variable> &extra = {});

  /// Every binding once, but for those about which a number beyond 64 bits would have to decide.
  /// Precondition: the state was decoded.
  void run(const State &state, Budget &budget, const Found &found);
  /// How often that was so.
  uint64_t leftOut() const { return leftOut_; }

  uint32_t slotOf(Variable variable) const { return slots_.at(variable); }
  exploration::Code compiled(Term term) const;

private:
  enum class Use : uint8_t { Bind, Compare, Later };
  struct FieldPlan {
    Use use = Use::Later;
    uint32_t slot = 0;
  };
  struct FieldCheck {
    uint32_t arc = 0, field = 0;
    exploration::Code code;
  };
  struct Question {
    Relation relation = Relation::Parent;
    uint32_t first = 0, second = 0, answer = 0;
  };
  struct ArcPlan {
    PlaceId place = 0;
    std::vector<FieldPlan> fields;
    // As soon as the arc's token is there:
    std::vector<FieldCheck> checks;
    std::vector<Question> asked;
    std::vector<exploration::Code> guards;
  };

  std::map<Variable, uint32_t> slots_;
  std::vector<ArcPlan> arcs_;
  std::vector<exploration::Code> groundGuards_; ///< without variables
  exploration::ArrayTable arrays_;
  Slots values_;
  std::vector<uint32_t> taken_;
  std::vector<bool> used_;
  uint64_t tries_ = 0;
  uint64_t leftOut_ = 0;

  void plan(const Pattern &pattern);
  bool take(const State &state, size_t arc, Budget &budget, const Found &found);
  bool accepts(const State &state, const ArcPlan &plan);
  bool hold(const std::vector<exploration::Code> &guards);
};

} // namespace understudy::compose::tnet
