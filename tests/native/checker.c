// SPDX-License-Identifier: Apache-2.0
// Checkers as Instrument makes them, written by hand. The thread reads the shared byte x and stores
// x + 1; the contract has the states S and T, with edge 0 from S to T, x' == x + 1, edge 1 from T
// to T, x < 0, and edge 2, which no step can take.
#include <stdbool.h>

extern char __VERIFIER_nondet_char(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void *__VERIFIER_nondet_pointer(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);
extern void understudy_note(int place);
extern void understudy_edge(int edge, _Bool taken);

enum Interference { Quiet, Anything };

// With others that change x between load and store, the store matches edge 0 no longer.
static void increment(enum Interference others) {
  char x = __VERIFIER_nondet_char();
  bool inS = true, inT = false;
  __VERIFIER_assume(x < 100);
  understudy_note(0);
  char loaded = x;

  char before = x;
  x = __VERIFIER_nondet_char();
  __VERIFIER_assume(others == Anything || x == before);
  understudy_note(1);
  before = x;
  x = (char)(loaded + 1);
  understudy_edge(0, inS && x == before + 1);
  understudy_edge(1, inT && x < 0);
  understudy_edge(2, inT && x != before);
  inT = inS && x == before + 1;
  if (!inT)
    reach_error();
  understudy_edge(1, inT && x < 0);
}

void understudy_check_Right(void) { increment(Quiet); }
void understudy_check_Wrong(void) { increment(Anything); }

// Twelve assumptions in a row, each of which one draw in many satisfies.
void understudy_check_Deep(void) {
  for (int i = 0; i < 12; i++)
    __VERIFIER_assume(__VERIFIER_nondet_ulong() == 7);
  understudy_edge(40, true);
}

// Never returns.
void understudy_check_Loop(void) {
  while (true)
    understudy_edge(3, __VERIFIER_nondet_bool());
}

// Every kind of input arrives unchanged.
void understudy_check_Kinds(void) {
  bool right = __VERIFIER_nondet_bool();
  right = right && __VERIFIER_nondet_char() == -5;
  right = right && __VERIFIER_nondet_uint() == 4294967295u;
  right = right && __VERIFIER_nondet_ulong() == 18446744073709551615ul;
  right = right && !__VERIFIER_nondet_pointer();
  if (right)
    reach_error();
}
