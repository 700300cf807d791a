// SPDX-License-Identifier: Apache-2.0
#include "ContractTree.h"

#include <cassert>

namespace understudy::tests {

using Op = Formula::Op;

Formula number(int value) { return {Op::Number, value, false, {}}; }
Formula truth(bool value) { return {Op::Truth, value ? 1 : 0, false, {}}; }
Formula shared(int variable) { return {Op::Shared, variable, false, {}}; }
Formula sharedAfter(int variable) { return {Op::Shared, variable, true, {}}; }
Formula contractLocal(int variable) { return {Op::Local, variable, false, {}}; }
Formula contractLocalAfter(int variable) { return {Op::Local, variable, true, {}}; }
Formula combine(Op op, Formula first) { return {op, 0, false, {std::move(first)}}; }
Formula combine(Op op, Formula first, Formula second) {
  return {op, 0, false, {std::move(first), std::move(second)}};
}

namespace {

Formula chain(Op op, std::vector<Formula> formulas, bool neutral) {
  if (formulas.empty())
    return truth(neutral);
  Formula result = std::move(formulas.front());
  for (size_t i = 1; i < formulas.size(); ++i)
    result = combine(op, std::move(result), std::move(formulas[i]));
  return result;
}

} // namespace

Formula conjunction(std::vector<Formula> all) { return chain(Op::And, std::move(all), true); }
Formula disjunction(std::vector<Formula> any) { return chain(Op::Or, std::move(any), false); }

int evaluate(const Formula &formula, const Valuation &values) {
  const auto operand = [&](size_t i) { return evaluate(formula.operands[i], values); };
  const auto at = static_cast<size_t>(formula.value);
  switch (formula.op) {
  case Op::Number:
  case Op::Truth:
  case Op::Enumerator:
    return formula.value;
  case Op::Shared:
    return (formula.primed ? values.sharedAfter : values.shared)[at];
  case Op::Local:
    return (formula.primed ? values.localsAfter : values.locals)[at];
  case Op::Not:
    return operand(0) == 0;
  case Op::And:
    return operand(0) != 0 && operand(1) != 0;
  case Op::Or:
    return operand(0) != 0 || operand(1) != 0;
  case Op::Implies:
    return operand(0) == 0 || operand(1) != 0;
  case Op::Equal:
    return operand(0) == operand(1);
  case Op::NotEqual:
    return operand(0) != operand(1);
  case Op::Less:
    return operand(0) < operand(1);
  case Op::AtMost:
    return operand(0) <= operand(1);
  case Op::Greater:
    return operand(0) > operand(1);
  case Op::AtLeast:
    return operand(0) >= operand(1);
  case Op::Add:
    return operand(0) + operand(1);
  }
  return 0;
}

Primed primedIn(const Formula &formula) {
  Primed primed;
  if (formula.primed)
    (formula.op == Op::Shared ? primed.shared : primed.locals).insert(formula.value);
  for (const Formula &operand : formula.operands) {
    Primed inside = primedIn(operand);
    primed.shared.merge(inside.shared);
    primed.locals.merge(inside.locals);
  }
  return primed;
}

namespace {

class ContractPrinter {
public:
  explicit ContractPrinter(const FiniteSystem &system) : system_(system) {}
  std::string print();

private:
  void line(size_t depth, const std::string &content) {
    out_ += std::string(depth * 2, ' ') + content + "\n";
  }
  std::string text(const Formula &formula, const ThreadContract *thread) const;
  const std::string &nameOf(int variable) const {
    return system_.shared[static_cast<size_t>(variable)].name;
  }
  std::string text(const std::optional<LockAction> &action) const {
    if (!action)
      return "";
    return (action->kind == LockAction::Kind::Lock ? " do lock " : " do unlock ") +
           nameOf(action->lock);
  }
  void variables();
  void thread(const Part &part);
  void state(const ContractState &state, const ThreadContract &thread);

