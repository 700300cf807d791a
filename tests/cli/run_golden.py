# SPDX-License-Identifier: Apache-2.0
"""Golden tests of the command line: inputs with an expectation (see inputs.py), and transcripts
(tests/golden/cli/*.console), which are compared exactly; --update rewrites them."""

import re
import sys
from inputs import inputs
from understudy import ROOT, first_difference, report, rerun, understudy

CODES = {"safe": 0, "unsafe": 1, "unknown": 3}


def check_input(entry):
    if entry.verdict is None:
        return "the first line states no expectation"
    if ("soundness" in entry.fields) == ("precision" in entry.fields):
        return "it must be marked soundness or precision"
    arguments = [entry.command, entry.name, *entry.options]
    run = understudy(*arguments)
    if run.code != CODES[entry.verdict]:
        return f"expected {entry.verdict}, exit code {run.code}: {run.err}{run.last_line}"
    if run.last_line.split(" ")[:2] != ["verdict:", entry.verdict]:
        return f"expected {entry.verdict}, got '{run.last_line}'"
    if entry.width and f"thread width: {entry.width}\n" not in run.out:
        return f"expected thread width {entry.width}:\n{run.out}"
    if entry.states and not re.search(rf"\b{entry.states} states?,|^states: {entry.states}$", run.out,
                                      re.MULTILINE):
        return f"expected {entry.states} states:\n{run.out}"
    if understudy(*arguments).out != run.out:
        return "two runs print different things"
    if entry.command == "verify" and entry.verdict != "unknown":
        run = understudy(*arguments, "--expect")
        if run.code != 0:
            return f"--expect: exit code {run.code}: {run.err.strip()}"
    return None


def check_transcript(path, update):
    expected = path.read_text()
    actual = rerun(expected)
    if update:
        path.write_text(actual)
    return None if update or actual == expected else first_difference(expected, actual)


def main():
    update = "--update" in sys.argv[1:]
    failures, count = [], 0
    for entry in inputs((".conc", ".contract", ".tnet")):
        count += 1
        wrong = check_input(entry)
        if wrong:
            failures.append(f"{entry.name}: {wrong}")
    for path in sorted((ROOT / "tests/golden/cli").glob("*.console")):
        count += 1
        wrong = check_transcript(path, update)
        if wrong:
            failures.append(f"{path.relative_to(ROOT)}: {wrong}")
    return report("golden tests", failures, count)


sys.exit(main())
