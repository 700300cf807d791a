// SPDX-License-Identifier: Apache-2.0
//
// From LLVM functions to templates. The problem: exactly the behaviours of the code, as few
// locations and variables as possible. The idea: symbolic execution between cut points
// (EncodeCuts). A path from one cut to the next is one edge, whose relation is the conjunction of
// the conditions on the way and of an equation for each local or shared variable that changed.
// Branches without a join become edges of their own; inside a step joins are followed as well, so
// that a step is one edge for each path through it.
// Invariant: at a cut, the locals of the values that live there hold those values.
// Checkers and functions in step form differ only in the calls they contain (StepForm.h), so one
// walk serves both.
#include "passes/encode/Encode.h"

#include "passes/encode/EncodePath.h"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <deque>

namespace understudy::passes::encode {

using compose::Edge;
using compose::FailureKind;
using compose::Location;
using compose::LocationId;
using compose::LocationKind;
using llvm::BasicBlock;
using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using logic::Unsupported;

namespace {

constexpr size_t maxPaths = 4096;

/// A path and where it is.
struct Walk {
  Path path;
  const Instruction *next = nullptr;
  bool inStep = false;
  std::unordered_set<const BasicBlock *> entered; ///< since the step began
};

/// Where an edge ends, and what to tell of it.
struct Arrival {
  enum class Target : uint8_t { Cut, Final, Error };
  Target target;
  CutId cut = 0;
  const Instruction &where;
  std::optional<uint32_t> place;
  std::optional<FailureKind> failure;
};

class Encoder {
public:
  Encoder(const llvm::Function &function, const std::string &name, EncodeContext &context)
      : context_(context), sources_(context.sources ? *context.sources : ownSources_),
        scope_(function), cuts_(scope_), objects_(scope_, context), forms_(scope_, objects_),
        terms_(*context.program.pool), layout_(cuts_, objects_, forms_, name, terms_),
        executor_(scope_, forms_, objects_, layout_, terms_, sources_) {
    result_.thread.name = name;
    result_.thread.range = sources_.range(function.getSubprogram());
  }

  Encoded run() {
    result_.thread.initials = {locationOf(EncodeCuts::entry)};
    while (!work_.empty()) {
      CutId cut = work_.front();
      work_.pop_front();
      explore(cut);
    }
    result_.thread.locals = layout_.locals();
    result_.thread.initial = layout_.initial();
    result_.memory = layout_.memory();
    return std::move(result_);
  }

private:
  EncodeContext &context_;
  read::SourceMap ownSources_;
  read::SourceMap &sources_;
  EncodeScope scope_;
  EncodeCuts cuts_;
  EncodeObjects objects_;
  EncodeForms forms_;
  TermBuilder terms_;
  EncodeLayout layout_;
  PathExecutor executor_;

  Encoded result_;
  std::unordered_map<CutId, LocationId> locations_;
  std::optional<LocationId> final_;
  std::optional<LocationId> error_;
  std::deque<CutId> work_;

  // The stretch at hand.
  CutId cut_ = 0;
  size_t paths_ = 0;
  std::vector<Walk> open_;

  LocationId addLocation(Location location) {
    result_.thread.locations.push_back(std::move(location));
    return static_cast<LocationId>(result_.thread.locations.size() - 1);
  }

  LocationId locationOf(CutId id) {
    auto [found, isNew] = locations_.try_emplace(id);
    if (!isNew)
      return found->second;
    work_.push_back(id);
    Location location;
    location.range = sources_.range(*cuts_[id].next);
    if (!location.range.known())
      location.range = result_.thread.range;
    location.name = location.range.known() ? "line " + std::to_string(location.range.begin.line)
                                           : "point " + std::to_string(id);
    found->second = addLocation(std::move(location));
    if (context_.heads.contains(cuts_[id].meeting))
      result_.heads[cuts_[id].meeting] = headAt(id, found->second);
    return found->second;
  }

  LoopHead headAt(CutId id, LocationId location) {
    LoopHead head{location, {}};
    for (const llvm::Value *value : cuts_[id].live)
      if (const Storage *storage = layout_.find(*value))
        head.values[value] = terms_.pool().var(storage->variable);
    return head;
  }

