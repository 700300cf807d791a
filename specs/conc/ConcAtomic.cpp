// SPDX-License-Identifier: Apache-2.0
//
// Atomic sections. A section is executed symbolically: a path knows the value of each variable it
// has changed as a term over the state before the section, and the conditions under which it is
// taken. Each path that ends, or jumps out, becomes one edge; what can go wrong on the way becomes
// error edges. An `if` whose branches only assign does not split the path: the values are joined by
// `?:`, so that the number of edges stays small.
//
// A value chosen by `havoc x` is x' itself, which works as long as x keeps it to the end of the
// section; anything else is refused.
#include "logic/Substitute.h"
#include "specs/conc/ConcPath.h"
#include "specs/conc/ConcThread.h"

#include <algorithm>
#include <unordered_map>

namespace understudy::specs::conc {

using compose::FailureKind;
using compose::LocationId;
using logic::Term;
using logic::Variable;

namespace {

constexpr size_t mostPaths = 4096;
constexpr uint64_t largestTerm = 100'000;
constexpr uint32_t deepestTerm = 4000;

template <typename Node>
bool is(const syntax::Statement &statement) {
  return std::holds_alternative<Node>(statement.node);
}

/// Nothing but assignments, however they are nested in ifs.
bool onlyAssigns(const syntax::Block &block) {
  return std::all_of(block.begin(), block.end(), [](const syntax::Statement &statement) {
    if (const auto *branch = std::get_if<syntax::IfStatement>(&statement.node))
      return branch->condition && onlyAssigns(*branch->yes) &&
             (!branch->no || onlyAssigns(*branch->no));
    return is<syntax::AssignStatement>(statement) || is<syntax::SkipStatement>(statement) ||
           is<syntax::LabelStatement>(statement);
  });
}

class AtomicCompiler {
public:
  AtomicCompiler(ThreadBuilder &builder, const syntax::Statement &section, LocationId source,
                 LocationId final)
      : builder_(builder), source_(source), final_(final), section_(section),
        text_(syntax::sourceText(section.whole)) {}

  void run(LocationId target) {
    std::vector<Path> paths(1);
    paths = run(*std::get<syntax::AtomicStatement>(section_.node).body, std::move(paths));
    leave(paths, target);
  }

private:
  struct Measure {
    uint64_t size = 1;
    uint32_t depth = 1;
  };

  ThreadBuilder &builder_;
  LocationId source_;
  LocationId final_;
  const syntax::Statement &section_;
  std::string text_;
  bool started_ = false; ///< something happened: blocking is over
  bool gaveUp_ = false;  ///< reported as too large
  size_t left_ = 0;
  std::unordered_map<Term, Measure> measures_;

  syntax::Reporter &reporter() { return builder_.reporter(); }
  logic::TermPool &pool() { return builder_.pool(); }

  std::vector<Path> run(const syntax::Block &block, std::vector<Path> paths) {
    for (const syntax::Statement &statement : block) {
      if (gaveUp_)
        return {};
      std::visit([&](const auto &node) { step(node, statement, paths); }, statement.node);
    }
    return paths;
  }

  // ------------------------------------------------------------------------------------------
  // Values.

  Measure measure(Term term) {
    if (auto found = measures_.find(term); found != measures_.end())
      return found->second;
    Measure result;
    for (const Term &t : term.operands()) {
      Measure inner = measure(t);
      result.size = std::min(result.size + inner.size, 2 * largestTerm);
      result.depth = std::max(result.depth, inner.depth + 1);
    }
    measures_.emplace(term, result);
    return result;
  }

  void giveUp(const SourceRange &range, const std::string &message) {
    if (!gaveUp_)
      reporter().error(range, message, "split the section, or do less in one step");
    gaveUp_ = true;
  }

  /// The term in the path's state, folded if it is constant there.
  Term valueOf(const Path &path, Term term, const SourceRange &range) {
    Term value = logic::substitute(term, [&](Variable v, bool) {
      auto found = path.values.find(v);
      return found == path.values.end() ? Term{} : found->second;
    });
    Measure m = measure(value);
    if (m.size > largestTerm || m.depth > deepestTerm)
      giveUp(range, "the values in this atomic section become too large");
    return check::foldConstant(value);
  }

