// SPDX-License-Identifier: Apache-2.0
//
// The vacuity report.
//
// The problem: a contract with states and edges that the code never uses says less than it seems
// to, and so does a proof about code that is never reached. The idea: a second checker goes wrong
// where a *wanted* part of the contract is used, or a wanted place of the code reached. Each trace
// that the engine finds shows some of them in use, which are then no longer wanted; when the engine
// proves that none of the wanted ones is ever used, these are reported. So every item of the report
// is proved, and everything that is not reported was seen in use. What is far from the start is
// wanted first: a trace that leads there uses much on its way.
//
// A step counts as reached when it is completed, an assertion when its condition is evaluated.
// Where inlining has made several places of one in the source, or a statement has several steps,
// one of them is enough. An array access is wanted outside of its array: there a run ends without a
// word, and hides what comes after it.
#include "passes/checker/Vacuity.h"

#include "passes/checker/CheckerProgram.h"
#include "passes/checker/Claims.h"
#include "passes/lower/Arbitrary.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <stop_token>

namespace understudy::passes::checker {

namespace {

constexpr size_t maxRounds = 100;
constexpr size_t maxEdges = 2000; ///< of the checker's program: beyond, the search takes too long
constexpr uint64_t maxWork = 5'000'000; ///< in all: seconds, for an answer that changes no verdict

/// Work up to a number, and then no more.
class Ration final : public logic::solver::Pace {
public:
  Ration(uint64_t work, const std::stop_token &outer)
      : left_(work), forward_(outer, [this] { stop_.request_stop(); }) {}

  void spend(uint64_t work) override {
    left_ -= std::min(left_, work);
    if (left_ == 0)
      stop_.request_stop();
  }
  uint64_t allowance() const override { return std::max<uint64_t>(left_, 1); }
  std::stop_token token() const { return stop_.get_token(); }

private:
  uint64_t left_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> forward_;
};

/// Something in the source, and the places that lowering made of it.
struct CodePlace {
  lower::PlaceKind kind = lower::PlaceKind::Step;
  Unused shown;
  std::set<uint32_t> ids;
  std::optional<bool> reached; ///< none: not known yet

  bool isAt(const lower::Place &place) const {
    return place.range.known() && kind == place.kind && shown.text == place.text &&
           shown.range.file == place.range.file &&
           shown.range.begin.line == place.range.begin.line &&
           (kind == lower::PlaceKind::Step || shown.range.begin.column == place.range.begin.column);
  }
};

/// The indices of local arrays; those of named ones have their assumptions already.
void markLocalIndices(lower::Lowered &lowered, read::SourceMap &sources) {
  std::vector<std::pair<llvm::Instruction *, llvm::GetElementPtrInst *>> accesses;
  for (llvm::Instruction &instruction : llvm::instructions(*lowered.function))
    if (auto *element = llvm::dyn_cast_or_null<llvm::GetElementPtrInst>(
            llvm::getLoadStorePointerOperand(&instruction)))
      accesses.emplace_back(&instruction, element);
  for (auto [access, element] : accesses) {
    auto *array = llvm::dyn_cast<llvm::ArrayType>(element->getSourceElementType());
    if (array == nullptr || element->getNumIndices() != 2 ||
        !llvm::isa<llvm::AllocaInst>(element->getPointerOperand()) ||
        element->hasAllConstantIndices())
      continue;
    lower::Place place;
    place.kind = lower::PlaceKind::Index;
    place.range = sources.range(*access);
    place.text = read::lineText(place.range);
    lowered.places.push_back(std::move(place));
    llvm::IRBuilder<> builder(access);
    lower::assumeInside(builder, element->getOperand(2), array->getNumElements(),
                        static_cast<uint32_t>(lowered.places.size() - 1));
  }
}

class Search {
public:
  Search(System &system, const Machine &machine,
         const compose::sequential::SequentialOptions &options)
      : machine_(machine), options_(options), ration_(maxWork, options.stop),
        lowered_(withIndices(system, machine)),
        checker_(instrument(lowered_, machine, system.binding(), Coverage::Goals)),
        program_(encodeChecker(checker_, lowered_, system.binding(), system.contract().program.pool,
                               machine.binding->name, system.sources())),
        contract_(system.contract().program) {
    options_.expect = compose::sequential::SequentialOptions::Expect::Unsafe;
    options_.stop = ration_.token();
    options_.pace = &ration_;
    chooseGoals();
    choosePlaces();
  }

