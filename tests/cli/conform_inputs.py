# SPDX-License-Identifier: Apache-2.0
"""C files with an expectation.

C files and LLVM assembly in examples/, tests/golden/cli/conform-*/ and tests/golden/cli/check-*/ say
in their first lines what is expected:

    // expect: conforms                       or safe, unsafe, unsafe (contracts)
    // expect: violates, line 9, step         the line may be missing; the kind is of the schema
    // expect: unknown, line 9, pthread_join  the line may be missing; words of the reason
    // expect: error, did you mean 'x'?       bad input: words of the message
    // soundness: why                         or precision: what a wrong answer would break
    // command: check                         conform, unless it is said
    // contract: counter.contract             the C file's name with .contract, unless it is said
    // files: other.c                         further files, which begin with // part of: …
    // options: --overflow check              further options
    // listed: what f returns                 words of an assumption
"""

import re
from understudy import ROOT

FOLDERS = ["examples", "tests/golden/cli/conform-*", "tests/golden/cli/check-*"]
FIELD = re.compile(r"(?://|;) (expect|part of|soundness|precision|command|contract|files|options|listed): ?(.*)")
EXPECTED = re.compile(r"(conforms|safe|unsafe \(contracts\)|unsafe|violates|unknown|error)"
                      r"(?:, line (\d+))?(?:, (.+))?$")


class CodeInput:
    def __init__(self, path, fields):
        self.path, self.fields = path, fields
        self.name = str(path.relative_to(ROOT))
        found = EXPECTED.match(fields.get("expect", ""))
        self.verdict, self.line, self.words = found.groups() if found else (None, None, None)
        self.command = fields.get("command", "conform")
        contract = path.parent / fields.get("contract", path.stem + ".contract")
        others = [path.parent / name for name in fields.get("files", "").split()]
        self.arguments = [self.command, *(str(p.relative_to(ROOT)) for p in (contract, path, *others)),
                          *fields.get("options", "").split()]


def read_fields(path):
    lines = path.read_text(errors="replace").splitlines()[:6]
    return dict(found.groups() for found in map(FIELD.match, lines) if found)


def code_inputs():
    result = []
    for folder in FOLDERS:
        for path in sorted(ROOT.glob(folder + "/*")):
            if path.suffix in (".c", ".ll"):
                fields = read_fields(path)
                if "part of" not in fields:
                    result.append(CodeInput(path, fields))
    return result
