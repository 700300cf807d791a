#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules that the compiler does not check: who includes what, how long files are, what is left over.

usage: rules.py ROOT          prints every violation as file:line: message; exit code 1 if any
       rules.py --self-test   plants one violation of each rule and demands that it is found
"""
import os
import re
import subprocess
import sys
import tempfile

CODE = (".cpp", ".h")
# Which folders a folder's files may include from.
LAYERS = {
    "logic": {"logic"},
    "compose": {"logic", "compose"},
    "specs": {"logic", "compose", "specs"},
    "passes": {"logic", "compose", "specs", "passes"},
    "tools": {"logic", "compose", "specs", "passes", "tools"},
    "tests": {"logic", "compose", "specs", "passes", "tools", "tests"},
    "bench": {"logic", "compose", "specs", "passes", "tools", "bench"},
}
# The rooms of each folder, and which others of it each may include from besides the files at its
# top. What checks proofs sees of the engines their data only.
ROOMS = {
    "logic": set(),
    "logic/smtlib": set(),
    "logic/solver": {"logic/smtlib"},
    "compose": set(),
    "compose/exploration": set(),
    "compose/sequential": set(),
    "compose/counting": {"compose/exploration", "compose/proof"},
    "compose/petri": set(),
    "compose/refine": {"compose/petri"},
    "compose/empire": {"compose/petri", "compose/proof", "compose/refine"},
    "compose/cover": {"compose/cover/net"},
    "compose/cover/net": {"compose/cover"},
    "compose/cover/translate": {"compose/counting", "compose/cover", "compose/cover/net",
                                "compose/exploration", "compose/proof"},
    "compose/tnet": {"compose/exploration"},
    "compose/proof": set(),
    "compose/portfolio": {"compose/counting", "compose/cover", "compose/cover/translate",
                          "compose/empire", "compose/exploration", "compose/proof",
                          "compose/refine"},
    "specs": {"specs/syntax"},
    "specs/syntax": {"specs/check"},
    "specs/check": {"specs/syntax"},
    "specs/contract": {"specs/check"},
    "specs/conc": {"specs/check"},
    "specs/format": {"specs/syntax"},
    "specs/net": set(),
    "specs/tnet": {"specs/check", "specs/syntax"},
    "passes": {"passes/read", "passes/memory", "passes/lower", "passes/checker", "passes/encode"},
    "passes/locks": {"passes/memory", "passes/lower"},
    "passes/read": set(),
    "passes/memory": {"passes/read", "passes/lower"},
    "passes/lower": {"passes/read", "passes/memory", "passes/locks"},
    "passes/encode": {"passes/read", "passes/lower"},
    "passes/checker": {"passes/read", "passes/memory", "passes/lower", "passes/encode"},
    "passes/plugin": {"passes/checker"},
    "tools": set(),
    "tools/options": {"tools/certificate"},
    "tools/report": {"tools/certificate", "tools/command", "tools/options"},
    "tools/certificate": {"tools/command", "tools/options", "tools/report"},
    "tools/exports": {"tools/exports/promela", "tools/options", "tools/outline", "tools/report"},
    "tools/exports/promela": {"tools/report"},
    "tools/outline": {"tools/report"},
    "tools/command": {"tools/certificate", "tools/exports", "tools/exports/promela",
                      "tools/options", "tools/outline", "tools/report"},
}
PROOF_DATA = {"compose/sequential/Sequential.h", "compose/cover/net/TransferNet.h",
              "compose/tnet/Net.h", "compose/tnet/Literal.h", "compose/tnet/NetProof.h"}
MAX_LINES = 500
MAX_SOURCES = 30
MAX_README_LINES = 15

INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')
# Written in pieces, so that this file does not break its own rules.
MARKER = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|HA" + r"CK|XX" + r"X)\b")
MACHINE_PATH = re.compile(r"(?<![\w./~}])/(?:work|tmp|root|home)(?:/|\b)")
EMPTY_CHECK = re.compile(r"\b(?:CHECK|REQUIRE)\s*\(\s*(?:true|1)\s*\)")
# Wordings of messages that were replaced (CONTRIBUTING.md, "To write a message"), in a string.
OLD_WORDS = re.compile(r'"[^"]*(?:(?<!\bthere) is no |\bgo(?:es)? wrong\b|\bno good value\b'
                       r'|\bof another tool\b|\blooked at\b|\bcannot be said\b|\bstart (?:value|state)|\bin line )')
USING = re.compile(r"\s*using namespace\b")
NAMESPACE = re.compile(r"namespace understudy::([\w:]+) \{")
# A function or a type at the top of a namespace, as clang-format writes it.
HELPER = re.compile(r"(?:[A-Za-z_][\w:<>, *&]*[ *&]([a-z]\w*)\((?!.*;$)|(?:class|struct|enum class) (\w+))")
# What the headers that are parsed once for a whole target (CMakeLists.txt) declare.
STANDARD = {header: re.compile(r"\bstd::(?:" + names + ")") for header, names in {
    "algorithm": r"(?:sort|find(?:_if)?|any_of|all_of|none_of|transform|(?:min|max)(?:_element)?"
                 r"|count_if|reverse|unique|(?:lower|upper)_bound|includes|equal|fill|for_each)\(",
    "functional": r"function<", "map": r"(?:multi)?map<", "set": r"(?:multi)?set<",
    "memory": r"(?:(?:unique|shared|weak)_ptr|make_(?:unique|shared))<",
    "optional": r"optional<|nullopt\b", "sstream": r"[io]?stringstream\b", "vector": r"vector<",
    "stdexcept": r"(?:runtime_error|logic_error|invalid_argument|out_of_range)\b",
    "string": r"string\b|to_string\(", "unordered_map": "unordered_map<",
    "unordered_set": "unordered_set<",
    "variant": r"variant<|visit\(|get_if<|holds_alternative<|monostate\b"}.items()}
LINK = re.compile(r"\]\(([^)#:]+)")
FILE_OR_FOLDER = re.compile(r"`([\w./-]*(?:/|\w\.(?:h|cpp|py|md)))`")


def tracked_files(root):
    """Files that git knows or would add; without git, all but build folders."""
    listing = subprocess.run(
        ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        names = listing.stdout.splitlines()
        return sorted(n for n in set(names) if os.path.isfile(os.path.join(root, n)))
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in (".git", "build", "__pycache__")]
        found += [os.path.relpath(os.path.join(folder, n), root) for n in names]
    return sorted(found)


def top(name):
    return name.split("/")[0] if "/" in name else ""


def include_violations(name, included):
    folder = top(name)
    if included.startswith(("llvm/", "llvm-c/", "clang/")) \
            and not name.startswith(("passes/", "tests/passes/")):
        yield "LLVM may be included in passes/ and tests/passes/ only"
    if re.match(r"z3[\w+]*\.h", included) and folder != "logic":
        yield "Z3 may be included in logic/ only"
    if included.startswith("boost/spirit") and not (folder == "specs" and name.endswith(".cpp")):
        yield "Spirit may be included in .cpp files of specs/ only"
    if included.startswith("CLI/") and folder != "tools":
        yield "CLI11 may be included in tools/ only"
    target = top(included)
    if target in LAYERS and folder in LAYERS and target not in LAYERS[folder]:
        yield f"{folder}/ may not include from {target}/"
    room, other = os.path.dirname(name), os.path.dirname(included)
    if room in ROOMS and other in ROOMS and folder == target \
            and other not in ROOMS[room] | {room, folder} \
            and not (room == "compose/proof" and included in PROOF_DATA):
        yield f"{room}/ may not include from {other}/"


def line_violations(name, line):
    if name.endswith(CODE):
        include = INCLUDE.match(line)
        if include:
            yield from include_violations(name, include.group(1))
        if EMPTY_CHECK.search(line):
            yield "a check that cannot fail"
        if top(name) in LAYERS and top(name) not in ("tests", "bench") \
                and OLD_WORDS.search(line.split("//")[0]):
            yield "an old wording: see CONTRIBUTING.md, 'To write a message'"
    if name.endswith(".h") and USING.match(line):
        yield "using namespace in a header"
    if MARKER.search(line):
        yield "leftover marker"
    if MACHINE_PATH.search(line):
        yield "path of one machine"


def is_source(name):
    return name.endswith(CODE + (".py", "CMakeLists.txt")) or name.startswith("scripts/")


def file_violations(name, lines):
    if is_source(name) and len(lines) > MAX_LINES:
        yield f"longer than {MAX_LINES} lines"
    if os.path.basename(name) == "README.md" and name != "README.md" and name.count("/") == 1 \
            and len(lines) > MAX_README_LINES:
        yield f"a folder's README has at most {MAX_README_LINES} lines"
    if is_source(name) and not name.endswith("README.md") \
            and not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:2]):
        yield "no SPDX line"
    if name.endswith(".h") and "#pragma once" not in lines:
        yield "no #pragma once"
    if name.endswith(CODE) and top(name) in LAYERS and top(name) not in ("tests", "bench"):
        own = os.path.dirname(name).replace("/", "::")
        opened = {match.group(1) for match in map(NAMESPACE.match, lines) if match}
        if opened and own not in opened:
            yield f"its namespace is not understudy::{own}"


def helpers(lines):
    """What the anonymous namespaces of a file declare, with the line."""
    inside = False
    for number, line in enumerate(lines, 1):
        inside = line == "namespace {" or (inside and line != "} // namespace")
        found = HELPER.match(line)
        if inside and found:
            yield found.group(1) or found.group(2), number


def name_clashes(texts):
    """Helpers of one name in two files of a room: compiled together they would be one."""
    seen = {}
    for name, lines in texts.items():
        if name.endswith(".cpp") and top(name) in LAYERS and top(name) != "tests":
            for helper, number in helpers(lines):
                other = seen.setdefault((os.path.dirname(name), helper), name)
                if other != name:
                    yield f"{name}:{number}: {other} has a helper of the name {helper}, too"


def included_from(name, texts):
    """All that a file includes, through files of the project too."""
    found, work = set(), [name]
    while work:
        for line in texts[work.pop()]:
            include = INCLUDE.match(line)
            if include and include.group(1) not in found:
                found.add(include.group(1))
                work += [include.group(1)] if include.group(1) in texts else []
    return found


def missing_includes(texts):
    """Standard names that only headers parsed before the file declare."""
    for name, lines in texts.items():
        if not name.endswith(CODE) or top(name) not in LAYERS or top(name) == "tests":
            continue
        included = included_from(name, texts)
        for header, uses in STANDARD.items():
            if header not in included:
                for number, line in enumerate(lines, 1):
                    if uses.search(line.split("//")[0]):
                        yield f"{name}:{number}: uses what <{header}> declares, and does not include it"
                        break


def page_violations(names, texts):
    """Pages that no other leads to, and names of files in READMEs that do not exist."""
    targets = {os.path.normpath(os.path.join(os.path.dirname(name), link))
               for name, lines in texts.items() if re.fullmatch(r"docs/(.*/)?README\.md", name)
               for line in lines for link in LINK.findall(line)}
    for name, lines in texts.items():
        if re.match(r"docs/.*\.md$", name) and name != "docs/README.md" and name not in targets:
            yield f"{name}:1: no README of docs/ links to this page"
        if not name.endswith("README.md") or name.count("/") != 1:
            continue
        paths = {part for other in names for part in (other, os.path.basename(other))}
        folders = {os.path.dirname(other) + "/" for other in names}
        for number, line in enumerate(lines, 1):
            for word in FILE_OR_FOLDER.findall(line):
                if word not in paths and not any(("/" + f).endswith("/" + word) for f in folders):
                    yield f"{name}:{number}: there is no {word}"


def violations(root):
    names = tracked_files(root)
    texts = {}
    folders = {top(n) for n in names if top(n) and not top(n).startswith(".")}
    for folder in sorted(folders):
        if f"{folder}/README.md" not in names:
            yield f"{folder}: folder without README.md"
    sources = [os.path.dirname(n) for n in names if n.endswith(CODE) and top(n) != "tests"]
    for room in sorted(set(sources)):
        if sources.count(room) > MAX_SOURCES:
            yield f"{room}: more than {MAX_SOURCES} sources"
        if top(room + "/") in LAYERS and top(room + "/") != "bench" and room not in ROOMS:
            yield f"{room}: a room that ROOMS does not list"
    for name in names:
        with open(os.path.join(root, name), "rb") as file:
            content = file.read()
        # Inputs of tests may hold anything.
        if b"\0" in content or re.match(r"tests/(golden|fuzz|bugs|data)/", name):
            continue
        lines = texts[name] = content.decode("utf-8", "replace").splitlines()
        for message in file_violations(name, lines):
            yield f"{name}:1: {message}"
        for number, line in enumerate(lines, 1):
            for message in line_violations(name, line):
                yield f"{name}:{number}: {message}"
    yield from name_clashes(texts)
    yield from missing_includes(texts)
    yield from page_violations(names, texts)


SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
HEADER = SPDX + "#pragma once\n"
CLEAN = {
    "logic/README.md": "Terms.\n",
    "logic/Term.h": HEADER,
    "logic/solver/Solver.cpp": SPDX + '#include "logic/Term.h"\n#include <z3++.h>\n',
    "compose/README.md": "Programs.\n",
    "compose/proof/A.h": HEADER + '#include "compose/cover/net/TransferNet.h"\n',
    "specs/README.md": "Languages.\n",
    "passes/README.md": "LLVM.\n",
    "specs/syntax/Parse.cpp": SPDX + "#include <boost/spirit/home/x3.hpp>\n",
    "tests/README.md": "Tests.\n",
    "tests/passes/ReadTest.cpp": SPDX + "#include <llvm/IR/Module.h>\n",
    "tests/passes/Helper.cpp": SPDX + "namespace {\nint helped(int x) {\n} // namespace\n",
    "logic/Text.h": HEADER + "#include <string>\n",
    "logic/Text.cpp": SPDX + '#include "logic/Text.h"\nstd::string text; // std::map<int, int>\n',
    "logic/Helper.cpp": SPDX + "namespace {\nint helped(int x) {\n} // namespace\nint open(int x) {\n",
    "docs/README.md": "[a page](page.md), `solver/`, `logic/Term.h`, `Helper.cpp`\n",
    "docs/page.md": "A page.\n",
    "README.md": "The project.\n" * 40,
}
PLANTED = [
    ("logic/A.cpp", SPDX + "#include <llvm/IR/Module.h>\n", "LLVM may be included"),
    ("tests/logic/A.cpp", SPDX + "#include <llvm/IR/Module.h>\n", "LLVM may be included"),
    ("specs/A.cpp", SPDX + "#include <z3++.h>\n", "Z3 may be included"),
    ("specs/A.cpp", SPDX + '#include "z3.h"\n', "Z3 may be included"),
    ("specs/A.h", HEADER + "#include <boost/spirit/home/x3.hpp>\n", "Spirit may be included"),
    ("logic/A.cpp", SPDX + "#include <boost/spirit/home/x3.hpp>\n", "Spirit may be included"),
    ("logic/A.cpp", SPDX + "#include <CLI/CLI.hpp>\n", "CLI11 may be included"),
    ("logic/A.cpp", SPDX + '#include "specs/syntax/Parse.h"\n', "logic/ may not include from specs/"),
    ("compose/A.h", HEADER + '#include "compose/cover/Cover.h"\n',
     "compose/ may not include from compose/cover/"),
    ("compose/proof/A.cpp", SPDX + '#include "compose/cover/Search.h"\n',
     "compose/proof/ may not include from compose/cover/"),
    ("passes/read/A.cpp", SPDX + '#include "passes/encode/Encode.h"\n',
     "passes/read/ may not include from passes/encode/"),
    ("logic/solver/A.cpp", SPDX + "namespace understudy::logic {\n",
     "its namespace is not understudy::logic::solver"),
    ("logic/attic/A.h", HEADER, "a room that ROOMS does not list"),
    ("logic/A.cpp", SPDX + "\n" * MAX_LINES, "longer than"),
    ("logic/A.cpp", SPDX + "// TO" + "DO later\n", "leftover marker"),
    ("logic/README.md", "FIX" + "ME\n", "leftover marker"),
    ("bench/a.txt", "x\n", "bench: folder without README.md"),
    ("specs/README.md", "x\n" * (MAX_README_LINES + 1), "README has at most"),
    ("logic/A.cpp", SPDX + "CHECK(" + "true);\n", "a check that cannot fail"),
    ("README.md", "see /ho" + "me/me/notes\n", "path of one machine"),
    ("README.md", "see /wo" + "rk for it\n", "path of one machine"),
    ("logic/A.cpp", "int x;\n", "no SPDX line"),
    ("logic/A.h", SPDX, "no #pragma once"),
    ("logic/Z.cpp", SPDX + "namespace {\nvoid *helped(bool x) {\n", "has a helper of the name helped"),
    ("logic/A.cpp", SPDX + '#include "logic/Text.h"\nstd::optional<int> x;\nstd::nullopt_t y;\n',
     "uses what <optional> declares"),
    ("docs/theory/more.md", "More.\n", "no README of docs/ links to this page"),
    ("logic/README.md", "In `attic/`.\n", "there is no attic/"),
    ("logic/README.md", "In `Attic.h`.\n", "there is no Attic.h"),
    ("logic/A.cpp", SPDX + 'say("x is no y");\n', "an old wording"),
    ("logic/A.h", HEADER + "using namespace std;\n", "using namespace in a header"),
]


def found_in(files):
    with tempfile.TemporaryDirectory() as root:
        for name, content in files.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        return list(violations(root))


def self_test():
    failures = [f"clean tree: {v}" for v in found_in(CLEAN)]
    for name, content, expected in PLANTED:
        found = found_in({**CLEAN, name: content})
        if len(found) != 1 or expected not in found[0]:
            failures.append(f"planted '{expected}' in {name}, found {found}")
    crowd = {f"compose/petri/A{n}.h": HEADER for n in range(MAX_SOURCES + 1)}
    if found_in({**CLEAN, **crowd}) != [f"compose/petri: more than {MAX_SOURCES} sources"]:
        failures.append("a crowded room is not found")
    return failures


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = self_test() if sys.argv[1] == "--self-test" else list(violations(sys.argv[1]))
    for violation in found:
        print(violation)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
