// SPDX-License-Identifier: Apache-2.0
//
// One CONC thread on its way to becoming a template: its names, its locations and edges, and what
// its statements mean before they are put on edges.
#pragma once

#include "specs/Compile.h"
#include "specs/check/Unit.h"

#include <map>
#include <set>

namespace understudy::specs::conc {

struct LabelPlace {
  compose::LocationId location = 0;
  bool inAtomic = false; ///< inside an atomic section: no place of its own
  SourceRange range;
};

/// A fork inside an atomic section that goes on to change globals: allowed only if the new thread
/// does not read them when it is created.
struct EarlyFork {
  compose::TemplateId thread = 0;
  std::set<logic::Variable> changedAfter;
  SourceRange range;
};

struct ConcSignature {
  std::vector<syntax::Name> names;
  std::vector<logic::Variable> parameters;
  bool broken = false;
};

struct ConcContext {
  check::Unit unit;
  CompileOptions options;
  std::vector<ConcSignature> signatures;                 ///< by template
  std::vector<std::map<std::string, LabelPlace>> labels; ///< by template
  std::set<compose::TemplateId> forked;
  std::vector<EarlyFork> earlyForks;
};

/// Where an edge goes and how it is shown.
struct StepSite {
  compose::LocationId source = 0;
  compose::LocationId target = 0;
  SourceRange range;
  std::string text;
};

/// `target` gets `value`, provided the evaluation is defined and the value in range.
struct Assignment {
  logic::Variable target;
  logic::Term value;
  logic::Term defined;
  logic::Term inRange;
};

struct ForkEffect {
  compose::Fork fork;
  logic::Term defined;
  logic::Term inRange;
};

struct JoinEffect {
  compose::Join join;
  logic::Term defined;
};

struct Condition {
  logic::Term holds;
  logic::Term defined;
};

class ThreadBuilder {
public:
  ThreadBuilder(ConcContext &context, const syntax::ConcThread &tree, compose::TemplateId id);

  check::Unit &unit() { return context_.unit; }
  ConcContext &context() { return context_; }
  logic::TermPool &pool() { return context_.unit.pool(); }
  syntax::Reporter &reporter() { return context_.unit.reporter; }
  const check::Scope &scope() const { return scope_; }
  compose::Template &thread() { return thread_; }
  std::map<std::string, LabelPlace> &labels() { return context_.labels[id_]; }

  void declareLocals(const syntax::LocalDecl &declaration);
  compose::LocationId newLocation(const SourceRange &range);

  void addEdge(const StepSite &site, std::vector<logic::Term> relation,
               const std::set<logic::Variable> &modified, compose::Action action = {});
  void addFailure(const StepSite &site, std::vector<logic::Term> relation,
                  compose::FailureKind kind, compose::Action action = {});
  compose::LocationId errorLocation();

  /// The local flag "this thread holds m".
  logic::Variable heldFlag(const check::Symbol &mutex);

  // What statements mean. Nothing after a report.
  std::optional<Condition> condition(const syntax::Expr &expr);
  std::optional<Assignment> assignment(const syntax::AssignStatement &statement);
  std::optional<ForkEffect> fork(const syntax::ForkStatement &statement);
  std::optional<JoinEffect> join(const syntax::JoinStatement &statement);
  std::optional<logic::Variable> havocTarget(const syntax::HavocStatement &statement);
  const check::Symbol *mutex(const syntax::Name &name);
  const check::Symbol *cond(const syntax::Name &name);
  std::optional<compose::LocationId> jumpTarget(const syntax::Name &label);

  /// Held flags get their start value, ends that hold a mutex their error edges.
  compose::Template finish(compose::LocationId final);

private:
  ConcContext &context_;
  const syntax::ConcThread &tree_;
  compose::TemplateId id_;
  check::Scope scope_;
  compose::Template thread_;
  std::vector<logic::Term> initial_;
  std::map<uint32_t, logic::Variable> held_;
  std::optional<compose::LocationId> error_;

  check::ExprChecker checker();
  const check::Symbol *variable(const syntax::Name &name);
  void declareLocal(const syntax::Declarator &declarator, logic::Sort sort);
  logic::Term heldAfter(const compose::Edge &edge);
  void passThrough(compose::LocationId final);
};

} // namespace understudy::specs::conc
