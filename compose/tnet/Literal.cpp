// SPDX-License-Identifier: Apache-2.0
#include "compose/tnet/Literal.h"

#include "compose/Solutions.h"
#include "logic/Value.h"
#include "logic/Words.h"

#include <algorithm>
#include <optional>

namespace understudy::compose::tnet {

std::string text(const Pid &pid) {
  std::string result;
  for (uint32_t number : pid)
    result += (result.empty() ? "" : ".") + std::to_string(number);
  return result;
}

bool related(Relation relation, const Pid &first, const Pid &second) {
  auto startsWith = [](const Pid &whole, const Pid &part) {
    return whole.size() >= part.size() && std::equal(part.begin(), part.end(), whole.begin());
  };
  const bool siblings = first.size() == second.size() && !first.empty() &&
                        std::equal(first.begin(), first.end() - 1, second.begin());
  switch (relation) {
  case Relation::Parent:
    return second.size() == first.size() + 1 && startsWith(second, first);
  case Relation::Ancestor:
    return second.size() > first.size() && startsWith(second, first);
  case Relation::Next:
    return siblings && first.back() + 1 == second.back();
  case Relation::Elder:
    return siblings && first.back() < second.back();
  }
  return false;
}

std::set<Pid> Marking::pids() const {
  std::set<Pid> result;
  for (const auto &[place, held] : tokens)
    for (const Token &token : held)
      for (const Field &field : token)
        if (!field.pid.empty())
          result.insert(field.pid);
  for (const auto &[pid, count] : generators)
    result.insert(pid);
  return result;
}

std::string text(const Net &net, PlaceId place, const Token &token) {
  const Place &type = net.places[place];
  std::vector<std::string> fields;
  for (size_t i = 0; i < token.size(); ++i)
    fields.push_back(type.columns[i].isPid
                         ? text(token[i].pid)
                         : logic::valueText(token[i].value, type.columns[i].sort));
  return type.name + "(" + logic::joined(fields, ", ") + ")";
}

std::string text(const Net &net, const Marking &marking) {
  std::vector<std::string> all;
  for (const auto &[place, held] : marking.tokens)
    for (const Token &token : held)
      all.push_back(text(net, place, token));
  return all.empty() ? "no tokens" : logic::joined(all, ", ");
}

Marking startMarking(const Net &net) {
  const Pid first{1};
  Marking result;
  result.tokens[net.start].insert(Token{{first, 0}});
  result.generators.emplace(first, 0);
  return result;
}

namespace {

/// Finds the bindings of a pattern, one arc after the other.
class Matching {
public:
  /// The bindings that extend the given one.
  Matching(const Net &net, const Pattern &pattern, const Marking &marking, Binding binding,
           Budget *budget)
      : net_(net), pattern_(pattern), left_(marking.tokens), binding_(std::move(binding)),
        budget_(budget) {}

  std::vector<Binding> run() {
    take(0);
    return {found_.begin(), found_.end()};
  }

private:
  const Net &net_;
  const Pattern &pattern_;
  std::map<PlaceId, std::multiset<Token>> left_; ///< tokens that no arc took yet
  std::vector<std::pair<PlaceId, Token>> taken_;
  Binding binding_;
  Budget *budget_;
  std::set<Binding> found_;

  void take(size_t arc) {
    if (budget_)
      budget_->work(2);
    if (arc == pattern_.takes.size()) {
      if (holds())
        found_.insert(binding_);
      return;
    }
    const PlaceId place = pattern_.takes[arc].place;
    const std::multiset<Token> tokens = left_[place];
    if (budget_)
      budget_->work(tokens.size() / 8);
    for (auto token = tokens.begin(); token != tokens.end(); token = tokens.upper_bound(*token)) {
      const Binding before = binding_;
      if (unify(pattern_.takes[arc], *token)) {
        left_[place].erase(left_[place].find(*token));
        taken_.emplace_back(place, *token);
        take(arc + 1);
        taken_.pop_back();
        left_[place].insert(*token);
      }
      binding_ = before;
    }
  }

  /// Fields that are variables; the others need all of them.
  bool unify(const Arc &arc, const Token &token) {
    for (size_t i = 0; i < token.size(); ++i) {
      if (arc.fields[i].op() != logic::Op::Variable)
        continue;
      auto [entry, isNew] = binding_.try_emplace(arc.fields[i].variable(), token[i]);
      if (entry->second != token[i])
        return false;
    }
    return true;
  }

