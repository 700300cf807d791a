// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Program.h"
#include "passes/lower/StepForm.h"
#include "passes/read/SourceMap.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class GlobalVariable;
class Value;
} // namespace llvm

namespace understudy::passes::encode {

/// How a memory object of the module appears in the program.
struct Cell {
  enum class Meaning : uint8_t {
    Value, ///< the variable is the C integer's value
    Truth, ///< the variable is a bool: `!= 0`; a true one reads as any non-zero value of the type
  };
  compose::Variable variable; ///< of array sort for arrays, then the meaning is the element's
  Meaning meaning = Meaning::Value;
  /// Of the C type: decides how an iN in memory is read as a number.
  bool isSigned = true;
  bool isBool = false; ///< the C type is _Bool: a true one reads as 1
};

struct EncodeContext {
  compose::Program &program; ///< its pool makes the terms; not otherwise changed
  std::map<const llvm::GlobalVariable *, Cell> cells; ///< globals that are variables of the program
  const std::vector<lower::Place> &places;
  read::SourceMap *sources =
      nullptr; ///< where files are looked up; none: the encoding reads its own
  std::set<const llvm::BasicBlock *> heads = {}; ///< of loops that `Encoded::heads` is to tell of
};

/// A value from outside that an edge consumes, in order. The variable is a local of the template,
/// among the edge's `modified`, and has the value after the step.
struct Input {
  compose::Variable variable;
  std::string function; ///< "__VERIFIER_nondet_int"; empty: an operation that is not modelled
  std::optional<uint32_t> guess = {}; ///< the place of the value that it stands for
};

/// Where a loop begins, and how the values that live there appear.
struct LoopHead {
  compose::LocationId location = 0;
  std::map<const llvm::Value *, compose::Term> values; ///< numbers, or truth values
};

struct Encoded {
  compose::Template thread;
  std::vector<std::vector<Input>> inputs;      ///< by edge
  std::vector<std::optional<uint32_t>> places; ///< by edge: the id of the note or step it ends at
  /// Memory objects of the function and globals without cell: the locals that hold them, element
  /// by element.
  std::map<std::string, std::vector<compose::Variable>> memory;
  std::map<const llvm::BasicBlock *, LoopHead> heads;
};

/// A function in step form: every step is one edge, local computation belongs to the edges.
/// A checker: one edge for each stretch between notes, joins and loop heads.
/// Throws `logic::Unsupported`, with the place in the source, for what has no exact translation.
Encoded encode(const llvm::Function &function, const std::string &name, EncodeContext &context);

} // namespace understudy::passes::encode
