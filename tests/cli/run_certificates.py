# SPDX-License-Identifier: Apache-2.0
"""Every proof of the inputs and case studies leaves a certificate that both solvers validate; what is
no proof leaves nothing behind."""

import re
import sys
import tempfile
from pathlib import Path
from check_drivers import STUDIES
from conform_inputs import code_inputs
from inputs import inputs
from understudy import ROOT, report, understudy

PROOFS = ("safe", "conforms")
COUNT = re.compile(r"(\d+) (?:obligations? holds?|states?, closed|elements?, closed)")


def runs():
    for entry in inputs():
        yield entry.name, [entry.command, entry.name, *entry.options]
    for entry in inputs((".tnet",)):
        yield entry.name, [entry.command, entry.name, *entry.options]
    for entry in code_inputs():
        if entry.verdict != "error":
            yield entry.name, entry.arguments
    for name, (options, _) in STUDIES.items():
        folder = f"drivers/{name}/{name}"
        yield f"{folder}.c", ["check", f"{folder}.contract", f"{folder}.c", *options]


def check(arguments, folder):
    run = understudy(*arguments, "--certificate", folder)
    note = next((line for line in run.out.splitlines() if line.startswith("certificate: ")), None)
    word = run.last_line.split(" ")[1]
    if word not in PROOFS:
        if folder.exists() or note != "certificate: none (only a proof has one)":
            return f"{word}, and yet: {note}"
        return None
    if note != f"certificate: {folder}":
        return f"{word}, and yet: {note}"
    for solver in ("z3", "cvc5"):
        found = understudy("validate", folder, "--solver", solver)
        if found.code != 0 or found.last_line != "verdict: valid":
            return f"{solver}: exit code {found.code}: {found.err}{found.last_line}"
        if not COUNT.search(found.out):
            return f"{solver}: nothing was counted:\n{found.out}"
    left = sorted(path.name for path in folder.parent.iterdir())
    return None if left == [folder.name] else f"left behind: {left}"


def main():
    failures, count = [], 0
    for name, arguments in runs():
        if not all(word in name for word in sys.argv[1:]):
            continue
        count += 1
        with tempfile.TemporaryDirectory() as parent:
            wrong = check(arguments, Path(parent) / "proof")
        if wrong:
            failures.append(f"{name}: {wrong}")
    return report("certificates", failures, count)


if __name__ == "__main__":
    sys.exit(main())
