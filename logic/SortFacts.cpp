// SPDX-License-Identifier: Apache-2.0
#include "logic/SortFacts.h"

#include "logic/Value.h"

#include <unordered_set>

namespace understudy::logic {

namespace {

bool isBounded(Sort sort) { return sort.kind() == SortKind::Range || sort.isEnum(); }

bool isListed(Sort array) {
  auto size = array.arraySize();
  return size && *size <= largestListedArray;
}

bool isPinned(Sort sort) {
  return sort.isArray() && sort.arraySize().value_or(largestListedArray) <= largestPinnedArray;
}

Term defaultElement(TermPool &pool, Sort array) {
  return pool.constant(array.element(), defaultValue(array.element()).number());
}

/// "The array is what its elements make it".
Term pin(Term array) {
  TermPool &pool = array.pool();
  Sort sort = array.sort();
  Term stores = pool.constArray(sort, defaultElement(pool, sort));
  for (int64_t i = 0; i < *sort.arraySize(); ++i)
    stores = pool.store(stores, pool.integer(i), pool.select(array, pool.integer(i)));
  return pool.equal(array, stores);
}

void appendFacts(Term variable, std::vector<Term> &facts) {
  TermPool &pool = variable.pool();
  Sort sort = variable.sort();
  if (isBounded(sort))
    facts.push_back(pool.inSort(variable, sort));
  if (isPinned(sort))
    facts.push_back(pin(variable));
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
      appendFacts(t, result.facts);
    } else if (t.op() == Op::Select) {
      appendReadRange(t, result.facts);
    }
    work.insert(work.end(), t.operands().begin(), t.operands().end());
  }
  return result;
}

Term asStores(Term constArray) {
  TermPool &pool = constArray.pool();
  Sort sort = constArray.sort();
  Term element = constArray.operand(0);
  Term otherwise = defaultElement(pool, sort);
  if (!isListed(sort) || element == otherwise)
    return constArray;
  Term result = pool.constArray(sort, otherwise);
  for (int64_t i = 0; i < *sort.arraySize(); ++i)
    result = pool.store(result, pool.integer(i), element);
  return result;
}

Term asNumber(Term term) {
  if (!term.sort().isEnum())
    return term;
  TermPool &pool = term.pool();
  const auto values = term.sort().values();
  Term result = pool.integer(values->back());
  for (size_t i = values->size() - 1; i-- > 0;)
    result = pool.ite(pool.equal(term, pool.enumerator(term.sort(), (*values)[i])),
                      pool.integer((*values)[i]), result);
  return result;
}

} // namespace understudy::logic
