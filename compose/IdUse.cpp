// SPDX-License-Identifier: Apache-2.0
//
// Which variables hold thread ids: a type inference by unification. Every variable has a class;
// equations and assignments between variables unite classes; all ids of threads are one class.
// Arithmetic, order, indexing and computed values mark a class as numbers. Ids are opaque when
// their class is not marked.
#include "compose/IdUse.h"

#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

namespace understudy::compose {

namespace {

using logic::Op;

class Inference {
public:
  IdUse run(const Program &program) {
    for (const Template &type : program.templates) {
      scan(type.initial);
      for (const Edge &edge : type.edges)
        scanEdge(program, edge);
      for (const Location &location : type.locations)
        for (const Claim &rely : location.relies)
          scan(rely.formula);
    }
    scan(program.initial);
    for (const Claim &invariant : program.invariants)
      scan(invariant.formula);
    collect();
    return std::move(result_);
  }

private:
  // Node 0 is the class of all thread ids.
  std::vector<size_t> parent_{0};
  std::map<Variable, size_t> nodes_;
  std::vector<std::pair<size_t, int64_t>> constants_;
  std::vector<size_t> numbers_;
  std::unordered_set<Term> seen_;
  IdUse result_;

  size_t find(size_t n) {
    while (parent_[n] != n)
      n = parent_[n] = parent_[parent_[n]];
    return n;
  }
  void unite(size_t a, size_t b) { parent_[find(a)] = find(b); }

  size_t node(Variable variable) {
    auto [entry, isNew] = nodes_.emplace(variable, parent_.size());
    if (isNew)
      parent_.push_back(parent_.size());
    return entry->second;
  }

  /// What the term's value flows into or is compared with.
  void flow(Term term, size_t into) {
    switch (term.op()) {
    case Op::Variable:
      unite(node(term.variable()), into);
      break;
    case Op::Constant:
      constants_.emplace_back(into, term.value());
      break;
    case Op::Select:
      flow(term.operand(0), into);
      break;
    case Op::Store:
      flow(term.operand(0), into);
      flow(term.operand(2), into);
      break;
    case Op::ConstArray:
      flow(term.operand(0), into);
      break;
    case Op::Ite:
      flow(term.operand(1), into);
      flow(term.operand(2), into);
      break;
    default:
      numbers_.push_back(into);
    }
    scan(term);
  }

  void number(Term term) {
    size_t fresh = parent_.size();
    parent_.push_back(fresh);
    numbers_.push_back(fresh);
    flow(term, fresh);
  }

  void scan(Term term) {
    if (!seen_.insert(term).second)
      return;
    switch (term.op()) {
    case Op::Equal:
      if (!term.operand(0).sort().isBool()) {
        size_t fresh = parent_.size();
        parent_.push_back(fresh);
        flow(term.operand(0), fresh);
        flow(term.operand(1), fresh);
      }
      break;
    case Op::Less:
    case Op::LessEqual:
    case Op::Add:
    case Op::Multiply:
    case Op::Divide:
    case Op::Remainder:
      for (const Term &operand : term.operands())
        number(operand);
      break;
    case Op::Select:
    case Op::Store:
      number(term.operand(1));
      break;
    default:
      break;
    }
    for (const Term &operand : term.operands())
      scan(operand);
  }

  void scanEdge(const Program &program, const Edge &edge) {
    scan(edge.relation);
    if (const auto *fork = std::get_if<Fork>(&edge.action)) {
      if (fork->id)
        flow(*fork->id, 0);
      else
        result_.givesFresh = true;
      if (fork->result) {
        unite(node(*fork->result), 0);
        result_.matters = true;
      }
      for (size_t i = 0; i < fork->arguments.size(); ++i)
        if (!fork->arguments[i].sort().isBool())
          flow(fork->arguments[i], node(program.templates[fork->thread].parameters[i]));
    }
    if (const auto *join = std::get_if<Join>(&edge.action); join && join->id) {
      flow(*join->id, 0);
      result_.matters = true;
    }
  }

  void collect() {
    size_t ids = find(0);
    for (const auto &[variable, n] : nodes_)
      if (find(n) == ids) {
        result_.variables.insert(variable);
        // A bounded variable cannot hold every id, so its range is a comparison with numbers.
        if (variable.sort().kind() == logic::SortKind::Range)
          result_.opaque = false;
      }
    for (const auto &[n, value] : constants_)
      if (find(n) == ids)
        result_.constants.insert(value);
    for (size_t n : numbers_)
      if (find(n) == ids)
        result_.opaque = false;
  }
};

} // namespace

IdUse analyseIds(const Program &program) { return Inference().run(program); }

void addNumbers(const logic::Value &value, std::set<int64_t> &out) {
  if (!value.isArray()) {
    out.insert(value.number());
    return;
  }
  out.insert(value.array().rest);
  for (const auto &[index, element] : value.array().elements)
    out.insert(element);
}

std::vector<int64_t> representativeIds(const std::set<int64_t> &held,
                                       const std::set<int64_t> &alive) {
  int64_t unused = 1;
  while (held.contains(unused) || alive.contains(unused))
    ++unused;
  std::vector<int64_t> result{unused};
  for (int64_t id : held)
    if (!alive.contains(id))
      result.push_back(id);
  return result;
}

} // namespace understudy::compose
