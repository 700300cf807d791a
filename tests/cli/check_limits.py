# SPDX-License-Identifier: Apache-2.0
"""--timeout and --memory hold for the whole run of a command, whatever it is doing, and the verdict
names the limit. Times are bounds far above what is measured, since machines are busy."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from understudy import COMMAND, ROOT, report, understudy

# More states than fit in any memory; no engine but the explicit one is asked.
ENDLESS = """global int x = 0;
global int y = 0;

thread main { while (*) { x := x + 1; } }

thread t { while (*) { y := y + 1; } assert x + y >= 0; }

run main, t;
"""
ENDLESS_CONTRACT = """system s {
  shared int x = 0;
  shared int y = 0;
  thread A { initial S { -> S : x' == x + 1; } }
  thread B { initial S { -> S : y' == y + 1; -> T : y < 0; } state T { assert x < 0; } }
  run A, B;
}
"""
# So many threads that preparations alone take long.
MANY = """system s {
  shared int x = 0;
  thread A { initial S { -> T : x' == x + 1; } state T { assert x <= 1; -> D; } final D; }
  run A * 10000;
}
"""
# A violation after two steps, told with the names of all threads.
VERY_MANY = MANY.replace("10000", "65537")
# A billion ways to choose three tokens in one marking.
TRIPLES = """const int k = 1000;
place begin(), a(), b();
start begin;
transition init: begin(p) -> k * a(new of p), end p;
transition three: a(x), a(y), a(z) -> a(x), a(y), b(z) when parent(x, z);
reach some: a(x), a(y), a(z), b(w) when parent(x, y) && parent(y, z) && parent(w, z);
"""
# Very many transitions, each with a variable of the same name.
TRANSITIONS = "place begin(), a();\nstart begin;\n" + "".join(
    f"transition t{n}: begin(p) -> begin(p), a(new of p);\n" for n in range(20000))
# The assertions fail after a hundred thousand rounds; each thread alone would take minutes.
LONG = """extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
void T(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  while (i < n)
    i++;
  if (i == 100000)
    __VERIFIER_assert(0);
}
""" + "".join(f"void T{n}(void) {{ T(); }}\n" for n in (1, 2, 3))
LONG_CONTRACT = "system s {\n" + "".join(
    f"  thread T{n} {{ initial final S; }}\n" for n in (1, 2, 3)) + "  run T1, T2, T3;\n}\n"
# 194,482 states with four edges each: the picture takes longer than the search.
PICTURE = """place s(), a(int 0..20, int 0..20, int 0..20, int 0..20);
start s;
transition i: s(p) -> a(p, 0, 0, 0, 0);
transition t1: a(p, x, y, z, w) -> a(p, x + 1, y, z, w);
transition t2: a(p, x, y, z, w) -> a(p, x, y + 1, z, w);
transition t3: a(p, x, y, z, w) -> a(p, x, y, z + 1, w);
transition t4: a(p, x, y, z, w) -> a(p, x, y, z, w + 1);
"""
# A net of 190,000 places whose text has 250 MB.
LARGE = """global int 0..435 x = 0;
global int 0..435 y = 0;
thread a { while (true) { if (*) { x := (x + 1) % 436; } else { y := (y + 1) % 436; } } }
run a*;
"""
SLACK_SECONDS, SLACK_MEGABYTES = 15, 250


def run(arguments):
    """Exit code, last line, seconds and megabytes."""
    begin = time.monotonic()
    process = subprocess.Popen([COMMAND, *map(str, arguments)], cwd=ROOT, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    output = process.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    last = output.rstrip("\n").rsplit("\n", 1)[-1]
    return process.returncode, last, time.monotonic() - begin, usage.ru_maxrss / 1024


def check(arguments, option, value):
    code, last, seconds, megabytes = run([*arguments, option, value])
    limit = f"time limit of {value} s" if option == "--timeout" else f"memory limit of {value} MB"
    if code != 3 or not last.startswith("verdict: unknown") or limit not in last:
        return f"{code} '{last}', not {limit}"
    if option == "--timeout" and seconds > value + SLACK_SECONDS:
        return f"{seconds:.1f} s"
    if option == "--memory" and megabytes > value + SLACK_MEGABYTES:
        return f"{megabytes:.0f} MB"
    return None


def check_story(arguments, value):
    """A violation that is found at once may be told; that takes no longer than the limit, either."""
    code, last, seconds, _ = run([*arguments, "--timeout", value])
    if code not in (1, 3) or not last.startswith("verdict: un"):
        return f"{code} '{last}'"
    return f"{seconds:.1f} s" if seconds > value + SLACK_SECONDS else None


def check_export(file, output, option, value, words):
    """All of the text, or none of it."""
    run = understudy("export", file, "--to", "pnml", "-o", output, option, value)
    if run.code != 3 or run.err != f"note: {words} was reached\n" or run.out:
        return f"{run.code} '{run.err}'"
    return "something was written" if list(output.parent.glob(output.name + "*")) else None


def main():
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in (("endless.conc", ENDLESS), ("endless.contract", ENDLESS_CONTRACT),
                           ("long.c", LONG), ("long.contract", LONG_CONTRACT),
                           ("net.contract", MANY), ("many.contract", VERY_MANY),
                           ("picture.tnet", PICTURE), ("triples.tnet", TRIPLES), ("transitions.tnet", TRANSITIONS),
                           ("large.conc", LARGE)):
            (folder / file).write_text(text)
        code = [folder / "long.contract", folder / "long.c"]
        cases = [
            (["verify", folder / "endless.conc", "--engine", "explicit"], "--timeout", 1),
            (["verify", folder / "endless.conc", "--engine", "explicit"], "--memory", 150),
            (["compose", folder / "endless.contract", "--engine", "explicit"], "--timeout", 1),
            (["compose", folder / "endless.contract", "--engine", "explicit"], "--memory", 150),
            (["compose", folder / "net.contract", "--engine", "refine"], "--timeout", 2),
            (["explore", folder / "triples.tnet"], "--timeout", 1),
            (["explore", folder / "triples.tnet", "--no-equivalence", "--depth", 3], "--timeout", 1),
            (["explore", folder / "picture.tnet", "-o", f"dot={folder}/p.dot"], "--memory", 60),
            (["conform", *code], "--timeout", 2),
            (["check", *code], "--timeout", 2),
            (["conform", *code], "--memory", 100),
        ]
        for arguments, option, value in cases:
            wrong = check(arguments, option, value)
            if wrong:
                failures.append(f"{arguments[0]} {option} {value}: {wrong}")
        picture = (folder / "p.dot").read_text()
        for words in ("label=<unfinished: memory limit of 60 MB<BR/>the first 1000 of ", "s999 ["):
            if words not in picture:
                failures.append(f"picture: no '{words}'")
        if "s1000 [" in picture:
            failures.append("picture: more than 1000 states")
        stories = [
            ["compose", folder / "many.contract", "--engine", "explicit"],
            ["compose", folder / "many.contract", "--engine", "count"],
            ["explore", folder / "transitions.tnet"],
        ]
        for arguments in stories:
            wrong = check_story(arguments, 2)
            if wrong:
                failures.append(f"{arguments[0]} {arguments[1].name}: {wrong}")
        exports = [("--timeout", 0.1, "the time limit of 0.1 s"),
                   ("--memory", 60, "the memory limit of 60 MB")]
        for option, value, words in exports:
            wrong = check_export(folder / "large.conc", folder / "large.pnml", option, value, words)
            if wrong:
                failures.append(f"export {option} {value}: {wrong}")
        whole = understudy("export", "examples/figure4.tts", "--to", "pnml", "--timeout", 600)
        if whole.out != understudy("export", "examples/figure4.tts", "--to", "pnml").out:
            failures.append("export: another text with a limit")
    return report("limits", failures, len(cases) + len(stories) + len(exports) + 1)


sys.exit(main())