  /// False, with a report, if the value that `havoc` chose would be lost while it is still needed.
  bool canReplace(const Path &path, Variable variable, Term value, const SourceRange &range) {
    bool chosen = value != pool().primed(variable) && check::primedIn(value).contains(variable);
    if (!chosen && !mentions(path, variable))
      return true;
    reporter().error(range,
                     "'" + variable.name() + "' is changed again after its 'havoc' value was used",
                     "use another variable for the chosen value, or end the atomic section first");
    return false;
  }

  void set(Path &path, Variable variable, Term value) {
    path.values[variable] = value;
    if (!std::holds_alternative<std::monostate>(path.action))
      path.changedAfterAction.insert(variable);
  }

  // ------------------------------------------------------------------------------------------
  // Edges.

  StepSite site(const syntax::Statement &statement) {
    return {source_, 0, statement.range, syntax::sourceText(statement.range)};
  }

  /// The path goes wrong unless the condition holds, and goes on with it.
  void demand(std::vector<Path> &paths, Term condition, FailureKind kind, const StepSite &at) {
    if (condition.isTrue())
      return;
    for (Path &path : paths) {
      Term here = valueOf(path, condition, at.range);
      if (here.isTrue())
        continue;
      std::vector<Term> relation = path.conditions;
      relation.push_back(check::complement(here));
      std::set<Variable> chosen = check::primedIn(pool().conjunction(relation));
      for (Variable v : chosen)
        relation.push_back(check::anyValue(pool(), v));
      // A join may block, and a fork decides which ids are fresh: both belong to the failing step.
      const auto *fork = std::get_if<compose::Fork>(&path.action);
      bool acts = std::holds_alternative<compose::Join>(path.action) ||
                  (fork && fork->result && chosen.contains(*fork->result));
      builder_.addFailure(at, std::move(relation), kind, acts ? path.action : compose::Action{});
      path.conditions.push_back(here);
    }
  }

  Term becomes(Variable variable, Term value) {
    Term after = pool().primed(variable);
    if (value == after)
      return check::anyValue(pool(), variable);
    if (value.isConstant() && builder_.unit().program.isMutexFlag(variable))
      return value.isTrue() ? after : pool().negate(after);
    return pool().equal(after, value);
  }

  void leave(const std::vector<Path> &paths, LocationId target) {
    for (const Path &path : paths) {
      std::vector<Term> relation = path.conditions;
      std::set<Variable> modified;
      for (const auto &[variable, value] : path.values) {
        if (value == pool().var(variable))
          continue;
        modified.insert(variable);
        relation.push_back(becomes(variable, value));
      }
      builder_.addEdge({source_, target, section_.range, text_}, std::move(relation), modified,
                       path.action);
      const auto *fork = std::get_if<compose::Fork>(&path.action);
      if (fork && !path.changedAfterAction.empty())
        builder_.context().earlyForks.push_back(
            {fork->thread, path.changedAfterAction, path.actionRange});
    }
    left_ += paths.size();
  }

  // ------------------------------------------------------------------------------------------
  // Statements.

  bool blocks(const syntax::Statement &statement, const char *what) {
    if (!started_)
      return true;
    reporter().error(statement.range,
                     std::string("'") + what +
                         "' may block and is only allowed at the start of an atomic section",
                     "move it to the start of the section");
    return false;
  }

  bool act(std::vector<Path> &paths, const compose::Action &action,
           const syntax::Statement &statement) {
    for (Path &path : paths) {
      if (!std::holds_alternative<std::monostate>(path.action)) {
        reporter().error(statement.range, "an atomic section can perform only one thread operation",
                         "another one is on line " + std::to_string(path.actionRange.begin.line));
        return false;
      }
      path.action = action;
      path.actionRange = statement.range;
    }
    return true;
  }

  void step(const syntax::SkipStatement &, const syntax::Statement &, std::vector<Path> &) {
    started_ = true;
  }
  void step(const syntax::LabelStatement &, const syntax::Statement &, std::vector<Path> &) {}
  void step(const syntax::LocalDecl &, const syntax::Statement &, std::vector<Path> &) {}

  void step(const syntax::AtomicStatement &node, const syntax::Statement &,
            std::vector<Path> &paths) {
    paths = run(*node.body, std::move(paths));
  }

  void step(const syntax::AssignStatement &node, const syntax::Statement &statement,
            std::vector<Path> &paths) {
    started_ = true;
    auto assignment = builder_.assignment(node);
    if (!assignment)
      return;
    StepSite at = site(statement);
    demand(paths, assignment->defined, FailureKind::OutOfBounds, at);
    demand(paths, assignment->inRange, FailureKind::OutOfRange, at);
    for (Path &path : paths) {
      Term value = valueOf(path, assignment->value, statement.range);
      if (!canReplace(path, assignment->target, value, statement.range))
        return;
      set(path, assignment->target, value);
    }
  }

