// SPDX-License-Identifier: Apache-2.0
#include "specs/ConcBuilder.h"

#include "logic/Substitute.h"

#include <algorithm>

namespace understudy::specs {

using compose::FailureKind;
using compose::LocationId;
using logic::Sort;
using logic::Term;
using logic::Variable;

namespace {

/// "1 argument", "no arguments".
std::string countOf(size_t count, const std::string &what) {
  std::string number = count == 0 ? "no" : std::to_string(count);
  return number + " " + what + (count == 1 ? "" : "s");
}

} // namespace

ThreadBuilder::ThreadBuilder(ConcContext &context, const ConcThread &tree, compose::TemplateId id)
    : context_(context), tree_(tree), id_(id), scope_(&context.unit.scope) {
  thread_.name = tree.name.text;
  thread_.range = tree.range;
  const ConcSignature &signature = context.signatures[id];
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    Symbol symbol{.name = signature.names[i].text, .range = signature.names[i].range};
    symbol.variable = signature.parameters[i];
    symbol.local = true;
    symbol.broken = !symbol.variable;
    scope_.declare(symbol, reporter());
    if (symbol.variable)
      thread_.parameters.push_back(symbol.variable);
  }
  thread_.locals = thread_.parameters;
}

ExprChecker ThreadBuilder::checker() {
  return {pool(), scope_, reporter(), {ExprPlace::Statement, [this](const Symbol &mutex) {
                                         return pool().var(heldFlag(mutex));
                                       }}};
}

void ThreadBuilder::declareLocals(const LocalDecl &declaration) {
  std::optional<Sort> sort = resolveType(unit(), declaration.type);
  if (sort && declaration.type.isArray)
    sort = arrayOf(unit(), *sort, declaration.type.arraySize);
  for (const Declarator &d : declaration.variables) {
    if (sort) {
      declareLocal(d, *sort);
      continue;
    }
    Symbol symbol{.name = d.name.text, .range = d.name.range, .broken = true};
    scope_.declare(symbol, reporter());
  }
}

void ThreadBuilder::declareLocal(const Declarator &declarator, Sort sort) {
  Symbol symbol{.name = declarator.name.text, .range = declarator.name.range};
  symbol.variable = pool().variable(thread_.name, symbol.name, sort);
  symbol.local = true;
  if (declarator.initial) {
    const Expr &expr = *declarator.initial;
    Sort scalar = sort.isArray() ? sort.element() : sort;
    if (Checked value = checker().assignable(expr, scalar)) {
      if (!logic::definedness(value.term).isTrue())
        reporter().error(expr.range, "a start value may read array elements only at fixed indices",
                         "assign it in a statement");
      else if (!provablyInSort(value.term, scalar))
        reporter().error(
            expr.range,
            (value.term.isConstant() ? std::to_string(value.term.value()) + " is"
                                     : std::string("this start value may be")) +
                " outside the range " + std::to_string(scalar.lower()) + ".." +
                std::to_string(scalar.upper()),
            value.term.isConstant() ? "" : "start with a constant and assign in a statement");
      else
        initial_.push_back(startsAs(unit(), symbol.variable, value.term));
    }
  }
  size_t errors = reporter().errorCount();
  scope_.declare(symbol, reporter());
  if (errors == reporter().errorCount())
    thread_.locals.push_back(symbol.variable);
}

LocationId ThreadBuilder::newLocation(const SourceRange &range) {
  compose::Location location;
  location.range = range;
  thread_.locations.push_back(std::move(location));
  return static_cast<LocationId>(thread_.locations.size() - 1);
}

LocationId ThreadBuilder::errorLocation() {
  if (!error_) {
    error_ = newLocation(tree_.name.range);
    thread_.locations[*error_].name = "error";
    thread_.locations[*error_].kind = compose::LocationKind::Error;
  }
  return *error_;
}

void ThreadBuilder::addEdge(const StepSite &site, std::vector<Term> relation,
                            const std::set<Variable> &modified, compose::Action action) {
  compose::Edge edge;
  edge.relation = allOf(pool(), std::move(relation));
  if (edge.relation.isFalse())
    return;
  edge.source = site.source;
  edge.target = site.target;
  edge.modified = asModified(modified);
  edge.action = std::move(action);
  edge.text = site.text;
  edge.range = site.range;
  thread_.edges.push_back(std::move(edge));
}

void ThreadBuilder::addFailure(const StepSite &site, std::vector<Term> relation, FailureKind kind,
                               compose::Action action) {
  Term whole = allOf(pool(), std::move(relation));
  if (whole.isFalse())
    return;
  StepSite wrong = site;
  wrong.target = errorLocation();
  addEdge(wrong, {whole}, primedIn(whole), std::move(action));
  thread_.edges.back().failure = kind;
}

