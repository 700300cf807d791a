// SPDX-License-Identifier: Apache-2.0
#include "Generate.h"

#include "Generator.h"

#include <algorithm>

namespace understudy::tests::hostile {
namespace {

const std::vector<NamedType> &integers() {
  static const std::vector<NamedType> all = {
      {"int8_t", 1, true, false},    {"uint8_t", 1, false, false}, {"int16_t", 2, true, false},
      {"uint16_t", 2, false, false}, {"int", 4, true, false},      {"int", 4, true, false},
      {"unsigned", 4, false, false}, {"int64_t", 8, true, false},  {"uint64_t", 8, false, false}};
  return all;
}

bool mentions(const Nodes &nodes, const std::string &name) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node &node) {
    return node.text.find(name) != std::string::npos || mentions(node.body, name);
  });
}

} // namespace

Generator::Generator(uint64_t seed) : random_(seed) {
  program_.prefix = "p" + std::to_string(seed) + "_";
}

void Generator::declareShared() {
  static const std::vector<std::string> names = {"x", "y", "z"};
  const size_t count = 2 + random_.below(2);
  for (size_t i = 0; i < count; ++i) {
    SharedVariable variable;
    variable.name = names[i];
    NamedType type = random_.pick(integers());
    switch (random_.below(5)) {
    case 0:
      variable.type = ContractType::Bool;
      if (random_.oneIn(2))
        type = {"_Bool", 1, false, true};
      break;
    case 1:
      if (random_.oneIn(2)) {
        variable.type = ContractType::Enum;
        type = {"enum Mode", 4, false, false};
        break;
      }
      [[fallthrough]];
    default:
      variable.type = ContractType::Range;
      variable.lower = type.isSigned && random_.oneIn(4) ? -1 : 0;
      variable.upper = static_cast<int>(random_.between(1, 3));
    }
    variable.atomic = random_.oneIn(4);
    if (variable.atomic)
      type.name = "_Atomic " + type.name;
    else if (random_.oneIn(6))
      type.name = "volatile " + type.name;
    program_.shared.push_back(variable);
    program_.types.push_back(type);
  }
  if (count == 2 && random_.oneIn(2))
    makeArray();
}

/// The last variable becomes an array of two.
void Generator::makeArray() {
  SharedVariable element = program_.shared.back();
  element.elements = 2;
  const std::string array = element.name;
  element.name = array + "[0]";
  program_.shared.back() = element;
  element.name = array + "[1]";
  program_.shared.push_back(element);
  program_.types.push_back(program_.types.back());
}

void Generator::declareGlobals() {
  program_.globals = {"static int @g0;",
                      "volatile int @vol;",
                      "static int @garr[4];",
                      "static struct outer @gs;",
                      "static int *@slot = &@g0;",
                      "static int *volatile @vslot = &@g0;",
                      "static int **@slots = &@slot;",
                      "static _Atomic(int *) @aslot = &@g0;",
                      "static int *@stat = &@g0;"};
  using Kind = Cell::Kind;
  program_.cells = {{"@g0", Kind::Number},      {"@vol", Kind::Number},
                    {"@garr[1]", Kind::Number}, {"@gs.a", Kind::Number},
                    {"@gs.in.b", Kind::Number}, {"@slot", Kind::Pointer},
                    {"@vslot", Kind::Pointer},  {"@gs.in.p", Kind::Pointer},
                    {"@aslot", Kind::Pointer},  {"@stat", Kind::Pointer}};
}

