// SPDX-License-Identifier: Apache-2.0
//
// Statements to edges. Every statement has the location in which it is the next to execute; its
// edges lead to the location of the statement after it. First all statements get their locations,
// then labels find theirs (a label stands at the statement that follows it, or where its block
// leads), then edges are made.
#include "specs/conc/ConcThread.h"

#include "logic/Substitute.h"

#include <unordered_map>

namespace understudy::specs::conc {

using compose::FailureKind;
using compose::LocationId;
using logic::Term;
using logic::Variable;

namespace {

template <typename Node>
const Node *as(const syntax::Statement &statement) {
  return std::get_if<Node>(&statement.node);
}

bool takesStep(const syntax::Statement &statement) {
  return !as<syntax::LabelStatement>(statement) && !as<syntax::LocalDecl>(statement);
}

class ThreadCompiler {
public:
  ThreadCompiler(ConcContext &context, const syntax::ConcThread &tree, compose::TemplateId id)
      : builder_(context, tree, id), tree_(tree), options_(context.options) {}

  compose::Template run() {
    declare(tree_.body);
    allocate(tree_.body);
    final_ = builder_.newLocation(tree_.range);
    builder_.thread().locations[final_].kind = compose::LocationKind::Final;
    placeLabels(tree_.body, final_);
    nameLocations();
    builder_.thread().initials = {entries(tree_.body, final_).front()};
    emit(tree_.body, final_);
    return builder_.finish(final_);
  }

private:
  ThreadBuilder builder_;
  const syntax::ConcThread &tree_;
  const CompileOptions &options_;
  LocationId final_ = 0;
  std::unordered_map<const syntax::Statement *, LocationId> locations_;

  syntax::Reporter &reporter() { return builder_.reporter(); }
  logic::TermPool &pool() { return builder_.pool(); }

  // ------------------------------------------------------------------------------------------
  // Declarations, locations, labels.

  void declare(const syntax::Block &block) {
    for (const syntax::Statement &statement : block) {
      if (const auto *local = as<syntax::LocalDecl>(statement))
        builder_.declareLocals(*local);
      else
        forEachBlock(statement, [this](const syntax::Block &inner) { declareNested(inner); });
    }
  }

  void declareNested(const syntax::Block &block) {
    for (const syntax::Statement &statement : block) {
      if (const auto *local = as<syntax::LocalDecl>(statement)) {
        reporter().error(statement.range, "a local must be declared at the top level of its thread",
                         "move it to the start of thread '" + tree_.name.text + "'");
        builder_.declareLocals(*local);
      } else {
        forEachBlock(statement, [this](const syntax::Block &inner) { declareNested(inner); });
      }
    }
  }

  template <typename Action>
  static void forEachBlock(const syntax::Statement &statement, const Action &action) {
    if (const auto *branch = as<syntax::IfStatement>(statement)) {
      action(*branch->yes);
      if (branch->no)
        action(*branch->no);
    } else if (const auto *loop = as<syntax::WhileStatement>(statement)) {
      action(*loop->body);
    } else if (const auto *atomic = as<syntax::AtomicStatement>(statement)) {
      action(*atomic->body);
    }
  }

  void allocate(const syntax::Block &block) {
    for (const syntax::Statement &statement : block) {
      if (!takesStep(statement))
        continue;
      locations_[&statement] = builder_.newLocation(statement.range);
      if (!as<syntax::AtomicStatement>(statement))
        forEachBlock(statement, [this](const syntax::Block &inner) { allocate(inner); });
    }
  }

  /// For each statement of the block, and for its end: the location of the first step from there.
  std::vector<LocationId> entries(const syntax::Block &block, LocationId exit) const {
    std::vector<LocationId> result(block.size() + 1, exit);
    for (size_t i = block.size(); i-- > 0;)
      result[i] = takesStep(block[i]) ? locations_.at(&block[i]) : result[i + 1];
    return result;
  }

  /// Where the block inside the statement leads.
  LocationId exitOf(const syntax::Statement &statement, LocationId next) const {
    return as<syntax::WhileStatement>(statement) ? locations_.at(&statement) : next;
  }

  void placeLabels(const syntax::Block &block, LocationId exit) {
    std::vector<LocationId> entry = entries(block, exit);
    for (size_t i = 0; i < block.size(); ++i) {
      if (const auto *label = as<syntax::LabelStatement>(block[i]))
        addLabel(label->label, {entry[i], false, label->label.range});
      else if (as<syntax::AtomicStatement>(block[i]))
        forEachBlock(block[i], [this](const syntax::Block &inner) { hideLabels(inner); });
      else
        forEachBlock(block[i], [&](const syntax::Block &inner) {
          placeLabels(inner, exitOf(block[i], entry[i + 1]));
        });
    }
  }

  void hideLabels(const syntax::Block &block) {
    for (const syntax::Statement &statement : block) {
      if (const auto *label = as<syntax::LabelStatement>(statement))
        addLabel(label->label, {0, true, label->label.range});
      forEachBlock(statement, [this](const syntax::Block &inner) { hideLabels(inner); });
    }
  }

