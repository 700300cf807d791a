# SPDX-License-Identifier: Apache-2.0
"""Certificates are changed in many ways; each change is rejected with the right reason and exit code.

Counting certificates are changed in tests/tools/CertificateTest.cpp.
"""

import hashlib
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from annotation_mutations import ANNOTATION, ANNOTATION_MUTATIONS
from certificate_edits import edit, replace
from understudy import report, understudy

COMPOSE = ["compose", "drivers/bluetooth/bluetooth.contract", "--threads", "PnpAdd=2"]
CHECK = ["check", "drivers/bluetooth/bluetooth.contract", "drivers/bluetooth/bluetooth.c",
         "--threads", "PnpAdd=2"]
SILENT = ["conform", "tests/golden/cli/conform-good/vacuity.contract",
          "tests/golden/cli/conform-good/vacuity.c"]
COVER = ["verify", "tests/golden/cli/cover/storm.conc", "--engine", "cover"]
NET = ["explore", "examples/server.tnet", "--set", "m=2"]
TTS = ["cover", "examples/figure4.tts", "--target", "2|"]
SERVER = "sources/examples/server.tnet"
MARKINGS = "composition.markings"
STORM = "sources/tests/golden/cli/cover/storm.conc"
CONTRACT = "sources/drivers/bluetooth/bluetooth.contract"
CODE = "sources/drivers/bluetooth/bluetooth.c"
VALID, INVALID, BAD, UNKNOWN = 0, 1, 2, 3


def rehash(folder, name):
    """As a forger would: the changed source gets its hash."""
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()

    def change(data):
        for source in data["sources"]:
            if "sources/" + source["path"] == name:
                source["sha256"] = digest
    edit(folder, change)


def part(data, name):
    return next(one for one in data["parts"] if one["name"] == name)


def swap(folder, first, second):
    shutil.move(folder / first, folder / "third")
    shutil.move(folder / second, folder / first)
    shutil.move(folder / "third", folder / second)


def drop_line(folder, name, number):
    path = folder / name
    lines = path.read_text().splitlines(keepends=True)
    del lines[number]
    path.write_text("".join(lines))


def drop_state(folder):
    drop_line(folder, "composition.states", -1)
    edit(folder, lambda data: part(data, "composition")["proof"].update(
        states=part(data, "composition")["proof"]["states"] - 1))


def drop_element(folder, line):
    """As a forger would: the number is adjusted."""
    path = folder / "composition.cover"
    lines = path.read_text().splitlines(keepends=True)
    if line not in map(str.strip, lines):
        raise ValueError(f"no element '{line}'")
    path.write_text("".join(one for one in lines if one.strip() != line))
    edit(folder, lambda data: data["parts"][0]["proof"].update(elements=len(lines) - 1))


def elements(folder, change):
    path = folder / "composition.cover"
    lines = change(path.read_text().splitlines())
    path.write_text("".join(line + "\n" for line in lines))
    edit(folder, lambda data: data["parts"][0]["proof"].update(elements=len(lines)))


def changed_source(folder, old, new, name=CONTRACT):
    replace(folder, name, old, new)
    rehash(folder, name)


def set_option(key, value):
    return lambda folder: edit(folder, lambda data: data["options"].update({key: value}))


def set_threads(number, deadlock=False):
    return lambda folder: edit(folder, lambda data: (
        data["options"].update(threads={"PnpAdd": number}, deadlock=deadlock),
        data.update(scope=f"for {number} or fewer PnpAdd threads")))


def markings(folder, change):
    """Changes the list of markings; the number is adjusted."""
    path = folder / MARKINGS
    states = [json.loads(line) for line in path.read_text().splitlines()]
    change(states)
    path.write_text("".join(json.dumps(state) + "\n" for state in states))
    edit(folder, lambda data: data["parts"][0]["proof"].update(states=len(states)))


def instead(name, make):
    """Something that is no file takes its place."""
    def change(folder):
        (folder / name).unlink()
        make(folder / name)
    return change


def in_envelope(old, new):
    return lambda folder: replace(folder, "certificate.json", old, new)


