// SPDX-License-Identifier: Apache-2.0
#include "compose/ProgramCopy.h"

#include <set>

namespace understudy::compose {

namespace {

/// Shows every variable and every term of a program to a visitor, which may replace them.
template <typename Visitor>
class ProgramParts {
public:
  explicit ProgramParts(Visitor visit) : visit_(std::move(visit)) {}

  void of(Program &program) {
    all(program.globals);
    one(program.initial);
    for (Mutex &mutex : program.mutexes)
      one(mutex.locked);
    for (Template &thread : program.templates)
      of(thread);
    for (Claim &invariant : program.invariants)
      one(invariant.formula);
  }

private:
  Visitor visit_;

  template <typename Part>
  void one(Part &part) {
    if (part)
      visit_(part);
  }
  template <typename Part>
  void maybe(std::optional<Part> &part) {
    if (part)
      one(*part);
  }
  template <typename Part>
  void all(std::vector<Part> &parts) {
    for (Part &part : parts)
      one(part);
  }

  void of(Template &thread) {
    all(thread.parameters);
    all(thread.locals);
    one(thread.initial);
    for (Location &location : thread.locations)
      for (Claim &rely : location.relies)
        one(rely.formula);
    for (Edge &edge : thread.edges) {
      one(edge.relation);
      all(edge.modified);
      of(edge.action);
    }
  }

  void of(Action &action) {
    if (auto *fork = std::get_if<Fork>(&action)) {
      maybe(fork->id);
      all(fork->arguments);
      maybe(fork->result);
    }
    if (auto *join = std::get_if<Join>(&action))
      maybe(join->id);
  }
};

struct CollectVariables {
  std::set<Variable> &found;
  void operator()(Variable &variable) { found.insert(variable); }
  void operator()(Term &term) {
    for (const logic::VariableUse &use : logic::variablesOf(term))
      found.insert(use.variable);
  }
};

Program copied(const Program &program, const logic::NewNames &names) {
  Program copy = program;
  copy.pool = std::make_shared<logic::TermPool>();
  logic::Transfer transfer(*copy.pool, names);
  std::set<Variable> variables;
  ProgramParts(CollectVariables{variables}).of(copy);
  for (Variable v : variables)
    transfer(v);
  ProgramParts([&](auto &part) { part = transfer(part); }).of(copy);
  return copy;
}

} // namespace

Program copyOf(const Program &program) { return copied(program, {}); }

Program renamed(const Program &program, const logic::NewNames &names) {
  logic::NewNames all = names;
  for (const auto &[before, after] : names)
    all.emplace(heldName(before), heldName(after));
  Program copy = copied(program, all);
  auto rename = [&](std::string &name) {
    if (auto found = names.find(name); found != names.end())
      name = found->second;
  };
  for (Mutex &mutex : copy.mutexes)
    rename(mutex.name);
  for (std::string &condition : copy.conditions)
    rename(condition);
  for (Template &thread : copy.templates) {
    rename(thread.name);
    for (Location &location : thread.locations)
      rename(location.name);
  }
  return copy;
}

Program withNumbers(const Program &program, const ThreadCounts &counts) {
  Program result = program;
  for (Start &start : result.starts)
    if (auto number = counts.find(start.thread); start.unbounded && number != counts.end())
      start = {start.thread, number->second, false};
  std::erase_if(result.starts,
                [](const Start &start) { return start.count == 0 && !start.unbounded; });
  return result;
}

} // namespace understudy::compose
