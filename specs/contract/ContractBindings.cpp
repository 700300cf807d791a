// SPDX-License-Identifier: Apache-2.0
//
// What a contract says about C, checked as far as it can be without the code: paths fit their
// variables, disciplines name what they need, objects exist.
#include "specs/contract/ContractThread.h"

#include <algorithm>
#include <charconv>

namespace understudy::specs::contract {

namespace {

using check::Symbol;
using check::SymbolKind;
using syntax::BindingPath;
using syntax::DisciplineKind;
using syntax::PathKind;
using syntax::PathStepKind;
using syntax::SharedDecl;

/// A number as the lexer lets it through: it fits.
int64_t numberOf(std::string_view text) {
  bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  text.remove_prefix(hexadecimal ? 2 : 0);
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  return value;
}

class BindingChecker {
public:
  explicit BindingChecker(ContractContext &context) : context_(context) {}

  void check(const syntax::Contract &contract) {
    for (const syntax::SystemItem &item : contract.items) {
      if (const auto *shared = std::get_if<SharedDecl>(&item))
        checkShared(*shared);
      if (const auto *claim = std::get_if<syntax::ClaimItem>(&item))
        checkClaim(*claim);
      if (const auto *thread = std::get_if<syntax::ContractThread>(&item); thread && thread->via)
        for (const BindingPath &argument : thread->via->arguments)
          checkArgument(argument);
    }
    for (auto &[variable, info] : context_.shared)
      if (info.tree->discipline)
        resolve(info);
  }

private:
  ContractContext &context_;

  check::Unit &unit() { return context_.unit; }
  void error(const SourceRange &range, const std::string &message, const std::string &hint = {}) {
    context_.unit.reporter.error(range, message, hint);
  }

  void expectObject(const syntax::Name &name) {
    check::expectKind(unit(), unit().scope, name, SymbolKind::Object);
  }

  /// A number, or a constant of the contract.
  std::optional<int64_t> constant(const syntax::Name &name) {
    if (name.text[0] >= '0' && name.text[0] <= '9')
      return numberOf(name.text);
    const Symbol *symbol = check::expectKind(unit(), unit().scope, name, SymbolKind::Constant);
    if (!symbol)
      return std::nullopt;
    if (symbol->term.sort().isInteger())
      return symbol->term.value();
    error(name.range, "expected an integer, but '" + name.text + "' is " +
                          check::sortClass(symbol->term.sort()));
    return std::nullopt;
  }

  void checkSteps(const BindingPath &path) {
    const Symbol *start = unit().scope.find(path.start.text);
    bool isObject = start && start->kind == SymbolKind::Object && path.tag.empty();
    if (path.steps.empty() && (isObject || !path.tag.empty()))
      error(path.range,
            "'" + path.text + "' is " + (isObject ? "an object" : "a type") +
                ", not one of its fields",
            "write " + path.text + (isObject ? "->" : ".") + "FIELD");
    for (size_t i = 0; i < path.steps.size(); ++i) {
      if (path.steps[i].kind == PathStepKind::Index)
        constant(path.steps[i].name);
      if (path.steps[i].kind == PathStepKind::Behind && i + 1 != path.steps.size())
        error(path.range, "'[]' can only stand at the end of a path",
              "give the index of one element to go on");
    }
    if (path.kind == PathKind::PointsTo)
      expectObject(path.operand);
    if (path.kind == PathKind::Bit)
      if (auto mask = constant(path.operand); mask && (*mask <= 0 || (*mask & (*mask - 1)) != 0))
        error(path.operand.range, "the mask " + path.operand.text + " is not one bit",
              "a bool is one bit, such as 0x4");
  }

  static bool isBehind(const BindingPath &path) {
    return !path.steps.empty() && path.steps.back().kind == PathStepKind::Behind;
  }

  void checkShared(const SharedDecl &shared) {
    bool isLock = shared.type.kind == syntax::TypeKind::Mutex ||
                  shared.type.kind == syntax::TypeKind::Cond ||
                  shared.type.kind == syntax::TypeKind::Section;
    for (const BindingPath &path : shared.paths) {
      if (path.kind != PathKind::Call)
        checkSteps(path);
      if ((path.kind == PathKind::Call) != (shared.paths.front().kind == PathKind::Call))
        error(path.range, "calls and memory cannot be mixed in the paths of one variable");
      else if (!isLock)
        checkValue(shared, path);
      else if (path.kind == PathKind::Call)
        checkSectionCall(shared, path);
      else if (path.kind != PathKind::Memory || isBehind(path))
        error(path.range, "a lock is a whole object of the code", "write its path only");
    }
    bool lifetime = !isLock && !shared.paths.empty() && shared.paths[0].kind == PathKind::Call;
    if (lifetime && shared.discipline)
      error(shared.discipline->by.range,
            "'" + shared.name.text + "' is set by a call, so nothing guards it");
  }