  void step(const syntax::HavocStatement &node, const syntax::Statement &statement,
            std::vector<Path> &paths) {
    started_ = true;
    auto variable = builder_.havocTarget(node);
    if (!variable)
      return;
    for (Path &path : paths) {
      if (!canReplace(path, *variable, pool().primed(*variable), statement.range))
        return;
      set(path, *variable, pool().primed(*variable));
    }
  }

  void step(const syntax::AssumeStatement &node, const syntax::Statement &statement,
            std::vector<Path> &paths) {
    auto condition = builder_.condition(*node.condition);
    if (!blocks(statement, "assume") || !condition)
      return;
    demand(paths, condition->defined, FailureKind::OutOfBounds, site(statement));
    for (Path &path : paths)
      path.conditions.push_back(valueOf(path, condition->holds, statement.range));
  }

  void step(const syntax::AssertStatement &node, const syntax::Statement &,
            std::vector<Path> &paths) {
    started_ = true;
    auto condition = builder_.condition(*node.condition);
    if (!condition)
      return;
    SourceRange range = node.condition->range;
    StepSite at{source_, 0, range, syntax::sourceText(range)};
    demand(paths, condition->defined, FailureKind::OutOfBounds, at);
    demand(paths, condition->holds, FailureKind::Assertion, at);
  }

  void step(const syntax::IfStatement &node, const syntax::Statement &statement,
            std::vector<Path> &paths) {
    started_ = true;
    const syntax::Block nothing;
    const syntax::Block &no = node.no ? *node.no : nothing;
    std::optional<Condition> condition;
    if (node.condition) {
      condition = builder_.condition(*node.condition);
      if (condition)
        demand(paths, condition->defined, FailureKind::OutOfBounds,
               {source_, 0, node.condition->range, syntax::sourceText(node.condition->range)});
    }
    Term test = condition ? condition->holds : Term{};
    if (test && onlyAssigns(*node.yes) && onlyAssigns(no))
      joinBranches(test, *node.yes, no, statement, paths);
    else
      splitBranches(test, *node.yes, no, statement, paths);
  }

  /// An empty test is a free choice (or was reported).
  void splitBranches(Term test, const syntax::Block &yes, const syntax::Block &no,
                     const syntax::Statement &statement, std::vector<Path> &paths) {
    std::vector<Path> positive;
    std::vector<Path> negative;
    for (Path &path : paths) {
      Term here = test ? valueOf(path, test, statement.range) : Term{};
      if (!here || !here.isFalse()) {
        positive.push_back(path);
        if (here)
          positive.back().conditions.push_back(here);
      }
      if (!here || !here.isTrue()) {
        negative.push_back(std::move(path));
        if (here)
          negative.back().conditions.push_back(check::complement(here));
      }
    }
    if (left_ + positive.size() + negative.size() > mostPaths)
      giveUp(section_.range,
             "more than " + std::to_string(mostPaths) + " paths through this atomic section");
    paths = run(yes, std::move(positive));
    std::vector<Path> others = run(no, std::move(negative));
    std::move(others.begin(), others.end(), std::back_inserter(paths));
  }

  void joinBranches(Term test, const syntax::Block &yes, const syntax::Block &no,
                    const syntax::Statement &statement, std::vector<Path> &paths) {
    std::vector<Path> positive = paths;
    std::vector<Path> negative = paths;
    std::vector<Term> tests;
    for (size_t i = 0; i < paths.size(); ++i) {
      tests.push_back(valueOf(paths[i], test, statement.range));
      positive[i].conditions.push_back(tests[i]);
      negative[i].conditions.push_back(check::complement(tests[i]));
    }
    positive = run(yes, std::move(positive));
    negative = run(no, std::move(negative));
    for (size_t i = 0; i < paths.size() && !gaveUp_; ++i)
      join(pool(), paths[i], tests[i], positive[i], negative[i]);
  }

  void step(const syntax::WhileStatement &, const syntax::Statement &statement,
            std::vector<Path> &) {
    reporter().error(statement.range, "a loop is not allowed in an atomic section",
                     "every step must terminate; put the section inside the loop");
  }

