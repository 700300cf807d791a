// SPDX-License-Identifier: Apache-2.0
//
// Checks one thread of a contract: its names, states, assertions, relies and edges.
#include "logic/Substitute.h"
#include "specs/ContractEdges.h"
#include "specs/ContractThread.h"

#include <algorithm>

namespace understudy::specs {

using compose::Claim;
using logic::Sort;
using logic::Term;
using logic::Variable;

namespace {

/// The operands of the top-level conjunction.
void splitConjuncts(const ExprPtr &expr, std::vector<ExprPtr> &into) {
  if (expr->kind == ExprKind::Chain && expr->operators.front() == "&&")
    for (const ExprPtr &operand : expr->operands)
      splitConjuncts(operand, into);
  else
    into.push_back(expr);
}

/// The first place where the name is primed, for a caret.
const Expr *findPrimed(const Expr &expr, const std::string &name) {
  bool named = expr.kind == ExprKind::Name || expr.kind == ExprKind::Index;
  if (named && expr.primed && expr.text == name)
    return &expr;
  for (const ExprPtr &operand : expr.operands)
    if (const Expr *found = findPrimed(*operand, name))
      return found;
  return nullptr;
}

class ThreadChecker {
public:
  ThreadChecker(ContractContext &context, const ContractThread &tree)
      : context_(context), tree_(tree), scope_(&context.unit.scope) {
    result_.tree = &tree;
  }

  CheckedThread run() {
    for (const ThreadMember &member : tree_.members)
      if (const auto *local = std::get_if<ContractLocal>(&member))
        declareLocal(*local);
    for (const ThreadMember &member : tree_.members)
      if (const auto *state = std::get_if<StateDecl>(&member))
        declareState(*state);
    for (const ThreadMember &member : tree_.members) {
      if (const auto *rely = std::get_if<RelyDecl>(&member))
        addRely(*rely, result_.relies);
      if (const auto *claim = std::get_if<AssertDecl>(&member))
        addAssert(*claim, result_.asserts);
    }
    for (CheckedState &state : result_.states)
      checkState(state);
    checkReachable();
    return std::move(result_);
  }

private:
  ContractContext &context_;
  const ContractThread &tree_;
  Scope scope_;
  CheckedThread result_;
  std::map<std::string, size_t> states_;
  bool unknownTarget_ = false;

  Unit &unit() { return context_.unit; }
  Reporter &reporter() { return context_.unit.reporter; }
  logic::TermPool &pool() { return context_.unit.pool(); }

  ExprChecker checker(ExprPlace place) {
    return {pool(), scope_, reporter(), {place, [this](const Symbol &mutex) {
                                           return pool().var(heldPlaceholder(
                                               pool(), tree_.name.text, mutex.name));
                                         }}};
  }

  // ------------------------------------------------------------------------------------------
  // Locals and states.

  void declareLocal(const ContractLocal &local) {
    Symbol symbol{.name = local.name.text, .range = local.name.range, .local = true};
    std::optional<Sort> sort = resolveType(unit(), local.type);
    if (sort && sort->kind() == logic::SortKind::Int) {
      reporter().error(local.type.range, "a local of a contract has finitely many values",
                       "give it a range, as in 'int 0..3'");
      sort.reset();
    }
    symbol.broken = !sort;
    if (sort)
      symbol.variable = pool().variable(tree_.name.text, local.name.text, *sort);
    Term value = sort && local.initial ? constantValue(unit(), *local.initial, *sort) : Term{};
    size_t errors = reporter().errorCount();
    scope_.declare(symbol, reporter());
    if (!sort || errors != reporter().errorCount())
      return;
    result_.locals.push_back(symbol.variable);
    if (value)
      result_.initial.push_back(startsAs(unit(), symbol.variable, value));
  }

  void declareState(const StateDecl &state) {
    auto [other, added] = states_.emplace(state.name.text, result_.states.size());
    if (!added) {
      reporter().error(
          state.name.range,
          "state '" + state.name.text + "' is already declared in line " +
              std::to_string(result_.states[other->second].tree->name.range.begin.line),
          "states of a thread are different");
    } else if (const Symbol *symbol = scope_.find(state.name.text)) {
      reporter().error(state.name.range,
                       "state '" + state.name.text + "' has the name of " + describe(symbol->kind) +
                           " declared in line " + std::to_string(symbol->range.begin.line),
                       "a name inside a thread may not hide one outside; choose another");
    }
    CheckedState checked;
    checked.tree = &state;
    result_.states.push_back(std::move(checked));
  }

