# SPDX-License-Identifier: Apache-2.0
"""Changes the case studies one place at a time and demands that the tool notices.

Every mutant of the code and of the contract is given to `understudy check`. It must be refuted: exit
code 1, or 2 when the contract itself is rejected. Otherwise equivalent.txt must list it with a reason
why what is left is still right; entries that are no longer needed fail as well.

A tenth of the mutants by default, all with UNDERSTUDY_FULL=1.

usage: mutate.py              run
       mutate.py --list       print the ids of all mutants
       mutate.py --only TEXT  run those whose id contains TEXT, and show what the tool prints
"""

import os
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
import code_mutants  # noqa: E402
import contract_mutants  # noqa: E402
from understudy import ROOT, understudy  # noqa: E402

EQUIVALENT = Path(__file__).resolve().parent / "equivalent.txt"
# The threads: as few as can show every bug of the protocol.
STUDIES = {
    "bluetooth": ["--threads", "PnpAdd=2"],
    "battery": ["--threads", "Worker=2"],
    "refcount": ["--threads", "User=2"],
    "ring": [],
}
SHARE = 10


class Mutant:
    def __init__(self, study, file, line, column, what, text):
        self.study, self.file, self.text = study, file, text
        self.id = f"drivers/{study}/{file}:{line}:{column} {what}"
        self.refusal = (1,) if file.endswith(".c") else (1, 2)


def all_mutants():
    result = []
    for study in STUDIES:
        for file, source in ((f"{study}.c", code_mutants), (f"{study}.contract", contract_mutants)):
            text = (ROOT / "drivers" / study / file).read_text()
            result += [Mutant(study, file, *mutant) for mutant in source.mutants(text)]
    return result


def read_equivalent():
    """Ids, one a line, each group followed by its reason, indented. {id: reason}"""
    reasons, group, reason = {}, [], []

    def finish():
        if group and not reason:
            sys.exit(f"{EQUIVALENT.name}: no reason for {group[0]}")
        reasons.update({name: " ".join(reason) for name in group})

    for line in EQUIVALENT.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            reason.append(line.strip())
            continue
        if reason:
            finish()
            group, reason = [], []
        group.append(line.rstrip())
    finish()
    return reasons


def check(study, files):
    """Runs the tool on the study with the files (name: text) replaced."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in (f"{study}.contract", f"{study}.c"):
            text = files.get(name) or (ROOT / "drivers" / study / name).read_text()
            (place / name).write_text(text)
        return understudy("check", place / f"{study}.contract", place / f"{study}.c",
                          *STUDIES[study], cwd=folder)


def judge(mutant, reasons):
    """(how it ended, what is wrong or None)"""
    run = check(mutant.study, {mutant.file: mutant.text})
    how = run.last_line.removeprefix("verdict: ").split(" (")[0] if run.code != 2 else "rejected"
    if run.code in mutant.refusal:
        if mutant.id in reasons:
            return how, f"{mutant.id}: listed as equivalent, but refuted ({how})"
        return how, None
    if run.code in (0, 3) and mutant.id in reasons:
        return "equivalent", None
    said = run.last_line if run.code in (0, 1, 3) else run.err.strip()
    return how, f"{mutant.id}: not refuted: exit code {run.code}: {said}"


def selected(mutants, words):
    if words[:1] == ["--only"]:
        return [mutant for mutant in mutants if words[1] in mutant.id]
    return mutants if os.environ.get("UNDERSTUDY_FULL") == "1" else mutants[::SHARE]


def main():
    words = sys.argv[1:]
    mutants = all_mutants()
    if words == ["--list"]:
        print("\n".join(mutant.id for mutant in mutants))
        return 0
    reasons = read_equivalent()
    failures = [f"{name}: in {EQUIVALENT.name}, but there is no such mutant"
                for name in reasons.keys() - {mutant.id for mutant in mutants}]
    for study in STUDIES:
        run = check(study, {})
        if run.code != 0:
            failures.append(f"{study} itself is not safe: {run.err}{run.last_line}")
    chosen = selected(mutants, words)
    counts = Counter()
    with ThreadPoolExecutor(2) as pool:
        for how, wrong in pool.map(lambda mutant: judge(mutant, reasons), chosen):
            counts[how] += 1
            failures += [wrong] if wrong else []
    if words[:1] == ["--only"]:
        for mutant in chosen:
            run = check(mutant.study, {mutant.file: mutant.text})
            print(f"== {mutant.id}\n{run.err}{run.out}")
    for failure in sorted(failures):
        print(f"FAILED {failure}")
    print(f"mutation: {len(chosen)} of {len(mutants)} mutants: "
          + ", ".join(f"{count} {how}" for how, count in sorted(counts.items())))
    return 1 if failures else 0


sys.exit(main())
