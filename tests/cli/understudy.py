# SPDX-License-Identifier: Apache-2.0
"""What the command-line tests share: running the command, and console transcripts.

A transcript is a sequence of runs:

    $ understudy compose x.contract
    …what it prints, standard error first…
    # exit 1

Without an `# exit` line the exit code is 0. Everything is compared exactly.
"""

import os
import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("UNDERSTUDY", str(ROOT / "build/release/tools/understudy"))


class Run:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def last_line(self):
        return self.out.rstrip("\n").rsplit("\n", 1)[-1]


# The limit ends a run that hangs; it is far above what any run takes on a busy machine.
def understudy(*arguments, cwd=ROOT, timeout=900):
    done = subprocess.run([COMMAND, *map(str, arguments)], cwd=cwd, capture_output=True,
                          timeout=timeout)
    return Run(done.returncode, done.stdout.decode(errors="replace"),
               done.stderr.decode(errors="replace"))


def transcript_of(command_line):
    words = shlex.split(command_line)
    if not words or words[0] != "understudy":
        raise ValueError(f"a transcript runs only understudy: {command_line}")
    run = understudy(*words[1:])
    text = f"$ {command_line}\n{run.err}{run.out}"
    if not text.endswith("\n"):
        text += "\n"
    return text + (f"# exit {run.code}\n" if run.code else "")


def rerun(transcript):
    """The transcript as it is today."""
    commands = [line[2:] for line in transcript.splitlines() if line.startswith("$ ")]
    return "".join(transcript_of(command) for command in commands)


def first_difference(expected, actual):
    old, new = expected.splitlines(), actual.splitlines()
    for number, (a, b) in enumerate(zip(old, new), 1):
        if a != b:
            return f"line {number}:\n  expected: {a}\n  got:      {b}"
    shorter, longer, word = (old, new, "got more") if len(old) < len(new) else (new, old, "missing")
    return f"line {len(shorter) + 1}: {word}: {longer[len(shorter)]}"


def report(name, failures, count):
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{name}: {count - len(failures)} of {count} as expected")
    return 1 if failures else 0
