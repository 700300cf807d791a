// SPDX-License-Identifier: Apache-2.0
#include "compose/tnet/Explore.h"

#include "compose/Solutions.h"
#include "compose/exploration/StateStore.h"
#include "compose/tnet/Embedding.h"
#include "compose/tnet/LiteralSearch.h"
#include "compose/tnet/Matcher.h"
#include "logic/Error.h"
#include "logic/Words.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <set>

namespace understudy::compose::tnet {

namespace {

using exploration::StateStore;

/// A transition made ready.
struct Rule {
  struct Produced {
    PlaceId place = 0;
    std::vector<exploration::Code> fields;
  };
  Matcher matcher;
  std::vector<std::pair<uint32_t, uint32_t>> spawns; ///< slots of child and parent
  std::vector<uint32_t> ends;
  std::vector<Produced> gives;

  static std::vector<Variable> children(const Transition &transition) {
    std::vector<Variable> result;
    for (const Spawn &spawn : transition.spawns)
      result.push_back(spawn.child);
    return result;
  }
  explicit Rule(const Transition &transition) : matcher(transition.pattern, children(transition)) {
    for (const Spawn &spawn : transition.spawns)
      spawns.emplace_back(matcher.slotOf(spawn.child), matcher.slotOf(spawn.parent));
    for (Variable thread : transition.ends)
      ends.push_back(matcher.slotOf(thread));
    for (const Arc &arc : transition.gives) {
      Produced produced{arc.place, {}};
      for (Term field : arc.fields)
        produced.fields.push_back(matcher.compiled(field));
      gives.push_back(std::move(produced));
    }
  }
};

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
      : net_(net), options_(options), budget_(options), state_(net) {
    for (const Transition &transition : net.transitions)
      rules_.emplace_back(transition);
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
  std::vector<Rule> rules_;
  std::vector<Matcher> questions_;
  std::vector<std::optional<uint32_t>> answers_; ///< the first state with the pattern
  CanonicalLabelling labelling_;
  StateStore store_;
  State state_; ///< that is being expanded
  exploration::ArrayTable arrays_;
  std::vector<uint8_t> bytes_;
  std::vector<Atom> names_, positions_, origins_;
  std::set<std::pair<uint32_t, uint32_t>> successors_; ///< of the state: transition, target
  StateGraph graph_;
  size_t mostTokens_ = 0;
  uint64_t labellings_ = 0;
  const double clockSeconds_ = clockSeconds();
  uint64_t growthTries_ = 0;          ///< used so far
  uint64_t lastState_ = ~uint64_t{0}; ///< beyond which an endless search need not go
  uint64_t lastLevel_ = ~uint64_t{0};
  uint64_t leftOut_ = 0; ///< successors with numbers beyond 64 bits
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
    uint64_t count = leftOut_;
    for (const Matcher &question : questions_)
      count += question.leftOut();
    for (const Rule &rule : rules_)
      count += rule.matcher.leftOut();
    return count;
  }

