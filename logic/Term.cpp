// SPDX-License-Identifier: Apache-2.0
#include "logic/Term.h"

#include <algorithm>
#include <compare>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

namespace understudy::logic {

struct SortNode {
  SortKind kind;
  int64_t lower = 0;
  int64_t upper = 0; // of a Range; size of an Array, -1 for none
  std::string name;
  std::vector<Enumerator> enumerators;
  const SortNode *element = nullptr;
};

struct VariableNode {
  std::string scope;
  std::string name;
  Sort sort;
  size_t index;
};

struct TermNode {
  TermPool *pool;
  Op op;
  bool primed;
  bool hasPrimes;
  Sort sort;
  int64_t value;
  Variable variable;
  std::vector<Term> operands;
  size_t index;
};

namespace {

void require(bool condition, const char *what) {
  if (!condition)
    throw std::logic_error(std::string("ill-sorted term: ") + what);
}

bool comparable(Sort a, Sort b) {
  if (a == b)
    return true;
  if (a.isArray() && b.isArray())
    return a.element() == b.element() && a.arraySize() == b.arraySize();
  return a.isInteger() && b.isInteger();
}

size_t combine(size_t seed, size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2));
}

struct NodeHash {
  size_t operator()(const TermNode *n) const {
    size_t h = combine(static_cast<size_t>(n->op) * 2 + n->primed, static_cast<size_t>(n->value));
    h = combine(h, std::hash<const void *>()(n->sort.node()));
    h = combine(h, std::hash<Variable>()(n->variable));
    for (const Term &t : n->operands)
      h = combine(h, std::hash<Term>()(t));
    return h;
  }
};

struct NodeEqual {
  bool operator()(const TermNode *a, const TermNode *b) const {
    return a->op == b->op && a->primed == b->primed && a->value == b->value && a->sort == b->sort &&
           a->variable == b->variable && a->operands == b->operands;
  }
};

} // namespace

SortKind Sort::kind() const { return node_->kind; }
int64_t Sort::lower() const { return node_->lower; }
int64_t Sort::upper() const { return node_->upper; }
const std::string &Sort::enumName() const { return node_->name; }
const std::vector<Enumerator> &Sort::enumerators() const { return node_->enumerators; }
Sort Sort::element() const { return Sort(node_->element); }

std::optional<int64_t> Sort::arraySize() const {
  if (node_->upper < 0)
    return std::nullopt;
  return node_->upper;
}

std::optional<std::vector<int64_t>> Sort::values(size_t limit) const {
  std::vector<int64_t> result;
  switch (kind()) {
  case SortKind::Bool:
    return std::vector<int64_t>{0, 1};
  case SortKind::Range:
    if (static_cast<uint64_t>(upper()) - static_cast<uint64_t>(lower()) >= limit)
      return std::nullopt;
    for (int64_t v = lower();; ++v) {
      result.push_back(v);
      if (v == upper())
        return result;
    }
  case SortKind::Enum:
    for (const Enumerator &e : enumerators())
      result.push_back(e.value);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  case SortKind::Int:
  case SortKind::Array:
    break;
  }
  return std::nullopt;
}

std::string Sort::text() const {
  switch (kind()) {
  case SortKind::Bool:
    return "bool";
  case SortKind::Int:
    return "int";
  case SortKind::Range:
    return "int " + std::to_string(lower()) + ".." + std::to_string(upper());
  case SortKind::Enum:
    return enumName();
  case SortKind::Array:
    break;
  }
  auto size = arraySize();
  return element().text() + "[" + (size ? std::to_string(*size) : "") + "]";
}

const std::string &Variable::name() const { return node_->name; }
const std::string &Variable::scope() const { return node_->scope; }
Sort Variable::sort() const { return node_->sort; }
std::string Variable::fullName() const { return scope().empty() ? name() : scope() + "." + name(); }
bool Variable::operator<(const Variable &other) const { return node_->index < other.node_->index; }

