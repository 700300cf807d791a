// SPDX-License-Identifier: Apache-2.0
//
// Checks one thread of a contract: its names, states, assertions, relies and edges.
#include "logic/Substitute.h"
#include "logic/Words.h"
#include "specs/contract/ContractEdges.h"
#include "specs/contract/ContractThread.h"

#include <algorithm>

namespace understudy::specs::contract {

using compose::Claim;
using logic::Sort;
using logic::Term;
using logic::Variable;

namespace {

/// The operands of the top-level conjunction.
void splitConjuncts(const syntax::ExprPtr &expr, std::vector<syntax::ExprPtr> &into) {
  if (expr->kind == syntax::ExprKind::Chain && expr->operators.front() == "&&")
    for (const syntax::ExprPtr &operand : expr->operands)
      splitConjuncts(operand, into);
  else
    into.push_back(expr);
}

/// The first place where the name is primed, for a caret.
const syntax::Expr *findPrimed(const syntax::Expr &expr, const std::string &name) {
  bool named = expr.kind == syntax::ExprKind::Name || expr.kind == syntax::ExprKind::Index;
  if (named && expr.primed && expr.text == name)
    return &expr;
  for (const syntax::ExprPtr &operand : expr.operands)
    if (const syntax::Expr *found = findPrimed(*operand, name))
      return found;
  return nullptr;
}

class ThreadChecker {
public:
  ThreadChecker(ContractContext &context, const syntax::ContractThread &tree)
      : context_(context), tree_(tree), scope_(&context.unit.scope) {
    result_.tree = &tree;
  }

  CheckedThread run() {
    for (const syntax::ThreadMember &member : tree_.members)
      if (const auto *local = std::get_if<syntax::ContractLocal>(&member))
        declareLocal(*local);
    for (const syntax::ThreadMember &member : tree_.members)
      if (const auto *state = std::get_if<syntax::StateDecl>(&member))
        declareState(*state);
    for (const syntax::ThreadMember &member : tree_.members) {
      if (const auto *rely = std::get_if<syntax::RelyDecl>(&member))
        addRely(*rely, result_.relies);
      if (const auto *claim = std::get_if<syntax::AssertDecl>(&member))
        addThreadAssert(*claim);
    }
    for (CheckedState &state : result_.states)
      checkState(state);
    checkReachable();
    return std::move(result_);
  }

private:
  ContractContext &context_;
  const syntax::ContractThread &tree_;
  check::Scope scope_;
  CheckedThread result_;
  std::map<std::string, size_t> states_;
  bool unknownTarget_ = false;

  check::Unit &unit() { return context_.unit; }
  syntax::Reporter &reporter() { return context_.unit.reporter; }
  logic::TermPool &pool() { return context_.unit.pool(); }

  check::ExprChecker checker(check::ExprPlace place) {
    return {pool(), scope_, reporter(), {place, [this](const check::Symbol &mutex) {
                                           return pool().var(heldPlaceholder(
                                               pool(), tree_.name.text, mutex.name));
                                         }}};
  }

  // ------------------------------------------------------------------------------------------
  // Locals and states.

  void declareLocal(const syntax::ContractLocal &local) {
    check::Symbol symbol{.name = local.name.text, .range = local.name.range, .local = true};
    std::optional<Sort> sort = check::resolveType(unit(), local.type);
    symbol.broken = !sort;
    if (sort)
      symbol.variable = pool().variable(tree_.name.text, local.name.text, *sort);
    Term value =
        sort && local.initial ? check::constantValue(unit(), *local.initial, *sort) : Term{};
    size_t errors = reporter().errorCount();
    scope_.declare(symbol, reporter());
    if (!sort || errors != reporter().errorCount())
      return;
    result_.locals.push_back(symbol.variable);
    if (value)
      result_.initial.push_back(check::startsAs(unit(), symbol.variable, value));
  }

  void declareState(const syntax::StateDecl &state) {
    auto [other, added] = states_.emplace(state.name.text, result_.states.size());
    if (!added) {
      reporter().error(
          state.name.range,
          "state '" + state.name.text + "' is already declared on line " +
              std::to_string(result_.states[other->second].tree->name.range.begin.line),
          "state names must be unique within a thread");
    } else if (const check::Symbol *symbol = scope_.find(state.name.text)) {
      reporter().error(state.name.range,
                       "state '" + state.name.text + "' has the same name as " +
                           check::describe(symbol->kind) + " declared on line " +
                           std::to_string(symbol->range.begin.line),
                       "a name in a thread may not shadow an outer one; choose another name");
    }
    CheckedState checked;
    checked.tree = &state;
    if (state.inside)
      checked.inside = insideOf(state);
    result_.states.push_back(std::move(checked));
  }

  std::optional<Inside> insideOf(const syntax::StateDecl &state) {
    const syntax::Name &name = state.inside->section;
    if (state.initial || state.final)
      reporter().error(name.range,
                       std::string(state.initial ? "an initial" : "a final") +
                           " state cannot be inside a section",
                       state.initial ? "a thread enters the section after its start"
                                     : "a thread leaves the section before it ends");
    const check::Symbol *section =
        check::expectKind(unit(), scope_, name, check::SymbolKind::Section);
    return section ? std::optional(Inside{section->index, state.inside->reading}) : std::nullopt;
  }

