// SPDX-License-Identifier: Apache-2.0
//
// Every construct of both languages, as tree text.
#include "TreeText.h"

#include "specs/syntax/Keywords.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::tests;

TEST_CASE("expressions follow the precedences of C") {
  CHECK(exprText("a + b * c - d") == "(a + (b * c) - d)");
  CHECK(exprText("a - b - c + 1") == "(a - b - c + 1)");
  CHECK(exprText("a / b % c * d") == "(a / b % c * d)");
  CHECK(exprText("a || b && !c") == "(a || (b && (unary ! c)))");
  CHECK(exprText("a == b && c != d") == "((cmp a == b) && (cmp c != d))");
  CHECK(exprText("a < b == c") == "(cmp (cmp a < b) == c)");
  CHECK(exprText("a + 1 <= b * 2") == "(cmp (a + 1) <= (b * 2))");
  CHECK(exprText("a => b => c ? d : e") == "(implies a => b => (if c d e))");
  CHECK(exprText("a || b ? c => d : e ? f : g") == "(if (a || b) (implies c => d) (if e f g))");
  CHECK(exprText("x + 1 in LO - 1..N * 2 && y") == "((in in (x + 1) (LO - 1) (N * 2)) && y)");
  CHECK(exprText("x in 0..3 == true") == "(cmp (in in x 0 3) == true)");
  CHECK(exprText("- -x - -1") == "((unary - (unary - x)) - (unary - 1))");
  CHECK(exprText("!(a == b) || (((c)))") == "((unary ! p(cmp a == b)) || pc)");
}

TEST_CASE("operands of expressions") {
  CHECK(exprText("x' == y") == "(cmp x' == y)");
  CHECK(exprText("a'[i + 1] > a[b[0]]") == "(cmp a'[(i + 1)] > a[b[0]])");
  CHECK(exprText("held(m) && free(m) && havoc x") == "(held<m> && free<m> && havoc<x>)");
  CHECK(exprText("0x1F == 31 && true || false") == "(((cmp 0x1F == 31) && true) || false)");
  CHECK(exprText("9223372036854775807 == 0x7fffffffffffffff") ==
        "(cmp 9223372036854775807 == 0x7fffffffffffffff)");
}

TEST_CASE("items of a system") {
  CHECK(itemText("shared int x;") == "(shared <int> x)");
  CHECK(itemText("shared ghost int 0..N-1 x = 0;") == "(shared ghost <int 0..(N - 1)> x = 0)");
  CHECK(itemText("shared int -1..(N) x;") == "(shared <int (unary - 1)..pN> x)");
  CHECK(itemText("shared int LO..HI x;") == "(shared <int LO..HI> x)");
  CHECK(itemText("shared Mode a[N + 1] @ dev->a.b[3], struct  uart . state&0x2,\"f.c\" : x"
                 " = idle guarded by m;") ==
        "(shared <Mode> a size (N + 1) @ <dev->a.b[3] (memory dev)->a.b[3> "
        "<struct uart.state & 0x2 (bit struct uart 0x2).state> <\"f.c\":x (memory f.c x)> "
        "= idle guarded by m)");
  CHECK(itemText("shared mutex m @ lock->state.thread;") ==
        "(shared <mutex> m @ <lock->state.thread (memory lock)->state.thread>)");
  CHECK(itemText("shared cond c;") == "(shared <cond> c)");
  CHECK(itemText("enum Mode { idle, busy = 4 }") == "(enum Mode (idle) (busy = 4))");
  CHECK(itemText("enum Mode { idle, };") == "(enum Mode (idle))");
  CHECK(itemText("const N = 4;") == "(const N 4)");
  CHECK(itemText("define get = ref' == ref + 1;") == "(define get (cmp ref' == (ref + 1)))");
  CHECK(itemText("initially x >= 0;") == "(initially (cmp x >= 0))");
  CHECK(itemText("invariant x;") == "(invariant x)");
  CHECK(itemText("never A.S with B.T;") == "(never A.S B.T)");
  CHECK(itemText("run A, B * 3, C*, D * N;") == "(run (A) (B * 3) (C *) (D * N))");
  CHECK(itemText("thread T;") == "(thread T ;)");
  CHECK(itemText("thread T for state;") == "(thread T for state ;)");
  CHECK(itemText("handler H for \"file.c\":irq { }") == "(handler H for <file.c>:irq { })");
  CHECK(itemText("environment E { }") == "(environment E { })");
}