  LocationId locationOf(const Arrival &arrival) {
    if (arrival.target == Arrival::Target::Cut)
      return locationOf(arrival.cut);
    bool isFinal = arrival.target == Arrival::Target::Final;
    std::optional<LocationId> &known = isFinal ? final_ : error_;
    if (!known)
      known = isFinal ? addLocation({"end", LocationKind::Final, false, {}, {}, {}})
                      : addLocation({"error", LocationKind::Error, false, {}, {}, {}});
    return *known;
  }

  void explore(CutId cut) {
    cut_ = cut;
    paths_ = 0;
    Walk first;
    first.next = cuts_[cut].next;
    open_.push_back(std::move(first));
    while (!open_.empty()) {
      Walk walk = std::move(open_.back());
      open_.pop_back();
      follow(walk);
    }
  }

  /// Until the path ends; other ways are left in `open_`.
  void follow(Walk &walk) {
    while (walk.next) {
      const Instruction &instruction = *walk.next;
      size_t known = walk.path.guards.size();
      try {
        step(walk, instruction);
      } catch (const Unsupported &why) {
        throw Unsupported(why.what(),
                          why.range().known() ? why.range() : sources_.range(instruction));
      }
      if (!walk.next)
        return; // the path has ended, or goes on elsewhere
      auto isFalse = [](Term t) { return t.isFalse(); };
      const auto &guards = walk.path.guards;
      if (std::any_of(guards.begin() + static_cast<ptrdiff_t>(known), guards.end(), isFalse))
        return;
    }
  }

  void step(Walk &walk, const Instruction &instruction) {
    if (instruction.isTerminator()) {
      walk.next = nullptr;
      terminate(walk, instruction);
    } else if (const auto *call = dyn_cast<llvm::CallBase>(&instruction);
               !call || !arrive(walk, *call)) {
      executor_.execute(walk.path, instruction);
      walk.next = instruction.getNextNode();
    }
  }

  /// Does the call end the path, or begin a step?
  bool arrive(Walk &walk, const llvm::CallBase &call) {
    CallKind kind = callKind(call);
    auto fail = [&](std::optional<uint32_t> place, FailureKind failure) {
      walk.next = nullptr;
      addEdge(walk, {Arrival::Target::Error, 0, call, place, failure});
      return true;
    };
    switch (kind) {
    case CallKind::StepBegin:
      walk.inStep = true;
      walk.entered = {call.getParent()};
      walk.next = call.getNextNode();
      return true;
    case CallKind::StepEnd:
    case CallKind::Note: {
      CutId cut = cuts_.after(call);
      walk.next = nullptr;
      assignLive(walk, cut);
      addEdge(walk, {Arrival::Target::Cut, cut, call, idOf(call), {}});
      return true;
    }
    case CallKind::ReachError:
      return fail(cuts_[cut_].note, FailureKind::Assertion);
    case CallKind::AssertFail:
      return fail(idOf(call), FailureKind::Assertion);
    case CallKind::Violation:
      return fail(idOf(call), FailureKind::OutOfRange);
    default:
      return false;
    }
  }

  void terminate(Walk &walk, const Instruction &instruction) {
    if (isa<llvm::ReturnInst>(instruction))
      addEdge(walk, {Arrival::Target::Final, 0, instruction, {}, {}});
    else if (isa<llvm::BranchInst, llvm::SwitchInst>(instruction))
      branch(walk, instruction);
    else if (!isa<llvm::UnreachableInst>(instruction))
      throw Unsupported("the control flow of " + quoted(instruction.getOpcodeName()) +
                        " is not supported");
  }

  using Ways = std::vector<std::pair<const BasicBlock *, Term>>;

  void addWay(Ways &ways, const BasicBlock *block, Term condition) {
    for (auto &[known, when] : ways)
      if (known == block) {
        when = terms_.either(when, condition);
        return;
      }
    ways.emplace_back(block, condition);
  }

