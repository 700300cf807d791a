// SPDX-License-Identifier: Apache-2.0
//
// For the code that is checked. A marker ties a place in the code to a state of the thread's
// contract:
//
//     if (io_increment() > 0) {
//       UNDERSTUDY_AT(Working);   // here the contract may be in its state Working
//       copy_packet();
//     }
//
// `understudy conform` proves that whenever the marker is passed, the contract can be in that
// state; otherwise the code violates its contract there. The claims that the contract makes in the
// state (its `assert`, a `never`) are then claims about this place: without a marker or an
// assertion in the code, nothing says which lines a contract assertion is meant for, and the tool
// lists it as a claim that nothing in the code stands for.
//
// A marker is a step that changes nothing. Compiled, it is a call of an empty function. C99 and up,
// and C++.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
// Weak, so that no optimiser looks at its body: the call is still there in the compiled code.
void understudy_at(const char *state);
__attribute__((noinline, weak)) void understudy_at(const char *state) { (void)state; }
#ifdef __cplusplus
}
#endif

// STATE is the bare name of a state of the contract of the thread that runs here.
#define UNDERSTUDY_AT(STATE) understudy_at(#STATE)
