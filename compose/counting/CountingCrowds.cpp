// SPDX-License-Identifier: Apache-2.0
//
// The problem: which crowds are there, and which moves lead from one to another? The idea: per
// template, what a thread can reach while the globals are arbitrary within their sorts, found by
// enumerating solutions of one edge after the other. A local of sort `int` is no obstacle as long
// as it takes few values. More crowds than threads can ever enter do no harm.
#include "compose/counting/CountingModel.h"

#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <set>

namespace understudy::compose::counting {

namespace {

using logic::Value;
using logic::VariableUse;
using logic::solver::Satisfiability;

class CrowdFinder {
public:
  CrowdFinder(CountingModel &model, Budget &budget)
      : model_(model), program_(*model.program), pool_(model.pool()), budget_(budget),
        solver_(pool_, budget.limits()) {}

  std::map<CrowdKey, CrowdId> run() {
    std::set<TemplateId> counted;
    for (const Start &start : program_.starts)
      if (!isSingle(start.thread) && counted.insert(start.thread).second)
        addInitial(start.thread, {}, {});
    for (SingleId single = 0; single < model_.singles.size(); ++single)
      addSingleMoves(single);
    for (CrowdId crowd = 0; crowd < model_.crowds.size(); ++crowd)
      expand(crowd);
    return std::move(known_);
  }

private:
  CountingModel &model_;
  const Program &program_;
  logic::TermPool &pool_;
  Budget &budget_;
  logic::solver::Solver solver_;
  std::map<CrowdKey, CrowdId> known_;
  std::set<std::string> names_;

  bool isSingle(TemplateId thread) const {
    return std::find(model_.singles.begin(), model_.singles.end(), thread) != model_.singles.end();
  }

  static bool isOpenEnded(const VariableUse &use) {
    logic::Sort sort = use.variable.sort();
    return sort.kind() == logic::SortKind::Int || sort.isArray();
  }
  static bool openEnded(const std::vector<VariableUse> &unknowns) {
    return std::any_of(unknowns.begin(), unknowns.end(), isOpenEnded);
  }

  [[noreturn]] void tooMany(TemplateId thread, const std::vector<VariableUse> &unknowns) const {
    const Template &type = program_.templates[thread];
    for (const VariableUse &use : unknowns)
      if (isOpenEnded(use))
        throw logic::Unsupported("local '" + use.variable.name() + "' of thread " + type.name +
                                     " takes too many values to count threads by them",
                                 type.range);
    throw logic::Unsupported("the locals of thread " + type.name +
                                 " take too many values to count threads by them (more than " +
                                 std::to_string(mostCrowds) + " crowds)",
                             type.range);
  }

  Term value(const VariableUse &use) const {
    return use.primed ? pool_.primed(use.variable) : pool_.var(use.variable);
  }

  /// True, and mentions the variable: so that models give it a value.
  Term mention(const VariableUse &use) const {
    Term term = value(use);
    if (use.variable.sort().isArray())
      return pool_.equal(term, term);
    if (use.variable.sort().isBool())
      return pool_.disjunction({term, pool_.negate(term)});
    return pool_.disjunction({pool_.lessEqual(term, pool_.constant(term.sort(), anyOf(use))),
                              pool_.lessEqual(pool_.constant(term.sort(), anyOf(use)), term)});
  }
  static int64_t anyOf(const VariableUse &use) {
    return logic::defaultValue(use.variable.sort()).number();
  }

  bool isPossible(TemplateId thread) {
    Satisfiability answer = budget_.check(solver_);
    if (answer == Satisfiability::Unknown)
      throw logic::Unsupported("cannot decide what threads " + program_.templates[thread].name +
                               " can do: " + solver_.reasonUnknown());
    return answer == Satisfiability::Sat;
  }

  /// All values of the unknowns for which the formulas can be true.
  std::vector<std::vector<Value>> solutions(const std::vector<Term> &formulas,
                                            const std::vector<VariableUse> &unknowns,
                                            TemplateId thread) {
    std::vector<std::vector<Value>> result;
    solver_.push();
    for (const Term &formula : formulas)
      solver_.add(formula);
    for (const VariableUse &use : unknowns)
      solver_.add(mention(use));
    while (isPossible(thread)) {
      logic::solver::Model found = solver_.model();
      std::vector<Value> values;
      std::vector<Term> same;
      for (const VariableUse &use : unknowns) {
        auto number = found.valueOf(use.variable, use.primed);
        if (!number)
          tooMany(thread, unknowns);
        values.push_back(*number);
        same.push_back(pool_.equal(value(use), logic::termOf(pool_, *number, use.variable.sort())));
      }
      result.push_back(std::move(values));
      if (result.size() > (openEnded(unknowns) ? mostValues : mostCrowds))
        tooMany(thread, unknowns);
      if (same.empty())
        break;
      solver_.add(pool_.negate(pool_.conjunction(std::move(same))));
    }
    solver_.pop();
    std::sort(result.begin(), result.end());
    return result;
  }

  std::string nameOf(TemplateId thread, LocationId location, const std::vector<Value> &locals) {
    const Template &type = program_.templates[thread];
    std::string name = "#" + type.name + "." + type.locations[location].name;
    for (size_t i = 0; i < locals.size(); ++i)
      name += (i == 0 ? "(" : ", ") + type.locals[i].name() + "=" +
              logic::valueText(locals[i], type.locals[i].sort());
    name += locals.empty() ? "" : ")";
    std::string unique = name;
    for (int i = 2; !names_.insert(unique).second; ++i)
      unique = name + "~" + std::to_string(i);
    return unique;
  }

