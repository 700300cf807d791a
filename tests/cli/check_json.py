# SPDX-License-Identifier: Apache-2.0
"""Real JSON results of every verdict and command obey the schema, and agree with the text."""

import json
import re
import sys
import tempfile
from pathlib import Path
from understudy import ROOT, report, understudy

import jsonschema

RUNS = [
    ("safe", ["compose", "drivers/bluetooth/bluetooth.contract", "--threads", "PnpAdd=2"]),
    ("unsafe", ["compose", "drivers/bluetooth/racy.contract", "--threads", "PnpAdd=1"]),
    ("safe", ["compose", "drivers/bluetooth/bluetooth.contract"]),
    ("unknown", ["verify", "tests/golden/cli/any-local.conc"]),
    ("unknown", ["compose", "tests/golden/cli/no-contract.contract"]),
    ("safe", ["verify", "examples/petrification-figure1.conc"]),
    ("unsafe", ["verify", "tests/golden/cli/signal-lost.conc", "--deadlock"]),
    ("unsafe", ["verify", "tests/golden/cli/array-bounds.conc"]),
    ("unsafe", ["verify", "tests/golden/cli/fork-tree-broken.conc"]),
    ("unknown", ["compose", "drivers/bluetooth/bluetooth.contract", "--engine", "explicit",
                 "--threads", "PnpAdd=12", "--max-states", "1000"]),
]

COVER_RUNS = [
    ("safe", ["cover", "examples/figure4.tts", "--target", "2|"]),
    ("unsafe", ["cover", "examples/lost-wakeup.tts", "--target", "2|2", "--init", "0|4/0"]),
    ("safe", ["cover", "examples/readers.spec"]),
    ("unknown", ["cover", "tests/golden/cli/zero-test.spec"]),
    ("unknown", ["cover", "tests/golden/cli/subtraction.spec"]),
]


EXPLORE_RUNS = [
    ("safe", ["explore", "examples/server.tnet", "--set", "m=2"]),
    ("unsafe", ["explore", "examples/server-broken.tnet"]),
    ("unknown", ["explore", "examples/hiring.tnet"]),
    ("unknown", ["explore", "examples/server.tnet", "--no-equivalence", "--depth", "9"]),
]

CODE_RUNS = [
    ("conforms", ["conform", "examples/flag.contract", "examples/flag.c"]),
    ("violates", ["conform", "examples/flag.contract", "examples/flag-broken.c"]),
    ("safe", ["check", "examples/flag.contract", "examples/flag.c", "--threads", "consumer=2"]),
    ("safe", ["check", "examples/flag.contract", "examples/flag.c"]),
    ("unknown", ["check", "examples/flag.contract", "examples/flag.c", "--strict"]),
    ("unsafe", ["check", "tests/golden/cli/check-verdicts/spoiled.contract",
                "tests/golden/cli/check-verdicts/spoiled.c"]),
]


def check_code(word, arguments, schema):
    shown = understudy(*arguments, "--format", "json", "--verbose")
    result, quiet = json.loads(shown.out), json.loads(understudy(*arguments, "--format", "json").out)
    text = understudy(*arguments)
    for one in (result, quiet):
        jsonschema.Draft7Validator(schema).validate(one)
    if result["verdict"] != word or result["exitCode"] != text.code or shown.code != text.code:
        return f"verdict {result['verdict']}, exit codes {shown.code} and {text.code}"
    for thread, less in zip(result["conformance"]["threads"], quiet["conformance"]["threads"]):
        if "seconds" in less["statistics"] or "seconds" not in thread["statistics"]:
            return "time belongs to --verbose only"
        if (thread["violation"] is not None) != (thread["answer"] == "violates"):
            return "a violation belongs to violates, and only to it"
        if f"{thread['thread']}: " not in text.out:
            return f"no line for {thread['thread']}"
    missing = [line for line in result["assumptions"] if f"  - {line}\n" not in text.out]
    return f"assumptions missing in the text: {missing}" if missing else None


def check(word, arguments, schema):
    shown = understudy(*arguments, "--format", "json", "--verbose")
    result = json.loads(shown.out)
    jsonschema.Draft7Validator(schema).validate(result)
    quiet = json.loads(understudy(*arguments, "--format", "json").out)
    jsonschema.Draft7Validator(schema).validate(quiet)
    if "seconds" in quiet["statistics"] or "seconds" not in result["statistics"]:
        return "time belongs to --verbose only"
    text = understudy(*arguments)
    if result["verdict"] != word or result["exitCode"] != text.code or shown.code != text.code:
        return f"verdict {result['verdict']}, exit codes {shown.code} and {text.code}"
    if (result["counterexample"] is not None) != (word == "unsafe"):
        return "a counterexample belongs to unsafe, and only to it"
    if result["counterexample"]:
        steps = len(result["counterexample"]["steps"])
        if f"counterexample: {steps} step" not in text.out:
            return f"{steps} steps in JSON, not in the text"
        if max(map(len, text.out.splitlines())) > 100:
            return "the story is wider than 100 columns"
    return None


def in_both_forms(word, arguments, schema):
    """With --verbose, without, and as text; and what is wrong with the verdict."""
    shown = understudy(*arguments, "--format", "json", "--verbose")
    result, quiet = json.loads(shown.out), json.loads(understudy(*arguments, "--format", "json").out)
    for one in (result, quiet):
        jsonschema.Draft7Validator(schema).validate(one)
    text = understudy(*arguments)
    wrong = None
    if result["verdict"] != word or result["exitCode"] != text.code or shown.code != text.code:
        wrong = f"verdict {result['verdict']}, exit codes {shown.code} and {text.code}"
    return result, quiet, text, wrong


