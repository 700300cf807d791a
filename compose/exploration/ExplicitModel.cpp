// SPDX-License-Identifier: Apache-2.0
#include "compose/exploration/ExplicitModel.h"

#include "compose/IdUse.h"
#include "logic/Error.h"

#include <algorithm>
#include <tuple>

namespace understudy::compose::exploration {

namespace {

// The memory is forgotten beyond this many moves; it is only a cache.
constexpr size_t maxRememberedMoves = 8'000'000;

/// Slots of one template: globals before, locals before, globals after, locals after.
struct Layout {
  const Program &program;
  const Template &type;

  uint32_t globals() const { return static_cast<uint32_t>(program.globals.size()); }
  uint32_t width() const { return globals() + static_cast<uint32_t>(type.locals.size()); }

  uint32_t slot(Variable variable, bool primed) const {
    auto global = std::find(program.globals.begin(), program.globals.end(), variable);
    auto index = static_cast<uint32_t>(global - program.globals.begin());
    if (global == program.globals.end()) {
      auto local = std::find(type.locals.begin(), type.locals.end(), variable);
      if (local == type.locals.end())
        throw std::logic_error("unknown variable " + variable.fullName());
      index = globals() + static_cast<uint32_t>(local - type.locals.begin());
    }
    return index + (primed ? width() : 0);
  }

  SlotOf slots() const {
    return [*this](Variable v, bool primed) { return slot(v, primed); };
  }
};

[[noreturn]] void rethrowAsOpen(const std::string &what, const logic::Unsupported &open,
                                const SourceRange &where) {
  throw logic::Unsupported(what + " " + open.what(), where);
}

size_t widestLocals(const Program &program) {
  size_t result = 0;
  for (const Template &type : program.templates)
    result = std::max(result, type.locals.size());
  return result;
}

} // namespace

struct ExplicitModel::TemplatePlans {
  Layout layout;
  std::vector<EdgePlan> edges;
  std::vector<std::vector<EdgeId>> edgesFrom;
  EdgePlan start;            ///< unknown: the locals that are no parameters
  EdgePlan create;           ///< the same with all locals unknown, for threads of `run`
  std::vector<Code> forkIds; ///< by edge; joins too
  std::vector<std::vector<Code>> forkArguments; ///< by edge

  static std::vector<logic::VariableUse> localsFrom(const Template &type, size_t first) {
    std::vector<logic::VariableUse> result;
    for (size_t i = first; i < type.locals.size(); ++i)
      result.push_back({type.locals[i], false});
    return result;
  }

  TemplatePlans(const Program &program, const Template &type)
      : layout{program, type}, edgesFrom(type.locations.size()),
        start(type.initial, localsFrom(type, type.parameters.size()), layout.slots()),
        create(type.initial, localsFrom(type, 0), layout.slots()), forkIds(type.edges.size()),
        forkArguments(type.edges.size()) {
    for (EdgeId e = 0; e < type.edges.size(); ++e)
      addEdge(e, type.edges[e]);
  }

