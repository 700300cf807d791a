// SPDX-License-Identifier: Apache-2.0
#include "specs/conc/ConcBuilder.h"

#include "logic/Substitute.h"
#include "logic/Words.h"

#include <algorithm>

namespace understudy::specs::conc {

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

ThreadBuilder::ThreadBuilder(ConcContext &context, const syntax::ConcThread &tree,
                             compose::TemplateId id)
    : context_(context), tree_(tree), id_(id), scope_(&context.unit.scope) {
  thread_.name = tree.name.text;
  thread_.range = tree.range;
  const ConcSignature &signature = context.signatures[id];
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    check::Symbol symbol{.name = signature.names[i].text, .range = signature.names[i].range};
    symbol.variable = signature.parameters[i];
    symbol.local = true;
    symbol.broken = !symbol.variable;
    scope_.declare(symbol, reporter());
    if (symbol.variable)
      thread_.parameters.push_back(symbol.variable);
  }
  thread_.locals = thread_.parameters;
}

check::ExprChecker ThreadBuilder::checker() {
  return {
      pool(), scope_, reporter(), {check::ExprPlace::Statement, [this](const check::Symbol &mutex) {
                                     return pool().var(heldFlag(mutex));
                                   }}};
}

void ThreadBuilder::declareLocals(const syntax::LocalDecl &declaration) {
  std::optional<Sort> sort = check::resolveType(unit(), declaration.type);
  if (sort && declaration.type.isArray)
    sort = check::arrayOf(unit(), *sort, declaration.type.arraySize);
  for (const syntax::Declarator &d : declaration.variables) {
    if (sort) {
      declareLocal(d, *sort);
      continue;
    }
    check::Symbol symbol{.name = d.name.text, .range = d.name.range, .broken = true};
    scope_.declare(symbol, reporter());
  }
}