  CrowdId crowdOf(TemplateId thread, LocationId location, std::vector<Value> locals) {
    CrowdKey key{thread, location, locals};
    if (auto found = known_.find(key); found != known_.end())
      return found->second;
    if (model_.crowds.size() == mostCrowds)
      tooMany(thread, {});
    auto id = static_cast<CrowdId>(model_.crowds.size());
    Variable count = pool_.variable("", nameOf(thread, location, locals), pool_.intSort());
    model_.crowds.push_back({thread, location, std::move(locals), count});
    known_[key] = id;
    return id;
  }

  /// The crowds in which new threads of the template can be, while the context holds.
  void addInitial(TemplateId thread, std::vector<Term> context,
                  const std::vector<Term> &arguments) {
    const Template &type = program_.templates[thread];
    std::vector<VariableUse> unknowns;
    for (Variable local : type.locals)
      unknowns.push_back({local, false});
    for (size_t i = 0; i < arguments.size(); ++i)
      context.push_back(pool_.equal(pool_.var(type.parameters[i]), arguments[i]));
    context.push_back(type.initial);
    for (const auto &locals : solutions(context, unknowns, thread))
      for (LocationId location : type.initials)
        crowdOf(thread, location, locals);
  }

  /// The relation and, for a fork whose id is chosen, what its result is.
  std::vector<Term> guardOf(const Edge &edge) const {
    std::vector<Term> guard = logic::conjunctsOf(edge.relation);
    const auto *fork = std::get_if<Fork>(&edge.action);
    if (fork && fork->id && fork->result)
      guard.push_back(pool_.equal(pool_.primed(*fork->result), *fork->id));
    return guard;
  }

  void addForked(const Edge &edge, const std::vector<Term> &guard,
                 const logic::Substitution &locals) {
    const auto *fork = std::get_if<Fork>(&edge.action);
    if (!fork)
      return;
    std::vector<Term> arguments;
    for (const Term &argument : fork->arguments)
      arguments.push_back(logic::substitute(argument, locals));
    addInitial(fork->thread, guard, arguments);
  }

  void addSingleMoves(SingleId single) {
    TemplateId thread = model_.singles[single];
    const Template &type = program_.templates[thread];
    for (EdgeId id = 0; id < type.edges.size(); ++id) {
      CrowdMove move;
      move.single = single;
      move.thread = thread;
      move.edge = id;
      move.guard = guardOf(type.edges[id]);
      addForked(type.edges[id], move.guard, [](Variable, bool) { return Term(); });
      model_.moves.push_back(std::move(move));
    }
  }

  void expand(CrowdId id) {
    const proof::Crowd crowd = model_.crowds[id];
    const Template &type = program_.templates[crowd.thread];
    if (const auto &waiting = type.locations[crowd.location].waiting)
      crowdOf(crowd.thread, waiting->wakesTo, crowd.locals);
    CrowdMove move;
    move.source = id;
    move.thread = crowd.thread;
    for (size_t i = 0; i < type.locals.size(); ++i)
      move.locals[type.locals[i]] = logic::termOf(pool_, crowd.locals[i], type.locals[i].sort());
    for (EdgeId edge : type.edgesFrom(crowd.location)) {
      move.edge = edge;
      addMoves(move, crowd);
    }
  }

  void addMoves(CrowdMove move, const proof::Crowd &crowd) {
    const Template &type = program_.templates[crowd.thread];
    const Edge &edge = type.edges[move.edge];
    auto before = [&](Variable v, bool primed) {
      auto found = move.locals.find(v);
      return !primed && found != move.locals.end() ? found->second : Term();
    };
    std::vector<Term> guard;
    for (const Term &part : guardOf(edge))
      guard.push_back(logic::simplify(logic::substitute(part, before)));
    std::vector<VariableUse> unknowns;
    for (Variable v : edge.modified)
      if (move.locals.contains(v))
        unknowns.push_back({v, true});
    bool fails = edge.failure.has_value();
    auto found = solutions(guard, fails ? std::vector<VariableUse>{} : unknowns, crowd.thread);
    if (!found.empty())
      addForked(edge, guard, before);
    for (const auto &values : found) {
      std::vector<Value> locals = crowd.locals;
      std::map<Variable, Term> changed;
      for (size_t i = 0; i < values.size(); ++i) {
        Variable v = unknowns[i].variable;
        auto at = std::find(type.locals.begin(), type.locals.end(), v) - type.locals.begin();
        locals[static_cast<size_t>(at)] = values[i];
        changed[v] = logic::termOf(pool_, values[i], v.sort());
      }
      auto after = [&](Variable v, bool primed) {
        auto term = changed.find(v);
        return primed && term != changed.end() ? term->second : Term();
      };
      move.guard.clear();
      for (const Term &part : guard)
        move.guard.push_back(logic::simplify(logic::substitute(part, after)));
      move.target.reset();
      if (!fails)
        move.target = crowdOf(crowd.thread, edge.target, std::move(locals));
      model_.moves.push_back(move);
    }
  }
};

} // namespace

std::map<CrowdKey, CrowdId> addCrowds(CountingModel &model, Budget &budget) {
  return CrowdFinder(model, budget).run();
}

} // namespace understudy::compose::counting
