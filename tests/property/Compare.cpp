// SPDX-License-Identifier: Apache-2.0
#include "Compare.h"

#include "Literal.h"
#include "compose/exploration/Explicit.h"
#include "logic/Error.h"
#include "specs/format/Format.h"
#include "specs/syntax/Parse.h"

#include <memory>

namespace understudy::tests {
namespace {

using namespace compose;
using namespace compose::exploration;

constexpr uint32_t starred = 2; ///< threads that `T*` stands for

struct Read {
  specs::Compiled compiled;
  std::string formatted;
  std::optional<specs::syntax::ConcFile> conc;
};

logic::SourceFilePtr fileOf(Language language, const std::string &text) {
  return std::make_shared<const logic::SourceFile>("random." + extension(language), text);
}

Read read(Language language, const std::string &text, const CompareOptions &options) {
  const specs::CompileOptions compile{options.spurious};
  if (language == Language::Contract) {
    const auto parsed = specs::syntax::parseContract(fileOf(language, text));
    return {specs::compile(parsed.tree, compile), specs::format::format(parsed), {}};
  }
  const auto parsed = specs::syntax::parseConc(fileOf(language, text));
  return {specs::compile(parsed.tree, compile), specs::format::format(parsed), parsed.tree};
}

std::string formatted(Language language, const std::string &text) {
  const auto file = fileOf(language, text);
  return language == Language::Contract ? specs::format::format(specs::syntax::parseContract(file))
                                        : specs::format::format(specs::syntax::parseConc(file));
}

ThreadCounts countsOf(const Program &program) {
  ThreadCounts counts;
  for (const Start &start : program.starts)
    if (start.unbounded)
      counts[start.thread] = starred;
  return counts;
}

/// The engine looks at fewer threads of `run T*` only when deadlocks count: everything else that
/// fewer threads can do wrong, more threads can, too.
NaiveOptions naiveOptions(const Program &program, ExplicitOptions::Deadlock deadlock) {
  NaiveOptions options;
  options.counts = countsOf(program);
  options.deadlock = deadlock;
  if (deadlock == ExplicitOptions::Deadlock::Check)
    options.starred = Starred::OrFewer;
  return options;
}

Verdict verify(const Program &program, const CompareOptions &options,
               ExplicitOptions::Symmetry symmetry,
               ExplicitOptions::Names names = ExplicitOptions::Names::Keep) {
  ExplicitOptions engine;
  engine.counts = countsOf(program);
  engine.symmetry = symmetry;
  engine.names = names;
  engine.deadlock = options.deadlock;
  engine.maxStates = 20000;
  return verifyExplicit(program, engine);
}

std::string differ(const std::string &what, const std::string &expected, const std::string &got) {
  return what + ": expected " + expected + ", got " + got;
}

/// The verdict against the definition.
std::optional<std::string> judge(const std::string &who, const Program &program,
                                 const NaiveResult &naive, size_t states, const Verdict &verdict) {
  if (verdict.answer != naive.answer)
    return differ(who + ", answer", word(naive.answer),
                  word(verdict.answer) + " " + verdict.reason);
  if (verdict.answer == Answer::Safe) {
    if (verdict.statistics.states != states)
      return differ(who + ", states", std::to_string(states),
                    std::to_string(verdict.statistics.states));
    if (verdict.width != naive.width)
      return differ(who + ", thread width", std::to_string(naive.width),
                    verdict.width ? std::to_string(*verdict.width) : "none");
    return std::nullopt;
  }
  if (!verdict.trace)
    return who + ", unsafe without a trace";
  if (const auto wrong = replay(program, *verdict.trace))
    return who + ", the trace does not replay: " + *wrong;
  const size_t length = verdict.trace->steps.size();
  if (length != naive.length)
    return differ(who + ", length of the trace", std::to_string(naive.length),
                  std::to_string(length));
  return std::nullopt;
}

/// States that differ only in the names of ids may be one, or count as one too often. Nothing else
/// changes.
std::optional<std::string> judgeRenamed(const Program &program, const CompareOptions &options,
                                        const NaiveResult &naive) {
  for (auto names : {ExplicitOptions::Names::Rename, ExplicitOptions::Names::ClearAndRename}) {
    const Verdict renamed = verify(program, options, ExplicitOptions::Symmetry::On, names);
    if (renamed.answer == Answer::Safe && renamed.statistics.states > naive.symmetricStates)
      return differ("with renamed ids, states", "at most " + std::to_string(naive.symmetricStates),
                    std::to_string(renamed.statistics.states));
    if (auto wrong = judge("with renamed ids", program, naive, renamed.statistics.states, renamed))
      return wrong;
  }
  return std::nullopt;
}

/// The literal semantics against the definition on programs; it does not look for deadlocks.
std::optional<std::string> judgeLiterally(const specs::syntax::ConcFile &file,
                                          const Program &program, const CompareOptions &options,
                                          const NaiveResult &naive) {
  NaiveResult expected = naive;
  if (options.deadlock == ExplicitOptions::Deadlock::Check)
    expected = exploreNaively(program, naiveOptions(program, ExplicitOptions::Deadlock::Ignore));
  LiteralOptions literal;
  literal.starred = starred;
  literal.spurious = options.spurious;
  const LiteralResult result = exploreLiterally(file, literal);
  if (result.answer == Answer::Unknown || expected.answer == Answer::Unknown)
    return std::nullopt;
  if (result.answer != expected.answer)
    return differ("compiled program, answer", word(result.answer) + " " + result.failure,
                  word(expected.answer));
  if (result.answer == Answer::Safe && result.width != expected.width)
    return differ("compiled program, thread width", std::to_string(result.width),
                  std::to_string(expected.width));
  return std::nullopt;
}

/// The formatted text must mean the same.
std::optional<std::string> judgeFormatted(Language language, const Read &original,
                                          const CompareOptions &options, const Verdict &verdict) {
  try {
    if (formatted(language, original.formatted) != original.formatted)
      return "formatting twice changes the text";
    if (options.roundTrip == RoundTrip::Text)
      return std::nullopt;
    const Read again = read(language, original.formatted, options);
    const Verdict second = verify(again.compiled.program, options, ExplicitOptions::Symmetry::On);
    if (second.answer != verdict.answer || second.width != verdict.width ||
        (second.answer == Answer::Safe && second.statistics.states != verdict.statistics.states))
      return differ("formatted text, answer", word(verdict.answer), word(second.answer));
  } catch (const logic::Error &error) {
    return std::string("formatted text is rejected: ") + error.what();
  }
  return std::nullopt;
}

/// A safe verdict for n threads of `run T*` is one for fewer, too.
std::optional<std::string> judgeFewer(const Program &program, const CompareOptions &options) {
  NaiveOptions fewer = naiveOptions(program, options.deadlock);
  fewer.starred = Starred::OrFewer;
  if (exploreNaively(program, fewer).answer == Answer::Unsafe)
    return "safe for n threads, unsafe for fewer";
  return std::nullopt;
}

Comparison compareRead(Language language, const Read &source, const CompareOptions &options) {
  Comparison result;
  const Program &program = source.compiled.program;
  const NaiveResult naive = exploreNaively(program, naiveOptions(program, options.deadlock));
  result.note = naive.reason;
  result.outcome = naive.tooLarge ? Outcome::TooLarge : Outcome::Unknown;
  if (naive.answer == Answer::Unknown)
    return result;
  const Verdict symmetric = verify(program, options, ExplicitOptions::Symmetry::On);
  const Verdict ordered = verify(program, options, ExplicitOptions::Symmetry::Off);
  result.note = symmetric.reason;
  result.states = naive.states;
  if (symmetric.answer != ordered.answer)
    result.defect = differ("without symmetry, answer", word(symmetric.answer) + symmetric.reason,
                           word(ordered.answer) + ordered.reason);
  if (symmetric.answer == Answer::Unknown || result.defect)
    return result;
  result.outcome = naive.answer == Answer::Safe ? Outcome::Safe : Outcome::Unsafe;
  if (!result.defect)
    result.defect = judge("with symmetry", program, naive, naive.symmetricStates, symmetric);
  if (!result.defect)
    result.defect = judge("without symmetry", program, naive, naive.states, ordered);
  if (!result.defect)
    result.defect = judgeRenamed(program, options, naive);
  if (!result.defect && naive.answer == Answer::Safe && !countsOf(program).empty())
    result.defect = judgeFewer(program, options);
  if (!result.defect && source.conc)
    result.defect = judgeLiterally(*source.conc, program, options, naive);
  if (!result.defect)
    result.defect = judgeFormatted(language, source, options, symmetric);
  return result;
}

} // namespace

std::string extension(Language language) {
  return language == Language::Conc ? "conc" : "contract";
}

CompareOptions optionsOf(uint64_t seed) {
  CompareOptions options;
  if (seed % 4 == 0)
    options.deadlock = ExplicitOptions::Deadlock::Check;
  if (seed % 3 == 0)
    options.spurious = specs::SpuriousWakeups::On;
  if (seed % 5 != 0)
    options.roundTrip = RoundTrip::Text;
  return options;
}

Comparison compare(Language language, const std::string &text, const CompareOptions &options) {
  Comparison result;
  try {
    return compareRead(language, read(language, text, options), options);
  } catch (const logic::Error &error) {
    result.note = error.what();
  } catch (const logic::Unsupported &unsupported) {
    result.outcome = Outcome::Unknown;
    result.note = unsupported.what();
  } catch (const std::exception &exception) {
    result.defect = std::string("exception: ") + exception.what();
  }
  return result;
}

void Tally::add(const Comparison &comparison) {
  ++attempts;
  states += comparison.states;
  switch (comparison.outcome) {
  case Outcome::Rejected:
    ++rejected;
    break;
  case Outcome::TooLarge:
    ++tooLarge;
    break;
  case Outcome::Unknown:
    ++unknown;
    break;
  case Outcome::Safe:
    ++safe;
    break;
  case Outcome::Unsafe:
    ++unsafe;
    break;
  }
}

std::string Tally::text() const {
  return std::to_string(attempts) + " programs: " + std::to_string(safe) + " safe, " +
         std::to_string(unsafe) + " unsafe, " + std::to_string(unknown) + " unknown, " +
         std::to_string(tooLarge) + " too large, " + std::to_string(rejected) + " rejected; " +
         std::to_string(states) + " states";
}

} // namespace understudy::tests