  void checkReachable() {
    auto isInitial = [](const CheckedState &s) { return s.tree->initial; };
    if (std::none_of(result_.states.begin(), result_.states.end(), isInitial)) {
      reporter().error(tree_.name.range, "thread '" + tree_.name.text + "' has no initial state",
                       "mark its first state with 'initial'");
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

  void addThreadAssert(const syntax::AssertDecl &claim) {
    std::vector<Claim> checked;
    addAssert(claim, checked);
    std::set<size_t> except;
    for (const syntax::Name &name : claim.except)
      if (auto state = stateNamed(name))
        except.insert(*state);
    for (Claim &one : checked)
      result_.asserts.push_back({std::move(one), except});
  }

  std::optional<size_t> stateNamed(const syntax::Name &name) {
    if (auto found = states_.find(name.text); found != states_.end())
      return found->second;
    std::vector<std::string> names;
    for (const auto &[known, index] : states_)
      names.push_back(known);
    reporter().error(name.range,
                     "thread '" + tree_.name.text + "' has no state '" + name.text + "'",
                     logic::didYouMean(name.text, names));
    return std::nullopt;
  }

  void addAssert(const syntax::AssertDecl &claim, std::vector<Claim> &into) {
    const SourceRange &range = claim.condition->range;
    if (check::Checked checked = checker(check::ExprPlace::Assertion).condition(*claim.condition))
      into.push_back({check::definedAndTrue(checked.term), syntax::sourceText(range), range});
  }

  /// Doing nothing is always allowed.
  void addRely(const syntax::RelyDecl &rely, std::vector<Claim> &into) {
    const SourceRange &range = rely.condition->range;
    check::Checked checked = checker(check::ExprPlace::Rely).condition(*rely.condition);
    if (!checked)
      return;
    std::vector<Term> unchanged;
    for (const auto &[variable, info] : context_.shared)
      unchanged.push_back(pool().equal(pool().primed(variable), pool().var(variable)));
    Term nothing = pool().conjunction(std::move(unchanged));
    Term formula = nothing.isTrue()
                       ? nothing
                       : pool().disjunction({check::definedAndTrue(checked.term), nothing});
    into.push_back({formula, syntax::sourceText(range), range});
    context_.relies.push_back(into.back());
  }

  void checkState(CheckedState &state) {
    for (const syntax::StateMember &member : state.tree->members) {
      if (const auto *rely = std::get_if<syntax::RelyDecl>(&member))
        addRely(*rely, state.relies);
      if (const auto *claim = std::get_if<syntax::AssertDecl>(&member)) {
        addAssert(*claim, state.asserts);
        if (!claim->except.empty())
          reporter().error(claim->except.front().range,
                           "'except' belongs to an assertion of the whole thread",
                           "an assertion in a state concerns that state only");
      }
      if (const auto *edge = std::get_if<syntax::EdgeDecl>(&member))
        state.edges.push_back(checkEdge(*edge));
    }
  }

  // ------------------------------------------------------------------------------------------
  // Edges.

  CheckedEdge checkEdge(const syntax::EdgeDecl &edge) {
    CheckedEdge result;
    result.tree = &edge;
    result.target = stateNamed(edge.target);
    unknownTarget_ = unknownTarget_ || !result.target;
    if (edge.condition)
      checkCondition(edge, result);
    if (edge.action)
      result.action = checkAction(*edge.action);
    bool waits = edge.action && edge.action->kind == syntax::ActionKind::Wait;
    bool changes = std::any_of(result.conjuncts.begin(), result.conjuncts.end(),
                               [](Term t) { return t.hasPrimes(); });
    if (waits && (changes || !result.havocs.empty()))
      reporter().error(edge.condition->range, "an edge that waits may not change anything",
                       "its condition belongs to the step that releases the mutex; change the "
                       "variable on an edge before or after");
    return result;
  }

  void checkCondition(const syntax::EdgeDecl &edge, CheckedEdge &result) {
    std::vector<syntax::ExprPtr> parts;
    splitConjuncts(edge.condition, parts);
    std::set<Variable> setGhosts;
    bool complete = true;
    for (const syntax::ExprPtr &part : parts) {
      if (part->kind == syntax::ExprKind::Havoc) {
        addHavoc(*part, result);
        continue;
      }
      check::Checked checked = checker(check::ExprPlace::Edge).condition(*part);
      complete = complete && checked;
      if (!checked)
        continue;
      for (const Term &conjunct : logic::conjunctsOf(checked.term)) {
        checkGhosts(*part, conjunct, setGhosts);
        result.conjuncts.push_back(conjunct);
      }
    }
    if (complete) {
      checkDetermined(*edge.condition, result);
      warnOpen(*edge.condition, result);
    }
  }

  /// Conformance keeps one value of a local without a range, so each edge has to say which.
  void checkDetermined(const syntax::Expr &condition, const CheckedEdge &edge) {
    std::set<Variable> changed = changedBy(edge);
    for (Variable local : result_.locals) {
      if (local.sort().kind() != logic::SortKind::Int || !changed.contains(local))
        continue;
      auto determines = [&](Term conjunct) {
        if (conjunct.op() != logic::Op::Equal)
          return false;
        for (size_t side : {0u, 1u})
          if (conjunct.operand(side) == pool().primed(local) &&
              !primesUnbounded(conjunct.operand(1 - side)))
            return true;
        return false;
      };
      if (!edge.havocs.contains(local) &&
          std::any_of(edge.conjuncts.begin(), edge.conjuncts.end(), determines))
        continue;
      const syntax::Expr *place = findPrimed(condition, local.name());
      reporter().error(place ? place->range : condition.range,
                       "this edge does not determine '" + local.name() +
                           "', a local without a range",
                       "write '" + local.name() + "' == e', joined by '&&' to the rest");
    }
  }

  /// The term depends on the new value of a local without a range.
  bool primesUnbounded(Term term) const {
    std::set<Variable> primed = check::primedIn(term);
    return std::any_of(result_.locals.begin(), result_.locals.end(), [&](Variable local) {
      return local.sort().kind() == logic::SortKind::Int && primed.contains(local);
    });
  }

  void addHavoc(const syntax::Expr &expr, CheckedEdge &result) {
    const check::Symbol *symbol =
        check::expectKind(unit(), scope_, {expr.text, expr.textRange}, check::SymbolKind::Variable);
    if (!symbol)
      return;
    if (symbol->ghost)
      reporter().error(expr.range, "'havoc' is not allowed for ghost '" + symbol->name + "'",
                       "the state before the step must determine the new value of a ghost");
    result.havocs.insert(symbol->variable);
  }

  /// A ghost may only be set, once, to a function of the state before.
  void checkGhosts(const syntax::Expr &expr, Term conjunct, std::set<Variable> &set) {
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
                             "' == e' where e has no primes, combined with the rest by '&&'");
        return;
      }
  }

