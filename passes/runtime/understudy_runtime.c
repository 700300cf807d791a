// SPDX-License-Identifier: Apache-2.0
//
// Runs a conformance checker as an ordinary program. The checker of a thread T, the function
// `understudy_check_T` of an instrumented module, gets every value from outside by calling a
// function of this file; so a run is determined by a sequence of numbers, its inputs.
//
//     prog --replay FILE
//         The inputs are the numbers in FILE. Exit code 0 if they lead to `reach_error` without
//         failing an assumption before; otherwise 1, and what happened instead.
//     prog --random RUNS --seed S [--values FILE] [--attempts N] [--inputs N]
//         Draws inputs from the numbers in FILE and their neighbours, now and then any number,
//         until RUNS runs have returned or N attempts were made. Exit code 1, and the inputs, if
//         `reach_error` is called. A run of more than N inputs is stopped and counted apart.
//
// Most random runs would end at an assumption: it takes luck to satisfy many in a row. Since a run
// is determined by its inputs, the next attempt after a failed assumption repeats the inputs up to
// the last one that held, and goes back further the longer no attempt gets any deeper. After a run
// that returned, the next one starts afresh. The same seed gives the same runs.
//
// Compiled with -DUNDERSTUDY_CHECK=understudy_check_T. A module and this file are one program.
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef UNDERSTUDY_CHECK
#error "define UNDERSTUDY_CHECK as the checker's name"
#endif

void UNDERSTUDY_CHECK(void);

enum End { Returned, AssumptionFailed, ErrorReached, OutOfInputs };

typedef struct {
  int64_t *items;
  size_t count, capacity;
} Numbers;

static jmp_buf start;
static enum End ended; // how the last run did
static bool recorded;  // the inputs come from a file
static Numbers inputs; // of this run; when replaying, of the file
static size_t used;    // inputs consumed so far
static size_t fixed;   // inputs that are repeated, not drawn
static size_t limit;   // inputs after which a run is stopped
static Numbers values; // what is drawn from
static Numbers passed; // inputs consumed when an assumption of this run held
static uint64_t random_state;
static bool *covered; // by edge
static size_t edges;

static void fail(const char *message, const char *detail) {
  fprintf(stderr, "%s%s\n", message, detail);
  exit(2);
}

static void *resized(void *memory, size_t count, size_t size) {
  void *result = realloc(memory, count * size);
  if (!result)
    fail("out of memory", "");
  return result;
}

static void append(Numbers *numbers, int64_t number) {
  if (numbers->count == numbers->capacity) {
    numbers->capacity = numbers->capacity ? 2 * numbers->capacity : 64;
    numbers->items = resized(numbers->items, numbers->capacity, sizeof *numbers->items);
  }
  numbers->items[numbers->count++] = number;
}

// xorshift64*: the high bits are the good ones.
static uint64_t draw(void) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return random_state * UINT64_C(2685821657736338717);
}

static size_t draw_below(size_t bound) { return (size_t)((draw() >> 33) % bound); }

// One of the last inputs, any number, or one of the given values. Others often leave a variable as
// it is, and often must.
static int64_t draw_value(void) {
  size_t kind = draw_below(16);
  if (kind < 6 && used > 0)
    return inputs.items[used - 1 - draw_below(used < 8 ? used : 8)];
  if (kind == 15)
    return (int64_t)draw();
  return values.items[draw_below(values.count)];
}

static void end_run(enum End how) {
  ended = how;
  longjmp(start, 1);
}

// The next input: recorded, repeated or drawn.
static int64_t next(void) {
  if (used >= limit)
    end_run(OutOfInputs);
  if (used >= fixed) {
    inputs.count = used;
    append(&inputs, draw_value());
  }
  return inputs.items[used++];
}

// What the checker calls.

void __VERIFIER_assume(int condition) {
  if (!condition)
    end_run(AssumptionFailed);
  if (!passed.count || (size_t)passed.items[passed.count - 1] < used)
    append(&passed, (int64_t)used);
}

void reach_error(void) { end_run(ErrorReached); }

void understudy_note(int place) { (void)place; }

void understudy_edge(int edge, _Bool taken) {
  if (!taken || edge < 0)
    return;
  if ((size_t)edge >= edges) {
    size_t more = (size_t)edge + 1;
    covered = resized(covered, more, sizeof *covered);
    memset(covered + edges, 0, (more - edges) * sizeof *covered);
    edges = more;
  }
  covered[edge] = true;
}

// A recorded input must be a value of the type, read as signed or as unsigned.
static int64_t fitting(int64_t value, size_t size, const char *type) {
  if (recorded && size < sizeof value) {
    int64_t half = INT64_C(1) << (CHAR_BIT * size - 1);
    if (value < -half || value >= 2 * half)
      fail("an input does not fit into ", type);
  }
  return value;
}

