// SPDX-License-Identifier: Apache-2.0
#include "passes/Writers.h"

#include "logic/Words.h"
#include "passes/lower/KnownFunctions.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <map>

namespace understudy::passes {

namespace {

using Functions = std::set<const llvm::Function *>;

template <typename Visit>
void forEachCallee(const llvm::Function &function, const Visit &visit) {
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const llvm::Function *callee = lower::calleeOf(*call);
          callee != nullptr && !callee->isDeclaration())
        visit(*callee);
}

/// Functions in the operand, or in the constants that it leads to.
void addMentioned(const llvm::Value *operand, std::set<const llvm::Value *> &seen,
                  std::vector<const llvm::Function *> &found) {
  const auto *constant = llvm::dyn_cast<llvm::Constant>(operand);
  if (constant == nullptr || !seen.insert(constant).second)
    return;
  if (const auto *function = llvm::dyn_cast<llvm::Function>(constant)) {
    found.push_back(function);
    return;
  }
  for (const llvm::Use &part : constant->operands())
    addMentioned(part.get(), seen, found);
}

} // namespace

std::set<const llvm::Function *> reachedFrom(std::vector<const llvm::Function *> work,
                                             Reach reach) {
  Functions reached;
  std::set<const llvm::Value *> seen;
  while (!work.empty()) {
    const llvm::Function *function = work.back();
    work.pop_back();
    if (!reached.insert(function).second)
      continue;
    forEachCallee(*function, [&](const llvm::Function &callee) { work.push_back(&callee); });
    if (reach == Reach::Mentions)
      for (const llvm::Instruction &instruction : llvm::instructions(*function))
        for (const llvm::Use &operand : instruction.operands())
          addMentioned(operand.get(), seen, work);
  }
  return reached;
}

namespace {

/// The instructions that write through the address itself.
std::vector<const llvm::Instruction *> writersOf(const memory::AddressUses &uses) {
  std::vector<const llvm::Instruction *> result;
  for (const llvm::Use *use : uses.accesses)
    if (const auto *at = llvm::dyn_cast<llvm::Instruction>(use->getUser());
        at != nullptr && memory::writtenBy(*at) == use->get())
      result.push_back(at);
  return result;
}

/// `llvm.global_ctors`: entries of a priority, a function and what it belongs to.
std::vector<const llvm::Function *> constructorsOf(const llvm::Module &module) {
  std::vector<const llvm::Function *> result;
  const llvm::GlobalVariable *list = module.getNamedGlobal("llvm.global_ctors");
  if (list == nullptr || !list->hasInitializer())
    return result;
  const llvm::Constant *entries = list->getInitializer();
  for (unsigned i = 0; const llvm::Constant *entry = entries->getAggregateElement(i); ++i)
    if (const llvm::Constant *function = entry->getAggregateElement(1u))
      if (const auto *found = llvm::dyn_cast<llvm::Function>(function->stripPointerCasts()))
        result.push_back(found);
  return result;
}

class WriterSearch {
public:
  WriterSearch(const std::vector<const llvm::Function *> &threads, const memory::Binding &binding,
               const memory::Memory &memory, read::SourceMap &sources)
      : threads_(threads.begin(), threads.end()), binding_(binding), covered_(reachedFrom(threads)),
        memory_(memory), sources_(sources) {
    for (const memory::BoundVariable &variable : binding.variables)
      addUses(variable);
    for (const memory::BoundVariable &variable : binding.variables)
      names_.insert(variable.global->getName().str());
  }

  std::vector<std::string> run(const llvm::Module &module, const Variables &starting) {
    findOutside(module);
    for (const llvm::Function &function : module)
      for (const llvm::Instruction &instruction : llvm::instructions(function)) {
        for (const memory::BoundVariable *variable : writtenIn(instruction))
          tellWrite(function, instruction, *variable);
        if (auto found = handedOut_.find(&instruction); found != handedOut_.end())
          for (const memory::BoundVariable *variable : found->second)
            tellHandOut(function, instruction, *variable);
        if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          tellCall(function, *call);
        else if (const llvm::Value *pointer = memory::writtenBy(instruction))
          tellLock(function, instruction, pointer);
      }
    if (!module.getModuleInlineAsm().empty())
      add("assembly outside functions writes no named variable");
    for (const memory::BoundVariable &variable : binding_.variables)
      if (starting.contains(variable.variable()))
        tellStart(variable);
    return std::move(result_);
  }

private:
  using Bound = std::vector<const memory::BoundVariable *>;

