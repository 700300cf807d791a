// SPDX-License-Identifier: Apache-2.0
//
// Assumption 3 of the paper: which threads enter a transition, leave it, end and are new, and that
// ids are never treated as data.
#include "specs/tnet/NetUnit.h"

#include "logic/Words.h"

#include <algorithm>

namespace understudy::specs::tnet {

using compose::tnet::Arc;
using compose::tnet::Pattern;
using compose::tnet::Place;
using compose::tnet::PlaceId;
using compose::tnet::Relation;
using compose::tnet::Transition;
using logic::Sort;
using logic::Term;
using logic::Variable;

namespace {

constexpr int64_t mostTokens = 1000;

const syntax::Expr *nameOf(const syntax::NetField &field) {
  return field.value && field.value->kind == syntax::ExprKind::Name && !field.value->primed
             ? field.value.get()
             : nullptr;
}

} // namespace

PatternBuilder::PatternBuilder(NetUnit &net, const std::string &name, For use)
    : net_(net), name_((use == For::Question ? "question " : "transition ") + name), use_(use),
      scope_(&net.unit.scope), errors_(net.reporter().errorCount()) {}

check::ExprChecker PatternBuilder::checker() {
  return {net_.pool(), scope_, net_.reporter(), {check::ExprPlace::Net, {}}};
}

check::ExprChecker PatternBuilder::guardChecker() {
  check::ExprRules rules{check::ExprPlace::Net, {}};
  rules.related = [this](const syntax::Expr &expr) { return related(expr); };
  return {net_.pool(), scope_, net_.reporter(), rules};
}

Variable PatternBuilder::declare(const syntax::Name &name, Sort sort) {
  check::Symbol symbol{.kind = check::SymbolKind::Variable, .name = name.text, .range = name.range};
  symbol.variable = net_.pool().variable(name_, name.text, sort);
  symbol.local = true;
  scope_.declare(symbol, net_.reporter());
  (sort == net_.net.pidSort ? pattern_.pids : pattern_.data).push_back(symbol.variable);
  return symbol.variable;
}

bool PatternBuilder::fits(const syntax::NetToken &token, const Place &place) {
  if (token.fields.size() == place.columns.size())
    return true;
  auto fields = [](size_t n) { return std::to_string(n) + (n == 1 ? " field" : " fields"); };
  net_.reporter().error(token.range,
                        "a token of '" + place.name + "' has " + fields(place.columns.size()) +
                            ", and this one has " + fields(token.fields.size()),
                        place.isControl ? "the first is the thread, then come the columns" : "");
  return false;
}

Pattern PatternBuilder::takes(const std::vector<syntax::NetToken> &tokens,
                              const syntax::ExprPtr &guard) {
  for (const syntax::NetToken &token : tokens)
    takeToken(token);
  checkDeferred();
  pattern_.guard = net_.pool().boolean(true);
  if (guard)
    if (check::Checked checked = guardChecker().condition(*guard))
      pattern_.guard = checked.term;
  if (use_ == For::Transition && entering_.empty() && !tokens.empty() &&
      net_.reporter().errorCount() == errors_)
    net_.reporter().error(tokens.front().range, "no thread enters this transition",
                          "it takes a token of a control-flow place ('place'), whose thread acts");
  return pattern_;
}

void PatternBuilder::takeToken(const syntax::NetToken &token) {
  if (token.ends) {
    net_.reporter().error(token.range, "'end' may only stand right of '->'");
    excuse(token.name);
    return;
  }
  if (token.count)
    net_.reporter().error(token.range, "a number of tokens may only stand right of '->'",
                          "write the tokens one by one, with their own variables");
  PlaceId id = 0;
  const Place *place = net_.place(token.name, id);
  if (!place || !fits(token, *place)) {
    excuse(token);
    return;
  }
  Arc arc{id, {}};
  for (size_t i = 0; i < token.fields.size(); ++i)
    arc.fields.push_back(place->columns[i].isPid
                             ? pidField(token.fields[i])
                             : dataField(token.fields[i], i, place->columns[i].sort));
  if (place->isControl)
    enter(token);
  pattern_.takes.push_back(std::move(arc));
}

void PatternBuilder::enter(const syntax::NetToken &token) {
  const syntax::Expr *thread = nameOf(token.fields.front());
  if (!thread)
    return;
  if (!enters(thread->text))
    entering_.push_back({thread->text, thread->range});
  else if (!mentioned_.contains(thread->text)) // of those excused, one token may be wrong
    net_.reporter().error(thread->range,
                          use_ == For::Question
                              ? "thread '" + thread->text + "' cannot be in two places at once"
                              : "thread '" + thread->text + "' enters twice",
                          "a thread has one token in the control-flow places");
}

bool PatternBuilder::enters(const std::string &name) const {
  return std::any_of(entering_.begin(), entering_.end(),
                     [&](const syntax::Name &thread) { return thread.text == name; });
}

void PatternBuilder::excuse(const syntax::Name &name) {
  if (!scope_.find(name.text))
    declare(name, net_.net.pidSort);
  if (!enters(name.text))
    entering_.push_back(name);
  mentioned_.insert(name.text);
}

/// Its variables are bound, whatever their types are; every place begins with a thread.
void PatternBuilder::excuse(const syntax::NetToken &token) {
  for (size_t i = 0; i < token.fields.size(); ++i) {
    const syntax::Expr *name = nameOf(token.fields[i]);
    if (name && i == 0)
      excuse(syntax::Name{name->text, name->range});
    else if (name && !scope_.find(name->text))
      scope_.declare({.name = name->text, .range = name->range, .broken = true}, net_.reporter());
  }
}

void PatternBuilder::refuseNew(const syntax::NetField &field) {
  net_.reporter().error(field.range, "'new' may only stand right of '->'");
  excuse(field.created->parent);
  if (field.created->name)
    excuse(*field.created->name);
}

/// Left of '->': a variable, which is declared by its first use.
Term PatternBuilder::pidField(const syntax::NetField &field) {
  const syntax::Expr *name = nameOf(field);
  if (field.created) {
    refuseNew(field);
    return {};
  }
  if (!name) {
    net_.reporter().error(field.range,
                          field.value->kind == syntax::ExprKind::Number
                              ? "a thread id cannot be written as a number"
                              : "expected the name of a thread, and this is an expression",
                          "ids can only be named by variables, as in 'p'");
    return {};
  }
  const check::Symbol *symbol = scope_.find(name->text);
  if (!symbol) {
    Variable variable = declare({name->text, name->range}, net_.net.pidSort);
    return net_.pool().var(variable);
  }
  auto variable = pidNamed(*name);
  return variable ? net_.pool().var(*variable) : Term{};
}

/// A variable that is declared as a thread, or a report.
std::optional<Variable> PatternBuilder::pidNamed(const syntax::Expr &expr) {
  const check::Symbol *symbol = scope_.find(expr.text);
  if (!symbol) {
    const std::string similar = scope_.suggestion(expr.text, {check::SymbolKind::Variable});
    net_.reporter().error(expr.range, "unknown thread '" + expr.text + "'",
                          similar.empty() ? "a thread is named by a token left of '->'" : similar);
    return std::nullopt;
  }
  if (symbol->broken)
    return std::nullopt;
  if (symbol->kind == check::SymbolKind::Variable && symbol->variable.sort() == net_.net.pidSort)
    return symbol->variable;
  net_.reporter().error(
      expr.range,
      "expected a thread, but '" + expr.text + "' is " +
          (symbol->kind == check::SymbolKind::Variable ? "data" : describe(symbol->kind)),
      symbol->kind == check::SymbolKind::Variable ? "a variable is a thread or data, not both"
                                                  : "");
  return std::nullopt;
}

/// Left of '->': a variable that is new here gets its value from the token; all else is compared.
Term PatternBuilder::dataField(const syntax::NetField &field, size_t index, Sort sort) {
  if (field.created) {
    refuseNew(field);
    return {};
  }
  const syntax::Expr *name = nameOf(field);
  if (name && !scope_.find(name->text))
    return net_.pool().var(declare({name->text, name->range}, sort));
  deferred_.push_back({pattern_.takes.size(), index, field.value.get(), sort});
  return {};
}

/// Expressions may use variables of tokens behind them.
void PatternBuilder::checkDeferred() {
  for (const Deferred &one : deferred_)
    if (check::Checked value = checker().assignable(*one.expr, one.sort);
        value && one.arc < pattern_.takes.size())
      pattern_.takes[one.arc].fields[one.field] = value.term;
}

Term PatternBuilder::related(const syntax::Expr &expr) {
  auto first = pidNamed(*expr.operands[0]);
  auto second = pidNamed(*expr.operands[1]);
  if (!first || !second)
    return {};
  Relation relation = Relation::Parent;
  for (Relation one : compose::tnet::allRelations)
    if (expr.text == word(one))
      relation = one;
  if (net_.declared && !net_.declared->has(relation)) {
    net_.reporter().error(expr.range,
                          "the relation '" + expr.text + "' is not among those that are kept",
                          "add it to 'relations', or leave the list out");
    return {};
  }
  net_.used.add(relation);
  std::string text = expr.text + "(" + first->name() + ", " + second->name() + ")";
  Variable answer = net_.pool().variable(name_, text, net_.pool().boolSort());
  auto &asked = pattern_.asked;
  if (std::none_of(asked.begin(), asked.end(),
                   [&](const compose::tnet::Asked &one) { return one.answer == answer; }))
    asked.push_back({relation, *first, *second, answer});
  return net_.pool().var(answer);
}

// Right of '->' --------------------------------------------------------------------------------

void PatternBuilder::gives(const std::vector<syntax::NetToken> &tokens, Transition &transition) {
  for (const syntax::NetToken &token : tokens)
    declareNew(token);
  for (const syntax::NetToken &token : tokens) {
    if (token.ends)
      end(token, transition);
    else
      giveToken(token, transition);
  }
}

void PatternBuilder::declareNew(const syntax::NetToken &token) {
  for (const syntax::NetField &field : token.fields)
    if (field.created && field.created->name) {
      created_.insert(field.created->name->text);
      declare(*field.created->name, net_.net.pidSort);
    }
}

std::optional<int64_t> PatternBuilder::countOf(const syntax::NetToken &token) {
  if (!token.count)
    return 1;
  auto count = check::constantInteger(net_.unit, *token.count);
  if (count && (*count < 0 || *count > mostTokens)) {
    net_.reporter().error(token.count->range, "cannot put " + std::to_string(*count) + " tokens",
                          "a number of tokens lies between 0 and " + std::to_string(mostTokens));
    return std::nullopt;
  }
  return count;
}

bool PatternBuilder::newFits(const syntax::NetToken &token, const Place &place, size_t field) {
  const syntax::NewThread &created = *token.fields[field].created;
  if (!place.isControl) {
    net_.reporter().error(created.range,
                          "a thread cannot begin in the data place '" + place.name + "'",
                          "put it in a control-flow place, as in 'PLACE(new h of p)', and name it "
                          "here: 'h'");
    return false;
  }
  if (field != 0) {
    net_.reporter().error(created.range, "a new thread may only be the first field of a token",
                          "name it there, and use its name here");
    return false;
  }
  if (!enters(created.parent.text)) {
    net_.reporter().error(created.parent.range,
                          "thread '" + created.parent.text +
                              "' does not enter, so it cannot create a thread",
                          "only threads whose control-flow token is taken act");
    return false;
  }
  if (created.name && token.count) {
    net_.reporter().error(created.name->range, "a name for one of several new threads",
                          "leave the name out, or write the tokens one by one");
    return false;
  }
  return true;
}

void PatternBuilder::giveToken(const syntax::NetToken &token, Transition &transition) {
  PlaceId id = 0;
  const Place *place = net_.place(token.name, id);
  auto count = countOf(token);
  if (!token.fields.empty() && nameOf(token.fields.front()) && (!place || place->isControl))
    mentioned_.insert(nameOf(token.fields.front())->text);
  if (!place || !count || !fits(token, *place))
    return;
  for (int64_t n = 0; n < *count || n == 0; ++n) {
    Arc arc{id, {}};
    for (size_t i = 0; i < token.fields.size(); ++i) {
      const syntax::NetField &field = token.fields[i];
      if (field.created) {
        if (!newFits(token, *place, i))
          return;
        const syntax::NewThread &created = *field.created;
        Variable child = created.name
                             ? scope_.find(created.name->text)->variable
                             : net_.pool().variable(name_, "new " + std::to_string(++anonymous_),
                                                    net_.net.pidSort);
        if (*count > 0)
          transition.spawns.push_back({child, scope_.find(created.parent.text)->variable});
        arc.fields.push_back(net_.pool().var(child));
      } else if (place->columns[i].isPid) {
        arc.fields.push_back(i == 0 && place->isControl ? leave(token) : knownPid(field));
      } else {
        check::Checked value = checker().assignable(*field.value, place->columns[i].sort);
        arc.fields.push_back(value.term);
      }
      if (!arc.fields.back())
        return;
    }
    if (*count > 0)
      transition.gives.push_back(std::move(arc));
  }
}

Term PatternBuilder::knownPid(const syntax::NetField &field) {
  const syntax::Expr *name = nameOf(field);
  if (!name)
    return pidField(field); // reports
  auto variable = pidNamed(*name);
  return variable ? net_.pool().var(*variable) : Term{};
}

Term PatternBuilder::leave(const syntax::NetToken &token) {
  Term result = knownPid(token.fields.front());
  if (!result)
    return {};
  const syntax::Expr &thread = *token.fields.front().value;
  if (created_.contains(thread.text) || leaving_.contains(thread.text) || token.count) {
    net_.reporter().error(thread.range, "thread '" + thread.text + "' leaves twice",
                          "a thread has one token in the control-flow places");
    return {};
  }
  if (!enters(thread.text)) {
    net_.reporter().error(thread.range, "thread '" + thread.text + "' leaves without entering",
                          "take its token of a control-flow place, or create a thread with 'new'");
    return {};
  }
  leaving_.emplace(thread.text, thread.range);
  return result;
}

void PatternBuilder::end(const syntax::NetToken &token, Transition &transition) {
  if (!enters(token.name.text)) {
    net_.reporter().error(token.name.range,
                          "thread '" + token.name.text + "' ends without entering",
                          "only threads whose control-flow token is taken can end");
    return;
  }
  if (!leaving_.emplace(token.name.text, token.name.range).second) {
    net_.reporter().error(token.name.range,
                          "thread '" + token.name.text + "' ends and leaves, or ends twice",
                          "a thread that ends leaves no token in the control-flow places");
    return;
  }
  transition.ends.push_back(scope_.find(token.name.text)->variable);
}

void PatternBuilder::finish() {
  for (const syntax::Name &thread : entering_)
    if (!leaving_.contains(thread.text) && !mentioned_.contains(thread.text))
      net_.reporter().error(thread.range,
                            "thread '" + thread.text + "' enters but neither leaves nor ends",
                            "write 'end " + thread.text + "', or give it a token");
}

} // namespace understudy::specs::tnet
