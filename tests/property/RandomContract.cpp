// SPDX-License-Identifier: Apache-2.0
//
// A thread is written as a graph: every state gets its set of mutexes first, a tree of edges makes
// all states reachable, further edges are thrown in. What an edge may do follows from the mutexes
// of its ends. Forks count, so that there are finitely many threads.
#include "RandomContract.h"

#include "RandomExpr.h"

#include <algorithm>
#include <set>

namespace understudy::tests {
namespace {

using Mutexes = std::set<std::string>;
enum class Ghosts { Hidden, Visible };

struct State {
  std::string name;
  Mutexes held;
  bool initial = false;
  bool final = false;
  std::vector<std::string> lines;
};

class ContractWriter {
public:
  explicit ContractWriter(uint64_t seed)
      : random_(seed), care_(random_.below(10) < 7 ? Care::Careful : Care::Careless),
        expr_(random_, care_) {}

  std::string write();

private:
  Var newVariable(const std::string &name);
  void shared(Var variable);
  void declare();
  void definitions();
  void thread(size_t index);
  void locals();
  void shapeStates(std::vector<State> &states);
  void edge(std::vector<State> &states, size_t from, size_t to);
  std::string update(const State &from, size_t &primed);
  std::string relation(const Var &variable);
  std::string predicate(const State &from);
  std::string guard();
  std::string action(const State &from, const State &to, std::string &condition);
  std::string operation(std::string &condition);
  std::string rely();
  std::string claim(const State &state);
  void properties();
  void start();
  void inScope(Ghosts ghosts);