  void addLabel(const syntax::Name &name, const LabelPlace &place) {
    auto [other, added] = builder_.labels().emplace(name.text, place);
    if (!added) {
      reporter().error(name.range,
                       "label '" + name.text + "' is already used on line " +
                           std::to_string(other->second.range.begin.line),
                       "labels must be unique within a thread");
      return;
    }
    if (place.inAtomic)
      return;
    std::string &known = builder_.thread().locations[place.location].name;
    if (known.empty())
      known = name.text;
  }

  /// A location without label is named after its line; with its column where lines repeat.
  void nameLocations() {
    std::set<uint32_t> lines;
    for (compose::Location &location : builder_.thread().locations) {
      bool labelled = !location.name.empty();
      bool first = lines.insert(location.range.begin.line).second;
      if (labelled)
        continue;
      if (location.kind == compose::LocationKind::Final) {
        location.name = "end";
        continue;
      }
      location.name = "line " + std::to_string(location.range.begin.line);
      if (!first)
        location.name += ":" + std::to_string(location.range.begin.column);
    }
  }

  // ------------------------------------------------------------------------------------------
  // Edges.

  void emit(const syntax::Block &block, LocationId exit) {
    std::vector<LocationId> entry = entries(block, exit);
    for (size_t i = 0; i < block.size(); ++i) {
      const syntax::Statement &statement = block[i];
      if (!takesStep(statement))
        continue;
      LocationId next = entry[i + 1];
      if (const auto *branch = as<syntax::IfStatement>(statement)) {
        LocationId no = branch->no ? entries(*branch->no, next).front() : next;
        branchOn(statement, branch->condition, entries(*branch->yes, next).front(), no);
      } else if (const auto *loop = as<syntax::WhileStatement>(statement)) {
        LocationId head = locations_.at(&statement);
        branchOn(statement, loop->condition, entries(*loop->body, head).front(), next);
      } else if (as<syntax::AtomicStatement>(statement)) {
        compileAtomic(builder_, statement, entry[i], next, final_);
        continue;
      } else {
        StepSite site{entry[i], next, statement.range, syntax::sourceText(statement.range)};
        std::visit([&](const auto &node) { step(node, site); }, statement.node);
      }
      forEachBlock(statement,
                   [&](const syntax::Block &inner) { emit(inner, exitOf(statement, next)); });
    }
  }

  void branchOn(const syntax::Statement &statement, const syntax::ExprPtr &expr, LocationId yes,
                LocationId no) {
    StepSite site{locations_.at(&statement), yes, statement.range,
                  syntax::sourceText(statement.range)};
    if (!expr) {
      builder_.addEdge(site, {}, {});
      site.target = no;
      builder_.addEdge(site, {}, {});
      return;
    }
    auto condition = builder_.condition(*expr);
    if (!condition)
      return;
    std::string text = syntax::sourceText(expr->range);
    site.range = expr->range;
    site.text = text;
    builder_.addEdge(site, {condition->defined, condition->holds}, {});
    site.target = no;
    site.text = "!(" + text + ")";
    builder_.addEdge(site, {condition->defined, check::complement(condition->holds)}, {});
    site.text = text;
    builder_.addFailure(site, {check::complement(condition->defined)}, FailureKind::OutOfBounds);
  }

  void step(const syntax::SkipStatement &, const StepSite &site) { builder_.addEdge(site, {}, {}); }

  void step(const syntax::AssignStatement &node, const StepSite &site) {
    auto assignment = builder_.assignment(node);
    if (!assignment)
      return;
    Term becomes = pool().equal(pool().primed(assignment->target), assignment->value);
    builder_.addEdge(site, {assignment->defined, assignment->inRange, becomes},
                     {assignment->target});
    builder_.addFailure(site, {check::complement(assignment->defined)}, FailureKind::OutOfBounds);
    builder_.addFailure(site, {assignment->defined, check::complement(assignment->inRange)},
                        FailureKind::OutOfRange);
  }

  void step(const syntax::HavocStatement &node, const StepSite &site) {
    if (auto variable = builder_.havocTarget(node))
      builder_.addEdge(site, {check::anyValue(pool(), *variable)}, {*variable});
  }

  void step(const syntax::AssumeStatement &node, const StepSite &site) {
    auto condition = builder_.condition(*node.condition);
    if (!condition)
      return;
    builder_.addEdge(site, {condition->defined, condition->holds}, {});
    builder_.addFailure(site, {check::complement(condition->defined)}, FailureKind::OutOfBounds);
  }

  void step(const syntax::AssertStatement &node, StepSite site) {
    auto condition = builder_.condition(*node.condition);
    if (!condition)
      return;
    builder_.addEdge(site, {condition->defined, condition->holds}, {});
    site.range = node.condition->range;
    site.text = syntax::sourceText(site.range);
    builder_.addFailure(site, {check::complement(condition->defined)}, FailureKind::OutOfBounds);
    builder_.addFailure(site, {condition->defined, check::complement(condition->holds)},
                        FailureKind::Assertion);
  }

  void step(const syntax::GotoStatement &node, StepSite site) {
    if (auto target = builder_.jumpTarget(node.label)) {
      site.target = *target;
      builder_.addEdge(site, {}, {});
    }
  }

