// SPDX-License-Identifier: Apache-2.0
#include "passes/Library.h"

#include "passes/StepForm.h"

#include <array>
#include <set>
#include <string_view>

namespace understudy::passes {

namespace {

struct RefusedFamily {
  std::string_view prefix;
  std::string_view why;
};

constexpr std::array refused{
    RefusedFamily{"pthread_mutex_", "locks in C are not supported yet"},
    RefusedFamily{"pthread_spin_", "locks in C are not supported yet"},
    RefusedFamily{"pthread_rwlock_", "locks in C are not supported yet"},
    RefusedFamily{"mtx_", "locks in C are not supported yet"},
    RefusedFamily{"pthread_cond_", "condition variables in C are not supported yet"},
    RefusedFamily{"cnd_", "condition variables in C are not supported yet"},
    RefusedFamily{"pthread_create", "creating threads in C is not supported yet"},
    RefusedFamily{"thrd_create", "creating threads in C is not supported yet"},
    RefusedFamily{"pthread_join", "joining threads in C is not supported yet"},
    RefusedFamily{"thrd_join", "joining threads in C is not supported yet"},
    RefusedFamily{"pthread_", "this thread operation is not supported"},
    RefusedFamily{"thrd_", "this thread operation is not supported"},
    RefusedFamily{"sem_", "semaphores are not supported"},
    RefusedFamily{"__atomic_", "an atomic operation that needs a library call is not supported"},
    RefusedFamily{"atomic_flag_", "an atomic operation that needs a library call is not supported"},
};

const std::set<std::string_view> jumps{"setjmp",      "_setjmp",   "__sigsetjmp", "sigsetjmp",
                                       "longjmp",     "_longjmp",  "siglongjmp",  "makecontext",
                                       "swapcontext", "setcontext"};
const std::set<std::string_view> signals{"signal", "sigaction", "raise", "fork", "vfork", "clone"};

const RefusedFamily *familyOf(const std::string &name) {
  for (const RefusedFamily &family : refused)
    if (name.starts_with(family.prefix))
      return &family;
  return nullptr;
}

} // namespace

Known knownFunction(const std::string &name) {
  static const std::set<std::string_view> asserts{"__assert_fail", "__assert_rtn",
                                                  "__assert",      "__assert_perror_fail",
                                                  "reach_error",   "__VERIFIER_error"};
  static const std::set<std::string_view> ends{"abort", "exit", "_exit", "_Exit", "quick_exit"};
  if (name == "__VERIFIER_atomic_begin")
    return Known::AtomicBegin;
  if (name == "__VERIFIER_atomic_end")
    return Known::AtomicEnd;
  if (name.starts_with("__VERIFIER_atomic_"))
    return Known::AtomicFunction;
  if (name.starts_with(names::nondet))
    return Known::Nondet;
  if (name == names::assume || name == "assume_abort_if_not" || name == "__VERIFIER_assume_abort")
    return Known::Assume;
  if (asserts.contains(name))
    return Known::AssertFail;
  if (ends.contains(name))
    return Known::EndsRun;
  if (name == "pthread_exit" || name == "thrd_exit")
    return Known::ThreadExit;
  if (name == "understudy_at")
    return Known::Marker;
  if (jumps.contains(name) || signals.contains(name) || familyOf(name) != nullptr)
    return Known::Refused;
  return Known::None;
}

std::string whyRefused(const std::string &name) {
  if (jumps.contains(name))
    return "jumps between functions are not supported";
  if (signals.contains(name))
    return "signal handlers and processes are not supported";
  const RefusedFamily *family = familyOf(name);
  return family != nullptr ? std::string(family->why) : "it is not supported";
}

} // namespace understudy::passes
