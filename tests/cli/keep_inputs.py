# SPDX-License-Identifier: Apache-2.0
"""What a command writes never replaces what it reads, whatever it is called, nor another result."""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from understudy import ROOT, report, understudy

CONTRACT = """system counter {
  shared int x = 0;
  thread worker { initial Start { -> Done : x' == x + 1; } final Done; }
  run worker;
}
"""
CODE = """#include "step.h"
#include <stdatomic.h>
atomic_int x = 0;
void worker(void) { atomic_fetch_add(&x, STEP); }
"""
TEXTS = {"a.contract": CONTRACT, "a.c": CODE, "step.h": "#define STEP 1\n",
         "a.conc": "thread main {\n  skip;\n}\n", "a.tnet": "place p();\nstart p;\n"}

INPUTS = {"check": ["a.contract", "a.c"], "conform": ["a.contract", "a.c"], "compose": ["a.contract"],
          "verify": ["a.conc"], "explore": ["a.tnet"]}
KINDS = {"check": ["json", "text", "trace", "checker"], "conform": ["json", "text", "trace", "checker"],
         "compose": ["json", "text", "trace", "annotated"], "verify": ["json", "text", "trace", "annotated"],
         "explore": ["json", "text", "trace", "dot"]}
EXPORTS = {"a.contract": "dot", "a.conc": "promela", "a.tts": "spec"}


def prepare(folder):
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    shutil.copy(ROOT / "examples/figure4.tts", folder / "a.tts")
    (folder / "a.prop").write_text("2|\n")
    for name in [*TEXTS, "a.tts"]:
        os.symlink(name, folder / f"soft-{name}")
        os.link(folder / name, folder / f"hard-{name}")
    (folder / "below").mkdir()
    understudy("compose", "a.contract", "--certificate", "proof", cwd=folder)
    for name in [*TEXTS, "a.tts", "a.prop"]:
        shutil.copy(folder / name, folder / "proof")


def cases():
    """(arguments, message)"""
    for command, files in INPUTS.items():
        for kind in KINDS[command]:
            for file in files:
                for name in (file, f"./below/../{file}", f"soft-{file}", f"hard-{file}"):
                    yield ([command, *files, "-o", f"{kind}={name}"],
                           f"-o {kind}={name} would overwrite the input '{file}'")
        first, second = KINDS[command][:2]
        for other in ("new", "./new", "below/../new"):
            yield ([command, *files, "-o", f"{first}=new", "-o", f"{second}={other}"],
                   f"-o {second}={other} would overwrite what -o {first}=new writes")
        yield ([command, *files, "-o", "json=proof/result", "--certificate", "proof"],
               "-o json=proof/result is in the folder of --certificate")
    for command, files in {**INPUTS, "cover": ["a.tts"]}.items():
        yield ([command, f"proof/{files[0]}", *files[1:], "--certificate", "proof"],
               f"--certificate proof would overwrite the input 'proof/{files[0]}'")
    for file, target in EXPORTS.items():
        for name in (file, f"soft-{file}", f"hard-{file}"):
            yield (["export", file, "--to", target, "-o", name],
                   f"-o {name} would overwrite the input '{file}'")
    yield (["export", "a.tts", "--to", "spec", "-o", "a.prop"],
           "-o a.prop would overwrite the input 'a.prop'")
    for command in ("check", "conform"):
        yield ([command, "a.contract", "a.c", "-o", "text=step.h"],
               "-o text=step.h would overwrite the input 'step.h'")


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def check_case(folder, arguments, message):
    before = contents(folder)
    run = understudy(*arguments, cwd=folder)
    if run.code != 2 or f"error: {message}\n" not in run.err or run.out:
        return f"exit code {run.code}: {run.err}{run.out}"
    return None if contents(folder) == before else "files have changed"


def check_allowed(folder):
    """Devices can be written twice, and old results are replaced."""
    for outputs in (["json=/dev/null", "text=/dev/null"], ["json=old", "text=older"]) * 2:
        given = [word for output in outputs for word in ("-o", output)]
        run = understudy("verify", "a.conc", *given, cwd=folder)
        if run.code != 0:
            return f"{outputs}: {run.code} {run.err}"
    return None


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        listed = list(cases())
        failures = []
        for arguments, message in listed:
            wrong = check_case(folder, arguments, message)
            if wrong:
                failures.append(f"understudy {' '.join(arguments)}: {wrong}")
        wrong = check_allowed(folder)
        if wrong:
            failures.append(wrong)
        return report("inputs that are kept", failures, len(listed) + 1)


sys.exit(main())
