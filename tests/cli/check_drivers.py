# SPDX-License-Identifier: Apache-2.0
"""The case studies: the right code is proved, every broken variant refuted at the line and in the way
that its first line says:

    // expect: violates, line 38, assertion
"""

import json
import re
import sys
from understudy import ROOT, report, understudy

# Numbers of threads, and parts of the contract that the code does not use or stand for.
STUDIES = {
    "bluetooth": (["--threads", "PnpAdd=3"], []),
    "battery": (["--threads", "Worker=2"], []),
    "refcount": (["--threads", "User=3"], []),
    "ring": ([], []),
}
EXPECTATION = re.compile(r"// expect: violates, line (\d+), (\w+)")


def run_json(command, contract, code, *options):
    run = understudy(command, contract, code, *options, "--format", "json")
    return run, json.loads(run.out) if run.out.startswith("{") else None


def unused_parts(threads):
    for thread in threads:
        vacuity = thread["vacuity"]
        for kind in ("states", "edges", "guards", "claims"):
            for part in vacuity[kind]:
                yield f"{kind}: {part['source']['line']}: {part['text']}"


def check_study(name):
    folder = ROOT / "drivers" / name
    options, expected = STUDIES[name]
    run, result = run_json("check", folder / f"{name}.contract", folder / f"{name}.c", *options)
    if run.code != 0 or result["verdict"] != "safe":
        return f"{name}: expected safe, exit code {run.code}: {run.err}{run.out}"
    threads = result["conformance"]["threads"]
    if not threads or any(thread["answer"] != "conforms" for thread in threads):
        return f"{name}: not all threads conform"
    found = sorted(unused_parts(threads))
    return None if found == expected else f"{name}: vacuity: expected {expected}, got {found}"


def check_variant(path):
    line, kind = EXPECTATION.match(path.read_text()).groups()
    contract = path.parent / f"{path.parent.name}.contract"
    run, result = run_json("conform", contract, path)
    if run.code != 1:
        return f"{path.parent.name}/{path.name}: exit code {run.code}: {run.err}{run.last_line}"
    found = [(thread["violation"]["kind"], thread["violation"]["source"]["line"])
             for thread in result["conformance"]["threads"] if thread["answer"] == "violates"]
    if found == [(kind, int(line))]:
        return None
    return f"{path.parent.name}/{path.name}: expected {kind} in line {line}, got {found}"


def main():
    folders = {path.parent.name for path in (ROOT / "drivers").glob("*/*.c")}
    failures = [f"{name}: not in the list of studies" for name in folders - STUDIES.keys()]
    variants = [path for path in sorted((ROOT / "drivers").glob("*/*.c"))
                if path.stem != path.parent.name]
    wrong = [check_study(name) for name in STUDIES]
    for path in variants:
        says = EXPECTATION.match(path.read_text())
        wrong.append(check_variant(path) if says else f"{path}: no expectation in its first line")
    failures += [failure for failure in wrong if failure]
    return report("case studies", failures, len(STUDIES) + len(variants))


if __name__ == "__main__":
    sys.exit(main())
