"""`prompts --part` and `--exchange` set up an experiment, and `analyse --by experiment` reads it."""

import csv
import io
import json
import random
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm
from click.testing import CliRunner
from sklearn.metrics import cohen_kappa_score

import hansproof
from hansproof.command_line import command_line

ITEMS = 400


def run(*arguments):
    return CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), [*arguments])


@pytest.fixture
def quiz(tmp_path, monkeypatch):
    """400 items of two labels; `never` goes with no and `often` with yes, in eight of ten."""
    monkeypatch.chdir(tmp_path)
    draw, rows, golds = random.Random(3), ["premise,hypothesis,label"], {}
    for index in range(ITEMS):
        word = draw.choice(["often", "never"])
        gold = {"often": "yes", "never": "no"}[word] if draw.random() < 0.8 else draw.choice(["yes", "no"])
        name = "".join(draw.choice("abcdefghijklmnop") for _ in range(9))
        rows.append(
            f"{name.title()} keeps a {name[::-1]} of its own,The {name} is {word} found at {name[3:]}ton,{gold}"
        )
        golds[f"quiz.csv: line {index + 2}"] = gold
    Path("quiz.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return golds


def asked(*arguments):
    done = run("prompts", "quiz.csv", "--style", "direct", *arguments)
    assert done.exit_code == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def hans(prompt, gold, draw):
    return "no" if "never" in prompt.lower() else "yes"


def thinker(prompt, gold, draw):
    """Right in nine of ten with the premise in view, else at random."""
    whole = "left out" not in prompt
    return gold if whole and draw.random() < 0.8 else draw.choice(["yes", "no"])


def disturbed(prompt, gold, draw):
    """As the thinker, but an exchanged word costs it a third of its right answers."""
    return gold if draw.random() < (0.4 if "changed" in prompt else 0.9) else draw.choice(["yes", "no"])


def answer(lines, golds, **models):
    draw = random.Random(11)
    with Path("replies.jsonl").open("w", encoding="utf-8") as file:
        for name, model in models.items():
            for line in lines:
                mark = "changed" if "<->" in line["style"] else ""
                reply = model(line["prompt"] + mark, golds[line["id"]], draw)
                record = {"id": line["id"], "item_digest": line["item_digest"], "style": line["style"]}
                file.write(json.dumps({**record, "model": name, "reply": f"Answer: {reply}"}) + "\n")


def test_each_item_is_written_whole_and_in_the_arm(quiz):
    lines = asked("--part", "hypothesis only")
    assert len(lines) == 2 * ITEMS
    whole, part = lines[:2]
    assert (whole["style"], part["style"]) == ("direct", "direct | arm: hypothesis only")
    assert whole["id"] == part["id"]
    assert whole["item_digest"] == part["item_digest"]
    assert "keeps a" in whole["prompt"]
    assert "keeps a" not in part["prompt"]
    assert "left out on purpose" in part["prompt"]
    assert part["prompt"].endswith("Answer with no or yes, and nothing else.")


def test_words_are_exchanged_in_their_case_and_whole(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("quiz.csv").write_text(
        "text,label\nOften it rains.,yes\nIt NEVER rains often,no\nIt NEVER rains.,no\nSoftener,yes\n", encoding="utf-8"
    )
    lines = asked("--exchange", "often=never", "--prompt", "text", "--answer", "label")
    assert [line["prompt"].split("\n")[0] for line in lines] == [
        "Often it rains.", "Never it rains.", "It NEVER rains.", "It OFTEN rains.",
    ]  # fmt: skip


def test_a_model_that_reads_the_hypothesis_alone_is_told_from_one_that_needs_the_premise(quiz):
    answer(asked("--part", "hypothesis only"), quiz, hans=hans, thinker=thinker)
    done = run("analyse", "replies.jsonl", "--by", "experiment", "--items", "quiz.csv", "--groups", "none",
               "--json", "out.json", "--csv", "out.csv", "--html", "out.html")  # fmt: skip
    assert done.exit_code == 0, done.stderr
    first, second = json.loads(Path("out.json").read_text())["arms"]
    assert (first["model"], first["shown"]) == ("hans", True)
    assert (second["model"], second["shown"]) == ("thinker", False)
    assert second["whole"]["a"] > 0.85
    assert "has answers from what is left is not shown" in second["sentence"]
    assert "gives answers away" in done.stdout
    rows = list(csv.DictReader(io.StringIO(Path("out.csv").read_text())))
    assert [row["shown"] for row in rows] == ["1", "0"]
    page = Path("out.html").read_text()
    assert '<h2 id="experiment">' in page
    assert "gives answers away" in page


def test_the_effect_of_a_part_is_the_numerator_of_cohens_kappa(quiz):
    answer(asked("--part", "hypothesis only"), quiz, hans=hans)
    arm = hansproof.experiment("replies.jsonl", "quiz.csv", groups="none").arms[0]
    said = {}
    for line in map(json.loads, Path("replies.jsonl").read_text().splitlines()):
        if "|" in line["style"]:
            said[line["id"]] = line["reply"].removeprefix("Answer: ")
    golds = [quiz[id] for id in said]
    kappa = cohen_kappa_score(golds, list(said.values()))
    assert arm.effect.value / (1 - arm.luck) == pytest.approx(kappa, abs=1e-12)
    # The error by resampling whole items, which knows nothing of the influence of each.
    draws, pairs = np.random.default_rng(1), np.array([(g == "yes", s == "yes") for g, s in zip(golds, said.values())])
    values = []
    for _ in range(2_000):
        gold, reply = pairs[draws.integers(0, len(pairs), len(pairs))].T
        luck = gold.mean() * reply.mean() + (1 - gold.mean()) * (1 - reply.mean())
        values.append((gold == reply).mean() - luck)
    assert arm.effect.se == pytest.approx(np.std(values), rel=0.1)


def test_a_model_that_follows_a_word_is_told_from_one_that_the_exchange_disturbs(quiz):
    answer(asked("--exchange", "often=never"), quiz, hans=hans, thinker=thinker, disturbed=disturbed)
    arms = hansproof.experiment("replies.jsonl", "quiz.csv", groups="none").arms
    assert {arm.model: arm.shown for arm in arms} == {"hans": True, "thinker": False, "disturbed": False}
    assert arms[0].goes_with == {"often": "yes", "never": "no"}
    assert (arms[0].effect.value, arms[0].effect.high) == (1.0, 1.0)
    lost = next(arm for arm in arms if arm.model == "disturbed")
    assert lost.whole.difference > 0.15  # it is much worse, and follows nothing


def test_the_effect_of_a_word_is_that_of_a_regression_with_robust_errors(quiz):
    answer(asked("--exchange", "often=never"), quiz, disturbed=disturbed)
    arm = hansproof.experiment("replies.jsonl", "quiz.csv", groups="none").arms[0]
    side = {"yes": 0.5, "no": -0.5}
    sides, words = {}, {}
    for line in map(json.loads, Path("replies.jsonl").read_text().splitlines()):
        sides.setdefault(line["id"], []).append(side[line["reply"].removeprefix("Answer: ")])
    for line in asked("--exchange", "often=never"):
        words[line["id"]] = "never" if "never" in line["prompt"] else "often"  # the last one is the changed version
    towards = np.array(
        [(after - before) * (1 if words[id] == "often" else -1) for id, (before, after) in sides.items()]
    )
    cells = np.array([2 * (words[id] == "often") + (quiz[id] == "yes") for id in sides])
    design = (cells[:, None] == np.arange(4)).astype(float)
    fit = sm.OLS(towards, design).fit(cov_type="HC2")
    assert arm.effect.value == pytest.approx(fit.params.mean(), abs=1e-12)
    unseen = sum((1 / (4 * count)) ** 2 for count in np.bincount(cells))  # one more had moved in each cell
    assert arm.effect.se == pytest.approx(np.sqrt(fit.cov_params().mean() + unseen), rel=0.005)


def test_a_word_that_no_item_has_leaves_the_effect_undefined(quiz):
    answer(asked("--exchange", "often=seldom"), quiz, thinker=thinker)
    arm = hansproof.experiment("replies.jsonl", "quiz.csv", groups="none").arms[0]
    assert np.isnan(arm.effect.p)
    assert arm.shown is False
    assert arm.effect.reason == "no item has 'seldom', so that it goes with no answer"


def test_replies_without_any_clear_answer_show_nothing(quiz):
    answer(asked("--part", "hypothesis only"), quiz, mute=lambda prompt, gold, draw: "hm")
    arm = hansproof.experiment("replies.jsonl", "quiz.csv", groups="none").arms[0]
    assert arm.unclear == ITEMS
    assert np.isnan(arm.effect.p)
    assert "no reply in the arm gives a clear answer" in arm.sentence


@pytest.mark.parametrize(("arguments", "message"), [
    (["--part", "premise"], "there is no part of the prompts 'premise'. Did you mean 'premise only'?"),
    (["--exchange", "often"], "name two different words, as in often=seldom, not 'often'"),
    (["--exchange", "zebra=quagga"], "no item has one of 'zebra' and 'quagga'"),
    (["--part", "premise only", "--exchange", "a=b"], "--part and --exchange are two experiments"),
    (["--part", "premise only", "--style", "two-turn-cot"], "an experiment asks once"),
])  # fmt: skip
def test_what_cannot_be_set_up_is_refused_in_one_line(quiz, arguments, message):
    style = [] if "--style" in arguments else ["--style", "direct"]
    done = run("prompts", "quiz.csv", *style, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_replies_without_an_arm_or_without_the_whole_are_refused(quiz):
    lines = asked("--part", "hypothesis only")
    answer([line for line in lines if "|" not in line["style"]], quiz, hans=hans)
    done = run("analyse", "replies.jsonl", "--by", "experiment", "--items", "quiz.csv")
    assert (done.exit_code, "`hansproof prompts` writes both versions" in done.stderr) == (2, True)
    answer([line for line in lines if "|" in line["style"]], quiz, hans=hans)
    done = run("analyse", "replies.jsonl", "--by", "experiment", "--items", "quiz.csv")
    assert (done.exit_code, "no replies to the unchanged items" in done.stderr) == (2, True)


def test_options_of_an_item_stay_below_the_part_that_is_left(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"question": f"Which is number {k}?", "choices": [f"tern {k}", f"gull {k}"], "answer": k % 2} for k in range(40)
    ]
    Path("quiz.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = run("prompts", "quiz.jsonl", "--style", "zero-shot", "--part", "options only")
    assert done.exit_code == 0, done.stderr
    whole, part = (json.loads(line)["prompt"] for line in done.stdout.splitlines()[:2])
    assert whole == "Which is number 0?\n\nA. tern 0\nB. gull 0"
    assert part.startswith("A. tern 0\nB. gull 0\n\n(A part")


def made(items, models, style="direct"):
    """A benchmark of rows, and replies of `models` to both versions of its items."""
    Path("quiz.jsonl").write_text("".join(json.dumps(row) + "\n" for row in items), encoding="utf-8")
    draw = random.Random(5)
    with Path("replies.jsonl").open("w", encoding="utf-8") as file:
        for name, arm, model in models:
            for row in items:
                for at, label in enumerate((style, f"{style} | arm: {arm}")):
                    line = {"id": row["id"], "style": label, "model": name, "reply": model(row, at, draw)}
                    file.write(json.dumps(line) + "\n")
    return hansproof.experiment("replies.jsonl", "quiz.jsonl", groups="none").arms


def test_luck_is_dealt_among_items_that_can_have_the_same_answers(tmp_path, monkeypatch):
    """Half the items are answered with yes or no, half with one of two options: a guesser has nothing from either."""
    monkeypatch.chdir(tmp_path)
    draw = random.Random(2)
    items = []
    for place in range(600):
        count = 2 if place % 2 else 5
        options = [f"gull {place} {letter}" for letter in "abcde"[:count]]
        items.append({"id": f"q{place}", "question": f"Which of {place}?", "choices": options,
                      "answer": draw.randrange(count)})  # fmt: skip
    (arm,) = made(items, [("guesser", "options only", lambda row, at, draw: draw.choice(row["choices"]))])
    assert not arm.shown
    assert abs(arm.effect.value) < 0.04
    assert arm.luck == pytest.approx(0.35, abs=0.03)


def cue_items(off, on):
    rows = []
    for word, label, count in (
        ("often", "yes", on),
        ("often", "no", off),
        ("seldom", "yes", off),
        ("seldom", "no", on),
    ):
        rows += [{"id": f"{word}-{label}-{k}", "question": f"Is {k} {word} so?", "answer": label} for k in range(count)]
    return rows


def test_an_innocent_model_with_few_items_against_the_cue_is_not_accused(tmp_path, monkeypatch):
    """In small cells mostly nothing moves, which is no certainty."""
    monkeypatch.chdir(tmp_path)
    models = [
        (f"m{k}", "often <-> seldom", lambda row, at, draw: row["answer"] if draw.random() > 0.03 * at else "unsure")
        for k in range(20)
    ]
    arms = made(cue_items(10, 300), models)
    assert not any(arm.shown for arm in arms)
    assert not any(np.isnan(arm.effect.p) for arm in arms)


def test_a_model_that_loses_its_way_is_not_accused_where_items_in_line_with_the_cue_are_easier(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def lost(row, at, draw):
        easy = row["id"].startswith(("often-yes", "seldom-no"))
        known = row["answer"] if draw.random() < (0.95 if easy else 0.75) else {"yes": "no", "no": "yes"}[row["answer"]]
        return draw.choice(["yes", "no"]) if at and draw.random() < 0.5 else known

    def same(row, at, draw):
        return row["answer"]

    def turned(row, at, draw):
        return "no" if ("often" in row["question"]) != bool(at) else "yes"

    arms = made(cue_items(60, 240), [(f.__name__, "often <-> seldom", f) for f in (lost, same, turned)])
    assert [arm.shown for arm in arms] == [False, False, False]
    assert arms[0].effect.value > 0.04
    assert (arms[1].effect.value, arms[1].effect.p) == (0.0, 1.0)
    assert arms[2].sentence.endswith("they turn with the word, away from the answer that goes with it")