Op Term::op() const { return node_->op; }
Sort Term::sort() const { return node_->sort; }
std::span<const Term> Term::operands() const { return node_->operands; }
int64_t Term::value() const { return node_->value; }
Variable Term::variable() const { return node_->variable; }
bool Term::primed() const { return node_->primed; }
bool Term::hasPrimes() const { return node_->hasPrimes; }
TermPool &Term::pool() const { return *node_->pool; }
bool Term::isTrue() const { return isConstant() && sort().isBool() && value() == 1; }
bool Term::isFalse() const { return isConstant() && sort().isBool() && value() == 0; }
bool Term::operator<(const Term &other) const { return node_->index < other.node_->index; }

struct TermPool::Tables {
  std::mutex mutex;
  std::deque<SortNode> sorts;
  std::deque<VariableNode> variables;
  std::deque<TermNode> terms;
  std::unordered_multimap<std::string, const VariableNode *> variableIndex;
  std::unordered_set<const TermNode *, NodeHash, NodeEqual> termIndex;

  const SortNode *sort(const SortNode &wanted) {
    std::lock_guard lock(mutex);
    for (const SortNode &s : sorts)
      if (s.kind == wanted.kind && s.lower == wanted.lower && s.upper == wanted.upper &&
          s.name == wanted.name && s.enumerators == wanted.enumerators &&
          s.element == wanted.element)
        return &s;
    return &sorts.emplace_back(wanted);
  }
};

TermPool::TermPool() : tables_(std::make_unique<Tables>()) {}
TermPool::~TermPool() = default;

Sort TermPool::boolSort() {
  return Sort(tables_->sort({.kind = SortKind::Bool, .name = {}, .enumerators = {}}));
}
Sort TermPool::intSort() {
  return Sort(tables_->sort({.kind = SortKind::Int, .name = {}, .enumerators = {}}));
}

Sort TermPool::rangeSort(int64_t lower, int64_t upper) {
  require(lower <= upper, "empty range");
  return Sort(tables_->sort(
      {.kind = SortKind::Range, .lower = lower, .upper = upper, .name = {}, .enumerators = {}}));
}

Sort TermPool::enumSort(const std::string &name, const std::vector<Enumerator> &enumerators) {
  require(!enumerators.empty(), "enum without values");
  return Sort(tables_->sort({.kind = SortKind::Enum, .name = name, .enumerators = enumerators}));
}

Sort TermPool::arraySort(Sort element, std::optional<int64_t> size) {
  require(!element.isArray(), "array of arrays");
  require(!size || *size > 0, "array without elements");
  return Sort(tables_->sort({.kind = SortKind::Array,
                             .upper = size.value_or(-1),
                             .name = {},
                             .enumerators = {},
                             .element = element.node()}));
}

Variable TermPool::variable(const std::string &scope, const std::string &name, Sort sort) {
  std::lock_guard lock(tables_->mutex);
  // Many scopes have a variable of the same name.
  const std::string key = scope + '\0' + name;
  auto [first, last] = tables_->variableIndex.equal_range(key);
  for (; first != last; ++first)
    if (first->second->sort == sort)
      return Variable(first->second);
  const VariableNode &node =
      tables_->variables.emplace_back(VariableNode{scope, name, sort, tables_->variables.size()});
  tables_->variableIndex.emplace(key, &node);
  return Variable(&node);
}

Term TermPool::make(Op op, Sort sort, int64_t value, std::vector<Term> operands) {
  bool hasPrimes =
      std::any_of(operands.begin(), operands.end(), [](const Term &t) { return t.hasPrimes(); });
  TermNode node{this, op, false, hasPrimes, sort, value, {}, std::move(operands), 0};
  std::lock_guard lock(tables_->mutex);
  if (auto found = tables_->termIndex.find(&node); found != tables_->termIndex.end())
    return Term(*found);
  node.index = tables_->terms.size();
  const TermNode &stored = tables_->terms.emplace_back(std::move(node));
  tables_->termIndex.insert(&stored);
  return Term(&stored);
}

