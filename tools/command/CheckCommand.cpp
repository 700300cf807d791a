// SPDX-License-Identifier: Apache-2.0
//
// Conformance of every thread, then the composition of the contracts. When the contracts go wrong
// together although the code conforms to them, the contracts may be too weak; so the failure is
// looked for once more with the code of every thread in place of its contract, and the same number
// of threads. What is found there happens in the code; what is not, may not.
#include "tools/command/Commands.h"

#include "logic/Error.h"
#include "tools/certificate/Certify.h"
#include "tools/command/ConformCommand.h"
#include "tools/command/Run.h"

#include <algorithm>

namespace understudy::tools::command {

using compose::Answer;

namespace {

/// Code has many more states than its contract; this many are enough for a bug that is there.
constexpr uint64_t codeStates = 1'000'000;

/// The engine's answer, or `unknown` when the program cannot even be made.
template <typename Make>
report::Result exploreMade(const options::Options &options, const std::string &system,
                           const compose::Watch &watch, Make make) {
  try {
    return explore(make(), options, watch);
  } catch (const logic::Unsupported &reason) {
    report::Result result{options.command, options.file, system, compose::Origin::Contract,
                          options.threads, {},           {},     {}};
    result.verdict.answer = Answer::Unknown;
    result.verdict.reason = reason.what();
    result.verdict.where = reason.range();
    return result;
  }
}

/// As many threads of `run T*` as the trace starts with.
options::ThreadNumbers numbersIn(const compose::Program &program, const compose::Trace &trace) {
  options::ThreadNumbers numbers;
  for (const compose::Start &start : program.starts)
    if (start.unbounded)
      numbers[program.templates[start.thread].name] = static_cast<uint32_t>(std::count_if(
          trace.start.threads.begin(), trace.start.threads.end(),
          [&](const compose::Thread &thread) { return thread.thread == start.thread; }));
  return numbers;
}

/// A failure that may be none, since a value of the code is not modelled, is unknown.
void doubt(report::Result &result, const System &system, passes::Threads threads) {
  compose::Verdict &verdict = result.verdict;
  if (!verdict.trace)
    return;
  auto found = passes::doubtIn(*verdict.trace, *system.bound, threads);
  if (!found)
    return;
  verdict.answer = compose::Answer::Unknown;
  verdict.reason = found->reason;
  verdict.where = found->where;
  verdict.trace.reset();
}

report::Result tryCode(const System &system, const options::Options &options,
                       const compose::Watch &watch, const compose::Trace &trace) {
  options::Options run = options;
  run.threads = numbersIn(system.contract.program, trace);
  run.engine = compose::EngineName::Explicit;
  run.maxStates = std::min(run.maxStates.value_or(codeStates), codeStates);
  return exploreMade(run, system.contract.program.name, watch,
                     [&] { return passes::composition(*system.bound, passes::Threads::All); });
}

bool hasContracts(const specs::Compiled &contract) {
  return std::any_of(contract.threads.begin(), contract.threads.end(), [](const auto &thread) {
    return thread.hasBody && thread.kind != specs::syntax::ThreadKind::Environment;
  });
}

report::CompositionRun composition(const System &system, const options::Options &options,
                                   const compose::Watch &watch) {
  report::CompositionRun result;
  result.hasContracts = hasContracts(system.contract);
  result.contracts = exploreMade(options, system.contract.program.name, watch,
                                 [&] { return passes::composition(*system.bound); });
  doubt(result.contracts, system, passes::Threads::WithoutContract);
  const auto &trace = result.contracts.verdict.trace;
  if (trace && result.hasContracts) {
    result.code = tryCode(system, options, watch, *trace);
    doubt(*result.code, system, passes::Threads::All);
  }
  return result;
}

} // namespace

int runCheck(const options::Options &options) {
  System system = readSystem(options);
  threadCounts(system.contract.program, options.threads); // before any work: are they good?
  const compose::Watch watch = watchOf(options);
  report::CodeResult result = conformance(system, options, watch);
  report::addAssumptions(
      result, {"the program starts these threads: " + report::runLine(system.contract.program)});
  if (!report::violates(result.conformance) && !result.undecided)
    result.composition = composition(system, options, watch);
  report::judge(result, options.strict);
  certificate::certify(result, options);
  return publish(result, &system, options);
}

} // namespace understudy::tools::command