  bool holds() const;
};

/// The values of terms under a binding. Ids become numbers, equal ones equal numbers.
class Evaluation {
public:
  Evaluation(const Pattern &pattern, const Binding &binding) {
    std::map<Pid, int64_t> numbers;
    for (const auto &[variable, field] : binding)
      values_[variable] =
          field.pid.empty()
              ? field.value
              : numbers.try_emplace(field.pid, static_cast<int64_t>(numbers.size())).first->second;
    for (const Asked &asked : pattern.asked)
      values_[asked.answer] =
          related(asked.relation, binding.at(asked.first).pid, binding.at(asked.second).pid);
  }
  int64_t operator()(Term term) const {
    return logic::evaluate(
               term, [this](Variable variable, bool) { return logic::Value(values_.at(variable)); })
        .number();
  }

private:
  std::map<Variable, int64_t> values_;
};

bool Matching::holds() const {
  const Evaluation evaluate(pattern_, binding_);
  for (size_t arc = 0; arc < taken_.size(); ++arc) {
    const auto &[place, token] = taken_[arc];
    for (size_t i = 0; i < token.size(); ++i)
      if (!net_.places[place].columns[i].isPid &&
          evaluate(pattern_.takes[arc].fields[i]) != token[i].value)
        return false;
  }
  return evaluate(pattern_.guard) != 0;
}

/// None if a token does not fit its place.
std::optional<Firing> fire(const Net &net, uint32_t number, Binding binding, Marking marking) {
  const Transition &transition = net.transitions[number];
  const Pattern &pattern = transition.pattern;
  auto tokenOf = [&](const Arc &arc) -> std::optional<Token> {
    const Evaluation evaluate(pattern, binding);
    Token token;
    for (size_t i = 0; i < arc.fields.size(); ++i) {
      const Column &column = net.places[arc.place].columns[i];
      if (column.isPid) {
        token.push_back(binding.at(arc.fields[i].variable()));
        continue;
      }
      int64_t value = evaluate(arc.fields[i]);
      if (!inSort(value, column.sort))
        return std::nullopt;
      token.push_back({{}, value});
    }
    return token;
  };
  for (const Arc &arc : pattern.takes) {
    auto &held = marking.tokens[arc.place];
    held.erase(held.find(*tokenOf(arc)));
    if (held.empty())
      marking.tokens.erase(arc.place);
  }
  auto generatorOf = [&](const Pid &pid) {
    return std::find_if(marking.generators.begin(), marking.generators.end(),
                        [&](const auto &generator) { return generator.first == pid; });
  };
  for (const Spawn &spawn : transition.spawns) {
    const Pid parent = binding.at(spawn.parent).pid;
    auto generator = generatorOf(parent);
    const uint32_t count = generator->second + 1;
    marking.generators.erase(generator);
    marking.generators.emplace(parent, count);
    Pid child = parent;
    child.push_back(count);
    binding[spawn.child] = {child, 0};
    marking.generators.emplace(child, 0);
  }
  for (Variable thread : transition.ends)
    marking.generators.erase(generatorOf(binding.at(thread).pid));
  for (const Arc &arc : transition.gives) {
    auto token = tokenOf(arc);
    if (!token)
      return std::nullopt;
    marking.tokens[arc.place].insert(*token);
  }
  return Firing{number, std::move(binding), std::move(marking)};
}

} // namespace

std::vector<Binding> matches(const Net &net, const Pattern &pattern, const Marking &marking,
                             Budget *budget) {
  return Matching(net, pattern, marking, {}, budget).run();
}

bool isThere(const Net &net, const Pattern &pattern, const Marking &marking,
             const Binding &binding) {
  return !Matching(net, pattern, marking, binding, nullptr).run().empty();
}

std::vector<Firing> firings(const Net &net, const Marking &marking, Budget *budget) {
  std::vector<Firing> result;
  for (uint32_t t = 0; t < net.transitions.size(); ++t)
    for (const Binding &binding : matches(net, net.transitions[t].pattern, marking, budget)) {
      if (budget)
        budget->work(10 + marking.generators.size() / 2);
      if (auto firing = fire(net, t, binding, marking))
        result.push_back(std::move(*firing));
    }
  return result;
}

std::optional<Firing> firing(const Net &net, const Marking &marking, uint32_t transition,
                             const Binding &binding) {
  if (!isThere(net, net.transitions[transition].pattern, marking, binding))
    return std::nullopt;
  return fire(net, transition, binding, marking);
}

} // namespace understudy::compose::tnet
