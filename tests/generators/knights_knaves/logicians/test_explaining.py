"""A second opinion on worked reasoning about logicians: every line is read back, and every step is confirmed."""

import re
from itertools import product

import pytest

from hansproof.generators.knights_knaves.logicians import explained_scene
from hansproof.generators.knights_knaves.scorer import SCORER
from hansproof.generators.registry import dataset

DATASET = dataset("knights-knaves")
FACT = r"(?:the [a-z]+ lamp is (?:on|off)|[A-Z][a-z]+ is a (?:logician|politician))"
CLASH = re.compile(r"But (.*): a contradiction\.")


def fact(text):
    match = re.fullmatch(r"(?:the )?(\w+) (?:lamp is|is a) (on|off|logician|politician)", text)
    return match[1], match[2] in ("on", "logician")


def truth(clause, case):
    """Whether a clause of the notation is true in a case: fact -> whether it holds."""
    parts = re.fullmatch(r"\((~?)(\w+) ([|^>=]) (~?)(\w+)\)|(~?)(\w+)", clause)
    if parts[7]:
        return case[parts[7]] != bool(parts[6])
    left, right = case[parts[2]] != bool(parts[1]), case[parts[5]] != bool(parts[4])
    return {"|": left or right, "^": left != right, ">": not left or right, "=": left == right}[parts[3]]


def faults_of(item, text):
    """Every fault of an explanation, `Ada: by note 3 does not follow`."""
    about = item.metadata
    names, facts = about["names"], [*about["names"], *about["lamps"]]
    parts = re.split(r'^([A-Z][a-z]+) says: "(.*)"$', text, flags=re.MULTILINE)
    if parts[0] or parts[1::3] != names:
        return ["does not take the speakers in order"]
    earlier, faults = {}, []
    for name, quote, body, said in zip(names, parts[2::3], parts[3::3], about["statements"], strict=True):
        if f"\n{name}: {quote}\n" not in item.prompt:
            faults.append(f"{name}: is not quoted")
        lines = body.strip("\n").split("\n")
        kind = "logician" if lines[0].startswith("Suppose") else "politician"
        check = faults_of_proof if kind == "logician" else faults_of_cases
        faults += [f"{name}: {fault}" for fault in check(name, said, lines, earlier, about["notes"], facts)]
        earlier[name] = kind == "logician"
    solution = "".join("K" if earlier[name] else "N" for name in names)
    return faults if solution == about["solutions"][0] else [*faults, "is not the answer"]


def faults_of_cases(name, said, lines, earlier, notes, facts):
    told = f"So it can be neither proved nor disproved: {name} is a politician."
    faults = [] if len(lines) == 3 and lines[2] == told else ["the end is another one"]
    for line, also, expected in zip(lines, ("", " also"), (True, False), strict=False):
        match = re.fullmatch(rf"All notes{also} hold if (.*)\. Then what {name} says is (true|false)\.", line)
        if match is None:
            faults.append(f"is no line of an explanation: {line}")
            continue
        given = [fact(part) for part in re.findall(FACT, match[1])]
        case = {**earlier, **dict(given)}
        if [who for who, _ in given] != facts[len(earlier) :]:
            faults.append("does not name every fact that is open")
        elif not all(truth(note, case) for note in notes):
            faults.append("a note does not hold")
        elif truth(said, case) is not expected or match[2] != str(expected).lower():
            faults.append(f"the statement is not {expected}")
    return faults