  const FiniteSystem &system_;
  std::string out_;
};

std::string typeText(ContractType type, int lower, int upper) {
  return type == ContractType::Bool ? "bool"
         : type == ContractType::Enum
             ? "Mode"
             : "int " + std::to_string(lower) + ".." + std::to_string(upper);
}

/// The prime follows the name of an array.
std::string sharedText(const SharedVariable &variable, bool primed) {
  const std::string name = variable.array();
  return name + (primed ? "'" : "") + variable.name.substr(name.size());
}

std::string constantText(ContractType type, int value) {
  return type == ContractType::Bool   ? (value ? "true" : "false")
         : type == ContractType::Enum ? enumeratorNamed(value)
                                      : std::to_string(value);
}

const char *sign(Op op) {
  switch (op) {
  case Op::And:
    return " && ";
  case Op::Or:
    return " || ";
  case Op::Implies:
    return " => ";
  case Op::Equal:
    return " == ";
  case Op::NotEqual:
    return " != ";
  case Op::Less:
    return " < ";
  case Op::AtMost:
    return " <= ";
  case Op::Greater:
    return " > ";
  case Op::AtLeast:
    return " >= ";
  case Op::Add:
    return " + ";
  default:
    assert(false && "not binary");
    return "";
  }
}

std::string ContractPrinter::text(const Formula &formula, const ThreadContract *thread) const {
  const auto operand = [&](size_t i) {
    const std::string inner = text(formula.operands[i], thread);
    return formula.operands[i].operands.size() < 2 ? inner : "(" + inner + ")";
  };
  const auto at = static_cast<size_t>(formula.value);
  switch (formula.op) {
  case Op::Number:
    return std::to_string(formula.value);
  case Op::Truth:
    return formula.value ? "true" : "false";
  case Op::Enumerator:
    return enumeratorNamed(formula.value);
  case Op::Shared:
    return system_.shared[at].isLock() ? "(!free(" + system_.shared[at].name + "))"
                                       : sharedText(system_.shared[at], formula.primed);
  case Op::Local:
    return thread->locals[at].name + (formula.primed ? "'" : "");
  case Op::Not:
    return "!" + operand(0);
  default:
    return operand(0) + sign(formula.op) + operand(1);
  }
}

void ContractPrinter::variables() {
  std::string modes;
  for (const auto &[name, value] : enumerators())
    modes += (modes.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  line(1, "enum Mode { " + modes + " }");
  for (const SharedVariable &variable : system_.shared) {
    if (variable.isLock()) {
      line(1, "shared mutex " + variable.name + " @ " + system_.prefix + variable.name + ";");
      continue;
    }
    const bool isElement = variable.elements > 0;
    if (!isElement || variable.isFirst())
      line(1,
           "shared " + typeText(variable.type, variable.lower, variable.upper) + " " +
               variable.array() + (isElement ? "[" + std::to_string(variable.elements) + "]" : "") +
               " @ " + system_.prefix + variable.array() +
               (variable.start ? " = " + constantText(variable.type, *variable.start) : "") +
               (variable.guardedBy < 0 ? "" : " guarded by " + nameOf(variable.guardedBy)) + ";");
  }
  if (system_.invariant)
    line(1, "invariant " + text(*system_.invariant, nullptr) + ";");
}

void ContractPrinter::state(const ContractState &state, const ThreadContract &thread) {
  const std::string head = state.initial && state.final ? "initial final "
                           : state.initial              ? "initial "
                           : state.final                ? "final "
                                                        : "state ";
  if (!state.assertion && !state.rely && state.edges.empty())
    return line(2, head + state.name + ";");
  line(2, head + state.name + " {");
  if (state.rely)
    line(3, "rely " + text(*state.rely, &thread) + ";");
  if (state.assertion)
    line(3, "assert " + text(*state.assertion, &thread) + ";");
  for (const ContractEdge &edge : state.edges) {
    std::string label;
    for (int each : edge.havoc) {
      const SharedVariable &variable = system_.shared[static_cast<size_t>(each)];
      const std::string after = sharedText(variable, true);
      label +=
          (label.empty() ? "" : " && ") +
          (variable.elements > 0 ? "(" + after + " == " + after + ")" : "havoc " + variable.name);
    }
    if (edge.formula)
      label +=
          (label.empty() ? "" : " && ") +
          (label.empty() ? text(*edge.formula, &thread) : "(" + text(*edge.formula, &thread) + ")");
    line(3, "-> " + thread.states[edge.target].name + (label.empty() ? "" : " : " + label) +
                text(edge.action) + ";");
  }
  line(2, "}");
}

void ContractPrinter::thread(const Part &part) {
  const ThreadContract &contract = part.contract;
  line(1, "thread " + contract.name + " for " + part.code.function + " {");
  for (const ContractLocal &local : contract.locals)
    line(2, "local " + typeText(local.type, local.lower, local.upper) + " " + local.name +
                (local.start ? " = " + constantText(local.type, *local.start) : "") + ";");
  if (contract.rely)
    line(2, "rely " + text(*contract.rely, &contract) + ";");
  if (contract.assertion)
    line(2, "assert " + text(*contract.assertion, &contract) + ";");
  for (const ContractState &each : contract.states)
    state(each, contract);
  line(1, "}");
}

std::string ContractPrinter::print() {
  line(0, "system random {");
  variables();
  std::string run;
  for (const Part &part : system_.parts) {
    thread(part);
    run += (run.empty() ? "" : ", ") + part.contract.name +
           (part.count > 1 ? " * " + std::to_string(part.count) : "");
  }
  line(1, "run " + run + ";");
  line(0, "}");
  return out_;
}

} // namespace

std::string contractText(const FiniteSystem &system) { return ContractPrinter(system).print(); }

std::string codeText(const FiniteSystem &system) {
  std::string text = cVariables(system.prefix, system.shared);
  for (const Part &part : system.parts)
    text += cFunction(system.prefix, system.shared, part.code);
  return text;
}

} // namespace understudy::tests
