# SPDX-License-Identifier: Apache-2.0
"""Bad usage and bad files: a message worth reading on standard error, nothing on standard output,
exit code 2."""

import os
import sys
import tempfile
from pathlib import Path
from understudy import report, understudy

SAFE = "thread main {\n  skip;\n}\n"
OPEN = "global int 0..3 x = 0;\n\nthread main {\n  skip;\n}\n\nthread t {\n  skip;\n}\n\nrun main, t*;\n"
CONTRACT = "system s {\n  thread T { initial final S; }\n  run T*;\n}\n"


def cases(folder):
    """(arguments, exit code, words that standard error holds)"""
    safe, opened, contract = folder / "safe.conc", folder / "open.conc", folder / "s.contract"
    return [
        ([], 2, ["no command given", "understudy --help"]),
        (["veriffy", safe], 2, ["unknown command 'veriffy'", "did you mean 'verify'?"]),
        (["frobnicate"], 2, ["unknown command", "known commands: fmt, compose, verify, export"]),
        (["verify"], 2, ["file is required"]),
        (["verify", "--dedlock", safe], 2, ["unknown option '--dedlock'", "'--deadlock'"]),
        (["verify", safe, safe], 2, ["unexpected argument"]),
        (["verify", safe, "--format", "xml"], 2, ["--format", "xml"]),
        (["verify", safe, "--engine", "magic"], 2, ["--engine", "magic"]),
        (["verify", safe, "--quiet", "--verbose"], 2, ["excludes"]),
        (["verify", safe, "--max-states", "many"], 2, ["'many' is no good value for --max-states"]),
        (["verify", safe, "--max-states", "0"], 2, ["whole number from 1"]),
        (["verify", safe, "--max-states", "-5"], 2, ["no good value for --max-states"]),
        (["verify", safe, "--timeout", "-1"], 2, ["positive number of seconds"]),
        (["verify", safe, "--timeout", "nan"], 2, ["positive number of seconds"]),
        (["verify", safe, "--memory", "1e9"], 2, ["no good value for --memory"]),
        (["verify", safe, "-o", "json"], 2, ["KIND=FILE"]),
        (["verify", safe, "-o", "yaml=x"], 2, ["unknown kind of output 'yaml'", "json, text, trace"]),
        (["verify", safe, "-o", f"json={folder}/no/such/place"], 2, ["cannot write"]),
        (["verify", safe, "--threads", "main"], 2, ["NAME=NUMBER"]),
        (["verify", safe, "--threads", "main=2"], 2, ["it is fixed"]),
        (["verify", opened, "--threads", "tt=2"], 2, ["no thread of this file", "did you mean 't'?"]),
        (["verify", opened, "--threads", "main=2"], 2, ["fixed", "run in any number: t"]),
        (["verify", opened, "--threads", "t=-1"], 2, ["no good value for --threads t"]),
        (["verify", opened, "--threads", "t=99999999999999999999"], 2, ["no good value"]),
        (["verify", opened, "--threads", "t=1", "--threads", "t=2"], 2, ["names 't' twice"]),
        (["verify", folder / "missing.conc"], 2, ["there is no such file"]),
        (["verify", folder], 2, ["is a directory"]),
        (["verify", folder / "empty.conc"], 2, ["is empty"]),
        (["verify", folder / "large.conc"], 2, ["too large", "64 MB"]),
        (["verify", folder / "pipe.conc"], 2, ["not a regular file"]),
        (["verify", folder / "notes.txt"], 2, ["verify takes a CONC program", ".conc"]),
        (["verify", contract], 2, ["is a contract", "understudy compose"]),
        (["compose", safe], 2, ["is a CONC program", "understudy verify"]),
        (["compose", folder / "notes.txt"], 2, ["compose takes a contract"]),
        (["verify", safe, "--expect"], 2, ["states no expectation", "// expect: safe"]),
        (["fmt", folder / "notes.txt"], 2, ["cannot format", ".contract or .conc"]),
        (["fmt", "--check", "-i", safe], 2, ["excludes"]),
        (["export", safe], 2, ["--to is required"]),
        (["export", safe, "--to", "pdf"], 2, ["pdf"]),
        (["export", opened, "--to", "promela"], 2, ["how many t threads", "--threads t="]),
        (["export", folder / "notes.txt", "--to", "dot"], 2, ["cannot export"]),
        (["verify", folder / "broken.conc", "--format", "json"], 2, ["broken.conc:1:"]),
    ]