  Functions threads_;
  const memory::Binding &binding_;
  std::set<std::string> names_; ///< of the variables, as the linker knows them
  Functions covered_;           ///< what the threads run
  const memory::Memory &memory_;
  read::SourceMap &sources_;
  std::map<const llvm::Instruction *, Bound> written_;   ///< through an address that is followed
  std::map<const llvm::Instruction *, Bound> handedOut_; ///< calls that get the address
  /// Functions that may run outside of the threads; the caller if only that one is outside.
  std::map<const llvm::Function *, const llvm::Function *> outside_;
  std::map<const llvm::Function *, const llvm::Function *> constructors_;    ///< likewise
  std::map<const memory::BoundVariable *, std::vector<std::string>> before_; ///< who may set it
  std::vector<std::string> result_;

  void add(const std::string &text) {
    if (std::find(result_.begin(), result_.end(), text) == result_.end())
      result_.push_back(text);
  }

  void addUses(const memory::BoundVariable &variable) {
    memory::AddressUses uses = memory::usesOf(*variable.global);
    for (const llvm::Instruction *at : writersOf(uses))
      written_[at].push_back(&variable);
    for (const llvm::Use *use : uses.escapes)
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(use->getUser()))
        handedOut_[call].push_back(&variable);
  }

  Bound writtenIn(const llvm::Instruction &instruction) const {
    if (auto found = written_.find(&instruction); found != written_.end())
      return found->second;
    const llvm::Value *pointer = memory::writtenBy(instruction);
    return pointer != nullptr ? memory_.reachedBy(pointer) : Bound{};
  }

  // -------------------------------------------------------------------------------------------
  // What can run outside of the threads.

  void findOutside(const llvm::Module &module) {
    std::vector<const llvm::Function *> first = constructorsOf(module);
    Functions early = onlyEarly(module, first);
    std::vector<const llvm::Function *> roots;
    for (const llvm::Function &function : module) {
      if (function.isDeclaration() || function.getName().starts_with("understudy."))
        continue;
      bool known = !threads_.contains(&function) && memory::addressEscapes(function);
      if (!early.contains(&function) && (!covered_.contains(&function) || known))
        roots.push_back(&function);
    }
    spread(first, constructors_);
    spread(roots, outside_);
  }

  /// Constructors that nobody calls, and what only those call.
  static Functions onlyEarly(const llvm::Module &module,
                             const std::vector<const llvm::Function *> &constructors) {
    Functions early = reachedFrom(constructors);
    Functions first(constructors.begin(), constructors.end());
    auto isElsewhere = [&](const llvm::Function *function) {
      return (!first.contains(function) && !function->hasLocalLinkage()) ||
             memory::addressEscapes(*function);
    };
    std::erase_if(early, isElsewhere);
    for (bool changed = true; changed;) {
      size_t before = early.size();
      for (const llvm::Function &function : module)
        if (!early.contains(&function))
          forEachCallee(function, [&](const llvm::Function &callee) { early.erase(&callee); });
      changed = early.size() != before;
    }
    return early;
  }

  void spread(const std::vector<const llvm::Function *> &roots,
              std::map<const llvm::Function *, const llvm::Function *> &into) const {
    std::vector<const llvm::Function *> work = roots;
    for (const llvm::Function *root : roots)
      into[root] = nullptr;
    for (size_t i = 0; i < work.size(); ++i)
      forEachCallee(*work[i], [&](const llvm::Function &callee) {
        if (!threads_.contains(&callee) && into.emplace(&callee, work[i]).second)
          work.push_back(&callee);
      });
  }

  // -------------------------------------------------------------------------------------------
  // Words.

  std::string placed(const llvm::Function &function, const logic::SourceRange &range) {
    return memory::sourceName(function) + " (" +
           (range.known() ? range.file->name() + ":" + std::to_string(range.begin.line)
                          : "no line") +
           ")";
  }

  std::string placed(const llvm::Function &function) {
    return placed(function, sources_.range(function.getSubprogram()));
  }

  void tellWrite(const llvm::Function &function, const llvm::Instruction &at,
                 const memory::BoundVariable &variable) {
    std::string name = variable.variable().name();
    std::string writer = placed(function, sources_.range(at));
    if (auto found = constructors_.find(&function); found != constructors_.end())
      add(found->second == nullptr ? "the constructor " + writer + " may write " + name +
                                         " but leaves it at its initial value in the contract"
                                   : writer + ", called by " + placed(*found->second) +
                                         " before the threads start, may write " + name +
                                         " but leaves it at its initial value in the contract");
    auto found = outside_.find(&function);
    if (found == outside_.end())
      return;
    if (found->second == nullptr && covered_.contains(&function)) {
      add(writer + ", whose address escapes, may write " + name +
          " but is called only by the threads");
      return;
    }
    before_[&variable].push_back(writer);
    if (found->second != nullptr)
      add(writer + ", called by " + placed(*found->second) + ", may write " + name + ", but " +
          memory::sourceName(*found->second) + " does not run concurrently with the system");
    else
      add(writer + " may write " + name + " but does not run concurrently with the system");
  }

