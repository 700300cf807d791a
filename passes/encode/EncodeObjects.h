// SPDX-License-Identifier: Apache-2.0
//
// The memory objects that a function works on, and what can be said about all accesses to one.
#pragma once

#include "passes/encode/Encode.h"
#include "passes/encode/EncodeScope.h"

#include <map>

namespace understudy::passes::encode {

struct MemoryObject {
  const llvm::Value *base = nullptr; ///< alloca or global
  const Cell *cell = nullptr;        ///< none: a local of the template
  std::string problem;               ///< not empty: every access is unsupported, for this reason
  llvm::Type *element = nullptr;     ///< integer
  unsigned bits = 0;
  uint64_t count = 1;
  /// By element; none for cells and for what has no known start value.
  std::vector<const llvm::Constant *> initial;
  bool isConstant = false;
  bool escapes = false;    ///< its address is used for something else than accesses
  bool maybeUnset = false; ///< may be read before it is written
  std::vector<const llvm::LoadInst *> loads;
  std::vector<const llvm::StoreInst *> stores;

  bool isTruth() const;
};

class EncodeObjects {
public:
  EncodeObjects(const EncodeScope &scope, const EncodeContext &context);

  /// In the order in which they are first used.
  const std::vector<const MemoryObject *> &all() const { return order_; }
  /// The object of an alloca or global that is accessed; none for other values.
  const MemoryObject *find(const llvm::Value *base) const;
  const MemoryObject *accessedBy(const llvm::Value *pointer) const { return find(baseOf(pointer)); }

private:
  const EncodeScope &scope_;
  const EncodeContext &context_;
  std::map<const llvm::Value *, MemoryObject> objects_;
  std::vector<const MemoryObject *> order_;

  MemoryObject &object(const llvm::Value *base);
  void describe(MemoryObject &object, llvm::Type *type) const;
  void collectAccesses(const llvm::Instruction &instruction);
  void findUnset();
};

} // namespace understudy::passes::encode
