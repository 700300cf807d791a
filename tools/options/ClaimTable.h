// SPDX-License-Identifier: Apache-2.0
//
// The options that the meaning of a verdict depends on, each declared once: the command line, its
// help, certificates and the validator follow from this table.
#pragma once

#include "tools/options/Options.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace understudy::tools::options {

/// The numbers that an option takes.
struct Range {
  uint64_t least = 1;
  uint64_t most = std::numeric_limits<uint64_t>::max();
};

/// What there is to say about an option, besides its value and default.
struct Declared {
  std::string name; ///< as the user types it
  std::vector<CommandName> commands;
  std::string help;
  std::string shape{}; ///< of its value, "SECONDS"; those of words and flags are known
  Range range{};
  std::string key{}; ///< in certificates

  bool isOf(CommandName command) const {
    return std::find(commands.begin(), commands.end(), command) != commands.end();
  }
};

/// Calls `visit` with each declaration and the place of its value.
template <typename AnyClaim, typename Visit>
void visitClaim(AnyClaim &claim, Visit &&visit) {
  using enum CommandName;
  visit(Declared{"--threads",
                 {Check, Compose, Verify, Export, Validate},
                 "Run N threads T where the file allows any number (T*)",
                 "T=N",
                 {0, 10'000}, // more cannot be explored anyway; keeps typing mistakes short
                 "threads"},
        claim.threads);
  visit(Declared{"--spurious",
                 {Check, Conform, Compose, Verify, Export, Validate},
                 "Allow spurious wakeups (default: on for contracts, off for CONC)",
                 {},
                 {},
                 "spurious"},
        claim.spurious);
  visit(Declared{"--deadlock",
                 {Compose, Verify},
                 "Also check for deadlock: states in which no thread can move",
                 {},
                 {},
                 "deadlock"},
        claim.deadlock);
  visit(Declared{"--overflow",
                 {Check, Conform},
                 "Stores that overflow the C type: assume none, report them, or wrap as in C",
                 {},
                 {},
                 "overflow"},
        claim.overflow);
  visit(
      Declared{"--thread", {Conform}, "Check only this thread; repeatable", "T", {}, "onlyThreads"},
      claim.onlyThreads);
  visit(Declared{"--clang-arg",
                 {Check, Conform},
                 "Pass ARG to clang for each .c file, as in --clang-arg=-DDEBUG; repeatable",
                 "ARG",
                 {},
                 "clangArguments"},
        claim.clangArgs);
  visit(Declared{"--assert-hook",
                 {Check, Conform},
                 "A call to this function is a failed assertion; repeatable",
                 "NAME",
                 {},
                 "assertHooks"},
        claim.assertHooks);
  visit(Declared{"--target",
                 {Cover, Export},
                 "For .tts: state that must not be covered, such as \"1|2,2\" (default: the .prop "
                 "file)",
                 "STATE",
                 {},
                 "target"},
        claim.target);
  visit(Declared{"--init",
                 {Cover, Export},
                 "For .tts: initial state, such as \"0|3/1\": one thread in 3, any number in 1 "
                 "(default \"0/0\")",
                 "STATE",
                 {},
                 "init"},
        claim.init);
  visit(Declared{"--set",
                 {Explore},
                 "Give a constant of the net another value, as in k=3; repeatable",
                 "NAME=N",
                 {},
                 "set"},
        claim.set);
  visit(
      Declared{"--relations",
               {Explore},
               "The relations of thread ids that tell states apart: parent, ancestor, next, elder, "
               "separated by commas, or none (default: what the file lists, else what it uses)",
               "LIST",
               {},
               "relations"},
      claim.relations);
}

} // namespace understudy::tools::options
