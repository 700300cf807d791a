// SPDX-License-Identifier: Apache-2.0
#include "Judging.h"

#include "specs/Compile.h"
#include "specs/syntax/Parse.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace understudy::tests {

compose::Program compiled(Language language, const std::string &text) {
  auto file = std::make_shared<const logic::SourceFile>("random", text);
  return language == Language::Conc
             ? specs::compile(specs::syntax::parseConc(file).tree, {specs::SpuriousWakeups::Off})
                   .program
             : specs::compile(specs::syntax::parseContract(file).tree, {specs::SpuriousWakeups::On})
                   .program;
}

bool runsAnyNumber(const compose::Program &program) {
  return std::any_of(program.starts.begin(), program.starts.end(),
                     [](const compose::Start &start) { return start.unbounded; });
}

compose::Verdict explored(const compose::Program &program, uint32_t each, uint64_t maxStates) {
  compose::exploration::ExplicitOptions options;
  for (const compose::Start &start : program.starts)
    if (start.unbounded)
      options.counts[start.thread] = each;
  options.maxStates = maxStates;
  return compose::exploration::verifyExplicit(program, options);
}

void Reasons::tell() const {
  if (std::getenv("UNDERSTUDY_NOTES") == nullptr)
    return;
  for (const auto &[reason, times] : reasons_)
    std::cout << "  " << times << " " << reason << "\n";
}

} // namespace understudy::tests
