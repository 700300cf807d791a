// expect: unknown, --strict
// soundness: the run line alone is an assumption
// command: check
// contract: itself.contract
// options: --strict
int x;

void worker(void) { x = 1; }

void helper(void) { x = 1; }
