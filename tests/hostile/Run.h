// SPDX-License-Identifier: Apache-2.0
//
// One execution of a compiled program. At each access to memory the hooks hand over control: a
// store that went before is seen as a step, then the others move (named variables as far as the
// monitor lets them, other memory that they can reach at will), then the access happens.
#pragma once

#include "Monitor.h"
#include "Native.h"

#include <csetjmp>
#include <set>

namespace understudy::tests::hostile {

/// What others do with memory that the contract does not name, and external functions with what
/// they get.
enum class Manner : uint8_t { Quiet, Hostile };

/// What programs of a loaded file look like from outside.
struct Subject {
  const Library &library;
  const Program &program;
  size_t index; ///< in the library
};

class Run {
public:
  Run(const Subject &subject, const SharedSpace &space, Monitor &monitor, Random &random,
      Manner manner);

  /// The breach that was seen, if any.
  std::optional<Breach> execute();
  /// One line per step.
  std::string story() const;
  /// How often others changed what is not named.
  size_t disturbances() const { return disturbances_; }

  /// The run that the hooks belong to.
  static Run *&current();

  // For the hooks. They may leave the program for good.
  void access(void *at, size_t size, bool writes, const void *site);
  void enter() { ++depth_; }
  void leave(const void *frame, const void *frameOfCaller);
  void keep(int *pointer);
  /// A volatile local: it has any value at each read.
  void expose(int *pointer) { kept_.push_back(pointer); }
  int *give();
  int anyNumber();
  bool anyTruth() { return manner_ == Manner::Hostile && random_.oneIn(2); }
  void fill(void *at, size_t size);
  void disturb();
  void beginAtomic();
  void endAtomic(const void *site);
  void marker(const char *state, const void *site);
  [[noreturn]] void failAssertion();
  [[noreturn]] void end();
  [[noreturn]] void exitThread();

private:
  enum class End : int { Returned = 1, Ended };
  struct Event {
    const char *what;
    GlobalId g;
    GlobalId after;
  };

  [[noreturn]] void stop(End end);
  [[noreturn]] void stop(Breach breach);
  std::optional<GlobalId> seen() const;
  /// The pending store becomes a step.
  void settle();
  void finish();
  GlobalId othersMove();
  void moveTo(GlobalId g);
  void step(const char *what, GlobalId g, GlobalId after, const void *site);
  void writeNamed(size_t variable, int value);
  bool isNamed(const void *at, size_t size) const;
  void disturbCell(const NativeCell &cell);
  void tell(const char *what, GlobalId g, GlobalId after);

  const Subject &subject_;
  const NativeProgram &native_;
  const SharedSpace &space_;
  Monitor &monitor_;
  Random &random_;
  Manner manner_;
  std::jmp_buf jump_ = {};
  std::optional<Breach> breach_;
  std::optional<GlobalId> left_;    ///< by the last step
  std::optional<GlobalId> pending_; ///< state before a store that has not happened yet
  const void *pendingSite_ = nullptr;
  bool atomic_ = false;
  size_t hooks_ = 0;
  size_t depth_ = 0;
  size_t disturbances_ = 0;
  std::optional<size_t> focus_; ///< one place that is changed all the time, instead of any
  std::vector<int *> kept_;
  std::vector<int *> lasting_;      ///< of `kept_`, what belongs to the thread's own function
  std::set<const void *> dangling_; ///< cells with a pointer to what is gone
  std::vector<Event> events_;
  int own_[4] = {};
};

} // namespace understudy::tests::hostile