  void checkReachable() {
    auto isInitial = [](const CheckedState &s) { return s.tree->initial; };
    if (std::none_of(result_.states.begin(), result_.states.end(), isInitial)) {
      reporter().error(tree_.name.range, "thread '" + tree_.name.text + "' has no initial state",
                       "mark the state in which it starts with 'initial'");
      return;
    }
    std::vector<bool> reached(result_.states.size());
    std::vector<size_t> work;
    for (size_t i = 0; i < result_.states.size(); ++i)
      if (isInitial(result_.states[i]))
        work.push_back(i);
    while (!work.empty()) {
      size_t at = work.back();
      work.pop_back();
      if (reached[at])
        continue;
      reached[at] = true;
      for (const CheckedEdge &edge : result_.states[at].edges)
        if (edge.target)
          work.push_back(*edge.target);
    }
    // A misspelt target was reported already; what it cuts off need not be.
    for (size_t i = 0; i < reached.size() && !unknownTarget_; ++i)
      if (!reached[i] && states_.at(result_.states[i].tree->name.text) == i)
        reporter().error(result_.states[i].tree->name.range,
                         "state '" + result_.states[i].tree->name.text +
                             "' cannot be reached from an initial state",
                         "add an edge to it, or remove it");
  }

  // ------------------------------------------------------------------------------------------
  // Claims.

  void addAssert(const AssertDecl &claim, std::vector<Claim> &into) {
    const SourceRange &range = claim.condition->range;
    if (Checked checked = checker(ExprPlace::Assertion).condition(*claim.condition))
      into.push_back({definedAndTrue(checked.term), sourceText(range), range});
  }

  /// Doing nothing is always allowed.
  void addRely(const RelyDecl &rely, std::vector<Claim> &into) {
    const SourceRange &range = rely.condition->range;
    Checked checked = checker(ExprPlace::Rely).condition(*rely.condition);
    if (!checked)
      return;
    std::vector<Term> unchanged;
    for (const auto &[variable, info] : context_.shared)
      unchanged.push_back(pool().equal(pool().primed(variable), pool().var(variable)));
    Term nothing = pool().conjunction(std::move(unchanged));
    Term formula =
        nothing.isTrue() ? nothing : pool().disjunction({definedAndTrue(checked.term), nothing});
    into.push_back({formula, sourceText(range), range});
    context_.relies.push_back(into.back());
  }

  void checkState(CheckedState &state) {
    for (const StateMember &member : state.tree->members) {
      if (const auto *rely = std::get_if<RelyDecl>(&member))
        addRely(*rely, state.relies);
      if (const auto *claim = std::get_if<AssertDecl>(&member))
        addAssert(*claim, state.asserts);
      if (const auto *edge = std::get_if<EdgeDecl>(&member))
        state.edges.push_back(checkEdge(*edge));
    }
  }

  // ------------------------------------------------------------------------------------------
  // Edges.

  CheckedEdge checkEdge(const EdgeDecl &edge) {
    CheckedEdge result;
    result.tree = &edge;
    if (auto found = states_.find(edge.target.text); found != states_.end()) {
      result.target = found->second;
    } else {
      unknownTarget_ = true;
      std::vector<std::string> names;
      for (const auto &[name, index] : states_)
        names.push_back(name);
      reporter().error(edge.target.range,
                       "thread '" + tree_.name.text + "' has no state '" + edge.target.text + "'",
                       didYouMean(edge.target.text, names));
    }
    if (edge.condition)
      checkCondition(edge, result);
    if (edge.action)
      result.action = checkAction(*edge.action);
    bool waits = edge.action && edge.action->kind == ActionKind::Wait;
    bool changes = std::any_of(result.conjuncts.begin(), result.conjuncts.end(),
                               [](Term t) { return t.hasPrimes(); });
    if (waits && (changes || !result.havocs.empty()))
      reporter().error(edge.condition->range, "an edge that waits may not change anything",
                       "its condition belongs to the step that releases the mutex; change the "
                       "variable on an edge before or after");
    return result;
  }

