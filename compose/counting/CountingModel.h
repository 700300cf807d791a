// SPDX-License-Identifier: Apache-2.0
//
// A program as a counter system: its globals, the locals of the threads that are followed one by
// one (the *singles*), and for each *crowd* how many threads are in it. The steps are those of
// `Program.h`, exactly, but for two things that are allowed too often:
// - a join by id removes any thread that has ended, of the right template;
// - the id of a new thread, if nobody chose it, is any number, alive or not.
// `inexact` says whether one of them occurs.
#pragma once

#include "compose/Budget.h"
#include "compose/proof/CountingProof.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace understudy::compose::counting {

using CrowdId = uint32_t;
using ControlId = uint32_t;
using SingleId = uint32_t; ///< index into CountingModel::singles

/// At most so many crowds, so many values of an `int` that one edge leaves open, and so many
/// vectors of locations of singles.
constexpr size_t mostCrowds = 400;
constexpr size_t mostValues = 64;
constexpr size_t mostControls = 1000;

/// One edge of a thread of a crowd, or of a single.
struct CrowdMove {
  std::optional<SingleId> single;
  CrowdId source = 0;            ///< if not of a single
  std::optional<CrowdId> target; ///< if not of a single; none: into an error location
  TemplateId thread = 0;
  EdgeId edge = 0;
  std::vector<Term> guard; ///< the locals of crowds replaced by their values
  /// For the arguments of a fork: the values of the crowd's locals.
  std::map<Variable, Term> locals;
};

/// Who took part in a step, apart from the mover: for telling it again in terms of threads.
struct Others {
  std::optional<CrowdId> created, joined, woken;
  std::optional<SingleId> wokenSingle;
};

struct CountingStep {
  ControlId source = 0;
  ControlId target = 0;
  uint32_t move = 0; ///< index into CountingModel::moves
  Others others;
  std::vector<Term> guard; ///< over the variables before, and after where they are modified
  std::vector<Term> after; ///< of each of CountingModel::variables
};

/// Something goes wrong from `source` if the guard holds.
struct CountingError {
  ControlId source = 0;
  std::optional<uint32_t> move; ///< none: the state itself is wrong
  Others others;
  std::vector<Term> guard;
  std::string text;
};

struct CountingStart {
  ControlId control = 0;
  std::vector<Term> condition; ///< over the variables
};

struct CountingModel {
  const Program *program = nullptr;
  std::vector<TemplateId> singles;
  std::vector<proof::Crowd> crowds;
  std::vector<Variable> variables; ///< globals, locals of singles, counts of crowds
  std::vector<std::vector<LocationId>> controls;
  std::vector<CrowdMove> moves;
  std::vector<CountingStart> starts;
  std::vector<CountingStep> steps;
  std::vector<CountingError> errors;
  std::vector<std::string> inexact; ///< what is allowed too often, for a reader; usually empty

  logic::TermPool &pool() const { return *program->pool; }
  size_t firstCount() const { return variables.size() - crowds.size(); }
};

/// Which templates have exactly one thread for certain: started once, with count 1, by no fork, and
/// removed by no join. (A join by id removes no thread of `run`: they have no id.)
std::vector<TemplateId> singleTemplates(const Program &program);

/// Throws `logic::Unsupported` when there are too many crowds or controls, naming why.
CountingModel countingModel(const Program &program, const std::vector<TemplateId> &singles,
                            Budget &budget);

// The parts of the construction.

using CrowdKey = std::tuple<TemplateId, LocationId, std::vector<logic::Value>>;

/// Fills in crowds, moves, and what the key of each crowd is.
std::map<CrowdKey, CrowdId> addCrowds(CountingModel &model, Budget &budget);

/// Fills in controls, starts, steps and errors.
void addSteps(CountingModel &model, const std::map<CrowdKey, CrowdId> &crowds, Budget &budget);

} // namespace understudy::compose::counting