  void warnOpen(const syntax::Expr &condition, const CheckedEdge &edge) {
    Term whole = pool().conjunction(edge.conjuncts);
    std::set<Variable> closed = constrainedAfter(whole);
    for (Variable v : check::primedIn(whole)) {
      if (closed.contains(v) || edge.havocs.contains(v))
        continue;
      const syntax::Expr *place = findPrimed(condition, v.name());
      std::string name = v.name();
      reporter().warning(place ? place->range : condition.range,
                         "this condition does not determine '" + name + "'' in every case",
                         v.sort().isArray()
                             ? "otherwise its element can take any value; constrain it in each case"
                             : "otherwise it can take any value; add '" + name + "' == " + name +
                                   "' to that case, or 'havoc " + name + "' if intended");
    }
  }

  std::optional<CheckedAction> checkAction(const syntax::ActionRef &action) {
    CheckedAction result;
    result.kind = action.kind;
    size_t errors = reporter().errorCount();
    if (action.id)
      result.id = threadId(*action.id);
    if (action.kind == syntax::ActionKind::Call)
      result.function = action.target ? action.target->text : "";
    else if (action.target)
      result.target = check::expectKind(unit(), scope_, *action.target, targetKind(action.kind));
    if (action.mutex)
      result.mutex = check::expectKind(unit(), scope_, *action.mutex, check::SymbolKind::Mutex);
    if (action.kind == syntax::ActionKind::Fork && result.target)
      forks(context_.threads[result.target->index], action);
    bool missing = (action.target && action.kind != syntax::ActionKind::Call && !result.target) ||
                   (action.mutex && !result.mutex) || (action.id && !result.id);
    if (missing || errors != reporter().errorCount())
      return std::nullopt;
    return result;
  }

  static void forks(ThreadEntry &thread, const syntax::ActionRef &action) {
    thread.used = true;
    thread.forkedBy = &action;
  }

  static check::SymbolKind targetKind(syntax::ActionKind kind) {
    switch (kind) {
    case syntax::ActionKind::Fork:
    case syntax::ActionKind::Join:
      return check::SymbolKind::Thread;
    case syntax::ActionKind::Lock:
    case syntax::ActionKind::Unlock:
      return check::SymbolKind::Mutex;
    default:
      return check::SymbolKind::Cond;
    }
  }

  Term threadId(const syntax::Expr &expr) {
    check::Checked id = checker(check::ExprPlace::ThreadId).integer(expr);
    if (!id)
      return {};
    for (const auto &[variable, primed] : logic::variablesOf(id.term))
      if (context_.isGhost(variable)) {
        reporter().error(expr.range,
                         "a thread id may not depend on ghost '" + variable.name() + "'",
                         "ghosts do not exist in the code");
        return {};
      }
    return id.term;
  }
};

} // namespace

CheckedThread checkThread(ContractContext &context, const syntax::ContractThread &tree) {
  return ThreadChecker(context, tree).run();
}

} // namespace understudy::specs::contract
