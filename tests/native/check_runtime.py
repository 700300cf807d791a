# SPDX-License-Identifier: Apache-2.0
"""The runtime with which checkers run natively, on checkers written by hand (checker.c)."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ["-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
         "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


class Bench:
    def __init__(self, folder):
        self.folder, self.failures, self.count = Path(folder), [], 0

    def build(self, name):
        program = self.folder / name
        subprocess.run(["gcc", *FLAGS, f"-DUNDERSTUDY_CHECK=understudy_check_{name}",
                        str(ROOT / "passes/runtime/understudy_runtime.c"),
                        str(ROOT / "tests/native/checker.c"), "-o", str(program)], check=True)
        return program

    def run(self, program, *arguments):
        return subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True,
                              timeout=60, check=False)

    def numbers(self, *numbers):
        path = self.folder / "numbers.txt"
        path.write_text("\n".join(map(str, numbers)) + "\n")
        return path

    def expect(self, what, run, code, out):
        self.count += 1
        text = run.stdout + run.stderr
        if run.returncode != code or not out(text):
            self.failures.append(f"{what}: exit code {run.returncode}, expected {code}: {text}")


def fields(text):
    return {line.split(" ")[0]: line.split(" ")[1:] for line in text.splitlines()}


def check_replay(bench):
    wrong, kinds = bench.build("Wrong"), bench.build("Kinds")
    for what, program, inputs, code, said in [
            ("lost update", wrong, (3, 5), 0, "reach_error after 2 inputs\n"),
            ("no interference", wrong, (3, 3), 1, "returned after 2 inputs\n"),
            ("assumption", wrong, (100, 5), 1, "an assumption failed after 1 inputs\n"),
            ("too few", wrong, (3,), 1, "more inputs are needed after 1 inputs\n"),
            ("too large", wrong, (3, 256), 2, "an input does not fit into char\n"),
            ("kinds", kinds, (1, -5, -1, -1, 0), 0, "reach_error after 5 inputs\n"),
            ("kinds unsigned", kinds, (1, 251, 4294967295, -1, 0), 0, "reach_error after 5"),
            ("kinds otherwise", kinds, (1, -5, -1, -1, 8), 1, "returned after 5 inputs\n")]:
        run = bench.run(program, "--replay", bench.numbers(*inputs))
        bench.expect(what, run, code, lambda text, said=said: text.startswith(said))


def check_random(bench):
    right, wrong = bench.build("Right"), bench.build("Wrong")
    deep, loop = bench.build("Deep"), bench.build("Loop")
    options = ("--values", bench.numbers(-5), "--random", 2000, "--seed")
    run = bench.run(right, *options, 5)
    bench.expect("right", run, 0, lambda text: fields(text)["returned"] == ["2000"]
                 and fields(text)["edges"] == ["0", "1"])
    again = bench.run(right, *options, 5)
    bench.expect("same seed", again, 0, lambda text: text == run.stdout)
    other = bench.run(right, *options, 6)
    bench.expect("other seed", other, 0, lambda text: text != run.stdout)

    found = bench.run(wrong, "--random", 2000, "--seed", 5)
    bench.expect("wrong", found, 1, lambda text: text.startswith("reach_error after 2 inputs\n"))
    recorded = bench.numbers(*found.stdout.split("\n")[1:])
    bench.expect("what was found is replayed", bench.run(wrong, "--replay", recorded), 0,
                 lambda text: text == "reach_error after 2 inputs\n")

    constants = bench.numbers(6)
    bench.expect("deep", bench.run(deep, "--random", 50, "--seed", 1, "--values", constants), 0,
                 lambda text: fields(text)["returned"] == ["50"] and fields(text)["edges"] == ["40"])
    bench.expect("deep without the constant",
                 bench.run(deep, "--random", 50, "--seed", 1, "--attempts", 700), 0,
                 lambda text: fields(text) == {"returned": ["0"], "abandoned": ["700"],
                                               "stopped": ["0"], "edges": []})
    bench.expect("loop", bench.run(loop, "--random", 10, "--seed", 1, "--attempts", 20, "--inputs",
                                   99), 0,
                 lambda text: fields(text) == {"returned": ["0"], "abandoned": ["0"],
                                               "stopped": ["20"], "edges": ["3"]})


def check_usage(bench):
    right = bench.build("Right")
    text = bench.folder / "text.txt"
    text.write_text("1 two 3\n")
    for arguments, said in [((), "usage: "), (("--replay",), "no value for --replay"),
                            (("--replay", bench.folder / "none"), "cannot read "),
                            (("--replay", text), "not a number in "),
                            (("--random", "-3"), "not a number: -3"),
                            (("--randon", 3), "unknown option --randon")]:
        bench.expect(f"usage {arguments}", bench.run(right, *arguments), 2,
                     lambda text, said=said: text.startswith(said))


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        check_replay(bench)
        check_random(bench)
        check_usage(bench)
    for failure in bench.failures:
        print(f"FAILED {failure}")
    print(f"native runtime: {bench.count - len(bench.failures)} of {bench.count} as expected")
    return 1 if bench.failures else 0


sys.exit(main())
