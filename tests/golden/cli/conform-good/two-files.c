// expect: conforms
// precision: static names of two files, linked
// files: two-files-part.c
void add(void);

__attribute__((used)) static void count(void) { add(); }
