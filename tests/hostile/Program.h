// SPDX-License-Identifier: Apache-2.0
//
// A hostile program: one thread function with all that it needs, as text that can be taken apart.
// In the texts `@` stands for the program's prefix, so that many programs go into one file.
#pragma once

#include "conform/ContractTree.h"

namespace understudy::tests::hostile {

/// A statement; with a body, its text is the head of a block.
struct Node {
  std::string text;
  std::vector<Node> body;
  bool block = false;
};

struct Function {
  std::string head;
  std::vector<Node> body;
};

/// C type of a named variable.
struct NamedType {
  std::string name;
  size_t size = 4;
  bool isSigned = true;
  bool isBool = false;
};

/// What the environment may change besides the named variables.
struct Cell {
  enum class Kind : uint8_t { Number, Truth, Pointer };
  std::string name; ///< a C lvalue; a pointer is one to int
  Kind kind = Kind::Number;
};

struct Program {
  std::string prefix;
  std::vector<SharedVariable> shared;
  std::vector<NamedType> types; ///< of the shared variables
  std::vector<std::string> globals;
  std::vector<Function> functions; ///< in the order of definition; the last one is the thread
  std::vector<Cell> cells;
  std::vector<std::string> features; ///< what it was made of, for statistics

  std::string thread() const { return prefix + "T"; }
};

/// The program as C, without what is common to a file.
std::string text(const Program &program);
/// The start of a file. `names` picks which library functions get bodies of their own.
std::string fileHeader(uint64_t names);
/// What stands at the end of a file that is executed: tables of the programs and their cells.
std::string tables(const std::vector<Program> &programs);

} // namespace understudy::tests::hostile
