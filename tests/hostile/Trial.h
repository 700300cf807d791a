// SPDX-License-Identifier: Apache-2.0
//
// Programs in one file, compiled twice: to be executed, and for the tool.
#pragma once

#include "Run.h"
#include "passes/Conform.h"

namespace understudy::tests::hostile {

struct Seen {
  Breach breach = Breach::Step;
  std::string story;
};

struct Answer {
  passes::ConformAnswer verdict = passes::ConformAnswer::Unknown;
  std::string reason; ///< of unknown
  std::string why;    ///< all that the tool says
};

/// What the tool gets to see. One that forgets shows that the test would catch a tool that does:
/// external functions keep nothing, and callbacks that are called late are not called.
enum class Sight : uint8_t { Whole, Forgetful };

class Trial {
public:
  /// Throws `std::runtime_error` or `logic::Error` when the file does not compile.
  Trial(std::vector<Program> programs, uint64_t seed, Sight sight = Sight::Whole);

  const Program &program(size_t index) const { return programs_[index]; }
  /// A contract that is learned from the program's runs and then perhaps changed; none if a marker
  /// of the program names no state of it.
  std::optional<FiniteSystem> contract(size_t index, uint64_t seed) const;
  /// A run that breaks the contract, if one is seen.
  std::optional<Seen> watch(size_t index, const FiniteSystem &system, uint64_t seed,
                            size_t runs) const;
  Answer ask(const FiniteSystem &system) const;

  const std::string &text() const { return text_; }
  uint64_t seed() const { return seed_; }

private:
  uint64_t seed_;
  std::vector<Program> programs_;
  std::string text_;
  Folder folder_;
  std::optional<Library> library_;
  std::optional<passes::read::Code> code_;
};

} // namespace understudy::tests::hostile
