// part of: static-twice.c
static int x;

int read_it(void) { return x; }