  /// Does a state from here on have a successor that is not known? Then the depth is a limit.
  bool goesDeeper(uint32_t current) {
    bool deeper = false;
    for (; current < store_.size() && !deeper; ++current) {
      state_.decode(store_.state(current));
      for (Rule &rule : rules_)
        if (!deeper)
          rule.matcher.run(state_, budget_,
                           [&](Matcher::Slots &slots, const std::vector<uint32_t> &taken) {
                             deeper = isNew(after(state_, rule, slots, taken));
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

  void answer(size_t question, uint32_t number, const Matcher::Slots &slots) {
    const Pattern &pattern = net_.questions[question].pattern;
    Walk walk = replayed(pathTo(number));
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
    for (uint32_t t = 0; t < rules_.size(); ++t) {
      Rule &rule = rules_[t];
      rule.matcher.run(state_, budget_,
                       [&](Matcher::Slots &slots, const std::vector<uint32_t> &taken) {
                         fire(rule, t, current, slots, taken);
                         return true;
                       });
    }
    result_.edges += successors_.size();
    if (result_.firings == before && leftOut() == cutBefore)
      noteDead(current);
    graph_.expanded = current + 1;
  }

  void fire(const Rule &rule, uint32_t transition, uint32_t current, Matcher::Slots &slots,
            const std::vector<uint32_t> &taken) {
    std::optional<State> next = after(state_, rule, slots, taken);
    if (!next)
      return;
    budget_.work(2 + next->tokens().size() / 4);
    ++result_.firings;
    const uint32_t target = insert(*next, current);
    if (successors_.emplace(transition, target).second &&
        options_.graph == ExploreOptions::Graph::Keep)
      graph_.edges.push_back({current, target, transition, originsOf(*next)});
  }

  /// What the state becomes, with `names_` of its atoms; none if a token does not fit its place, or
  /// a number into 64 bits.
  std::optional<State> after(const State &state, const Rule &rule, Matcher::Slots &slots,
                             const std::vector<uint32_t> &taken) {
    try {
      return fitting(state, rule, slots, taken);
    } catch (const logic::Overflow &) {
      ++leftOut_;
      return std::nullopt;
    }
  }

  std::optional<State> fitting(const State &state, const Rule &rule, Matcher::Slots &slots,
                               std::vector<uint32_t> taken) {
    std::sort(taken.begin(), taken.end());
    State next = state.without(taken);
    for (const auto &[child, parent] : rule.spawns)
      slots[child] = next.spawn(static_cast<Atom>(slots[parent]));
    std::vector<int64_t> fields;
    for (const Rule::Produced &produced : rule.gives) {
      fields.clear();
      for (size_t i = 0; i < produced.fields.size(); ++i) {
        const Column &column = net_.places[produced.place].columns[i];
        fields.push_back(produced.fields[i].run(slots.data(), arrays_));
        if (!column.isPid && !inSort(fields.back(), column.sort))
          return std::nullopt;
      }
      next.add(produced.place, fields);
    }
    for (uint32_t thread : rule.ends)
      next.end(static_cast<Atom>(slots[thread]));
    next.dropUnused(names_);
    return next;
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
    for (Atom atom = 0; atom < names_.size(); ++atom)
      if (names_[atom] != noAtom && atom < state_.atoms())
        origins[positions_[names_[atom]]] = atom;
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

  std::vector<uint32_t> pathTo(uint32_t number) const {
    std::vector<uint32_t> path;
    for (uint32_t at = number; at != StateStore::noParent; at = store_.parent(at))
      path.push_back(at);
    std::reverse(path.begin(), path.end());
    return path;
  }

  struct Walk {
    Run run;
    std::vector<Pid> pids; ///< of the atoms of the last state
  };

  /// The literal interpreter walks along the states: every step of the search is done again, with
  /// the ids that the atoms have by then.
  Walk replayed(const std::vector<uint32_t> &path) {
    Walk walk{{{startMarking(net_)}, {}}, {Pid{1}}};
    State state(net_);
    for (size_t i = 1; i < path.size(); ++i) {
      state.decode(store_.state(path[i - 1]));
      bool found = false;
      for (uint32_t t = 0; t < rules_.size() && !found; ++t)
        rules_[t].matcher.run(state, budget_,
                              [&](Matcher::Slots &slots, const std::vector<uint32_t> &taken) {
                                if (leadsTo(path[i], after(state, rules_[t], slots, taken))) {
                                  follow(walk, t, slots);
                                  found = true;
                                }
                                return !found;
                              });
      if (!found)
        throw std::logic_error("a step of the search cannot be repeated");
    }
    return walk;
  }

  bool leadsTo(uint32_t wanted, const std::optional<State> &next) {
    if (!next)
      return false;
    budget_.work(2 + next->tokens().size() / 4);
    next->encode(labelling_, bytes_, positions_);
    return std::ranges::equal(bytes_, store_.state(wanted));
  }

  static Binding bindingOf(const Pattern &pattern, const Matcher &matcher,
                           const Matcher::Slots &slots, const std::vector<Pid> &pids) {
    Binding binding;
    for (Variable pid : pattern.pids)
      binding[pid] = {pids[static_cast<Atom>(slots[matcher.slotOf(pid)])], 0};
    for (Variable data : pattern.data)
      binding[data] = {{}, slots[matcher.slotOf(data)]};
    return binding;
  }

  /// Fires the transition literally, as the last step of the search did.
  void follow(Walk &walk, uint32_t transition, const Matcher::Slots &slots) const {
    const Transition &fired = net_.transitions[transition];
    auto done = firing(net_, walk.run.markings.back(), transition,
                       bindingOf(fired.pattern, rules_[transition].matcher, slots, walk.pids));
    if (!done)
      throw std::logic_error("a step of the search has no literal counterpart");
    std::vector<Pid> all = std::move(walk.pids);
    for (const Spawn &spawn : fired.spawns)
      all.push_back(done->binding.at(spawn.child).pid);
    walk.pids.assign(positions_.size(), {});
    for (Atom atom = 0; atom < all.size(); ++atom)
      if (names_[atom] != noAtom)
        walk.pids[positions_[names_[atom]]] = all[atom];
    walk.run.markings.push_back(done->after);
    walk.run.fired.push_back(std::move(*done));
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
    const std::vector<uint32_t> path = pathTo(second);
    Unbounded result{replayed(path).run, 0, {}};
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
