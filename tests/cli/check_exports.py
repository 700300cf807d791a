# SPDX-License-Identifier: Apache-2.0
"""Exports of all inputs: Graphviz draws the picture, CONC and SPIN give the same verdict."""

# CONC has no rely, and joins by id or by thread, not by both.
CONC_REFUSES = {"rely-broken.contract", "rely-kept.contract", "fork-join.contract", "ring.contract"}
# Integers without a value at the start, and threads in any number.
PROMELA_REFUSES = {
    "drivers/battery/battery.contract": "too many values to list",
    "tests/golden/cli/unbounded-int.conc": "cannot choose any number",
    "tests/golden/cli/any-number.conc": "how many t threads?",
    "examples/readers-writers.conc": "how many Reader threads?",
    "examples/readers-writers-broken.conc": "how many Reader threads?",
    "examples/requests.conc": "how many Client threads?",
    "examples/requests-broken.conc": "how many Client threads?",
}
# Forks without bound are more than SPIN can search.
SPIN_CANNOT = {"examples/pool.conc", "examples/pool-broken.conc", "tests/golden/cli/cover/pool.conc",
               "tests/golden/cli/cover/pool-stop.conc", "tests/golden/cli/cover/forks.conc"}
# Systems with any number of threads.
COVER = "tests/golden/cli/cover/"

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from inputs import inputs
from understudy import report, understudy


def spin_verdict(model, deadlock, folder):
    def run(*command):
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)

    (folder / "model.pml").write_text(model)
    made = run("spin", "-a", "model.pml")
    if made.returncode != 0 or "error" in made.stdout.lower():
        return f"spin: {made.stdout.strip()}"
    built = run("cc", "-O1", "-DSAFETY", "-DVECTORSZ=8192", "-w", "-o", "pan", "pan.c")
    if built.returncode != 0:
        return f"cc: {built.stderr.splitlines()[:2]}"
    searched = run("./pan", "-m200000", *([] if deadlock else ["-E"]))
    if "max search depth too small" in searched.stdout:
        return "SPIN's depth limit"
    found = re.search(r"errors: (\d+)", searched.stdout)
    if not found:
        return f"pan: {searched.stdout[-300:]}{searched.stderr[-300:]}"
    return "safe" if found.group(1) == "0" else "unsafe"


def check_dot(path):
    picture = understudy("export", path, "--to", "dot")
    if picture.code != 0:
        return f"dot: {picture.err}"
    drawn = subprocess.run(["dot", "-Tsvg"], input=picture.out, capture_output=True, text=True)
    return None if drawn.returncode == 0 and not drawn.stderr else f"dot: {drawn.stderr}"


def check_spin(entry, threads, spurious, deadlock, folder):
    model = understudy("export", entry.path, "--to", "promela", *threads, *spurious)
    refusal = PROMELA_REFUSES.get(entry.name)
    if entry.name.startswith(COVER) and "*;" in entry.path.read_text():
        refusal = "how many"
    if refusal:
        refused = model.code in (2, 3) and refusal in model.err and not model.out
        return None if refused else f"promela: {model.code} {model.err}"
    if model.code != 0:
        return f"promela: {model.err}"
    if entry.name in SPIN_CANNOT:
        return None
    verdict = spin_verdict(model.out, deadlock, folder)
    if verdict == entry.verdict:
        return None
    return f"SPIN says {verdict}, expected {entry.verdict}"


def check_conc(path, expected, threads, spurious, folder):
    text = understudy("export", path, "--to", "conc", *threads)
    if path.name in CONC_REFUSES:
        refused = text.code == 3 and "unsupported: CONC" in text.err and not text.out
        return None if refused else f"conc: {text.code} {text.err}"
    if text.code != 0:
        return f"conc: {text.err}"
    copy = folder / "copy.conc"
    copy.write_text(text.out)
    if understudy("fmt", copy).code != 0:
        return "the CONC export does not parse"
    options = spurious + threads if path.suffix == ".conc" else ["--spurious", "on"]
    run = understudy("verify", copy, *options)
    verdict = re.match(r"verdict: (\w+)", run.last_line).group(1) if run.out else run.err
    return None if verdict == expected else f"the CONC export is {verdict}, expected {expected}"


def main():
    failures, count = [], 0
    for entry in inputs():
        if entry.verdict == "unknown":
            continue
        deadlock = "--deadlock" in entry.options
        threads, spurious = entry.option("--threads"), entry.option("--spurious")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for wrong in (check_dot(entry.path),
                          None if deadlock else
                          check_conc(entry.path, entry.verdict, threads, spurious, folder),
                          check_spin(entry, threads, spurious, deadlock, folder)):
                count += 1
                if wrong:
                    failures.append(f"{entry.name}: {wrong}")
    return report("exports", failures, count)


sys.exit(main())
