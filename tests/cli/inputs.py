# SPDX-License-Identifier: Apache-2.0
"""Inputs with an expectation.

Files in examples/ and tests/golden/cli/ say in their first lines what is expected:

    // expect: safe, width 2            the verdict, and the thread width (CONC)
    // expect: unsafe --threads T=2     options may follow (contracts)
    // unknown: why                     instead: no verdict is expected
    // soundness: why                   or precision: what a wrong answer would break
    // options: --deadlock              further options
    // states: 12                       the exact number of states

`soundness` marks a program that goes wrong, or whose proof must not miss a state; `precision` one
that is safe and must be proved so. The case studies in drivers/ are listed here instead.
"""

import re
from understudy import ROOT

FOLDERS = ["examples", "tests/golden/cli"]
DRIVERS = [
    ("drivers/bluetooth/bluetooth.contract", "safe --threads PnpAdd=3", "precision"),
    ("drivers/bluetooth/racy.contract", "unsafe --threads PnpAdd=2", "soundness"),
    ("drivers/battery/battery.contract", "safe --threads Worker=3", "precision"),
    ("drivers/refcount/refcount.contract", "safe --threads User=3", "precision"),
    ("drivers/refcount/racy.contract", "unsafe --threads User=1", "soundness"),
    ("drivers/ring/ring.contract", "safe", "precision"),
]
FIELD = re.compile(r"// (expect|unknown|soundness|precision|options|states): ?(.*)")


class Input:
    def __init__(self, path, fields):
        self.path, self.fields = path, fields
        self.name = str(path.relative_to(ROOT))
        expected = "unknown" if "unknown" in fields else fields.get("expect", "")
        found = re.match(r"(safe|unsafe|unknown)(?:, width (\d+))?\s*(.*)$",
                         expected)
        self.verdict, self.width, options = found.groups() if found else (None, None, "")
        self.options = options.split() + fields.get("options", "").split()
        self.command = {".conc": "verify", ".tnet": "explore"}.get(path.suffix, "compose")
        self.states = fields.get("states")

    def option(self, name):
        """Every `name value` among the options, flattened."""
        pairs = zip(self.options, self.options[1:])
        return [word for pair in pairs if pair[0] == name for word in pair]


def read_fields(path):
    lines = path.read_text(errors="replace").splitlines()[:6]
    return dict(found.groups() for found in map(FIELD.match, lines) if found)


def inputs(suffixes=(".conc", ".contract")):
    result = [Input(ROOT / name, {"expect": expect, kind: "case study"})
              for name, expect, kind in DRIVERS if name.endswith(suffixes)]
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            # With code beside it, conform_inputs.py has it.
            if path.parent.name.startswith(("conform-", "check-")):
                continue
            if path.suffix in suffixes:
                result.append(Input(path, read_fields(path)))
    return result


def inputs_of_all_engines():
    """Without those that only the refine engine decides: SPIN cannot search their integers."""
    return [entry for entry in inputs() if "refine" not in entry.option("--engine")]
