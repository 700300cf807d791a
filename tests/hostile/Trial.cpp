// SPDX-License-Identifier: Apache-2.0
#include "Trial.h"

#include "Learn.h"
#include "conform/Mutate.h"
#include "logic/Error.h"

#include <fstream>

namespace understudy::tests::hostile {
namespace {

/// Limits are counts, so that answers do not depend on the machine.
constexpr uint64_t resources = 20'000'000;
constexpr double seconds = 10; ///< the solver can loop without counting; then the answer is unknown
constexpr size_t learningRuns = 300;
constexpr size_t mostStates = 14;

specs::Compiled compiled(const FiniteSystem &system) {
  const auto file =
      std::make_shared<const logic::SourceFile>("hostile.contract", contractText(system));
  return specs::compile(specs::syntax::parseContract(file).tree, {});
}

Answer answered(const passes::ConformResult &result) {
  const passes::ThreadConformance &thread = result.threads.at(0);
  Answer answer{thread.answer, thread.reason, thread.reason};
  if (result.start) {
    answer.verdict = passes::ConformAnswer::Violates;
    answer.why = "start values: " + result.start->sentence;
  }
  if (thread.story) {
    answer.why += thread.story->sentence + "\n";
    for (const passes::ConformStep &step : thread.story->steps)
      answer.why += "  " + step.range.text() + " " + step.text + "\n";
  }
  for (const std::string &assumption : thread.assumptions)
    answer.why += "\n  assumes: " + assumption;
  return answer;
}

bool namesState(const ThreadContract &contract, const std::string &name) {
  return std::any_of(contract.states.begin(), contract.states.end(),
                     [&](const ContractState &state) { return state.name == name; });
}

} // namespace

Trial::Trial(std::vector<Program> programs, uint64_t seed, Sight sight)
    : seed_(seed), programs_(std::move(programs)) {
  text_ = fileHeader(seed);
  for (const Program &program : programs_)
    text_ += hostile::text(program);
  const auto path = folder_ / "hostile.c";
  {
    std::ofstream file(path);
    file << text_ << tables(programs_);
  }
  library_.emplace(path);
  passes::read::CodeOptions options;
  options.files = {path.string()};
  if (sight == Sight::Forgetful)
    options.clangArgs = {"-DHOSTILE_FORGETFUL"};
  code_.emplace(passes::read::readCode(options));
}

std::optional<FiniteSystem> Trial::contract(size_t index, uint64_t seed) const {
  const Program &program = programs_[index];
  Random random(seed);
  FiniteSystem system;
  system.prefix = program.prefix;
  system.shared = program.shared;
  const SharedSpace space(system.shared);
  const Subject subject{*library_, program, index};
  Learner learner(space, random);
  const Manner manner = random.oneIn(3) ? Manner::Quiet : Manner::Hostile;
  for (size_t i = 0; i < learningRuns; ++i)
    Run(subject, space, learner, random, manner).execute();
  Part part;
  part.code.function = program.thread();
  part.contract = learner.contract();
  for (size_t i = random.below(3); i > 1; --i)
    loosen(random, space, part.contract);
  if (random.oneIn(3))
    distort(random, space, part.contract);
  if (!tidy(part.contract) || part.contract.states.size() > mostStates)
    return std::nullopt;
  const std::string code = hostile::text(program);
  const std::string word = "UNDERSTUDY_AT(";
  for (size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + 1)) {
    const size_t start = at + word.size();
    if (!namesState(part.contract, code.substr(start, code.find(')', start) - start)))
      return std::nullopt;
  }
  system.parts.push_back(part);
  return system;
}

std::optional<Seen> Trial::watch(size_t index, const FiniteSystem &system, uint64_t seed,
                                 size_t runs) const {
  const SharedSpace space(system.shared);
  const Subject subject{*library_, programs_[index], index};
  Random random(seed);
  Judge judge(space, system);
  for (size_t i = 0; i < runs; ++i) {
    Run run(subject, space, judge, random, i % 3 ? Manner::Hostile : Manner::Quiet);
    if (const auto breach = run.execute())
      return Seen{*breach, run.story()};
  }
  return std::nullopt;
}

Answer Trial::ask(const FiniteSystem &system) const {
  try {
    passes::ConformOptions options;
    options.engine.resources = resources;
    options.engine.maxSeconds = seconds;
    options.vacuity = passes::VacuityReport::Off;
    options.overflow = passes::OverflowMode::Wrap;
    return answered(passes::conform(*code_, compiled(system), options));
  } catch (const logic::Error &error) {
    return {passes::ConformAnswer::Unknown, "refused: " + std::string(error.what()),
            std::string(error.what())};
  }
}

} // namespace understudy::tests::hostile
