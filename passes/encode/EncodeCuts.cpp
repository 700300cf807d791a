// SPDX-License-Identifier: Apache-2.0
#include "passes/encode/EncodeCuts.h"

#include <llvm/IR/CFG.h>

#include <algorithm>

namespace understudy::passes::encode {

using llvm::BasicBlock;
using llvm::CallBase;
using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::Value;

EncodeCuts::EncodeCuts(const EncodeScope &scope) : scope_(scope) {
  placeCuts();
  findLiving();
}

std::optional<CutId> EncodeCuts::at(const BasicBlock &block) const {
  auto found = at_.find(&block);
  return found == at_.end() ? std::nullopt : std::optional(found->second);
}

void EncodeCuts::addCut(const BasicBlock &block, Cut cut) {
  cutsIn_[&block].push_back({numbers_.at(cut.next), cuts_.size()});
  cuts_.push_back(std::move(cut));
}

/// Blocks that some path enters while no step is under way.
std::unordered_set<const BasicBlock *> EncodeCuts::blocksOutsideSteps() const {
  std::unordered_set<const BasicBlock *> entered[2];
  std::vector<std::pair<const BasicBlock *, bool>> work;
  auto enter = [&](const BasicBlock *block, bool inStep) {
    if (entered[inStep ? 1 : 0].insert(block).second)
      work.emplace_back(block, inStep);
  };
  enter(&scope_.function().getEntryBlock(), false);
  while (!work.empty()) {
    auto [block, inStep] = work.back();
    work.pop_back();
    for (const Instruction &instruction : *block)
      if (const auto *call = dyn_cast<CallBase>(&instruction)) {
        CallKind kind = callKind(*call);
        inStep = kind == CallKind::StepBegin || (inStep && kind != CallKind::StepEnd);
      }
    for (const BasicBlock *successor : llvm::successors(block))
      enter(successor, inStep);
  }
  return std::move(entered[0]);
}

void EncodeCuts::placeCuts() {
  const auto &blocks = scope_.blocks(scope_.function());
  uint32_t number = 0;
  for (const BasicBlock *block : blocks)
    for (const Instruction &instruction : *block)
      numbers_.emplace(&instruction, number++);
  std::unordered_map<const BasicBlock *, std::unordered_set<const BasicBlock *>> predecessors;
  for (const BasicBlock *block : blocks)
    for (const BasicBlock *successor : llvm::successors(block))
      predecessors[successor].insert(block);
  auto outside = blocksOutsideSteps();
  addCut(*blocks.front(), {&blocks.front()->front(), nullptr, {}, {}});
  for (const BasicBlock *block : blocks) {
    if (outside.contains(block) && predecessors[block].size() > 1) {
      at_.emplace(block, cuts_.size());
      addCut(*block, {&*block->getFirstNonPHIIt(), block, {}, {}});
    }
    for (const Instruction &instruction : *block) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      CallKind kind = call ? callKind(*call) : CallKind::Ignored;
      if (kind != CallKind::Note && kind != CallKind::StepEnd)
        continue;
      std::optional<uint32_t> note;
      if (kind == CallKind::Note)
        note = idOf(*call);
      after_.emplace(call, cuts_.size());
      addCut(*block, {instruction.getNextNode(), nullptr, note, {}});
    }
  }
}

void EncodeCuts::findLiving() {
  std::unordered_map<const Value *, LastUses> uses;
  auto use = [&](const Value *value, const Instruction *where) {
    uint32_t &last = uses[value][where->getParent()];
    last = std::max(last, numbers_.at(where));
  };
  for (const Instruction *user : scope_.executed()) {
    if (user->getFunction() != &scope_.function())
      continue;
    if (const auto *phi = dyn_cast<llvm::PHINode>(user)) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        if (numbers_.contains(phi->getIncomingBlock(i)->getTerminator()))
          use(phi->getIncomingValue(i), phi->getIncomingBlock(i)->getTerminator());
      continue;
    }
    for (const Value *operand : EncodeScope::operandsOf(*user))
      use(operand, user);
  }
  for (const llvm::Argument &argument : scope_.function().args())
    if (uses.contains(&argument))
      living_.push_back(&argument);
  for (const Instruction *definition : scope_.executed())
    if (auto found = uses.find(definition); found != uses.end())
      walkBack(*definition, found->second);
}

void EncodeCuts::walkBack(const Instruction &definition, const LastUses &uses) {
  bool lives = false;
  const BasicBlock *home = definition.getParent();
  uint32_t defined = numbers_.at(&definition);
  std::unordered_map<const BasicBlock *, uint32_t> last; ///< last position known to need the value
  std::vector<std::pair<const BasicBlock *, uint32_t>> work;
  auto need = [&](const BasicBlock *block, uint32_t position) {
    auto [known, isNew] = last.emplace(block, position);
    if (!isNew && known->second >= position)
      return;
    known->second = position;
    work.emplace_back(block, position);
  };
  for (const auto &[block, position] : uses)
    need(block, position);
  while (!work.empty()) {
    auto [block, position] = work.back();
    work.pop_back();
    if (block == home && defined < position)
      continue;
    for (const BasicBlock *predecessor : llvm::predecessors(block))
      if (numbers_.contains(predecessor->getTerminator()))
        need(predecessor, numbers_.at(predecessor->getTerminator()));
  }
  for (const auto &[block, position] : last) {
    auto cuts = cutsIn_.find(block);
    if (cuts == cutsIn_.end())
      continue;
    auto first =
        block != home
            ? cuts->second.begin()
            : std::upper_bound(cuts->second.begin(), cuts->second.end(), defined,
                               [](uint32_t d, const BlockCut &c) { return d < c.position; });
    for (; first != cuts->second.end() && first->position <= position; ++first) {
      cuts_[first->cut].live.push_back(&definition);
      lives = true;
    }
  }
  if (lives)
    living_.push_back(&definition);
}

} // namespace understudy::passes::encode
