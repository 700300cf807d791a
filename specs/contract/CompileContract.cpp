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
    checkBindings(context_, contract_);
    each([this](const auto &node) { define(node); });
    each([this](const auto &node) { start(node); });
    each([this](const auto &node) { claim(node); });
    declareInside(context_);
    compileThreads();
    each([this](const auto &node) { refer(node); });
    checkUsed();
    checkOwners(context_);
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
  std::vector<ClaimBinding> claims_;
  std::vector<std::string> underLocks_; ///< assumptions about environments
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
    if (node.type.kind == syntax::TypeKind::Mutex || node.type.kind == syntax::TypeKind::Cond ||
        node.type.kind == syntax::TypeKind::Section) {
      declareLock(node);
      return;
    }
    if (node.ghost && (!node.paths.empty() || node.discipline))
      reporter().error(node.paths.empty() ? node.discipline->by.range : node.paths.front().range,
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
      context_.shared[unit().program.globals.back()] = {&node, {}, {}, {}};
  }

  void declareLock(const syntax::SharedDecl &node) {
    bool isMutex = node.type.kind == syntax::TypeKind::Mutex;
    bool isSection = node.type.kind == syntax::TypeKind::Section;
    std::string what = isMutex ? "a mutex" : isSection ? "a section" : "a cond";
    if (node.ghost)
      reporter().error(node.type.range, what + " cannot be a ghost",
                       "a ghost does not exist in the code");
    if (node.arraySize)
      reporter().error(node.arraySize->range, "arrays of mutexes or conds are not supported",
                       "declare them one by one");
    if (node.initial)
      reporter().error(node.initial->range,
                       isMutex || isSection
                           ? what + " starts free and cannot have an initial value"
                           : "a cond starts without waiters and cannot have an initial value");
    if (node.discipline)
      reporter().error(node.discipline->by.range, what + " cannot be guarded by a mutex");
    if (node.recursive && !isSection)
      reporter().error(node.type.range, what + " is not recursive",
                       "a recursive lock is a 'recursive section'");
    if (isSection)
      declareSection(node);
    else if (isMutex)
      check::declareMutex(unit(), node.name);
    else
      check::declareCond(unit(), node.name);
  }

  void declareSection(const syntax::SharedDecl &node) {
    check::Symbol symbol{
        .kind = check::SymbolKind::Section, .name = node.name.text, .range = node.name.range};
    symbol.index = static_cast<uint32_t>(context_.sections.size());
    unit().scope.declare(symbol, reporter());
    context_.sections.push_back({&node, {}, {}});
  }

  void declare(const syntax::ObjectDecl &node) {
    unit().scope.declare(
        {.kind = check::SymbolKind::Object, .name = node.name.text, .range = node.name.range},
        reporter());
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

  template <typename Node>
  void define(const Node &) {}

  void define(const syntax::DefineDecl &node) {
    if (!node.parameters.empty()) {
      unit().scope.declare(withParameters(context_, node), reporter());
      return;
    }
    check::Symbol symbol{
        .kind = check::SymbolKind::Definition, .name = node.name.text, .range = node.name.range};
    check::Checked checked = unit().checker(check::ExprPlace::Definition).check(*node.value);
    symbol.broken = !checked;
    if (checked) {
      symbol.term = checked.term;
      symbol.depth = checked.depth;
      symbol.size = checked.expanded + check::sizeOf(*node.value);
      symbol.selects = checked.selects;
      symbol.lockState = checked.lockState;
    }
    unit().scope.declare(symbol, reporter());
  }

  // ------------------------------------------------------------------------------------------
  // What uses names.

  template <typename Node>
  void claim(const Node &) {}
  void claim(const syntax::InitiallyItem &node) {
    check::addInitially(unit(), node,
                        {.count = [this](const check::Symbol &thread, const SourceRange &range) {
                          return running(thread, range);
                        }});
  }
  void claim(const syntax::ClaimItem &node) {
    const SourceRange &range = node.condition->range;
    if (check::Checked checked =
            unit().checker(check::ExprPlace::Assertion).condition(*node.condition))
      claims_.push_back({{check::definedAndTrue(checked.term), syntax::sourceText(range), range},
                         resolved(node.paths)});
  }

  /// The number of threads at the start.
  int64_t running(const check::Symbol &thread, const SourceRange &range) {
    int64_t count = 0;
    for (const compose::Start &start : unit().program.starts)
      if (start.thread == context_.threads[thread.index].id) {
        if (start.unbounded)
          throw logic::Unsupported("'#" + thread.name + "' is not a number: 'run " + thread.name +
                                       "*' starts any number of threads",
                                   range);
        count += start.count;
      }
    return count;
  }
  void claim(const syntax::InvariantItem &node) { check::addInvariant(unit(), node); }

  void compileThreads() {
    for (ThreadEntry &entry : context_.threads) {
      if (!entry.tree->hasBody) {
        unit().program.templates.push_back(emptyTemplate(*entry.tree));
        continue;
      }
      CheckedThread checked = checkThread(context_, *entry.tree);
      checkLocks(context_, checked);
      for (std::string &assumption : environmentSections(context_, checked))
        underLocks_.push_back(std::move(assumption));
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
  void start(const Node &) {}

  void start(const syntax::RunItem &node) {
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

  template <typename Node>
  void refer(const Node &) {}

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
      std::vector<std::string> names;
      for (const ThreadEntry &thread : context_.threads)
        if (!thread.used) // by a fork
          names.push_back(thread.tree->name.text);
      reporter().error(contract_.name.range,
                       "system '" + contract_.name.text + "' does not say which threads run",
                       "add 'run " + (names.empty() ? "T" : logic::joined(names)) + ";'");
      return;
    }
    for (const ThreadEntry &thread : context_.threads)
      if (!thread.used)
        reporter().error(thread.tree->name.range,
                         thread.tree->kind == syntax::ThreadKind::Environment
                             ? "environment '" + thread.tree->name.text + "' is not run"
                             : "thread '" + thread.tree->name.text + "' is neither run nor forked",
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
    for (const syntax::SystemItem &item : contract_.items) {
      if (const auto *node = std::get_if<syntax::SharedDecl>(&item))
        bind(*node, result);
      if (const auto *node = std::get_if<syntax::ObjectDecl>(&item))
        result.objects.push_back({node->name.text, node->tag, node->type.text, node->name.range});
    }
    for (const SectionInfo &section : context_.sections)
      for (const std::optional<Variable> &flag : {section.inside, section.readers})
        if (flag)
          result.insideFlags.push_back(*flag);
    result.claims = claims_;
    for (const ThreadEntry &thread : context_.threads)
      bind(thread, result);
  }

  /// With numbers in the place of constants of the contract.
  std::vector<syntax::BindingPath> resolved(std::vector<syntax::BindingPath> paths) const {
    auto resolve = [this](syntax::Name &name) {
      const check::Symbol *symbol = context_.unit.scope.find(name.text);
      if (symbol && symbol->kind == check::SymbolKind::Constant)
        name.text = std::to_string(symbol->term.value());
    };
    for (syntax::BindingPath &path : paths) {
      if (path.kind == syntax::PathKind::Bit)
        resolve(path.operand);
      for (syntax::PathStep &step : path.steps)
        if (step.kind == syntax::PathStepKind::Index)
          resolve(step.name);
    }
    return paths;
  }

  void bind(const syntax::SharedDecl &node, Compiled &result) const {
    for (const auto &[variable, info] : context_.shared)
      if (info.tree == &node)
        result.shared.push_back(
            {variable, node.ghost, resolved(node.paths), node.discipline, node.name.range});
    bool isLock = node.type.kind == syntax::TypeKind::Mutex ||
                  node.type.kind == syntax::TypeKind::Cond ||
                  node.type.kind == syntax::TypeKind::Section;
    bool functions = !node.paths.empty() && node.paths[0].kind == syntax::PathKind::Call;
    if (isLock)
      result.locks.push_back({node.type.kind, node.name.text, node.recursive || functions,
                              resolved(node.paths), node.name.range});
  }

  void bind(const ThreadEntry &thread, Compiled &result) const {
    const syntax::ContractThread &tree = *thread.tree;
    ThreadBinding binding;
    binding.name = binding.function = tree.name.text;
    binding.id = thread.id;
    binding.kind = tree.kind;
    binding.hasBody = tree.hasBody;
    binding.range = tree.name.range;
    binding.via = tree.via;
    if (tree.function) {
      binding.function = tree.function->function.text;
      binding.file = tree.function->file;
    }
    for (const syntax::ThreadMember &member : tree.members) {
      if (const auto *local = std::get_if<syntax::ContractLocal>(&member);
          local && local->type.kind == syntax::TypeKind::Int)
        binding.unboundedLocals.push_back(local->name);
      if (const auto *state = std::get_if<syntax::StateDecl>(&member); state && state->inside)
        binding.inside.emplace(thread.states.at(state->name.text), *state->inside);
    }
    if (!tree.hasBody)
      result.withoutContract.push_back(binding.name);
    result.threads.push_back(std::move(binding));
  }

  void addAssumptions() {
    std::vector<std::string> &assumptions = unit().program.assumptions;
    for (const ThreadEntry &thread : context_.threads)
      if (thread.tree->kind == syntax::ThreadKind::Environment)
        assumptions.push_back("environment " + thread.tree->name.text +
                              ": its contract stands for hardware or kernel code that is not "
                              "checked");
    assumptions.insert(assumptions.end(), underLocks_.begin(), underLocks_.end());
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
