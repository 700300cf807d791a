// SPDX-License-Identifier: Apache-2.0
#include "passes/TypeLimits.h"

#include "logic/Error.h"
#include "logic/solver/Solver.h"

#include <algorithm>

namespace understudy::passes {

using compose::Edge;
using logic::Term;

namespace {

struct Limits {
  std::optional<int64_t> least;
  std::optional<int64_t> most; ///< none: beyond what a contract can say
};

Limits limitsOf(const memory::BoundVariable &variable) {
  if (variable.isBool)
    return {0, 1};
  if (variable.bits == 64)
    return variable.isSigned ? Limits{} : Limits{0, std::nullopt};
  int64_t half = int64_t{1} << (variable.bits - 1);
  return variable.isSigned ? Limits{-half, half - 1} : Limits{0, 2 * half - 1};
}

std::vector<Term> elementsOf(logic::TermPool &pool, const memory::BoundVariable &variable,
                             When when) {
  Term whole =
      when == When::Before ? pool.var(variable.variable()) : pool.primed(variable.variable());
  if (variable.count == 0)
    return {whole};
  std::vector<Term> elements;
  for (uint64_t i = 0; i < variable.count; ++i)
    elements.push_back(pool.select(whole, pool.integer(static_cast<int64_t>(i))));
  return elements;
}

/// Between the limits; of an enum, one of the enumerators there.
Term isWithin(logic::TermPool &pool, Term element, const Limits &limits) {
  std::vector<Term> parts;
  if (element.sort().isEnum()) {
    for (const logic::Enumerator &e : element.sort().enumerators())
      if ((!limits.least || *limits.least <= e.value) && (!limits.most || e.value <= *limits.most))
        parts.push_back(pool.equal(element, pool.enumerator(element.sort(), e.value)));
    return pool.disjunction(std::move(parts));
  }
  if (limits.least)
    parts.push_back(pool.lessEqual(pool.integer(*limits.least), element));
  if (limits.most)
    parts.push_back(pool.lessEqual(element, pool.integer(*limits.most)));
  return pool.conjunction(std::move(parts));
}

Term allWithin(logic::TermPool &pool, const memory::BoundVariable &variable, When when,
               const Limits &limits) {
  if (variable.isTruth())
    return pool.boolean(true);
  std::vector<Term> parts;
  for (const Term &element : elementsOf(pool, variable, when))
    parts.push_back(isWithin(pool, element, limits));
  return pool.conjunction(std::move(parts));
}

/// "status, an unsigned 32-bit integer (driver.c:3)".
std::string described(System &system, const memory::BoundVariable &variable) {
  logic::SourceRange range = system.sources().range(*variable.global);
  std::string type = variable.isBool ? "a _Bool"
                                     : std::string(variable.isSigned ? "a signed" : "an unsigned") +
                                           " " + std::to_string(variable.bits) + "-bit integer";
  return variable.variable().name() + ", " + type +
         (range.known() ? " (" + range.file->name() + ":" + std::to_string(range.begin.line) + ")"
                        : "");
}

/// Calls back with every edge of an environment and every variable that it may change.
template <typename Visit>
void forEachChange(System &system, const compose::Program &program, const Visit &visit) {
  for (const specs::ThreadBinding &thread : system.contract().threads) {
    if (thread.kind != specs::syntax::ThreadKind::Environment)
      continue;
    size_t count = program.templates[thread.id].edges.size();
    for (compose::EdgeId id = 0; id < count; ++id)
      for (const memory::BoundVariable &variable : system.binding().variables) {
        const Edge &edge = program.edge(thread.id, id);
        if (!edge.failure &&
            std::binary_search(edge.modified.begin(), edge.modified.end(), variable.variable()))
          visit(thread, id, variable);
      }
  }
}

/// Can the edge be taken, from values of the C types, so that the condition holds? Yes, if the
/// solver cannot tell.
class EdgeQuestions {
public:
  explicit EdgeQuestions(System &system) : system_(system) {}

