// SPDX-License-Identifier: Apache-2.0
//
// No input crashes, hangs or exhausts memory.
#include "TreeText.h"
#include "tests/Support.h"

#include "logic/Render.h"
#include "specs/format/Format.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace understudy;
using namespace understudy::tests;

namespace {

std::string repeat(const std::string &text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i)
    result += text;
  return result;
}
std::string invariant(const std::string &expr) { return "system s { invariant " + expr + "; }"; }

std::string fileText(const std::string &path) {
  std::ifstream in(tests::sourceFolder() + "/" + path);
  REQUIRE(in);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("nesting up to the limit is read, deeper nesting is an error") {
  auto nested = [](size_t depth) {
    return invariant(repeat("(", depth) + "a" + repeat(")", depth));
  };
  CHECK(contractErrors(nested(999)).empty());
  CHECK(contractErrors(nested(1000)) == "1:1021: brackets are nested deeper than 1000\n");
  CHECK(contractErrors(nested(300000)) == "1:1021: brackets are nested deeper than 1000\n");
  CHECK(contractErrors(invariant(repeat("(", 500000)))
            .starts_with("1:1021: brackets are nested deeper than 1000\n"));
}

TEST_CASE("deep trees without brackets are errors too") {
  CHECK(contractErrors(invariant(repeat("!", 999) + "a")).empty());
  CHECK(contractErrors(invariant(repeat("!", 2000000) + "a")) ==
        "1:22: more than 1000 operators before one operand\n");
  CHECK(contractErrors(invariant(repeat("a => ", 1000) + "a")).empty());
  CHECK(contractErrors(invariant(repeat("a => ", 100000) + "a")) ==
        "1:5024: more than 1000 '=>' in one expression\n");
  CHECK(contractErrors(invariant(repeat("a ? b : ", 998) + "a")).empty());
  CHECK(contractErrors(invariant(repeat("a ? b : ", 100000) + "a")) ==
        "1:8024: more than 1000 '?' in one expression\n");
  CHECK(contractErrors(invariant(repeat("a ? ", 100000) + "a")) ==
        "1:4020: conditionals are nested deeper than 1000\n");
  CHECK(contractErrors(invariant(repeat("a / ", 100000) + "a")) ==
        "1:4024: more than 1000 divisions in one chain\n");
  CHECK(contractErrors(invariant(repeat("-a[", 900) + "0" + repeat("]", 900))) ==
        "1:1222: this expression is nested deeper than 1000\n");
}

TEST_CASE("a chain of a million operands is one flat node") {
  auto parsed = contractOf(invariant(repeat("a + ", 999999) + "a"));
  const auto &item = std::get<specs::syntax::InvariantItem>(parsed.tree.items[0]);
  CHECK(item.condition->kind == specs::syntax::ExprKind::Chain);
  CHECK(item.condition->operands.size() == 1000000);
  std::string formatted = specs::format::format(parsed);
  CHECK(specs::format::format(contractOf(formatted)) == formatted);
}

TEST_CASE("nested and chained statements") {
  auto nested = [](size_t depth) {
    return "thread t " + repeat("{ while (a) ", depth) + "{ }" + repeat("}", depth);
  };
  auto parsed = concOf(nested(998));
  CHECK(specs::format::format(concOf(specs::format::format(parsed))) ==
        specs::format::format(parsed));
  CHECK(concErrors(nested(100000)).starts_with("1:12006: brackets are nested deeper than 1000\n"));
  auto chained = [](size_t count) {
    return "thread t { if (a) { } " + repeat("else if (b) { } ", count) + "}";
  };
  CHECK(concErrors(chained(999)).empty());
  CHECK(concErrors(chained(100000)) ==
        "1:16012: more than 1000 branches in one chain of 'else if'\n");
}

TEST_CASE("numbers that are too large name the largest one") {
  CHECK(contractErrors("system s { const N = 9223372036854775808; }") ==
        "1:22: the number 9223372036854775808 is too large "
        "(the largest number is 9223372036854775807)\n");
  CHECK(contractErrors("system s { const N = 0x8000000000000000; }") ==
        "1:22: the number 0x8000000000000000 is too large "
        "(the largest number is 9223372036854775807)\n");
  std::string huge = contractErrors("system s { const N = " + repeat("9", 1000000) + "; }");
  CHECK(huge.find("is too large") != std::string::npos);
  CHECK(huge.size() < 200);
}

TEST_CASE("a file of ten megabytes is read and formatted") {
  std::string thread = "thread t { // some thread\n" +
                       repeat("  x := x + 1; if (a < b) { lock m; } // step\n", 1000) + "}\n";
  std::string text = repeat(thread, 10'000'000 / thread.size());
  auto parsed = concOf(text);
  CHECK(parsed.tree.items.size() == 10'000'000 / thread.size());
  CHECK(specs::format::format(parsed).size() > 9'000'000);
}

TEST_CASE("ten megabytes of errors end in a hundred messages") {
  std::string text = "thread t {\n" + repeat("  x = x +;\n", 1'000'000) + "}\n";
  try {
    concOf(text);
    FAIL("accepted");
  } catch (const logic::Error &error) {
    CHECK(error.diagnostics().size() == 101);
    CHECK(error.diagnostics().back().message == "too many errors; only the first 100 are shown");
  }
}

TEST_CASE("bytes that are no text") {
  CHECK(contractErrors(std::string("system s {\0}", 12)) == "1:11: unexpected NUL byte\n");
  CHECK(contractErrors("system s { \xFF }") == "1:12: invalid UTF-8 byte (0xFF)\n");
  CHECK(contractErrors("system s { \x01 }") == "1:12: unexpected control character (0x01)\n");
  CHECK(contractErrors(std::string("system s { // \0 \xFF\n }", 20)).empty());
  CHECK(contractErrors("\xEF\xBB\xBFsystem s { }").empty());
  CHECK(contractErrors("system s {\r\n}\r\n").empty());
  CHECK(contractErrors(repeat(std::string(1, '\0'), 1000000)).size() < 200);
  CHECK(contractErrors(repeat("\xFF ", 100000)).size() < 10000);
}

TEST_CASE("a file cut off at any byte gets a message, and every message can be shown") {
  for (const char *path : {"tests/fuzz/corpus/contract/forms.contract",
                           "tests/fuzz/corpus/contract/battery.contract"}) {
    std::string text = fileText(path);
    size_t end = text.rfind('}');
    for (size_t size = 0; size < end; ++size) {
      INFO(path << " cut at " << size);
      try {
        contractOf(text.substr(0, size));
        FAIL("accepted");
      } catch (const logic::Error &error) {
        REQUIRE(logic::render(error.diagnostics()).find("error: ") != std::string::npos);
      }
    }
  }
  std::string text = fileText("tests/fuzz/corpus/conc/forms.conc");
  for (size_t size = 0; size < text.size(); ++size) {
    INFO("cut at " << size);
    try {
      auto parsed = concOf(text.substr(0, size));
      REQUIRE(specs::format::format(concOf(specs::format::format(parsed))) ==
              specs::format::format(parsed));
    } catch (const logic::Error &error) {
      REQUIRE(logic::render(error.diagnostics()).find("error: ") != std::string::npos);
    }
  }
}