def faults_of_proof(name, said, lines, earlier, notes, facts):
    faults = []
    frames = [dict(earlier)]  # what is known, by the suppositions that are open
    supposed, closed = [], False
    for line in lines[1:-1]:
        depth, text = (len(line) - len(line.lstrip(" "))) // 2, line.strip(" ")
        if match := re.fullmatch(rf"Suppose that ({FACT})\.", text):
            supposed.append(fact(match[1]))
            frames.append({**frames[-1], supposed[-1][0]: supposed[-1][1]})
            continue
        if match := re.fullmatch(rf"So ({FACT})\.", text):
            who, value = supposed.pop() if supposed else ("", True)
            frames = frames[:-1] or [dict(earlier)]
            if not closed or fact(match[1]) != (who, not value):
                faults.append(f"rejects what was not refuted: {text}")
            frames[-1][who], closed = not value, False
            continue
        if closed or depth != len(frames):
            faults.append(f"goes on after a contradiction, or stands at another depth: {text}")
        clash = CLASH.fullmatch(text)
        step = (clash[1] if clash else text[:-1].replace("Then", "then", 1)).replace("By", "by", 1)
        faults += faults_of_step(name, said, step.replace("Since", "since", 1), frames[-1], notes, clash is not None)
        closed = clash is not None
    if not closed or supposed or lines[0] != f"Suppose that what {name} says is false.":
        faults.append("nothing is refuted in the end")
    if lines[-1] != f"So what {name} says can be proved: {name} is a logician.":
        faults.append("the end is another one")
    return faults


def faults_of_step(name, said, text, known, notes, clash):
    """The fault of one conclusion; whatever it shows is added to `known`."""
    forms = (
        (rf"by note (\d+), since ({FACT}), ({FACT})", lambda m: (notes[int(m[1]) - 1], True, [m[2]], [m[3]])),
        (rf"since what {name} says is supposed to be false and ({FACT}), ({FACT})",
         lambda m: (said, False, [m[1]], [m[2]])),
        (rf"then ({FACT}(?: and {FACT})?)", lambda m: (said, False, [], re.findall(FACT, m[1]))),
    )  # fmt: skip
    read = next((make(match) for form, make in forms if (match := re.fullmatch(form, text))), None)
    if read is None:
        return [f"is no line of an explanation: {text}"]
    clause, wanted, given, shown = read
    given, shown = dict(map(fact, given)), dict(map(fact, shown))
    faults = [] if all(known.get(who) is value for who, value in given.items()) else [f"rests on what is open: {text}"]
    about = sorted({*re.findall(r"\w+", clause), *given, *shown})
    cases = [dict(zip(about, case, strict=True)) for case in product((True, False), repeat=len(about))]
    left = [case for case in cases if truth(clause, case) is wanted and given.items() <= case.items()]
    if not left or any(case[who] is not value for case in left for who, value in shown.items()):
        faults.append(f"does not follow: {text}")
    if clash != any(known.get(who, value) is not value for who, value in shown.items()):
        faults.append(f"a contradiction that is none, or goes unnoticed: {text}")
    known.update(shown if not clash else {})
    return faults


@pytest.fixture(scope="module")
def items():
    return [DATASET.item("logicians", 13, index) for index in range(90)]


@pytest.mark.slow
def test_every_step_of_every_explanation_is_confirmed(items):
    lines = 0
    for item in items:
        text = explained_scene(item)
        assert faults_of(item, text) == []
        lines = max(lines, text.count("\n") + 1)
    assert lines <= 50


def test_an_explanation_and_the_answer_make_a_reply_that_is_right(items):
    form = DATASET.subsets["logicians"].form
    for item in items[:12]:
        assert SCORER.score(item, SCORER.read(item, f"{form.reasoning(item)}\n\n{form.solution(item)}")).right


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("by note", "by note 1"),
        ("the red lamp is on", "the red lamp is off"),
        ("can be proved: ", "can be disproved: "),
        (": a contradiction", ""),
        ("Then what", "So what"),
        ("  So", "  But so"),
        ("since", "as"),
    ],
)
def test_a_tampered_explanation_is_found_out(items, old, new):
    told = [(item, explained_scene(item)) for item in items]
    tampered = [(item, text.replace(old, new, 1)) for item, text in told if old in text]
    assert len(tampered) > 20
    seen = sum(bool(faults_of(item, text)) for item, text in tampered)
    assert seen >= len(tampered) - 2  # another lamp may make another case that does as well
