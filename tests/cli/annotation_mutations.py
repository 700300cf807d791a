# SPDX-License-Identifier: Apache-2.0
"""Changes of a certificate of kind owicki-gries, and what validate says to each."""

from certificate_edits import edit

ANNOTATION = ["verify", "tests/golden/cli/refine/handover.conc", "--engine", "refine"]
INVALID, BAD, UNKNOWN = 1, 2, 3


def proof(change):
    return lambda folder: edit(folder, lambda data: change(data["parts"][0]["proof"]))


def formula(text):
    return proof(lambda p: p["assertions"][0].update(formula=text))


def ghost(**fields):
    return proof(lambda p: p["ghosts"][0].update(fields))


def assign(value):
    return proof(lambda p: p["updates"][0].update(assign=value))


ANNOTATION_MUTATIONS = [(name, ANNOTATION, change, code, words) for name, change, code, words in [
    ("annotation: field missing", proof(lambda p: p.pop("updates")), BAD, "has no field 'updates'"),
    ("annotation: of another kind",
     lambda folder: edit(folder, lambda data: data["parts"][0].update(kind="counting")),
     BAD, "has no field 'singles'"),
    ("annotation: unknown ghost", formula("(= nobody 1)"), BAD, "the word 'nobody' is unknown"),
    ("annotation: unknown ghost assigned", assign({"nobody": "1"}),
     BAD, "an update assigns the unknown ghost 'nobody'"),
    ("annotation: program variable assigned", assign({"pings": "1"}),
     INVALID, "does not assign ghosts, each once"),
    ("annotation: value after the step", formula("(= |pings'| 1)"), BAD, "is unknown"),
    ("annotation: ill-typed", formula("(and pings true)"), BAD, "'and' has operands that do not fit"),
    ("annotation: no formula", formula("(+ pings 1)"), BAD, "an assertion is not a formula: '(+ pings 1)'"),
    ("annotation: Boolean for a number", assign({"state": "true"}),
     INVALID, "gives 'state' a value of another type"),
    ("annotation: 10 MB", formula("(and " + "true " * 2_000_000 + ")"),
     BAD, "it has more than 1048576 characters"),
    ("annotation: deep", formula("(not " * 100_000 + "true" + ")" * 100_000),
     BAD, "it is nested too deeply"),
    ("annotation: truncated formula", formula("(and true (= pings"), BAD, "it is not complete"),
    ("annotation: commands in a formula", formula("true) (assert false"),
     BAD, "something follows its end"),
    ("annotation: ghost is a variable", ghost(name="pings"), BAD, "two variables are called 'pings'"),
    ("annotation: ghost twice", proof(lambda p: p["ghosts"].append(p["ghosts"][0])),
     BAD, "two variables are called 'state'"),
    ("annotation: ghost without a name", ghost(name="a)(b"), BAD, "the name of a ghost is expected: 'a)(b'"),
    ("annotation: ghost of another type", ghost(sort="Real"),
     BAD, "the ghost 'state' is neither Int nor Bool: 'Real'"),
    ("annotation: ghost with an open start", ghost(initial="pings"),
     INVALID, "the ghost 'state' has no constant of its type as its initial value"),
    ("annotation: very many slots", proof(lambda p: p.update(slots=[4_000_000_000] * len(p["slots"]))),
     BAD, "is not a number from 0 to 1000"),
    ("annotation: many slots", proof(lambda p: p.update(slots=[1000] * len(p["slots"]))),
     UNKNOWN, "for threads in slots"),
    ("annotation: slots of another program", proof(lambda p: p["slots"].append(1)),
     INVALID, "it has slots for other threads than the program"),
    ("annotation: too few slots", proof(lambda p: p.update(slots=[0] * len(p["slots"]))),
     INVALID, "it has 0 slots for"),
    ("annotation: place of another program", proof(lambda p: p["assertions"][0].update(location=9999)),
     INVALID, "an assertion is at a place that the program does not have"),
    ("annotation: step of another program", proof(lambda p: p["updates"][0].update(edge=9999)),
     INVALID, "a ghost is updated by a step that the program does not have"),
    ("annotation: assertion twice",
     proof(lambda p: p["assertions"].append(p["assertions"][0])),
     INVALID, "there are two assertions for"),
    ("annotation: update twice", proof(lambda p: p["updates"].append(p["updates"][0])),
     INVALID, "is given twice"),
    ("annotation: assertion dropped", proof(lambda p: p["assertions"].pop(0)),
     INVALID, "composition: the obligation '"),
    ("annotation: assertion weakened", formula("true"), INVALID, "composition: the obligation '"),
    ("annotation: deadlock claimed",
     lambda folder: edit(folder, lambda data: data["options"].update(deadlock=True)),
     INVALID, "evidence of kind owicki-gries does not rule out deadlock"),
]]
