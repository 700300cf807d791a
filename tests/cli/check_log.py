# SPDX-License-Identifier: Apache-2.0
"""--log and --log-queries: what is asked for is there, nothing else is, and the solver's program gives
the answers that the files state."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from understudy import ROOT, report, understudy

FIGURE = "tests/golden/cli/refine/figure1.conc"
DRIVER = ROOT / "drivers/bluetooth"
ANSWER = re.compile(r"; (sat|unsat|unknown|stopped|quantifiers (not )?eliminated) in \d+\.\d{3} s$")


def logged(folder):
    """Pairs of file and last line."""
    return [(file, file.read_text().rstrip("\n").rsplit("\n", 1)[-1])
            for file in sorted(folder.rglob("*.smt2"))]


def check_queries(folder, arguments, topics, sample):
    run = understudy(*arguments, "--log-queries", folder)
    plain = understudy(*arguments)
    if (run.code, run.out) != (plain.code, plain.out):
        return f"the log changes the answer: {run.last_line}"
    if sorted(f.name for f in folder.iterdir()) != sorted(topics):
        return f"topics {sorted(f.name for f in folder.iterdir())}"
    files = logged(folder)
    for file, last in files:
        if not ANSWER.match(last):
            return f"{file.name}: no answer in '{last}'"
    decided = [(file, last.split()[1]) for file, last in files if last[2:].startswith(("sat", "uns"))]
    if not decided:
        return "no question"
    for file, answer in decided[::max(1, len(decided) // sample)]:
        said = subprocess.run(["z3", "-T:60", file], capture_output=True, text=True).stdout.strip()
        if said not in (answer, "unknown", "timeout"):
            return f"{file.name} says {answer}, but z3 says {said}"
    return None


def check_lines(arguments, topics, pattern):
    run = understudy(*arguments)
    lines = run.err.splitlines()
    if any(line.split(":")[0] not in topics for line in lines):
        return f"unexpected lines in {lines[:3]}"
    if not any(re.search(pattern, line) for line in lines):
        return f"no line '{pattern}'"
    return None


def check_error(arguments, message):
    run = understudy(*arguments)
    return None if run.code == 2 and message in run.err else f"{run.code}: {run.err}"


def main():
    verify = ["verify", FIGURE, "--engine", "refine", "--algorithm", "1"]
    compose = ["compose", DRIVER / "bluetooth.contract"]
    conform = ["conform", DRIVER / "bluetooth.contract", DRIVER / "bluetooth.c"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "full").mkdir()
        (folder / "full" / "other").write_text("")
        cases = {
            "queries of refine": check_queries(folder / "a", verify, ["refine"], 40),
            "queries of count": check_queries(
                folder / "b", [*compose, "--engine", "count"], ["count"], 40),
            "queries of conform": check_queries(folder / "c", conform, ["conform"], 40),
            "decisions": check_lines([*verify, "--log", "refine=2"], ["refine"], "refinement 1: "),
            "questions": check_lines([*verify, "--log", "refine=3"], ["refine"],
                                     r"question 1: (un)?sat in \d"),
            "auto": check_lines(["verify", FIGURE, "--log", "auto=1"], ["auto"], "says safe"),
            "conform": check_lines([*conform, "--log", "conform=1"], ["conform"], "conforms"),
            "level 0": None if understudy(*verify, "--log", "all=0").err == "" else "not silent",
            "unknown topic": check_error([*verify, "--log", "refin=2"], "did you mean 'refine'?"),
            "level too high": check_error([*verify, "--log", "refine=4"], "from 0 to 3"),
            "no level": check_error([*verify, "--log", "refine"], "write TOPIC=LEVEL"),
            "folder in use": check_error([*verify, "--log-queries", folder / "full"],
                                         "holds other files"),
            "no such folder": check_error([*verify, "--log-queries", folder / "x" / "y"],
                                          "cannot create"),
        }
    failures = [f"{case}: {wrong}" for case, wrong in cases.items() if wrong]
    return report("log", failures, len(cases))


sys.exit(main())