  Use run(VacuityReport asked) {
    if (program_.encoded.thread.edges.size() > maxEdges)
      return {};
    Use result;
    if (asked == VacuityReport::All && seekParts())
      result.contract = report();
    if (seekPlaces() && seekOutside())
      result.code = codeReport();
    return result;
  }

private:
  const Machine &machine_;
  compose::sequential::SequentialOptions options_;
  Ration ration_;
  lower::Lowered lowered_;
  Checker checker_;
  CheckerProgram program_;
  const compose::Program &contract_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  size_t rounds_ = 0;
  std::map<size_t, size_t> distances_; ///< by goal
  std::set<size_t> open_;
  std::set<size_t> unused_;        ///< proved
  std::vector<CodePlace> places_;  ///< steps, markers, assertions: in the order of the code
  std::vector<CodePlace> indices_; ///< array accesses

  static lower::Lowered withIndices(System &system, const Machine &machine) {
    lower::Lowered lowered = system.lower(*machine.binding);
    markLocalIndices(lowered, system.sources());
    return lowered;
  }

  const compose::Template &thread() const { return machine_.thread(); }
  const Goals &goals() const { return checker_.goals; }

  bool isState(size_t location) const {
    const compose::Location &state = thread().locations[location];
    return !state.hidden && state.kind != compose::LocationKind::Error;
  }

  bool hasMarker(const std::string &state) const {
    return std::any_of(lowered_.places.begin(), lowered_.places.end(),
                       [&](const lower::Place &place) {
                         return place.kind == lower::PlaceKind::Marker && place.detail == state;
                       });
  }

  std::vector<Unused> claimsOf(size_t state) const {
    return claimsAt(contract_, {machine_.binding->id, static_cast<compose::LocationId>(state)});
  }

  /// How many moves of the contract lead to each state, at least.
  std::vector<size_t> stateDistances() const {
    std::vector<size_t> distances(goals().states, goals().states);
    std::vector<compose::LocationId> work(thread().initials);
    for (compose::LocationId initial : work)
      distances[initial] = 0;
    for (size_t i = 0; i < work.size(); ++i)
      for (const compose::Edge &edge : thread().edges)
        if (edge.source == work[i] && distances[edge.target] == goals().states) {
          distances[edge.target] = distances[work[i]] + 1;
          work.push_back(edge.target);
        }
    return distances;
  }

  /// Looks for a run with something wanted. None: nothing was found out.
  std::optional<compose::Answer> look() {
    if (rounds_++ == maxRounds)
      return std::nullopt;
    compose::sequential::SequentialOptions options = program_.with(options_);
    if (options_.maxSeconds > 0) {
      const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin_;
      options.maxSeconds = options_.maxSeconds - used.count();
      if (options.maxSeconds <= 0)
        return std::nullopt;
    }
    compose::sequential::SequentialResult found =
        compose::sequential::verifySequential(program_.program, options);
    if (found.verdict.answer == compose::Answer::Unknown)
      return std::nullopt;
    if (found.verdict.answer == compose::Answer::Unsafe && !dropUsed(*found.verdict.trace))
      return std::nullopt;
    return found.verdict.answer;
  }

  /// False if it cannot be decided which parts of the contract are used.
  bool seekParts() {
    while (!open_.empty()) {
      std::set<size_t> wanted = farthest();
      want(wanted, {});
      auto answer = look();
      if (!answer)
        return false;
      if (*answer == compose::Answer::Safe)
        for (size_t goal : wanted) {
          open_.erase(goal);
          unused_.insert(goal);
        }
    }
    return true;
  }

