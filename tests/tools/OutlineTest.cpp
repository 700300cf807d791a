// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/OwickiGriesCheck.h"
#include "logic/Error.h"
#include "specs/Compile.h"
#include "tools/outline/OutlineReader.h"
#include "tools/outline/OutlineWriter.h"

#include <catch2/catch.hpp>

namespace understudy::tools::outline {
namespace {

using compose::proof::Discharge;

struct ReadOutline {
  compose::Program program;
  Outline outline;
};

ReadOutline readText(const std::string &text) {
  auto file = std::make_shared<logic::SourceFile>("x.conc", text);
  auto parsed = specs::syntax::parseConc(file);
  ReadOutline result{specs::compile(parsed.tree, {specs::SpuriousWakeups::Off}).program, {}};
  result.outline = readOutline(result.program, file, parsed.comments);
  return result;
}

/// "2:5: message", of the first error; empty: there is none.
std::string faultOf(const std::string &text) {
  try {
    readText(text);
    return "";
  } catch (const logic::Error &error) {
    const logic::Diagnostic &first = error.diagnostics().front();
    return std::to_string(first.range.begin.line) + ":" + std::to_string(first.range.begin.column) +
           ": " + first.message;
  }
}

/// The outline without its comments, and then with what was read of them.
std::string rewritten(const ReadOutline &read) {
  const std::string text(read.program.templates.front().range.file->text());
  std::string plain;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    std::string line = text.substr(at, end - at);
    line = line.substr(0, line.find("//"));
    if (line.find_first_not_of(' ') != std::string::npos)
      plain += line + "\n";
    at = end + 1;
  }
  auto file = std::make_shared<logic::SourceFile>("x.conc", plain);
  const auto program =
      specs::compile(specs::syntax::parseConc(file).tree, {specs::SpuriousWakeups::Off}).program;
  // Terms belong to the program that was read.
  compose::Program own = read.program;
  for (size_t i = 0; i < own.templates.size(); ++i) {
    own.templates[i].range = program.templates[i].range;
    for (size_t l = 0; l < own.templates[i].locations.size(); ++l)
      own.templates[i].locations[l].range = program.templates[i].locations[l].range;
    for (size_t e = 0; e < own.templates[i].edges.size(); ++e)
      own.templates[i].edges[e].range = program.templates[i].edges[e].range;
  }
  return outlineText(own, *file, read.outline.annotation);
}

bool holds(const ReadOutline &read) {
  const auto script = compose::proof::owickiGriesObligations(
      read.program, compose::proof::evidenceOf(read.outline.annotation));
  return compose::proof::discharge(script, {}).outcome == Discharge::Outcome::Holds;
}

/// A thread with this body.
std::string thread(const std::string &body) {
  return "global int x = 0;\nthread T {\n" + body + "}\nrun T;\n";
}

} // namespace

TEST_CASE("outline: comments belong to the statements around them") {
  const ReadOutline read =
      readText("// ghost int g = 0\n" + thread("  // { x == 0 && g == 0 }\n"
                                               "  x := 1; // ghost g := x\n"
                                               "  // { x == 1 && g == 1 }\n"
                                               "  if (x > 0) {\n"
                                               "    // ghost g := 2 (when x > 0)\n"
                                               "    // { g == 2 }\n"
                                               "    skip;\n"
                                               "  }\n"
                                               "  // { x == 1 && g == 2 }\n"));
  CHECK(read.outline.annotation.ghosts.size() == 1);
  CHECK(read.outline.annotation.updates.size() == 2);
  CHECK(read.outline.written == 4);
  CHECK_FALSE(holds(read)); // x == 1 is lost at skip
}

TEST_CASE("outline: lines are broken where a comment must stand within them") {
  const ReadOutline read = readText(
      "global int x = 0;\nthread T { x := 1; if (*) { x := 2; } assert x > 0; }\nrun T;\n");
  CHECK(rewritten(read) == "global int x = 0;\n"
                           "thread T {\n"
                           "  // { true }\n"
                           "  x := 1;\n"
                           "  // { true }\n"
                           "  if (*) {\n"
                           "  // { true }\n"
                           "  x := 2; }\n"
                           "  // { true }\n"
                           "  assert x > 0;\n"
                           "  // { true }\n"
                           "}\n"
                           "run T;\n");
  CHECK(rewritten(readText(rewritten(read))) == rewritten(read));
}

TEST_CASE("outline: the cases of a statement have names") {
  const std::string text = "// ghost int g = 0\n" + thread("  // { true }\n"
                                                           "  if (*) {\n"
                                                           "    // ghost g := 1 (case 1)\n"
                                                           "    // ghost g := 2 (case 2)\n"
                                                           "    // { g == 1 }\n"
                                                           "    skip;\n"
                                                           "  }\n"
                                                           "  // { g == 1 || g == 2 }\n");
  const ReadOutline read = readText(text);
  CHECK(holds(read));
  CHECK(rewritten(readText(rewritten(read))) == rewritten(read));
  CHECK(rewritten(read).find("(case 2)") != std::string::npos);
}

