// part of: two-files.c
#include <stdatomic.h>

static atomic_int x;

void add(void) { atomic_fetch_add(&x, 1); }