  void checkValue(const SharedDecl &shared, const BindingPath &path) {
    bool isBool = shared.type.kind == syntax::TypeKind::Bool && !shared.arraySize;
    std::string quoted = "'" + shared.name.text + "'";
    if (path.kind == PathKind::Call && path.operand.text.empty())
      error(path.range, "'" + path.text + "' does not say which object ends",
            "write " + path.start.text + "(OBJECT)");
    else if (path.kind == PathKind::Call)
      expectObject(path.operand);
    if (path.kind != PathKind::Memory && !isBool)
      error(path.range, quoted + " has to be a bool",
            path.kind == PathKind::Call  ? "a lifetime has ended or not"
            : path.kind == PathKind::Bit ? "'& MASK' names one bit"
                                         : "'== OBJECT' is true or false");
    if (isBehind(path) && !shared.arraySize)
      error(path.range, "'[]' is an array, but " + quoted + " is not",
            "declare it with its size: " + shared.name.text + "[N]");
  }

  void checkSectionCall(const SharedDecl &shared, const BindingPath &path) {
    if (shared.type.kind != syntax::TypeKind::Section)
      error(path.range, "only a section can be a pair of functions",
            "a mutex or a cond is an object of the code");
    else if (!path.operand.text.empty())
      error(path.operand.range, "a section that is a pair of functions has no object",
            "write " + path.start.text + "(), or the path of the lock");
    else if (&path - shared.paths.data() > 1)
      error(path.range, "a section has two functions: one to enter and one to leave");
  }

  void checkClaim(const syntax::ClaimItem &claim) {
    for (const BindingPath &path : claim.paths) {
      if (path.kind == PathKind::Call && !path.operand.text.empty())
        error(path.operand.range, "a claim is about every call of '" + path.start.text + "'",
              "write " + path.start.text + "()");
      else if (path.kind != PathKind::Call && (path.kind != PathKind::Memory || !isBehind(path)))
        error(path.range, "a claim is made at calls and at accesses to the memory behind a pointer",
              "write f() or PATH[]");
      else if (path.kind != PathKind::Call)
        checkSteps(path);
    }
  }

  void checkArgument(const BindingPath &path) {
    if (path.kind != PathKind::Memory || isBehind(path))
      error(path.range, "an argument is a path or a C function");
    for (const syntax::PathStep &step : path.steps)
      if (step.kind == PathStepKind::Index)
        constant(step.name);
  }

  void resolve(SharedInfo &info) {
    const syntax::DisciplineRef &discipline = *info.tree->discipline;
    if (discipline.kind == DisciplineKind::OwnedBy) {
      if (const Symbol *thread =
              check::expectKind(unit(), unit().scope, discipline.by, SymbolKind::Thread))
        info.owner = thread->index;
      return;
    }
    const Symbol *lock = unit().scope.find(discipline.by.text);
    if (!lock)
      error(discipline.by.range, "unknown mutex or section '" + discipline.by.text + "'",
            unit().scope.suggestion(discipline.by.text, {SymbolKind::Mutex, SymbolKind::Section}));
    else if (!lock->broken && lock->kind == SymbolKind::Section)
      info.section = lock->index;
    else if (const Symbol *mutex =
                 check::expectKind(unit(), unit().scope, discipline.by, SymbolKind::Mutex))
      info.mutex = mutex->index;
  }
};

} // namespace

void checkBindings(ContractContext &context, const syntax::Contract &contract) {
  BindingChecker(context).check(contract);
}

void checkOwners(ContractContext &context) {
  for (const auto &[variable, info] : context.shared) {
    if (!info.owner)
      continue;
    const ThreadEntry &thread = context.threads[*info.owner];
    uint64_t count = 0;
    for (const compose::Start &start : context.unit.program.starts)
      if (start.thread == thread.id)
        count += start.unbounded ? 2 : start.count;
    if (count == 1 && !thread.forkedBy)
      continue;
    const syntax::Name &by = info.tree->discipline->by;
    context.unit.reporter.error(
        by.range,
        "'" + by.text + "' cannot own '" + variable.name() + "', since it is not a single thread",
        thread.forkedBy
            ? "it is forked on line " + std::to_string(thread.forkedBy->range.begin.line)
            : "an owner is run once");
  }
}

} // namespace understudy::specs::contract
