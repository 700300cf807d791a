// SPDX-License-Identifier: Apache-2.0
//
// Compiles texts and shows the edges of templates as lines, so that tests can state them exactly.
#pragma once

#include "logic/smtlib/Print.h"
#include "specs/Compile.h"

#include <string>
#include <vector>

namespace understudy::tests {

inline logic::SourceFilePtr sourceOf(const std::string &name, const std::string &text) {
  return std::make_shared<logic::SourceFile>(name, text);
}

inline specs::Compiled
compileContract(const std::string &text,
                specs::SpuriousWakeups spurious = specs::SpuriousWakeups::On) {
  return specs::compile(specs::syntax::parseContract(sourceOf("test.contract", text)).tree,
                        {spurious});
}

inline specs::Compiled compileConc(const std::string &text,
                                   specs::SpuriousWakeups spurious = specs::SpuriousWakeups::Off) {
  return specs::compile(specs::syntax::parseConc(sourceOf("test.conc", text)).tree, {spurious});
}

inline std::string actionText(const compose::Action &action) {
  static const char *const names[] = {"",           " do fork",      " do join",
                                      " do lock",   " do unlock",    " do wait",
                                      " do signal", " do broadcast", " do call"};
  return names[action.index()];
}

inline std::string failureText(const compose::Edge &edge) {
  static const char *const names[] = {"Assertion", "OutOfRange", "OutOfBounds",
                                      "Relock",    "NotHeld",    "StillHeld"};
  return edge.failure ? std::string(" ! ") + names[static_cast<size_t>(*edge.failure)] : "";
}

/// "A -> B : x' == x + 1 {x} do lock", in the order of the template.
inline std::vector<std::string> edgesOf(const specs::Compiled &compiled,
                                        const std::string &thread) {
  const compose::Program &program = compiled.program;
  const compose::Template &t = program.templates.at(program.templateNamed(thread).value());
  std::vector<std::string> result;
  for (const compose::Edge &edge : t.edges) {
    std::string modified;
    for (const logic::Variable &v : edge.modified)
      modified += (modified.empty() ? "" : " ") + v.name();
    result.push_back(t.locations[edge.source].name + " -> " + t.locations[edge.target].name +
                     " : " + logic::smtlib::text(edge.relation) + " {" + modified + "}" +
                     actionText(edge.action) + failureText(edge));
  }
  return result;
}

using Lines = std::vector<std::string>;

} // namespace understudy::tests
