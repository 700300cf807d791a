// SPDX-License-Identifier: Apache-2.0
//
// Objects, paths, claims, definitions with parameters and the like: what is read and what it means.
#include "tests/specs/CompileSupport.h"
#include "tests/specs/TreeText.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::tests;

TEST_CASE("paths are read into their parts", "[specs][paths]") {
  CHECK(itemText("shared int h @ dev->rx.head[3], \"a.c\":f::n;") ==
        "(shared <int> h @ <dev->rx.head[3] (memory dev)->rx.head[3> "
        "<\"a.c\":f::n (memory a.c f n)>)");
  CHECK(itemText("shared bool b @ dev->flags & 0x2, q->current == w;") ==
        "(shared <bool> b @ <dev->flags & 0x2 (bit dev 0x2)->flags> "
        "<q->current == w (points-to q w)->current>)");
  CHECK(itemText("shared int a[4] @ q->buffer[];") ==
        "(shared <int> a size 4 @ <q->buffer[] (memory q)->buffer[]>)");
  CHECK(itemText("shared bool gone = false @ kfree(dev), usb_free(dev);") ==
        "(shared <bool> gone @ <kfree(dev) (call kfree dev)> "
        "<usb_free(dev) (call usb_free dev)> = false)");
  CHECK(itemText("shared int h @ struct uart.head;") ==
        "(shared <int> h @ <struct uart.head (memory struct uart).head>)");
}

TEST_CASE("what follows the name of a variable stands in any order", "[specs][paths]") {
  std::string canonical = itemText("shared int x @ dev->x = 1 guarded by lock;");
  for (const char *order : {"@ dev->x guarded by lock = 1", "= 1 @ dev->x guarded by lock",
                            "guarded by lock = 1 @ dev->x"})
    CHECK(itemText(std::string("shared int x ") + order + ";") == canonical);
  CHECK(itemText("shared int alive written under lock;") ==
        "(shared <int> alive written under lock)");
  CHECK(itemText("shared int tail owned by Dequeue;") == "(shared <int> tail owned by Dequeue)");
}

TEST_CASE("items that speak of code", "[specs][paths]") {
  CHECK(itemText("object dev : struct uart;") == "(object dev struct uart)");
  CHECK(itemText("object q : queue_t;") == "(object q queue_t)");
  CHECK(itemText("claim !unbound @ usb_bulk_msg(), q->slots[];") ==
        "(claim (unary ! unbound) @ <usb_bulk_msg() (call usb_bulk_msg)> "
        "<q->slots[] (memory q)->slots[]>)");
  CHECK(itemText("shared recursive section lock @ dev->lock;") ==
        "(shared recursive <section> lock @ <dev->lock (memory dev)->lock>)");
  CHECK(itemText("handler Led for led via complete_urb(kbd->led, \"a.c\":f);") ==
        "(handler Led for led via complete_urb@ <kbd->led (memory kbd)->led> "
        "<\"a.c\":f (memory a.c f)> ;)");
  CHECK(itemText("thread T { assert x except S, T; state S inside L for reading; }") ==
        "(thread T { (assert x except S T) (state S inside L reading ;) })");
}

TEST_CASE("keywords are good names", "[specs][paths]") {
  CHECK(itemText("shared section lock @ dev->lock;") ==
        "(shared <section> lock @ <dev->lock (memory dev)->lock>)");
  CHECK(exprText("in in 0..3") == "(in in in 0 3)");
  CHECK(exprText("state == free + held") == "(cmp state == (free + held))");
  CHECK(exprText("lock' == wait") == "(cmp lock' == wait)");
  CHECK(exprText("free(m) && free") == "(free<m> && free)");
  CHECK(itemText("shared int claim;") == "(shared <int> claim)");
  CHECK(itemText("enum e { state, section,\n  lock, object }") ==
        "(enum e (state) (section) (lock) (object))");
  // A name that was forgotten at the end of a line is not the keyword of the next.
  CHECK(
      contractErrors("system s {\n  shared int\n  shared bool y;\n}") ==
      "3:3: expected a variable name, but 'shared' is a keyword (choose another name, for example "
      "'shared_')\n");
}

TEST_CASE("definitions with parameters are expanded at each use", "[specs][definitions]") {
  auto compiled = compileContract(
      "system s {\n"
      "  const size = 4; shared int head = 0; shared int tail = 0; shared bool on;\n"
      "  define next(i) = i + 1 == size ? 0 : i + 1;\n"
      "  define moves(i) = i' == next(i);\n"
      "  define gap(i) = head - i;\n"
      "  define both(a, b) = a && b;\n"
      "  thread T { initial A { -> B : head' == next(head); -> B : moves(tail);\n"
      "                         -> B : gap'(tail) == 1; -> B : both(on, head == 2); } final B; }\n"
      "  run T;\n"
      "}\n");
  CHECK(edgesOf(compiled, "T") == Lines{"A -> B : head' == (head + 1 == 4 ? 0 : head + 1) {head}",
                                        "A -> B : tail' == (tail + 1 == 4 ? 0 : tail + 1) {tail}",
                                        "A -> B : head' - tail == 1 {head}",
                                        "A -> B : on && head == 2 {}"});
}