  void tellHandOut(const llvm::Function &function, const llvm::Instruction &at,
                   const memory::BoundVariable &variable) {
    if (!outside_.contains(&function) && !constructors_.contains(&function))
      return;
    const auto &call = llvm::cast<llvm::CallBase>(at);
    const llvm::Function *callee = lower::calleeOf(call);
    std::string receiver = call.isInlineAsm()  ? "assembly"
                           : callee == nullptr ? "a function"
                                               : memory::sourceName(*callee);
    std::string writer = placed(function, sources_.range(at));
    before_[&variable].push_back(writer);
    add(writer + " passes the address of " + variable.variable().name() + " to " + receiver +
        ", which does not write it concurrently with the system");
  }

  /// What does not run beside the threads may run before them.
  void tellStart(const memory::BoundVariable &variable) {
    std::vector<std::string> writers;
    for (const std::string &writer : before_[&variable])
      if (std::find(writers.begin(), writers.end(), writer) == writers.end())
        writers.push_back(writer);
    if (!writers.empty())
      add("the initial value of " + variable.variable().name() + ", which " +
          logic::joined(writers) + " may set before the threads start, is the one in the contract");
  }

  void tellCall(const llvm::Function &function, const llvm::CallBase &call) {
    if (!outside_.contains(&function) && !constructors_.contains(&function))
      return;
    std::string caller = placed(function, sources_.range(call));
    const llvm::Function *callee = lower::calleeOf(call);
    if (call.isInlineAsm() && mayWriteAny(function, call))
      add(caller + " contains assembly, which writes no named variable");
    else if (callee != nullptr && threads_.contains(callee))
      add(caller + " calls " + memory::sourceName(*callee) +
          " only to run a thread that the run line starts");
    for (const llvm::Value *argument : call.args())
      if (argument->getType()->isPointerTy())
        tellLock(function, call, argument);
  }

  void tellLock(const llvm::Function &function, const llvm::Instruction &at,
                const llvm::Value *pointer) {
    if (!outside_.contains(&function) && !constructors_.contains(&function))
      return;
    if (const memory::BoundLock *lock = memory_.mayReachLock(pointer))
      add(placed(function, sources_.range(at)) + " uses " + lock->lock->name +
          " but does not run concurrently with the system");
  }

  /// What has no operands is not followed: only assembly that says that it writes memory, or names
  /// a variable in its text.
  bool mayWriteAny(const llvm::Function &function, const llvm::CallBase &call) const {
    const auto &assembly = llvm::cast<llvm::InlineAsm>(*call.getCalledOperand());
    if (assembly.getAsmString().empty())
      return false;
    return function.hasFnAttribute(llvm::Attribute::Naked) ||
           llvm::StringRef(assembly.getConstraintString()).contains("~{memory}") ||
           std::any_of(names_.begin(), names_.end(), [&](const std::string &name) {
             return hasWord(assembly.getAsmString(), name);
           });
  }

  static bool hasWord(llvm::StringRef text, llvm::StringRef word) {
    auto inWord = [&](size_t at) {
      return at < text.size() && (llvm::isAlnum(text[at]) || text[at] == '_');
    };
    for (size_t at = text.find(word); at != llvm::StringRef::npos; at = text.find(word, at + 1))
      if (!inWord(at + word.size()) && (at == 0 || !inWord(at - 1)))
        return true;
    return false;
  }
};

} // namespace

Variables writtenIn(const std::set<const llvm::Function *> &functions,
                    const memory::Binding &binding, const memory::Memory &memory) {
  Variables result;
  for (const memory::BoundVariable &variable : binding.variables)
    for (const llvm::Instruction *at : writersOf(memory::usesOf(*variable.global)))
      if (functions.contains(at->getFunction()))
        result.insert(variable.variable());
  for (const llvm::Function *function : functions)
    for (const llvm::Instruction &instruction : llvm::instructions(*function))
      if (const llvm::Value *pointer = memory::writtenBy(instruction))
        for (const memory::BoundVariable *variable : memory.reachedBy(pointer))
          result.insert(variable->variable());
  return result;
}

std::vector<std::string> otherWriters(const llvm::Module &module,
                                      const std::vector<const llvm::Function *> &threads,
                                      const memory::Binding &binding, const memory::Memory &memory,
                                      read::SourceMap &sources, const Variables &starting) {
  return WriterSearch(threads, binding, memory, sources).run(module, starting);
}

} // namespace understudy::passes