def check_cover(word, arguments, schema):
    result, quiet, text, wrong = in_both_forms(word, arguments, schema)
    if wrong:
        return wrong
    if (result["proof"] is not None) != (word == "safe") \
            or (result["firingSequence"] is not None) != (word == "unsafe"):
        return "a proof belongs to safe, a firing sequence to unsafe"
    if "seconds" in quiet["statistics"] or "seconds" not in result["statistics"]:
        return "time belongs to --verbose only"
    if word == "unsafe" and f"firing sequence: {len(result['firingSequence']['steps'])} step" \
            not in text.out:
        return "the numbers of steps differ"
    return None


def check_explore(word, arguments, schema):
    result, quiet, text, wrong = in_both_forms(word, arguments, schema)
    if wrong:
        return wrong
    if (result["reason"] is not None) != (word == "unknown"):
        return "a reason belongs to unknown, and only to it"
    if "seconds" in quiet["statistics"] or "seconds" not in result["statistics"]:
        return "time belongs to --verbose only"
    for question in result["questions"]:
        line = f"{question['kind']} {question['name']}: {question['answer']}"
        if line not in text.out:
            return f"missing in the text: {line}"
        if (question["run"] is not None) != (question["answer"] in ("reached", "violated")):
            return "a run belongs to what is reached, and only to it"
    return None


def check_validation(schema):
    """The certificate's folder in the result, and the validator's own result."""
    with tempfile.TemporaryDirectory() as parent:
        proof = str(Path(parent) / "proof")
        arguments = CODE_RUNS[2][1]
        written = json.loads(understudy(*arguments, "--certificate", proof, "--format", "json").out)
        runs = [understudy("validate", folder, "--format", "json")
                for folder in (proof, "tests/data/tampered")]
        results = [json.loads(run.out) for run in runs]
        text = understudy("validate", proof)
    for result in (written, *results):
        jsonschema.Draft7Validator(schema).validate(result)
    if written["certificate"] != proof:
        return f"certificate: {written['certificate']}"
    said = [(run.code, result["exitCode"], result["verdict"]) for run, result in zip(runs, results)]
    if said != [(0, 0, "valid"), (1, 1, "invalid")]:
        return f"{said}"
    parts = [part["name"] for part in results[0]["parts"]]
    if parts != ["conform-producer", "conform-consumer", "composition"]:
        return f"parts: {parts}"
    missing = [name for name in parts if f"\n{name}: " not in text.out]
    return f"missing in the text: {missing}" if missing else None


def check_outlines(schema):
    """A certificate of refine, and outlines that are valid and not."""
    with tempfile.TemporaryDirectory() as parent:
        proof = str(Path(parent) / "proof")
        understudy("verify", "tests/golden/cli/refine/sum.conc", "--engine", "refine",
                   "--certificate", proof)
        runs = [understudy("validate", proof, "--format", "json")]
    for outline in ("examples/ghosts-figure3.outline", "tests/data/outlines/interference.outline"):
        runs.append(understudy("validate", "examples/ghosts-figure1.conc", "--outline", outline,
                               "--format", "json"))
    told = understudy("validate", "examples/ghosts-figure1.conc", "--outline",
                      "examples/ghosts-figure3.outline", "--verbose").out
    if not re.search(r"^time: [\d.]+ s$", told, re.MULTILINE):
        return f"no time: {told}"
    told = understudy("verify", "tests/golden/cli/refine/sum.conc", "--annotate", "--verbose").out
    if not re.search(r"^annotation: 1 ghost, 2 updates, size \d+ \(naive \d+\), 12 obligations, "
                     r"\d+ markings, \d+ configurations, \d+ ghost states, [\d.]+ s$", told,
                     re.MULTILINE):
        return f"no statistics: {told}"
    results = [json.loads(run.out) for run in runs]
    for result in results:
        jsonschema.Draft7Validator(schema).validate(result)
    said = [(run.code, result["exitCode"], result["verdict"]) for run, result in zip(runs, results)]
    if said != [(0, 0, "valid"), (0, 0, "valid"), (1, 1, "invalid")]:
        return f"{said}"
    if results[0]["parts"][0]["kind"] != "owicki-gries" or results[1]["failure"] is not None:
        return f"{results[0]['parts']}, {results[1]['failure']}"
    failure = results[2]["failure"]
    if failure["obligation"] != "interference" or len(failure["where"]) != 2:
        return f"failure: {failure}"
    return None


def main():
    schema = json.loads((ROOT / "docs/result.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    failures = []
    checks = {"cover": check_cover, "explore": check_explore, "compose": check, "verify": check}
    runs = RUNS + CODE_RUNS + COVER_RUNS + EXPLORE_RUNS
    for word, arguments in runs:
        try:
            wrong = checks.get(arguments[0], check_code)(word, arguments, schema)
        except (jsonschema.ValidationError, json.JSONDecodeError) as error:
            wrong = str(error).splitlines()[0]
        if wrong:
            failures.append(f"{' '.join(arguments)}: {wrong}")
    if wrong := check_validation(schema):
        failures.append(f"validate: {wrong}")
    if wrong := check_outlines(schema):
        failures.append(f"validate --outline: {wrong}")
    return report("JSON results", failures, len(runs) + 2)


sys.exit(main())