TEST_CASE("definitions that grow without end are refused quickly", "[specs][definitions]") {
  std::string items = "shared int x = 0; define f0(i) = i + x;";
  for (int i = 1; i <= 60; ++i) {
    std::string before = "f" + std::to_string(i - 1);
    items += " define f" + std::to_string(i) + "(i) = " + before + "(i + 1) + " + before + "(i);";
  }
  CHECK_THROWS_WITH(compileContract("system s { " + items +
                                    " thread T { initial A { -> B : f60(1) == 0; } final B; } "
                                    "run T; }"),
                    Catch::Contains("too large once definitions are expanded"));
}

TEST_CASE("definitions that use one another too deeply are refused", "[specs][definitions]") {
  std::string items = "define f0(i) = i;";
  for (int i = 1; i <= 20'000; ++i)
    items += " define f" + std::to_string(i) + "(i) = f" + std::to_string(i - 1) + "(i);";
  CHECK_THROWS_WITH(compileContract("system s { shared int x; " + items +
                                    " thread T { initial A { -> B : f20000(1) == x; } final B; } "
                                    "run T; }"),
                    Catch::Contains("use one another too deeply"));
}

TEST_CASE("the number of threads at the start", "[specs][definitions]") {
  auto compiled = compileContract("system s {\n"
                                  "  shared int alive;\n"
                                  "  initially alive == #W + #V;\n"
                                  "  thread W { initial final A; }\n"
                                  "  thread V { initial final A; }\n"
                                  "  run W * 3, V, W;\n"
                                  "}\n");
  CHECK(logic::smtlib::text(compiled.program.initial) == "alive == 5");
  CHECK_THROWS_AS(compileContract("system s { shared int n; initially n == #W;\n"
                                  "thread W { initial final A; } run W*; }"),
                  logic::Unsupported);
}

TEST_CASE("an assertion of a thread may leave states out", "[specs][contract]") {
  auto compiled = compileContract("system s {\n"
                                  "  shared bool a; shared bool b;\n"
                                  "  thread T { assert a except B; assert b;\n"
                                  "    initial A { -> B; } state B { -> C; } final C; }\n"
                                  "  run T;\n"
                                  "}\n");
  CHECK(edgesOf(compiled, "T") == Lines{"A -> error : !a {} ! Assertion",
                                        "A -> error : !b {} ! Assertion", "A -> B : true {}",
                                        "B -> error : !b {} ! Assertion", "B -> C : true {}"});
}

TEST_CASE("a local without a range is a local of the composition", "[specs][contract]") {
  auto compiled = compileContract("system s {\n"
                                  "  shared int next = 0; shared int serving = 0;\n"
                                  "  thread T { local int my;\n"
                                  "    initial A { -> B : my' == next && next' == next + 1; }\n"
                                  "    state B { -> C : my == serving; }\n"
                                  "    state C { -> D : serving' == serving + 1; } final D; }\n"
                                  "  never T.C with T.C;\n"
                                  "  run T*;\n"
                                  "}\n");
  CHECK(edgesOf(compiled, "T")[0] == "A -> B : my' == next && next' == next + 1 {next my}");
  CHECK(compiled.threads[0].unboundedLocals.size() == 1);
}

TEST_CASE("what the code side is told", "[specs][contract]") {
  auto compiled = compileContract("system s {\n"
                                  "  object dev : struct uart;\n"
                                  "  shared section irq @ irq_lock();\n"
                                  "  shared mutex m @ dev->m;\n"
                                  "  shared bool gone = false @ kfree(dev);\n"
                                  "  shared int n @ dev->n written under irq;\n"
                                  "  claim !gone && n > 0 @ transfer();\n"
                                  "  handler H for h via run_work(dev->work);\n"
                                  "  run H;\n"
                                  "}\n");
  REQUIRE(compiled.objects.size() == 1);
  CHECK(compiled.objects[0].tag + " " + compiled.objects[0].type == "struct uart");
  REQUIRE(compiled.locks.size() == 2);
  CHECK(compiled.locks[0].recursive); // a pair of functions always is
  CHECK(compiled.locks[1].kind == specs::syntax::TypeKind::Mutex);
  CHECK(compiled.shared[0].isLifetime());
  CHECK(compiled.shared[1].discipline->by.text == "irq");
  REQUIRE(compiled.claims.size() == 1);
  CHECK(compiled.claims[0].claim.text == "!gone && n > 0");
  CHECK(compiled.threads[0].via->function.text == "run_work");
  CHECK(compiled.threads[0].function == "h");
  CHECK(compiled.withoutContract == Lines{"H"});
}