TEST_CASE("outline: mutexes, waits, slots and ids have words") {
  const std::string text = "// ghost bool told = false\n"
                           "// at most 2 threads w at a time\n"
                           "// invariant told || free(m) || main#1.held(m)\n"
                           "global mutex m; global cond c; global int n = 0;\n"
                           "thread main {\n"
                           "  fork 1 w(); fork 2 w();\n"
                           "  // { !held(m) }\n"
                           "  lock m;\n"
                           "  // { held(m) && !free(m) }\n"
                           "  // waiting on c: { !held(m) }\n"
                           "  // woken: { !held(m) }\n"
                           "  wait c with m;\n"
                           "  // { held(m) && w#1.id == w#1.id }\n"
                           "  unlock m;\n"
                           "}\n"
                           "thread w {\n"
                           "  // slot 1: { id == 1 || alive }\n"
                           "  // slot 2: { id == 2 || alive }\n"
                           "  signal c;\n"
                           "  // ghost told := true (with nobody)\n"
                           "}\n"
                           "run main;\n";
  const ReadOutline read = readText(text);
  CHECK(read.outline.annotation.slots == std::vector<uint32_t>{1, 2});
  CHECK(read.outline.annotation.updates.size() == 2);
  const std::string again = rewritten(read);
  CHECK(again.find("(with nobody)") != std::string::npos);
  CHECK(again.find("woken: { ") != std::string::npos);
  CHECK(rewritten(readText(again)) == again);
}

TEST_CASE("outline: a variable may be called id") {
  const ReadOutline read =
      readText("global int x = 0;\n"
               "thread main { local int id = 3; fork 7 w(); join 7; }\n"
               "thread w {\n  // { id_ == id_ && main#1.id == 3 }\n  skip;\n}\nrun main;\n");
  CHECK(read.outline.written == 1);
}

TEST_CASE("outline: what is wrong is said where it stands") {
  CHECK(faultOf(thread("  // { y > 0 }\n  x := 1;\n")) == "3:8: unknown name 'y'");
  CHECK(faultOf(thread("  // { x > }\n  x := 1;\n")) ==
        "3:11: expected an expression, found the end of the formula");
  CHECK(faultOf(thread("  // { x > 0 y }\n  x := 1;\n")) ==
        "3:14: expected an operator or the end of the formula, found 'y'");
  CHECK(faultOf(thread("  // { x' > 0 }\n  x := 1;\n")) ==
        "3:8: a prime is not allowed in a CONC program");
  CHECK(faultOf(thread("  // {}\n  x := 1;\n")) ==
        "3:7: expected an expression, found the end of the formula");
  CHECK(faultOf("// ghost int g\n" + thread("  x := 1;\n")) ==
        "1:10: expected a ghost, 'int NAME = VALUE' or 'bool NAME = VALUE', or an update, 'NAME := "
        "VALUE'");
  CHECK(faultOf("// ghost int 1g = 0\n" + thread("  x := 1;\n")) ==
        "1:14: expected the name of a ghost");
  CHECK(faultOf("// ghost int g = x\n" + thread("  x := 1;\n")) ==
        "1:18: expected a constant, but 'x' is a variable");
  CHECK(faultOf("// ghost int g = 0\n// ghost bool g = true\n" + thread("  x := 1;\n")) ==
        "2:15: 'g' is already declared");
  CHECK(faultOf("// ghost int T = 0\n" + thread("  x := 1;\n")) == "1:14: 'T' is already declared");
  CHECK(faultOf(thread("  x := 1;\n  // ghost x := 2\n")) == "4:12: 'x' is not a ghost");
  CHECK(faultOf("// ghost int g = 0\n" + thread("  x := 1;\n  // ghost g := 1; g := 2\n")) ==
        "5:20: 'g' is assigned twice");
  CHECK(faultOf("// ghost int g = 0\n" +
                thread("  x := 1;\n  // ghost g := 1\n  // ghost g := 2\n")) ==
        "6:6: there are two updates for one step");
  CHECK(faultOf("// ghost int g = 0\n" + thread("  x := 1;\n  // ghost g := true\n")) ==
        "5:17: expected a value of type 'int', but this is bool");
  CHECK(faultOf("// at most 0 threads T at a time\n" + thread("  x := 1;\n")) ==
        "1:12: expected a number of threads from 1 to 10000");
  CHECK(faultOf("// at most 2 threads U at a time\n" + thread("  x := 1;\n")) ==
        "1:22: unknown thread 'U'");
  CHECK(faultOf(thread("  // woken: { true }\n  x := 1;\n")) ==
        "3:13: the statement that follows has no place 'woken'");
  CHECK(faultOf("// not running: { true }\n").starts_with("1:1"));
  CHECK(
      faultOf("// invariant held(m)\nglobal mutex m;\nthread T { lock m; unlock m; }\nrun T;\n") ==
      "1:14: 'held(m)' is only allowed inside a thread");
}

TEST_CASE("outline: huge formulas are refused, not read") {
  const std::string longText(size_t{2} << 20, '!');
  CHECK(faultOf(thread("  // { " + longText + "true }\n  x := 1;\n")) ==
        "3:8: this formula is longer than 1048576 characters");
  const std::string open(5000, '('), close(5000, ')');
  CHECK(faultOf(thread("  // { " + open + "true" + close + " }\n  x := 1;\n")) ==
        "3:1008: brackets are nested deeper than 1000");
  std::string sum = "x";
  for (int i = 0; i < 20'000; ++i)
    sum += " + 1";
  CHECK(faultOf(thread("  // { " + sum + " > 0 }\n  x := 1;\n")) == "");
}

} // namespace understudy::tools::outline
