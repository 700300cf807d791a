// SPDX-License-Identifier: Apache-2.0
#include "compose/sequential/Scalarise.h"

#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <unordered_map>

namespace understudy::compose::sequential {

namespace {

using logic::Op;
using logic::Sort;

constexpr int64_t mostElements = 32;

bool isSplit(Sort sort) {
  return sort.isArray() && sort.arraySize() && *sort.arraySize() <= mostElements;
}

class Rewriter {
public:
  Rewriter(logic::TermPool &pool, const std::map<Variable, std::vector<Variable>> &elements)
      : pool_(pool), elements_(elements) {}

  Term scalar(Term term) {
    if (term.operands().empty())
      return term;
    if (auto found = scalars_.find(term); found != scalars_.end())
      return found->second;
    Term result = compute(term);
    scalars_.emplace(term, result);
    return result;
  }

private:
  logic::TermPool &pool_;
  const std::map<Variable, std::vector<Variable>> &elements_;
  std::unordered_map<Term, Term> scalars_;
  std::unordered_map<Term, std::vector<Term>> arrays_;

  Term compute(Term term) {
    if (term.op() == Op::Select && isSplit(term.operand(0).sort()))
      return element(term);
    if (term.op() == Op::Equal && isSplit(term.operand(0).sort())) {
      const std::vector<Term> a = array(term.operand(0));
      const std::vector<Term> b = array(term.operand(1));
      std::vector<Term> same;
      for (size_t i = 0; i < a.size(); ++i)
        same.push_back(pool_.equal(a[i], b[i]));
      return pool_.conjunction(std::move(same));
    }
    std::vector<Term> operands;
    for (const Term &t : term.operands())
      operands.push_back(scalar(t));
    return pool_.rebuild(term, std::move(operands));
  }

  Term element(Term select) {
    const std::vector<Term> from = array(select.operand(0));
    Term index = scalar(select.operand(1));
    Sort sort = select.operand(0).sort().element();
    if (index.isConstant() && 0 <= index.value() &&
        index.value() < static_cast<int64_t>(from.size()))
      return from[static_cast<size_t>(index.value())];
    Term result = pool_.constant(sort, logic::defaultValue(sort).number());
    for (size_t i = from.size(); i-- > 0;)
      result = pool_.ite(at(index, i), from[i], result);
    return result;
  }

  Term at(Term index, size_t i) {
    return pool_.equal(index, pool_.integer(static_cast<int64_t>(i)));
  }

  std::vector<Term> array(Term term) {
    if (auto found = arrays_.find(term); found != arrays_.end())
      return found->second;
    std::vector<Term> result = computeArray(term);
    arrays_.emplace(term, result);
    return result;
  }

  std::vector<Term> computeArray(Term term) {
    std::vector<Term> result;
    if (term.op() == Op::Variable) {
      for (Variable v : elements_.at(term.variable()))
        result.push_back(term.primed() ? pool_.primed(v) : pool_.var(v));
    } else if (term.op() == Op::Store) {
      result = array(term.operand(0));
      Term index = scalar(term.operand(1));
      Term value = scalar(term.operand(2));
      for (size_t i = 0; i < result.size(); ++i) {
        Term here = logic::simplify(at(index, i));
        result[i] = here.isTrue()    ? value
                    : here.isFalse() ? result[i]
                                     : pool_.ite(here, value, result[i]);
      }
    } else if (term.op() == Op::Ite) {
      Term condition = scalar(term.operand(0));
      const std::vector<Term> first = array(term.operand(1));
      const std::vector<Term> second = array(term.operand(2));
      for (size_t i = 0; i < first.size(); ++i)
        result.push_back(pool_.ite(condition, first[i], second[i]));
    } else {
      result.assign(static_cast<size_t>(*term.sort().arraySize()), scalar(term.operand(0)));
    }
    return result;
  }
};

class Scalariser {
public:
  Scalariser(const Program &program, Budget &budget)
      : original_(program), budget_(budget), solver_(*program.pool, budget.limits()) {}