TEST_CASE("members of threads and states keep the order of the file") {
  CHECK(itemText("thread T { final D; state S { -> D; assert a; rely b; } rely c; assert d;"
                 " local int 0..3 x = 1; initial I; initial final F { } final G { -> G; } }") ==
        "(thread T { (final state D ;) (state S { (-> D) (assert a) (rely b) }) (rely c) "
        "(assert d) (local <int 0..3> x = 1) (initial state I ;) (initial final state F { }) "
        "(final state G { (-> G) }) })");
}

TEST_CASE("edges and actions") {
  auto edge = [](const std::string &text) {
    std::string whole = itemText("thread T { state S { -> " + text + "; } }");
    std::string start = "(thread T { (state S { (-> ";
    return whole.substr(start.size(), whole.size() - start.size() - 7);
  };
  CHECK(edge("D") == "D");
  CHECK(edge("D : x' && havoc y") == "D : (x' && havoc<y>)");
  CHECK(edge("D : x do fork T") == "D : x do (fork T)");
  CHECK(edge("D do fork T as i + 1") == "D do (fork T as (i + 1))");
  CHECK(edge("D do join T as 1") == "D do (join T as 1)");
  CHECK(edge("D do join as 1") == "D do (join as 1)");
  CHECK(edge("D do join T") == "D do (join T)");
  CHECK(edge("D do lock m") == "D do (lock m)");
  CHECK(edge("D do unlock m") == "D do (unlock m)");
  CHECK(edge("D do wait c with m") == "D do (wait c with m)");
  CHECK(edge("D do signal c") == "D do (signal c)");
  CHECK(edge("D do broadcast c") == "D do (broadcast c)");
  CHECK(edge("D do call lock") == "D do (call lock)");
}

TEST_CASE("declarations of CONC") {
  CHECK(treeText(concOf("global int c = 0, i;").tree) == "(global <int> (c = 0) (i))\n");
  CHECK(treeText(concOf("global int[] a;").tree) == "(global <int[]> (a))\n");
  CHECK(treeText(concOf("global int 0..3[4] a = 1;").tree) == "(global <int 0..3[4]> (a = 1))\n");
  CHECK(treeText(concOf("global int 0..N[4] a;").tree) == "(global <int 0..N[4]> (a))\n");
  CHECK(treeText(concOf("global bool[8] b; enum E { x } run a, b*;").tree) ==
        "(global <bool[8]> (b))\n(enum E (x))\n(run (a) (b *))\n");
  CHECK(treeText(concOf("thread t(int x, E[] y) { } thread u() { } never t.L with u.M;").tree) ==
        "(thread t (<int> x) (<E[]> y) { })\n(thread u { })\n(never t.L u.M)\n");
  CHECK(treeText(concOf("initially a; invariant state == 0;").tree) ==
        "(initially a)\n(invariant (cmp state == 0))\n");
}

TEST_CASE("statements of CONC") {
  CHECK(statementText("x := e + 1; a[i] := x; havoc x; skip; return;") ==
        "(x := (e + 1)) (a at i := x) (havoc x) (skip) (return)");
  CHECK(statementText("assume a; assert b; L: goto L; M:") ==
        "(assume a) (assert b) (label L) (goto L) (label M)");
  CHECK(statementText("if (a) { skip; } else if (*) { } else { skip; }") ==
        "(if a { (skip) } elseif { (if * { } else { (skip) }) })");
  CHECK(statementText("while (*) { } while (a) { atomic { skip; } }") ==
        "(while * { }) (while a { (atomic { (skip) }) })");
  CHECK(statementText("fork i w(); fork w(1, x); x := fork w(); fork a[i] + 1 w(2);") ==
        "(fork id i w [ ]) (fork w [ 1 x ]) (x := fork w [ ]) (fork id (a[i] + 1) w [ 2 ])");
  CHECK(statementText("join i - 1; join w;") == "(join (i - 1)) (join w)");
  CHECK(statementText("lock m; unlock m; wait c; wait c with m; signal c; broadcast c;") ==
        "(lock m) (unlock m) (wait c) (wait c with m) (signal c) (broadcast c)");
  CHECK(statementText("local int a = 1, b; local bool[] c;") ==
        "(local <int> (a = 1) (b)) (local <bool[]> (c))");
}

