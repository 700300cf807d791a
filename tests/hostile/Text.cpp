// SPDX-License-Identifier: Apache-2.0
#include "Program.h"

namespace understudy::tests::hostile {
namespace {

void replaceAll(std::string &text, const std::string &what, const std::string &by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

void print(const std::vector<Node> &nodes, size_t depth, std::string &out) {
  for (const Node &node : nodes) {
    out += std::string(2 * depth, ' ') + node.text + (node.block ? " {\n" : "\n");
    print(node.body, depth + 1, out);
    if (node.block)
      out += std::string(2 * depth, ' ') + "}\n";
  }
}

std::string number(const Cell &cell) { return std::to_string(static_cast<int>(cell.kind)); }

} // namespace

std::string text(const Program &program) {
  std::string out;
  for (size_t i = 0; i < program.shared.size(); ++i) {
    const SharedVariable &variable = program.shared[i];
    if (variable.elements == 0)
      out += program.types[i].name + " @" + variable.name + " = " +
             std::to_string(variable.start.value_or(0)) + ";\n";
    else if (variable.isFirst())
      out += program.types[i].name + " @" + variable.array() + "[" +
             std::to_string(variable.elements) + "];\n";
  }
  for (const std::string &global : program.globals)
    out += global + "\n";
  for (const Function &function : program.functions) {
    out += function.head + " {\n";
    print(function.body, 1, out);
    out += "}\n";
  }
  replaceAll(out, "@", program.prefix);
  return out;
}

std::string tables(const std::vector<Program> &programs) {
  std::string out = "#ifdef HOSTILE_NATIVE\n"
                    "struct hostile_cell { void *at; unsigned kind, size; };\n";
  std::string all;
  for (const Program &program : programs) {
    std::string named;
    for (const SharedVariable &variable : program.shared)
      named += "(void *)&@" + variable.name + ", ";
    std::string cells;
    for (const Cell &cell : program.cells)
      cells += "{(void *)&" + cell.name + ", " + number(cell) + ", sizeof(" + cell.name + ")}, ";
    std::string own = "static void *const @named[] = {" + named +
                      "0};\nstatic const struct hostile_cell @cells[] = {" + cells + "{0}};\n";
    replaceAll(own, "@", program.prefix);
    out += own;
    all += "  {" + program.thread() + ", " + program.prefix + "named, " + program.prefix +
           "cells, " + std::to_string(program.cells.size()) + "},\n";
  }
  return out +
         "const struct hostile_program {\n  void (*thread)(void);\n  void *const *named;\n"
         "  const struct hostile_cell *cells;\n  unsigned count;\n} hostile_programs[] = {\n" +
         all + "};\n#endif\n";
}

std::string fileHeader(uint64_t names) {
  // Bodies that do other things than the library's: one that is not followed is noticed.
  static const std::vector<std::string> bodies = {
      "int abs(int v) { return v & 1; }\n",
      "size_t strlen(const char *s) { return s[0] == 'a' ? 2 : 3; }\n",
      "int toupper(int v) { return (v & 3) + 1; }\n",
      "void *memset(void *to, int v, size_t n) {\n  ((char *)to)[0] = (char)(v + 1);\n"
      "  return to;\n}\n"};
  const uint64_t mixed = names * 0x9E3779B97F4A7C15U >> 60;
  std::string own;
  for (size_t i = 0; i < bodies.size(); ++i)
    if (mixed >> i & 1)
      own += bodies[i];
  return R"(#include "understudy.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_nondet_memory(void *, size_t);
extern int abs(int);
extern int toupper(int);
extern void abort(void);
extern void pthread_exit(void *);
extern int ext_number(void);
extern void ext_poke(void);
extern void ext_keep(int *);
extern int *ext_give(void);
extern int *ext_pass(int *);
extern void ext_fill(int *);
enum Mode { idle = 0, busy = 4, dead = 5 };
struct inner { int b; int *p; void (*done)(int); };
struct outer { int a; struct inner in; char c; };
static void call_inner(struct inner *in, int v) { in->done(v); }
static void call_late(void (*f)(int), int v) {
  struct inner in = {0, 0, f};
  call_inner(&in, v);
}
#ifdef HOSTILE_FORGETFUL
#define ext_keep(p) ((void)(p))
#define ext_give() (&(int){0})
#define call_late(f, v) ((void)(f), (void)(v))
#endif
#ifndef HOSTILE_NATIVE
#define hostile_volatile(p) ((void)0)
#else
extern void hostile_volatile(volatile int *);
extern void hostile_assert_fail(void);
extern void hostile_end(void);
extern void hostile_exit_thread(void);
extern void hostile_marker(const char *);
#undef assert
#define assert(e) ((e) ? (void)0 : hostile_assert_fail())
#undef UNDERSTUDY_AT
#define UNDERSTUDY_AT(S) hostile_marker(#S)
#define abort hostile_end
#define pthread_exit(p) hostile_exit_thread()
#endif
)" + own;
}

} // namespace understudy::tests::hostile
