# SPDX-License-Identifier: Apache-2.0
"""Mutants of contracts in canonical layout: (line, column, what, new text), as for C code."""

import re

# Expressions hold no semicolon, and no comment of ours an arrow.
EDGE = re.compile(r"-> (\w+)(?:\s*:\s*([^;]*))?;")
CLAIM = re.compile(r"\b(assert|rely|invariant|never|initially)\b\s*([^;]*);")
DEFINITION = re.compile(r"\bdefine \w+ = ([^;]*);")
STATE = re.compile(r"\b(?:initial final|initial|state|final) (\w+)\s*(?=[{;])")
THREAD = re.compile(r"\b(?:thread|handler|environment) (\w+)")
SHARED = re.compile(r"\bshared (?:ghost )?(bool|int(?: \S+\.\.\S+)?)\s+(\w+)")
NUMBER = re.compile(r"(?<![\w.])\d+(?!\w)|(?<=\.\.)\d+|\btrue\b|\bfalse\b")


class Contract:
    def __init__(self, text):
        self.text = re.sub(r"//[^\n]*", lambda found: " " * len(found.group()), text)
        self.original = text
        self.shared = [(name, kind) for kind, name in SHARED.findall(self.text)
                       if f"shared ghost {kind} {name}" not in self.text]
        starts = [found.start() for found in THREAD.finditer(self.text)]
        self.threads = list(zip(starts, starts[1:] + [len(self.text)]))

    def states_around(self, position):
        start, end = next(t for t in self.threads if t[0] <= position < t[1])
        return STATE.findall(self.text[start:end])

    def replaced(self, start, end, new, what):
        line = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        return line, column, what, self.original[:start] + new + self.original[end:]


def conjuncts(text, offset):
    """Spans of the top-level conjuncts; none if there is another operator as weak."""
    spans, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0 and (text.startswith("||", position) or text.startswith("=>", position)
                           or character == "?"):
            return []
        if depth == 0 and text.startswith("&&", position):
            spans.append((start, position))
            start = position + 2
    spans.append((start, len(text)))
    return [(offset + a, offset + b, text[a:b].strip()) for a, b in spans]


def without(contract, spans, index, where):
    """The expression with one conjunct less."""
    rest = [text for i, (_, _, text) in enumerate(spans) if i != index]
    return contract.replaced(spans[0][0], spans[-1][1], " && ".join(rest),
                             f"{where} without {spans[index][2]}")


def dropped_edges(contract):
    for found in EDGE.finditer(contract.text):
        yield contract.replaced(found.start(), found.end(), "", f"drop edge to {found.group(1)}")


def weakened_guards(contract):
    for found in EDGE.finditer(contract.text):
        if not found.group(2):
            continue
        spans = conjuncts(found.group(2), found.start(2))
        if len(spans) > 1:
            for index in range(len(spans)):
                yield without(contract, spans, index, "edge")
        else:
            yield contract.replaced(found.end(1), found.end(2), "",
                                    f"edge without {found.group(2)}")
    for found in DEFINITION.finditer(contract.text):
        spans = conjuncts(found.group(1), found.start(1))
        for index in range(len(spans) if len(spans) > 1 else 0):
            yield without(contract, spans, index, "definition")


def strengthened_guards(contract):
    for found in EDGE.finditer(contract.text):
        guard = found.group(2) or ""
        for name, kind in contract.shared:
            if re.search(rf"\b{name}\b", guard):
                continue
            more = f"!{name}" if kind == "bool" else f"{name} == 0"
            old = f"({guard}) && " if guard else ""
            yield contract.replaced(found.end(1), found.end() - 1, f" : {old}{more}",
                                    f"edge also {more}")
            break


def changed_targets(contract):
    for found in EDGE.finditer(contract.text):
        states = contract.states_around(found.start())
        new = states[(states.index(found.group(1)) + 1) % len(states)]
        yield contract.replaced(found.start(1), found.end(1), new,
                                f"edge to {new}, not {found.group(1)}")


def changed_constants(contract):
    for found in NUMBER.finditer(contract.text):
        old = found.group()
        others = {"true": ["false"], "false": ["true"]}.get(old)
        for new in others or [str(int(old) - 1), str(int(old) + 1)]:
            yield contract.replaced(found.start(), found.end(), new, f"constant {old} -> {new}")


def dropped_claims(contract):
    for found in CLAIM.finditer(contract.text):
        word, claim = found.groups()
        yield contract.replaced(found.start(), found.end(), "", f"drop {word}")
        spans = conjuncts(claim, found.start(2))
        for index in range(len(spans) if len(spans) > 1 else 0):
            yield without(contract, spans, index, word)


OPERATORS = [dropped_edges, weakened_guards, strengthened_guards, changed_targets,
             changed_constants, dropped_claims]


def mutants(text):
    contract = Contract(text)
    return [mutant for operator in OPERATORS for mutant in operator(contract)]
