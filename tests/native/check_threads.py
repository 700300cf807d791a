# SPDX-License-Identifier: Apache-2.0
"""The case studies as ordinary C: they compile without a warning, and those that need no checker to
wait for them run with real threads under ThreadSanitizer."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
            "-I", str(ROOT / "include")]


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=600, check=False)
    return None if done.returncode == 0 else f"{words[0]} {words[-1]}: {done.stdout}{done.stderr}"


def main():
    failures, count = [], 0
    sources = sorted((ROOT / "drivers").glob("*/*.c"))
    harnesses = sorted((ROOT / "tests/native").glob("*_threads.c"))
    with tempfile.TemporaryDirectory() as folder:
        for compiler in ("gcc", "clang-19"):
            for source in sources:
                count += 1
                failures.append(run(compiler, *WARNINGS, "-O2", "-c", "-o", "/dev/null", source))
        for harness in harnesses:
            count += 1
            program = Path(folder) / harness.stem
            failures.append(run("clang-19", *WARNINGS, "-O1", "-g", "-fsanitize=thread", "-pthread",
                                "-o", program, harness) or run(program))
    failures = [failure for failure in failures if failure]
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"case studies, natively: {count - len(failures)} of {count} as expected")
    return 1 if failures or not sources or not harnesses else 0


sys.exit(main())
