// SPDX-License-Identifier: Apache-2.0
//
// From the states of ghosts to formulas. An assertion is a tree of case distinctions over ghosts
// with laws at its leaves; equal branches become one, what all branches say is said before them,
// and a ghost that makes no difference is not mentioned. An update is such a tree with values.
#include "compose/empire/GhostStates.h"
#include "logic/Simplify.h"

#include <algorithm>

namespace understudy::compose::empire {

using proof::OwickiGries;

namespace {

using Laws1 = std::set<Law>;

class Formulas {
public:
  Formulas(const Program &program, const GhostStates &states)
      : pool_(*program.pool), states_(states) {
    std::set<std::string> taken;
    for (Variable global : program.globals)
      taken.insert(global.name());
    for (const Template &thread : program.templates) {
      taken.insert(thread.name);
      for (Variable local : thread.locals)
        taken.insert(local.name());
    }
    for (size_t g = 0; g < states.ghosts.size(); ++g) {
      const std::set<uint32_t> values = valuesOf(states, g);
      std::string name = states.ghosts[g];
      while (!taken.insert(name).second)
        name += "_";
      numbers_.emplace_back();
      const uint32_t first = states.values[0][g];
      numbers_[g][first] = 0;
      for (uint32_t value : values)
        if (value != first)
          numbers_[g].try_emplace(value, static_cast<int64_t>(numbers_[g].size()));
      ghosts_.push_back(
          values.size() < 2
              ? Variable()
              : pool_.variable("", name, values.size() == 2 ? pool_.boolSort() : pool_.intSort()));
    }
  }

  std::optional<OwickiGries> run() {
    OwickiGries result;
    result.slots = states_.slots;
    for (size_t g = 0; g < ghosts_.size(); ++g)
      if (ghosts_[g])
        result.ghosts.push_back({ghosts_[g], constant(g, 0)});
    for (const auto &[place, cases] : states_.at)
      result.assertions.push_back({place.first, place.second, assertion(place, cases)});
    for (const SlotLocation &place : states_.always)
      result.assertions.push_back({place.first, place.second, pool_.boolean(true)});
    for (const GhostStates::Step &step : states_.steps) {
      OwickiGries::Update update{step.mover, step.edge, step.others, {}};
      if (!addUpdates(step, update))
        return std::nullopt;
      if (!update.assign.empty())
        result.updates.push_back(std::move(update));
    }
    return result;
  }

private:
  using Values = std::vector<uint32_t>;
  logic::TermPool &pool_;
  const GhostStates &states_;
  std::vector<Variable> ghosts_;                     ///< none: it has one value
  std::vector<std::map<uint32_t, int64_t>> numbers_; ///< ghost -> value -> as written

  Term constant(size_t ghost, int64_t number) const {
    return ghosts_[ghost].sort().isBool() ? pool_.boolean(number != 0) : pool_.integer(number);
  }
  Term is(size_t ghost, uint32_t value) const {
    const Term variable = pool_.var(ghosts_[ghost]);
    const int64_t number = numbers_[ghost].at(value);
    if (ghosts_[ghost].sort().isBool())
      return number != 0 ? variable : pool_.negate(variable);
    return pool_.equal(variable, pool_.integer(number));
  }
  Term oneOf(size_t ghost, const std::set<uint32_t> &values) const {
    const size_t all = numbers_[ghost].size();
    const bool isShort =
        states_.complement == GhostStates::Complement::Used || ghosts_[ghost].sort().isBool();
    if (values.size() == all && isShort)
      return pool_.boolean(true);
    if (values.size() > 1 && values.size() + 1 == all && isShort)
      for (const auto &[value, number] : numbers_[ghost])
        if (!values.contains(value))
          return pool_.negate(is(ghost, value));
    std::vector<Term> ways;
    for (uint32_t value : values)
      ways.push_back(is(ghost, value));
    return pool_.disjunction(std::move(ways));
  }

  Term lawTerm(const Law &law) const {
    std::vector<Term> parts;
    for (PredicateId p : law)
      parts.push_back(states_.predicates[p]);
    return pool_.conjunction(std::move(parts));
  }

  // ---- assertions

  Term assertion(const SlotLocation &place, const std::map<uint32_t, Laws1> &cases) const {
    std::map<Values, Laws1> byValues;
    for (const auto &[state, laws] : cases)
      byValues[states_.values[state]].insert(laws.begin(), laws.end());
    for (auto &[values, laws] : byValues)
      absorb(laws);
    std::vector<size_t> open;
    for (size_t g = 0; g < ghosts_.size(); ++g)
      if (ghosts_[g])
        open.push_back(g);
    return tree(byValues, open, states_.loose.contains(place));
  }

  /// A law that says more than another one of a disjunction is not needed.
  static void absorb(Laws1 &laws) {
    std::erase_if(laws, [&](const Law &law) {
      return std::any_of(laws.begin(), laws.end(), [&](const Law &other) {
        return other != law && std::includes(law.begin(), law.end(), other.begin(), other.end());
      });
    });
  }

