// SPDX-License-Identifier: Apache-2.0
//
// The parts of the generator. A statement is drawn from a table of features; each writes its nodes
// behind `out` and may use what the function's scope has.
#pragma once

#include "Program.h"
#include "Support.h"

namespace understudy::tests::hostile {

/// What a function can name.
struct Scope {
  std::vector<std::string> ints;     ///< local lvalues of type int
  std::vector<std::string> pointers; ///< local lvalues of type int *, never null, never to named
  std::vector<std::string> arrays;   ///< local int[4]
  std::vector<std::string> structs;  ///< local struct outer, whose pointers are not null
  bool isThread = false;
};

using Nodes = std::vector<Node>;

class Generator {
public:
  explicit Generator(uint64_t seed);
  Program make();

private:
  // Expressions: GenerateValues.cpp. All are of type int, small enough that sums do not overflow.
  std::string value(size_t depth = 2);
  std::string leaf();
  std::string small() { return "(" + value() + " & 3)"; }
  std::string condition();
  size_t anyShared() { return random_.below(program_.shared.size()); }
  std::string name(size_t variable) const { return "@" + program_.shared[variable].name; }
  /// The variable; if it is an element of an array, perhaps one that is computed.
  std::string place(size_t variable);
  std::string constantOf(size_t variable);
  /// Nearly always in the contract's range.
  std::string fitting(size_t variable);
  bool counts(size_t variable) const; ///< a range over a C integer

  // Declarations: Generate.cpp.
  void declareShared();
  void makeArray();
  void declareGlobals();
  void declareHelpers();
  void declareRecursion();
  Function function(const std::string &head, Scope scope, size_t statements, bool returns);
  void declareLocals(Nodes &out);

  // Statements: GenerateStatements.cpp and GenerateGadgets.cpp.
  struct Feature {
    void (Generator::*make)(Nodes &out, size_t depth);
    size_t weight;
  };
  void chooseFeatures();
  void statement(Nodes &out, size_t depth);
  void block(Nodes &out, size_t statements, size_t depth);
  Node nested(const std::string &head, size_t statements, size_t depth);
  void store(Nodes &out, size_t depth);
  void storeThroughPointer(Nodes &out, size_t depth);
  void update(Nodes &out, size_t depth);
  void assignLocal(Nodes &out, size_t depth);
  void branch(Nodes &out, size_t depth);
  void loop(Nodes &out, size_t depth);
  void choose(Nodes &out, size_t depth);
  void jump(Nodes &out, size_t depth);
  void claim(Nodes &out, size_t depth);
  void section(Nodes &out, size_t depth);
  void end(Nodes &out, size_t depth);
  void publish(Nodes &out, size_t depth);
  void foreign(Nodes &out, size_t depth);
  void redirect(Nodes &out, size_t depth);
  void callBack(Nodes &out, size_t depth);
  void structures(Nodes &out, size_t depth);
  void arrays(Nodes &out, size_t depth);
  void callHelper(Nodes &out, size_t depth);
  void observe(Nodes &out, size_t depth);
  void odd(Nodes &out, size_t depth);

  std::string fresh(const std::string &base) { return base + std::to_string(next_++); }
  std::string anyInt() { return random_.pick(scope_.ints); }
  std::string anyPointer() { return random_.pick(scope_.pointers); }
  std::string callback() { return random_.pick(callbacks_); }
  void line(Nodes &out, const std::string &text) { out.push_back({text, {}, false}); }

  static constexpr size_t leafKinds = 7;

  Random random_;
  std::vector<Feature> features_;
  std::vector<size_t> leaves_; ///< kinds of values besides locals and constants
  Program program_;
  Scope scope_;
  std::vector<std::string> callbacks_; ///< functions void (int)
  std::vector<std::string> helpers_;   ///< functions int (int, int *)
  size_t next_ = 0;
  size_t markers_ = 0;
};

} // namespace understudy::tests::hostile
