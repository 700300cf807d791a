# SPDX-License-Identifier: Apache-2.0
"""Changes of the files of a certificate."""

import json


def edit(folder, change):
    path = folder / "certificate.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def replace(folder, name, old, new, count=1):
    path = folder / name
    text = path.read_text()
    if old not in text:
        raise ValueError(f"no '{old}' in {name}")
    path.write_text(text.replace(old, new, count))
