// SPDX-License-Identifier: Apache-2.0
#include "compose/tnet/Explore.h"

#include "compose/exploration/StateStore.h"
#include "compose/tnet/Embedding.h"
#include "compose/tnet/LiteralSearch.h"
#include "compose/tnet/Retrace.h"
#include "logic/Error.h"
#include "logic/Words.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <set>

namespace understudy::compose::tnet {

namespace {

using exploration::StateStore;

/// Of this thread: what other programs do meanwhile is no cost of labelling.
double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What a look at that clock takes itself, which may be more than a labelling.
double clockSeconds() {
  double least = 1;
  for (int i = 0; i < 10; ++i) {
    const double begin = processorSeconds();
    least = std::min(least, processorSeconds() - begin);
  }
  return least;
}

class Exploration {
public:
  Exploration(const Net &net, const ExploreOptions &options)
      : net_(net), options_(options), budget_(options), rules_(net), state_(net) {
    for (const Question &question : net.questions)
      questions_.emplace_back(question.pattern);
    answers_.resize(net.questions.size());
    result_.found.resize(net.questions.size());
  }

  ExploreResult run() {
    withinLimits(budget_, result_, [this] { search(); });
    if (!result_.limit && leftOut() != 0)
      result_.limit = beyondNumbers;
    conclude();
    return std::move(result_);
  }

private:
  const Net &net_;
  const ExploreOptions &options_;
  Budget budget_;
  Rules rules_;
  std::vector<Matcher> questions_;
  std::vector<std::optional<uint32_t>> answers_; ///< the first state with the pattern
  CanonicalLabelling labelling_;
  StateStore store_;
  State state_; ///< that is being expanded
  std::vector<uint8_t> bytes_;
  std::vector<Atom> positions_;
  std::set<std::pair<uint32_t, uint32_t>> successors_; ///< of the state: transition, target
  StateGraph graph_;
  size_t mostTokens_ = 0;
  uint64_t labellings_ = 0;
  const double clockSeconds_ = clockSeconds();
  uint64_t growthTries_ = 0;          ///< used so far
  uint64_t lastState_ = ~uint64_t{0}; ///< beyond which an endless search need not go
  uint64_t lastLevel_ = ~uint64_t{0};
  ExploreResult result_;

  void search() {
    insert(State::start(net_), StateStore::noParent);
    uint32_t levelBegin = 0, levelEnd = 1;
    for (uint32_t current = 0; current < store_.size(); ++current) {
      if (current == levelEnd) {
        ++result_.depth;
        levelBegin = levelEnd;
        levelEnd = store_.size();
      }
      if (options_.maxDepth == result_.depth && current == levelBegin && goesDeeper(current))
        return lookAtRest(current);
      if (current % 4096 == 0)
        report();
      noteLimits();
      if (result_.limit || current >= lastState_ || result_.depth > lastLevel_)
        return;
      state_.decode(store_.state(current));
      const bool wasWhole = leftOut() == 0;
      lookAt(current);
      expand(current);
      if (wasWhole && leftOut() != 0)
        endSoon(current);
    }
  }

  /// How often a number beyond 64 bits cut something off.
  uint64_t leftOut() const {
    uint64_t count = rules_.leftOut();
    for (const Matcher &question : questions_)
      count += question.leftOut();
    return count;
  }

  /// Does a state from here on have a successor that is not known? Then the depth is a limit.
  bool goesDeeper(uint32_t current) {
    bool deeper = false;
    for (; current < store_.size() && !deeper; ++current) {
      state_.decode(store_.state(current));
      for (uint32_t t = 0; t < rules_.size() && !deeper; ++t)
        rules_.matcher(t).run(state_, budget_,
                              [&](Matcher::Slots &slots, const std::vector<uint32_t> &taken) {
                                deeper = isNew(rules_.after(state_, t, slots, taken));
                                return !deeper;
                              });
    }
    return deeper;
  }

  bool isNew(const std::optional<State> &next) {
    if (!next)
      return false;
    budget_.work(2 + next->tokens().size() / 4);
    next->encode(labelling_, bytes_, positions_);
    return !store_.contains(bytes_);
  }