def exploding_headers(folder):
    """2^40 inclusions, all of them listed with their hashes."""
    source = folder / CODE
    headers = []
    for level in range(40):
        path = source.parent / f"h{level}.h"
        path.write_text(f'#include "h{level + 1}.h"\n' * 2 if level < 39 else "\n")
        headers.append({"path": str(path.relative_to(folder / "sources")),
                        "sha256": hashlib.sha256(path.read_bytes()).hexdigest()})
    source.write_text('#include "h0.h"\n' + source.read_text())
    rehash(folder, CODE)
    edit(folder, lambda data: data["sources"].extend(headers))


def deep_invariant(folder):
    edit(folder, lambda data: part(data, "conform-PnpStop")["proof"]["invariants"][0].update(
        formula="(" * 100000 + "true" + ")" * 100000))


def stop_proof(folder, change):
    edit(folder, lambda data: change(part(data, "conform-PnpStop")["proof"]["invariants"]))


MUTATIONS = [
    # name, certificate, change, exit code, words of the reason
    ("source changed", COMPOSE, lambda f: replace(f, CONTRACT, "pendingIO + 1", "pendingIO + 2"),
     INVALID, "the source 'drivers/bluetooth/bluetooth.contract' is not the one that was verified"),
    ("hash changed", COMPOSE, lambda f: edit(f, lambda d: d["sources"][0].update(sha256="0" * 64)),
     INVALID, "hash mismatch"),
    ("source removed", COMPOSE, lambda f: (f / CONTRACT).unlink(),
     INVALID, "the source 'drivers/bluetooth/bluetooth.contract' is missing"),
    ("source added", CHECK, lambda f: (f / "sources/pthread.h").write_text("\n"),
     INVALID, "'pthread.h' is not among the sources"),
    ("source outside", COMPOSE, lambda f: edit(f, lambda d: d["sources"][0].update(path="../x")),
     INVALID, "is not inside the certificate"),
    ("another file", COMPOSE, lambda f: edit(f, lambda d: d.update(file="../../x.contract")),
     INVALID, "'../../x.contract' is not among the sources"),
    ("source and hash changed", COMPOSE,
     lambda f: changed_source(f, "pendingIO + 1", "pendingIO + 2"),
     INVALID, "leads from a listed state to one that is not"),
    ("a claim added to source and hash", COMPOSE,
     lambda f: changed_source(f, "run PnpStop", "never PnpAdd.Left with PnpStop.Left;\n  run PnpStop"),
     INVALID, "is violated in a listed state"),
    ("code and hash changed", CHECK,
     lambda f: changed_source(f, "atomic_fetch_add(&pendingIO, 1)", "atomic_fetch_add(&pendingIO, 2)", CODE),
     INVALID, "conform-PnpAdd"),
    ("state removed", COMPOSE, drop_state, INVALID, "leads from a listed state to one that is not"),
    ("line removed", COMPOSE, lambda f: drop_line(f, "composition.states", 3),
     INVALID, "the file 'composition.states' contains 188 states, but 189 are stated"),
    ("start removed", COMPOSE, lambda f: (drop_line(f, "composition.states", 0), edit(
        f, lambda d: d["parts"][0]["proof"].update(states=188))),
     INVALID, "an initial state is not listed"),
    ("states removed", COMPOSE, lambda f: (f / "composition.states").unlink(),
     INVALID, "the file 'composition.states' is missing"),
    ("state of another program", COMPOSE,
     lambda f: replace(f, "composition.states", "[[1,0,0,0],", "[[1,0,0],"),
     INVALID, "state 1 is not a state of the program"),
    ("states damaged", COMPOSE, lambda f: replace(f, "composition.states", "[[1,0,0,0],", "[[1,0"),
     BAD, "composition.states:1"),
    ("more threads", COMPOSE, lambda f: edit(f, lambda d: d["options"]["threads"].update(PnpAdd=3)),
     INVALID, "its options mean 'for 3 or fewer PnpAdd threads'"),
    ("more threads, also claimed", COMPOSE, lambda f: edit(f, lambda d: (
        d["options"]["threads"].update(PnpAdd=3), d.update(scope="for 3 or fewer PnpAdd threads"))),
     INVALID, "an initial state is not listed"),
    ("any number", COMPOSE, lambda f: edit(f, lambda d: (
        d["options"].update(threads={}), d.update(scope="for any number of PnpAdd threads"))),
     INVALID, "a list of states covers only a given number"),
    ("a thread that is not there", COMPOSE,
     lambda f: edit(f, lambda d: d["options"]["threads"].update(Nobody=1)),
     INVALID, "invalid value 'Nobody' for --threads"),
    ("deadlock claimed", COMPOSE, lambda f: edit(f, lambda d: d["options"].update(deadlock=True)),
     INVALID, "an initial state is not listed"),
    ("verdict changed", COMPOSE, lambda f: edit(f, lambda d: d.update(verdict="conforms")),
     INVALID, "it claims 'conforms', but compose proves 'safe'"),
    ("command changed", CHECK, lambda f: edit(
        f, lambda d: (d.update(command="conform"), d["options"].update(threads={}))),
     INVALID, "it claims 'safe', but conform proves 'conforms'"),
    ("unknown command", CHECK, lambda f: edit(f, lambda d: d.update(command="fmt")),
     INVALID, "'fmt' is not a command that proves something"),
    ("kind changed", COMPOSE, lambda f: edit(f, lambda d: d["parts"][0].update(
        kind="sequential", proof={"invariants": []})),
     INVALID, "evidence of kind sequential does not fit"),
    ("kind changed to counting", COMPOSE, lambda f: edit(f, lambda d: d["parts"][0].update(
        kind="counting", proof={"singles": [], "crowds": [], "invariants": []})),
     INVALID, "the obligation 'closed 1' is not listed"),
    ("kind unknown", COMPOSE, lambda f: edit(f, lambda d: d["parts"][0].update(kind="oracle")),
     BAD, "is not a known kind"),
    ("assumption removed", CHECK, lambda f: edit(f, lambda d: d["assumptions"].pop()),
     INVALID, "the assumption 'plain accesses to named variables"),
    ("what silent code leaves open removed", SILENT,
     lambda f: edit(f, lambda d: d["assumptions"].pop()),
     INVALID, "the assumption 'the code of worker has no assertions or markers"),
    ("all assumptions removed", CHECK, lambda f: edit(f, lambda d: d.update(assumptions=[])),
     INVALID, "the assumption 'stores to pendingIO do not overflow its C type' is missing"),
    ("overflow assumed otherwise", CHECK,
     lambda f: edit(f, lambda d: d["options"].update(overflow="check")), INVALID, "conform-PnpAdd"),
    *[(f"{key} of compose", COMPOSE, set_option(key, value), INVALID,
       f"option '{key}' does not apply to compose")
      for key, value in (("overflow", "wrap"), ("overflow", "check"), ("onlyThreads", ["PnpAdd"]),
                         ("clangArguments", ["-m32"]), ("assertHooks", ["die"]))],
    ("overflow of verify", COVER, set_option("overflow", "wrap"),
     INVALID, "option 'overflow' does not apply to verify"),
    ("threads of conform", SILENT, set_option("threads", {"worker": 2}),
     INVALID, "option 'threads' does not apply to conform"),
    ("deadlock of check", CHECK, set_option("deadlock", True),
     INVALID, "option 'deadlock' does not apply to check"),
    ("onlyThreads of check", CHECK, set_option("onlyThreads", ["PnpAdd"]),
     INVALID, "option 'onlyThreads' does not apply to check"),
    ("part removed", CHECK, lambda f: edit(f, lambda d: d["parts"].pop(0)),
     INVALID, "part 1 is 'conform-PnpStop', but 'conform-PnpAdd' is expected"),
    ("last part removed", CHECK, lambda f: edit(f, lambda d: d["parts"].pop()),
     INVALID, "the part 'composition' is missing"),
    ("part added", CHECK, lambda f: edit(f, lambda d: d["parts"].append(d["parts"][0])),
     INVALID, "the part 'conform-PnpAdd' is unexpected"),
    ("obligations swapped", CHECK,
     lambda f: swap(f, "conform-PnpAdd.smt2", "conform-PnpStop.smt2"),
     INVALID, "the file 'conform-PnpAdd.smt2' does not contain the obligations of conform-PnpAdd"),
    ("obligations removed", CHECK, lambda f: (f / "conform-PnpStop.smt2").unlink(),
     INVALID, "the file 'conform-PnpStop.smt2' is missing"),
    ("obligations made easy", CHECK,
     lambda f: replace(f, "conform-PnpStop.smt2", "(push 1)", "(assert false)\n(push 1)"),
     INVALID, "the file 'conform-PnpStop.smt2' does not contain the obligations"),
    ("answer changed", CHECK, lambda f: edit(
        f, lambda d: d["parts"][1]["obligations"][0].update(expected="sat")),
     INVALID, "must be unsat, but 'sat' is expected"),
    ("obligation not listed", CHECK, lambda f: edit(f, lambda d: d["parts"][0]["obligations"].pop()),
     INVALID, "conform-PnpAdd: the obligation '"),
    ("obligation added", CHECK, lambda f: edit(f, lambda d: d["parts"][0]["obligations"].append(
        {"name": "extra", "expected": "unsat"})),
     INVALID, "the obligation 'extra' is unexpected"),
    ("invariant weakened", CHECK, lambda f: stop_proof(f, lambda i: i[0].update(formula="true")),
     INVALID, "the file 'conform-PnpStop.smt2' does not contain the obligations"),
    ("invariant dropped", CHECK, lambda f: stop_proof(f, lambda i: i.clear()),
     INVALID, "conform-PnpStop: the obligation '"),
    ("invariant moved", CHECK, lambda f: stop_proof(f, lambda i: i[0].update(location=9999)),
     INVALID, "an invariant is at a place that the program does not have"),
    ("commands in a formula", CHECK,
     lambda f: stop_proof(f, lambda i: i[0].update(formula="true)\n(assert false")),
     INVALID, "something follows its end"),
    ("target that is no state", TTS, set_option("target", "9|"), BAD, "no such shared state: 9"),
    ("target without a thread's state", TTS, set_option("target", "2|9"), BAD,
     "no such local state: 9"),
    ("element removed", COVER, lambda f: drop_element(f, "0|3"), INVALID, "condition 2: "),
    ("target not excluded", COVER, lambda f: elements(f, lambda lines: []),
     INVALID, "composition: condition 1: the target (0 | 21) covers no element"),
    ("start excluded", COVER, lambda f: elements(f, lambda lines: ["0|"] + [
        line for line in lines if not line.startswith("0|")]),
     INVALID, "composition: condition 3: (0 |) is covered by a start configuration"),
    ("element weakened", COVER, lambda f: replace(f, "composition.cover", "0|5\n", "0|5*2\n"),
     INVALID, "condition 2: "),
    ("element added", COVER, lambda f: elements(f, lambda lines: lines + ["3|22*2"]),
     INVALID, "(3 | 22, 22) covers another element"),
    ("elements in disorder", COVER, lambda f: elements(f, lambda lines: lines[1:] + lines[:1]),
     INVALID, "is out of order"),
    ("element of another net", COVER, lambda f: elements(f, lambda lines: lines + ["4|1"]),
     INVALID, "is not a configuration of the model"),
    ("element line removed", COVER, lambda f: drop_line(f, "composition.cover", 0),
     INVALID, "the file 'composition.cover' contains 141 elements, but 142 are stated"),
    ("elements removed", COVER, lambda f: (f / "composition.cover").unlink(),
     INVALID, "the file 'composition.cover' is missing"),
    ("elements damaged", COVER, lambda f: replace(f, "composition.cover", "0|5\n", "0|5,\n"),
     BAD, "'composition.cover:2' is not an element such as 3|1,2*2"),
    ("cover: source and hash changed", COVER,
     lambda f: changed_source(f, "while (phase == seen)", "if (phase == seen)", STORM),
     INVALID, "composition: condition "),
    ("cover: deadlock claimed", COVER, lambda f: edit(f, lambda d: d["options"].update(deadlock=True)),
     INVALID, "an uncoverability proof does not rule out deadlock"),
    ("cover: a number set", COVER, lambda f: edit(f, lambda d: d["options"].update(threads={"waiter": 2})),
     INVALID, "but its options mean 'for 2 or fewer waiter threads"),
    ("cover: a number set and said", COVER, lambda f: edit(f, lambda d: (
        d["options"].update(threads={"waiter": 2}),
        d.update(scope="for 2 or fewer waiter threads and any number of turner threads"))),
     VALID, "verdict: valid"),
    ("cover: obligation added", COVER, lambda f: edit(f, lambda d: d["parts"][0]["obligations"].append(
        {"name": "extra", "expected": "unsat"})),
     INVALID, "a list of elements has no obligations"),
    ("cover for a thread", CHECK, lambda f: edit(f, lambda d: d["parts"][0].update(
        kind="cover", proof={"elements": 0}, obligations=[])),
     INVALID, "evidence of kind cover does not fit"),
    ("net: source and hash changed", NET,
     lambda f: changed_source(f, "-> computed(h);", "-> returned(h);", SERVER),
     INVALID, "composition: 'comp' in listen(1.1, 1), ready(1.1.1) leads to another marking"),
    ("net: a claim added to source and hash", NET,
     lambda f: changed_source(f, "reach two", "never one: ready(a);\nreach two", SERVER),
     INVALID, "composition: 'never one' is violated in listen(1.1, 1), ready(1.1.1)"),
    ("net: another constant", NET, set_option("set", {"m": 3}), INVALID, "firings are possible"),
    ("net: no such constant", NET, set_option("set", {"n": 3}), BAD, "no constant 'n'"),
    ("net: more relations", NET, set_option("relations", ["parent", "next"]),
     INVALID, "or with other names"),
    ("net: too few relations", NET, set_option("relations", []), BAD, "is not among those that are kept"),
    ("net: an unknown relation", NET, set_option("relations", ["cousin"]),
     BAD, "is not a list of relations"),
    ("net: threads", NET, set_option("threads", {}), BAD, "unknown field 'threads'"),
    ("net: last marking removed", NET, lambda f: markings(f, lambda s: s.pop()),
     INVALID, "leads to a marking that is not listed"),
    ("net: line removed", NET, lambda f: drop_line(f, MARKINGS, 3),
     INVALID, "contains 21 markings, but 22 are stated"),
    ("net: start removed", NET, lambda f: markings(f, lambda s: s.pop(0)),
     INVALID, "the first marking is not the start"),
    ("net: nothing listed", NET, lambda f: markings(f, lambda s: s.clear()),
     INVALID, "the first marking is not the start"),
    ("net: a move removed", NET, lambda f: markings(f, lambda s: s[1][2].pop()),
     INVALID, "1 firing is possible, but 0 are listed"),
    ("net: another target", NET, lambda f: markings(f, lambda s: s[1][2][0].__setitem__(0, 1)),
     INVALID, "or with other names"),
    ("net: another name", NET, lambda f: markings(f, lambda s: s[1][2][0][1][0].__setitem__(1, "1.7")),
     INVALID, "or with other names"),
    ("net: two ids become one", NET, lambda f: markings(
        f, lambda s: s[1][2][0][1][0].__setitem__(1, s[1][2][0][1][1][1])),
     INVALID, "or with other names"),
    ("net: a thread twice", NET, lambda f: markings(f, lambda s: s[2][0].append(s[2][0][0])),
     INVALID, "marking 3 does not fit the net"),
    ("net: a child that is not counted", NET, lambda f: markings(f, lambda s: s[2][1][0].__setitem__(1, 0)),
     INVALID, "marking 3 does not fit the net"),
    ("net: a number out of range", NET, lambda f: markings(f, lambda s: s[1][0][0][1].__setitem__(1, 9)),
     INVALID, "marking 2 does not fit the net"),
    ("net: no such place", NET, lambda f: markings(f, lambda s: s[1][0][0].__setitem__(0, 99)),
     INVALID, "marking 2 does not fit the net"),
    ("net: not an id", NET, lambda f: markings(f, lambda s: s[1][1][0].__setitem__(0, "1.0")),
     BAD, "is not a thread id"),
    ("net: markings damaged", NET, lambda f: replace(f, MARKINGS, "[[[0", "[[0"), BAD, MARKINGS + ":1"),
    ("net: markings removed", NET, lambda f: (f / MARKINGS).unlink(),
     INVALID, "the file 'composition.markings' is missing"),
    ("net: obligation added", NET, lambda f: edit(f, lambda d: d["parts"][0]["obligations"].append(
        {"name": "extra", "expected": "unsat"})), INVALID, "a list of markings has no obligations"),
    ("net: kind changed", NET, lambda f: edit(f, lambda d: d["parts"][0].update(kind="explicit")),
     INVALID, "evidence of kind explicit does not fit"),
    ("markings of a program", COMPOSE, lambda f: edit(f, lambda d: d["parts"][0].update(kind="net")),
     INVALID, "evidence of kind net does not fit"),
    ("version", COMPOSE, lambda f: edit(f, lambda d: d.update(version=2)),
     BAD, "has an unsupported certificate version (2), expected version 1"),
    ("format", COMPOSE, lambda f: edit(f, lambda d: d.update(format="x")),
     BAD, "is not a certificate of this tool"),
    ("control characters", COMPOSE, lambda f: edit(f, lambda d: (
        d["assumptions"].append("none\x1b[2J"), d["options"].update(onlyThreads=["\x1b[31mT"]))),
     INVALID, "option 'onlyThreads' does not apply to compose"),
    ("truncated", COMPOSE, lambda f: (f / "certificate.json").write_text(
        (f / "certificate.json").read_text()[:300]), BAD, "is truncated or not valid JSON"),
    ("empty", COMPOSE, lambda f: (f / "certificate.json").write_text(""), BAD, "is empty"),
    ("huge number", CHECK, lambda f: stop_proof(f, lambda i: i[0].update(location=10 ** 30)),
     BAD, "is not a 64-bit integer"),
    ("negative number", CHECK, lambda f: stop_proof(f, lambda i: i[0].update(location=-1)),
     BAD, "is not a number from 0 to 4294967295"),
    ("very many threads", COMPOSE, set_threads(4294967295),
     BAD, "options.threads.PnpAdd is not a number from 0 to 10000"),
    ("many threads", COMPOSE, set_threads(10000),
     INVALID, "an initial state is not listed: it has 10001 threads"),
    ("many threads and deadlock", COMPOSE, set_threads(99, True),
     INVALID, "an initial state is not listed"),
    ("more numbers of threads than states", COMPOSE, set_threads(250, True),
     INVALID, "an initial state is not listed: it has 251 threads"),
    ("field twice", COMPOSE, in_envelope('"verdict":', '"verdict": "safe", "verdict":'),
     BAD, "has the field 'verdict' twice"),
    ("option twice", COMPOSE, in_envelope('"PnpAdd":', '"PnpAdd": 1, "PnpAdd":'),
     BAD, "has the field 'PnpAdd' twice"),
    ("deeply nested", COMPOSE,
     in_envelope('"assumptions":', '"assumptions": ' + "[" * 100000 + "]" * 100000 + ', "a":'),
     BAD, "is nested too deeply"),
    ("deeply nested states", COMPOSE,
     lambda f: (f / "composition.states").write_text("[" * 100000 + "]" * 100000),
     BAD, "is nested too deeply"),
    ("billions of states claimed", COMPOSE,
     lambda f: edit(f, lambda d: d["parts"][0]["proof"].update(states=4294967295)),
     INVALID, "contains 189 states, but 4294967295 are stated"),
    ("deeply nested formula", CHECK, deep_invariant,
     INVALID, "does not contain the obligations of conform-PnpStop"),
    ("states are a pipe", COMPOSE, instead("composition.states", os.mkfifo),
     INVALID, "the file 'composition.states' is missing or not a regular file"),
    ("states are endless", COMPOSE,
     instead("composition.states", lambda path: path.symlink_to("/dev/zero")),
     INVALID, "the file 'composition.states' is missing or not a regular file"),
    ("envelope is a pipe", COMPOSE, instead("certificate.json", os.mkfifo),
     BAD, "it has no file 'certificate.json'"),
    ("source is a pipe", COMPOSE, instead(CONTRACT, os.mkfifo), INVALID, "is missing"),
    ("source is a link", COMPOSE, instead(CONTRACT, lambda path: path.symlink_to("/dev/zero")),
     INVALID, "is missing"),
    ("a folder that contains itself", COMPOSE,
     lambda f: (f / "sources/again").symlink_to(f / "sources"),
     INVALID, "'again' is not among the sources"),
    ("source includes itself", CHECK,
     lambda f: changed_source(f, "#include", '#include "bluetooth.c"\n#include', CODE),
     BAD, "nested too deeply"),
    ("more inclusions than anybody can read", CHECK, exploding_headers,
     UNKNOWN, "the time limit of 2 s was reached"),
    ("and with little memory", CHECK, exploding_headers,
     UNKNOWN, "the memory limit of 1 MB was reached"),
    ("wrong type", COMPOSE, lambda f: edit(f, lambda d: d.update(assumptions="none")),
     BAD, "is not a list"),
    ("field missing", COMPOSE, lambda f: edit(f, lambda d: d.pop("options")),
     BAD, "has no field 'options'"),
    ("field unknown", COMPOSE, lambda f: edit(f, lambda d: d.update(trust="me")),
     BAD, "has an unknown field 'trust'"),
    ("no envelope", COMPOSE, lambda f: (f / "certificate.json").unlink(),
     BAD, "it has no file 'certificate.json'"),
    ("nothing there", COMPOSE, shutil.rmtree, BAD, "is not a folder"),
]


