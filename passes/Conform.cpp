// SPDX-License-Identifier: Apache-2.0
//
// Conformance, thread by thread: lower, instrument, encode, prove, tell.
#include "passes/Conform.h"

#include "logic/Error.h"
#include "logic/Log.h"
#include "logic/Words.h"
#include "logic/smtlib/Print.h"
#include "logic/solver/Solver.h"
#include "passes/System.h"
#include "passes/TypeLimits.h"
#include "passes/checker/CheckerProgram.h"
#include "passes/checker/Claims.h"
#include "passes/checker/ConformStory.h"
#include "passes/checker/Guesses.h"
#include "passes/checker/Vacuity.h"
#include "passes/encode/TermBuilder.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace understudy::passes {

using logic::Term;

namespace {

/// UNDERSTUDY_AT names a state of the contract.
void checkMarkers(const lower::Lowered &lowered, const checker::Machine &machine) {
  std::vector<std::string> states;
  for (const compose::Location &location : machine.thread().locations)
    if (!location.hidden && location.kind != compose::LocationKind::Error)
      states.push_back(location.name);
  for (const lower::Place &place : lowered.places)
    if (place.kind == lower::PlaceKind::Marker && machine.nodesOf(place.detail).empty())
      throw logic::Error(place.range,
                         "the contract of " + machine.binding->name + " has no state '" +
                             place.detail + "'",
                         logic::didYouMean(place.detail, states));
}

/// Seconds for a thread, if nobody says how many: the solver can loop without counting what it
/// does, and then nothing else would end the question.
constexpr double lastResort = 600;

/// So often a violation that depends on what is not modelled is set aside, and another one sought.
constexpr size_t mostDoubts = 8;

/// Accesses that are not atomic; weak ones are an assumption of their own.
bool hasPlainAccess(const lower::Lowered &lowered) {
  return std::any_of(lowered.places.begin(), lowered.places.end(),
                     [](const lower::Place &place) { return !place.plain.empty() && !place.weak; });
}

class ThreadCheck {
public:
  ThreadCheck(System &system, const specs::ThreadBinding &thread, const llvm::Function &function,
              const ConformOptions &options)
      : system_(system), thread_(thread), options_(options), engine_(options.engine) {
    if (engine_.maxSeconds <= 0)
      engine_.maxSeconds = lastResort;
    result_.thread = thread.name;
    result_.function = memory::sourceName(function);
    result_.range = system.sources().range(function.getSubprogram());
  }

  ThreadConformance run() {
    try {
      check();
    } catch (const logic::Unsupported &unsupported) {
      result_.answer = ConformAnswer::Unknown;
      result_.reason = unsupported.what();
      result_.where = unsupported.range();
    }
    return std::move(result_);
  }

  const std::vector<std::string> &plainAccesses() const { return plain_; }
  bool hasPlain() const { return hasPlain_; }
  bool silent() const { return silent_; }

private:
  System &system_;
  const specs::ThreadBinding &thread_;
  const ConformOptions &options_;
  compose::sequential::SequentialOptions engine_;
  ThreadConformance result_;
  std::vector<std::string> plain_;
  bool hasPlain_ = false;
  bool silent_ = false;

  void check() {
    checker::Machine machine = checker::makeMachine(system_.contract(), thread_);
    lower::Lowered lowered = system_.lower(thread_);
    checkMarkers(lowered, machine);
    describe(lowered);
    checker::Checker checker =
        checker::instrument(lowered, machine, system_.binding(), checker::Coverage::Off);
    checker::CheckerProgram program =
        checker::encodeChecker(checker, lowered, system_.binding(), system_.contract().program.pool,
                               thread_.name, system_.sources());
    checker::CheckerModel model{machine, system_.binding(), lowered,
                                checker, program.encoded,   program.program};
    compose::sequential::SequentialResult proof =
        compose::sequential::verifySequential(program.program, program.with(engine_));
    result_.statistics = proof.statistics;
    describe(program.stated, proof.confirmed);
    conclude(model, program, proof);
  }

  void describe(const lower::Lowered &lowered) {
    result_.sharedSteps = lowered.steps;
    silent_ = checker::isSilent(lowered);
    hasPlain_ = hasPlainAccess(lowered);
    result_.assumptions.assign(lowered.assumptions.begin(), lowered.assumptions.end());
    for (const lower::Place &place : lowered.places)
      for (const std::string &access : place.plain)
        plain_.push_back((place.range.known() ? place.range.file->name() + ":" +
                                                    std::to_string(place.range.begin.line) + ": "
                                              : "") +
                         access);
  }