def prepare(folder):
    (folder / "safe.conc").write_text(SAFE)
    (folder / "open.conc").write_text(OPEN)
    (folder / "s.contract").write_text(CONTRACT)
    (folder / "empty.conc").write_text("")
    (folder / "notes.txt").write_text("notes\n")
    (folder / "broken.conc").write_text("thread {\n")
    with open(folder / "large.conc", "wb") as large:
        large.truncate((64 << 20) + 1)
    os.mkfifo(folder / "pipe.conc")


def check_case(arguments, code, words):
    run = understudy(*arguments)
    if run.code != code:
        return f"exit code {run.code}, not {code}: {run.err}{run.out}"
    if run.out:
        return f"something on standard output: {run.out}"
    missing = [word for word in words if word not in run.err]
    return f"no {missing} in: {run.err}" if missing else None


def check_help():
    for arguments in ([], ["fmt"], ["compose"], ["verify"], ["export"]):
        run = understudy(*arguments, "--help")
        if run.code != 0 or "Examples:" not in run.out or run.err:
            return f"{arguments} --help: {run.code} {run.err}"
    if understudy("--version").out != "understudy 0.1.0\n":
        return "--version"
    return None


def check_files(folder):
    """What is written is written whole, and nothing is left beside it."""
    ugly = folder / "ugly.conc"
    ugly.write_text("thread   main { skip ; }\n")
    ugly.chmod(0o640)
    checked = understudy("fmt", "--check", ugly)
    if checked.code != 1 or f"{ugly}:1: not in canonical layout" not in checked.out:
        return f"fmt --check: {checked.code} {checked.out}"
    if understudy("fmt", "-i", ugly).code != 0 or ugly.read_text() != SAFE:
        return f"fmt -i: {ugly.read_text()}"
    if ugly.stat().st_mode & 0o777 != 0o640:
        return "fmt -i changes permissions"
    if understudy("fmt", "--check", ugly).code != 0:
        return "fmt --check after fmt -i"
    result = folder / "result.json"
    run = understudy("verify", folder / "safe.conc", "-o", f"json={result}",
                     "-o", f"text={folder / 'result.txt'}", "-o", f"trace={folder / 'trace.txt'}")
    if run.code != 0 or (folder / "result.txt").read_text() != run.out:
        return "-o text is not what standard output shows"
    if "no counterexample" not in (folder / "trace.txt").read_text():
        return "-o trace"
    left = [p.name for p in folder.iterdir() if ".part" in p.name]
    return f"left behind: {left}" if left else None


def check_others(folder):
    (folder / "x.c").write_text("int main(void) { return 0; }\n")
    run = understudy("verify", folder / "x.c")
    if run.code != 3 or not run.last_line.startswith("verdict: unknown (C programs"):
        return f"verify x.c: {run.code} {run.out}"
    (folder / "wrong.conc").write_text("// expect: unsafe\n" + SAFE)
    run = understudy("verify", folder / "wrong.conc", "--expect")
    if run.code != 1 or "expected unsafe, got safe" not in run.err:
        return f"--expect: {run.code} {run.err}"
    run = understudy("verify", folder / "safe.conc", "--quiet")
    if run.out != "verdict: safe\n":
        return f"--quiet: {run.out}"
    run = understudy("verify", folder / "safe.conc", "--verbose")
    if "time: " not in run.out:
        return f"--verbose: {run.out}"
    return None


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        listed = cases(folder)
        failures = []
        for arguments, code, words in listed:
            wrong = check_case(arguments, code, words)
            if wrong:
                failures.append(f"understudy {' '.join(map(str, arguments))}: {wrong}")
        for wrong in (check_help(), check_files(folder), check_others(folder)):
            if wrong:
                failures.append(wrong)
        return report("usage", failures, len(listed) + 3)


sys.exit(main())