Term TermPool::makeVariable(Variable variable, bool primed) {
  TermNode node{this, Op::Variable, primed, primed, variable.sort(), 0, variable, {}, 0};
  std::lock_guard lock(tables_->mutex);
  if (auto found = tables_->termIndex.find(&node); found != tables_->termIndex.end())
    return Term(*found);
  node.index = tables_->terms.size();
  const TermNode &stored = tables_->terms.emplace_back(std::move(node));
  tables_->termIndex.insert(&stored);
  return Term(&stored);
}

Term TermPool::boolean(bool value) { return make(Op::Constant, boolSort(), value ? 1 : 0, {}); }
Term TermPool::integer(int64_t value) { return make(Op::Constant, intSort(), value, {}); }

Term TermPool::enumerator(Sort sort, int64_t value) {
  require(sort.isEnum(), "enumerator of another sort");
  return make(Op::Constant, sort, value, {});
}

Term TermPool::constant(Sort sort, int64_t value) {
  require(!sort.isArray(), "array constant");
  if (sort.isBool())
    return boolean(value != 0);
  return sort.isEnum() ? enumerator(sort, value) : integer(value);
}

Term TermPool::var(Variable variable) { return makeVariable(variable, false); }
Term TermPool::primed(Variable variable) { return makeVariable(variable, true); }

Term TermPool::negate(Term a) {
  require(a.sort().isBool(), "not");
  return make(Op::Not, boolSort(), 0, {a});
}

Term TermPool::conjunction(std::vector<Term> operands) {
  std::vector<Term> flat;
  for (const Term &t : operands) {
    require(t.sort().isBool(), "and");
    if (t.op() == Op::And)
      flat.insert(flat.end(), t.operands().begin(), t.operands().end());
    else if (!t.isTrue())
      flat.push_back(t);
  }
  if (flat.empty())
    return boolean(true);
  return flat.size() == 1 ? flat.front() : make(Op::And, boolSort(), 0, std::move(flat));
}

Term TermPool::disjunction(std::vector<Term> operands) {
  std::vector<Term> flat;
  for (const Term &t : operands) {
    require(t.sort().isBool(), "or");
    if (t.op() == Op::Or)
      flat.insert(flat.end(), t.operands().begin(), t.operands().end());
    else if (!t.isFalse())
      flat.push_back(t);
  }
  if (flat.empty())
    return boolean(false);
  return flat.size() == 1 ? flat.front() : make(Op::Or, boolSort(), 0, std::move(flat));
}

Term TermPool::implies(Term a, Term b) {
  require(a.sort().isBool() && b.sort().isBool(), "implies");
  return make(Op::Implies, boolSort(), 0, {a, b});
}

Term TermPool::ite(Term condition, Term yes, Term no) {
  require(condition.sort().isBool() && comparable(yes.sort(), no.sort()), "ite");
  Sort sort = yes.sort() == no.sort() ? yes.sort() : intSort();
  return make(Op::Ite, sort, 0, {condition, yes, no});
}

Term TermPool::equal(Term a, Term b) {
  require(comparable(a.sort(), b.sort()), "equal");
  return make(Op::Equal, boolSort(), 0, {a, b});
}

Term TermPool::less(Term a, Term b) {
  require(a.sort().isNumeric() && comparable(a.sort(), b.sort()), "less");
  return make(Op::Less, boolSort(), 0, {a, b});
}

Term TermPool::lessEqual(Term a, Term b) {
  require(a.sort().isNumeric() && comparable(a.sort(), b.sort()), "less or equal");
  return make(Op::LessEqual, boolSort(), 0, {a, b});
}

