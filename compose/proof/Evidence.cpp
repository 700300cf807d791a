// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/Evidence.h"

#include "logic/Substitute.h"
#include "logic/smtlib/SmtLib.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace understudy::compose::proof {

EvidenceKind kindOf(const Evidence &evidence) { return evidenceKinds[evidence.index()]; }

std::string word(EvidenceKind kind) {
  switch (kind) {
  case EvidenceKind::Counting:
    return "counting";
  case EvidenceKind::Sequential:
    return "sequential";
  case EvidenceKind::Explicit:
    return "explicit";
  case EvidenceKind::Cover:
    return "cover";
  case EvidenceKind::Net:
    return "net";
  case EvidenceKind::OwickiGries:
    return "owicki-gries";
  }
  throw std::logic_error("unknown kind of evidence");
}

std::vector<Variable> countVariables(const Program &program,
                                     const std::vector<CountingEvidence::Group> &crowds) {
  std::vector<Variable> result;
  std::set<std::string> used;
  for (const CountingEvidence::Group &crowd : crowds) {
    const Template &thread = program.templates[crowd.thread];
    std::string name = thread.name + "." + thread.locations[crowd.location].name;
    for (size_t i = 0; i < crowd.locals.size() && i < thread.locals.size(); ++i)
      name += (i == 0 ? "[" : ",") + logic::valueText(crowd.locals[i], thread.locals[i].sort());
    name += crowd.locals.empty() ? "" : "]";
    std::string unique = name;
    for (size_t n = 2; !used.insert(unique).second; ++n)
      unique = name + "~" + std::to_string(n);
    result.push_back(program.pool->variable("count", unique, program.pool->intSort()));
  }
  return result;
}

CountingEvidence evidenceOf(const Program &program, const CountingProof &proof) {
  CountingEvidence result;
  result.singles = proof.singles;
  for (const Crowd &crowd : proof.crowds)
    result.crowds.push_back({crowd.thread, crowd.location, crowd.locals});
  std::vector<Variable> names = countVariables(program, result.crowds);
  std::map<Variable, Term> counts;
  for (size_t i = 0; i < names.size(); ++i)
    counts[proof.crowds[i].count] = program.pool->var(names[i]);
  auto rename = [&](Variable variable, bool) {
    auto found = counts.find(variable);
    return found == counts.end() ? Term() : found->second;
  };
  for (const InvariantAt &invariant : proof.invariants)
    result.invariants.push_back(
        {invariant.control, logic::smtlib::smtLib(logic::substitute(invariant.formula, rename))});
  return result;
}

SequentialEvidence evidenceOf(const sequential::SequentialResult &proof) {
  SequentialEvidence result;
  std::set<LocationId> known;
  for (const auto *invariants : {&proof.invariants, &proof.between})
    for (const sequential::LocationInvariant &invariant : *invariants) {
      known.insert(invariant.location);
      result.invariants.push_back({invariant.location, logic::smtlib::smtLib(invariant.formula)});
    }
  for (LocationId location : proof.unreachable)
    if (!known.contains(location))
      result.invariants.push_back({location, "false"});
  return result;
}

} // namespace understudy::compose::proof
