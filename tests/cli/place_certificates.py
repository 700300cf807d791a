# SPDX-License-Identifier: Apache-2.0
"""Where certificates go and what goes with them: headers and options for clang, other folders, places
that are taken, and runs that are stopped."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from understudy import COMMAND, ROOT, report, understudy

CONTRACT = """system counter {
  shared int x = 0;
  thread worker { initial Start { -> Done : x' == x + 1; } final Done; }
  run worker;
}
"""
CODE = """#include <stdatomic.h>
#include "step.h"
#include "../shared/more.h"
atomic_int x = 0;
void worker(void) { atomic_fetch_add(&x, STEP * MORE * FACTOR); }
"""


def make_project(folder):
    for name in ("code", "include", "shared"):
        (folder / name).mkdir()
    (folder / "counter.contract").write_text(CONTRACT)
    (folder / "code/counter.c").write_text(CODE)
    (folder / "include/step.h").write_text("#define STEP 1\n")
    (folder / "shared/more.h").write_text("#define MORE 1\n")


def expect(run, code, words):
    said = run.out + run.err
    if run.code != code or words not in said:
        return f"expected exit code {code} and '{words}', got {run.code}: {said}"
    return None


def check_layout(folder, cwd, contract, code, include):
    """Headers are copied, found again elsewhere, and protected."""
    arguments = ["conform", contract, code, f"--clang-arg=-I{include}", "--clang-arg=-DFACTOR=1",
                 "--certificate", folder / "proof"]
    wrong = expect(understudy(*arguments, cwd=cwd), 0, "verdict: conforms")
    if wrong:
        return wrong
    shutil.move(folder / "proof", folder / "moved")
    sources = sorted(path.name for path in (folder / "moved/sources").rglob("*") if path.is_file())
    if sources != ["counter.c", "counter.contract", "more.h", "step.h"]:
        return f"copied: {sources}"
    header = next((folder / "moved/sources").rglob("step.h"))
    original = folder / "include/step.h"
    original.write_text("#define STEP 2\n")
    wrong = expect(understudy("validate", folder / "moved", cwd="/"), 0, "verdict: valid")
    original.write_text("#define STEP 1\n")
    if wrong:
        return wrong
    header.write_text("#define STEP 2\n")
    return expect(understudy("validate", folder / "moved"), 1, "step.h' is not the one that was")


def in_project(check):
    def run(parent):
        make_project(parent)
        return check(parent)
    return run


@in_project
def layout_here(folder):
    return check_layout(folder, folder, "counter.contract", "code/counter.c", "include")


@in_project
def layout_below(folder):
    return check_layout(folder, folder / "code", "../counter.contract", "counter.c", "../include")


@in_project
def layout_absolute(folder):
    return check_layout(folder, "/", folder / "counter.contract", folder / "code/counter.c",
                        folder / "include")


@in_project
def dangerous_option(folder):
    """What makes clang run other code stays out of certificates, whoever writes them."""
    arguments = ["conform", "counter.contract", "code/counter.c", "--clang-arg=-Iinclude",
                 "--clang-arg=-DFACTOR=1"]
    run = understudy(*arguments, "--clang-arg=-fno-builtin", "--certificate", "proof", cwd=folder)
    wrong = expect(run, 0, "certificate: none (clang option '-fno-builtin' is not allowed in a "
                           "certificate)")
    if wrong or (folder / "proof").exists():
        return wrong or "a certificate was left behind"
    understudy(*arguments, "--certificate", "proof", cwd=folder)
    path = folder / "proof/certificate.json"
    data = json.loads(path.read_text())
    data["options"]["clangArguments"].append("-fplugin=evil.so")
    path.write_text(json.dumps(data))
    return expect(understudy("validate", folder / "proof"), 1, "-fplugin=evil.so")


SAFE = ["compose", "drivers/bluetooth/bluetooth.contract", "--threads", "PnpAdd=2"]


def taken_by_files(parent):
    (parent / "mine").mkdir()
    (parent / "mine/notes").write_text("mine")
    (parent / "theirs").mkdir()
    (parent / "theirs/certificate.json").write_text('{"format": "another tool"}')
    for name in ("mine", "theirs"):
        before = sorted(parent.rglob("*"))
        wrong = expect(understudy(*SAFE, "--certificate", parent / name), 2,
                       "is a folder that holds other files")
        if wrong or sorted(parent.rglob("*")) != before:
            return wrong or f"{name} was touched"
    return expect(understudy(*SAFE, "--certificate", parent / "a/b"), 2, "no such folder")


def taken_by_certificate(parent):
    """A new certificate replaces an old one; a run without a proof removes it."""
    proof = parent / "proof"
    for number in (2, 3):
        understudy(*SAFE[:3], f"PnpAdd={number}", "--certificate", proof)
        wrong = expect(understudy("validate", proof), 0, f"{number} or fewer PnpAdd threads")
        if wrong:
            return wrong
    run = understudy("compose", "drivers/bluetooth/racy.contract", "--certificate", proof)
    wrong = expect(run, 1, f"certificate: none (only a proof has one; removed the old one in '{proof}')")
    if wrong or list(parent.iterdir()):
        return wrong or f"left behind: {list(parent.iterdir())}"
    run = understudy(*SAFE[:3], "PnpAdd=16", "--certificate", proof)
    return expect(run, 0, "certificate: none (too many states)")


def stopped(parent):
    """Whenever a run is killed, there is no certificate or a whole one."""
    proof = parent / "proof"
    arguments = [COMMAND, *SAFE[:3], "PnpAdd=8", "--certificate", str(proof)]
    begin = time.monotonic()
    subprocess.run(arguments, cwd=ROOT, capture_output=True, check=True)
    whole = time.monotonic() - begin
    for tenth in range(1, 12):
        shutil.rmtree(proof, ignore_errors=True)
        with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
            time.sleep(whole * tenth / 10)
            process.kill()
        if proof.exists():
            wrong = expect(understudy("validate", proof), 0, "verdict: valid")
            if wrong:
                return f"killed after {tenth} tenths: {wrong}"
    return None


def leftovers(parent):
    """What killed runs left behind disturbs nobody; old remains are removed, others are not."""
    proof = parent / "proof"
    hour = time.time() - 3600
    kept = ["proof.part", "proof.part-mine", "other.part12", "proof.part77"]
    for name in [*kept, "proof.part12", "proof.partAb3dE9"]:
        (parent / name / "sources").mkdir(parents=True)
        if name != "proof.part77":  # a young one may belong to a run that begins
            os.utime(parent / name, (hour, hour))
    wrong = expect(understudy(*SAFE, "--certificate", proof), 0, "verdict: safe")
    names = sorted(path.name for path in parent.iterdir())
    if wrong or names != sorted([*kept, "proof"]):
        return wrong or f"in the folder: {names}"
    return expect(understudy("validate", proof), 0, "verdict: valid")


def verdict_first(parent):
    """The verdict is printed although its certificate cannot be, and the exit code says so."""
    (parent / "x.contract").write_text(CONTRACT)
    long = "c" * 250  # the name is good, and no longer one is
    for options in ([], ["--format", "json"]):
        run = understudy("compose", "x.contract", "--certificate", long, *options, cwd=parent)
        wrong = expect(run, 2, "error: the certificate was not written: cannot write")
        if wrong:
            return wrong
        if options and json.loads(run.out)["exitCode"] != 2:
            return f"the report has another exit code: {run.out}"
        if not options and run.last_line != "verdict: safe":
            return f"no verdict: {run.out}"
    return None


def no_solver(parent):
    understudy("conform", "examples/flag.contract", "examples/flag.c", "--certificate",
               parent / "proof")
    (parent / "bin").mkdir()
    clang = shutil.which("clang-19")
    (parent / "bin/clang-19").symlink_to(clang)
    done = subprocess.run([COMMAND, "validate", parent / "proof"], cwd=ROOT, capture_output=True,
                          env={"PATH": str(parent / "bin")}, text=True)
    if done.returncode != 3 or "cannot start the solver z3" not in done.stdout:
        return f"exit code {done.returncode}: {done.stdout}{done.stderr}"
    return None


CHECKS = [layout_here, layout_below, layout_absolute, dangerous_option, taken_by_files,
          taken_by_certificate, stopped, leftovers, verdict_first, no_solver]


def main():
    failures = []
    for number, check in enumerate(CHECKS, 1):
        with tempfile.TemporaryDirectory() as parent:
            wrong = check(Path(parent).resolve())
        if wrong:
            failures.append(f"{number}: {wrong}")
    return report("places of certificates", failures, len(CHECKS))


sys.exit(main())