void ThreadBuilder::declareLocal(const syntax::Declarator &declarator, Sort sort) {
  check::Symbol symbol{.name = declarator.name.text, .range = declarator.name.range};
  symbol.variable = pool().variable(thread_.name, symbol.name, sort);
  symbol.local = true;
  if (declarator.initial) {
    const syntax::Expr &expr = *declarator.initial;
    Sort scalar = sort.isArray() ? sort.element() : sort;
    if (check::Checked value = checker().assignable(expr, scalar)) {
      if (!logic::definedness(value.term).isTrue())
        reporter().error(expr.range,
                         "an initial value may read array elements only at constant indices",
                         "assign it in a statement");
      else if (!check::provablyInSort(value.term, scalar))
        reporter().error(expr.range,
                         (value.term.isConstant() ? std::to_string(value.term.value()) + " is"
                                                  : std::string("this initial value may be")) +
                             " outside the range " + std::to_string(scalar.lower()) + ".." +
                             std::to_string(scalar.upper()),
                         value.term.isConstant() ? ""
                                                 : "use a constant here and assign in a statement");
      else
        initial_.push_back(check::startsAs(unit(), symbol.variable, value.term));
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
  edge.relation = check::allOf(pool(), std::move(relation));
  if (edge.relation.isFalse())
    return;
  edge.source = site.source;
  edge.target = site.target;
  edge.modified = check::asModified(modified);
  edge.action = std::move(action);
  edge.text = site.text;
  edge.range = site.range;
  thread_.edges.push_back(std::move(edge));
}

void ThreadBuilder::addFailure(const StepSite &site, std::vector<Term> relation, FailureKind kind,
                               compose::Action action) {
  Term whole = check::allOf(pool(), std::move(relation));
  if (whole.isFalse())
    return;
  StepSite wrong = site;
  wrong.target = errorLocation();
  addEdge(wrong, {whole}, check::primedIn(whole), std::move(action));
  thread_.edges.back().failure = kind;
}

Variable ThreadBuilder::heldFlag(const check::Symbol &mutex) {
  Variable &flag = held_[mutex.index];
  if (!flag) {
    flag = pool().variable(thread_.name, compose::heldName(mutex.name), pool().boolSort());
    thread_.locals.push_back(flag);
    initial_.push_back(pool().negate(pool().var(flag)));
  }
  return flag;
}

std::optional<Condition> ThreadBuilder::condition(const syntax::Expr &expr) {
  check::Checked checked = checker().condition(expr);
  if (!checked)
    return std::nullopt;
  return Condition{checked.term, logic::definedness(checked.term)};
}

const check::Symbol *ThreadBuilder::variable(const syntax::Name &name) {
  const check::Symbol *symbol = scope_.find(name.text);
  if (!symbol)
    reporter().error(name.range, "unknown variable '" + name.text + "'",
                     scope_.suggestion(name.text, {check::SymbolKind::Variable}));
  else if (symbol->kind != check::SymbolKind::Variable)
    reporter().error(name.range,
                     "expected a variable, but '" + name.text + "' is " +
                         check::describe(symbol->kind),
                     symbol->kind == check::SymbolKind::Mutex
                         ? "use 'lock " + name.text + "' and 'unlock " + name.text + "'"
                         : scope_.suggestion(name.text, {check::SymbolKind::Variable}));
  else if (!symbol->broken)
    return symbol;
  return nullptr;
}

std::optional<Assignment> ThreadBuilder::assignment(const syntax::AssignStatement &statement) {
  const check::Symbol *symbol = variable(statement.variable);
  if (!symbol) {
    checker().check(*statement.value);
    return std::nullopt;
  }
  Assignment result{symbol->variable, {}, pool().boolean(true), pool().boolean(true)};
  Sort sort = symbol->variable.sort();
  Term element;
  if (statement.index) {
    syntax::Expr place;
    place.kind = syntax::ExprKind::Index;
    place.text = statement.variable.text;
    place.textRange = place.range = statement.variable.range;
    place.operands.push_back(statement.index);
    element = checker().check(place).term;
    if (sort.isArray())
      sort = sort.element();
  } else if (sort.isArray()) {
    reporter().error(statement.variable.range,
                     "'" + symbol->name + "' is an array; assign one element at a time",
                     "write '" + symbol->name + "[i] := e'");
    return std::nullopt;
  }
  Term value = checker().assignable(*statement.value, sort).term;
  if (!value || (statement.index && !element))
    return std::nullopt;
  if (!check::provablyInSort(value, sort))
    result.inRange = pool().inSort(value, sort);
  result.defined = logic::definedness(value);
  result.value = value;
  if (element) {
    result.defined = pool().conjunction({logic::definedness(element), result.defined});
    result.value = pool().store(element.operand(0), element.operand(1), value);
  }
  return result;
}

std::optional<ForkEffect> ThreadBuilder::fork(const syntax::ForkStatement &statement) {
  ForkEffect result{{}, pool().boolean(true), pool().boolean(true)};
  size_t errors = reporter().errorCount();
  std::vector<Term> defined;
  std::vector<Term> inRange;
  if (statement.result) {
    const check::Symbol *symbol = variable(*statement.result);
    if (symbol && symbol->variable.sort().kind() != logic::SortKind::Int)
      reporter().error(statement.result->range,
                       "a thread id needs a variable of type 'int', but '" + symbol->name +
                           "' has type '" + symbol->variable.sort().text() + "'");
    if (symbol)
      result.fork.result = symbol->variable;
  }
  if (statement.id)
    if (check::Checked id = checker().integer(*statement.id)) {
      result.fork.id = id.term;
      defined.push_back(logic::definedness(id.term));
    }
  const check::Symbol *thread =
      check::expectKind(unit(), scope_, statement.thread, check::SymbolKind::Thread);
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
    check::Checked value = checker().assignable(*statement.arguments[i], sort);
    if (!value)
      continue;
    defined.push_back(logic::definedness(value.term));
    if (!check::provablyInSort(value.term, sort))
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

std::optional<JoinEffect> ThreadBuilder::join(const syntax::JoinStatement &statement) {
  JoinEffect result{{}, pool().boolean(true)};
  std::optional<syntax::Name> thread = statement.thread;
  if (statement.id && statement.id->kind == syntax::ExprKind::Name && !statement.id->primed) {
    const check::Symbol *symbol = scope_.find(statement.id->text);
    if (symbol && symbol->kind == check::SymbolKind::Thread)
      thread = syntax::Name{statement.id->text, statement.id->range};
  }
  if (thread) {
    const check::Symbol *symbol =
        check::expectKind(unit(), scope_, *thread, check::SymbolKind::Thread);
    if (!symbol)
      return std::nullopt;
    result.join.thread = symbol->index;
    return result;
  }
  check::Checked id = checker().integer(*statement.id);
  if (!id)
    return std::nullopt;
  result.join.id = id.term;
  result.defined = logic::definedness(id.term);
  return result;
}

std::optional<Variable> ThreadBuilder::havocTarget(const syntax::HavocStatement &statement) {
  const check::Symbol *symbol = variable(statement.variable);
  return symbol ? std::optional(symbol->variable) : std::nullopt;
}

const check::Symbol *ThreadBuilder::mutex(const syntax::Name &name) {
  return check::expectKind(unit(), scope_, name, check::SymbolKind::Mutex);
}

const check::Symbol *ThreadBuilder::cond(const syntax::Name &name) {
  return check::expectKind(unit(), scope_, name, check::SymbolKind::Cond);
}

std::optional<LocationId> ThreadBuilder::jumpTarget(const syntax::Name &label) {
  auto found = labels().find(label.text);
  if (found == labels().end()) {
    std::vector<std::string> names;
    for (const auto &[name, place] : labels())
      names.push_back(name);
    reporter().error(label.range, "unknown label '" + label.text + "'",
                     logic::didYouMean(label.text, names));
    return std::nullopt;
  }
  if (found->second.inAtomic) {
    reporter().error(label.range,
                     "cannot jump to '" + label.text + "', which is inside an atomic section",
                     "a jump may leave an atomic section, but not enter it or stay inside");
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
    wrong.relation = check::allOf(pool(), {edge.relation, held});
    wrong.target = errorLocation();
    wrong.failure = FailureKind::StillHeld;
    edge.relation = check::allOf(pool(), {edge.relation, check::complement(held)});
    if (!edge.relation.isFalse())
      thread_.edges.push_back(std::move(edge));
    thread_.edges.push_back(std::move(wrong));
  }
  thread_.initial = pool().conjunction(std::move(initial_));
  return std::move(thread_);
}

} // namespace understudy::specs::conc
