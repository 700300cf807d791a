// SPDX-License-Identifier: Apache-2.0
#include "logic/Render.h"

#include <catch2/catch.hpp>

using namespace understudy::logic;

namespace {

Diagnostic at(const std::string &text, Position begin, Position end) {
  return {Severity::Error, {std::make_shared<SourceFile>("f", text), begin, end}, "wrong", "mend"};
}

} // namespace

TEST_CASE("a diagnostic shows its line and marks its range") {
  CHECK(render(at("one\ntwo three\n", {2, 5}, {2, 10})) == "f:2:5: error: wrong\n"
                                                           "    2 | two three\n"
                                                           "      |     ^~~~~\n"
                                                           "     hint: mend\n");
  CHECK(render(Diagnostic{Severity::Warning, {}, "odd", {}}) == "warning: odd\n");
}

TEST_CASE("marks are clipped to the line") {
  CHECK(render(at("ab\ncd\n", {1, 2}, {2, 2})) ==
        "f:1:2: error: wrong\n    1 | ab\n      |  ^\n     hint: mend\n");
  CHECK(render(at("ab", {1, 3}, {1, 3})) ==
        "f:1:3: error: wrong\n    1 | ab\n      |   ^\n     hint: mend\n");
  CHECK(render(at("ab\n", {2, 1}, {2, 1})) ==
        "f:2:1: error: wrong\n    2 |\n      | ^\n     hint: mend\n");
}

TEST_CASE("tabs, wide characters and bytes that are no text") {
  CHECK(render(at("\tx", {1, 2}, {1, 3})) ==
        "f:1:2: error: wrong\n    1 |   x\n      |   ^\n     hint: mend\n");
  CHECK(render(at("\xC3\xA4 x", {1, 4}, {1, 5})) ==
        "f:1:4: error: wrong\n    1 | \xC3\xA4 x\n      |   ^\n     hint: mend\n");
  CHECK(render(at(std::string("\0\xFF x", 4), {1, 2}, {1, 3})) ==
        "f:1:2: error: wrong\n    1 | <00><FF> x\n      |     ^~~~\n     hint: mend\n");
}

TEST_CASE("a long line is clipped around the mark") {
  std::string line(2000001, 'a');
  line[1000000] = 'b';
  std::string expected = "f:1:1000001: error: wrong\n    1 | ...";
  expected += std::string(50, 'a');
  expected += 'b';
  expected += std::string(49, 'a');
  expected += "...\n      |    ";
  expected += std::string(50, ' ');
  expected += "^\n     hint: mend\n";
  CHECK(render(at(line, {1, 1000001}, {1, 1000002})) == expected);
}

TEST_CASE("several diagnostics are counted") {
  Diagnostic error{Severity::Error, {}, "a", {}};
  Diagnostic warning{Severity::Warning, {}, "b", {}};
  CHECK(render(std::vector{error, error, warning}) ==
        "error: a\nerror: a\nwarning: b\n2 errors, 1 warning\n");
  CHECK(render(std::vector<Diagnostic>{}).empty());
}
