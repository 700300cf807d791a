# SPDX-License-Identifier: Apache-2.0
"""conform and check on C files with an expectation (see conform_inputs.py): the verdict, the kind and
the line of a violation, the words of a reason, and that text and JSON say the same."""

import json
import sys
from conform_inputs import code_inputs
from understudy import ROOT, report, understudy

import jsonschema

CODES = {"conforms": 0, "safe": 0, "violates": 1, "unsafe": 1, "unsafe (contracts)": 1,
         "unknown": 3, "error": 2}
MARKED = {"soundness", "precision"}


def check_error(entry):
    run = understudy(*entry.arguments)
    if run.code != 2 or run.out:
        return f"expected an error, exit code {run.code}: {run.err}{run.out}"
    return None if entry.words in run.err else f"no '{entry.words}' in: {run.err}"


def violation_of(result):
    found = [result["conformance"]["start"],
             *(thread["violation"] for thread in result["conformance"]["threads"])]
    return next((violation for violation in found if violation), None)


def check_violation(entry, result, text):
    violation = violation_of(result)
    if not violation or violation["kind"] != entry.words:
        return f"expected kind {entry.words}, got {violation and violation['kind']}"
    source = violation["source"]
    if entry.line and (not source or source["line"] != int(entry.line)):
        return f"expected line {entry.line}, got {source and source['line']}"
    story = text[:text.find("\n\n", text.find("failure: "))].splitlines()
    if max(map(len, story)) > 100:
        return "the story is wider than 100 columns"
    return None if "failure: " in text else "the text has no sentence"


def check_unknown(entry, result):
    if entry.words not in (result["reason"] or ""):
        return f"no '{entry.words}' in the reason: {result['reason']}"
    if entry.line and (not result["where"] or result["where"]["line"] != int(entry.line)):
        return f"expected line {entry.line}, got {result['where']}"
    return None


def shown_verdict(result):
    return result["verdict"] + (" (contracts)" if result["reason"] == "contracts" else "")


def check_input(entry, schema):
    if entry.verdict is None:
        return "the first line states no expectation"
    if entry.verdict == "error":
        return check_error(entry)
    if len(MARKED & entry.fields.keys()) != 1:
        return "it must be marked soundness or precision"
    run = understudy(*entry.arguments)
    if run.code != CODES[entry.verdict] or not run.last_line.startswith("verdict: " + entry.verdict):
        return f"expected {entry.verdict}, exit code {run.code}: {run.err}{run.last_line}"
    if entry.fields.get("listed", "") not in run.out:
        return f"no assumption '{entry.fields['listed']}' in: {run.out}"
    if understudy(*entry.arguments).out != run.out:
        return "two runs print different things"
    result = json.loads(understudy(*entry.arguments, "--format", "json").out)
    jsonschema.Draft7Validator(schema).validate(result)
    if shown_verdict(result) != entry.verdict or result["exitCode"] != run.code:
        return f"JSON says {shown_verdict(result)}, exit code {result['exitCode']}"
    if entry.verdict == "violates":
        return check_violation(entry, result, run.out)
    return check_unknown(entry, result) if entry.verdict == "unknown" else None


def main():
    schema = json.loads((ROOT / "docs/result.schema.json").read_text())
    chosen = [entry for entry in code_inputs() if all(word in entry.name for word in sys.argv[1:])]
    failures = []
    for entry in chosen:
        try:
            wrong = check_input(entry, schema)
        except (jsonschema.ValidationError, json.JSONDecodeError) as error:
            wrong = str(error).splitlines()[0]
        if wrong:
            failures.append(f"{entry.name}: {wrong}")
    return report("conform and check", failures, len(chosen))


sys.exit(main())