Variable ThreadBuilder::heldFlag(const Symbol &mutex) {
  Variable &flag = held_[mutex.index];
  if (!flag) {
    flag = pool().variable(thread_.name, compose::heldName(mutex.name), pool().boolSort());
    thread_.locals.push_back(flag);
    initial_.push_back(pool().negate(pool().var(flag)));
  }
  return flag;
}

std::optional<Condition> ThreadBuilder::condition(const Expr &expr) {
  Checked checked = checker().condition(expr);
  if (!checked)
    return std::nullopt;
  return Condition{checked.term, logic::definedness(checked.term)};
}

const Symbol *ThreadBuilder::variable(const Name &name) {
  const Symbol *symbol = scope_.find(name.text);
  if (!symbol)
    reporter().error(name.range, "unknown variable '" + name.text + "'",
                     scope_.suggestion(name.text, {SymbolKind::Variable}));
  else if (symbol->kind != SymbolKind::Variable)
    reporter().error(
        name.range, "expected a variable, but '" + name.text + "' is " + describe(symbol->kind),
        symbol->kind == SymbolKind::Mutex
            ? "a mutex changes by 'lock " + name.text + "' and 'unlock " + name.text + "'"
            : scope_.suggestion(name.text, {SymbolKind::Variable}));
  else if (!symbol->broken)
    return symbol;
  return nullptr;
}

std::optional<Assignment> ThreadBuilder::assignment(const AssignStatement &statement) {
  const Symbol *symbol = variable(statement.variable);
  if (!symbol) {
    checker().check(*statement.value);
    return std::nullopt;
  }
  Assignment result{symbol->variable, {}, pool().boolean(true), pool().boolean(true)};
  Sort sort = symbol->variable.sort();
  Term element;
  if (statement.index) {
    Expr place;
    place.kind = ExprKind::Index;
    place.text = statement.variable.text;
    place.textRange = place.range = statement.variable.range;
    place.operands.push_back(statement.index);
    element = checker().check(place).term;
    if (sort.isArray())
      sort = sort.element();
  } else if (sort.isArray()) {
    reporter().error(statement.variable.range,
                     "'" + symbol->name + "' is an array; one element is assigned at a time",
                     "write '" + symbol->name + "[i] := e'");
    return std::nullopt;
  }
  Term value = checker().assignable(*statement.value, sort).term;
  if (!value || (statement.index && !element))
    return std::nullopt;
  if (!provablyInSort(value, sort))
    result.inRange = pool().inSort(value, sort);
  result.defined = logic::definedness(value);
  result.value = value;
  if (element) {
    result.defined = pool().conjunction({logic::definedness(element), result.defined});
    result.value = pool().store(element.operand(0), element.operand(1), value);
  }
  return result;
}

std::optional<ForkEffect> ThreadBuilder::fork(const ForkStatement &statement) {
  ForkEffect result{{}, pool().boolean(true), pool().boolean(true)};
  size_t errors = reporter().errorCount();
  std::vector<Term> defined;
  std::vector<Term> inRange;
  if (statement.result) {
    const Symbol *symbol = variable(*statement.result);
    if (symbol && symbol->variable.sort().kind() != logic::SortKind::Int)
      reporter().error(statement.result->range,
                       "a thread id needs a variable of type 'int', but '" + symbol->name +
                           "' has type '" + symbol->variable.sort().text() + "'");
    if (symbol)
      result.fork.result = symbol->variable;
  }
  if (statement.id)
    if (Checked id = checker().integer(*statement.id)) {
      result.fork.id = id.term;
      defined.push_back(logic::definedness(id.term));
    }
  const Symbol *thread = expectKind(unit(), scope_, statement.thread, SymbolKind::Thread);
  const ConcSignature *signature = thread ? &context_.signatures[thread->index] : nullptr;
  if (signature && signature->parameters.size() != statement.arguments.size())
    reporter().error(statement.thread.range,
                     "thread '" + thread->name + "' takes " +
                         countOf(signature->parameters.size(), "argument") + ", but " +
                         countOf(statement.arguments.size(), "argument") +
                         (statement.arguments.size() == 1 ? " is given" : " are given"));
  for (size_t i = 0; i < statement.arguments.size(); ++i) {
    bool known = signature && i < signature->parameters.size() && signature->parameters[i];
    if (!known) {
      checker().check(*statement.arguments[i]);
      continue;
    }
    Sort sort = signature->parameters[i].sort();
    Checked value = checker().assignable(*statement.arguments[i], sort);
    if (!value)
      continue;
    defined.push_back(logic::definedness(value.term));
    if (!provablyInSort(value.term, sort))
      inRange.push_back(pool().inSort(value.term, sort));
    result.fork.arguments.push_back(value.term);
  }
  if (!thread || signature->broken || errors != reporter().errorCount())
    return std::nullopt;
  result.fork.thread = thread->index;
  context_.forked.insert(thread->index);
  result.defined = pool().conjunction(std::move(defined));
  result.inRange = pool().conjunction(std::move(inRange));
  return result;
}