// The next input, and what remains of it in its type.
#define NONDET(NAME, TYPE)                                                                         \
  TYPE __VERIFIER_nondet_##NAME(void) {                                                            \
    TYPE value = (TYPE)fitting(next(), sizeof(TYPE), #TYPE);                                       \
    inputs.items[used - 1] = (int64_t)value;                                                       \
    return value;                                                                                  \
  }
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned int)
NONDET(long, long)
NONDET(ulong, unsigned long)

_Bool __VERIFIER_nondet_bool(void) {
  int64_t value = next() & 1;
  inputs.items[used - 1] = value;
  return value != 0;
}

void *__VERIFIER_nondet_pointer(void) { return (void *)(uintptr_t)next(); }

// Runs.

static enum End run(void) {
  used = passed.count = 0;
  ended = Returned;
  if (!setjmp(start))
    UNDERSTUDY_CHECK();
  return ended;
}

static void print_inputs(void) {
  for (size_t i = 0; i < used; i++)
    printf("%" PRId64 "\n", inputs.items[i]);
}

static int replay(void) {
  static const char *const said[] = {"returned", "an assumption failed", "reach_error",
                                     "more inputs are needed"};
  recorded = true;
  fixed = limit = inputs.count;
  enum End end = run();
  printf("%s after %zu inputs\n", said[end], used);
  return end == ErrorReached ? 0 : 1;
}

// How many inputs of a run that failed an assumption the next attempt repeats, after so many
// attempts that got no deeper.
static size_t repeated(uint64_t failures) {
  uint64_t doublings = failures / 64 < 16 ? failures / 64 : 16;
  size_t back = 1 + draw_below((size_t)1 << doublings);
  return back <= passed.count ? (size_t)passed.items[passed.count - back] : 0;
}

static int run_random(uint64_t runs, uint64_t attempts) {
  uint64_t returned = 0, abandoned = 0, stopped = 0, failures = 0;
  size_t deepest = 0;
  while (returned < runs && returned + abandoned + stopped < attempts) {
    enum End end = run();
    if (end == ErrorReached) {
      printf("reach_error after %zu inputs\n", used);
      print_inputs();
      return 1;
    }
    returned += end == Returned;
    abandoned += end == AssumptionFailed;
    stopped += end == OutOfInputs;
    failures = used > deepest ? 0 : failures + 1;
    deepest = used > deepest ? used : deepest;
    fixed = end == AssumptionFailed ? repeated(failures) : 0;
    if (fixed == 0)
      deepest = 0;
  }
  printf("returned %" PRIu64 "\nabandoned %" PRIu64 "\nstopped %" PRIu64 "\nedges", returned,
         abandoned, stopped);
  for (size_t i = 0; i < edges; i++)
    if (covered[i])
      printf(" %zu", i);
  printf("\n");
  return 0;
}

// The command line.

static void read_numbers(const char *path, Numbers *numbers) {
  FILE *file = fopen(path, "r");
  if (!file)
    fail("cannot read ", path);
  int64_t number;
  int found;
  while ((found = fscanf(file, "%" SCNd64, &number)) == 1)
    append(numbers, number);
  fclose(file);
  if (found != EOF)
    fail("not a number in ", path);
}

static uint64_t number_of(const char *text) {
  char *end = NULL;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (errno || *text < '0' || *text > '9' || *end)
    fail("not a number: ", text);
  return number;
}

static void set_values(const char *path) {
  Numbers constants = {NULL, 0, 0};
  if (path)
    read_numbers(path, &constants);
  append(&constants, 0);
  append(&constants, 1);
  for (size_t i = 0; i < constants.count; i++)
    for (int change = -1; change <= 1; change++)
      append(&values, (int64_t)((uint64_t)constants.items[i] + (uint64_t)change));
  free(constants.items);
}

int main(int count, char **words) {
  const char *replayed = NULL, *constants = NULL;
  uint64_t runs = 0, seed = 1, attempts = 0, most = 10000;
  for (int i = 1; i < count; i += 2) {
    const char *option = words[i];
    if (i + 1 == count)
      fail("no value for ", option);
    const char *value = words[i + 1];
    if (!strcmp(option, "--replay"))
      replayed = value;
    else if (!strcmp(option, "--random"))
      runs = number_of(value);
    else if (!strcmp(option, "--seed"))
      seed = number_of(value);
    else if (!strcmp(option, "--values"))
      constants = value;
    else if (!strcmp(option, "--attempts"))
      attempts = number_of(value);
    else if (!strcmp(option, "--inputs"))
      most = number_of(value);
    else
      fail("unknown option ", option);
  }
  int code = 2;
  if (replayed) {
    read_numbers(replayed, &inputs);
    code = replay();
  } else if (runs) {
    set_values(constants);
    limit = (size_t)most;
    // Any seed but 0 will do for xorshift; neighbouring seeds should not give similar runs.
    random_state = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15) | 1;
    code = run_random(runs, attempts ? attempts : runs > UINT64_MAX / 1000 ? runs : 1000 * runs);
  } else {
    fail("usage: --replay FILE, or --random RUNS --seed S [--values FILE] [--attempts N] ",
         "[--inputs N]");
  }
  free(inputs.items);
  free(values.items);
  free(passed.items);
  free(covered);
  return code;
}
