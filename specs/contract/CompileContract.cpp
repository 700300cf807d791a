// SPDX-License-Identifier: Apache-2.0
//
// A contract to a program: names first (constants, enums and variables in file order, then
// definitions), then what uses them, then what only a solver can tell.
#include "logic/Substitute.h"
#include "logic/Words.h"
#include "logic/solver/Solver.h"
#include "specs/contract/ContractThread.h"

namespace understudy::specs::contract {

using compose::Claim;
using logic::Term;
using logic::Variable;

namespace {

uint64_t sizeOf(const syntax::Expr &expr) {
  uint64_t result = 1;
  for (const syntax::ExprPtr &operand : expr.operands)
    result += sizeOf(*operand);
  return result;
}

class ContractCompiler {
public:
  ContractCompiler(const syntax::Contract &contract, const CompileOptions &options)
      : contract_(contract) {
    context_.options = options;
    unit().program.origin = compose::Origin::Contract;
    unit().program.name = contract.name.text;
  }

  Compiled run() {
    announce();
    each([this](const auto &node) { declare(node); });
    resolveGuards();
    each([this](const auto &node) { define(node); });
    each([this](const auto &node) { claim(node); });
    compileThreads();
    each([this](const auto &node) { refer(node); });
    checkUsed();
    check::checkStart(unit());
    checkTransitive();
    unit().reporter.throwIfFailed();
    unit().program.initial = unit().pool().conjunction(unit().initial);
    addAssumptions();
    compose::checkWellFormed(unit().program);
    Compiled result;
    result.program = std::move(unit().program);
    result.warnings = unit().reporter.warnings();
    bind(result);
    return result;
  }

private:
  const syntax::Contract &contract_;
  ContractContext context_;
  compose::TemplateId templates_ = 0;
  bool hasRun_ = false;

  check::Unit &unit() { return context_.unit; }
  syntax::Reporter &reporter() { return context_.unit.reporter; }

  template <typename Visitor>
  void each(const Visitor &visitor) {
    for (const syntax::SystemItem &item : contract_.items)
      std::visit(visitor, item);
  }

  // ------------------------------------------------------------------------------------------
  // Names.

  void announce() {
    for (const syntax::SystemItem &item : contract_.items) {
      if (const auto *shared = std::get_if<syntax::SharedDecl>(&item))
        unit().scope.announce(shared->name);
      if (const auto *constant = std::get_if<syntax::ConstDecl>(&item))
        unit().scope.announce(constant->name);
      if (const auto *definition = std::get_if<syntax::DefineDecl>(&item))
        unit().scope.announce(definition->name);
      if (const auto *type = std::get_if<syntax::EnumDecl>(&item)) {
        unit().scope.announce(type->name);
        for (const syntax::EnumeratorDecl &e : type->enumerators)
          unit().scope.announce(e.name);
      }
    }
  }

  template <typename Node>
  void declare(const Node &) {}
  void declare(const syntax::EnumDecl &node) { check::declareEnum(unit(), node); }

  void declare(const syntax::ConstDecl &node) {
    check::Symbol symbol{
        .kind = check::SymbolKind::Constant, .name = node.name.text, .range = node.name.range};
    symbol.term = unit().checker(check::ExprPlace::Constant).check(*node.value).term;
    symbol.broken = !symbol.term;
    unit().scope.declare(symbol, reporter());
  }

  void declare(const syntax::SharedDecl &node) {
    if (node.type.kind == syntax::TypeKind::Mutex || node.type.kind == syntax::TypeKind::Cond) {
      declareLock(node);
      return;
    }
    if (node.ghost && (!node.paths.empty() || node.guardedBy))
      reporter().error(node.paths.empty() ? node.guardedBy->range : node.paths.front().range,
                       node.paths.empty() ? "a ghost cannot be guarded by a mutex"
                                          : "a ghost cannot be bound to a C object",
                       "a ghost does not exist in the code");
    std::optional<logic::Sort> sort = check::resolveType(unit(), node.type);
    if (sort && node.arraySize)
      sort = check::arrayOf(unit(), *sort, node.arraySize);
    check::Symbol symbol;
    symbol.ghost = node.ghost;
    size_t known = unit().program.globals.size();
    check::declareGlobal(unit(), node.name, sort, node.initial, symbol);
    if (unit().program.globals.size() > known)
      context_.shared[unit().program.globals.back()] = {node.ghost, node.guardedBy, std::nullopt};
  }

