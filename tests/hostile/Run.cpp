// SPDX-License-Identifier: Apache-2.0
#include "Run.h"

#include <algorithm>
#include <cstring>

namespace understudy::tests::hostile {
namespace {

constexpr size_t mostHooks = 600;

template <typename T>
int64_t load(const void *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<int64_t>(value);
}

int64_t loadRaw(const void *at, size_t size, bool isSigned) {
  switch (size) {
  case 1:
    return isSigned ? load<int8_t>(at) : load<uint8_t>(at);
  case 2:
    return isSigned ? load<int16_t>(at) : load<uint16_t>(at);
  case 4:
    return isSigned ? load<int32_t>(at) : load<uint32_t>(at);
  default:
    return load<int64_t>(at);
  }
}

/// The low bytes: the machine is little-endian.
void storeRaw(void *at, size_t size, int64_t value) { std::memcpy(at, &value, size); }

} // namespace

Run *&Run::current() {
  static Run *run = nullptr;
  return run;
}

Run::Run(const Subject &subject, const SharedSpace &space, Monitor &monitor, Random &random,
         Manner manner)
    : subject_(subject), native_(subject.library.program(subject.index)), space_(space),
      monitor_(monitor), random_(random), manner_(manner) {
  if (manner == Manner::Hostile && random.oneIn(2))
    focus_ = random.below(1000);
}

std::optional<Breach> Run::execute() {
  subject_.library.reset();
  monitor_.start();
  current() = this;
  const int end = setjmp(jump_);
  if (end == 0)
    native_.thread();
  if (end != static_cast<int>(End::Ended))
    finish();
  current() = nullptr;
  return breach_;
}

/// The function has returned: its last store, then the contract must have ended, too.
void Run::finish() {
  if (setjmp(jump_) != 0)
    return;
  settle();
  if (!left_)
    moveTo(othersMove());
  if (const auto breach = monitor_.returned(left_, seen().value_or(0))) {
    tell("returns", *seen(), *seen());
    breach_ = breach;
  }
}

void Run::stop(End end) { std::longjmp(jump_, static_cast<int>(end)); }

void Run::stop(Breach breach) {
  breach_ = breach;
  stop(End::Ended);
}

void Run::end() {
  settle();
  stop(End::Ended);
}

void Run::exitThread() { stop(End::Returned); }

void Run::tell(const char *what, GlobalId g, GlobalId after) {
  events_.push_back({what, g, after});
}

std::optional<GlobalId> Run::seen() const {
  GlobalId g = 0;
  for (size_t i = 0; i < space_.variables().size(); ++i) {
    const NamedType &type = subject_.program.types[i];
    int64_t raw = loadRaw(native_.named[i], type.size, type.isSigned);
    if (space_.variables()[i].type == ContractType::Bool)
      raw = raw != 0;
    if (raw != static_cast<int>(raw))
      return std::nullopt;
    const auto next = space_.stored(g, static_cast<int>(i), static_cast<int>(raw));
    if (!next)
      return std::nullopt;
    g = *next;
  }
  return g;
}

void Run::writeNamed(size_t variable, int value) {
  const NamedType &type = subject_.program.types[variable];
  static const std::vector<int> truths = {1, 1, 2, 9, 100};
  if (space_.variables()[variable].type == ContractType::Bool && !type.isBool && value != 0)
    value = random_.pick(truths);
  storeRaw(native_.named[variable], type.size, value);
}

void Run::moveTo(GlobalId g) {
  const auto now = seen();
  for (size_t i = 0; i < space_.variables().size(); ++i)
    if (!now || space_.values(*now)[i] != space_.values(g)[i])
      writeNamed(i, space_.values(g)[i]);
}

GlobalId Run::othersMove() {
  const GlobalId now = seen().value_or(0);
  if (random_.oneIn(2) && monitor_.possible(left_, now))
    return now;
  constexpr size_t attempts = 6;
  for (size_t i = 0; i < attempts; ++i) {
    const auto g = static_cast<GlobalId>(random_.below(space_.size()));
    if (monitor_.possible(left_, g))
      return g;
  }
  for (GlobalId g = 0; g < space_.size(); ++g)
    if (monitor_.possible(left_, g))
      return g;
  // The contract has failed: what follows is its composition's business.
  stop(End::Ended);
}

void Run::step(const char *what, GlobalId g, GlobalId after, const void *site) {
  tell(what, g, after);
  left_ = after;
  if (const auto breach = monitor_.step(g, after, site))
    stop(*breach);
}

void Run::settle() {
  if (!pending_)
    return;
  const GlobalId before = *pending_;
  pending_.reset();
  const auto after = seen();
  if (!after) {
    tell("stores a value outside of the contract's type", before, before);
    stop(Breach::Step);
  }
  step("stores", before, *after, pendingSite_);
}

bool Run::isNamed(const void *at, size_t size) const {
  const auto *first = static_cast<const char *>(at);
  for (size_t i = 0; i < space_.variables().size(); ++i) {
    const auto *named = static_cast<const char *>(native_.named[i]);
    if (first < named + subject_.program.types[i].size && named < first + size)
      return true;
  }
  return false;
}

void Run::access(void *at, size_t size, bool writes, const void *site) {
  if (++hooks_ > mostHooks)
    stop(End::Ended);
  if (atomic_)
    return;
  settle();
  disturb();
  if (writes)
    dangling_.erase(at);
  if (!isNamed(at, size))
    return;
  const GlobalId g = othersMove();
  moveTo(g);
  if (writes) {
    pending_ = g;
    pendingSite_ = site;
  } else {
    step("loads", g, g, site);
  }
}

void Run::beginAtomic() {
  settle();
  disturb();
  const GlobalId g = othersMove();
  moveTo(g);
  pending_ = g;
  atomic_ = true;
}

void Run::endAtomic(const void *site) {
  pendingSite_ = site;
  atomic_ = false;
  settle();
}

void Run::marker(const char *state, const void *site) {
  if (++hooks_ > mostHooks)
    stop(End::Ended);
  settle();
  const GlobalId g = othersMove();
  moveTo(g);
  tell(state, g, g);
  left_ = g;
  (void)site;
  if (const auto breach = monitor_.marker(g, state))
    stop(*breach);
}

void Run::failAssertion() {
  if (atomic_) {
    tell("fails an assertion in an atomic section", *pending_, *pending_);
    stop(Breach::Wrong);
  }
  settle();
  const GlobalId g = othersMove();
  tell("fails an assertion", g, g);
  if (const auto breach = monitor_.fails(g))
    stop(*breach);
  stop(End::Ended);
}

void Run::leave(const void *frame, const void *frameOfCaller) {
  --depth_;
  const auto gone = [&](const void *at) { return at > frame && at < frameOfCaller; };
  std::erase_if(kept_, gone);
  std::erase_if(lasting_, gone);
  for (uint32_t i = 0; i < native_.cellCount; ++i) {
    const NativeCell &cell = native_.cells[i];
    if (cell.kind == static_cast<uint32_t>(Cell::Kind::Pointer) &&
        gone(*static_cast<void *const *>(cell.at)))
      dangling_.insert(cell.at);
  }
}

void Run::keep(int *pointer) {
  if (isNamed(pointer, sizeof *pointer))
    return;
  kept_.push_back(pointer);
  if (depth_ <= 1)
    lasting_.push_back(pointer);
}

int *Run::give() {
  if (lasting_.empty() || random_.oneIn(3))
    return &own_[random_.below(std::size(own_))];
  return random_.pick(lasting_);
}

int Run::anyNumber() {
  static const std::vector<int> numbers = {0, 0,  1,  1,   2,   3,   4,   5,    7,
                                           8, -1, -2, 127, 128, 255, 256, 65536};
  return manner_ == Manner::Quiet ? 0 : random_.pick(numbers);
}

void Run::fill(void *at, size_t size) {
  if (manner_ == Manner::Quiet || isNamed(at, size))
    return;
  storeRaw(at, size, anyNumber());
  ++disturbances_;
}

void Run::disturbCell(const NativeCell &cell) {
  switch (static_cast<Cell::Kind>(cell.kind)) {
  case Cell::Kind::Number:
    return fill(cell.at, cell.size);
  case Cell::Kind::Truth:
    return storeRaw(cell.at, cell.size, anyTruth());
  case Cell::Kind::Pointer:
    if (void *pointer = *static_cast<void **>(cell.at); pointer && !dangling_.contains(cell.at))
      fill(pointer, sizeof(int));
  }
}

void Run::disturb() {
  if (manner_ == Manner::Quiet || atomic_ || (!focus_ && !random_.oneIn(3)))
    return;
  const size_t choice = focus_ && !kept_.empty() && *focus_ % 2
                            ? native_.cellCount + *focus_ / 2 % kept_.size()
                        : focus_ ? *focus_ / 2 % (native_.cellCount + 1)
                                 : random_.below(native_.cellCount + kept_.size() + 1);
  if (choice < native_.cellCount)
    disturbCell(native_.cells[choice]);
  else if (choice < native_.cellCount + kept_.size())
    fill(kept_[choice - native_.cellCount], sizeof(int));
}

std::string Run::story() const {
  std::string text;
  for (const Event &event : events_) {
    text += std::string(event.what) + " at " + space_.text(event.g);
    if (event.after != event.g)
      text += " -> " + space_.text(event.after);
    text += "\n";
  }
  return text;
}

} // namespace understudy::tests::hostile
