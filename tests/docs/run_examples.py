# SPDX-License-Identifier: Apache-2.0
"""Runs every ```console block of the README and the docs and compares what it prints.

With --update, writes what is printed today into the pages instead; review the difference.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from understudy import ROOT, first_difference, report, rerun  # noqa: E402

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages():
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")),
             *sorted((ROOT / "examples").rglob("*.md")),
             *sorted((ROOT / "drivers").rglob("*.md"))]
    return [page for page in found if page.exists()]


def main():
    update = "--update" in sys.argv[1:]
    failures, count = [], 0
    for page in pages():
        text = page.read_text()
        for block in BLOCK.finditer(text):
            count += 1
            line = text[:block.start()].count("\n") + 1
            actual = rerun(block.group(1))
            if actual != block.group(1):
                failures.append(f"{page.relative_to(ROOT)}:{line}: "
                                + first_difference(block.group(1), actual))
        if update:
            page.write_text(BLOCK.sub(lambda b: f"```console\n{rerun(b.group(1))}```", text))
    if update:
        print(f"{count} examples written")
        return 0
    return report("examples in README and docs", failures, count)


sys.exit(main())