std::optional<JoinEffect> ThreadBuilder::join(const JoinStatement &statement) {
  JoinEffect result{{}, pool().boolean(true)};
  std::optional<Name> thread = statement.thread;
  if (statement.id && statement.id->kind == ExprKind::Name && !statement.id->primed) {
    const Symbol *symbol = scope_.find(statement.id->text);
    if (symbol && symbol->kind == SymbolKind::Thread)
      thread = Name{statement.id->text, statement.id->range};
  }
  if (thread) {
    const Symbol *symbol = expectKind(unit(), scope_, *thread, SymbolKind::Thread);
    if (!symbol)
      return std::nullopt;
    result.join.thread = symbol->index;
    return result;
  }
  Checked id = checker().integer(*statement.id);
  if (!id)
    return std::nullopt;
  result.join.id = id.term;
  result.defined = logic::definedness(id.term);
  return result;
}

std::optional<Variable> ThreadBuilder::havocTarget(const HavocStatement &statement) {
  const Symbol *symbol = variable(statement.variable);
  return symbol ? std::optional(symbol->variable) : std::nullopt;
}

const Symbol *ThreadBuilder::mutex(const Name &name) {
  return expectKind(unit(), scope_, name, SymbolKind::Mutex);
}

const Symbol *ThreadBuilder::cond(const Name &name) {
  return expectKind(unit(), scope_, name, SymbolKind::Cond);
}

std::optional<LocationId> ThreadBuilder::jumpTarget(const Name &label) {
  auto found = labels().find(label.text);
  if (found == labels().end()) {
    std::vector<std::string> names;
    for (const auto &[name, place] : labels())
      names.push_back(name);
    reporter().error(label.range, "unknown label '" + label.text + "'",
                     didYouMean(label.text, names));
    return std::nullopt;
  }
  if (found->second.inAtomic) {
    reporter().error(label.range,
                     "'" + label.text + "' is inside an atomic section and cannot be jumped to",
                     "jumps may leave an atomic section, not enter it or stay in it");
    return std::nullopt;
  }
  return found->second.location;
}

/// "Some mutex is held after the edge", as far as its own relation does not settle it.
Term ThreadBuilder::heldAfter(const compose::Edge &edge) {
  std::vector<Term> flags;
  std::vector<Term> conjuncts = logic::conjunctsOf(edge.relation);
  for (const auto &[mutex, flag] : held_) {
    bool changed = std::binary_search(edge.modified.begin(), edge.modified.end(), flag);
    Term after = changed ? pool().primed(flag) : pool().var(flag);
    auto says = [&](Term t) {
      return std::find(conjuncts.begin(), conjuncts.end(), t) != conjuncts.end();
    };
    if (says(after))
      return pool().boolean(true);
    if (!says(pool().negate(after)))
      flags.push_back(after);
  }
  return pool().disjunction(std::move(flags));
}

/// A thread woken straight into its end could hold a mutex there: it takes an edge instead.
void ThreadBuilder::passThrough(LocationId final) {
  for (LocationId id = 0; id < thread_.locations.size(); ++id) {
    if (!thread_.locations[id].waiting || thread_.locations[id].waiting->wakesTo != final)
      continue;
    LocationId woken = newLocation(thread_.locations[id].range);
    thread_.locations[woken].name = "woken";
    thread_.locations[woken].hidden = true;
    thread_.locations[id].waiting->wakesTo = woken;
    addEdge({woken, final, thread_.locations[id].range, "wake up"}, {}, {});
  }
}

compose::Template ThreadBuilder::finish(LocationId final) {
  if (!held_.empty())
    passThrough(final);
  std::vector<compose::Edge> edges;
  edges.swap(thread_.edges);
  for (compose::Edge &edge : edges) {
    Term held = edge.target == final ? heldAfter(edge) : pool().boolean(false);
    if (held.isFalse()) {
      thread_.edges.push_back(std::move(edge));
      continue;
    }
    compose::Edge wrong = edge;
    wrong.relation = allOf(pool(), {edge.relation, held});
    wrong.target = errorLocation();
    wrong.failure = FailureKind::StillHeld;
    edge.relation = allOf(pool(), {edge.relation, complement(held)});
    if (!edge.relation.isFalse())
      thread_.edges.push_back(std::move(edge));
    thread_.edges.push_back(std::move(wrong));
  }
  thread_.initial = pool().conjunction(std::move(initial_));
  return std::move(thread_);
}

} // namespace understudy::specs
