// SPDX-License-Identifier: Apache-2.0
//
// A CONC file to a program: first all names, in file order, then the threads, then what refers to
// them.
#include "logic/Words.h"
#include "specs/conc/ConcThread.h"

#include <algorithm>

namespace understudy::specs::conc {

using compose::TemplateId;

namespace {

class ConcCompiler {
public:
  ConcCompiler(const syntax::ConcFile &file, const CompileOptions &options) : file_(file) {
    context_.options = options;
    unit().program.origin = compose::Origin::Conc;
    std::string name = file.file ? file.file->name() : "program";
    name = name.substr(name.find_last_of('/') + 1);
    unit().program.name = name.substr(0, name.rfind(".conc"));
  }

  Compiled run() {
    declareItems();
    context_.labels.resize(threads_.size());
    for (TemplateId id = 0; id < threads_.size(); ++id)
      unit().program.templates.push_back(compileThread(context_, *threads_[id], id));
    for (const syntax::ConcItem &item : file_.items)
      std::visit([this](const auto &node) { refer(node); }, item);
    start();
    checkEarlyForks();
    check::checkStart(unit());
    unit().reporter.throwIfFailed();
    warnUnused();
    unit().program.initial = unit().pool().conjunction(unit().initial);
    compose::checkWellFormed(unit().program);
    Compiled result;
    result.program = std::move(unit().program);
    result.warnings = unit().reporter.warnings();
    return result;
  }

private:
  const syntax::ConcFile &file_;
  ConcContext context_;
  std::vector<const syntax::ConcThread *> threads_; ///< by template
  std::set<TemplateId> started_;
  bool hasRun_ = false;

  check::Unit &unit() { return context_.unit; }

  // ------------------------------------------------------------------------------------------
  // Names.

  void declareItems() {
    for (const syntax::ConcItem &item : file_.items) {
      if (const auto *global = std::get_if<syntax::GlobalDecl>(&item))
        for (const syntax::Declarator &d : global->variables)
          unit().scope.announce(d.name);
      if (const auto *type = std::get_if<syntax::EnumDecl>(&item)) {
        unit().scope.announce(type->name);
        for (const syntax::EnumeratorDecl &e : type->enumerators)
          unit().scope.announce(e.name);
      }
    }
    for (const syntax::ConcItem &item : file_.items)
      std::visit([this](const auto &node) { declare(node); }, item);
  }

  void declare(const syntax::EnumDecl &node) { check::declareEnum(unit(), node); }

  void declare(const syntax::GlobalDecl &node) {
    bool isLock =
        node.type.kind == syntax::TypeKind::Mutex || node.type.kind == syntax::TypeKind::Cond;
    if (isLock) {
      declareLocks(node);
      return;
    }
    std::optional<logic::Sort> sort = check::resolveType(unit(), node.type);
    if (sort && node.type.isArray)
      sort = check::arrayOf(unit(), *sort, node.type.arraySize);
    for (const syntax::Declarator &d : node.variables)
      check::declareGlobal(unit(), d.name, sort, d.initial, {});
  }

  void declareLocks(const syntax::GlobalDecl &node) {
    bool isMutex = node.type.kind == syntax::TypeKind::Mutex;
    if (node.type.isArray)
      unit().reporter.error(node.type.range, "arrays of mutexes or conds are not supported",
                            "declare them one by one");
    for (const syntax::Declarator &d : node.variables) {
      if (d.initial)
        unit().reporter.error(
            d.initial->range,
            isMutex ? "a mutex starts free and cannot have an initial value"
                    : "a cond starts without waiters and cannot have an initial value");
      if (isMutex)
        check::declareMutex(unit(), d.name);
      else
        check::declareCond(unit(), d.name);
    }
  }

  void declare(const syntax::ConcThread &node) {
    check::Symbol symbol{
        .kind = check::SymbolKind::Thread, .name = node.name.text, .range = node.name.range};
    symbol.index = static_cast<uint32_t>(threads_.size());
    unit().scope.declare(symbol, unit().reporter);
    threads_.push_back(&node);
    ConcSignature signature;
    for (const syntax::Parameter &parameter : node.parameters) {
      std::optional<logic::Sort> sort = check::resolveType(unit(), parameter.type);
      if (parameter.type.isArray) {
        unit().reporter.error(parameter.type.range, "a parameter cannot be an array",
                              "make the array global");
        sort.reset();
      }
      signature.names.push_back(parameter.name);
      signature.parameters.push_back(
          sort ? unit().pool().variable(node.name.text, parameter.name.text, *sort)
               : logic::Variable{});
      signature.broken = signature.broken || !sort;
    }
    context_.signatures.push_back(std::move(signature));
  }

