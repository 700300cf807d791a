// SPDX-License-Identifier: Apache-2.0
//
// Threads that stand for themselves: their code, encoded, takes the place of a contract's template.
#include "passes/Conform.h"

#include "logic/Error.h"
#include "logic/Substitute.h"
#include "passes/System.h"
#include "passes/TypeLimits.h"
#include "passes/checker/Guesses.h"
#include "passes/encode/Encode.h"

#include <algorithm>

namespace understudy::passes {

namespace {

/// A handler that ended is called again, with new locals.
void callAgain(compose::Template &thread, logic::TermPool &pool) {
  std::vector<logic::Variable> modified = thread.locals;
  std::sort(modified.begin(), modified.end());
  std::vector<logic::Term> fresh{logic::prime(thread.initial)};
  for (logic::Variable local : modified)
    fresh.push_back(pool.inSort(pool.primed(local), local.sort()));
  for (size_t i = 0; i < thread.locations.size(); ++i) {
    if (thread.locations[i].kind != compose::LocationKind::Final)
      continue;
    for (compose::LocationId initial : thread.initials) {
      compose::Edge edge;
      edge.source = static_cast<compose::LocationId>(i);
      edge.target = initial;
      edge.relation = pool.conjunction(fresh);
      edge.modified = modified;
      edge.text = "called again";
      edge.range = thread.range;
      thread.edges.push_back(std::move(edge));
    }
  }
}

class Composer {
public:
  explicit Composer(System &system) : system_(system), program_(system.contract().program) {
    failOutsideTypes(program_, system_, system.overflow());
    for (const memory::BoundVariable &variable : system_.binding().variables) {
      encode::Cell cell;
      cell.variable = variable.variable();
      cell.meaning =
          variable.isTruth() ? encode::Cell::Meaning::Truth : encode::Cell::Meaning::Value;
      cell.isSigned = variable.isSigned;
      cell.isBool = variable.isBool;
      cells_[variable.global] = cell;
    }
  }

  void replace(const specs::ThreadBinding &thread) {
    lower::Lowered lowered = system_.lowerItself(thread);
    encode::EncodeContext context{program_, cells_, lowered.places};
    encode::Encoded &encoded = encoded_[thread.id];
    encoded = encode::encode(*lowered.function, thread.name, context);
    places_[thread.id] = lowered.places;
    compose::Template code = encoded.thread;
    code.range = thread.range;
    if (thread.kind == specs::syntax::ThreadKind::Handler)
      callAgain(code, *program_.pool);
    program_.templates[thread.id] = std::move(code);
    std::erase_if(program_.exclusions, [&](const compose::Exclusion &exclusion) {
      return exclusion.first.thread == thread.id || exclusion.second.thread == thread.id;
    });
    for (const std::string &assumption : lowered.assumptions)
      if (std::find(program_.assumptions.begin(), program_.assumptions.end(), assumption) ==
          program_.assumptions.end())
        program_.assumptions.push_back(assumption);
  }

  void replaceAll(Threads threads) {
    for (const auto &[thread, function] : system_.threads())
      if (threads == Threads::All || !thread->hasBody)
        replace(*thread);
  }

  std::optional<Doubt> doubtIn(const compose::Trace &trace) {
    checker::CodeTemplates code;
    for (const auto &[id, encoded] : encoded_)
      code[id] = &encoded;
    auto guess = checker::guessBehind(program_, code, trace);
    if (!guess)
      return std::nullopt;
    const lower::Place &place = places_.at(guess->thread).at(guess->place);
    return Doubt{lower::dependsOn(place), place.range};
  }

  compose::Program finish() {
    compose::checkWellFormed(program_);
    return std::move(program_);
  }

private:
  System &system_;
  compose::Program program_;
  std::map<const llvm::GlobalVariable *, encode::Cell> cells_;
  std::map<compose::TemplateId, encode::Encoded> encoded_; ///< of threads that stand for themselves
  std::map<compose::TemplateId, std::vector<lower::Place>> places_;
};

} // namespace

compose::Program composition(System &system, Threads threads) {
  const specs::Compiled &contract = system.contract();
  auto isEnvironment = [](const specs::ThreadBinding &thread) {
    return thread.kind == specs::syntax::ThreadKind::Environment;
  };
  if (threads == Threads::WithoutContract && contract.withoutContract.empty() &&
      std::none_of(contract.threads.begin(), contract.threads.end(), isEnvironment))
    return contract.program;
  Composer composer(system);
  composer.replaceAll(threads);
  return composer.finish();
}

std::optional<Doubt> doubtIn(const compose::Trace &trace, System &system, Threads threads) {
  if (threads == Threads::WithoutContract && system.contract().withoutContract.empty())
    return std::nullopt;
  Composer composer(system);
  composer.replaceAll(threads);
  return composer.doubtIn(trace);
}

} // namespace understudy::passes