  /// The later half of what is open is wanted; the way there leads past much of the rest.
  bool seekPlaces() {
    for (;;) {
      std::vector<CodePlace *> open = openOf(places_);
      if (open.empty())
        return true;
      open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(open.size() / 2));
      if (!decide(open))
        return false;
    }
  }

  bool seekOutside() {
    for (;;) {
      std::vector<CodePlace *> open = openOf(indices_);
      if (open.empty())
        return true;
      if (!decide(open))
        return false;
    }
  }

  /// One look at these places: one of them at least is reached, or none is.
  bool decide(const std::vector<CodePlace *> &places) {
    std::set<uint32_t> wanted;
    for (const CodePlace *place : places)
      wanted.insert(place->ids.begin(), place->ids.end());
    want({}, wanted);
    auto answer = look();
    if (answer == compose::Answer::Safe)
      for (CodePlace *place : places)
        place->reached = false;
    return answer.has_value();
  }

  static std::vector<CodePlace *> openOf(std::vector<CodePlace> &places) {
    std::vector<CodePlace *> result;
    for (CodePlace &place : places)
      if (!place.reached.has_value())
        result.push_back(&place);
    return result;
  }

  void choosePlaces() {
    for (const auto &[id, wanted] : goals().places) {
      const lower::Place &place = lowered_.places[id];
      auto &list = place.kind == lower::PlaceKind::Index ? indices_ : places_;
      auto same = std::find_if(list.begin(), list.end(),
                               [&](const CodePlace &other) { return other.isAt(place); });
      if (same == list.end())
        list.push_back({place.kind, {place.text, place.range}, {id}, {}});
      else
        same->ids.insert(id);
    }
  }

  void chooseGoals() {
    std::vector<size_t> distances = stateDistances();
    for (size_t i = 0; i < goals().states; ++i) {
      if (!isState(i))
        continue;
      distances_[goals().state(i)] = distances[i];
      if (!claimsOf(i).empty() && !hasMarker(thread().locations[i].name))
        distances_[goals().claim(i)] = distances[i];
    }
    for (const MachineEdge &edge : machine_.edges)
      distances_[goals().edge(edge.edge)] = distances[thread().edges[edge.edge].source] + 1;
    for (const auto &[goal, distance] : distances_)
      open_.insert(goal);
  }

  std::set<size_t> farthest() const {
    size_t most = 0;
    for (size_t goal : open_)
      most = std::max(most, distances_.at(goal));
    std::set<size_t> result;
    for (size_t goal : open_)
      if (distances_.at(goal) == most)
        result.insert(goal);
    return result;
  }

  compose::Variable memory(const llvm::GlobalVariable *global) const {
    auto found = program_.encoded.memory.find(global->getName().str());
    return found == program_.encoded.memory.end() ? compose::Variable{} : found->second.front();
  }

  void want(const std::set<size_t> &parts, const std::set<uint32_t> &places) {
    logic::TermPool &pool = *program_.program.pool;
    std::vector<Term> choice;
    auto choose = [&](const llvm::GlobalVariable *global, bool wanted) {
      if (compose::Variable variable = memory(global)) {
        Term value = pool.var(variable);
        choice.push_back(wanted ? value : pool.negate(value));
      }
    };
    for (size_t i = 0; i < goals().count(); ++i)
      choose(goals().wanted[i], parts.contains(i));
    for (const auto &[id, global] : goals().places)
      choose(global, places.contains(id));
    program_.program.templates[0].initial = pool.conjunction(std::move(choice));
  }