  void declare(const syntax::RunItem &) {}
  void declare(const syntax::InitiallyItem &) {}
  void declare(const syntax::InvariantItem &) {}
  void declare(const syntax::NeverItem &) {}

  // ------------------------------------------------------------------------------------------
  // What refers to names.

  void refer(const syntax::InitiallyItem &node) { check::addInitially(unit(), node); }
  void refer(const syntax::InvariantItem &node) { check::addInvariant(unit(), node); }

  void refer(const syntax::RunItem &node) {
    hasRun_ = true;
    for (const syntax::RunEntry &entry : node.entries) {
      const check::Symbol *thread =
          check::expectKind(unit(), unit().scope, entry.thread, check::SymbolKind::Thread);
      if (!thread)
        continue;
      if (!threads_[thread->index]->parameters.empty())
        unit().reporter.error(entry.thread.range,
                              "thread '" + thread->name +
                                  "' has parameters and cannot be listed in 'run'",
                              "fork it from another thread, with arguments");
      started_.insert(thread->index);
      check::addStart(unit(), entry, thread->index);
    }
  }

  void refer(const syntax::NeverItem &node) {
    auto first = place(node.first);
    auto second = place(node.second);
    if (first && second)
      unit().program.exclusions.push_back(
          {*first, *second, syntax::sourceText(node.range), node.range});
  }

  void refer(const syntax::GlobalDecl &) {}
  void refer(const syntax::EnumDecl &) {}
  void refer(const syntax::ConcThread &) {}

  std::optional<compose::Place> place(const syntax::PlaceRef &ref) {
    const check::Symbol *thread =
        check::expectKind(unit(), unit().scope, ref.thread, check::SymbolKind::Thread);
    if (!thread)
      return std::nullopt;
    const auto &labels = context_.labels[thread->index];
    auto found = labels.find(ref.place.text);
    if (found == labels.end()) {
      std::vector<std::string> names;
      for (const auto &[name, label] : labels)
        names.push_back(name);
      std::string hint = logic::didYouMean(ref.place.text, names);
      unit().reporter.error(
          ref.place.range, "thread '" + thread->name + "' has no label '" + ref.place.text + "'",
          hint.empty() ? "put '" + ref.place.text + ":' before one of its statements" : hint);
      return std::nullopt;
    }
    if (found->second.inAtomic) {
      unit().reporter.error(ref.place.range,
                            "'" + ref.place.text +
                                "' is inside an atomic section, where no thread ever stops",
                            "put the label before or after the section");
      return std::nullopt;
    }
    return compose::Place{thread->index, found->second.location};
  }

  /// Without `run`, one `main`.
  void start() {
    if (hasRun_)
      return;
    const check::Symbol *main = unit().scope.find("main");
    if (!main || main->kind != check::SymbolKind::Thread) {
      SourceRange range;
      if (!threads_.empty())
        range = threads_.front()->name.range;
      else if (file_.file)
        range = {file_.file, {1, 1}, {1, 1}};
      unit().reporter.error(range, "nothing runs: there is no thread 'main' and no 'run'",
                            threads_.empty() ? "add 'thread main { … }'"
                                             : "add 'run " + threads_.front()->name.text + ";'");
      return;
    }
    if (!threads_[main->index]->parameters.empty())
      unit().reporter.error(threads_[main->index]->name.range,
                            "thread 'main' runs at the start and cannot have parameters");
    started_.insert(main->index);
    unit().program.starts.push_back({main->index, 1, false});
  }

  void warnUnused() {
    for (TemplateId id = 0; id < threads_.size(); ++id)
      if (!started_.contains(id) && !context_.forked.contains(id))
        unit().reporter.warning(threads_[id]->name.range, "thread '" + threads_[id]->name.text +
                                                              "' is neither run nor forked");
  }

  void checkEarlyForks() {
    for (const EarlyFork &fork : context_.earlyForks)
      for (const auto &[variable, primed] :
           logic::variablesOf(unit().program.templates[fork.thread].initial))
        if (fork.changedAfter.contains(variable)) {
          unit().reporter.error(fork.range,
                                "the new thread reads '" + variable.name() +
                                    "' when it is created, but this atomic section changes it "
                                    "after the fork",
                                "make the fork the last statement of the section");
          break;
        }
  }
};

} // namespace

} // namespace understudy::specs::conc

namespace understudy::specs {

Compiled compile(const syntax::ConcFile &program, const CompileOptions &options) {
  return conc::ConcCompiler(program, options).run();
}

} // namespace understudy::specs
