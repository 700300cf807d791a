// SPDX-License-Identifier: Apache-2.0
#include "logic/SortFacts.h"

#include <unordered_set>

namespace understudy::logic {

namespace {

bool isBounded(Sort sort) { return sort.kind() == SortKind::Range || sort.isEnum(); }

bool isListed(Sort array) {
  auto size = array.arraySize();
  return size && *size <= largestListedArray;
}

void appendRanges(Term variable, std::vector<Term> &facts) {
  TermPool &pool = variable.pool();
  Sort sort = variable.sort();
  if (isBounded(sort))
    facts.push_back(pool.inSort(variable, sort));
  if (!sort.isArray() || !isBounded(sort.element()) || !isListed(sort))
    return;
  for (int64_t i = 0; i < *sort.arraySize(); ++i)
    facts.push_back(pool.inSort(pool.select(variable, pool.integer(i)), sort.element()));
}

/// About what is read from the array variable below the stores.
void appendReadRange(Term select, std::vector<Term> &facts) {
  Term array = select.operand(0);
  while (array.op() == Op::Store)
    array = array.operand(0);
  if (array.op() != Op::Variable || !isBounded(array.sort().element()) || isListed(array.sort()))
    return;
  TermPool &pool = select.pool();
  facts.push_back(pool.inSort(pool.select(array, select.operand(1)), array.sort().element()));
}

} // namespace

SortFacts sortFacts(Term formula) {
  SortFacts result;
  std::unordered_set<Term> seen;
  std::vector<Term> work{formula};
  while (!work.empty()) {
    Term t = work.back();
    work.pop_back();
    if (!seen.insert(t).second)
      continue;
    if (t.op() == Op::Variable) {
      result.variables.push_back(t);
      appendRanges(t, result.facts);
    } else if (t.op() == Op::Select) {
      appendReadRange(t, result.facts);
    }
    work.insert(work.end(), t.operands().begin(), t.operands().end());
  }
  return result;
}

} // namespace understudy::logic