  void step(const syntax::ReturnStatement &, StepSite site) {
    site.target = final_;
    builder_.addEdge(site, {}, {});
  }

  void step(const syntax::ForkStatement &node, const StepSite &site) {
    auto effect = builder_.fork(node);
    if (!effect)
      return;
    std::set<Variable> modified;
    if (effect->fork.result)
      modified.insert(*effect->fork.result);
    builder_.addEdge(site, {effect->defined, effect->inRange}, modified, effect->fork);
    builder_.addFailure(site, {check::complement(effect->defined)}, FailureKind::OutOfBounds);
    builder_.addFailure(site, {effect->defined, check::complement(effect->inRange)},
                        FailureKind::OutOfRange);
  }

  void step(const syntax::JoinStatement &node, const StepSite &site) {
    auto effect = builder_.join(node);
    if (!effect)
      return;
    builder_.addEdge(site, {effect->defined}, {}, effect->join);
    builder_.addFailure(site, {check::complement(effect->defined)}, FailureKind::OutOfBounds);
  }

  void lockEdge(const check::Symbol &mutex, const StepSite &site) {
    Variable held = builder_.heldFlag(mutex);
    builder_.addEdge(site,
                     {pool().negate(pool().var(held)), pool().negate(pool().var(mutex.variable)),
                      pool().primed(mutex.variable), pool().primed(held)},
                     {mutex.variable, held}, compose::LockMutex{mutex.index});
  }

  void releaseEdge(const check::Symbol &mutex, const StepSite &site, compose::Action action) {
    Variable held = builder_.heldFlag(mutex);
    builder_.addEdge(site,
                     {pool().var(held), pool().negate(pool().primed(mutex.variable)),
                      pool().negate(pool().primed(held))},
                     {mutex.variable, held}, std::move(action));
    builder_.addFailure(site, {pool().negate(pool().var(held))}, FailureKind::NotHeld);
  }

  void step(const syntax::LockStatement &node, const StepSite &site) {
    const check::Symbol *mutex = builder_.mutex(node.mutex);
    if (!mutex)
      return;
    lockEdge(*mutex, site);
    builder_.addFailure(site, {pool().var(builder_.heldFlag(*mutex))}, FailureKind::Relock);
  }

  void step(const syntax::UnlockStatement &node, const StepSite &site) {
    if (const check::Symbol *mutex = builder_.mutex(node.mutex))
      releaseEdge(*mutex, site, compose::UnlockMutex{mutex->index});
  }

  LocationId hidden(const StepSite &site, const std::string &name) {
    LocationId id = builder_.newLocation(site.range);
    compose::Location &location = builder_.thread().locations[id];
    location.name = builder_.thread().locations[site.source].name + " (" + name + ")";
    location.hidden = true;
    return id;
  }

  void step(const syntax::WaitStatement &node, const StepSite &site) {
    const check::Symbol *cond = builder_.cond(node.cond);
    const check::Symbol *mutex = node.mutex ? builder_.mutex(*node.mutex) : nullptr;
    if (!cond || (node.mutex && !mutex))
      return;
    LocationId waiting = hidden(site, "waiting on " + cond->name);
    LocationId woken = mutex ? hidden(site, "woken") : site.target;
    builder_.thread().locations[waiting].waiting = compose::Waiting{cond->index, woken};
    StepSite away{site.source, waiting, site.range, site.text};
    StepSite spurious{waiting, site.target, site.range, site.text + " (wakes up spuriously)"};
    bool canWake = options_.spurious == SpuriousWakeups::On;
    if (!mutex) {
      builder_.addEdge(away, {}, {}, compose::WaitCond{cond->index, std::nullopt});
      if (canWake)
        builder_.addEdge(spurious, {}, {});
      return;
    }
    releaseEdge(*mutex, away, compose::WaitCond{cond->index, mutex->index});
    lockEdge(*mutex, {woken, site.target, site.range, site.text + " (locks again)"});
    if (canWake)
      lockEdge(*mutex, spurious);
  }

  void step(const syntax::SignalStatement &node, const StepSite &site) {
    if (const check::Symbol *cond = builder_.cond(node.cond))
      builder_.addEdge(site, {}, {}, compose::SignalCond{cond->index});
  }

  void step(const syntax::BroadcastStatement &node, const StepSite &site) {
    if (const check::Symbol *cond = builder_.cond(node.cond))
      builder_.addEdge(site, {}, {}, compose::BroadcastCond{cond->index});
  }

  // Handled by `emit`, or no step at all.
  void step(const syntax::IfStatement &, const StepSite &) {}
  void step(const syntax::WhileStatement &, const StepSite &) {}
  void step(const syntax::AtomicStatement &, const StepSite &) {}
  void step(const syntax::LabelStatement &, const StepSite &) {}
  void step(const syntax::LocalDecl &, const StepSite &) {}
};

} // namespace

compose::Template compileThread(ConcContext &context, const syntax::ConcThread &tree,
                                compose::TemplateId id) {
  return ThreadCompiler(context, tree, id).run();
}

} // namespace understudy::specs::conc
