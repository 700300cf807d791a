// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/KnownFunctions.h"

#include "logic/Error.h"
#include "logic/Words.h"
#include "passes/memory/Binding.h"

#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>

namespace understudy::passes::lower {

namespace {

constexpr const char *hookAttribute = "understudy-assert-hook";

constexpr KnownFunction word(std::string_view name, std::string_view signature, Known meaning) {
  return {name, Match::Exactly, signature, meaning, Body::Replaced, ""};
}

constexpr KnownFunction library(std::string_view name, std::string_view signature, Known meaning) {
  return {name, Match::Exactly, signature, meaning, Body::Followed, ""};
}

/// Exact names come before the families that contain them.
constexpr std::array rows{
    word("__VERIFIER_atomic_begin", "v()", Known::AtomicBegin),
    word("__VERIFIER_atomic_end", "v()", Known::AtomicEnd),
    KnownFunction{"__VERIFIER_atomic_", Match::Prefix, "", Known::AtomicFunction, Body::Needed, ""},
    word("__VERIFIER_nondet_memory", "v(pi)", Known::NondetMemory),
    KnownFunction{"__VERIFIER_nondet_", Match::Prefix, "x()", Known::Nondet, Body::Replaced, ""},
    word("__VERIFIER_assume", "v(i)", Known::Assume),
    word("__VERIFIER_assume_abort", "v(i)", Known::Assume),
    word("assume_abort_if_not", "v(i)", Known::Assume),
    word("__VERIFIER_error", "v()", Known::AssertFail),
    word("reach_error", "v()", Known::AssertFail),
    word("understudy_at", "v(p)", Known::Marker),
    library("__VERIFIER_assert", "v(i)", Known::Assert),
    KnownFunction{"__VERIFIER_", Match::Prefix, "", Known::Refused, Body::Followed,
                  "the verifier has no such function"},

    // What an `assert` that fails calls.
    library("__assert_fail", "v(ppip)", Known::AssertFail),        // glibc, musl
    library("__assert_perror_fail", "v(ipip)", Known::AssertFail), // glibc
    library("__assert_func", "v(pipp)", Known::AssertFail),        // newlib
    library("__assert2", "v(pipp)", Known::AssertFail),            // bionic
    library("__assert_rtn", "v(ppip)", Known::AssertFail),         // macOS
    library("__assert_c99", "v(ppip)", Known::AssertFail),         // Solaris
    library("__assert", "v.", Known::AssertFail),                  // BSD and others
    library("_assert", "v.", Known::AssertFail),                   // MinGW
    library("_wassert", "v(ppi)", Known::AssertFail),              // Microsoft
    library("assert_failed", "v.", Known::AssertFail),             // STM32
    library("assert_post_action", "v.", Known::AssertFail),        // Zephyr
    library("rt_assert_handler", "v.", Known::AssertFail),         // RT-Thread
    library("vAssertCalled", "v.", Known::AssertFail),             // FreeRTOS
    library("panic", "v.", Known::AssertFail),                     // kernels
    library("llvm.trap", "v()", Known::AssertFail),                // __builtin_trap
    library("llvm.debugtrap", "v()", Known::AssertFail),           // __builtin_debugtrap
    library("llvm.ubsantrap", "v(i)", Known::AssertFail),          // -fsanitize-trap

    library("abort", "v()", Known::EndsRun),
    library("exit", "v(i)", Known::EndsRun),
    library("_exit", "v(i)", Known::EndsRun),
    library("_Exit", "v(i)", Known::EndsRun),
    library("quick_exit", "v(i)", Known::EndsRun),
    library("pthread_exit", "v(p)", Known::ThreadExit),
    library("thrd_exit", "v(i)", Known::ThreadExit),

    library("strlen", "i(p)", Known::Computes),
    library("strnlen", "i(pi)", Known::Computes),
    library("strcmp", "i(pp)", Known::Computes),
    library("strncmp", "i(ppi)", Known::Computes),
    library("strcasecmp", "i(pp)", Known::Computes),
    library("strncasecmp", "i(ppi)", Known::Computes),
    library("strspn", "i(pp)", Known::Computes),
    library("strcspn", "i(pp)", Known::Computes),
    library("memcmp", "i(ppi)", Known::Computes),
    library("bcmp", "i(ppi)", Known::Computes),
    library("atoi", "i(p)", Known::Computes),
    library("atol", "i(p)", Known::Computes),
    library("atoll", "i(p)", Known::Computes),
    library("isalnum", "i(i)", Known::Computes),
    library("isalpha", "i(i)", Known::Computes),
    library("iscntrl", "i(i)", Known::Computes),
    library("isdigit", "i(i)", Known::Computes),
    library("isgraph", "i(i)", Known::Computes),
    library("islower", "i(i)", Known::Computes),
    library("isprint", "i(i)", Known::Computes),
    library("ispunct", "i(i)", Known::Computes),
    library("isspace", "i(i)", Known::Computes),
    library("isupper", "i(i)", Known::Computes),
    library("isxdigit", "i(i)", Known::Computes),
    library("tolower", "i(i)", Known::Computes),
    library("toupper", "i(i)", Known::Computes),
    library("__builtin_constant_p", "i()", Known::MayBeConstant),
    library("ffs", "i(i)", Known::Computes),
    library("ffsl", "i(i)", Known::Computes),
    library("ffsll", "i(i)", Known::Computes),
    library("abs", "i(i)", Known::Computes),
    library("labs", "i(i)", Known::Computes),
    library("llabs", "i(i)", Known::Computes),
    library("imaxabs", "i(i)", Known::Computes),
    library("htons", "i(i)", Known::Computes),
    library("htonl", "i(i)", Known::Computes),
    library("ntohs", "i(i)", Known::Computes),
    library("ntohl", "i(i)", Known::Computes),
    library("strcoll", "i(pp)", Known::Computes),
    library("strverscmp", "i(pp)", Known::Computes),
    library("lround", "i(x)", Known::Computes),
    library("llround", "i(x)", Known::Computes),
    library("lrint", "i(x)", Known::Computes),
    library("llrint", "i(x)", Known::Computes),
    library("ilogb", "i(x)", Known::Computes),

    KnownFunction{"__atomic_", Match::Prefix, "", Known::Refused, Body::Followed,
                  "an atomic operation that needs a library call is not supported"},
    KnownFunction{"__sync_", Match::Prefix, "", Known::Refused, Body::Followed,
                  "an atomic operation that needs a library call is not supported"},
};

/// Functions with one meaning, or one reason: a row for each name.
struct Group {
  Known meaning;
  std::string_view why;
  std::string_view names; ///< between spaces
};

constexpr std::array groups{
    Group{Known::Lock, "",
          " pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_unlock "
          "pthread_mutex_consistent pthread_mutex_setprioceiling pthread_spin_init "
          "pthread_spin_destroy pthread_spin_lock pthread_spin_unlock pthread_rwlock_init "
          "pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock "
          "pthread_rwlock_unlock mtx_init mtx_destroy mtx_lock mtx_unlock pthread_cond_init "
          "pthread_cond_destroy pthread_cond_wait pthread_cond_signal pthread_cond_broadcast "
          "cnd_init cnd_destroy cnd_wait cnd_signal cnd_broadcast "},
    Group{Known::TryLock, "",
          " pthread_mutex_trylock pthread_mutex_timedlock pthread_mutex_clocklock "
          "pthread_spin_trylock pthread_rwlock_tryrdlock pthread_rwlock_timedrdlock "
          "pthread_rwlock_clockrdlock pthread_rwlock_trywrlock pthread_rwlock_timedwrlock "
          "pthread_rwlock_clockwrlock mtx_trylock mtx_timedlock pthread_cond_timedwait "
          "pthread_cond_clockwait cnd_timedwait "},
    Group{Known::Refused, "creating threads in C is not supported yet",
          " pthread_create thrd_create "},
    Group{Known::Refused, "joining threads in C is not supported yet",
          " pthread_join pthread_tryjoin_np pthread_timedjoin_np pthread_clockjoin_np "
          "thrd_join "},
    Group{Known::Refused, "this thread operation is not supported",
          " pthread_atfork pthread_barrier_init pthread_barrier_destroy "
          "pthread_barrier_wait pthread_cancel pthread_detach pthread_equal pthread_kill "
          "pthread_key_create pthread_key_delete pthread_getspecific pthread_setspecific "
          "pthread_once pthread_self pthread_setcancelstate pthread_setcanceltype "
          "pthread_sigmask pthread_testcancel pthread_yield _pthread_cleanup_push "
          "_pthread_cleanup_pop __pthread_register_cancel __pthread_unregister_cancel "
          "__pthread_unwind_next call_once thrd_current thrd_detach thrd_equal thrd_sleep "
          "thrd_yield tss_create tss_delete tss_get tss_set "},
    Group{Known::Refused, "semaphores are not supported",
          " sem_init sem_destroy sem_open sem_close sem_unlink sem_wait sem_trywait "
          "sem_timedwait sem_clockwait sem_post sem_getvalue "},
    Group{Known::Refused, "an atomic operation that needs a library call is not supported",
          " atomic_flag_test_and_set atomic_flag_test_and_set_explicit atomic_flag_clear "
          "atomic_flag_clear_explicit atomic_thread_fence atomic_signal_fence "},
    Group{Known::Refused, "jumps between functions are not supported",
          " setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp "
          "__longjmp_chk getcontext makecontext swapcontext setcontext "},
    Group{Known::Refused, "signal handlers and processes are not supported",
          " signal __sysv_signal bsd_signal sigaction sigset raise kill fork vfork _Fork "
          "clone "},
};

/// A row for each name of a group.
const KnownFunction *groupRow(std::string_view name) {
  static const std::vector<KnownFunction> all = [] {
    std::vector<KnownFunction> result;
    for (const Group &group : groups)
      for (size_t at = 1; at < group.names.size();) {
        size_t end = group.names.find(' ', at);
        result.push_back({group.names.substr(at, end - at), Match::Exactly, "", group.meaning,
                          Body::Followed, group.why});
        at = end + 1;
      }
    return result;
  }();
  auto found = std::find_if(all.begin(), all.end(),
                            [&](const KnownFunction &row) { return row.name == name; });
  return found == all.end() ? nullptr : &*found;
}

constexpr KnownFunction hook{"", Match::Exactly, "", Known::AssertFail, Body::Replaced, ""};

bool fitsLetter(char letter, const llvm::Type &type) {
  switch (letter) {
  case 'v':
    return type.isVoidTy();
  case 'i':
    return type.isIntegerTy();
  case 'p':
    return type.isPointerTy();
  default:
    return !type.isVoidTy();
  }
}

std::string letterText(char letter) {
  switch (letter) {
  case 'v':
    return "void";
  case 'i':
    return "integer";
  case 'p':
    return "pointer";
  default:
    return "value";
  }
}

/// The letters between the parentheses.
std::string_view parameters(std::string_view signature) {
  return signature.substr(2, signature.size() - 3);
}

bool anyParameters(std::string_view signature) { return signature.ends_with('.'); }

/// A hook that is another name of a function: only calls by this name fail.
void separateHooks(const std::vector<std::string> &names, llvm::Module &module) {
  for (llvm::GlobalAlias &alias : llvm::make_early_inc_range(module.aliases())) {
    auto *function = llvm::dyn_cast_or_null<llvm::Function>(alias.getAliaseeObject());
    std::string name = alias.getName().str();
    if (function == nullptr || std::find(names.begin(), names.end(), name) == names.end())
      continue;
    auto *separate = llvm::Function::Create(function->getFunctionType(),
                                            llvm::GlobalValue::ExternalLinkage, "", module);
    separate->takeName(&alias);
    alias.replaceAllUsesWith(separate);
    alias.eraseFromParent();
  }
}

} // namespace

const KnownFunction *findKnown(std::string_view name) {
  for (const KnownFunction &row : rows)
    if (row.match == Match::Prefix ? name.starts_with(row.name) : name == row.name)
      return &row;
  return groupRow(name);
}

const KnownFunction *findKnown(const llvm::Function &function) {
  if (function.hasFnAttribute(hookAttribute))
    return &hook;
  const KnownFunction *row = findKnown(memory::sourceName(function));
  bool untouched = row != nullptr && row->body == Body::Followed && !function.isDeclaration();
  return untouched ? nullptr : row;
}

Known meaningOf(const llvm::Function &function) {
  const KnownFunction *row = findKnown(function);
  return row != nullptr ? row->meaning : Known::None;
}

void markAssertHooks(const std::vector<std::string> &names, llvm::Module &module,
                     memory::Missing missing) {
  separateHooks(names, module);
  std::vector<std::string> functions;
  for (const llvm::Function &function : module)
    if (!function.isIntrinsic())
      functions.push_back(memory::sourceName(function));
  for (const std::string &name : names)
    if (missing == memory::Missing::Error &&
        std::find(functions.begin(), functions.end(), name) == functions.end())
      throw logic::Error({}, "the code has no function '" + name + "' for --assert-hook",
                         logic::didYouMean(name, functions));
  for (llvm::Function &function : module)
    if (std::find(names.begin(), names.end(), memory::sourceName(function)) != names.end())
      function.addFnAttr(hookAttribute);
}

bool fits(const KnownFunction &row, const llvm::CallBase &call) {
  if (row.signature.empty())
    return true;
  if (!fitsLetter(row.signature.front(), *call.getType()))
    return false;
  if (anyParameters(row.signature))
    return true;
  std::string_view letters = parameters(row.signature);
  if (letters.size() != call.arg_size())
    return false;
  for (unsigned i = 0; i < letters.size(); ++i)
    if (!fitsLetter(letters[i], *call.getArgOperand(i)->getType()))
      return false;
  return true;
}

std::string signatureText(const KnownFunction &row) {
  if (row.signature.empty())
    return "any";
  std::string text = letterText(row.signature.front()) + " (";
  if (anyParameters(row.signature))
    return text + "...)";
  std::string_view letters = parameters(row.signature);
  for (size_t i = 0; i < letters.size(); ++i)
    text += (i > 0 ? ", " : "") + letterText(letters[i]);
  return text + ")";
}

llvm::Function *calleeOf(const llvm::CallBase &call) {
  llvm::Value *called = call.getCalledOperand()->stripPointerCasts();
  if (auto *alias = llvm::dyn_cast<llvm::GlobalAlias>(called))
    called = alias->getAliaseeObject();
  return llvm::dyn_cast_or_null<llvm::Function>(called);
}

} // namespace understudy::passes::lower
