// SPDX-License-Identifier: Apache-2.0
//
// One step of one thread: the rules of Figure 3, and those for locks and condition variables.
#pragma once

#include "LiteralModel.h"
#include "specs/Compile.h"

namespace understudy::tests::literal {

class Stepper {
public:
  Stepper(const Model &model, specs::SpuriousWakeups spurious)
      : model_(model), spurious_(spurious) {}

  /// Every moment after a step of `self`. Sets `failure` when a step goes wrong.
  std::vector<Moment> steps(const Moment &before);

  /// Every thread of the template as it can be created in the globals of the moment, the
  /// parameters given.
  std::vector<Thread> created(size_t thread, std::optional<int64_t> id,
                              const std::vector<int64_t> &arguments, const Moment &moment);

  std::string failure;

private:
  using Moments = std::vector<Moment>;

  Moments perform(Moment moment);
  Moments atomically(const Moment &moment, const specs::syntax::AtomicStatement &section);
  Moments resume(Moment moment);

  // The statement has been taken from the remainder already.
  Moments rule(Moment m, const specs::syntax::SkipStatement &);
  Moments rule(Moment m, const specs::syntax::AssignStatement &);
  Moments rule(Moment m, const specs::syntax::HavocStatement &);
  Moments rule(Moment m, const specs::syntax::AssumeStatement &);
  Moments rule(Moment m, const specs::syntax::AssertStatement &);
  Moments rule(Moment m, const specs::syntax::IfStatement &);
  Moments rule(Moment m, const specs::syntax::WhileStatement &);
  Moments rule(Moment m, const specs::syntax::ReturnStatement &);
  Moments rule(Moment m, const specs::syntax::ForkStatement &);
  Moments rule(Moment m, const specs::syntax::JoinStatement &);
  Moments rule(Moment m, const specs::syntax::LockStatement &);
  Moments rule(Moment m, const specs::syntax::UnlockStatement &);
  Moments rule(Moment m, const specs::syntax::WaitStatement &);
  Moments rule(Moment m, const specs::syntax::SignalStatement &);
  Moments rule(Moment m, const specs::syntax::BroadcastStatement &);
  template <typename Other>
  Moments rule(Moment m, const Other &);

  void store(Moment &moment, const std::string &name, int64_t value);
  const Type &typeOf(const Moment &moment, const std::string &name) const;
  std::vector<int64_t> freshIds(const Moment &moment) const;
  std::vector<bool> outcomes(const specs::syntax::ExprPtr &condition, const Moment &moment) const;
  Moments wrong(const std::string &what);

  const Model &model_;
  specs::SpuriousWakeups spurious_;
  const Statement *current_ = nullptr;
  bool inAtomic_ = false;
};

} // namespace understudy::tests::literal