Term TermPool::sum(std::vector<Term> operands) {
  std::vector<Term> flat;
  for (const Term &t : operands) {
    require(t.sort().isInteger(), "sum");
    if (t.op() == Op::Add)
      flat.insert(flat.end(), t.operands().begin(), t.operands().end());
    else
      flat.push_back(t);
  }
  if (flat.empty())
    return integer(0);
  return flat.size() == 1 ? flat.front() : make(Op::Add, intSort(), 0, std::move(flat));
}

Term TermPool::multiply(int64_t factor, Term a) {
  require(a.sort().isInteger(), "multiply");
  return make(Op::Multiply, intSort(), factor, {a});
}

Term TermPool::divide(Term a, int64_t divisor) {
  require(a.sort().isInteger() && divisor > 0, "divide");
  return make(Op::Divide, intSort(), divisor, {a});
}

Term TermPool::remainder(Term a, int64_t divisor) {
  require(a.sort().isInteger() && divisor > 0, "remainder");
  return make(Op::Remainder, intSort(), divisor, {a});
}

Term TermPool::select(Term array, Term index) {
  require(array.sort().isArray() && index.sort().isInteger(), "select");
  return make(Op::Select, array.sort().element(), 0, {array, index});
}

Term TermPool::store(Term array, Term index, Term element) {
  require(array.sort().isArray() && index.sort().isInteger() &&
              comparable(array.sort().element(), element.sort()),
          "store");
  return make(Op::Store, array.sort(), 0, {array, index, element});
}

Term TermPool::constArray(Sort sort, Term element) {
  require(sort.isArray() && comparable(sort.element(), element.sort()), "constant array");
  return make(Op::ConstArray, sort, 0, {element});
}

Term TermPool::inSort(Term a, Sort sort) {
  if (sort.kind() == SortKind::Range)
    return conjunction({lessEqual(integer(sort.lower()), a), lessEqual(a, integer(sort.upper()))});
  if (sort.kind() != SortKind::Enum)
    return boolean(true);
  std::vector<Term> cases;
  const auto values = sort.values();
  for (int64_t v : *values)
    cases.push_back(equal(a, enumerator(sort, v)));
  return disjunction(std::move(cases));
}

Term TermPool::rebuild(Term like, std::vector<Term> ops) {
  switch (like.op()) {
  case Op::Constant:
  case Op::Variable:
    return like;
  case Op::Not:
    return negate(ops[0]);
  case Op::And:
    return conjunction(std::move(ops));
  case Op::Or:
    return disjunction(std::move(ops));
  case Op::Implies:
    return implies(ops[0], ops[1]);
  case Op::Ite:
    return ite(ops[0], ops[1], ops[2]);
  case Op::Equal:
    return equal(ops[0], ops[1]);
  case Op::Less:
    return less(ops[0], ops[1]);
  case Op::LessEqual:
    return lessEqual(ops[0], ops[1]);
  case Op::Add:
    return sum(std::move(ops));
  case Op::Multiply:
    return multiply(like.value(), ops[0]);
  case Op::Divide:
    return divide(ops[0], like.value());
  case Op::Remainder:
    return remainder(ops[0], like.value());
  case Op::Select:
    return select(ops[0], ops[1]);
  case Op::Store:
    return store(ops[0], ops[1], ops[2]);
  case Op::ConstArray:
    return constArray(like.sort(), ops[0]);
  }
  throw std::logic_error("unknown operation");
}

std::vector<VariableUse> variablesOf(Term term) {
  std::vector<VariableUse> result;
  std::unordered_set<Term> seen;
  std::vector<Term> work{term};
  while (!work.empty()) {
    Term t = work.back();
    work.pop_back();
    if (!seen.insert(t).second)
      continue;
    if (t.op() == Op::Variable)
      result.push_back({t.variable(), t.primed()});
    work.insert(work.end(), t.operands().begin(), t.operands().end());
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<Term> conjunctsOf(Term formula) {
  if (formula.op() == Op::And)
    return {formula.operands().begin(), formula.operands().end()};
  return {formula};
}

} // namespace understudy::logic
