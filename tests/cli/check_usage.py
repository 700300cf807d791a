# SPDX-License-Identifier: Apache-2.0
"""Bad usage and bad files: a message worth reading on standard error, nothing on standard output,
exit code 2."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from understudy import COMMAND, ROOT, report, understudy

SAFE = "thread main {\n  skip;\n}\n"
OPEN = "global int 0..3 x = 0;\n\nthread main {\n  skip;\n}\n\nthread t {\n  skip;\n}\n\nrun main, t*;\n"
CONTRACT = "system s {\n  thread T { initial final S; }\n  run T*;\n}\n"


NET = """const int 0..5 k = 1;
const int many = 2;
place begin(), a();
start begin;
transition go: begin(p) -> many * a(new of p), end p;
never one: a(p), a(q) when parent(p, q);
"""


def cases(folder):
    """(arguments, exit code, words that standard error holds)"""
    safe, opened, contract = folder / "safe.conc", folder / "open.conc", folder / "s.contract"
    tts = "examples/figure4.tts"
    return [
        ([], 2, ["no command given", "understudy --help"]),
        (["veriffy", safe], 2, ["unknown command 'veriffy'", "did you mean 'verify'?"]),
        (["frobnicate"], 2, ["unknown command", "known commands: check, conform, compose, verify"]),
        (["--verson"], 2, ["unknown option '--verson'", "did you mean '--version'?"]),
        (["--frobnicate"], 2, ["unknown option '--frobnicate'", "try 'understudy --help'"]),
        (["--quiet"], 2, ["unknown option '--quiet'", "--quiet is an option of check, conform"]),
        (["verify"], 2, ["error: no file given", "try 'understudy verify --help'"]),
        (["validate"], 2, ["error: no folder given"]),
        (["fmt"], 2, ["error: no files given"]),
        (["verify", "--dedlock", safe], 2, ["unknown option '--dedlock'", "'--deadlock'"]),
        (["verify", safe, safe], 2, ["unexpected argument"]),
        (["verify", "--frobnicate", safe], 2, ["unknown option '--frobnicate'", "hint: try 'understudy verify --help'"]),
        (["verify", safe, "--format", "xml"], 2, ["invalid value 'xml' for --format", "known values: text, json"]),
        (["verify", safe, "--engine", "magic"], 2, ["invalid value 'magic' for --engine", "known values: auto, explicit"]),
        (["verify", safe, "--engine", "cuont"], 2, ["invalid value 'cuont' for --engine", "did you mean 'count'?"]),
        (["verify", safe, "--algorithm", "4"], 2, ["invalid value '4' for --algorithm", "known values: 1, 2, 3"]),
        (["cover", tts, "--algorithm", "dog"], 2, ["invalid value 'dog' for --algorithm", "backward, cat, lean"]),
        (["validate", folder, "--solver", "yices"], 2, ["invalid value 'yices' for --solver", "z3, cvc5"]),
        (["verify", safe, "--engine", "count", "--max-width", "3"], 2, ["--max-width", "--engine refine"]),
        (["verify", safe, "--quiet", "--verbose"], 2, ["--verbose cannot be combined with --quiet"]),
        (["verify", safe, "--max-states", "many"], 2, ["invalid value 'many' for --max-states"]),
        (["verify", safe, "--max-states", "0"], 2, ["integer from 1"]),
        (["verify", safe, "--max-states", "-5"], 2, ["invalid value '-5' for --max-states"]),
        (["verify", safe, "--timeout", "-1"], 2, ["positive number of seconds"]),
        (["verify", safe, "--timeout", "nan"], 2, ["positive number of seconds"]),
        (["verify", safe, "--memory", "1e9"], 2, ["invalid value '1e9' for --memory"]),
        (["verify", safe, "-o", "json"], 2, ["KIND=FILE"]),
        (["verify", safe, "-o", "yaml=x"], 2, ["unknown output kind 'yaml'", "json, text, trace"]),
        (["verify", safe, "--threads", "main"], 2, ["NAME=NUMBER"]),
        (["verify", safe, "--threads", "main=2"], 2, ["it is fixed"]),
        (["verify", opened, "--threads", "tt=2"], 2, ["no such thread in this file", "did you mean 't'?"]),
        (["verify", opened, "--threads", "main=2"], 2, ["fixed", "threads with an open number: t"]),
        (["verify", opened, "--threads", "t=-1"], 2, ["invalid value '-1' for --threads t"]),
        (["verify", opened, "--threads", "t=99999999999999999999"], 2, ["invalid value"]),
        (["verify", opened, "--threads", "t=1", "--threads", "t=2"], 2, ["sets 't' twice"]),
        (["verify", folder / "missing.conc"], 2, ["no such file"]),
        (["verify", folder], 2, ["is a directory"]),
        (["verify", folder / "empty.conc"], 2, ["is empty"]),
        (["verify", folder / "large.conc"], 2, ["too large", "64 MB"]),
        (["verify", folder / "binary.conc"], 2, ["binary.conc' is not a text file"]),
        (["compose", folder / "binary.contract"], 2, ["binary.contract' is not a text file"]),
        (["explore", folder / "binary.tnet"], 2, ["binary.tnet' is not a text file"]),
        (["verify", folder / "pipe.conc"], 2, ["not a regular file"]),
        (["verify", folder / "notes.txt"], 2, ["verify takes a CONC program", ".conc"]),
        (["verify", contract], 2, ["is a contract", "understudy compose"]),
        (["compose", safe], 2, ["is a CONC program", "understudy verify"]),
        (["compose", folder / "notes.txt"], 2, ["compose takes a contract"]),
        (["verify", safe, "--expect"], 2, ["states no expectation", "// expect: safe"]),
        *code_cases(folder, contract),
        *net_cases(folder),
        (["fmt", folder / "notes.txt"], 2, ["cannot format", ".contract, .conc and .tnet"]),
        (["fmt", "--check", "-i", safe], 2, ["--in-place cannot be combined with --check"]),
        (["export", safe], 2, ["--to is required"]),
        (["export", safe, "--to", "pdf"], 2, ["invalid value 'pdf' for --to", "dot, conc, promela"]),
        (["export", safe, "--to", "dot", "-o", "dot=x.dot"], 2,
         ["invalid value 'dot=x.dot' for -o", "write -o x.dot"]),
        (["export", safe, "--to", "dot", "-o", "text=x.dot"], 2, ["invalid value 'text=x.dot' for -o"]),
        (["export", opened, "--to", "pnml", "--width", "2"], 3,
         ["any number of 't' threads with --width; write 'run t * 2;' in the file"]),
        (["export", opened, "--to", "pnml", "--width", "2", "--threads", "t=2"], 3,
         ["write 'run t * 2;' in the file"]),
        (["export", opened, "--to", "promela"], 2, ["no number given for t threads", "--threads t="]),
        (["export", folder / "notes.txt", "--to", "dot"], 2, ["cannot export"]),
        (["cover", tts, "--target", "9|"], 2, ["--target:1:1:", "no such shared state: 9", "0 to 3"]),
        (["cover", tts, "--target", "2|9"], 2, ["--target:1:3:", "no such local state: 9", "0 to 2"]),
        (["cover", tts, "--target", "2|", "--init", "9|"], 2, ["--init:1:1:", "no such shared state: 9"]),
        (["verify", folder / "broken.conc", "--format", "json"], 2, ["broken.conc:1:"]),
    ]


def net_cases(folder):
    net, safe = folder / "n.tnet", folder / "safe.conc"
    return [
        (["explore"], 2, ["no file given"]),
        (["explore", folder / "missing.tnet"], 2, ["no such file"]),
        (["explore", folder / "empty.tnet"], 2, ["is empty"]),
        (["explore", safe], 2, ["explore takes a process net", ".tnet"]),
        (["verify", net], 2, ["is a process net", "understudy explore"]),
        (["compose", net], 2, ["is a process net", "understudy explore"]),
        (["explore", net, "--set", "k"], 2, ["invalid value 'k' for --set", "NAME=NUMBER"]),
        (["explore", net, "--set", "k=many"], 2, ["invalid value 'many' for --set k"]),
        (["explore", net, "--set", "k=1,k=2"], 2, ["sets 'k' twice"]),
        (["explore", net, "--set", "kk=1"], 2, ["no constant 'kk'", "did you mean 'k'?"]),
        (["explore", net, "--set", "k=9"], 2, ["invalid value 9 for --set k", "between 0 and 5"]),
        (["explore", net, "--set", "k=99999999999999999999"], 2, ["invalid value", "64-bit"]),
        (["explore", net, "--set", "many=5000"], 2, ["n.tnet:5:", "cannot put 5000 tokens"]),
        (["explore", net, "--relations", "parnt"], 2, ["unknown relation 'parnt'", "did you mean 'parent'?"]),
        (["explore", net, "--relations", ""], 2, ["unknown relation ''"]),
        (["explore", net, "--relations", "parent,next,parent"], 2, ["--relations lists 'parent' twice"]),
        (["explore", net, "--set", "kk=1,k=9,many=-1"], 2, ["no constant 'kk'", "value 9 for --set k", "cannot put -1 tokens", "3 errors"]),
        (["explore", net, "--relations", "none"], 2, ["n.tnet:6:", "not among those that are kept"]),
        (["explore", net, "--no-equivalence"], 2, ["needs a limit", "--depth N or --max-states N"]),
        (["explore", net, "--no-equivalence", "--depth", "3", "-o", "dot=x"], 2, ["-o dot"]),
        (["explore", net, "-o", "doot=x"], 2, ["did you mean 'dot'?"]),
        (["explore", net, "--depth", "-1"], 2, ["invalid value '-1' for --depth"]),
        (["explore", net, "--dept", "1"], 2, ["unknown option '--dept'", "'--depth'"]),
        (["explore", net, "--threads", "t=1"], 2, ["unknown option '--threads'", "--threads is an option of check, compose, verify"]),
        (["verify", safe, "-o", "dot=x"], 2, ["unknown output kind 'dot'"]),
    ]


def code_cases(folder, contract):
    """Of conform and check: what is wrong before any code is read."""
    code = folder / "t.c"
    return [case for command in ("conform", "check") for case in [
        ([command], 2, ["no files given"]),
        ([command, contract], 2, ["needs the code as well", f"understudy compose {contract}"]),
        ([command, code], 2, ["takes a contract first", "SYSTEM.contract FILE.c"]),
        ([command, code, contract], 2, [f"try 'understudy {command} {contract} {code}'"]),
        ([command, folder / "safe.conc", code], 2, ["is a CONC program", "understudy verify"]),
        ([command, folder / "notes.txt", code], 2, ["takes a contract first"]),
        ([command, contract, contract], 2, ["takes one contract"]),
        ([command, contract, code, folder / "safe.conc"], 2, ["is a CONC program, not C code"]),
        ([command, contract, folder / "notes.txt"], 2, ["is not a C file", ".c, .ll or .bc"]),
        ([command, contract, "driver.h"], 2, ["is not a C file", "the .c file that includes it"]),
        ([command, contract, "driver.cpp"], 2, ["is not a C file", "C++"]),
        ([command, contract, "driver.o"], 2, ["is not a C file", "-emit-llvm"]),
        ([command, contract, code, code], 2, ["is given twice"]),
        ([command, contract, folder / "missing.c"], 2, ["no such file"]),
        ([command, contract, folder / "empty.c"], 2, ["is empty"]),
        ([command, folder / "missing.contract", code], 2, ["no such file"]),
        ([command, contract, code, "--overflow", "maybe"], 2, ["--overflow", "maybe"]),
        ([command, contract, code, "--timeout", "soon"], 2, ["positive number of seconds"]),
        ([command, contract, code, "-o", "chekcer=x.ll"], 2, ["did you mean 'checker'?"]),
        ([command, contract, code, "--dedlock"], 2, ["unknown option '--dedlock'"]),
    ]] + [
        (["conform", contract, code, "--thread", "TT"], 2, ["no such thread in this contract", "'T'?"]),
        (["check", contract, code, "--threads", "TT=1"], 2, ["no such thread in this file"]),
        (["check", contract, code, "--thread", "T"], 2,
         ["unknown option '--thread'", "--thread is an option of conform"]),
        (["conform", contract, code, "--threads", "T=1"], 2,
         ["unknown option '--threads'", "--threads is an option of check, compose"]),
        (["check", contract, code, "--deadlock"], 2,
         ["unknown option '--deadlock'", f"try 'understudy compose {contract} --deadlock'"]),
        (["check", "--deadlock", contract, code], 2, [f"try 'understudy compose {contract} --deadlock'"]),
        (["conform", contract, code, "--deadlock"], 2, ["--deadlock is an option of compose, verify"]),
        (["check", contract, folder / "folder.c"], 2, ["folder.c': it is a directory"]),
        (["compose", contract, code], 2, ["is code", f"understudy check {contract} {code}"]),
        (["compose", code], 2, ["is code", "understudy check"]),
        (["compose", contract, "--overflow", "wrap"], 2, ["--overflow wrap", "understudy check"]),
        (["verify", folder / "safe.conc", "-o", "checker=x.ll"], 2, ["unknown output kind"]),
    ]


def prepare(folder):
    (folder / "safe.conc").write_text(SAFE)
    (folder / "open.conc").write_text(OPEN)
    (folder / "s.contract").write_text(CONTRACT)
    (folder / "n.tnet").write_text(NET)
    (folder / "empty.tnet").write_text("")
    (folder / "t.c").write_text("void T(void) {}\n")
    (folder / "empty.c").write_text("")
    (folder / "empty.conc").write_text("")
    for suffix in ("conc", "contract", "tnet"):
        (folder / f"binary.{suffix}").write_bytes(bytes(range(256)) * 4)
    (folder / "folder.c").mkdir()
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
    for arguments in ([], ["check"], ["conform"], ["compose"], ["verify"], ["explore"], ["fmt"],
                      ["export"]):
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
    place = f"{folder}/no/such/place"
    run = understudy("verify", folder / "safe.conc", "-o", f"json={place}")
    if run.code != 2 or f"cannot write '{place}': " not in run.err or run.last_line != "verdict: safe":
        return f"an output that cannot be written: {run.code} {run.err}{run.out}"
    if "no counterexample" not in (folder / "trace.txt").read_text():
        return "-o trace"
    run = understudy("verify", "tests/golden/cli/long-loop.conc", "-o", f"json={result}",
                     "-o", f"trace={folder / 'trace.txt'}")
    every = [f"\n{number:3}  main" for number in range(1, 203)]
    if not all(step in (folder / "trace.txt").read_text() for step in every):
        return "-o trace does not keep every step"
    if len(json.loads(result.read_text())["counterexample"]["steps"]) != 202:
        return "-o json does not keep every step"
    if len(run.out.splitlines()) > 20:
        return f"a loop is not folded: {run.out}"
    left = [p.name for p in folder.iterdir() if ".part" in p.name]
    return f"left behind: {left}" if left else None


def check_code_outputs(folder):
    """conform and check write what they say, from C, LLVM assembly and bitcode."""
    code = "examples/flag.c"
    for suffix, option in ((".ll", "-S"), (".bc", "-c")):
        module = folder / ("flag" + suffix)
        subprocess.run(["clang-19", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm",
                        option, code, "-o", module], cwd=ROOT, check=True)
        run = understudy("conform", "examples/flag.contract", module)
        if run.code != 0:
            return f"{suffix}: {run.code} {run.err}{run.out}"
    checker, trace = folder / "checker.ll", folder / "story.txt"
    run = understudy("conform", "examples/flag.contract", "examples/flag-broken.c",
                     "-o", f"checker={checker}", "-o", f"trace={trace}", "--full-trace")
    if run.code != 1 or not run.out.startswith(trace.read_text()):
        return f"-o trace: {run.code} {trace.read_text()}"
    verified = subprocess.run(["opt-19", "-passes=verify", "-disable-output", checker],
                              capture_output=True, text=True)
    if verified.returncode != 0 or "reach_error" not in checker.read_text():
        return f"-o checker: {verified.stderr}"
    (folder / "switch.c").write_text("int x;\n#ifdef ON\nvoid T(void) {}\n#endif\n")
    given = ["conform", folder / "s.contract", folder / "switch.c"]
    if understudy(*given).code != 2 or understudy(*given, "--clang-arg=-DON").code != 0:
        return "--clang-arg"
    refused = ["conform", "tests/golden/cli/conform-unsupported/counter.contract",
               "tests/golden/cli/conform-unsupported/create.c", "-o", f"checker={folder / 'no.ll'}"]
    run = understudy(*refused)
    if run.code != 3 or (folder / "no.ll").exists() or "is not written" not in run.err:
        return f"-o checker of what is refused: {run.code} {run.err}"
    return None


def check_full_device(folder):
    """The verdict is printed, the message names the file, and the exit code is 2."""
    kinds = [("verify", kind, [folder / "safe.conc"]) for kind in ("json", "text", "trace", "annotated")]
    kinds += [("compose", kind, [folder / "s.contract"]) for kind in ("json", "text", "trace", "annotated")]
    kinds += [("explore", kind, [folder / "n.tnet"]) for kind in ("json", "text", "trace", "dot")]
    kinds += [(command, kind, ["examples/flag.contract", "examples/flag.c"])
              for command in ("conform", "check") for kind in ("json", "text", "trace", "checker")]
    for command, kind, files in kinds:
        run = understudy(command, *files, "-o", f"{kind}=/dev/full")
        whole = understudy(command, *files)
        if whole.code != 0 or run.code != 2 or "error: cannot write '/dev/full': " not in run.err:
            return f"{command} -o {kind}=/dev/full: {run.code} {run.err}"
        if kind == "annotated":  # that asks for another proof
            understudy(command, *files, "-o", f"annotated={folder / 'annotated'}")
            source = (folder / "annotated").read_text()
            if not source or not run.out.startswith(source) or run.last_line != whole.last_line:
                return f"{command} -o annotated: {source}{run.out}"
        elif run.out != whole.out:
            return f"{command} -o {kind}=/dev/full: {run.out}"
    for arguments in (["export", folder / "safe.conc", "--to", "dot", "-o", "/dev/full"],
                      ["export", folder / "safe.conc", "--to", "dot", "-o", "/dev/full", "--timeout", 600]):
        wrong = check_case(arguments, 2, ["error: cannot write '/dev/full': "])
        if wrong:
            return f"export -o /dev/full: {wrong}"
    for arguments in (["verify", folder / "safe.conc"], ["fmt", folder / "safe.conc"],
                      ["export", folder / "safe.conc", "--to", "dot"], ["--help"], ["cover", "--help"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([COMMAND, *map(str, arguments)], stdout=full,
                                  stderr=subprocess.PIPE, text=True, cwd=ROOT)
        if done.returncode != 2 or "error: cannot write to standard output" not in done.stderr:
            return f"{arguments} > /dev/full: {done.returncode} {done.stderr}"
    return None


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
    if "\ntime: " not in run.out:
        return f"--verbose: {run.out}"
    run = understudy("check", "examples/flag.contract", "examples/flag.c", "--verbose")
    if "\ncomposition time: " not in run.out or "\ntime: " in run.out:
        return f"check --verbose: {run.out}"
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
        for wrong in (check_help(), check_files(folder), check_code_outputs(folder),
                      check_full_device(folder), check_others(folder)):
            if wrong:
                failures.append(wrong)
        return report("usage", failures, len(listed) + 5)


sys.exit(main())
