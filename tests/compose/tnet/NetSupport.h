// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/tnet/Explore.h"
#include "specs/tnet/CompileNet.h"
#include "tests/Support.h"

#include <fstream>
#include <sstream>
#include <string>

namespace understudy::tests {

inline compose::tnet::Net netOf(const std::string &text,
                                const specs::tnet::NetOptions &options = {}) {
  auto file = std::make_shared<const logic::SourceFile>("test.tnet", text);
  return specs::tnet::compileNet(specs::syntax::parseNet(file).tree, options);
}

inline std::string exampleText(const std::string &name) {
  std::ifstream in(sourceFolder() + "/examples/" + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline compose::tnet::Relations relationsOf(unsigned bits) {
  compose::tnet::Relations result;
  for (compose::tnet::Relation relation : compose::tnet::allRelations)
    if ((bits >> static_cast<unsigned>(relation) & 1) != 0)
      result.add(relation);
  return result;
}

} // namespace understudy::tests