  /// The states of the last level that is wanted are not expanded.
  void lookAtRest(uint32_t current) {
    result_.limit = "depth " + std::to_string(*options_.maxDepth);
    for (; current < store_.size(); ++current) {
      state_.decode(store_.state(current));
      lookAt(current);
    }
  }

  void noteLimits() {
    if (store_.size() > options_.maxStates)
      result_.limit = "more than " + std::to_string(options_.maxStates) + " states";
    else if (store_.memoryBytes() > options_.maxMemoryBytes)
      result_.limit =
          "more than " + std::to_string(options_.maxMemoryBytes >> 20) + " MB of memory";
  }

  void report() {
    Statistics statistics;
    statistics.states = store_.size();
    statistics.transitions = result_.firings;
    statistics.depth = result_.depth;
    statistics.memoryBytes = store_.memoryBytes();
    budget_.report("exploring", statistics);
  }

  void lookAt(uint32_t number) {
    for (size_t i = 0; i < questions_.size(); ++i)
      if (!answers_[i])
        if (auto slots = firstMatch(questions_[i]))
          answer(i, number, *slots);
    if (!result_.unbounded && state_.tokens().size() > mostTokens_)
      lookForGrowth(number);
    mostTokens_ = std::max(mostTokens_, state_.tokens().size());
  }

  std::optional<Matcher::Slots> firstMatch(Matcher &matcher) {
    std::optional<Matcher::Slots> result;
    matcher.run(state_, budget_, [&](Matcher::Slots &slots, const std::vector<uint32_t> &) {
      result = slots;
      return false;
    });
    return result;
  }

  Walk retraced(const std::vector<uint32_t> &path) {
    return Retracing(net_, rules_, store_, labelling_, budget_).along(path);
  }

  void answer(size_t question, uint32_t number, const Matcher::Slots &slots) {
    const Pattern &pattern = net_.questions[question].pattern;
    Walk walk = retraced(pathTo(store_, number));
    if (!isThere(net_, pattern, walk.run.markings.back(),
                 bindingOf(pattern, questions_[question], slots, walk.pids)))
      throw std::logic_error("an answer of the search has no literal counterpart");
    answers_[question] = number;
    result_.found[question] = std::move(walk.run);
  }

  /// Does the state contain one on the way to it? The effort is a share of that of the search.
  void lookForGrowth(uint32_t number) {
    constexpr uint64_t tries = 20'000, perFiring = 4;
    State before(net_);
    for (uint32_t at = store_.parent(number); at != StateStore::noParent; at = store_.parent(at)) {
      const uint64_t allowed = std::min(tries, tries + perFiring * result_.firings - growthTries_);
      uint64_t left = allowed;
      before.decode(store_.state(at));
      const bool contained =
          before.tokens().size() < state_.tokens().size() && embedding(net_, before, state_, left);
      growthTries_ += allowed - left;
      budget_.work(1 + (allowed - left) / 4);
      if (!contained)
        continue;
      result_.unbounded = unbounded(at, number);
      return endSoon(number);
    }
  }

  /// The search cannot become complete; questions that are still open may have an answer not far
  /// away.
  void endSoon(uint32_t number) {
    constexpr uint64_t further = 10'000, furtherLevels = 20;
    bool open = std::any_of(answers_.begin(), answers_.end(), [](auto &a) { return !a; });
    if (options_.maxDepth)
      return; // that is the end
    lastState_ = open ? std::min(options_.maxStates, number + further) : number;
    lastLevel_ = result_.depth + furtherLevels;
  }

  void expand(uint32_t current) {
    successors_.clear();
    const uint64_t before = result_.firings, cutBefore = leftOut();
    for (uint32_t t = 0; t < rules_.size(); ++t)
      rules_.matcher(t).run(state_, budget_,
                            [&](Matcher::Slots &slots, const std::vector<uint32_t> &taken) {
                              fire(t, current, slots, taken);
                              return true;
                            });
    result_.edges += successors_.size();
    if (result_.firings == before && leftOut() == cutBefore)
      noteDead(current);
    graph_.expanded = current + 1;
  }