  void addEdge(EdgeId id, const Edge &edge) {
    std::vector<logic::VariableUse> unknowns;
    const auto *fork = std::get_if<Fork>(&edge.action);
    for (Variable v : edge.modified)
      if (!fork || fork->result != v)
        unknowns.push_back({v, true});
    edges.emplace_back(edge.relation, unknowns, layout.slots());
    edgesFrom[edge.source].push_back(id);
    if (fork) {
      if (fork->id)
        forkIds[id] = Code(*fork->id, layout.slots());
      for (const Term &argument : fork->arguments)
        forkArguments[id].emplace_back(argument, layout.slots());
    }
    if (const auto *join = std::get_if<Join>(&edge.action); join && join->id)
      forkIds[id] = Code(*join->id, layout.slots());
  }
};

ExplicitModel::ExplicitModel(const Program &program)
    : program_(program), idsMatter_(analyseIds(program).matters), globals_(program.globals.size()),
      locals_(localHeader + widestLocals(program)) { // padded with zeros
  SlotOf onGlobals = [this](Variable v, bool primed) {
    auto found = std::find(program_.globals.begin(), program_.globals.end(), v);
    auto index = static_cast<uint32_t>(found - program_.globals.begin());
    return index + (primed ? static_cast<uint32_t>(program_.globals.size()) : 0);
  };
  for (const Claim &invariant : program.invariants)
    invariantCode_.emplace_back(invariant.formula, onGlobals);
  for (const Template &type : program.templates) {
    plans_.emplace_back(program, type);
    auto &codes = relyCode_.emplace_back(type.locations.size());
    for (size_t l = 0; l < type.locations.size(); ++l)
      for (const Claim &rely : type.locations[l].relies)
        codes[l].emplace_back(rely.formula, onGlobals);
  }
}

ExplicitModel::~ExplicitModel() = default;

size_t ExplicitModel::localWidth() const { return localHeader + widestLocals(program_); }

GlobalId ExplicitModel::internGlobal(std::span<const int64_t> tuple) {
  GlobalId id = globals_.number(tuple);
  if (id == invariants_.size()) {
    uint32_t violated = 0;
    for (size_t i = 0; i < invariantCode_.size() && !violated; ++i)
      if (invariantCode_[i].run(tuple.data(), arrays_) == 0)
        violated = static_cast<uint32_t>(i + 1);
    invariants_.push_back(violated);
  }
  return id;
}

LocalId ExplicitModel::internLocal(std::span<const int64_t> tuple) {
  LocalId id = locals_.number(tuple);
  if (id == infos_.size()) {
    infos_.emplace_back();
    LocalInfo info = describe(id);
    infos_[id] = info;
  }
  return id;
}

LocalId ExplicitModel::internThread(TemplateId thread, LocationId location,
                                    std::optional<int64_t> id, std::span<const int64_t> values) {
  std::vector<int64_t> tuple(localWidth(), 0);
  tuple[0] = thread;
  tuple[1] = location;
  if (id && idsMatter_) {
    tuple[2] = 1;
    tuple[3] = *id;
  }
  std::copy(values.begin(), values.end(), tuple.begin() + localHeader);
  return internLocal(tuple);
}

LocalInfo ExplicitModel::describe(LocalId local) {
  auto stored = locals_.tuple(local);
  std::vector<int64_t> tuple(stored.begin(), stored.end());
  LocalInfo info;
  info.thread = static_cast<TemplateId>(tuple[0]);
  info.location = static_cast<LocationId>(tuple[1]);
  if (tuple[2] != 0)
    info.id = tuple[3];
  const Location &location = program_.templates[info.thread].locations[info.location];
  info.isFinal = location.kind == LocationKind::Final;
  info.relies = !location.relies.empty();
  auto here = [&](const Place &p) {
    return p.thread == info.thread && p.location == info.location;
  };
  info.excluded = std::any_of(program_.exclusions.begin(), program_.exclusions.end(),
                              [&](const Exclusion &e) { return here(e.first) || here(e.second); });
  if (location.waiting) {
    info.waitsOn = location.waiting->cond;
    tuple[1] = location.waiting->wakesTo;
    info.woken = internLocal(tuple);
  }
  return info;
}

std::vector<GlobalId> ExplicitModel::startGlobals() {
  std::vector<logic::VariableUse> unknowns;
  for (Variable v : program_.globals)
    unknowns.push_back({v, false});
  SlotOf slots = [this](Variable v, bool) {
    auto found = std::find(program_.globals.begin(), program_.globals.end(), v);
    return static_cast<uint32_t>(found - program_.globals.begin());
  };
  EdgePlan plan(program_.initial, unknowns, slots);
  std::vector<int64_t> values(program_.globals.size(), 0);
  std::vector<GlobalId> result;
  try {
    plan.run(values.data(), arrays_, [&] { result.push_back(internGlobal(values)); });
  } catch (const logic::Overflow &) {
    throw;
  } catch (const logic::Unsupported &open) {
    rethrowAsOpen("the initial state", open, {});
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<LocalId> ExplicitModel::startLocals(TemplateId thread, GlobalId global) {
  return newThreads(thread, std::nullopt, {}, global);
}

std::vector<LocalId> ExplicitModel::newThreads(TemplateId thread, std::optional<int64_t> id,
                                               std::span<const int64_t> arguments,
                                               GlobalId context) {
  const TemplatePlans &plans = plans_[thread];
  const Template &type = program_.templates[thread];
  auto global = globals_.tuple(context);
  std::vector<int64_t> slots(global.begin(), global.end());
  slots.resize(plans.layout.width(), 0);
  std::copy(arguments.begin(), arguments.end(), slots.begin() + plans.layout.globals());
  std::vector<LocalId> result;
  try {
    const EdgePlan &plan = arguments.size() == type.parameters.size() ? plans.start : plans.create;
    plan.run(slots.data(), arrays_, [&] {
      for (LocationId location : type.initials)
        result.push_back(
            internThread(thread, location, id, std::span(slots).subspan(plans.layout.globals())));
    });
  } catch (const logic::Overflow &) {
    throw;
  } catch (const logic::Unsupported &open) {
    rethrowAsOpen("the initial state of thread '" + type.name + "'", open, type.range);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

const std::vector<Move> &ExplicitModel::moves(GlobalId global, LocalId local) {
  uint64_t key = uint64_t{global} << 32 | local;
  if (uint32_t known = moveIndex_.find(key); known != FlatMap::absent)
    return moves_[known];
  if (moveCount_ > maxRememberedMoves) {
    moveIndex_.clear();
    moves_.clear();
    pendingForks_.clear();
    moveCount_ = 0;
  }
  moves_.push_back(computeMoves(global, local));
  moveIndex_.insert(key, static_cast<uint32_t>(moves_.size() - 1));
  moveCount_ += moves_.back().size() + 1;
  return moves_.back();
}

/// Runs the edge's plan on the slots before and after; `found` sees them filled in.
void ExplicitModel::forEachOutcome(GlobalId global, LocalId local, EdgeId edgeId,
                                   std::optional<int64_t> freshId,
                                   const std::function<void(const Move &, const Slots &)> &found) {
  const TemplateId thread = infos_[local].thread;
  const std::optional<int64_t> id = infos_[local].id;
  const TemplatePlans &plans = plans_[thread];
  const Edge &edge = program_.edge(thread, edgeId);
  const size_t width = plans.layout.width();
  Slots slots(2 * width);
  auto globals = globals_.tuple(global);
  auto locals = locals_.tuple(local).subspan(localHeader, width - globals.size());
  auto at = std::copy(globals.begin(), globals.end(), slots.begin());
  at = std::copy(locals.begin(), locals.end(), at);
  std::copy(slots.begin(), at, at);
  if (const auto *fork = std::get_if<Fork>(&edge.action); fork && fork->result)
    slots[plans.layout.slot(*fork->result, true)] = freshId.value_or(0);
  try {
    plans.edges[edgeId].run(slots.data(), arrays_, [&] {
      std::span<const int64_t> after = std::span(slots).subspan(width);
      Move move;
      move.edge = edgeId;
      move.fails = edge.failure.has_value();
      move.global = internGlobal(after.first(plans.layout.globals()));
      move.local = internThread(thread, edge.target, id, after.subspan(plans.layout.globals()));
      found(move, slots);
    });
  } catch (const logic::Overflow &) {
    throw logic::Unsupported("the step '" + edge.text + "' leaves the range of 64-bit integers",
                             edge.range);
  } catch (const logic::Unsupported &open) {
    if (open.range().known())
      throw;
    rethrowAsOpen("the step '" + edge.text + "'", open, edge.range);
  }
}

std::vector<Move> ExplicitModel::computeMoves(GlobalId global, LocalId local) {
  std::vector<Move> result;
  for (EdgeId e : plans_[infos_[local].thread].edgesFrom[infos_[local].location]) {
    const Edge &edge = program_.edge(infos_[local].thread, e);
    if (const auto *fork = std::get_if<Fork>(&edge.action); fork && !fork->id) {
      Move move;
      move.edge = e;
      move.fails = edge.failure.has_value();
      move.effect = Move::Effect::FreshFork;
      move.object = static_cast<uint32_t>(pendingForks_.size());
      pendingForks_.push_back({global, local, e});
      result.push_back(move);
      continue;
    }
    forEachOutcome(global, local, e, std::nullopt, [&](const Move &move, const Slots &slots) {
      addMoves(edge, move, global, slots, result);
    });
  }
  auto key = [](const Move &m) {
    return std::tuple(m.edge, m.global, m.local, m.effect, m.object, m.joinTemplate, m.joinId);
  };
  std::sort(result.begin(), result.end(),
            [&](const Move &a, const Move &b) { return key(a) < key(b); });
  auto last = std::unique(result.begin(), result.end(),
                          [&](const Move &a, const Move &b) { return key(a) == key(b); });
  result.erase(last, result.end());
  return result;
}

std::vector<int64_t> ExplicitModel::argumentsOf(TemplateId thread, EdgeId edge,
                                                const Slots &slots) {
  std::vector<int64_t> result;
  for (const Code &code : plans_[thread].forkArguments[edge])
    result.push_back(code.run(slots.data(), arrays_));
  return result;
}

void ExplicitModel::addMoves(const Edge &edge, Move move, GlobalId before, const Slots &slots,
                             std::vector<Move> &out) {
  const TemplateId thread = infos_[move.local].thread;
  const TemplatePlans &plans = plans_[thread];
  if (const auto *fork = std::get_if<Fork>(&edge.action)) {
    move.effect = Move::Effect::Fork;
    int64_t id = plans.forkIds[move.edge].run(slots.data(), arrays_);
    for (LocalId created :
         newThreads(fork->thread, id, argumentsOf(thread, move.edge, slots), before)) {
      move.object = created;
      out.push_back(move);
    }
    return;
  }
  if (const auto *join = std::get_if<Join>(&edge.action)) {
    move.effect = Move::Effect::Join;
    move.joinTemplate = join->thread;
    if (join->id)
      move.joinId = plans.forkIds[move.edge].run(slots.data(), arrays_);
  } else if (const auto *signal = std::get_if<SignalCond>(&edge.action)) {
    move.effect = Move::Effect::Signal;
    move.object = signal->cond;
  } else if (const auto *broadcast = std::get_if<BroadcastCond>(&edge.action)) {
    move.effect = Move::Effect::Broadcast;
    move.object = broadcast->cond;
  }
  out.push_back(move);
}

std::vector<FreshThread> ExplicitModel::forkFresh(const Move &pending, int64_t id) {
  const PendingFork fork = pendingForks_[pending.object];
  const TemplateId thread = infos_[fork.local].thread;
  const auto &action = std::get<Fork>(program_.edge(thread, fork.edge).action);
  std::vector<FreshThread> all;
  forEachOutcome(fork.before, fork.local, fork.edge, id, [&](const Move &move, const Slots &slots) {
    for (LocalId created :
         newThreads(action.thread, id, argumentsOf(thread, fork.edge, slots), fork.before))
      all.push_back({move.global, move.local, created});
  });
  return all;
}

std::optional<size_t> ExplicitModel::violatedInvariant(GlobalId global) const {
  if (invariants_[global] == 0)
    return std::nullopt;
  return invariants_[global] - 1;
}

std::optional<size_t> ExplicitModel::brokenRely(LocalId local, GlobalId before, GlobalId after) {
  const LocalInfo &info = infos_[local];
  const auto &codes = relyCode_[info.thread][info.location];
  std::vector<int64_t> slots(program_.globals.size() * 2);
  auto old = globals_.tuple(before);
  auto now = globals_.tuple(after);
  std::copy(old.begin(), old.end(), slots.begin());
  std::copy(now.begin(), now.end(), slots.begin() + static_cast<std::ptrdiff_t>(old.size()));
  for (size_t i = 0; i < codes.size(); ++i)
    if (codes[i].run(slots.data(), arrays_) == 0)
      return i;
  return std::nullopt;
}

GlobalId ExplicitModel::globalOf(const std::vector<Value> &values) {
  std::vector<int64_t> tuple;
  for (const Value &value : values)
    tuple.push_back(arrays_.toSlot(value));
  return internGlobal(tuple);
}

LocalId ExplicitModel::localOf(const Thread &thread) {
  std::vector<int64_t> values;
  for (const Value &value : thread.locals)
    values.push_back(arrays_.toSlot(value));
  return internThread(thread.thread, thread.location, thread.id, values);
}

std::vector<Value> ExplicitModel::globalValues(GlobalId global) const {
  auto tuple = globals_.tuple(global);
  std::vector<Value> result;
  for (size_t i = 0; i < tuple.size(); ++i)
    result.push_back(arrays_.fromSlot(tuple[i], program_.globals[i].sort()));
  return result;
}

Thread ExplicitModel::threadOf(LocalId local) const {
  const LocalInfo &info = infos_[local];
  Thread thread{0, info.thread, info.location, info.id, {}};
  const auto &locals = program_.templates[info.thread].locals;
  auto tuple = locals_.tuple(local);
  for (size_t i = 0; i < locals.size(); ++i)
    thread.locals.push_back(arrays_.fromSlot(tuple[localHeader + i], locals[i].sort()));
  return thread;
}

size_t ExplicitModel::memoryBytes() const {
  return globals_.memoryBytes() + locals_.memoryBytes() + moveIndex_.memoryBytes() +
         moveCount_ * sizeof(Move) + invariants_.capacity() * sizeof(uint32_t) +
         infos_.capacity() * sizeof(LocalInfo);
}

} // namespace understudy::compose::exploration
