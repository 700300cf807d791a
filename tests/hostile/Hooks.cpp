// SPDX-License-Identifier: Apache-2.0
//
// What compiled programs call: the hooks of the thread sanitizer, the words of the verifier, and
// external functions that keep and hand out pointers. All of them lead to the current run.
#include "Run.h"

#include <cstring>

using understudy::tests::hostile::Run;

// The compiler and the C library choose these names.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming,bugprone-macro-parentheses)

namespace {

void accessed(void *at, size_t size, bool writes, const void *site) {
  if (Run *run = Run::current())
    run->access(at, size, writes, site);
}

/// An atomic operation is one step: the hook, then the whole operation.
template <typename T, typename Operation>
T atomically(volatile void *at, bool writes, const void *site, const Operation &operation) {
  auto *cell = const_cast<T *>(static_cast<volatile T *>(at)); // NOLINT
  accessed(cell, sizeof(T), writes, site);
  const T before = *cell;
  operation(*cell);
  return before;
}

} // namespace

#define SITE __builtin_return_address(0)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void * /*caller*/) {
  if (Run *run = Run::current())
    run->enter();
}
void __tsan_func_exit() {
  // The frame begins with the address of the one below it: of the function that returns.
  auto *frame = static_cast<void **>(__builtin_frame_address(0));
  if (Run *run = Run::current())
    run->leave(frame, *frame);
}

#define ACCESS(SIZE)                                                                               \
  void __tsan_read##SIZE(void *at) { accessed(at, SIZE, false, SITE); }                            \
  void __tsan_unaligned_read##SIZE(void *at) { accessed(at, SIZE, false, SITE); }                  \
  void __tsan_write##SIZE(void *at) { accessed(at, SIZE, true, SITE); }                            \
  void __tsan_unaligned_write##SIZE(void *at) { accessed(at, SIZE, true, SITE); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

void *__tsan_memset(void *at, int value, size_t size) {
  accessed(at, size, true, SITE);
  return std::memset(at, value, size);
}
void *__tsan_memcpy(void *to, const void *from, size_t size) {
  accessed(const_cast<void *>(from), size, false, SITE); // NOLINT
  accessed(to, size, true, SITE);
  return std::memmove(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
  return __tsan_memcpy(to, from, size);
}

#define ATOMIC_UPDATE(BITS, TYPE, NAME, UPDATE)                                                    \
  TYPE __tsan_atomic##BITS##_##NAME(volatile TYPE *at, TYPE value, int /*order*/) {                \
    return atomically<TYPE>(at, true, SITE,                                                        \
                            [&](TYPE &cell) { cell = static_cast<TYPE>(UPDATE); });                \
  }
#define ATOMIC(BITS, TYPE)                                                                         \
  TYPE __tsan_atomic##BITS##_load(const volatile TYPE *at, int /*order*/) {                        \
    return atomically<TYPE>(const_cast<volatile TYPE *>(at), false, SITE, [](TYPE &) {});          \
  }                                                                                                \
  void __tsan_atomic##BITS##_store(volatile TYPE *at, TYPE value, int /*order*/) {                 \
    atomically<TYPE>(at, true, SITE, [&](TYPE &cell) { cell = value; });                           \
  }                                                                                                \
  ATOMIC_UPDATE(BITS, TYPE, exchange, value)                                                       \
  ATOMIC_UPDATE(BITS, TYPE, fetch_add, cell + value)                                               \
  ATOMIC_UPDATE(BITS, TYPE, fetch_sub, cell - value)                                               \
  ATOMIC_UPDATE(BITS, TYPE, fetch_and, cell &value)                                                \
  ATOMIC_UPDATE(BITS, TYPE, fetch_or, cell | value)                                                \
  ATOMIC_UPDATE(BITS, TYPE, fetch_xor, cell ^ value)                                               \
  ATOMIC_UPDATE(BITS, TYPE, fetch_nand, ~(cell & value))                                           \
  TYPE __tsan_atomic##BITS##_compare_exchange_val(volatile TYPE *at, TYPE expected, TYPE value,    \
                                                  int /*order*/, int /*orderOfFailure*/) {         \
    return atomically<TYPE>(at, true, SITE, [&](TYPE &cell) {                                      \
      if (cell == expected)                                                                        \
        cell = value;                                                                              \
    });                                                                                            \
  }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
void __tsan_atomic_thread_fence(int /*order*/) {}
void __tsan_atomic_signal_fence(int /*order*/) {}

// What the file calls instead of the word of the same name.
[[noreturn]] void hostile_assert_fail() { Run::current()->failAssertion(); }
[[noreturn]] void hostile_end() { Run::current()->end(); }
[[noreturn]] void hostile_exit_thread() { Run::current()->exitThread(); }
void hostile_marker(const char *state) { Run::current()->marker(state, SITE); }
void hostile_volatile(int *local) { Run::current()->expose(local); }

int __VERIFIER_nondet_int() { return Run::current()->anyNumber(); }
bool __VERIFIER_nondet_bool() { return Run::current()->anyTruth(); }
void __VERIFIER_assume(int condition) {
  if (!condition)
    Run::current()->end();
}
void __VERIFIER_atomic_begin() { Run::current()->beginAtomic(); }
void __VERIFIER_atomic_end() { Run::current()->endAtomic(SITE); }
void __VERIFIER_nondet_memory(void *at, size_t size) {
  for (size_t i = 0; i + sizeof(int) <= size; i += sizeof(int))
    Run::current()->fill(static_cast<char *>(at) + i, sizeof(int));
}

int ext_number() { return Run::current()->anyNumber(); }
void ext_poke() { Run::current()->disturb(); }
void ext_keep(int *pointer) {
  Run::current()->keep(pointer);
  Run::current()->disturb();
}
int *ext_give() { return Run::current()->give(); }
int *ext_pass(int *pointer) {
  Run::current()->keep(pointer);
  return pointer;
}
void ext_fill(int *pointer) { Run::current()->fill(pointer, sizeof *pointer); }
}

// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming,bugprone-macro-parentheses)
