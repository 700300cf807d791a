# SPDX-License-Identifier: Apache-2.0
"""The conformance checkers of the case studies, executed natively.

The plugin adds the checkers to the compiled code, the runtime supplies the inputs. A thread that
conforms survives random runs that reach a return, and every edge of its contract is taken in some of
them. For a broken variant, the inputs that `understudy conform` reports lead to reach_error.

2,000 runs of each thread by default, 100,000 with UNDERSTUDY_FULL=1.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from understudy import ROOT, report, understudy  # noqa: E402

PLUGIN = os.environ.get("UNDERSTUDY_ABSTRACT", str(ROOT / "build/release/passes/abstract.so"))
RUNS = 100_000 if os.environ.get("UNDERSTUDY_FULL") == "1" else 2_000
# The reader of the ring never returns.
ENDLESS = {"Reader"}


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=600, check=False)
    return done.returncode, done.stdout + done.stderr


def must(*words):
    code, text = run(*words)
    if code != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: {text[:2000]}")


def build(code, contract, thread, folder):
    """The checker of the thread as a program."""
    ir, checkers, alone, program = (folder / name for name in ("in.ll", "all.ll", "one.ll", "run"))
    check = f"understudy_check_{thread}"
    must("clang-19", "-std=c11", "-g", "-O0", "-w",
         "-I", ROOT / "include", "-S", "-emit-llvm", code, "-o", ir)
    must("opt-19", "-verify-each", "-load-pass-plugin", PLUGIN, ir, "-S", "-o", checkers,
         f"-passes=abstract<contract={contract};coverage>")
    # The driver's own functions need what only a kernel has.
    must("opt-19", "-passes=internalize,globaldce", f"-internalize-public-api-list={check}",
         checkers, "-S", "-o", alone)
    must("clang-19", "-O1", "-w", f"-DUNDERSTUDY_CHECK={check}", alone,
         ROOT / "passes/runtime/understudy_runtime.c", "-o", program)
    return program


def threads_of(contract):
    """(name, number of edges)"""
    text = re.sub(r"//[^\n]*", "", contract.read_text())
    parts = re.split(r"\b(?:thread|handler) (\w+)", text)[1:]
    return [(name, body.count("->")) for name, body in zip(parts[::2], parts[1::2])]


def constants_of(*paths):
    texts = [re.sub(r"//[^\n]*", "", path.read_text()) for path in paths]
    return sorted({int(number) for text in texts for number in re.findall(r"\b\d+\b", text)})


def check_conforming(code, contract, thread, edges, folder):
    program = build(code, contract, thread, folder)
    values = folder / "values.txt"
    values.write_text("\n".join(map(str, constants_of(code, contract))))
    limits = ("--attempts", 100 * RUNS) if thread in ENDLESS else ()
    exit_code, text = run(program, "--random", RUNS, "--seed", 1, "--values", values, *limits)
    if exit_code != 0:
        return f"exit code {exit_code}: {text}"
    found = {line.split(" ")[0]: line.split(" ")[1:] for line in text.splitlines()}
    if thread not in ENDLESS and found["returned"] != [str(RUNS)]:
        return f"too few runs returned: {text}"
    if found["edges"] != [str(number) for number in range(edges)]:
        return f"not all of {edges} edges were taken: {text}"
    return None


def check_violating(code, contract, folder):
    result = json.loads(understudy("conform", contract, code, "--format", "json").out)
    thread = next(t for t in result["conformance"]["threads"] if t["answer"] == "violates")
    inputs = folder / "inputs.txt"
    inputs.write_text("\n".join(map(str, thread["inputs"])) + "\n")
    program = build(code, contract, thread["thread"], folder)
    exit_code, text = run(program, "--replay", inputs)
    expected = f"reach_error after {len(thread['inputs'])} inputs\n"
    return None if exit_code == 0 and text == expected else f"replay: {text}"


def main():
    failures, count = [], 0
    for code in sorted((ROOT / "drivers").glob("*/*.c")):
        contract = code.parent / f"{code.parent.name}.contract"
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if code.stem == code.parent.name:
                results = [check_conforming(code, contract, *thread, folder)
                           for thread in threads_of(contract)]
            else:
                results = [check_violating(code, contract, folder)]
        count += len(results)
        failures += [f"{code.relative_to(ROOT)}: {wrong}" for wrong in results if wrong]
    return report("checkers, natively", failures, count)


sys.exit(main())
