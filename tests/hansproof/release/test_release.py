"""Releasing: what is frozen is what was audited, the same bytes each time; what leaks is refused and leaves nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest
from click.testing import CliRunner

from hansproof.audit.run import audit
from hansproof.command_line import COMMANDS, command_line
from hansproof.generators.answering.plain_scorer import PlainScorer
from hansproof.generators.answering.scorer import copying
from hansproof.generators.dataset import OPTION, Dataset, Draft, Figure, MatchedConditions, Subset
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.jsonl import read
from hansproof.release.manifest import decode
from hansproof.release.objections import objections
from hansproof.release.release import AuditOptions, release, summary
from hansproof.release.verify import verify

QUICK = {"permutations": 299, "splits": 2, "workers": 1}
AUDITS = AuditOptions(**QUICK)
WORDS = (
    "table", "river", "stone", "cloud", "lamp", "garden", "engine", "letter", "ladder", "window", "button", "bridge",
    "kettle", "pencil", "carpet", "mirror", "basket", "candle", "hammer", "pillow", "saddle", "tunnel", "wagon",
    "anchor",
)  # fmt: skip


CARD = """Nothing much.
## Fields
## Uses
Tests.
## Misuses
All else.
## Citation
Nobody.
"""


def make(stream, subset, index):
    """Plain items are coins; a word tells the answer of `leaking` ones."""
    draws = stream.child(subset).child(index)
    answer = ("no", "yes")[index % 2]
    words = [draws.choice(WORDS) for _ in range(4)]
    cue = {"no": " never", "yes": " always"}[answer] if subset == "leaking" else ""
    return Draft(
        prompt=f"Case {index}: the {words[0]} met the {words[1]}{cue} near a {words[2]} and a {words[3]}.",
        choices=None if subset == "open" else ("no", "yes"),
        answer=f"{words[0]} {index}" if subset == "open" else answer,
        group=str(index),
        condition=subset,
        metadata={},
    )


LEAKING = Subset(rows=80, description="two words tell", form=OPTION)
MINI = Dataset(
    name="mini",
    version="1.0.0",
    title="Mini",
    summary="Nothing much.",
    seed=5,
    subsets={
        "plain": Subset(rows=60, description="coins", form=OPTION),
        "open": Subset(rows=20, description="open answers"),
    },
    make=make,
    check=lambda item: [],
)


@pytest.fixture
def register(register):
    """Puts a dataset into the registry, by default with the card of these tests."""
    return partial(register, card=CARD)


def with_leak(exploit=""):
    return replace(MINI, subsets={"leaking": replace(LEAKING, exploit=exploit)})


def places(folder):
    return {"out": folder / "datasets", "cards": folder / "cards"}


def test_a_release_is_the_same_bytes_each_time_and_verifies(register, tmp_path):
    register(MINI)
    made = []
    for name in ("a", "b"):
        outcome = release("mini", "1.0.0", **places(tmp_path / name), audits=AUDITS)
        assert outcome.refused == []
        made.append(
            {path.relative_to(tmp_path / name): path.read_bytes() for path in outcome.folder.iterdir()}
            | {path.relative_to(tmp_path / name): path.read_bytes() for path in outcome.written}
        )
    assert made[0] == made[1]
    assert sorted(path.name for path in made[0]) == [
        "DETAILS.md", "SHA256SUMS", "croissant.json", "manifest.json", "mini-1.0.0.md", "mini-1.0.0.svg",
        "open.jsonl.gz", "plain.jsonl.gz",
    ]  # fmt: skip
    assert verify(outcome.folder).passed
    assert decode((outcome.folder / "manifest.json").read_bytes(), "m") == outcome.manifest
    assert [path.name for path in (tmp_path / "b" / "datasets" / "mini").iterdir()] == ["1.0.0"]


def test_the_manifest_says_what_the_audit_said_and_why_a_subset_was_not_assessed(register, tmp_path):
    register(MINI)
    outcome = release("mini", "1.0.0", date="2026-12-01", **places(tmp_path), audits=AUDITS)
    plain, open_ = outcome.manifest.subsets
    result = audit(str(outcome.folder / "plain.jsonl.gz"), task="fixed", **QUICK)
    assert plain.audit == summary(result)
    vector = result.scheme("grouped").vectors[0]
    kept = plain.audit.schemes[0].vectors[vector.vector]
    for name in ("matched", "matched_low", "matched_high", "p_corrected", "cohen", "cohen_low", "uniform"):
        assert getattr(kept, name) == pytest.approx(getattr(vector, name), abs=5e-5)
    assert len(plain.audit.schemes[0].vectors) == 15  # the thirteen, the format and the length
    assert (open_.audit.verdict, open_.audit.schemes) == ("NOT ASSESSED", [])
    assert open_.audit.reason == "the answers are open, not a few labels (20 different ones in 20 items)."
    assert outcome.manifest.date == "2026-12-01"
    assert outcome.manifest.audit_settings.permutations == 299
    assert {"hansproof", "python", "numpy", "scikit-learn"} <= set(outcome.manifest.versions)


def test_a_leak_that_the_family_does_not_declare_is_refused_and_leaves_nothing(register, tmp_path):
    register(with_leak())
    outcome = release("mini", "1.0.0", **places(tmp_path), audits=AUDITS)
    assert len(outcome.refused) == 1
    assert re.fullmatch(
        r"leaking: the audit says LEAKS: .*[^.]; remove the shortcut from the design, or declare it as the subset's "
        "`exploit`",
        outcome.refused[0],
    )
    assert outcome.written == []
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert list(tmp_path.iterdir()) == []


def test_a_declared_leak_is_frozen_and_is_on_the_card(register, tmp_path):
    register(with_leak("two words were put in"))
    outcome = release("mini", "1.0.0", **places(tmp_path), audits=AUDITS)
    assert objections(outcome.manifest) == outcome.refused == []
    assert outcome.manifest.subsets[0].exploit == "two words were put in"
    assert " LEAKS\\* |\n" in outcome.written[0].read_text("utf-8")
    text = (outcome.folder / "DETAILS.md").read_text("utf-8")
    assert "| `leaking` | **LEAKS** (by design) |" in text
    assert "By design, a shortcut works in these subsets:\n\n- `leaking`: two words were put in\n" in text


def worded(stream, subset, index):
    """Open answers; a word tells the operation in `told`, none does in `hidden`."""
    draws = stream.child(subset).child(index)
    operation = ("add", "subtract")[index % 2]
    cue = {"add": "more", "subtract": "fewer"}[operation] if subset == "told" else draws.choice(("more", "fewer"))
    words = [draws.choice(WORDS) for _ in range(3)]
    return Draft(
        prompt=f"The {words[0]} has {index} {cue} than a {words[1]} or a {words[2]}.",
        choices=None,
        answer=str(index),
        group=str(index // 2),
        condition=("easy", "hard")[index % 2],
        metadata={"operation": operation},
    )


OPERATION = CARD.replace("## Fields\n", "## Fields\n- `operation`: what to do\n")


def with_open_answers(name, target="operation", exploit=""):
    contrast = MatchedConditions("easy", ("hard",))
    subset = Subset(120, "open", audit_target=target, matched=contrast, exploit=exploit)
    return replace(MINI, subsets={name: subset}, make=worded)


@pytest.mark.slow
def test_of_open_answers_the_named_metadata_is_audited_and_the_card_says_so(register, tmp_path):
    register(with_open_answers("hidden"), card=OPERATION)
    outcome = release("mini", "1.0.0", **places(tmp_path), audits=AUDITS)
    assert outcome.refused == []
    (entry,) = outcome.manifest.subsets
    items = read(outcome.folder / "hidden.jsonl")
    rows = [{"prompt": item.prompt, "answer": item.metadata["operation"], "group": item.group} for item in items]
    result = audit(rows, task="fixed", **QUICK)
    start = "the answers are open, so the probes predict metadata.operation instead: "
    assert entry.audit.reason == start + result.reason
    assert entry.audit.schemes == summary(result).schemes
    assert (entry.audit.verdict, entry.audit.groups) == (result.verdict, 60)
    assert (entry.audited, entry.answers) == ("operation", None)
    assert verify(outcome.folder).passed
    assert [item.answer for item in items[:3]] == ["0", "1", "2"]
    text = (outcome.folder / "DETAILS.md").read_text("utf-8")
    assert f"| `hidden` (`metadata.operation`) | **{result.verdict}** |" in text
    assert "the answers are open, and the probes predict that key instead.\n\n" in text
    assert [(arm.before, arm.after, arm.groups) for arm in entry.arms] == [("easy", "hard", 60)]


def test_open_answers_whose_metadata_shows_in_the_text_are_refused_unless_declared(register, tmp_path):
    register(with_open_answers("told"), card=OPERATION)
    outcome = release("mini", "1.0.0", **places(tmp_path), audits=AUDITS)
    assert len(outcome.refused) == 1
    assert outcome.refused[0].startswith("told: the audit says LEAKS: the answers are open, so the probes predict")
    register(with_open_answers("told", exploit="the paper's design"), card=OPERATION)
    assert release("mini", "1.0.0", **places(tmp_path), audits=AUDITS).refused == []


def test_metadata_that_is_not_there_cannot_be_audited(register, tmp_path):
    register(with_open_answers("told", target="opration"), card=OPERATION)
    with pytest.raises(InputError, match=r"told: mini/1\.0\.0/told/000000 lacks the audit target 'opration'"):
        release("mini", "1.0.0", **places(tmp_path), audits=AUDITS)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(("letters", "told"), [(False, False), (False, True), (True, False), (True, True)])
def test_options_that_differ_from_item_to_item_are_audited_as_the_audit_itself_would(register, tmp_path, letters, told):
    def offered(stream, subset, index):
        draws = stream.child(subset).child(index)
        words, gold = draws.sample(WORDS, 8), draws.below(3)
        options = [
            f"a {word} {'indeed' if told and place == gold else 'today'}" for place, word in enumerate(words[:3])
        ]
        choices = ("A", "B", "C") if letters else tuple(options)
        listed = "".join(f"\n{letter}) {option}" for letter, option in zip("ABC", options, strict=True))
        prompt = f"Case {index}: the {words[3]} met the {words[4]} near a {words[5]}, {words[6]} or {words[7]}. Where?"
        return Draft(prompt + listed * letters, choices, choices[gold], str(index), "x", {})

    register(replace(MINI, make=offered, subsets={"who": Subset(rows=200, description="a guess", form=OPTION)}))
    outcome = release("mini", "1.0.0", **places(tmp_path), audits=AUDITS)
    (entry,) = outcome.manifest.subsets
    assert (entry.by_option is not None) is letters
    assert any("says LEAKS" in reason for reason in outcome.refused) is told
    if not told:
        audited = audit(str(outcome.folder / "who.jsonl.gz"), **QUICK)
        assert audited.verdict == (entry.by_option or entry.audit).verdict


def test_episodes_without_a_right_answer_are_frozen_verified_and_not_assessed(toy_bandit, tmp_path):
    outcome = release("toy-bandit", "1.0.0", **places(tmp_path), audits=AUDITS)
    assert outcome.refused == []
    short, again = outcome.manifest.subsets
    reason = "nothing is right here: the items have no gold answer that a probe could predict."
    assert (short.audit.verdict, short.audit.reason, short.answers) == ("NOT ASSESSED", reason, None)
    assert (short.rows, again.rows, outcome.manifest.audit_settings) == (30, 20, None)
    (always,) = short.blind
    assert (always.strategy, always.part, always.items) == ("always-a", "reward", 30)
    items = read(outcome.folder / "short.jsonl")
    assert always.share == pytest.approx(sum(sum(item.metadata["rewards_a"]) for item in items) / 120, abs=5e-5)
    assert verify(outcome.folder).passed
    assert "No answer is right or wrong here: the items measure" in outcome.written[0].read_text("utf-8")
    text = (outcome.folder / "DETAILS.md").read_text("utf-8")
    assert "**NOT ASSESSED**: nothing is right here: the items have no gold answer that a probe could predict." in text
    assert "| `always-a` | always chooses machine A | " in text


def wrong_gold(dataset):
    return replace(dataset, check=lambda item: ["is wrong"] if item.id.endswith("plain/000007") else [])


def repeated(dataset):
    return replace(dataset, make=lambda stream, subset, index: make(stream, subset, 0 if index == 2 else index))


def unbalanced(dataset):
    plain = replace(dataset.subsets["plain"], balanced=True)
    return replace(dataset, subsets={"plain": plain}, scorer=Knowing())


def missed_figure(dataset):
    return replace(dataset, figures=lambda items: [Figure("rows", "items in all", 80.0, least=81.0)])


class Knowing(PlainScorer):
    """A blind strategy that is always right."""

    blind = (copying("parity", "of the case", lambda item: ("no", "yes")[int(item.id[-6:]) % 2]),)


@pytest.mark.parametrize(("broken", "reason"), [
    (wrong_gold, "plain.jsonl.gz: line 8: is wrong"),
    (repeated, "plain.jsonl.gz: line 3: has the same prompt as line 1"),
    (unbalanced, "plain: is declared `balanced`, but the blind strategy 'parity' gets 1.0000 of the answers right "),
    (missed_figure, "rows (items in all) is 80, but a release promises at least 81"),
])  # fmt: skip
def test_what_costs_seconds_to_find_is_refused_before_anything_is_audited(
    register, tmp_path, monkeypatch, broken, reason
):
    register(broken(MINI))
    monkeypatch.setattr("hansproof.release.release.audit_subset", None)
    outcome = release("mini", "1.0.0", **places(tmp_path), audits=AUDITS)
    assert outcome.refused[0].startswith(reason)
    assert not outcome.audited
    assert list(tmp_path.iterdir()) == []


def test_a_frozen_version_is_kept_and_the_version_is_the_generators(register, tmp_path):
    register(MINI)
    (tmp_path / "datasets" / "mini" / "1.0.0").mkdir(parents=True)
    with pytest.raises(InputError, match="is frozen and is never overwritten"):
        release("mini", "1.0.0", **places(tmp_path), audits=AUDITS)
    with pytest.raises(UsageError, match=r"mini is at version 1\.0\.0, not 2\.0\.0"):
        release("mini", "2.0.0", **places(tmp_path), audits=AUDITS)
    with pytest.raises(UsageError, match=r"there is no dataset 'minni'\. Did you mean 'mini'"):
        release("minni", "1.0.0", **places(tmp_path), audits=AUDITS)


@pytest.mark.parametrize("date", ["2026-13-01", "1.12.2026", "20261201", ""])
def test_a_date_is_a_date(register, tmp_path, date):
    register(MINI)
    with pytest.raises(UsageError, match="is not a date; write it as YYYY-MM-DD"):
        release("mini", "1.0.0", date=date, **places(tmp_path), audits=AUDITS)


def command(monkeypatch, folder, *words):
    monkeypatch.setitem(COMMANDS, "release", "hansproof.commands.release:release")
    where = ["--out", str(folder / "datasets"), "--cards", str(folder / "cards")]
    quick = ["--permutations", "299", "--splits", "2", "--workers", "1"]
    return CliRunner().invoke(command_line(), ["release", *words, *where, *quick])


def test_the_command_freezes_then_refuses_to_do_it_again_and_renews_the_card_with_errata(
    register, tmp_path, monkeypatch
):
    register(replace(MINI, subsets={"open": MINI.subsets["open"]}))
    done = command(monkeypatch, tmp_path, "mini", "--version", "1.0.0")
    assert done.exit_code == 0, done.output
    assert "open: 20 items, NOT ASSESSED\n" in done.stdout
    card = tmp_path / "cards" / "mini-1.0.0.md"
    first = card.read_text("utf-8")
    assert "found wrong" not in first
    assert command(monkeypatch, tmp_path, "mini", "--version", "1.0.0").exit_code == 2

    (tmp_path / "cards" / "mini-1.0.0.errata.md").write_text("- Item 3 is odd.\n", "utf-8")
    assert command(monkeypatch, tmp_path, "mini", "--version", "1.0.0", "--card-only").exit_code == 0
    noted = f"{first}\n## What was found wrong since\n\n- Item 3 is odd.\n"
    assert card.read_text("utf-8") == noted
    register(replace(MINI, version="2.0.0", subsets={"open": MINI.subsets["open"]}))  # no generator of it is left
    (tmp_path / "cards" / "mini-1.0.0.errata.md").write_text("- Item 4 is odd, too.\n", "utf-8")
    assert command(monkeypatch, tmp_path, "mini", "--version", "1.0.0", "--card-only").exit_code == 0
    assert card.read_text("utf-8") == noted.replace("3 is odd", "4 is odd, too")


def test_the_command_leaves_with_1_where_it_refuses(register, tmp_path, monkeypatch):
    register(with_leak())
    done = command(monkeypatch, tmp_path, "mini", "--version", "1.0.0")
    assert done.exit_code == 1
    assert "refused: leaking: the audit says LEAKS: " in done.stderr


def test_a_card_of_nothing_is_exit_2(register, tmp_path, monkeypatch):
    register(MINI)
    done = command(monkeypatch, tmp_path, "mini", "--version", "1.0.0", "--card-only")
    assert done.exit_code == 2
    assert "manifest.json: cannot be read: No such file" in done.stderr
