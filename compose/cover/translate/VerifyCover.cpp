// SPDX-License-Identifier: Apache-2.0
//
// From a program to a verdict by way of a net. The invariant of the whole: `safe` is answered after
// the check of proofs has accepted the proof, `unsafe` with an execution that the reference
// interpreter replays; everything else is `unknown`.
#include "compose/cover/translate/VerifyCover.h"

#include "compose/Interpreter.h"
#include "compose/proof/CoverCheck.h"
#include "compose/proof/ExplicitCheck.h"
#include "logic/Error.h"

#include <algorithm>

namespace understudy::compose::cover::translate {

namespace {

class CoverRun {
public:
  CoverRun(const Program &program, const VerifyCoverOptions &options)
      : program_(program), options_(options), budget_(options.search) {}

  VerifyCoverResult run() {
    result_.verdict.engine = EngineName::Cover;
    result_.verdict.assumptions = program_.assumptions;
    try {
      decide();
    } catch (const logic::Unsupported &unsupported) {
      unknown(unsupported.what(), unsupported.range());
    }
    result_.verdict.statistics.seconds = budget_.seconds();
    return std::move(result_);
  }

private:
  const Program &program_;
  const VerifyCoverOptions &options_;
  VerifyCoverResult result_;
  Budget budget_;

  void unknown(const std::string &reason, const SourceRange &where = {}) {
    result_.verdict.answer = Answer::Unknown;
    result_.verdict.reason = reason;
    result_.verdict.where = where;
  }

  void decide() {
    const ProgramNet net(program_, options_.translate);
    const net::TransferNet &states = net.problem().net;
    result_.verdict.statistics.states = states.sharedStates;
    result_.verdict.statistics.counters = states.localStates;
    result_.verdict.statistics.transitions = states.transitions.size();
    if (states.starts.empty())
      return unknown("no initial state satisfies the initial values and conditions");
    CoverOptions search = options_.search;
    search.stateEquation = CoverOptions::StateEquation::Off;
    if (search.maxSeconds > 0)
      search.maxSeconds = budget_.limits().seconds;
    CoverAnswer answer = decideCover(net.problem(), search);
    result_.statistics = answer.statistics;
    switch (answer.answer) {
    case Answer::Safe:
      return conclude(net, std::move(*answer.proof));
    case Answer::Unsafe:
      return tell(net, *answer.trace);
    case Answer::Unknown:
      return unknown(answer.reason);
    }
  }

  void conclude(const ProgramNet &net, net::CoverProof proof) {
    if (auto fault = proof::faultOf(net.problem(), proof))
      return unknown("the proof was rejected: " + *fault);
    result_.proof = std::move(proof);
    result_.verdict.answer = Answer::Safe;
    result_.verdict.scope = proof::scopeText(program_, {});
  }

  void tell(const ProgramNet &net, const net::CoverTrace &path) {
    std::optional<Trace> trace = net.traceOf(path);
    if (!trace || compose::replay(program_, *trace))
      return unknown("the net allows a failure, but no execution was found that shows it");
    result_.verdict.answer = Answer::Unsafe;
    result_.verdict.trace = std::move(trace);
  }
};

} // namespace

VerifyCoverResult verifyCover(const Program &program, const VerifyCoverOptions &options) {
  return CoverRun(program, options).run();
}

} // namespace understudy::compose::cover::translate
