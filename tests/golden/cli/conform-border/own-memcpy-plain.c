// expect: conforms
// precision: the code's own function copies, and does nothing else
// contract: x.contract
// listed: the code's own memcpy does what its name says where the compiler calls it
typedef __SIZE_TYPE__ size_t;
int x = 0;
struct pair {
  int first, second, third, fourth;
};

void *memcpy(void *to, const void *from, size_t n) {
  for (size_t i = 0; i < n; ++i)
    ((char *)to)[i] = ((const char *)from)[i];
  return to;
}

void T(void) {
  struct pair a = {1, 2, 3, 4}, b;
  b = a;
  x = b.first;
}