void Generator::declareLocals(Nodes &out) {
  const size_t ints = 2 + random_.below(2);
  for (size_t i = 0; i < ints; ++i) {
    const std::string local = fresh("l");
    line(out, (i > 0 && random_.oneIn(10) ? "volatile int " : "int ") + local + " = " +
                  std::to_string(random_.below(3)) + ";");
    if (out.back().text.starts_with("volatile"))
      line(out, "hostile_volatile(&" + local + ");");
    else
      scope_.pointers.push_back("(&" + local + ")");
    scope_.ints.push_back(local);
  }
  if (random_.oneIn(2)) {
    const std::string pointer = fresh("p");
    line(out, "int *" + pointer + " = " + anyPointer() + ";");
    scope_.pointers.push_back(pointer);
  }
  if (random_.oneIn(3)) {
    const std::string array = fresh("a");
    line(out, "int " + array + "[4] = {" + std::to_string(random_.below(3)) + ", 1};");
    scope_.arrays.push_back(array);
  }
  if (random_.oneIn(3)) {
    const std::string local = fresh("s");
    line(out, "struct outer " + local + " = {" + std::to_string(random_.below(3)) + ", {1, " +
                  anyPointer() + ", " + callback() + "}, 2};");
    scope_.structs.push_back(local);
  }
}

Function Generator::function(const std::string &head, Scope scope, size_t statements,
                             bool returns) {
  Function function{head, {}};
  scope_ = std::move(scope);
  declareLocals(function.body);
  block(function.body, statements, scope_.isThread ? 2 : 1);
  // No pointer to what is gone stays behind.
  if (!scope_.isThread)
    line(function.body, "@slot = &@g0; @vslot = &@g0; @aslot = &@g0; @gs.in.p = &@g0;");
  if (returns)
    line(function.body, "return " + value() + " & 7;");
  return function;
}

void Generator::declareHelpers() {
  static const std::vector<std::string> kinds = {"static ", "static ", "", "static inline ",
                                                 "__attribute__((weak)) "};
  const size_t callbacks = 1 + random_.below(3);
  for (size_t i = 0; i < callbacks; ++i) {
    const std::string name = fresh("@cb");
    Nodes body;
    scope_ = {{"v"}, {"(&@g0)"}, {}, {}, false};
    store(body, 0);
    if (random_.oneIn(2))
      assignLocal(body, 0);
    program_.functions.push_back({random_.pick(kinds) + "void " + name + "(int v)", body});
    callbacks_.push_back(name);
  }
  const size_t helpers = random_.below(3);
  for (size_t i = 0; i < helpers; ++i) {
    const std::string name = fresh("@h");
    const std::string head = random_.oneIn(4)
                                 ? "static int " + name + "(v, q) int v; int *q;"
                                 : random_.pick(kinds) + "int " + name + "(int v, int *q)";
    program_.functions.push_back(
        function(head, {{"v"}, {"q"}, {}, {}, false}, 1 + random_.below(3), true));
    helpers_.push_back(name);
  }
  if (random_.oneIn(12))
    declareRecursion();
}

/// A helper that calls itself, a few times at most.
void Generator::declareRecursion() {
  const std::string name = fresh("@r");
  Function again =
      function("static int " + name + "(int v, int *q)", {{"v"}, {"q"}, {}, {}, false}, 1, false);
  again.body.insert(again.body.begin(), Node{"if ((v & 3) == 0) return 0;", {}, false});
  again.body.push_back({"return " + name + "((v & 3) - 1, q) + 1;", {}, false});
  program_.functions.push_back(again);
  helpers_.push_back(name);
}

Program Generator::make() {
  chooseFeatures();
  declareShared();
  declareGlobals();
  declareHelpers();
  Scope scope;
  scope.isThread = true;

  program_.functions.push_back(
      function("void @T(void)", std::move(scope), 3 + random_.below(6), false));
  // One that the thread does not mention might not be there.
  for (size_t i = 0; i < program_.shared.size(); ++i)
    if (random_.oneIn(5) && program_.shared[i].elements == 0 &&
        mentions(program_.functions.back().body, name(i)))
      program_.types[i].name = "static __attribute__((used)) " + program_.types[i].name;
  return program_;
}

Program randomProgram(uint64_t seed) { return Generator(seed).make(); }

} // namespace understudy::tests::hostile