  /// Every configuration of the trace shows what its step used. False if it shows nothing new.
  bool dropUsed(const compose::Trace &trace) {
    bool reached = dropReached(trace, places_);
    reached = dropReached(trace, indices_) || reached;
    size_t before = open_.size();
    const auto &locals = program_.encoded.thread.locals;
    for (size_t goal = 0; goal < goals().count(); ++goal) {
      auto index = static_cast<size_t>(
          std::find(locals.begin(), locals.end(), memory(goals().hit[goal])) - locals.begin());
      if (index == locals.size() || !open_.contains(goal))
        continue;
      for (const compose::Step &step : trace.steps)
        if (step.after.threads.front().locals[index].number() != 0 && isStepEnd(step.edge))
          open_.erase(goal);
    }
    return open_.size() < before || reached;
  }

  bool dropReached(const compose::Trace &trace, std::vector<CodePlace> &places) const {
    bool any = false;
    for (CodePlace &place : places)
      for (const compose::Step &step : trace.steps)
        if (const auto &id = program_.encoded.places[step.edge];
            !place.reached.has_value() && id && place.ids.contains(*id)) {
          place.reached = true;
          any = true;
        }
    return any;
  }

  /// What was hit is known only where the step has been taken.
  bool isStepEnd(compose::EdgeId edge) const {
    const auto &place = program_.encoded.places[edge];
    return place && *place != checker_.othersMoved;
  }

  UnreachedCode codeReport() const {
    UnreachedCode result;
    for (const CodePlace &place : places_)
      if (place.reached == false && !isSkipped(place))
        addUnique(result.never, place.shown);
    for (const logic::SourceRange &range : lowered_.dropped) {
      const Unused dropped{read::lineText(range), range};
      if (std::none_of(places_.begin(), places_.end(), [&](const CodePlace &other) {
            return other.reached == true && isOneLine(other.shown, dropped);
          }))
        addUnique(result.never, dropped);
    }
    for (const CodePlace &place : indices_)
      if (place.reached == true)
        addUnique(result.outside, place.shown);
    return result;
  }

  /// A step of the condition of an assertion that is reached: `assert(a || x == 7)` need not read
  /// x.
  bool isSkipped(const CodePlace &step) const {
    return step.kind == lower::PlaceKind::Step &&
           std::any_of(places_.begin(), places_.end(), [&](const CodePlace &other) {
             return other.kind == lower::PlaceKind::Assertion && other.reached == true &&
                    isOneLine(other.shown, step.shown);
           });
  }

  static bool isOneLine(const Unused &left, const Unused &right) {
    return left.text == right.text && left.range.file == right.range.file &&
           left.range.begin.line == right.range.begin.line;
  }

  /// One line of the source is told of once.
  static void addUnique(std::vector<Unused> &list, const Unused &item) {
    if (std::none_of(list.begin(), list.end(),
                     [&](const Unused &other) { return isOneLine(other, item); }))
      list.push_back(item);
  }

  Vacuity report() const {
    Vacuity result;
    for (size_t i = 0; i < goals().states; ++i) {
      const compose::Location &state = thread().locations[i];
      if (unused_.contains(goals().state(i)))
        result.states.push_back({state.name, state.range});
      else if (unused_.contains(goals().claim(i)))
        for (Unused &claim : claimsOf(i)) {
          claim.text += " in state " + state.name;
          result.claims.push_back(std::move(claim));
        }
    }
    for (size_t i = 0; i < goals().edges; ++i) {
      const compose::Edge &edge = thread().edges[i];
      if (!unused_.contains(goals().edge(i)))
        continue;
      bool reachable = !unused_.contains(goals().state(edge.source));
      (reachable ? result.guards : result.edges)
          .push_back({thread().locations[edge.source].name + " " + edge.text, edge.range});
    }
    result.claimsNothing = isSilent(lowered_);
    return result;
  }
};

} // namespace

Use findUnused(System &system, const Machine &machine, VacuityReport asked,
               const compose::sequential::SequentialOptions &options) {
  return Search(system, machine, options).run(asked);
}

} // namespace understudy::passes::checker