  /// What is in all laws of all cases is said first.
  Term tree(std::map<Values, Laws1> cases, const std::vector<size_t> &open, bool loose) const {
    std::optional<Law> common;
    for (const auto &[values, laws] : cases)
      for (const Law &law : laws) {
        Law both;
        if (!common)
          both = law;
        else
          std::set_intersection(common->begin(), common->end(), law.begin(), law.end(),
                                std::back_inserter(both));
        common = both;
      }
    for (auto &[values, laws] : cases) {
      Laws1 rest;
      for (const Law &law : laws) {
        Law less;
        std::set_difference(law.begin(), law.end(), common->begin(), common->end(),
                            std::back_inserter(less));
        rest.insert(less);
      }
      laws = std::move(rest);
    }
    return pool_.conjunction({lawTerm(*common), branches(cases, open, loose)});
  }

  Term branches(const std::map<Values, Laws1> &cases, const std::vector<size_t> &open,
                bool loose) const {
    const bool same = std::all_of(cases.begin(), cases.end(), [&](const auto &one) {
      return one.second == cases.begin()->second;
    });
    if (open.empty() || (same && loose))
      return disjunction(cases.begin()->second);
    // The ghost whose values leave the least to say.
    std::optional<Term> best;
    size_t bestSize = 0;
    for (size_t ghost : open) {
      const Term found = split(cases, open, ghost, loose);
      const size_t size = sizeOf(OwickiGries{{}, {}, {{{}, {}, found}}, {}});
      if (!best || size < bestSize) {
        best = found;
        bestSize = size;
      }
      if (open.size() > 4 || cases.size() > 60)
        break; // trying all orders takes too long
    }
    return *best;
  }

  Term split(const std::map<Values, Laws1> &cases, const std::vector<size_t> &open, size_t ghost,
             bool loose) const {
    std::map<uint32_t, std::map<Values, Laws1>> parts;
    for (const auto &[values, laws] : cases)
      parts[values[ghost]][values] = laws;
    std::vector<size_t> rest = open;
    std::erase(rest, ghost);
    std::map<Term, std::set<uint32_t>> groups;
    for (auto &[value, part] : parts)
      groups[tree(std::move(part), rest, loose)].insert(value);
    if (groups.size() == 1 && loose)
      return groups.begin()->first;
    std::vector<Term> ways;
    for (const auto &[formula, values] : groups)
      ways.push_back(pool_.conjunction({oneOf(ghost, values), formula}));
    return logic::simplify(pool_.disjunction(std::move(ways)));
  }

  Term disjunction(const Laws1 &laws) const {
    std::vector<Term> ways;
    for (const Law &law : laws)
      ways.push_back(lawTerm(law));
    return logic::simplify(pool_.disjunction(std::move(ways)));
  }

  // ---- updates

  bool addUpdates(const GhostStates::Step &step, OwickiGries::Update &update) const {
    for (size_t g = 0; g < ghosts_.size(); ++g) {
      if (!ghosts_[g])
        continue;
      std::map<Values, uint32_t> targets;
      bool changes = false;
      for (const auto &[from, to] : step.edges) {
        const uint32_t target = states_.values[to][g];
        changes = changes || target != states_.values[from][g];
        if (auto [entry, isNew] = targets.try_emplace(states_.values[from], target);
            !isNew && entry->second != target)
          return false;
      }
      if (changes)
        update.assign.emplace_back(ghosts_[g], logic::simplify(value(targets, g)));
    }
    return true;
  }

  Term value(const std::map<Values, uint32_t> &targets, size_t ghost) const {
    const bool same = std::all_of(targets.begin(), targets.end(), [&](const auto &one) {
      return one.second == targets.begin()->second;
    });
    if (same)
      return constant(ghost, numbers_[ghost].at(targets.begin()->second));
    const bool stays = std::all_of(targets.begin(), targets.end(),
                                   [&](const auto &one) { return one.second == one.first[ghost]; });
    if (stays)
      return pool_.var(ghosts_[ghost]);
    std::vector<size_t> order{ghost};
    for (size_t g = 0; g < ghosts_.size(); ++g)
      if (ghosts_[g] && g != ghost)
        order.push_back(g);
    for (size_t by : order) {
      std::map<uint32_t, std::map<Values, uint32_t>> parts;
      for (const auto &[values, target] : targets)
        parts[values[by]][values] = target;
      if (parts.size() < 2)
        continue;
      std::map<Term, std::set<uint32_t>> groups;
      for (const auto &[chosen, part] : parts)
        groups[value(part, ghost)].insert(chosen);
      // The largest group comes last, without a condition.
      auto last = std::max_element(groups.begin(), groups.end(), [](auto &a, auto &b) {
        return a.second.size() < b.second.size();
      });
      Term result = last->first;
      for (auto group = groups.begin(); group != groups.end(); ++group)
        if (group != last)
          result = pool_.ite(oneOf(by, group->second), group->first, result);
      return result;
    }
    return constant(ghost, numbers_[ghost].at(targets.begin()->second));
  }
};

} // namespace

std::optional<OwickiGries> annotationOf(const Program &program, const GhostStates &states) {
  return Formulas(program, states).run();
}

} // namespace understudy::compose::empire
