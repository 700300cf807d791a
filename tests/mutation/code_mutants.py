# SPDX-License-Identifier: Apache-2.0
"""Mutants of C code, as our case studies are written: laid out by clang-format, one statement a line.

Every operator is a function from a Source to (line, column, what, new text) with the whole text of
the mutant. Lines and columns count from 1. Claims (assert, UNDERSTUDY_AT) are negated, not dropped:
who claims less is never wrong.
"""

import re

KEYWORDS = ("if ", "if(", "while ", "for ", "else", "return", "break", "continue", "}", "{", "#")
CLAIMS = ("assert(", "UNDERSTUDY_AT(")
DECLARATION = re.compile(r"(?:(?:unsigned|long|int|char|bool|short|_Bool) )+(\w+)(?: =|;)")
NUMBER = re.compile(r"(?<![\w.])\d+(?!\w)|\btrue\b|\bfalse\b")
ATOMIC = re.compile(r"(atomic_fetch_|__sync_)(add|sub)(_and_fetch)?\(&(\w+), (\w+)\)")
EXCHANGE = re.compile(r"atomic_compare_exchange_(?:weak|strong)\(&(\w+), &(\w+), ([^()]+)\)")


class Source:
    def __init__(self, text):
        self.lines = text.split("\n")
        self.code = [self._without_comment(line) for line in self.lines]
        self.bodies = self._bodies()

    @staticmethod
    def _without_comment(line):
        return re.sub(r"//.*", lambda found: " " * len(found.group()), line)

    def _bodies(self):
        """Indices of the lines inside function bodies."""
        inside, found = False, set()
        for index, line in enumerate(self.code):
            if line.rstrip() == "}":
                inside = False
            if inside:
                found.add(index)
            if re.match(r"\w.*\) \{\s*$", line):
                inside = True
        return found

    def statement(self, index):
        """The statement that is all of this line, or None."""
        text = self.code[index].strip()
        if index in self.bodies and text.endswith(";") and not text.startswith(KEYWORDS):
            return text
        return None

    def replaced(self, index, line):
        return "\n".join(self.lines[:index] + [line] + self.lines[index + 1:])

    def spliced(self, index, start, end, text):
        line = self.lines[index]
        return self.replaced(index, line[:start] + text + line[end:])


def closing(text, start):
    """The position of the parenthesis that closes the one at start."""
    depth = 0
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    raise ValueError(f"unbalanced: {text}")


def dropped_statements(source):
    for index, line in enumerate(source.code):
        text = source.statement(index)
        if index in source.bodies and line.strip() in ("break;", "return;"):
            text = line.strip()
        if not text or text.startswith(CLAIMS) or DECLARATION.match(text) \
                or text.startswith("__VERIFIER_atomic_"):
            continue
        start = line.index(text)
        yield index + 1, start + 1, f"drop {text}", source.spliced(index, start,
                                                                 start + len(text), ";")


def opened_sections(source):
    begins = [i for i, line in enumerate(source.code) if line.strip() == "__VERIFIER_atomic_begin();"]
    for begin in begins:
        end = next(i for i in range(begin, len(source.code))
                   if source.code[i].strip() == "__VERIFIER_atomic_end();")
        lines = list(source.lines)
        lines[begin] = lines[end] = ""
        column = len(source.lines[begin]) - len(source.lines[begin].lstrip()) + 1
        yield begin + 1, column, "not atomic", "\n".join(lines)


def negated_conditions(source):
    for index in sorted(source.bodies):
        for found in re.finditer(r"\b(if|while|assert|__VERIFIER_assume) ?\(", source.code[index]):
            end = closing(source.code[index], found.end() - 1)
            condition = source.lines[index][found.end():end]
            yield (index + 1, found.start() + 1, f"negate {found.group(1)}",
                   source.spliced(index, found.end(), end, f"!({condition})"))


def changed_constants(source):
    for index, line in enumerate(source.code):
        if line.startswith("#") and not line.startswith("#define"):
            continue
        for found in NUMBER.finditer(line):
            old = found.group()
            others = {"true": ["false"], "false": ["true"]}.get(old)
            for new in others or [str(int(old) - 1), str(int(old) + 1)]:
                text = f"({new})" if new.startswith("-") else new
                yield (index + 1, found.start() + 1, f"constant {old} -> {new}",
                       source.spliced(index, found.start(), found.end(), text))


def plain_updates(source):
    for index in sorted(source.bodies):
        line = source.code[index]
        for found in ATOMIC.finditer(line):
            _, operation, new_value, variable, amount = found.groups()
            sign, back = ("+", "-") if operation == "add" else ("-", "+")
            plain = f"({variable} = {variable} {sign} {amount})"
            if not new_value:
                plain = f"({plain} {back} {amount})"
            if line.strip() == found.group() + ";":
                plain = f"{variable} = {variable} {sign} {amount}"
            yield (index + 1, found.start() + 1, "plain update",
                   source.spliced(index, found.start(), found.end(), plain))
        for found in EXCHANGE.finditer(line):
            variable, expected, new = found.groups()
            plain = f"({variable} == {expected} ? ({variable} = {new}, true)" \
                    f" : ({expected} = {variable}, false))"
            yield (index + 1, found.start() + 1, "plain exchange",
                   source.spliced(index, found.start(), found.end(), plain))


def following(source, index):
    """The next line with code."""
    return next((i for i in range(index + 1, len(source.code)) if source.code[i].strip()), None)


def depends(first, second):
    declared = DECLARATION.match(first)
    return declared and re.search(rf"\b{declared.group(1)}\b", second)


def swapped_statements(source):
    for index in sorted(source.bodies):
        first, after = source.statement(index), following(source, index)
        second = source.statement(after) if first and after else None
        if not second or depends(first, second):
            continue
        if first.startswith(CLAIMS) and second.startswith(CLAIMS) or re.fullmatch(r"[\w ]+;", first):
            continue
        indent = [len(source.lines[i]) - len(source.lines[i].lstrip()) for i in (index, after)]
        above = source.code[index - 1].strip()
        if indent[0] != indent[1] or re.match(r"(if|else|while|for)\b.*[^{;]$", above):
            continue
        lines = list(source.lines)
        lines[index], lines[after] = lines[after], lines[index]
        yield index + 1, indent[0] + 1, f"swap with line {after + 1}", "\n".join(lines)


OPERATORS = [dropped_statements, opened_sections, negated_conditions, changed_constants,
             plain_updates, swapped_statements]


def mutants(text):
    source = Source(text)
    return [mutant for operator in OPERATORS for mutant in operator(source)]
