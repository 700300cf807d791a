// SPDX-License-Identifier: Apache-2.0
//
// A program of finitely many data and any number of threads as a coverability problem, and the way
// back from traces of the net to executions of the program.
#pragma once

#include "compose/Limits.h"
#include "compose/cover/net/TransferNet.h"
#include "compose/exploration/ExplicitModel.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace understudy::compose::cover::translate {

struct TranslateOptions : Limits {
  /// Where the threads are that exist exactly once: part of the shared state (their number is then
  /// known to a backward search), or threads like all others (what the formats for nets can say).
  enum class Singles { InSharedState, AsThreads };

  Singles singles = Singles::InSharedState;
  uint64_t maxShared = 200'000;
  uint64_t maxPairs = 4'000'000; ///< of a shared state and a local state that may occur together
  uint64_t maxTransitions = 3'000'000;
  uint64_t maxTargets = 1'000'000;
  uint64_t maxStarts = 10'000;
};

/// Every variable has finitely many values. Without that a translation may still end, because few
/// values are reached; it is then given less room.
bool hasFiniteData(const Program &program);

/// The valuation of the globals, and the threads that exist once.
struct SharedMeaning {
  exploration::GlobalId global = 0;
  std::vector<exploration::LocalId> singles;
};

/// Which step of the program a transition is.
struct StepMeaning {
  TemplateId thread = 0;
  EdgeId edge = 0;
};

/// The problem with its meaning. The program goes wrong exactly if a target can be covered.
class ProgramNet {
public:
  /// Throws `logic::Unsupported` when there are too many states, or when thread ids that nobody
  /// chose are stored or joined by. The program must outlive the net.
  ProgramNet(const Program &program, const TranslateOptions &options);

  const Program &program() const { return program_; }
  const net::CoverProblem &problem() const { return problem_; }
  const std::vector<TemplateId> &singles() const { return singles_; }

  SharedMeaning shared(net::SharedState state) const;
  const StepMeaning &step(uint32_t transition) const { return steps_[transition]; }
  /// Template, location, id and locals; the number has no meaning.
  Thread thread(net::LocalState state) const { return model_->threadOf(locals_[state]); }

  /// The execution of the program that the trace of the net stands for, up to the first thing that
  /// goes wrong. None: there is no such execution.
  std::optional<Trace> traceOf(const net::CoverTrace &trace) const;

private:
  class Closure;
  class Emitter;
  class Starts;
  class Walker;
  friend class Closure;
  friend class Emitter;
  friend class Starts;
  friend class Walker;

  const Program &program_;
  std::unique_ptr<exploration::ExplicitModel> model_;
  std::vector<TemplateId> singles_;
  exploration::TupleTable sharedTuples_; ///< the global, then the local states of the singles
  std::vector<exploration::LocalId> locals_;
  std::unordered_map<exploration::LocalId, net::LocalState> localNumbers_;
  net::CoverProblem problem_;
  std::vector<StepMeaning> steps_;

  net::SharedState numberOf(const SharedMeaning &meaning);
  net::LocalState numberOf(exploration::LocalId local);
  void nameStates();
};

} // namespace understudy::compose::cover::translate
