// SPDX-License-Identifier: Apache-2.0
#include "passes/System.h"

#include "logic/Error.h"
#include "logic/Words.h"
#include "passes/TypeLimits.h"
#include "passes/Writers.h"
#include "passes/lower/KnownFunctions.h"
#include "passes/lower/LostAssertions.h"
#include "passes/lower/LowerCopies.h"
#include "passes/lower/StoredSums.h"

#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <set>

namespace understudy::passes {

System::System(const read::Code &code, const specs::Compiled &contract, OverflowMode overflow)
    : contract_(contract), overflow_(overflow), copy_(llvm::CloneModule(*code.get().module)),
      module_(copy_.get()) {
  lower::markAssertHooks(code.get().assertHooks, *module_, memory::Missing::Error);
  bind();
}

System::System(llvm::Module &module, const specs::Compiled &contract, OverflowMode overflow,
               Extent extent, const std::vector<std::string> &assertHooks)
    : contract_(contract), overflow_(overflow), module_(&module), extent_(extent) {
  lower::markAssertHooks(assertHooks, module,
                         extent == Extent::Part ? memory::Missing::Elsewhere
                                                : memory::Missing::Error);
  bind();
}

/// Another name of an object is that object. One that may be replaced when the program is linked
/// is left alone.
void System::resolveAliases() {
  for (llvm::GlobalAlias &alias : module_->aliases())
    if (!alias.isInterposable())
      alias.replaceAllUsesWith(alias.getAliasee());
}

std::shared_ptr<System> bind(const read::Code &code, const specs::Compiled &contract,
                             OverflowMode overflow) {
  return std::make_shared<System>(code, contract, overflow);
}

void System::bind() {
  resolveAliases();
  lower::markStoredSums(*module_, sources_);
  lower::markOwnCopies(*module_);
  read::promoteLocals(*module_);
  if (extent_ == Extent::Whole) {
    binding_ = memory::bindVariables(contract_, *module_);
    findThreads();
  } else {
    findThreads();
    bindVariables();
    if (!threads_.empty())
      requireOneObject();
  }
  if (extent_ == Extent::Whole)
    requireTypes(*this);
  memory_ = std::make_unique<memory::Memory>(binding_, *module_, functionsOfThreads());
  findNeverWritten();
}

/// A thread of another file that stands for itself may write anything.
void System::findNeverWritten() {
  std::vector<const llvm::Function *> bare;
  for (const auto &[thread, function] : threads_)
    if (!thread->hasBody)
      bare.push_back(function);
  for (const specs::ThreadBinding *thread : absent_)
    if (!thread->hasBody)
      return;
  Variables written = writtenIn(reachedFrom(bare, Reach::Mentions), binding_, *memory_);
  for (const compose::Template &thread : contract_.program.templates)
    for (const compose::Edge &edge : thread.edges)
      written.insert(edge.modified.begin(), edge.modified.end());
  for (const specs::SharedBinding &shared : contract_.shared)
    if (!shared.ghost && !written.contains(shared.variable))
      binding_.neverWritten.insert(shared.variable);
}

void System::findThreads() {
  std::vector<logic::Diagnostic> errors;
  for (const specs::ThreadBinding &thread : contract_.threads) {
    if (thread.kind == specs::syntax::ThreadKind::Environment)
      continue;
    try {
      if (extent_ == Extent::Whole)
        threads_.emplace_back(&thread, &memory::threadFunction(thread, *module_));
      else if (llvm::Function *function = memory::findThreadFunction(thread, *module_))
        threads_.emplace_back(&thread, function);
      else
        absent_.push_back(&thread);
    } catch (const logic::Error &error) {
      errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!errors.empty())
    throw logic::Error(errors);
}

/// In a file without threads a name that does not fit is another object of that name.
void System::bindVariables() {
  try {
    binding_ = memory::bindVariables(contract_, *module_, memory::Missing::Elsewhere);
  } catch (const logic::Error &) {
    if (!threads_.empty())
      throw;
  } catch (const logic::Unsupported &) {
    if (!threads_.empty())
      throw;
  }
}

namespace {

bool isIn(const logic::Term &term, const logic::Variable &variable) {
  auto uses = logic::variablesOf(term);
  return std::any_of(uses.begin(), uses.end(),
                     [&](const auto &use) { return use.variable == variable; });
}

/// Does the contract of the thread speak of the variable?
bool mentions(const compose::Template &thread, const logic::Variable &variable) {
  bool found = isIn(thread.initial, variable);
  for (const compose::Edge &edge : thread.edges)
    found = found || isIn(edge.relation, variable) ||
            std::find(edge.modified.begin(), edge.modified.end(), variable) != edge.modified.end();
  for (const compose::Location &location : thread.locations)
    for (const compose::Claim &rely : location.relies)
      found = found || isIn(rely.formula, variable);
  return found;
}

} // namespace

/// The threads of other files that have to do with the variable.
std::vector<std::string> System::absentUsers(const logic::Variable &variable) const {
  std::vector<std::string> names;
  for (const specs::ThreadBinding *thread : absent_)
    if (thread->hasBody && mentions(contract_.program.templates[thread->id], variable))
      names.push_back(thread->name);
  return names;
}

/// A variable with internal linkage is another object in every file, whatever its name. So is a
/// mutex.
void System::requireOneObject() const {
  std::vector<logic::Diagnostic> errors;
  auto check = [&](const llvm::GlobalVariable &global, const logic::Variable &variable,
                   const std::string &name, const logic::SourceRange &range) {
    std::vector<std::string> users = absentUsers(variable);
    if (global.hasLocalLinkage() && !users.empty())
      errors.push_back({logic::Severity::Error, range,
                        "'" + name + "' is local to '" + module_->getSourceFileName() +
                            "', but the contract of " + logic::joined(users) +
                            ", which is not in this file, uses it",
                        "every file has its own object of a static variable"});
  };
  for (const memory::BoundVariable &variable : binding_.variables)
    check(*variable.global, variable.variable(), variable.variable().name(),
          variable.shared->range);
  for (const memory::BoundLock &lock : binding_.locks)
    for (const compose::Mutex &mutex : contract_.program.mutexes)
      if (mutex.name == lock.lock->name)
        check(*lock.global, mutex.locked, mutex.name, lock.lock->range);
  if (!errors.empty())
    throw logic::Error(errors);
}

lower::Lowered System::lower(const specs::ThreadBinding &thread) { return lowered(thread, ""); }

/// What others do in the meantime matters here.
lower::Lowered System::lowerItself(const specs::ThreadBinding &thread) {
  return lowered(thread, "locks of code that stands for itself are not supported yet");
}

/// No step leads from where a thread waits: only a signal wakes it.
static bool waitsForSignals(const compose::Program &program) {
  return std::any_of(program.templates.begin(), program.templates.end(),
                     [](const compose::Template &thread) {
                       std::set<compose::LocationId> left;
                       for (const compose::Edge &edge : thread.edges)
                         left.insert(edge.source);
                       for (compose::LocationId at = 0; at < thread.locations.size(); ++at)
                         if (thread.locations[at].waiting && !left.contains(at))
                           return true;
                       return false;
                     });
}

lower::Lowered System::lowered(const specs::ThreadBinding &thread, const std::string &locks) {
  lower::LowerOptions options;
  options.overflow = overflow_;
  options.locks = locks;
  if (waitsForSignals(contract_.program))
    options.timedWaits = "it may end without a signal, and --spurious off excludes that";
  for (const llvm::Function *function : functionsOfThreads())
    options.threads.insert(function);
  if (thread.hasBody)
    for (const compose::Edge &edge : contract_.program.templates[thread.id].edges)
      if (const auto *call = std::get_if<compose::CallFunction>(&edge.action))
        options.actions.insert(call->name);
  for (const auto &[candidate, function] : threads_)
    if (candidate == &thread)
      return lower::lower(*function, "understudy.thread." + thread.name, *memory_, sources_,
                          options);
  throw std::logic_error("a thread without code is lowered");
}

/// What is not known of a variable.
std::vector<std::string> System::aboutVariables() const {
  std::vector<std::string> result;
  for (const memory::BoundVariable &variable : binding_.variables) {
    std::string name = variable.variable().name();
    auto starts = memory::initialValues(variable);
    if (starts.empty())
      result.push_back("the initial value of " + name +
                       ", set outside the given files, is the one in the contract");
    else if (std::find(starts.begin(), starts.end(), std::nullopt) != starts.end())
      result.push_back("the initial value of " + name +
                       ", not a constant in the code, is the one in the contract");
    if (!variable.typeIsKnown)
      result.push_back(name + " is signed (there is no debug information about its type)");
    for (const specs::ThreadBinding *thread : absent_)
      if (variable.global->hasLocalLinkage() && !thread->hasBody)
        result.push_back(thread->name + ", which is not in this file, does not use " + name +
                         ", which is local to it");
    if (extent_ == Extent::Part && !variable.function.empty() && variable.shared->paths.empty())
      result.push_back(name + " is the static variable in " + variable.function +
                       ", not a global in another file (write '@ " + variable.function +
                       "::" + name + "' to say so)");
  }
  for (const specs::SharedBinding *shared : binding_.elsewhere)
    result.push_back(shared->variable.name() +
                     ", which this file does not mention, is taken for a signed 64-bit integer "
                     "(its C type is not known here)");
  return result;
}

std::vector<std::string> System::assumptions() {
  std::vector<std::string> result{
      "the code has no undefined behaviour (signed overflow, out-of-bounds accesses)"};
  for (const auto &more : {aboutVariables(), lostAssertions(), writersBesideThreads()})
    result.insert(result.end(), more.begin(), more.end());
  return result;
}

std::vector<const llvm::Function *> System::functionsOfThreads() const {
  std::vector<const llvm::Function *> functions;
  for (const auto &[thread, function] : threads_)
    functions.push_back(function);
  return functions;
}

/// One sentence about all of them.
std::vector<std::string> System::lostAssertions() {
  std::set<const llvm::Function *> covered = reachedFrom(functionsOfThreads(), Reach::Mentions);
  std::vector<std::string> lost;
  for (const llvm::Function &function : *module_)
    if (covered.contains(&function) && !function.isDeclaration())
      for (std::string &place : lower::lostAssertions(function, sources_))
        lost.push_back(std::move(place));
  if (lost.empty())
    return {};
  return {"assertions missing from the compiled code are not checked (is NDEBUG defined?): " +
          logic::joined(lost)};
}

std::vector<std::string> System::writersBesideThreads() {
  Variables starting;
  for (const memory::BoundVariable &variable : binding_.variables)
    if (variable.element().kind() == logic::SortKind::Range || variable.element().isEnum() ||
        isIn(contract_.program.initial, variable.variable()))
      starting.insert(variable.variable());
  return otherWriters(*module_, functionsOfThreads(), binding_, *memory_, sources_, starting);
}

} // namespace understudy::passes
