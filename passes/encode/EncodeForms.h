// SPDX-License-Identifier: Apache-2.0
//
// How values are best represented, decided once for the whole function:
// - a number of which only "is it 0?" is ever asked is a truth value;
// - a number that can only be 0 or 1 (C's bool in memory) is kept as a bool;
// - other numbers are kept signed or unsigned, as their uses read them.
// All three are exact; they decide how many choices and remainders the formulas need, and how many
// values a state can have.
#pragma once

#include "passes/encode/EncodeObjects.h"

#include <unordered_set>

namespace understudy::passes::encode {

enum class Form : uint8_t {
  None,    ///< no representation
  Boolean, ///< i1
  Number,
  Truth,   ///< of an integer: "it is not 0"
  Pointer, ///< "it is not null"
};

/// What a nondeterministic function returns.
struct InputType {
  std::string problem; ///< not empty: not supported
  Reading reading = Reading::Signed;
  bool isBool = false;
};
InputType inputType(const llvm::CallBase &call);

class EncodeForms {
public:
  EncodeForms(const EncodeScope &scope, const EncodeObjects &objects);

  Form of(const llvm::Value &value) const;
  bool isZeroOne(const llvm::Value &value) const { return zeroOne_.contains(&value); }
  bool isZeroOne(const MemoryObject &object) const { return zeroOne_.contains(object.base); }
  Reading reading(const llvm::Value &value) const;
  Reading reading(const MemoryObject &object) const;

private:
  const EncodeScope &scope_;
  const EncodeObjects &objects_;
  std::unordered_set<const llvm::Value *> truthOnly_;
  std::unordered_set<const llvm::Value *> zeroOne_; ///< values, and bases of objects

  void findTruthOnly();
  bool asksForTruth(const llvm::Instruction &user, const llvm::Value &value) const;
  void findZeroOne();
  bool givesZeroOne(const llvm::Value &value) const;
  bool holdsZeroOne(const MemoryObject &object) const;

  struct Votes {
    unsigned forSigned = 0;
    unsigned forUnsigned = 0;
  };
  void countVotes(const llvm::Value &value, Votes &votes) const;
};

} // namespace understudy::passes::encode