  Random random_;
  Care care_;
  RandomExpr expr_;
  std::vector<std::string> text_;
  std::vector<Var> shared_;
  std::vector<Var> open_;
  std::vector<Var> locals_;
  std::vector<std::string> mutexes_;
  std::vector<std::string> conds_;
  std::vector<std::string> tests_;   ///< definitions without primes
  std::vector<std::string> updates_; ///< definitions with primes
  std::vector<std::string> threads_;
  std::set<size_t> forked_;
  std::vector<std::string> places_;
};

Var ContractWriter::newVariable(const std::string &name) {
  Var variable;
  variable.name = name;
  switch (random_.below(5)) {
  case 0:
  case 1:
    variable.kind = Kind::Bool;
    break;
  case 2:
    variable.kind = Kind::Enum;
    break;
  default:
    variable.kind = Kind::Range;
    variable.upper = random_.between(1, 2);
  }
  return variable;
}

void ContractWriter::shared(Var variable) {
  std::string line = std::string("shared ") + (variable.ghost ? "ghost " : "") + variable.type() +
                     " " + variable.name;
  if (variable.arraySize)
    line += "[" + std::to_string(*variable.arraySize) + "]";
  if (variable.kind == Kind::Int || !random_.oneIn(4))
    line += " = " + expr_.constantFor(variable);
  else
    open_.push_back(variable);
  if (!variable.ghost && !mutexes_.empty() && random_.oneIn(4)) {
    variable.guard = mutexes_[0];
    line += " guarded by " + variable.guard;
  }
  text_.push_back(line + ";");
  shared_.push_back(variable);
}

void ContractWriter::declare() {
  expr_.enumerators = {"idle", "busy"};
  text_.push_back(random_.oneIn(2) ? "enum Mode { idle, busy = 4 }" : "enum Mode { idle, busy }");
  text_.push_back("const N = 2;");
  if (random_.oneIn(2))
    mutexes_.push_back("m");
  if (!mutexes_.empty() && random_.oneIn(4))
    mutexes_.push_back("n");
  if (!mutexes_.empty() && random_.oneIn(2))
    conds_.push_back("c");
  for (const std::string &mutex : mutexes_)
    text_.push_back("shared mutex " + mutex + ";");
  for (const std::string &cond : conds_)
    text_.push_back("shared cond " + cond + ";");
  const size_t count = 1 + random_.below(3);
  for (size_t i = 0; i < count; ++i) {
    Var variable = newVariable("g" + std::to_string(i));
    if (random_.oneIn(5))
      variable.arraySize = 2;
    shared(variable);
  }
  if (random_.oneIn(3)) {
    Var counter{"k", Kind::Int, 0, 2, {}, false, {}};
    shared(counter);
  }
  if (random_.oneIn(3)) {
    Var ghost = newVariable("spirit");
    ghost.ghost = true;
    shared(ghost);
  }
  text_.push_back("shared int spawned = 0;");
  const size_t threads = 1 + random_.below(3);
  for (size_t i = 0; i < threads; ++i)
    threads_.push_back("T" + std::to_string(i));
}

/// What edges may test: everything but ghosts. What claims may: ghosts too.
void ContractWriter::inScope(Ghosts ghosts) {
  expr_.scope.clear();
  for (const Var &variable : shared_)
    if (!variable.ghost || ghosts == Ghosts::Visible)
      expr_.scope.push_back(variable);
  expr_.scope.insert(expr_.scope.end(), locals_.begin(), locals_.end());
}

std::string ContractWriter::relation(const Var &variable) {
  if (variable.arraySize) {
    const std::string index = expr_.indexFor(variable);
    return variable.name + "'[" + index + "] == (" + expr_.valueFor(variable) + ")";
  }
  const std::string after = variable.name + "'";
  if (variable.kind == Kind::Bool && random_.oneIn(2))
    return (random_.oneIn(2) ? "!" : "") + after;
  if (!variable.ghost && variable.kind != Kind::Int && random_.oneIn(6)) {
    if (variable.kind == Kind::Range && random_.oneIn(2))
      return after + (random_.oneIn(2) ? " >= " : " < ") + variable.name;
    return after + " != " + variable.name;
  }
  if (!variable.ghost && variable.kind == Kind::Range && random_.oneIn(3))
    return after + " == " + variable.name + (random_.oneIn(2) ? " + 1" : " - 1");
  if (variable.ghost)
    return after + " == " + expr_.constantFor(variable);
  return after + " == (" + expr_.valueFor(variable) + ")";
}

std::string ContractWriter::guard() {
  if (!tests_.empty() && random_.oneIn(4))
    return (random_.oneIn(2) ? "!" : "") + random_.pick(tests_);
  if (!mutexes_.empty() && random_.oneIn(8))
    return "free(" + random_.pick(mutexes_) + ")";
  return expr_.boolean(random_.below(2));
}

std::string ContractWriter::update(const State &from, size_t &primed) {
  std::vector<Var> targets;
  for (const Var &variable : shared_)
    if (variable.guard.empty() || from.held.contains(variable.guard))
      targets.push_back(variable);
  targets.insert(targets.end(), locals_.begin(), locals_.end());
  std::string all;
  for (size_t i = 0; i < targets.size() && primed < 2; ++i) {
    if (!random_.oneIn(targets.size()))
      continue;
    ++primed;
    const Var &target = targets[i];
    const bool plain = !target.ghost && !target.arraySize && target.kind != Kind::Int &&
                       std::none_of(locals_.begin(), locals_.end(),
                                    [&](const Var &local) { return local.name == target.name; });
    all += (all.empty() ? "" : " && ") +
           (plain && random_.oneIn(8) ? "havoc " + target.name : relation(target));
  }
  return all;
}

std::string ContractWriter::predicate(const State &from) {
  size_t primed = 0;
  std::string condition = random_.oneIn(2) ? guard() : "";
  std::string change =
      !updates_.empty() && random_.oneIn(8) ? random_.pick(updates_) : update(from, primed);
  if (condition.empty() || change.empty())
    return condition + change;
  return condition + " && " + change;
}

std::string ContractWriter::operation(std::string &condition) {
  if (random_.oneIn(3) && condition.find("spawned") == std::string::npos) {
    const size_t target = random_.below(threads_.size());
    if (target == 0 && !random_.oneIn(6))
      return {};
    condition += std::string(condition.empty() ? "" : " && ") + "spawned < " +
                 (random_.oneIn(2) ? "1" : "N") + " && spawned' == spawned + 1";
    forked_.insert(target);
    return "fork " + threads_[target] +
           (random_.oneIn(3) ? "" : " as " + std::to_string(random_.below(2)));
  }
  switch (random_.below(6)) {
  case 0:
    return "join " + random_.pick(threads_);
  case 1:
    return "join " + random_.pick(threads_) + " as " + std::to_string(random_.below(2));
  case 2:
    return "join as " + std::to_string(random_.below(2));
  case 3:
    return "call touch";
  default:
    if (conds_.empty())
      return {};
    return (random_.oneIn(2) ? "signal " : "broadcast ") + random_.pick(conds_);
  }
}

std::string ContractWriter::action(const State &from, const State &to, std::string &condition) {
  for (const std::string &mutex : to.held)
    if (!from.held.contains(mutex))
      return "lock " + mutex;
  for (const std::string &mutex : from.held)
    if (!to.held.contains(mutex))
      return "unlock " + mutex;
  if (!conds_.empty() && !from.held.empty() && random_.oneIn(3)) {
    condition = random_.oneIn(2) ? guard() : "";
    return "wait " + random_.pick(conds_) + " with " + *from.held.begin();
  }
  if (care_ == Care::Careless && !mutexes_.empty() && random_.oneIn(8)) {
    const std::string &mutex = random_.pick(mutexes_);
    return (to.held.contains(mutex) ? "lock " : "unlock ") + mutex;
  }
  return random_.oneIn(3) ? operation(condition) : "";
}

void ContractWriter::edge(std::vector<State> &states, size_t from, size_t to) {
  Mutexes differ;
  std::set_symmetric_difference(states[from].held.begin(), states[from].held.end(),
                                states[to].held.begin(), states[to].held.end(),
                                std::inserter(differ, differ.begin()));
  if (differ.size() > 1)
    return;
  inScope(Ghosts::Hidden);
  std::string condition = random_.oneIn(4) ? "" : predicate(states[from]);
  const std::string operation = action(states[from], states[to], condition);
  states[from].lines.push_back("-> " + states[to].name +
                               (condition.empty() ? "" : " : " + condition) +
                               (operation.empty() ? "" : " do " + operation) + ";");
}

void ContractWriter::shapeStates(std::vector<State> &states) {
  const size_t count = 2 + random_.below(3);
  for (size_t i = 0; i < count; ++i)
    states.push_back({"S" + std::to_string(i), {}, i == 0, false, {}});
  std::vector<size_t> parents(count, 0);
  for (size_t i = 1; i < count; ++i) {
    parents[i] = random_.below(i);
    states[i].held = states[parents[i]].held;
    if (!mutexes_.empty() && random_.oneIn(2)) {
      const std::string &mutex = random_.pick(mutexes_);
      if (states[i].held.erase(mutex) == 0)
        states[i].held.insert(mutex);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    const bool holds = !states[i].held.empty();
    states[i].initial = i == 0 || (!holds && random_.oneIn(8));
    states[i].final = (i + 1 == count || random_.oneIn(8)) &&
                      (!holds || (care_ == Care::Careless && random_.oneIn(4)));
  }
  for (size_t i = 1; i < count; ++i)
    edge(states, parents[i], i);
  const size_t more = 1 + random_.below(3);
  for (size_t i = 0; i < more; ++i)
    edge(states, random_.below(count), random_.below(count));
}

std::string ContractWriter::rely() {
  std::vector<Var> plain;
  for (const Var &variable : shared_)
    if (!variable.arraySize)
      plain.push_back(variable);
  if (plain.empty())
    return "true";
  const Var &variable = random_.pick(plain);
  const std::string &x = variable.name;
  const bool number = variable.kind == Kind::Range || variable.kind == Kind::Int;
  switch (random_.below(4)) {
  case 0:
    if (number)
      return x + "' >= " + x;
    [[fallthrough]];
  case 1:
    return x + "' == " + x;
  case 2:
    if (variable.kind == Kind::Bool)
      return x + " => " + x + "'";
    [[fallthrough]];
  default:
    if (number)
      return x + "' in " + std::to_string(variable.lower) + ".." + std::to_string(variable.upper);
    const std::string value = expr_.constantFor(variable);
    return "(" + x + " == " + value + " => " + x + "' == " + value + ")";
  }
}

std::string ContractWriter::claim(const State &state) {
  inScope(Ghosts::Visible);
  if (!mutexes_.empty() && random_.oneIn(6))
    return (state.held.contains(mutexes_[0]) ? "held(" : "!held(") + mutexes_[0] + ")";
  if (!tests_.empty() && random_.oneIn(8))
    return random_.pick(tests_) + " || " + expr_.weakClaim();
  return expr_.weakClaim();
}

void ContractWriter::locals() {
  locals_.clear();
  if (!random_.oneIn(3))
    return;
  Var local = newVariable("l");
  std::string line = "  local " + local.type() + " " + local.name;
  text_.push_back(line + (random_.oneIn(2) ? " = " + expr_.constantFor(local) : "") + ";");
  locals_.push_back(local);
}

void ContractWriter::thread(size_t index) {
  const char *kind = random_.oneIn(10)   ? "handler "
                     : random_.oneIn(10) ? "environment "
                                         : "thread ";
  text_.push_back(kind + threads_[index] + " {");
  locals();
  if (random_.oneIn(8))
    text_.push_back("  rely " + rely() + (random_.oneIn(3) ? " && " + rely() : "") + ";");
  if (random_.oneIn(6)) {
    inScope(Ghosts::Visible);
    text_.push_back("  assert " + expr_.weakClaim() + ";");
  }
  std::vector<State> states;
  shapeStates(states);
  for (const State &state : states) {
    places_.push_back(threads_[index] + "." + state.name);
    const std::string head = "  " +
                             std::string(state.initial && state.final ? "initial final "
                                         : state.initial              ? "initial "
                                         : state.final                ? "final "
                                                                      : "state ") +
                             state.name;
    std::vector<std::string> claims;
    if (random_.oneIn(8))
      claims.push_back("rely " + rely() + ";");
    if (random_.oneIn(3))
      claims.push_back("assert " + claim(state) + ";");
    if (claims.empty() && state.lines.empty()) {
      text_.push_back(head + ";");
      continue;
    }
    text_.push_back(head + " {");
    claims.insert(claims.end(), state.lines.begin(), state.lines.end());
    for (const std::string &line : claims)
      text_.push_back("    " + line);
    text_.push_back("  }");
  }
  text_.push_back("}");
}

void ContractWriter::definitions() {
  inScope(Ghosts::Hidden);
  if (random_.oneIn(3)) {
    text_.push_back("define ready = " + expr_.boolean(1) + ";");
    tests_.push_back("ready");
  }
  std::vector<Var> plain;
  for (const Var &variable : shared_)
    if (!variable.ghost && variable.guard.empty())
      plain.push_back(variable);
  if (!plain.empty() && random_.oneIn(3)) {
    text_.push_back("define advance = " + relation(random_.pick(plain)) + ";");
    updates_.push_back("advance");
  }
}

void ContractWriter::properties() {
  locals_.clear();
  inScope(Ghosts::Visible);
  if (random_.oneIn(6))
    text_.push_back("invariant " + expr_.weakClaim() + ";");
  if (random_.oneIn(care_ == Care::Careless ? 3 : 8))
    text_.push_back("never " + random_.pick(places_) + " with " + random_.pick(places_) + ";");
  expr_.scope = open_;
  if (!open_.empty() && random_.oneIn(2))
    text_.push_back("initially " + expr_.boolean(0) + " || " + expr_.boolean(1) + ";");
}

void ContractWriter::start() {
  std::string run;
  for (size_t i = 0; i < threads_.size(); ++i) {
    if (forked_.contains(i) && i > 0 && !random_.oneIn(3))
      continue;
    run += (run.empty() ? "" : ", ") + threads_[i] +
           (random_.oneIn(5)   ? " * N"
            : random_.oneIn(5) ? "*"
                               : "");
  }
  text_.push_back("run " + run + ";");
}

std::string ContractWriter::write() {
  text_.push_back("system random {");
  declare();
  definitions();
  for (size_t i = 0; i < threads_.size(); ++i)
    thread(i);
  properties();
  start();
  text_.push_back("}");
  std::string all;
  for (const std::string &line : text_)
    all += line + "\n";
  return all;
}

} // namespace

std::string randomContract(uint64_t seed) { return ContractWriter(seed).write(); }

} // namespace understudy::tests
