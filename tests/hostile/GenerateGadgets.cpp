// SPDX-License-Identifier: Apache-2.0
//
// Ways in which values come and go that the reader of the code does not see at once.
#include "Generator.h"

namespace understudy::tests::hostile {

/// Others get to know the address of a local.
void Generator::publish(Nodes &out, size_t /*depth*/) {
  const std::string at = anyPointer();
  switch (random_.below(8)) {
  case 0:
    return line(out, "@slot = " + at + ";");
  case 1:
    return line(out, "@vslot = " + at + ";");
  case 2:
    return line(out, "@gs.in.p = " + at + ";");
  case 3:
    return line(out, "*@slots = " + at + ";");
  case 4:
    return line(out, "@aslot = " + at + ";");
  case 5:
    return line(out, "memcpy(&@slot, &(int *){" + at + "}, sizeof @slot);");
  default:
    return line(out, "ext_keep(" + at + ");");
  }
}

void Generator::foreign(Nodes &out, size_t /*depth*/) {
  switch (random_.below(8)) {
  case 0:
    return line(out, "*ext_give() = " + value() + " & 3;");
  case 1:
    return line(out, "*@slot = " + value() + " & 3;");
  case 2:
    return line(out, "ext_fill(" + anyPointer() + ");");
  case 3:
    return line(out, "ext_poke();");
  case 4:
    return line(out, "*ext_pass(" + anyPointer() + ") = " + value() + " & 3;");
  case 5:
    return line(out, anyInt() + " = *ext_give() & 7;");
  case 6:
    return line(out, "__VERIFIER_nondet_memory(" + anyPointer() + ", sizeof(int));");
  default:
    return line(out, anyInt() + " = ext_number() & 7;");
  }
}

/// A pointer to one of several.
void Generator::redirect(Nodes &out, size_t depth) {
  const std::string pointer = fresh("r");
  Node node{"", {}, true};
  line(node.body,
       "int *" + pointer + " = " + condition() + " ? " + anyPointer() + " : " + anyPointer() + ";");
  if (random_.oneIn(2)) {
    line(node.body, "int **" + pointer + "p = &" + pointer + ";");
    line(node.body, "**" + pointer + "p = " + value() + " & 7;");
  } else {
    line(node.body, "*" + pointer + " = " + value() + " & 7;");
  }
  if (random_.oneIn(2))
    store(node.body, depth);
  out.push_back(node);
}

void Generator::callBack(Nodes &out, size_t /*depth*/) {
  const std::string f = fresh("f");
  const std::string argument = "(" + small() + ");";
  Node node{"", {}, true};
  switch (random_.below(7)) {
  case 0:
    line(node.body, "void (*" + f + ")(int) = " + callback() + ";");
    line(node.body, f + argument);
    break;
  case 1:
    line(node.body,
         "void (*" + f + ")(int) = " + condition() + " ? " + callback() + " : " + callback() + ";");
    line(node.body, f + argument);
    break;
  case 2:
    line(node.body, "struct outer " + f + " = {0, {0, &@g0, " + callback() + "}, 0};");
    line(node.body, f + ".in.done" + argument);
    break;
  case 3:
    line(node.body,
         "static void (*const " + f + "[])(int) = {" + callback() + ", " + callback() + "};");
    line(node.body, f + "[" + value() + " & 1]" + argument);
    break;
  case 4:
    line(node.body, "struct outer " + f + " = {0, {0, &@g0, " + callback() + "}, 0};");
    line(node.body, "struct outer " + f + "c = " + f + ";");
    line(node.body, "call_inner(&" + f + "c.in, " + small() + ");");
    break;
  case 5:
    line(node.body, "call_late(" + callback() + ", " + small() + ");");
    break;
  default:
    line(node.body, "struct outer " + f + " = {0}, *" + f + "p = &" + f + ";");
    line(node.body, f + "p->in.done = " + callback() + ";");
    if (random_.oneIn(2))
      line(node.body, "if (" + condition() + ") " + f + "p->in.done = " + callback() + ";");
    line(node.body, "call_inner(&" + f + "p->in, " + small() + ");");
  }
  out.push_back(node);
}

void Generator::structures(Nodes &out, size_t depth) {
  if (scope_.structs.empty())
    return assignLocal(out, depth);
  const std::string s = random_.pick(scope_.structs);
  const std::string t = fresh("t");
  Node node{"", {}, true};
  switch (random_.below(7)) {
  case 0:
    line(node.body, "struct outer " + t + " = " + s + ";");
    line(node.body, t + ".a = " + value() + " & 7; " + s + " = " + t + ";");
    break;
  case 1:
    line(node.body, "struct outer " + t + ";");
    line(node.body, "memcpy(&" + t + ", &" + s + ", sizeof " + t + ");");
    line(node.body, anyInt() + " = " + t + ".in.b & 7;");
    break;
  case 2:
    line(node.body, "*" + s + ".in.p = " + value() + " & 7;");
    break;
  case 3:
    line(node.body, s + ".in.p = " + anyPointer() + ";");
    break;
  case 4:
    line(node.body, "struct outer *" + t + " = &" + s + ";");
    line(node.body, t + "->in.b = " + value() + " & 7;");
    break;
  case 5:
    line(node.body, "struct inner " + t + " = " + s + ".in;");
    line(node.body, "*" + t + ".p = " + value() + " & 7; " + t + ".done(" + small() + ");");
    break;
  default:
    line(node.body, "ext_keep(&" + s + (random_.oneIn(2) ? ".a" : ".in.b") + ");");
  }
  out.push_back(node);
}

void Generator::arrays(Nodes &out, size_t depth) {
  if (scope_.arrays.empty())
    return assignLocal(out, depth);
  const std::string a = random_.pick(scope_.arrays);
  switch (random_.below(4)) {
  case 0:
    return line(out, "memset(" + a + ", 0, sizeof " + a + ");");
  case 1:
    return line(out, "ext_keep(&" + a + "[" + std::to_string(random_.below(4)) + "]);");
  case 2:
    return line(out, "*(" + a + " + (" + value() + " & 3)) = " + value() + " & 7;");
  default:
    return line(out, a + "[" + value() + " & 3] = " + value() + " & 7;");
  }
}

void Generator::callHelper(Nodes &out, size_t depth) {
  if (helpers_.empty())
    return callBack(out, depth);
  const std::string helper = random_.pick(helpers_);
  // A recursion is followed if its depth is a constant.
  const bool constant = helper.starts_with("@r") && !random_.oneIn(4);
  line(out, anyInt() + " = " + helper + "(" +
                (constant ? std::to_string(random_.below(4)) : small()) + ", " + anyPointer() +
                ");");
}

/// What a local holds decides what is stored.
void Generator::observe(Nodes &out, size_t /*depth*/) {
  const size_t variable = anyShared();
  const std::string l = random_.oneIn(3) ? "*" + anyPointer() : anyInt();
  line(out, "if (" + l + (random_.oneIn(2) ? " == " : " > ") + std::to_string(random_.below(4)) +
                ") " + name(variable) + " = " + constantOf(variable) + ";");
}

void Generator::odd(Nodes &out, size_t /*depth*/) {
  const std::string u = fresh("u");
  Node node{"", {}, true};
  switch (random_.below(6)) {
  case 4:
    line(node.body, anyInt() + " = " + (random_.oneIn(2) ? "abs(" : "toupper(") + small() + ");");
    break;
  case 5:
    line(node.body,
         anyInt() + " = (int)strlen(" + (random_.oneIn(2) ? "\"ab\"" : "\"bcd\"") + ");");
    break;
  case 0:
    line(node.body, "union { int i; unsigned char c[4]; } " + u + ";");
    line(node.body, u + ".i = " + value() + " & 7; " + anyInt() + " = " + u + ".c[0];");
    break;
  case 1:
    // Another thread in the same function has the same variable.
    line(node.body, "static int " + u + ";");
    line(node.body, "@stat = &" + u + ";");
    line(node.body, u + " = " + value() + " & 7;");
    line(node.body, anyInt() + " = " + u + " & 7;");
    break;
  case 2:
    line(node.body, "struct { unsigned a : 2; unsigned b : 3; } " + u + " = {0, 1};");
    line(node.body, u + ".a = (unsigned)" + value() + " & 3u; " + anyInt() + " = " + u + ".a;");
    break;
  default:
    line(node.body, "int *" + u + " = &(int){" + value() + " & 7};");
    line(node.body, "uintptr_t " + u + "n = (uintptr_t)" + u + "; *(int *)" + u + "n = " + value() +
                        " & 7; " + anyInt() + " = *" + u + ";");
  }
  out.push_back(node);
}

} // namespace understudy::tests::hostile