  void describe(const std::vector<encode::StatedInvariant> &stated,
                const std::vector<bool> &confirmed) {
    size_t asked = 0;
    for (const encode::StatedInvariant &one : stated) {
      StatedOutcome outcome = StatedOutcome::NotNeeded;
      if (one.invariant && asked < confirmed.size())
        outcome = confirmed[asked++] ? StatedOutcome::Holds : StatedOutcome::NotConfirmed;
      result_.stated.push_back({one.text, one.range, outcome});
    }
  }

  /// The engine's limits after some time.
  compose::sequential::SequentialOptions whatIsLeft(double seconds) const {
    constexpr double least = 0.001; // 0 would be no limit
    compose::sequential::SequentialOptions result = engine_;
    result.maxSeconds = std::max(result.maxSeconds - seconds, least);
    return result;
  }

  static std::optional<checker::Guess> guessIn(const checker::CheckerModel &model,
                                               const compose::Trace &trace) {
    return checker::guessBehind(model.program, {{0, &model.encoded}}, trace);
  }

  /// The edge at which the trace begins to depend on a guess; none: on what is claimed at its end.
  static std::optional<compose::EdgeId> doubtfulEdge(const checker::CheckerModel &model,
                                                     const compose::Trace &trace) {
    auto isCertain = [&](size_t steps) {
      compose::Trace part{trace.start, {}, {}};
      part.steps.assign(trace.steps.begin(), trace.steps.begin() + static_cast<ptrdiff_t>(steps));
      return !guessIn(model, part);
    };
    size_t certain = 0;
    for (size_t doubtful = trace.steps.size() + 1; certain + 1 < doubtful;) {
      size_t middle = (certain + doubtful) / 2;
      (isCertain(middle) ? certain : doubtful) = middle;
    }
    return certain < trace.steps.size() ? std::optional(trace.steps[certain].edge) : std::nullopt;
  }

  /// A violation that depends on no guess, behind one that does: edges that depend on one are left
  /// out, one by one.
  std::optional<compose::Trace> withoutGuess(const checker::CheckerModel &model,
                                             const checker::CheckerProgram &checked,
                                             compose::Trace trace, double seconds) {
    compose::Program program = model.program;
    for (size_t round = 0; round < mostDoubts; ++round) {
      logic::log(logic::level::decisions, [&] {
        return "a violation depends on what is not modelled: another one is sought";
      });
      auto edge = doubtfulEdge(model, trace);
      if (!edge)
        return std::nullopt;
      program.templates[0].edges[*edge].relation = program.pool->boolean(false);
      compose::sequential::SequentialResult again =
          compose::sequential::verifySequential(program, checked.with(whatIsLeft(seconds)));
      seconds += again.verdict.statistics.seconds;
      if (again.verdict.answer != compose::Answer::Unsafe)
        return std::nullopt;
      trace = *again.verdict.trace;
      if (!guessIn(model, trace))
        return trace;
    }
    return std::nullopt;
  }

  void violates(const checker::CheckerModel &model, const compose::Trace &trace) {
    result_.answer = ConformAnswer::Violates;
    result_.story = checker::tellConformance(model, trace);
    result_.inputs = checker::inputsOf(model, trace);
  }

  void conclude(const checker::CheckerModel &model, const checker::CheckerProgram &checked,
                const compose::sequential::SequentialResult &proof) {
    switch (proof.verdict.answer) {
    case compose::Answer::Safe:
      result_.answer = ConformAnswer::Conforms;
      addInvariants(model, proof);
      result_.proof = compose::proof::evidenceOf(proof);
      if (options_.vacuity != VacuityReport::Off) {
        checker::Use use = checker::findUnused(system_, model.machine, options_.vacuity,
                                               whatIsLeft(proof.verdict.statistics.seconds));
        result_.vacuity = std::move(use.contract);
        result_.unreached = std::move(use.code);
      }
      return;
    case compose::Answer::Unsafe:
      if (auto guess = guessIn(model, *proof.verdict.trace)) {
        if (auto certain = withoutGuess(model, checked, *proof.verdict.trace,
                                        proof.verdict.statistics.seconds))
          violates(model, *certain);
        else
          doubt(model.lowered.places[guess->place]);
        return;
      }
      violates(model, *proof.verdict.trace);
      return;
    case compose::Answer::Unknown:
      result_.answer = ConformAnswer::Unknown;
      result_.reason = proof.verdict.reason;
      return;
    }
  }

  /// A violation that may not be one, since a value is not modelled.
  void doubt(const lower::Place &guess) {
    result_.answer = ConformAnswer::Unknown;
    result_.where = guess.range;
    result_.reason = lower::dependsOn(guess);
  }

