// SPDX-License-Identifier: Apache-2.0
//
// Where a function is cut into edges, and which values live across the cuts.
//
// Cuts are the entry, the place after every note and every end of a step, and the blocks where
// paths meet outside of steps; so every loop outside of steps is cut. A value lives at a cut if
// some path leads from its definition over the cut to a use; found by walking back from the uses,
// value by value, which costs the length of the live range.
#pragma once

#include "passes/encode/EncodeScope.h"

#include <optional>

namespace understudy::passes::encode {

struct Cut {
  const llvm::Instruction *next = nullptr;   ///< executed first
  const llvm::BasicBlock *meeting = nullptr; ///< of paths; its phis are already done
  std::optional<uint32_t> note;              ///< the id of the note that it follows
  std::vector<const llvm::Value *> live;     ///< in program order
};
using CutId = size_t;

class EncodeCuts {
public:
  explicit EncodeCuts(const EncodeScope &scope);

  static constexpr CutId entry = 0;
  const Cut &operator[](CutId id) const { return cuts_[id]; }
  size_t size() const { return cuts_.size(); }
  CutId after(const llvm::CallBase &call) const { return after_.at(&call); }
  std::optional<CutId> at(const llvm::BasicBlock &block) const;
  /// Arguments that are used, and values that live across some cut, in program order.
  const std::vector<const llvm::Value *> &living() const { return living_; }

private:
  struct BlockCut {
    uint32_t position; ///< before the instruction of this number
    CutId cut;
  };
  const EncodeScope &scope_;
  std::vector<Cut> cuts_;
  std::unordered_map<const llvm::Instruction *, CutId> after_;
  std::unordered_map<const llvm::BasicBlock *, CutId> at_;
  std::unordered_map<const llvm::BasicBlock *, std::vector<BlockCut>> cutsIn_;
  std::unordered_map<const llvm::Instruction *, uint32_t> numbers_;
  std::vector<const llvm::Value *> living_;

  void placeCuts();
  std::unordered_set<const llvm::BasicBlock *> blocksOutsideSteps() const;
  void addCut(const llvm::BasicBlock &block, Cut cut);
  void findLiving();
  using LastUses = std::unordered_map<const llvm::BasicBlock *, uint32_t>;
  void walkBack(const llvm::Instruction &definition, const LastUses &uses);
};

} // namespace understudy::passes::encode