  void checkCondition(const EdgeDecl &edge, CheckedEdge &result) {
    std::vector<ExprPtr> parts;
    splitConjuncts(edge.condition, parts);
    std::set<Variable> setGhosts;
    bool complete = true;
    for (const ExprPtr &part : parts) {
      if (part->kind == ExprKind::Havoc) {
        addHavoc(*part, result);
        continue;
      }
      Checked checked = checker(ExprPlace::Edge).condition(*part);
      complete = complete && checked;
      if (!checked)
        continue;
      for (const Term &conjunct : logic::conjunctsOf(checked.term)) {
        checkGhosts(*part, conjunct, setGhosts);
        result.conjuncts.push_back(conjunct);
      }
    }
    if (complete)
      warnOpen(*edge.condition, result);
  }

  void addHavoc(const Expr &expr, CheckedEdge &result) {
    const Symbol *symbol =
        expectKind(unit(), scope_, {expr.text, expr.textRange}, SymbolKind::Variable);
    if (!symbol)
      return;
    if (symbol->ghost)
      reporter().error(expr.range, "ghost '" + symbol->name + "' cannot get an arbitrary value",
                       "an edge sets a ghost to a function of the state before");
    result.havocs.insert(symbol->variable);
  }

  /// A ghost may only be set, once, to a function of the state before.
  void checkGhosts(const Expr &expr, Term conjunct, std::set<Variable> &set) {
    auto update = asUpdate(conjunct);
    if (update && context_.isGhost(update->target)) {
      if (!set.insert(update->target).second)
        reporter().error(expr.range,
                         "ghost '" + update->target.name() + "' is set twice on this edge",
                         "an edge sets a ghost to one value");
      return;
    }
    for (const auto &[variable, primed] : logic::variablesOf(conjunct))
      if (context_.isGhost(variable)) {
        std::string name = variable.name();
        reporter().error(expr.range, "an edge may not test ghost '" + name + "'",
                         "an edge may only set it, as in '" + name +
                             "' == e' with an e without primes, joined by '&&'");
        return;
      }
  }

  void warnOpen(const Expr &condition, const CheckedEdge &edge) {
    Term whole = pool().conjunction(edge.conjuncts);
    std::set<Variable> closed = constrainedAfter(whole);
    for (Variable v : primedIn(whole)) {
      if (closed.contains(v) || edge.havocs.contains(v))
        continue;
      const Expr *place = findPrimed(condition, v.name());
      std::string name = v.name();
      reporter().warning(place ? place->range : condition.range,
                         "some case of this condition leaves '" + name + "'' open",
                         v.sort().isArray()
                             ? "its element may get any value there; say so for each case"
                             : "it may get any value there; add '" + name + "' == " + name +
                                   "' to that case, or 'havoc " + name + "' if that is meant");
    }
  }

  std::optional<CheckedAction> checkAction(const ActionRef &action) {
    CheckedAction result;
    result.kind = action.kind;
    size_t errors = reporter().errorCount();
    if (action.id)
      result.id = threadId(*action.id);
    if (action.kind == ActionKind::Call)
      result.function = action.target ? action.target->text : "";
    else if (action.target)
      result.target = expectKind(unit(), scope_, *action.target, targetKind(action.kind));
    if (action.mutex)
      result.mutex = expectKind(unit(), scope_, *action.mutex, SymbolKind::Mutex);
    if (action.kind == ActionKind::Fork && result.target)
      context_.threads[result.target->index].used = true;
    bool missing = (action.target && action.kind != ActionKind::Call && !result.target) ||
                   (action.mutex && !result.mutex) || (action.id && !result.id);
    if (missing || errors != reporter().errorCount())
      return std::nullopt;
    return result;
  }

  static SymbolKind targetKind(ActionKind kind) {
    switch (kind) {
    case ActionKind::Fork:
    case ActionKind::Join:
      return SymbolKind::Thread;
    case ActionKind::Lock:
    case ActionKind::Unlock:
      return SymbolKind::Mutex;
    default:
      return SymbolKind::Cond;
    }
  }

  Term threadId(const Expr &expr) {
    Checked id = checker(ExprPlace::ThreadId).integer(expr);
    if (!id)
      return {};
    for (const auto &[variable, primed] : logic::variablesOf(id.term))
      if (context_.isGhost(variable)) {
        reporter().error(expr.range,
                         "a thread id may not depend on ghost '" + variable.name() + "'",
                         "ghosts are not in the code");
        return {};
      }
    return id.term;
  }
};

} // namespace

CheckedThread checkThread(ContractContext &context, const ContractThread &tree) {
  return ThreadChecker(context, tree).run();
}

} // namespace understudy::specs