  void addInvariants(const checker::CheckerModel &model,
                     const compose::sequential::SequentialResult &proof) {
    for (const compose::sequential::LocationInvariant &invariant : proof.invariants) {
      const compose::Location &location = model.encoded.thread.locations[invariant.location];
      result_.invariants.push_back(
          {location.name, logic::smtlib::text(invariant.formula), location.range});
    }
  }
};

struct StartCheck {
  std::optional<Term> contradicted; ///< a part of the start condition that the values exclude
  bool undecided = false;
};

/// A single conjunct if one is contradicted. None alone may be, when they want different values of
/// a ghost.
StartCheck checkValues(logic::TermPool &pool, const std::vector<Term> &values,
                       const Term &initial) {
  logic::solver::Solver solver(pool, {.resources = 50'000'000, .seconds = 0});
  for (const Term &value : values)
    solver.add(value);
  std::vector<Term> conditions = logic::conjunctsOf(initial);
  for (const Term &condition : conditions)
    if (solver.check(std::span(&condition, 1)) == logic::solver::Satisfiability::Unsat)
      return {condition};
  logic::solver::Satisfiability all = solver.check(conditions);
  if (all == logic::solver::Satisfiability::Unsat)
    return {pool.conjunction(solver.unsatCore())};
  return {std::nullopt, all == logic::solver::Satisfiability::Unknown};
}

bool isValueOf(logic::Sort sort, logic::Wide value) {
  if (sort.isEnum())
    return std::any_of(sort.enumerators().begin(), sort.enumerators().end(),
                       [&](const logic::Enumerator &e) { return e.value == value; });
  return sort.kind() != logic::SortKind::Range || (sort.lower() <= value && value <= sort.upper());
}

/// Of a value of at most 64 bits, with or without sign.
std::string numberText(logic::Wide value) {
  return value < 0 ? std::to_string(static_cast<int64_t>(value))
                   : std::to_string(static_cast<uint64_t>(value));
}

ConformStory startStory(System &system, const memory::BoundVariable &variable,
                        const std::string &sentence) {
  ConformStory story;
  story.kind = ViolationKind::Start;
  story.sentence = sentence;
  story.range = system.sources().range(*variable.global);
  return story;
}

/// The variable, or an element of it, has the value.
Term startsAs(logic::TermPool &pool, const memory::BoundVariable &variable, size_t element,
              logic::Wide value) {
  Term holder = pool.var(variable.variable());
  if (variable.count > 0)
    holder = pool.select(holder, pool.integer(static_cast<int64_t>(element)));
  if (variable.isTruth())
    return pool.equal(holder, pool.boolean(value != 0));
  if (variable.element().isEnum())
    return pool.equal(holder, pool.enumerator(variable.element(), static_cast<int64_t>(value)));
  return pool.equal(holder, encode::TermBuilder(pool).integer(value));
}

/// How the values of the variable contradict this claim of the contract about the start.
std::string differenceText(logic::TermPool &pool, const memory::BoundVariable &variable,
                           Term contradicted) {
  const auto value = memory::initialValues(variable).front();
  const Term inCode = value ? startsAs(pool, variable, 0, *value) : Term();
  if (inCode && inCode.op() == logic::Op::Equal && contradicted.op() == logic::Op::Equal &&
      inCode.operand(0) == contradicted.operand(0) && contradicted.operand(1).isConstant())
    return variable.variable().name() + " starts as " + logic::smtlib::text(inCode.operand(1)) +
           " in the code and as " + logic::smtlib::text(contradicted.operand(1)) +
           " in the contract";
  return "the initial values in the code differ from those in the contract: " +
         logic::smtlib::text(contradicted) + " is false for the static initialisers";
}

/// Static initialisers must be among the contract's start values.
std::optional<ConformStory> checkStart(System &system, std::vector<std::string> &assumptions) {
  const compose::Program &program = system.contract().program;
  logic::TermPool &pool = *program.pool;
  std::vector<Term> values;
  for (const memory::BoundVariable &variable : system.binding().variables) {
    values.push_back(inType(pool, variable, When::Before));
    std::vector<std::optional<logic::Wide>> elements = memory::initialValues(variable);
    for (size_t i = 0; i < elements.size(); ++i) {
      if (!elements[i])
        continue;
      if (!isValueOf(variable.element(), *elements[i]))
        return startStory(system, variable,
                          variable.variable().name() + " starts as " + numberText(*elements[i]) +
                              ", which is not a value of its type in the contract");
      values.push_back(startsAs(pool, variable, i, *elements[i]));
    }
  }
  StartCheck check = checkValues(pool, values, program.initial);
  if (check.undecided)
    assumptions.emplace_back(
        "the static initialisers are initial values of the contract (the solver "
        "could not decide)");
  if (!check.contradicted)
    return std::nullopt;
  auto uses = logic::variablesOf(*check.contradicted);
  const memory::BoundVariable *shown = nullptr;
  for (const memory::BoundVariable &variable : system.binding().variables)
    if (std::any_of(uses.begin(), uses.end(),
                    [&](const auto &use) { return use.variable == variable.variable(); }))
      shown = &variable;
  if (shown == nullptr)
    return std::nullopt; // nothing that the code initialises
  return startStory(system, *shown, differenceText(pool, *shown, *check.contradicted));
}

void checkThreadNames(const specs::Compiled &contract, const std::vector<std::string> &asked) {
  std::vector<std::string> names;
  for (const specs::ThreadBinding &thread : contract.threads)
    names.push_back(thread.name);
  for (const std::string &name : asked)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw logic::Error({}, "the contract has no thread '" + name + "'",
                         logic::didYouMean(name, names));
}

bool isAsked(const ConformOptions &options, const specs::ThreadBinding &thread) {
  return options.threads.empty() || std::find(options.threads.begin(), options.threads.end(),
                                              thread.name) != options.threads.end();
}

std::string said(const ThreadConformance &thread) {
  switch (thread.answer) {
  case ConformAnswer::Conforms:
    return "conforms";
  case ConformAnswer::Violates:
    return "violates its contract";
  case ConformAnswer::Unknown:
    break;
  }
  return "is unknown: " + thread.reason;
}

constexpr const char *plainAccessAssumption =
    "plain accesses to named variables are indivisible and not moved by the compiler";

void append(std::vector<std::string> &to, const std::vector<std::string> &more) {
  to.insert(to.end(), more.begin(), more.end());
}

} // namespace

