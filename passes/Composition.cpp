// SPDX-License-Identifier: Apache-2.0
//
// Threads that stand for themselves: their code, encoded, takes the place of a contract's template.
#include "passes/Conform.h"

#include "logic/Error.h"
#include "logic/Substitute.h"
#include "passes/System.h"
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
  Composer(const read::Code &code, const specs::Compiled &contract, OverflowMode overflow)
      : system_(code, contract, overflow), program_(contract.program) {
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
    lower::Lowered lowered = system_.lower(thread);
    encode::EncodeContext context{program_, cells_, lowered.places};
    compose::Template code = encode::encode(*lowered.function, thread.name, context).thread;
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

  System &system() { return system_; }

  compose::Program finish() {
    compose::checkWellFormed(program_);
    return std::move(program_);
  }

private:
  System system_;
  compose::Program program_;
  std::map<const llvm::GlobalVariable *, encode::Cell> cells_;
};

} // namespace

compose::Program composition(const read::Code &code, const specs::Compiled &contract,
                             OverflowMode overflow) {
  if (contract.withoutContract.empty())
    return contract.program;
  Composer composer(code, contract, overflow);
  for (const auto &[thread, function] : composer.system().threads())
    if (!thread->hasBody)
      composer.replace(*thread);
  return composer.finish();
}

compose::Program codeComposition(const read::Code &code, const specs::Compiled &contract,
                                 OverflowMode overflow) {
  Composer composer(code, contract, overflow);
  for (const auto &[thread, function] : composer.system().threads())
    composer.replace(*thread);
  return composer.finish();
}

} // namespace understudy::passes