  Ways waysOf(Walk &walk, const Instruction &instruction) {
    Ways ways;
    if (const auto *jump = dyn_cast<llvm::BranchInst>(&instruction)) {
      if (jump->isUnconditional() || jump->getSuccessor(0) == jump->getSuccessor(1))
        return {{jump->getSuccessor(0), terms_.boolean(true)}};
      Term condition = executor_.condition(walk.path, *jump->getCondition());
      addWay(ways, jump->getSuccessor(0), condition);
      addWay(ways, jump->getSuccessor(1), terms_.negate(condition));
      return ways;
    }
    const auto &table = llvm::cast<llvm::SwitchInst>(instruction);
    std::vector<Term> others;
    for (const auto &one : table.cases()) {
      Term same = executor_.isCase(walk.path, *table.getCondition(), *one.getCaseValue());
      addWay(ways, one.getCaseSuccessor(), same);
      others.push_back(terms_.negate(same));
    }
    bool isImpossible =
        std::any_of(others.begin(), others.end(), [](Term t) { return t.isFalse(); });
    addWay(ways, table.getDefaultDest(),
           isImpossible ? terms_.boolean(false) : terms_.pool().conjunction(others));
    return ways;
  }

  void branch(Walk &walk, const Instruction &instruction) {
    Ways ways = waysOf(walk, instruction);
    std::erase_if(ways, [](const auto &way) { return way.second.isFalse(); });
    for (size_t i = ways.size(); i-- > 0;) {
      Walk next = i == 0 ? std::move(walk) : walk;
      next.path.assume(ways[i].second);
      enter(std::move(next), instruction, *ways[i].first);
    }
  }

  void enter(Walk walk, const Instruction &from, const BasicBlock &block) {
    executor_.enter(walk.path, block, *from.getParent());
    auto cut = walk.inStep ? std::nullopt : cuts_.at(block);
    if (cut) {
      assignLive(walk, *cut);
      addEdge(walk, {Arrival::Target::Cut, *cut, from, {}, {}});
      return;
    }
    if (walk.inStep && !walk.entered.insert(&block).second)
      throw Unsupported("a loop inside an atomic section is not supported",
                        sources_.range(block.front()));
    walk.next = &*block.getFirstNonPHIIt();
    bool inStep = walk.inStep;
    open_.push_back(std::move(walk));
    if (inStep && open_.size() + paths_ > maxPaths)
      throw Unsupported("more than " + std::to_string(maxPaths) +
                        " paths through an atomic section");
  }

  std::vector<Term> equations_;

  void assignLive(Walk &walk, CutId cut) {
    for (const llvm::Value *value : cuts_[cut].live)
      executor_.assignValue(walk.path, *value, equations_);
  }

  void addEdge(Walk &walk, const Arrival &arrival) {
    for (const auto &[slot, symbol] : walk.path.memory)
      executor_.assignSlot(walk.path, slot, equations_);
    std::vector<Term> equations = std::exchange(equations_, {});
    ++paths_;
    Path &path = walk.path;
    auto relation = conjunction(path.guards, equations);
    if (!relation)
      return;
    Edge edge;
    edge.source = locations_.at(cut_);
    edge.target = locationOf(arrival);
    edge.relation = *relation;
    edge.modified = std::move(path.modified);
    std::sort(edge.modified.begin(), edge.modified.end());
    edge.modified.erase(std::unique(edge.modified.begin(), edge.modified.end()),
                        edge.modified.end());
    edge.failure = arrival.failure;
    if (arrival.place && *arrival.place < context_.places.size()) {
      edge.range = context_.places[*arrival.place].range;
      edge.text = context_.places[*arrival.place].text;
    } else {
      edge.range = sources_.range(arrival.where);
      edge.text = read::lineText(edge.range);
    }
    result_.thread.edges.push_back(std::move(edge));
    result_.inputs.push_back(std::move(path.inputs));
    result_.places.push_back(arrival.place);
  }

  /// None: false.
  std::optional<Term> conjunction(const std::vector<Term> &guards,
                                  const std::vector<Term> &equations) {
    std::vector<Term> conjuncts;
    std::unordered_set<Term> known;
    for (const auto *part : {&guards, &equations})
      for (Term formula : *part)
        for (Term t : logic::conjunctsOf(formula)) {
          if (t.isFalse() || known.contains(terms_.negate(t)))
            return std::nullopt;
          if (!t.isTrue() && known.insert(t).second)
            conjuncts.push_back(t);
        }
    return terms_.pool().conjunction(std::move(conjuncts));
  }
};

} // namespace

Encoded encode(const llvm::Function &function, const std::string &name, EncodeContext &context) {
  return Encoder(function, name, context).run();
}

} // namespace understudy::passes::encode
