# SPDX-License-Identifier: Apache-2.0
"""Thread transition systems of tests/golden/cli/cover: the verdict of their first line by all
algorithms, a certificate that validates, and the same verdict of what they are exported to.

    # expect: safe            the verdict; the target is in the .prop file beside it
    # precision: why          or soundness
    # options: --init 0|0     further options
"""

import re
import sys
import tempfile
from pathlib import Path
from understudy import ROOT, report, understudy

FIELD = re.compile(r"# (expect|soundness|precision|options): ?(.*)")
EXPORTED = re.compile(r"# understudy cover FILE --init \"(.*)\" --target \"(.*)\"")
CODES = {"safe": 0, "unsafe": 1}
VARIANTS = [[], ["--algorithm", "backward", "--no-oracle", "--no-prepass"],
            ["--algorithm", "cat", "--no-oracle"], ["--algorithm", "lean", "--widen-threads", "2"]]


def fields(path):
    return dict(found.groups() for found in map(FIELD.match, path.read_text().splitlines()[:4])
                if found)


def wrong_verdict(what, run, expected):
    if run.code == CODES[expected] and run.last_line == f"verdict: {expected}":
        return None
    return f"{what}: exit code {run.code}, {run.err}{run.last_line}"


def check_certificate(path, options, expected, folder):
    run = understudy("cover", path, *options, "--certificate", folder / "proof")
    if expected != "safe":
        return "a certificate without a proof" if (folder / "proof").exists() else None
    found = understudy("validate", folder / "proof")
    valid = found.code == 0 and re.search(r"cover, \d+ elements?, closed under", found.out)
    return None if valid else f"{run.last_line} and yet {found.err}{found.out}"


def check_exports(path, options, expected, folder):
    for kind in ("tts", "spec"):
        copy = folder / f"copy.{kind}"
        made = understudy("export", path, *options, "--to", kind, "-o", copy)
        if made.code == 3 and "one of several places" in made.err:
            continue
        if made.code != 0:
            return f"{kind}: {made.err}"
        found = EXPORTED.match(copy.read_text())
        again = ["--init", found.group(1), "--target", found.group(2)] if found else []
        wrong = wrong_verdict(f"as {kind}", understudy("cover", copy, *again), expected)
        if wrong:
            return wrong
    return None


def check(path, folder):
    stated = fields(path)
    expected, options = stated.get("expect"), stated.get("options", "").split()
    if expected not in CODES:
        return "the first line states no expectation"
    if ("soundness" in stated) == ("precision" in stated):
        return "it must be marked soundness or precision"
    for variant in VARIANTS:
        run = understudy("cover", path, *options, *variant)
        wrong = wrong_verdict(" ".join(variant), run, expected)
        if wrong:
            return wrong
        if understudy("cover", path, *options, *variant).out != run.out:
            return "two runs print different things"
    return (check_certificate(path, options, expected, folder) or
            check_exports(path, options, expected, folder))


def main():
    failures, count = [], 0
    for path in sorted((ROOT / "tests/golden/cli/cover").glob("*.tts")):
        count += 1
        with tempfile.TemporaryDirectory() as folder:
            wrong = check(path, Path(folder))
        if wrong:
            failures.append(f"{path.name}: {wrong}")
    return report("cover systems", failures, count)


sys.exit(main())