  void declareLock(const syntax::SharedDecl &node) {
    bool isMutex = node.type.kind == syntax::TypeKind::Mutex;
    std::string what = isMutex ? "a mutex" : "a cond";
    if (node.ghost)
      reporter().error(node.type.range, what + " cannot be a ghost",
                       "a ghost does not exist in the code");
    if (node.arraySize)
      reporter().error(node.arraySize->range, "arrays of mutexes or conds are not supported",
                       "declare them one by one");
    if (node.initial)
      reporter().error(node.initial->range,
                       isMutex ? "a mutex starts free and cannot have an initial value"
                               : "a cond starts without waiters and cannot have an initial value");
    if (node.guardedBy)
      reporter().error(node.guardedBy->range, what + " cannot be guarded by a mutex");
    if (isMutex)
      check::declareMutex(unit(), node.name);
    else
      check::declareCond(unit(), node.name);
  }

  void declare(const syntax::ContractThread &node) {
    check::Symbol symbol{
        .kind = check::SymbolKind::Thread, .name = node.name.text, .range = node.name.range};
    symbol.index = static_cast<uint32_t>(context_.threads.size());
    size_t errors = reporter().errorCount();
    unit().scope.declare(symbol, reporter());
    ThreadEntry entry;
    entry.tree = &node;
    entry.used = errors != reporter().errorCount(); // nobody can name it: reported once
    entry.id = templates_++;
    context_.threads.push_back(std::move(entry));
  }

  void resolveGuards() {
    for (auto &[variable, info] : context_.shared)
      if (info.guardName)
        if (const check::Symbol *mutex =
                check::expectKind(unit(), unit().scope, *info.guardName, check::SymbolKind::Mutex))
          info.guard = mutex->index;
  }

  template <typename Node>
  void define(const Node &) {}

  void define(const syntax::DefineDecl &node) {
    check::Symbol symbol{
        .kind = check::SymbolKind::Definition, .name = node.name.text, .range = node.name.range};
    check::Checked checked = unit().checker(check::ExprPlace::Definition).check(*node.value);
    symbol.broken = !checked;
    if (checked) {
      symbol.term = checked.term;
      symbol.depth = checked.depth;
      symbol.size = checked.expanded + sizeOf(*node.value);
      symbol.selects = checked.selects;
      symbol.lockState = checked.lockState;
    }
    unit().scope.declare(symbol, reporter());
  }

  // ------------------------------------------------------------------------------------------
  // What uses names.

  template <typename Node>
  void claim(const Node &) {}
  void claim(const syntax::InitiallyItem &node) { check::addInitially(unit(), node); }
  void claim(const syntax::InvariantItem &node) { check::addInvariant(unit(), node); }

  void compileThreads() {
    for (ThreadEntry &entry : context_.threads) {
      if (!entry.tree->hasBody) {
        unit().program.templates.push_back(emptyTemplate(*entry.tree));
        continue;
      }
      CheckedThread checked = checkThread(context_, *entry.tree);
      checkLocks(context_, checked);
      for (size_t i = 0; i < checked.states.size(); ++i)
        entry.states.emplace(checked.states[i].tree->name.text,
                             static_cast<compose::LocationId>(i));
      unit().program.templates.push_back(emitThread(context_, checked));
    }
  }

  /// The place of a thread whose code stands for itself; the C side fills it.
  compose::Template emptyTemplate(const syntax::ContractThread &tree) {
    compose::Template result;
    result.name = tree.name.text;
    result.range = tree.range;
    result.initial = unit().pool().boolean(true);
    compose::Location location;
    location.name = "start";
    location.range = tree.name.range;
    result.locations.push_back(std::move(location));
    result.initials = {0};
    return result;
  }

  template <typename Node>
  void refer(const Node &) {}

  void refer(const syntax::RunItem &node) {
    hasRun_ = true;
    for (const syntax::RunEntry &entry : node.entries) {
      const check::Symbol *symbol =
          check::expectKind(unit(), unit().scope, entry.thread, check::SymbolKind::Thread);
      if (!symbol)
        continue;
      ThreadEntry &thread = context_.threads[symbol->index];
      thread.used = true;
      check::addStart(unit(), entry, thread.id);
    }
  }

  void refer(const syntax::NeverItem &node) {
    size_t errors = reporter().errorCount();
    auto first = place(node.first);
    auto second = place(node.second);
    if (errors == reporter().errorCount() && first && second)
      unit().program.exclusions.push_back(
          {*first, *second, syntax::sourceText(node.range), node.range});
  }

