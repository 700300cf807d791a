// SPDX-License-Identifier: Apache-2.0
//
// The items of a contract that the C side does not follow yet. The composition of the contracts
// knows them all; `conform` and `check` answer `unknown`, naming the construct.
#include "logic/Error.h"
#include "passes/memory/Binding.h"

#include <algorithm>

namespace understudy::passes::memory {

namespace {

[[noreturn]] void refuse(const std::string &what, const logic::SourceRange &range) {
  throw logic::Unsupported(what + " not supported in C code yet", range);
}

bool isMutex(const specs::Compiled &contract, const std::string &lock) {
  return std::any_of(contract.locks.begin(), contract.locks.end(), [&](const auto &candidate) {
    return candidate.name == lock && candidate.kind == specs::syntax::TypeKind::Mutex;
  });
}

void checkVariables(const specs::Compiled &contract) {
  for (const specs::SharedBinding &shared : contract.shared) {
    std::string name = "'" + shared.variable.name() + "'";
    if (shared.isLifetime())
      refuse("lifetimes, as that of " + name + ", are", shared.range);
    if (!shared.discipline)
      continue;
    const specs::syntax::DisciplineRef &discipline = *shared.discipline;
    if (discipline.kind == specs::syntax::DisciplineKind::WrittenUnder &&
        !isMutex(contract, discipline.by.text))
      refuse("'written under', as of " + name + ", is", discipline.by.range);
    if (discipline.kind == specs::syntax::DisciplineKind::OwnedBy)
      refuse("'owned by', as of " + name + ", is", discipline.by.range);
  }
}

void checkThread(const specs::ThreadBinding &thread) {
  if (thread.via)
    refuse("'via', as of " + thread.name + ", is", thread.via->function.range);
  if (!thread.inside.empty())
    refuse("states inside a section, as of " + thread.name + ", are",
           thread.inside.begin()->second.section.range);
  if (!thread.unboundedLocals.empty())
    refuse("locals without a range, as '" + thread.unboundedLocals.front().text + "' of " +
               thread.name + ", are",
           thread.unboundedLocals.front().range);
}

} // namespace

void checkSupported(const specs::Compiled &contract) {
  checkVariables(contract);
  for (const specs::LockBinding &lock : contract.locks)
    if (lock.kind == specs::syntax::TypeKind::Section)
      refuse("sections, as '" + lock.name + "', are", lock.range);
  for (const specs::ObjectBinding &object : contract.objects)
    refuse("objects, as '" + object.name + "', are", object.range);
  for (const specs::ClaimBinding &claim : contract.claims)
    refuse("claims about code are", claim.claim.range);
  for (const specs::ThreadBinding &thread : contract.threads)
    checkThread(thread);
}

} // namespace understudy::passes::memory
