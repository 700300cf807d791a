// SPDX-License-Identifier: Apache-2.0
#include "specs/conc/ConcPath.h"

#include <algorithm>

namespace understudy::specs::conc {

using logic::Term;
using logic::Variable;

bool mentions(const Path &path, Variable variable) {
  auto in = [&](Term t) { return check::primedIn(t).contains(variable); };
  bool inValue = std::any_of(path.values.begin(), path.values.end(), [&](const auto &entry) {
    return entry.first != variable && in(entry.second);
  });
  return inValue || std::any_of(path.conditions.begin(), path.conditions.end(), in);
}

void join(logic::TermPool &pool, Path &path, Term test, const Path &yes, const Path &no) {
  size_t before = path.conditions.size() + 1;
  auto added = [&](const Path &branch) {
    auto from = branch.conditions.begin() + static_cast<std::ptrdiff_t>(before);
    return pool.conjunction({from, branch.conditions.end()});
  };
  Term yesAdded = added(yes);
  Term noAdded = added(no);
  if (!yesAdded.isTrue() && !test.isFalse())
    path.conditions.push_back(
        test.isTrue() ? yesAdded : pool.disjunction({check::complement(test), yesAdded}));
  if (!noAdded.isTrue() && !test.isTrue())
    path.conditions.push_back(test.isFalse() ? noAdded : pool.disjunction({test, noAdded}));
  std::set<Variable> changed;
  for (const Path *branch : {&yes, &no})
    for (const auto &[variable, value] : branch->values)
      changed.insert(variable);
  auto in = [&](const Path &branch, Variable v) {
    auto found = branch.values.find(v);
    return found == branch.values.end() ? pool.var(v) : found->second;
  };
  for (Variable v : changed) {
    Term a = in(yes, v);
    Term b = in(no, v);
    if (a != b && !test.isConstant())
      a = pool.ite(test, a, b);
    else if (test.isFalse())
      a = b;
    path.values[v] = a;
  }
  path.changedAfterAction.insert(yes.changedAfterAction.begin(), yes.changedAfterAction.end());
  path.changedAfterAction.insert(no.changedAfterAction.begin(), no.changedAfterAction.end());
}

} // namespace understudy::specs::conc
