// SPDX-License-Identifier: Apache-2.0
#include "compose/empire/Validity.h"

namespace understudy::compose::empire {

namespace {
constexpr uint64_t tripleResources = 5'000'000;
}

Validity::Validity(const Program &program, Budget &budget, uint64_t maxTriples, uint64_t maxQueries)
    : program_(program), budget_(budget), solver_(*program.pool, budget.limits(tripleResources)),
      maxTriples_(maxTriples), maxQueries_(maxQueries) {}

bool Validity::holds(const proof::OwickiGries &annotation) {
  const proof::OwickiGriesCheck check(program_, annotation);
  bool result = true;
  check.each([&](const proof::TripleGroup &group) {
    for (const proof::Triple &triple : group.triples) {
      ++triples_;
      budget_.work(10);
      if (!impossible(group, triple)) {
        result = false;
        return false;
      }
    }
    return true;
  });
  return result;
}

bool Validity::impossible(const proof::TripleGroup &group, const proof::Triple &triple) {
  std::vector<Term> key = group.conditions;
  key.push_back(triple.wrong);
  if (auto found = known_.find(key); found != known_.end())
    return found->second;
  solver_.push();
  for (const Term &condition : key)
    solver_.add(condition);
  ++queries_;
  const bool result = budget_.check(solver_) == logic::solver::Satisfiability::Unsat;
  solver_.pop();
  known_.emplace(std::move(key), result);
  return result;
}

} // namespace understudy::compose::empire