TEST_CASE("every node knows its range") {
  auto parsed = contractOf("system s {\n  invariant (a + b) *\n    c;\n}");
  auto text = [](const logic::SourceRange &range) {
    return range.text() + "-" + std::to_string(range.end.line) + ":" +
           std::to_string(range.end.column);
  };
  CHECK(text(parsed.tree.range) == "test:1:1-4:2");
  CHECK(text(parsed.tree.name.range) == "test:1:8-1:9");
  const auto &item = std::get<specs::syntax::InvariantItem>(parsed.tree.items[0]);
  CHECK(text(item.range) == "test:2:3-3:7");
  CHECK(text(item.condition->range) == "test:2:13-3:6");
  CHECK(text(item.condition->operands[0]->range) == "test:2:14-2:19");
  CHECK(text(item.condition->operatorRanges[0]) == "test:2:21-2:22");

  auto conc = concOf("thread t {\n  while (a) { x := 1; }\n}");
  const auto &loop = std::get<specs::syntax::ConcThread>(conc.tree.items[0]).body[0];
  CHECK(text(loop.range) == "test:2:3-2:12");
  CHECK(text(loop.whole) == "test:2:3-2:24");
}

TEST_CASE("the expectation in the first line") {
  auto expectation = [](const std::string &line) { return concOf(line + "\n").tree.expectation; };
  REQUIRE(expectation("// expect: safe, width 2"));
  CHECK(expectation("// expect: safe, width 2")->width == 2U);
  CHECK(expectation("// expect: safe, width 2")->safe);
  REQUIRE(expectation("// expect: unsafe"));
  CHECK_FALSE(expectation("// expect: unsafe")->safe);
  CHECK_FALSE(expectation("// expect: unsafe")->width);
  CHECK(expectation("// expect: safe (soundness)"));
  CHECK_FALSE(expectation("\n// expect: safe"));
  CHECK_FALSE(expectation("// expects nothing"));
  auto broken = concOf("// expect: sfae\n");
  REQUIRE(broken.warnings.size() == 1);
  CHECK(broken.warnings[0].message == "malformed expectation, ignored");
}

TEST_CASE("a negation before a comparison gets a warning unless it is in parentheses") {
  CHECK(contractOf("system s { invariant !x == y; }").warnings.size() == 1);
  CHECK(contractOf("system s { invariant !x in 0..1; }").warnings.size() == 1);
  CHECK(contractOf("system s { invariant (!x) == y; }").warnings.empty());
  CHECK(contractOf("system s { invariant !(x == y); }").warnings.empty());
  CHECK(contractOf("system s { invariant y == !x; }").warnings.empty());
}

TEST_CASE("keywords belong to one language or both") {
  CHECK(specs::syntax::keyword("state", specs::syntax::Language::Contract));
  CHECK_FALSE(specs::syntax::keyword("state", specs::syntax::Language::Conc));
  CHECK(specs::syntax::keyword("while", specs::syntax::Language::Conc));
  CHECK_FALSE(specs::syntax::keyword("while", specs::syntax::Language::Contract));
  for (specs::syntax::Language language :
       {specs::syntax::Language::Contract, specs::syntax::Language::Conc})
    for (const std::string &word : specs::syntax::keywords(language))
      CHECK(specs::syntax::keyword(word, language));
  CHECK(specs::syntax::nearestKeyword("sate", specs::syntax::Language::Contract) == "state");
  CHECK(specs::syntax::nearestKeyword("tread", specs::syntax::Language::Contract) == "thread");
  CHECK(specs::syntax::nearestKeyword("asert", specs::syntax::Language::Conc) == "assert");
  CHECK_FALSE(specs::syntax::nearestKeyword("pendingIO", specs::syntax::Language::Contract));
}
