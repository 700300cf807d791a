// expect: unknown, line 21, a call of the code's own memcpy, which accesses 'x', made by the compiler
// soundness: the compiler makes a call of the code's own function of a copy
// contract: x.contract
typedef __SIZE_TYPE__ size_t;
int x = 0;
struct big {
  int words[64];
};

void *memcpy(void *to, const void *from, size_t n) {
  x = 7;
  for (size_t i = 0; i < n; ++i)
    ((char *)to)[i] = ((const char *)from)[i];
  return to;
}

void T(void) {
  struct big a, b;
  a.words[3] = 1;
  x = 1;
  b = a;
  (void)b.words[3];
}