  std::optional<Scalarised> run() {
    result_.program = original_;
    TemplateId id = original_.starts.at(0).thread;
    Template &type = result_.program.templates[id];
    result_.program.globals = split(original_.globals);
    type.locals = split(type.locals);
    if (result_.elements.empty() || !isDefined(original_.initial) || !isDefined(type.initial))
      return std::nullopt;
    for (const Edge &edge : type.edges)
      if (!isDefined(edge.relation))
        return std::nullopt;
    Rewriter rewriter(*original_.pool, result_.elements);
    result_.program.initial = rewriter.scalar(original_.initial);
    type.initial = rewriter.scalar(type.initial);
    for (Edge &edge : type.edges) {
      edge.relation = rewriter.scalar(edge.relation);
      edge.modified = split(edge.modified);
      std::sort(edge.modified.begin(), edge.modified.end());
    }
    clearOthers(id);
    return std::move(result_);
  }

private:
  const Program &original_;
  Budget &budget_;
  logic::solver::Solver solver_;
  Scalarised result_;

  std::vector<Variable> split(const std::vector<Variable> &variables) {
    std::vector<Variable> result;
    for (Variable v : variables) {
      if (!isSplit(v.sort())) {
        result.push_back(v);
        continue;
      }
      std::vector<Variable> &elements = result_.elements[v];
      if (elements.empty())
        for (int64_t i = 0; i < *v.sort().arraySize(); ++i)
          elements.push_back(original_.pool->variable(
              v.scope(), v.name() + "[" + std::to_string(i) + "]", v.sort().element()));
      result.insert(result.end(), elements.begin(), elements.end());
    }
    return result;
  }

  /// Where the formula is true, the indices that it uses lie in their arrays.
  bool isDefined(Term formula) {
    Term defined = logic::simplify(logic::definedness(formula));
    if (defined.isTrue())
      return true;
    solver_.push();
    solver_.add(formula);
    solver_.add(original_.pool->negate(defined));
    bool result = budget_.check(solver_) == logic::solver::Satisfiability::Unsat;
    solver_.pop();
    return result;
  }

  void clearOthers(TemplateId running) {
    for (TemplateId id = 0; id < result_.program.templates.size(); ++id)
      if (Template &type = result_.program.templates[id]; id != running) {
        type.parameters.clear();
        type.locals.clear();
        type.edges.clear();
        type.initial = original_.pool->boolean(true);
      }
  }
};

/// The values of variables, given those of the variables with arrays split.
std::vector<Value> merged(const std::vector<Variable> &variables, const Scalarised &scalarised,
                          const std::vector<Value> &values) {
  std::vector<Value> result;
  size_t next = 0;
  for (Variable v : variables) {
    auto found = scalarised.elements.find(v);
    if (found == scalarised.elements.end()) {
      result.push_back(values.at(next++));
      continue;
    }
    logic::ArrayValue array{logic::defaultValue(v.sort().element()).number(), {}};
    for (size_t i = 0; i < found->second.size(); ++i)
      array = array.with(static_cast<int64_t>(i), values.at(next++).number());
    result.emplace_back(std::move(array));
  }
  return result;
}

} // namespace

std::optional<Scalarised> scalarise(const Program &program, Budget &budget) {
  return Scalariser(program, budget).run();
}

Trace withArrays(const Program &original, const Scalarised &scalarised, Trace trace) {
  auto convert = [&](Configuration &configuration) {
    configuration.globals = merged(original.globals, scalarised, configuration.globals);
    for (Thread &thread : configuration.threads)
      thread.locals = merged(original.templates[thread.thread].locals, scalarised, thread.locals);
  };
  convert(trace.start);
  for (Step &step : trace.steps)
    convert(step.after);
  return trace;
}

Term withArrays(const Scalarised &scalarised, Term formula) {
  logic::TermPool &pool = formula.pool();
  std::unordered_map<Variable, Term> images;
  for (const auto &[array, elements] : scalarised.elements)
    for (size_t i = 0; i < elements.size(); ++i)
      images[elements[i]] = pool.select(pool.var(array), pool.integer(static_cast<int64_t>(i)));
  return logic::substitute(formula, [&](Variable v, bool) {
    auto found = images.find(v);
    return found == images.end() ? Term() : found->second;
  });
}

} // namespace understudy::compose::sequential
