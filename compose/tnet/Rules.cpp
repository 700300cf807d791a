// SPDX-License-Identifier: Apache-2.0
#include "compose/tnet/Rules.h"

#include "compose/Solutions.h"
#include "logic/Error.h"

#include <algorithm>

namespace understudy::compose::tnet {

namespace {

std::vector<Variable> children(const Transition &transition) {
  std::vector<Variable> result;
  for (const Spawn &spawn : transition.spawns)
    result.push_back(spawn.child);
  return result;
}

} // namespace

Rules::Rule::Rule(const Transition &transition)
    : matcher(transition.pattern, children(transition)) {
  for (const Spawn &spawn : transition.spawns)
    spawns.emplace_back(matcher.slotOf(spawn.child), matcher.slotOf(spawn.parent));
  for (Variable thread : transition.ends)
    ends.push_back(matcher.slotOf(thread));
  for (const Arc &arc : transition.gives) {
    Produced produced{arc.place, {}};
    for (Term field : arc.fields)
      produced.fields.push_back(matcher.compiled(field));
    gives.push_back(std::move(produced));
  }
}

Rules::Rules(const Net &net) : net_(net) {
  for (const Transition &transition : net.transitions)
    rules_.emplace_back(transition);
}

std::optional<State> Rules::after(const State &state, uint32_t transition, Matcher::Slots &slots,
                                  const std::vector<uint32_t> &taken) {
  try {
    return fitting(state, rules_[transition], slots, taken);
  } catch (const logic::Overflow &) {
    ++leftOut_;
    return std::nullopt;
  }
}

std::optional<State> Rules::fitting(const State &state, const Rule &rule, Matcher::Slots &slots,
                                    std::vector<uint32_t> taken) {
  std::sort(taken.begin(), taken.end());
  State next = state.without(taken);
  for (const auto &[child, parent] : rule.spawns)
    slots[child] = next.spawn(static_cast<Atom>(slots[parent]));
  std::vector<int64_t> fields;
  for (const Produced &produced : rule.gives) {
    fields.clear();
    for (size_t i = 0; i < produced.fields.size(); ++i) {
      const Column &column = net_.places[produced.place].columns[i];
      fields.push_back(produced.fields[i].run(slots.data(), arrays_));
      if (!column.isPid && !inSort(fields.back(), column.sort))
        return std::nullopt;
    }
    next.add(produced.place, fields);
  }
  for (uint32_t thread : rule.ends)
    next.end(static_cast<Atom>(slots[thread]));
  next.dropUnused(names_);
  return next;
}

uint64_t Rules::leftOut() const {
  uint64_t count = leftOut_;
  for (const Rule &rule : rules_)
    count += rule.matcher.leftOut();
  return count;
}

} // namespace understudy::compose::tnet