  bool canBe(const Edge &edge, Term condition) const {
    logic::TermPool &pool = *system_.contract().program.pool;
    logic::solver::Solver solver(pool, {.resources = 5'000'000, .seconds = 0});
    for (const memory::BoundVariable &variable : system_.binding().variables)
      solver.add(inType(pool, variable, When::Before));
    solver.add(edge.relation);
    solver.add(condition);
    return solver.check() != logic::solver::Satisfiability::Unsat;
  }

private:
  System &system_;
};

compose::LocationId errorLocation(compose::Template &thread) {
  for (size_t i = 0; i < thread.locations.size(); ++i)
    if (thread.locations[i].kind == compose::LocationKind::Error)
      return static_cast<compose::LocationId>(i);
  thread.locations.push_back({"error", compose::LocationKind::Error, true, {}, {}, {}});
  return static_cast<compose::LocationId>(thread.locations.size() - 1);
}

} // namespace

Term inType(logic::TermPool &pool, const memory::BoundVariable &variable, When when) {
  return allWithin(pool, variable, when, limitsOf(variable));
}

void requireTypes(System &system) {
  const compose::Program &program = system.contract().program;
  logic::TermPool &pool = *program.pool;
  EdgeQuestions questions(system);
  std::vector<logic::Diagnostic> errors;
  forEachChange(system, program,
                [&](const specs::ThreadBinding &thread, compose::EdgeId id,
                    const memory::BoundVariable &variable) {
                  const Edge &edge = program.edge(thread.id, id);
                  if (!questions.canBe(edge, inType(pool, variable, When::After)) &&
                      questions.canBe(edge, pool.boolean(true)))
                    errors.push_back({logic::Severity::Error, edge.range,
                                      "this edge gives " + described(system, variable) +
                                          ", a value outside its C type",
                                      "use the value that the C variable has: -1 in an unsigned "
                                      "32-bit integer is 4294967295"});
                });
  if (!errors.empty())
    throw logic::Error(errors);
}

void failOutsideTypes(compose::Program &program, System &system, OverflowMode overflow) {
  logic::TermPool &pool = *program.pool;
  EdgeQuestions questions(system);
  auto fail = [&](compose::TemplateId thread, compose::EdgeId id, Term outside,
                  const memory::BoundVariable &variable) {
    Edge failing = program.edge(thread, id);
    if (!questions.canBe(failing, outside))
      return;
    failing.relation = pool.conjunction({failing.relation, outside});
    failing.target = errorLocation(program.templates[thread]);
    failing.failure = compose::FailureKind::OutOfRange;
    failing.text += " [" + described(system, variable) + "]";
    program.templates[thread].edges.push_back(std::move(failing));
  };
  forEachChange(system, program,
                [&](const specs::ThreadBinding &thread, compose::EdgeId id,
                    const memory::BoundVariable &variable) {
                  Limits limits = limitsOf(variable);
                  Term outside = pool.negate(inType(pool, variable, When::After));
                  if (overflow != OverflowMode::Assume || variable.element().isEnum()) {
                    fail(thread.id, id, outside, variable);
                    return;
                  }
                  Term below = pool.boolean(false);
                  if (!variable.isSigned)
                    below = pool.negate(
                        allWithin(pool, variable, When::After, {limits.least, std::nullopt}));
                  Term beyond = pool.conjunction({outside, pool.negate(below)});
                  std::string assumption = "environment " + thread.name + " does not take " +
                                           variable.variable().name() + " beyond its C type";
                  auto &known = program.assumptions;
                  if (questions.canBe(program.edge(thread.id, id), beyond) &&
                      std::find(known.begin(), known.end(), assumption) == known.end())
                    known.push_back(assumption);
                  fail(thread.id, id, below, variable);
                });
}

} // namespace understudy::passes
