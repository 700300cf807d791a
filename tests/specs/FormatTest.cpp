// SPDX-License-Identifier: Apache-2.0
#include "specs/format/Format.h"

#include "../Support.h"
#include "RandomTree.h"
#include "TreeText.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::tests;

namespace {

std::string formatContract(const std::string &text) {
  std::string once = specs::format::format(contractOf(text));
  CHECK(specs::format::format(contractOf(once)) == once);
  CHECK(treeText(contractOf(once).tree, MemberOrder::Canonical) ==
        treeText(contractOf(text).tree, MemberOrder::Canonical));
  CHECK(contractOf(once).comments.size() == contractOf(text).comments.size());
  return once;
}
std::string formatConc(const std::string &text) {
  std::string once = specs::format::format(concOf(text));
  CHECK(specs::format::format(concOf(once)) == once);
  CHECK(treeText(concOf(once).tree) == treeText(concOf(text).tree));
  CHECK(concOf(once).comments.size() == concOf(text).comments.size());
  return once;
}
std::string formatBlock(const std::string &statements) {
  std::string text = formatConc("thread t {\n" + statements + "\n}\n");
  return text.substr(11, text.size() - 14);
}

/// Puts comments between the tokens of a text that has none, some on lines of their own.
std::string withComments(const std::string &text, Random &random) {
  std::string result;
  size_t number = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if ((text[i] != ' ' && text[i] != '\n') || !random.oneIn(6))
      continue;
    std::string word = "c" + std::to_string(number++);
    switch (random.below(4)) {
    case 0:
      result += "// " + word + "\n";
      break;
    case 1:
      result += "/* " + word + " */ ";
      break;
    case 2:
      result += "\n  // " + word + "\n";
      break;
    default:
      result += "/* " + word + "\n     more */ ";
      break;
    }
  }
  return result;
}

} // namespace

TEST_CASE("the layout of a contract") {
  CHECK(formatContract("system s{shared int x=0;shared  bool flag;\nshared bool z @ dev->z=true "
                       "guarded by m; // last\n\n\n\nconst N=4;thread T{final D;initial "
                       "Start{->D:x'==x+1;assert !flag;rely x'>=x;}state Go{->D do lock m;}\n"
                       "assert x>0;local int 0..3 n=1;}run T,U*;}") ==
        "system s {\n"
        "  shared int  x          = 0;\n"
        "  shared bool flag;\n"
        "  shared bool z @ dev->z = true guarded by m; // last\n"
        "\n"
        "  const N = 4;\n"
        "  thread T {\n"
        "    local int 0..3 n = 1;\n"
        "    assert x > 0;\n"
        "    final D;\n"
        "    initial Start { rely x' >= x;\n"
        "                    assert !flag;\n"
        "                    -> D : x' == x + 1; }\n"
        "    state Go      { -> D do lock m; }\n"
        "  }\n"
        "  run T, U*;\n"
        "}\n");
}

TEST_CASE("the layout of a program") {
  CHECK(formatConc("global int c=0,i;\n\nthread main(int x){L:while(true){fork i w();if(*){join "
                   "i-1;}else if(x>0){skip;}else{x:=fork w(1,2);}}atomic{}}thread w{}") ==
        "global int c = 0, i;\n"
        "\n"
        "thread main(int x) {\n"
        "  L:\n"
        "  while (true) {\n"
        "    fork i w();\n"
        "    if (*) {\n"
        "      join i - 1;\n"
        "    } else if (x > 0) {\n"
        "      skip;\n"
        "    } else {\n"
        "      x := fork w(1, 2);\n"
        "    }\n"
        "  }\n"
        "  atomic { }\n"
        "}\n"
        "thread w { }\n");
}

TEST_CASE("long expressions are broken before operators") {
  std::string text = formatContract(
      "system s { invariant firstCondition && secondCondition && thirdCondition && fourthCondition "
      "&& (fifthCondition || sixthCondition); }");
  CHECK(text ==
        "system s {\n"
        "  invariant firstCondition && secondCondition && thirdCondition && fourthCondition\n"
        "            && (fifthCondition || sixthCondition);\n"
        "}\n");
}

