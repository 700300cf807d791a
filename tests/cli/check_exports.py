# SPDX-License-Identifier: Apache-2.0
"""Exports of all inputs: Graphviz draws the pictures, CONC and SPIN give the same verdict, the Petri net
is one."""

# CONC has no rely, and joins by id or by thread, not by both.
CONC_REFUSES = {"rely-broken.contract", "rely-kept.contract", "fork-join.contract", "ring.contract",
                "spsc.contract", "tick-counter.contract", "needs.contract"}
# Integers without a value at the start or beyond 32 bits, and threads in any number.
PROMELA_REFUSES = {
    "drivers/battery/battery.contract": "too many values to list",
    "examples/abstract-threads-figure2.conc": "too many values to list",
    "tests/golden/cli/unbounded-int.conc": "cannot choose an arbitrary integer",
    "tests/golden/cli/int-min-64.conc": "Promela has no type for the values of y",
    "tests/golden/cli/int-min-64.contract": "-9223372036854775808 does not fit in Promela",
    "tests/golden/cli/any-number.conc": "no number given for t threads",
    "examples/readers-writers.conc": "no number given for Reader threads",
    "examples/readers-writers-broken.conc": "no number given for Reader threads",
    "examples/needs.contract": "no number given for user threads",
    "examples/needs-weak.contract": "no number given for user threads",
    "examples/requests.conc": "no number given for Client threads",
    "examples/requests-broken.conc": "no number given for Client threads",
}
# Forks and counters without bound are more than SPIN can search.
SPIN_CANNOT = {"examples/pool.conc", "examples/pool-broken.conc", "tests/golden/cli/cover/pool.conc",
               "tests/golden/cli/cover/pool-stop.conc", "tests/golden/cli/cover/forks.conc",
               "tests/golden/cli/auto/spsc.contract", "tests/golden/cli/auto/tick-counter.contract",
               "tests/golden/cli/auto/two-workers.conc"}
# Systems with any number of threads.
COVER = "tests/golden/cli/cover/"

import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path
from inputs import inputs, inputs_of_all_engines
from understudy import report, understudy


def spin_verdict(model, deadlock, folder):
    def run(*command):
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900)

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


PNML = "{http://www.pnml.org/version-2009/grammar/pnml}"


def pnml_fault(text):
    """What is wrong with a P/T net; None if nothing is."""
    net = xml.fromstring(text).find(PNML + "net")
    if net is None or not net.get("type").endswith("/ptnet"):
        return "no P/T net"
    places = [place.get("id") for place in net.iter(PNML + "place")]
    transitions = [transition.get("id") for transition in net.iter(PNML + "transition")]
    arcs = list(net.iter(PNML + "arc"))
    names = places + transitions + [arc.get("id") for arc in arcs] + [net.get("id")]
    if len(set(names)) != len(names):
        return "an id occurs twice"
    ends = {(arc.get("source"), arc.get("target")) for arc in arcs}
    if len(ends) != len(arcs):
        return "two arcs have the same ends"
    if any((a in places) == (b in places) or not {a, b} <= set(places + transitions)
           for a, b in ends):
        return "an arc does not link a place and a transition"
    if not any(place.find(PNML + "initialMarking") is not None
               for place in net.iter(PNML + "place")):
        return "nothing is marked"
    if any(transition.find(f"{PNML}name/{PNML}text") is None
           for transition in net.iter(PNML + "transition")):
        return "a transition has no name"
    return None


def check_net(entry):
    net = understudy("export", entry.path, "--to", "pnml", "--width", "4")
    if net.code == 3 and "any number" in net.err and not net.out:
        return None
    if net.code != 0:
        return f"pnml: {net.code} {net.err}"
    fault = pnml_fault(net.out)
    return f"pnml: {fault}" if fault else check_dot(entry.path, "--width", "4")


def check_dot(path, *options):
    picture = understudy("export", path, "--to", "dot", *options)
    if picture.code != 0:
        return f"dot: {picture.err}"
    drawn = subprocess.run(["dot", "-Tsvg"], input=picture.out, capture_output=True, text=True)
    return None if drawn.returncode == 0 and not drawn.stderr else f"dot: {drawn.stderr}"


def check_spin(entry, threads, spurious, deadlock, folder):
    model = understudy("export", entry.path, "--to", "promela", *threads, *spurious)
    refusal = PROMELA_REFUSES.get(entry.name)
    if entry.name.startswith(COVER) and "*;" in entry.path.read_text():
        refusal = "no number given"
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
    for entry in inputs_of_all_engines():
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
    for entry in inputs():
        if entry.verdict == "unknown":
            continue
        count += 1
        wrong = check_net(entry)
        if wrong:
            failures.append(f"{entry.name}: {wrong}")
    return report("exports", failures, count)


sys.exit(main())