  void fire(uint32_t transition, uint32_t current, Matcher::Slots &slots,
            const std::vector<uint32_t> &taken) {
    std::optional<State> next = rules_.after(state_, transition, slots, taken);
    if (!next)
      return;
    budget_.work(2 + next->tokens().size() / 4);
    ++result_.firings;
    const uint32_t target = insert(*next, current);
    if (successors_.emplace(transition, target).second &&
        options_.graph == ExploreOptions::Graph::Keep)
      graph_.edges.push_back({current, target, transition, originsOf(*next)});
  }

  uint32_t insert(const State &state, uint32_t parent) {
    constexpr uint64_t sample = 64; // a clock for each would be a cost of its own
    const bool isTimed = ++labellings_ % sample == 0;
    const double begin = isTimed ? processorSeconds() : 0;
    state.encode(labelling_, bytes_, positions_);
    if (isTimed)
      result_.labellingSeconds +=
          static_cast<double>(sample) * std::max(0.0, processorSeconds() - begin - clockSeconds_);
    if (!labelling_.complete())
      ++result_.notCanonical;
    return store_.insert(bytes_, parent).number;
  }

  std::vector<uint32_t> originsOf(const State &next) const {
    std::vector<uint32_t> origins(next.atoms(), noAtom);
    for (Atom atom = 0; atom < state_.atoms(); ++atom)
      if (const Atom name = rules_.names()[atom]; name != noAtom)
        origins[positions_[name]] = atom;
    return origins;
  }

  void noteDead(uint32_t number) {
    ++result_.dead;
    if (options_.graph == ExploreOptions::Graph::Keep)
      graph_.dead.push_back(number);
    auto rests = [this](const State::TokenRef &token) {
      const Place &place = net_.places[token.place];
      return !place.isControl || place.isFinal;
    };
    if (std::all_of(state_.tokens().begin(), state_.tokens().end(), rests))
      ++result_.finished;
  }

  void conclude() {
    result_.states = store_.size();
    if (options_.graph == ExploreOptions::Graph::Keep) {
      uint32_t kept = store_.size();
      if (budget_.exhausted()) {
        kept = std::min<uint32_t>(kept, StateGraph::mostBeyondLimits);
        std::erase_if(graph_.edges,
                      [&](const GraphEdge &edge) { return edge.from >= kept || edge.to >= kept; });
        graph_.edges.shrink_to_fit();
      }
      for (uint32_t number = 0; number < kept; ++number)
        graph_.states.emplace_back(store_.state(number).begin(), store_.state(number).end());
      graph_.answers = answers_;
      result_.graph = std::move(graph_);
    }
    result_.seconds = budget_.seconds();
  }

  /// The second state contains the first.
  Unbounded unbounded(uint32_t first, uint32_t second) {
    const std::vector<uint32_t> path = pathTo(store_, second);
    Unbounded result{retraced(path).run, 0, {}};
    result.from = static_cast<size_t>(std::find(path.begin(), path.end(), first) - path.begin());
    std::vector<std::string> parts;
    auto count = [](const Marking &marking, PlaceId place) {
      auto held = marking.tokens.find(place);
      return held == marking.tokens.end() ? 0 : held->second.size();
    };
    for (PlaceId place = 0; place < net_.places.size(); ++place) {
      size_t more =
          count(result.run.markings.back(), place) - count(result.run.markings[result.from], place);
      if (more != 0)
        parts.push_back((more == 1 ? "a token in " : std::to_string(more) + " tokens in ") +
                        net_.places[place].name);
    }
    result.adds = logic::joined(parts, " and ");
    return result;
  }
};

} // namespace

Answer ExploreResult::answer(const Net &net) const {
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i] && net.questions[i].kind == Question::Kind::Never)
      return Answer::Unsafe;
  return complete() ? Answer::Safe : Answer::Unknown;
}

std::string ExploreResult::reason() const {
  if (!unbounded)
    return limit.value_or("");
  const size_t steps = unbounded->run.fired.size() - unbounded->from;
  return "unbounded: " + std::to_string(steps) + (steps == 1 ? " step adds " : " steps add ") +
         unbounded->adds + ", again and again";
}

ExploreResult explore(const Net &net, const ExploreOptions &options) {
  if (options.equivalence == ExploreOptions::Equivalence::Off)
    return exploreLiterally(net, options);
  return Exploration(net, options).run();
}

} // namespace understudy::compose::tnet
