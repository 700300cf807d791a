// SPDX-License-Identifier: Apache-2.0
#include "compose/exploration/IdNames.h"

#include <algorithm>

namespace understudy::compose::exploration {

namespace {

constexpr size_t idFlag = 2, idSlot = 3; // of a local tuple

} // namespace

IdNames::IdNames(ExplicitModel &model, const IdUse &ids, std::vector<DeadLocal> dead)
    : model_(model), constants_(ids.constants) {
  const Program &program = model.program();
  auto slotsOf = [&](const std::vector<Variable> &variables, size_t first) {
    std::vector<Slot> slots;
    for (size_t i = 0; i < variables.size(); ++i) {
      if (!ids.variables.contains(variables[i]))
        continue;
      logic::Sort sort = variables[i].sort();
      slots.push_back({static_cast<uint32_t>(first + i), sort.isArray()});
      // The elements of such an array that are not listed are 0.
      if (sort.isArray() && sort.arraySize())
        constants_.insert(0);
    }
    return slots;
  };
  globalSlots_ = slotsOf(program.globals, 0);
  for (const Template &type : program.templates) {
    localSlots_.push_back(slotsOf(type.locals, ExplicitModel::localHeader));
    deadSlots_.emplace_back(type.locations.size());
  }
  if (constants_.empty())
    return; // nothing that a cleared variable could hold
  dead_ = std::move(dead);
  for (const DeadLocal &one : dead_)
    deadSlots_[one.thread][one.location].push_back(
        static_cast<uint32_t>(ExplicitModel::localHeader) + one.local);
}

LocalId IdNames::cleared(LocalId local) {
  if (local >= cleared_.size())
    cleared_.resize(local + 1, unknown);
  if (cleared_[local] != unknown)
    return cleared_[local];
  const LocalInfo &info = model_.info(local);
  const auto &slots = deadSlots_[info.thread][info.location];
  LocalId result = local;
  if (!slots.empty()) {
    auto stored = model_.localTuple(local);
    std::vector<int64_t> tuple(stored.begin(), stored.end());
    for (uint32_t slot : slots)
      tuple[slot] = *constants_.begin();
    result = model_.internLocal(tuple);
  }
  return cleared_[local] = result;
}

IdNames::Split IdNames::split(std::span<const int64_t> tuple, const std::vector<Slot> &slots,
                              size_t header) {
  Split result;
  std::vector<int64_t> shape;
  auto number = [&](int64_t value) {
    bool constant = constants_.contains(value);
    shape.push_back(constant ? value : 0);
    shape.push_back(constant);
    if (!constant)
      result.ids.push_back(value);
  };
  auto slot = slots.begin();
  for (size_t i = 0; i < tuple.size(); ++i) {
    bool isId = header != 0 && i == idSlot && tuple[idFlag] != 0;
    if (slot != slots.end() && slot->at == i) {
      isId = !slot->isArray;
      if (slot->isArray) {
        const logic::ArrayValue &array = model_.arrays().array(tuple[i]);
        number(array.rest);
        shape.push_back(static_cast<int64_t>(array.elements.size()));
        for (const auto &[index, element] : array.elements) {
          shape.push_back(index);
          number(element);
        }
      }
      ++slot;
      if (!isId)
        continue;
    }
    if (isId)
      number(tuple[i]);
    else
      shape.push_back(tuple[i]);
  }
  // Nothing is said of tuples without ids, and the globals are the one fact with the count 0.
  if (header != 0 && !result.ids.empty())
    result.shape = shapes_.try_emplace(std::move(shape), shapes_.size()).first->second;
  return result;
}

const IdNames::Split &IdNames::splitGlobal(GlobalId global) {
  while (globals_.size() <= global)
    globals_.push_back(
        split(model_.globalTuple(static_cast<GlobalId>(globals_.size())), globalSlots_, 0));
  return globals_[global];
}

const IdNames::Split &IdNames::splitLocal(LocalId local) {
  while (locals_.size() <= local) {
    auto next = static_cast<LocalId>(locals_.size());
    locals_.push_back(split(model_.localTuple(next), localSlots_[model_.info(next).thread],
                            ExplicitModel::localHeader));
  }
  return locals_[local];
}

uint32_t IdNames::atomOf(int64_t id) {
  auto found = std::find(atoms_.begin(), atoms_.end(), id);
  if (found == atoms_.end())
    found = atoms_.insert(atoms_.end(), id);
  return static_cast<uint32_t>(found - atoms_.begin());
}

void IdNames::addFact(const Split &split, uint64_t count) {
  members_.clear();
  for (int64_t id : split.ids)
    members_.push_back(atomOf(id));
  const uint64_t label[] = {split.shape, count};
  labelling_.fact(label, members_);
}

int64_t IdNames::newName(int64_t id) const {
  auto found = std::find(atoms_.begin(), atoms_.end(), id);
  return found == atoms_.end() ? id : renamed_[static_cast<size_t>(found - atoms_.begin())];
}

void IdNames::rename(std::vector<int64_t> &tuple, const std::vector<Slot> &slots) {
  for (const Slot &slot : slots) {
    if (!slot.isArray) {
      tuple[slot.at] = newName(tuple[slot.at]);
      continue;
    }
    logic::ArrayValue array = model_.arrays().array(tuple[slot.at]);
    array.rest = newName(array.rest);
    for (auto &[index, element] : array.elements)
      element = newName(element);
    tuple[slot.at] = model_.arrays().handle(array);
  }
}

void IdNames::makeCanonical(ExplicitState &state) {
  renaming_.clear();
  atoms_.clear();
  bool changed = false;
  for (const ThreadGroup &group : state.groups()) {
    LocalId local = cleared(group.local);
    changed = changed || local != group.local;
    for (int64_t id : splitLocal(local).ids)
      atomOf(id);
  }
  for (int64_t id : splitGlobal(state.global).ids)
    atomOf(id);
  if (atoms_.empty() && !changed)
    return;
  labelling_.begin(static_cast<uint32_t>(atoms_.size()));
  for (const ThreadGroup &group : state.groups())
    addFact(splitLocal(cleared(group.local)), group.count);
  addFact(splitGlobal(state.global), 0);
  const std::vector<uint32_t> &order = labelling_.run();
  for (int64_t next = names_.empty() ? 1 : names_.back() + 1; names_.size() < order.size(); ++next)
    if (!constants_.contains(next))
      names_.push_back(next);
  renamed_.resize(atoms_.size());
  for (size_t i = 0; i < order.size(); ++i) {
    renamed_[order[i]] = names_[i];
    if (atoms_[order[i]] != names_[i])
      renaming_.emplace_back(atoms_[order[i]], names_[i]);
  }
  if (renaming_.empty() && !changed)
    return;
  std::sort(renaming_.begin(), renaming_.end());
  ExplicitState result = state.withoutThreads();
  std::vector<int64_t> tuple;
  auto globals = model_.globalTuple(state.global);
  tuple.assign(globals.begin(), globals.end());
  rename(tuple, globalSlots_);
  result.global = model_.internGlobal(tuple);
  for (const ThreadGroup &group : state.groups()) {
    LocalId local = cleared(group.local);
    auto stored = model_.localTuple(local);
    tuple.assign(stored.begin(), stored.end());
    if (tuple[idFlag] != 0)
      tuple[idSlot] = newName(tuple[idSlot]);
    rename(tuple, localSlots_[model_.info(local).thread]);
    local = model_.internLocal(tuple);
    for (uint32_t i = 0; i < group.count; ++i)
      result.add(local);
  }
  state = std::move(result);
}

} // namespace understudy::compose::exploration
