// SPDX-License-Identifier: Apache-2.0
#include "ShrinkSystem.h"

#include "Mutate.h"

#include <algorithm>

namespace understudy::tests {
namespace {

std::ptrdiff_t offset(size_t index) { return static_cast<std::ptrdiff_t>(index); }

/// The block without its statement number `at`, or with its body, or its other branch, in its
/// place.
std::vector<Block> withoutStatement(const Block &block, size_t at) {
  std::vector<Block> results;
  const auto replaced = [&](const Block &by) {
    Block result(block.begin(), block.begin() + offset(at));
    result.insert(result.end(), by.begin(), by.end());
    result.insert(result.end(), block.begin() + offset(at) + 1, block.end());
    results.push_back(std::move(result));
  };
  replaced({});
  if (!block[at].body.empty())
    replaced(block[at].body);
  if (!block[at].orElse.empty())
    replaced(block[at].orElse);
  return results;
}

/// A smaller value in the place of a shared or local one.
std::vector<Statement> simpler(const Statement &statement) {
  std::vector<Statement> results;
  if (statement.kind == Statement::Kind::Store && statement.expr.op != Expr::Op::Constant) {
    results.push_back(statement);
    results.back().expr = constant(0);
  }
  return results;
}

std::vector<Block> smallerBlocks(const Block &block) {
  std::vector<Block> results;
  for (size_t i = 0; i < block.size(); ++i) {
    for (Block &each : withoutStatement(block, i))
      results.push_back(std::move(each));
    for (const Statement &each : simpler(block[i])) {
      results.push_back(block);
      results.back()[i] = each;
    }
    for (Block &inner : smallerBlocks(block[i].body)) {
      results.push_back(block);
      results.back()[i].body = std::move(inner);
    }
    for (Block &inner : smallerBlocks(block[i].orElse)) {
      results.push_back(block);
      results.back()[i].orElse = std::move(inner);
    }
  }
  return results;
}

std::vector<ThreadCode> smallerCode(const ThreadCode &code) {
  std::vector<ThreadCode> results;
  for (Block &body : smallerBlocks(code.body)) {
    results.push_back(code);
    results.back().body = std::move(body);
  }
  for (size_t i = 0; i < code.helpers.size(); ++i)
    for (Block &body : smallerBlocks(code.helpers[i].body)) {
      if (body.empty() || body.back().kind != Statement::Kind::Return)
        continue;
      results.push_back(code);
      results.back().helpers[i].body = std::move(body);
    }
  return results;
}

/// Smaller formulas: without one operand of a connective.
std::vector<Formula> smallerFormulas(const Formula &formula) {
  if (formula.op != Formula::Op::And && formula.op != Formula::Op::Or)
    return {};
  return formula.operands;
}

std::vector<ContractState> smallerStates(const ContractState &state) {
  std::vector<ContractState> results;
  const auto add = [&](const auto &change) {
    results.push_back(state);
    change(results.back());
  };
  if (state.assertion)
    add([](ContractState &s) { s.assertion = std::nullopt; });
  if (state.rely)
    add([](ContractState &s) { s.rely = std::nullopt; });
  for (size_t i = 0; i < state.edges.size(); ++i) {
    add([&](ContractState &s) { s.edges.erase(s.edges.begin() + offset(i)); });
    if (!state.edges[i].havoc.empty())
      add([&](ContractState &s) { s.edges[i].havoc.clear(); });
    if (!state.edges[i].formula)
      continue;
    add([&](ContractState &s) { s.edges[i].formula = std::nullopt; });
    for (const Formula &part : smallerFormulas(*state.edges[i].formula))
      add([&](ContractState &s) { s.edges[i].formula = part; });
  }
  return results;
}

std::vector<ThreadContract> smallerContracts(const ThreadContract &contract) {
  std::vector<ThreadContract> results;
  const auto add = [&](const auto &change) {
    ThreadContract result = contract;
    change(result);
    if (tidy(result))
      results.push_back(std::move(result));
  };
  if (contract.rely)
    add([](ThreadContract &c) { c.rely = std::nullopt; });
  if (contract.assertion)
    add([](ThreadContract &c) { c.assertion = std::nullopt; });
  for (size_t i = 0; i < contract.states.size(); ++i)
    for (const ContractState &state : smallerStates(contract.states[i]))
      add([&](ThreadContract &c) { c.states[i] = state; });
  return results;
}

} // namespace

std::vector<FiniteSystem> smaller(const FiniteSystem &system) {
  std::vector<FiniteSystem> results;
  if (system.invariant) {
    results.push_back(system);
    results.back().invariant = std::nullopt;
  }
  for (size_t i = 0; i < system.parts.size(); ++i) {
    if (system.parts.size() > 1) {
      results.push_back(system);
      results.back().parts.erase(results.back().parts.begin() + offset(i));
    }
    for (ThreadCode &code : smallerCode(system.parts[i].code)) {
      results.push_back(system);
      results.back().parts[i].code = std::move(code);
    }
    for (ThreadContract &contract : smallerContracts(system.parts[i].contract)) {
      results.push_back(system);
      results.back().parts[i].contract = std::move(contract);
    }
  }
  return results;
}

FiniteSystem shrunk(FiniteSystem system, const std::function<bool(const FiniteSystem &)> &fails) {
  for (;;) {
    const std::vector<FiniteSystem> candidates = smaller(system);
    const auto found = std::find_if(candidates.begin(), candidates.end(), fails);
    if (found == candidates.end())
      return system;
    system = *found;
  }
}

} // namespace understudy::tests