  /// None for a thread without body too, whose states nobody knows here.
  std::optional<compose::Place> place(const syntax::PlaceRef &ref) {
    const check::Symbol *symbol =
        check::expectKind(unit(), unit().scope, ref.thread, check::SymbolKind::Thread);
    if (!symbol || !context_.threads[symbol->index].tree->hasBody)
      return std::nullopt;
    const ThreadEntry &thread = context_.threads[symbol->index];
    if (auto found = thread.states.find(ref.place.text); found != thread.states.end())
      return compose::Place{thread.id, found->second};
    std::vector<std::string> names;
    for (const auto &[name, location] : thread.states)
      names.push_back(name);
    reporter().error(ref.place.range,
                     "thread '" + symbol->name + "' has no state '" + ref.place.text + "'",
                     logic::didYouMean(ref.place.text, names));
    return std::nullopt;
  }

  void checkUsed() {
    if (!hasRun_) {
      std::string first = context_.threads.empty() ? "T" : context_.threads.front().tree->name.text;
      reporter().error(contract_.name.range,
                       "system '" + contract_.name.text + "' does not say which threads run",
                       "add 'run " + first + ";'");
      return;
    }
    for (const ThreadEntry &thread : context_.threads)
      if (!thread.used)
        reporter().error(thread.tree->name.range,
                         "thread '" + thread.tree->name.text + "' is neither run nor forked",
                         "add it to 'run', or remove it");
  }

  // ------------------------------------------------------------------------------------------
  // What a solver must tell.

  /// R(x, y) and R(y, z) give R(x, z), with invariants in all three states.
  void checkTransitive() {
    logic::TermPool &pool = unit().pool();
    auto between = [&](Variable v) {
      return pool.var(pool.variable("between", v.name(), v.sort()));
    };
    auto inBetween = [&](Term t) {
      return logic::substitute(t, [&](Variable v, bool) { return between(v); });
    };
    std::vector<Term> invariants;
    for (const Claim &invariant : unit().program.invariants) {
      invariants.push_back(invariant.formula);
      invariants.push_back(inBetween(invariant.formula));
      invariants.push_back(logic::prime(invariant.formula));
    }
    for (const Claim &rely : context_.relies) {
      std::vector<Term> premises = invariants;
      premises.push_back(logic::substitute(
          rely.formula, [&](Variable v, bool primed) { return primed ? between(v) : Term{}; }));
      premises.push_back(logic::substitute(
          rely.formula, [&](Variable v, bool primed) { return primed ? Term{} : between(v); }));
      Term claim = pool.implies(pool.conjunction(std::move(premises)), rely.formula);
      auto valid = logic::solver::isValid(claim, check::solverLimits());
      if (valid == true)
        continue;
      reporter().error(rely.range,
                       valid ? "this rely is not transitive: two steps that it allows can add up "
                               "to one that it forbids"
                             : "the solver cannot tell whether this rely is transitive",
                       "other threads may take many steps in a row: write 'x' >= x', not "
                       "'x' == x + 1'");
    }
  }

  // ------------------------------------------------------------------------------------------
  // What the C side must know.

  void bind(Compiled &result) const {
    for (const syntax::SystemItem &item : contract_.items)
      if (const auto *node = std::get_if<syntax::SharedDecl>(&item))
        for (Variable variable : result.program.globals)
          if (variable.name() == node->name.text && context_.shared.contains(variable))
            result.shared.push_back(
                {variable, node->ghost, node->paths,
                 node->guardedBy ? std::optional(node->guardedBy->text) : std::nullopt,
                 node->name.range});
    for (const ThreadEntry &thread : context_.threads) {
      const syntax::ContractThread &tree = *thread.tree;
      ThreadBinding binding{tree.name.text, thread.id, tree.kind,      tree.hasBody,
                            tree.name.text, {},        tree.name.range};
      if (tree.function) {
        binding.function = tree.function->function.text;
        binding.file = tree.function->file;
      }
      if (!tree.hasBody)
        result.withoutContract.push_back(binding.name);
      result.threads.push_back(std::move(binding));
    }
  }

  void addAssumptions() {
    std::vector<std::string> &assumptions = unit().program.assumptions;
    for (const ThreadEntry &thread : context_.threads)
      if (thread.tree->kind == syntax::ThreadKind::Environment)
        assumptions.push_back("environment " + thread.tree->name.text +
                              ": its contract stands for hardware or kernel code that is not "
                              "checked");
    if (context_.options.spurious == SpuriousWakeups::Off && !unit().program.conditions.empty())
      assumptions.emplace_back("condition variables do not wake up spuriously");
  }
};

} // namespace

} // namespace understudy::specs::contract

namespace understudy::specs {

Compiled compile(const syntax::Contract &contract, const CompileOptions &options) {
  return contract::ContractCompiler(contract, options).run();
}

} // namespace understudy::specs
