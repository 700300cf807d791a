// SPDX-License-Identifier: Apache-2.0
//
// Formulas of a contract as IR. Contract integers are mathematical: arithmetic is done in a type so
// wide that nothing wraps.
#pragma once

#include "logic/Term.h"

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <unordered_map>
#include <vector>

namespace understudy::passes::checker {

/// A value of a term: one IR value, or one for each element of an array. Bool is i1, numbers have
/// the wide type.
using Elements = std::vector<llvm::Value *>;

class ContractCode {
public:
  /// What a variable before or after a step is.
  using Lookup = std::function<Elements(logic::Variable variable, bool primed)>;

  ContractCode(llvm::IRBuilder<> &builder, llvm::IntegerType *wide, Lookup lookup)
      : builder_(builder), wide_(wide), lookup_(std::move(lookup)) {}

  llvm::Value *boolean(logic::Term formula) { return value(formula).front(); }
  const Elements &value(logic::Term term);

private:
  llvm::IRBuilder<> &builder_;
  llvm::IntegerType *wide_;
  Lookup lookup_;
  std::unordered_map<logic::Term, Elements> done_;

  Elements compute(logic::Term term);
  llvm::Value *scalar(logic::Term term) { return value(term).front(); }
  llvm::Value *logical(logic::Term term);
  llvm::Value *arithmetic(logic::Term term);
  llvm::Value *equal(const Elements &a, const Elements &b);
  Elements choose(llvm::Value *condition, const Elements &yes, const Elements &no);
  llvm::Value *select(const Elements &array, llvm::Value *index);
  Elements store(const Elements &array, llvm::Value *index, llvm::Value *element);
  llvm::Constant *number(int64_t value);
};

/// How many bits the values of the term's parts need at most, for variables of the given widths.
/// More than 120 means: too many.
unsigned bitsNeeded(logic::Term term, const std::function<unsigned(logic::Variable)> &bitsOf);

} // namespace understudy::passes::checker