def folder_of(arguments):
    return "-".join([arguments[0], *arguments[-1:]]).replace("/", "-")


def check(original, folder, change, code, words):
    shutil.copytree(original, folder)
    change(folder)
    limit = []
    if code == UNKNOWN:
        limit = ["--memory", "1"] if "memory" in words else ["--timeout", "2"]
    run = understudy("validate", folder, *limit)
    if run.code != code:
        return f"exit code {run.code} instead of {code}: {run.err}{run.out}"
    said = run.err if code == BAD else run.last_line
    if words not in said:
        return f"no '{words}' in: {said}"
    if any(not shown.isprintable() for shown in run.out.replace("\n", "")):
        return f"characters that no terminal shows: {run.out!r}"
    if code == INVALID and not run.last_line.startswith("verdict: invalid ("):
        return f"unexpected verdict: {run.last_line}"
    return None


def main():
    failures = []
    with tempfile.TemporaryDirectory() as parent:
        parent = Path(parent)
        originals = (COMPOSE, CHECK, SILENT, COVER, ANNOTATION, NET, TTS)
        for arguments in originals:
            name = folder_of(arguments)
            understudy(*arguments, "--certificate", parent / name)
            run = understudy("validate", parent / name)
            if run.code != 0:
                failures.append(f"{name}: {run.err}{run.last_line}")
            first = next((i for i, word in enumerate(arguments) if word in ("--threads", "--set")), None)
            stated = arguments[first:] if first else []
            if (f"\noptions: {' '.join(stated)}\n" in run.out) != bool(stated):
                failures.append(f"{name}: options that the claim depends on: {run.out}")
        mutations = MUTATIONS + ANNOTATION_MUTATIONS
        for number, (name, arguments, change, code, words) in enumerate(mutations):
            wrong = check(parent / folder_of(arguments), parent / str(number), change, code, words)
            if wrong:
                failures.append(f"{name}: {wrong}")
    return report("changed certificates", failures, len(mutations) + len(originals))


sys.exit(main())
