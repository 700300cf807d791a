// part of: duplicate.c
void worker(void) {}
