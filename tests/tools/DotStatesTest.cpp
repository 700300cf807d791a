// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/DotStates.h"

#include "tests/compose/tnet/NetSupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::compose::tnet;
using namespace understudy::tests;

namespace {

std::string pictureOf(const Net &net) {
  ExploreOptions options;
  options.graph = ExploreOptions::Graph::Keep;
  const ExploreResult result = explore(net, options);
  return tools::exports::dotText(net, result.graph.value(), {"net", result.states, "", {}});
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a picture lists tokens by place and letter, and renamings by letter") {
  const std::string server =
      pictureOf(netOf(exampleText("server.tnet"), {{{"k", 1}, {"m", 2}}, {}}));
  CHECK(has(server, "<BR/>listen(a, 2)<BR/>computed(b)<BR/>computed(c)<BR/>"));
  CHECK(has(server, "<BR/>listen(a, 2)<BR/>returned(b)<BR/>returned(c)<BR/>"));
  CHECK(has(server, "comp<BR/><FONT COLOR=\"gray45\" POINT-SIZE=\"9\">b to c, c to b</FONT>"));
  // Many tokens of one place, created in one order and changed in all.
  const std::string many =
      pictureOf(netOf("place begin(), at(int 0..1);\nstart begin;\n"
                      "transition go: begin(p) -> 5 * at(new of p, 0), end p;\n"
                      "transition up: at(p, 0) -> at(p, 1);\n"));
  CHECK(has(many, "at(a, 0)<BR/>at(b, 0)<BR/>at(c, 0)<BR/>at(d, 0)<BR/>at(e, 0)>"));
  size_t lines = 0;
  for (size_t at = many.find("<BR/>at(a, "); at != std::string::npos;
       at = many.find("<BR/>at(a, ", at + 1)) {
    std::string letters;
    for (size_t token = at + 5; many.compare(token, 3, "at(") == 0; token += 13)
      letters += many[token + 3];
    CHECK(letters == "abcde");
    ++lines;
  }
  CHECK(lines == 6);
}