ConformResult conform(const read::Code &code, const specs::Compiled &contract,
                      const ConformOptions &options) {
  System system(code, contract, options.overflow);
  return conform(system, options);
}

ConformResult conform(System &system, const ConformOptions &options) {
  const logic::LogScope scope(logic::Topic::Conform);
  checkThreadNames(system.contract(), options.threads);
  ConformResult result;
  result.assumptions = system.assumptions();
  result.start = checkStart(system, result.assumptions);
  bool plain = false;
  checker::SilentCode claims(system.contract());
  for (const auto &[thread, function] : system.threads()) {
    if (!thread->hasBody || !isAsked(options, *thread))
      continue;
    if (options.progress)
      options.progress(thread->name);
    logic::log(logic::level::phases, [&] { return "thread " + thread->name; });
    ThreadCheck check(system, *thread, *function, options);
    result.threads.push_back(check.run());
    logic::log(logic::level::phases,
               [&] { return thread->name + " " + said(result.threads.back()); });
    result.plainAccesses.insert(result.plainAccesses.end(), check.plainAccesses().begin(),
                                check.plainAccesses().end());
    plain = plain || check.hasPlain();
    bool conforms = result.threads.back().answer == ConformAnswer::Conforms;
    claims.add(*thread, conforms && check.silent());
  }
  if (plain)
    result.assumptions.emplace_back(plainAccessAssumption);
  append(result.assumptions, claims.assumptions());
  return result;
}

ConformTasks conformTasks(System &system, const ConformOptions &options) {
  const specs::Compiled &contract = system.contract();
  checkThreadNames(contract, options.threads);
  ConformTasks result;
  result.assumptions = system.assumptions();
  result.startsAgree = !checkStart(system, result.assumptions);
  bool plain = false;
  checker::SilentCode claims(contract);
  for (const auto &[thread, function] : system.threads()) {
    if (!thread->hasBody || !isAsked(options, *thread))
      continue;
    checker::Machine machine = checker::makeMachine(contract, *thread);
    lower::Lowered lowered = system.lower(*thread);
    checker::Checker checker =
        checker::instrument(lowered, machine, system.binding(), checker::Coverage::Off);
    result.threads.push_back(
        {thread->name,
         checker::encodeChecker(checker, lowered, system.binding(), contract.program.pool,
                                thread->name, system.sources())
             .program,
         {lowered.assumptions.begin(), lowered.assumptions.end()}});
    plain = plain || hasPlainAccess(lowered);
    claims.add(*thread, checker::isSilent(lowered));
  }
  if (plain)
    result.assumptions.emplace_back(plainAccessAssumption);
  append(result.assumptions, claims.assumptions());
  return result;
}

std::string checkerModule(const read::Code &code, const specs::Compiled &contract,
                          OverflowMode overflow) {
  System system(code, contract, overflow);
  std::string text;
  llvm::raw_string_ostream stream(text);
  checker::instrumentAll(system, checker::Coverage::On);
  system.module().print(stream, nullptr);
  return text;
}

} // namespace understudy::passes