  void step(const syntax::GotoStatement &node, const syntax::Statement &,
            std::vector<Path> &paths) {
    started_ = true;
    if (auto target = builder_.jumpTarget(node.label))
      leave(paths, *target);
    paths.clear();
  }

  void step(const syntax::ReturnStatement &, const syntax::Statement &, std::vector<Path> &paths) {
    started_ = true;
    leave(paths, final_);
    paths.clear();
  }

  /// The term in the path's state, which the action needs before anything is chosen.
  Term argument(const Path &path, Term term, const syntax::Statement &statement) {
    Term value = valueOf(path, term, statement.range);
    if (value.hasPrimes()) {
      reporter().error(statement.range,
                       "a value chosen by 'havoc' in this atomic section is passed to a thread",
                       "choose it in a step of its own, before the section");
      return term;
    }
    return value;
  }

  void step(const syntax::ForkStatement &node, const syntax::Statement &statement,
            std::vector<Path> &paths) {
    started_ = true;
    auto effect = builder_.fork(node);
    if (!effect)
      return;
    StepSite at = site(statement);
    demand(paths, effect->defined, FailureKind::OutOfBounds, at);
    demand(paths, effect->inRange, FailureKind::OutOfRange, at);
    if (!act(paths, effect->fork, statement))
      return;
    for (Path &path : paths) {
      auto &fork = std::get<compose::Fork>(path.action);
      if (fork.id)
        fork.id = argument(path, *fork.id, statement);
      for (Term &value : fork.arguments)
        value = argument(path, value, statement);
      if (!fork.result)
        continue;
      if (!canReplace(path, *fork.result, pool().primed(*fork.result), statement.range))
        return;
      path.values[*fork.result] = pool().primed(*fork.result);
    }
  }

  void step(const syntax::JoinStatement &node, const syntax::Statement &statement,
            std::vector<Path> &paths) {
    auto effect = builder_.join(node);
    if (!blocks(statement, "join") || !effect)
      return;
    started_ = true;
    demand(paths, effect->defined, FailureKind::OutOfBounds, site(statement));
    act(paths, effect->join, statement);
  }

  void step(const syntax::LockStatement &node, const syntax::Statement &statement,
            std::vector<Path> &paths) {
    const check::Symbol *mutex = builder_.mutex(node.mutex);
    if (!blocks(statement, "lock") || !mutex)
      return;
    started_ = true;
    Variable held = builder_.heldFlag(*mutex);
    demand(paths, pool().negate(pool().var(held)), FailureKind::Relock, site(statement));
    act(paths, compose::LockMutex{mutex->index}, statement);
    for (Path &path : paths) {
      path.conditions.push_back(pool().negate(pool().var(mutex->variable)));
      set(path, mutex->variable, pool().boolean(true));
      set(path, held, pool().boolean(true));
    }
  }

  void step(const syntax::UnlockStatement &node, const syntax::Statement &statement,
            std::vector<Path> &paths) {
    started_ = true;
    const check::Symbol *mutex = builder_.mutex(node.mutex);
    if (!mutex)
      return;
    Variable held = builder_.heldFlag(*mutex);
    demand(paths, pool().var(held), FailureKind::NotHeld, site(statement));
    act(paths, compose::UnlockMutex{mutex->index}, statement);
    for (Path &path : paths) {
      set(path, mutex->variable, pool().boolean(false));
      set(path, held, pool().boolean(false));
    }
  }

  void step(const syntax::WaitStatement &, const syntax::Statement &statement,
            std::vector<Path> &) {
    reporter().error(statement.range,
                     "'wait' takes two steps and is not allowed in an atomic section");
  }

  void step(const syntax::SignalStatement &node, const syntax::Statement &statement,
            std::vector<Path> &paths) {
    started_ = true;
    if (const check::Symbol *cond = builder_.cond(node.cond))
      act(paths, compose::SignalCond{cond->index}, statement);
  }

  void step(const syntax::BroadcastStatement &node, const syntax::Statement &statement,
            std::vector<Path> &paths) {
    started_ = true;
    if (const check::Symbol *cond = builder_.cond(node.cond))
      act(paths, compose::BroadcastCond{cond->index}, statement);
  }
};

} // namespace

void compileAtomic(ThreadBuilder &builder, const syntax::Statement &section, LocationId source,
                   LocationId target, LocationId final) {
  AtomicCompiler(builder, section, source, final).run(target);
}

} // namespace understudy::specs::conc