TEST_CASE("a comment on its own line stays before the next part") {
  CHECK(formatBlock("// one\n    // two\n\nx := 1;\n\n// three\n") ==
        "  // one\n  // two\n\n  x := 1;\n\n  // three");
  CHECK(formatContract("// top\n\nsystem s {\n// first\nconst N = 1;\n// end\n}\n// after\n") ==
        "// top\n\nsystem s {\n  // first\n  const N = 1;\n  // end\n}\n// after\n");
}

TEST_CASE("a comment behind a byte order mark is on its own line") {
  CHECK(formatConc("\xEF\xBB\xBF"
                   "/* one */ // two\nglobal int x;\n") == "/* one */\n// two\nglobal int x;\n");
}

TEST_CASE("a comment after code stays at the end of that line") {
  CHECK(formatBlock("x := 1;   // one\ny := 2; /* two */ /* three */") ==
        "  x := 1; // one\n  y := 2; /* two */ /* three */");
  CHECK(formatBlock("while (a) { // head\nskip; } // behind") ==
        "  while (a) { // head\n    skip;\n  } // behind");
}

TEST_CASE("a comment inside a statement moves to its end") {
  CHECK(formatBlock("x := 1 + /* why */ 2;") == "  x := 1 + 2; /* why */");
  CHECK(formatBlock("x := 1 + // why\n  2; // end") == "  // why\n  x := 1 + 2; // end");
  CHECK(formatBlock("if (a /* c */ && b) { skip; }") == "  if (a && b) { /* c */\n    skip;\n  }");
}

TEST_CASE("comments around else") {
  CHECK(formatBlock("if (a) { skip; } // one\n// two\nelse { // three\n skip; }") ==
        "  if (a) {\n    skip;\n  } else { // one\n    // two\n    // three\n    skip;\n  }");
}

TEST_CASE("comments in states") {
  auto state = [](const std::string &body) {
    std::string text = formatContract("system s { thread T { state S { " + body + " } } }");
    return text.substr(26, text.size() - 33);
  };
  CHECK(state("-> A; // one\n") == "  state S { -> A; } // one");
  CHECK(state("// zero\n -> A; // one\n -> B;") ==
        "  state S { // zero\n              -> A; // one\n              -> B; }");
  CHECK(state("-> A;\n // last\n") == "  state S { -> A;\n              // last\n            }");
  CHECK(state("// none\n") == "  state S { // none\n            }");
  CHECK(state("-> A; // edge\n assert x; // claim\n") ==
        "  state S { assert x; // claim\n              -> A; } // edge");
}

TEST_CASE("comments in enums") {
  CHECK(formatContract("system s { enum E { a, // first\n b /* second */ } }") ==
        "system s {\n  enum E {\n    a, // first\n    b /* second */\n  }\n}\n");
}

TEST_CASE("the lines of a comment move together") {
  CHECK(formatBlock("      /* one\n         two */\n      skip;") ==
        "  /* one\n     two */\n  skip;");
}

TEST_CASE("printing and parsing a random contract gives the same tree") {
  for (size_t run = 0; run < runs(20000); ++run) {
    INFO("seed " << seedOf(run));
    auto tree = randomContract(seedOf(run));
    std::string text = specs::format::format(tree);
    INFO(text);
    auto parsed = contractOf(text);
    REQUIRE(treeText(parsed.tree, MemberOrder::AsWritten) ==
            treeText(tree.tree, MemberOrder::Canonical));
    REQUIRE(specs::format::format(parsed) == text);
  }
}

TEST_CASE("printing and parsing a random program gives the same tree") {
  for (size_t run = 0; run < runs(20000); ++run) {
    INFO("seed " << seedOf(run));
    auto tree = randomConc(seedOf(run));
    std::string text = specs::format::format(tree);
    INFO(text);
    auto parsed = concOf(text);
    REQUIRE(treeText(parsed.tree) == treeText(tree.tree));
    REQUIRE(specs::format::format(parsed) == text);
  }
}

TEST_CASE("no comment is lost, wherever it stands") {
  for (size_t run = 0; run < runs(5000); ++run) {
    INFO("seed " << seedOf(run));
    Random random(seedOf(run));
    std::string contract = withComments(specs::format::format(randomContract(seedOf(run))), random);
    INFO(contract);
    formatContract(contract);
    std::string program = withComments(specs::format::format(randomConc(seedOf(run))), random);
    INFO(program);
    formatConc(program);
  }
}
