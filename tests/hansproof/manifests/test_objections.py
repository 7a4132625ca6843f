"""Refusals: a promised balance is held, or the release is refused with the strategy, its numbers and what to do."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from hansproof.generators.answering.plain_scorer import PlainScorer
from hansproof.generators.answering.scorer import copying
from hansproof.generators.dataset import OPTION, Subset
from hansproof.generators.item import Item
from hansproof.release.manifest import BlindEntry, decode
from hansproof.release.objections import beats_chance, blind_entries, declared, objections
from hansproof.release.release import AuditOptions, release


class ByDigit(PlainScorer):
    """A blind strategy that is always right."""

    blind = (copying("last-digit", "looks at the last digit", lambda item: ("yes", "no")[item.metadata["total"] % 2]),)


class BySize(PlainScorer):
    """A blind strategy that guesses the parity from the size of the number."""

    blind = (copying("size", "says no below 26", lambda item: ("no", "yes")[item.metadata["total"] >= 26]),)


@pytest.mark.parametrize("knows", [True, False])
@pytest.mark.parametrize("promised", [True, False])
def test_only_a_promised_balance_that_a_strategy_breaks_is_refused(tiny, register, tmp_path, knows, promised):
    parity = Subset(10, "even or not", form=OPTION, balanced=promised, exploit="so that the audit may find anything")
    register(replace(tiny, subsets={"parity": parity}, scorer=ByDigit() if knows else BySize()))
    outcome = release(
        "tiny", "1.0.0", out=tmp_path / "datasets", cards=tmp_path / "cards", audits=AuditOptions(299, 2, 1)
    )
    assert outcome.manifest.subsets[0].balanced == promised
    broken = knows and promised
    # 10 of 10: Wilson's interval starts at 10 / (10 + 1.96^2) = .7225; p = 1 / 1024. The size is right 6 times of 10.
    sentence = (
        "parity: is declared `balanced`, but the blind strategy 'last-digit' gets 1.0000 of the answers right "
        "(95 % interval .7225 to 1.0000), where chance is .5000 (p = .001 after Holm's correction); balance the "
        "design, or declare the subset not `balanced`"
    )
    assert outcome.refused == ([sentence] if broken else [])
    assert outcome.folder.exists() != broken
    if not broken:
        text = (outcome.folder / "DETAILS.md").read_text("utf-8")
        assert ("By design, no blind strategy beats chance in `parity`." in text) == promised
        best = "`last-digit` **1.00** [.72, 1.00]" if knows else "`size` .60 [.31, .83]"
        assert f"| `parity` | {best}, chance .50 |" in text


RESULT = BlindEntry(
    strategy="s", part="answer", items=9, answered=9, share=0.6, low=0.51, high=0.7, interval="Wilson", in_sample=0.6,
    chance=0.5, p_holm=0.0099,
)  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "beats"),
    [
        ({}, True),
        ({"low": 0.5}, True),  # the interval says nothing about the best of many
        ({"p_holm": 0.01}, False),
        ({"p_holm": None}, False),
    ],
)
def test_a_strategy_beats_chance_if_its_corrected_p_is_below_one_in_a_hundred(fields, beats):
    assert beats_chance(msgspec.structs.replace(RESULT, **fields)) == beats


class Seldom(PlainScorer):
    """A blind strategy that answers a quarter of the items, all of them right."""

    blind = (
        copying("seldom", "answers every fourth", lambda item: None if int(item.id[-6:]) % 4 else item.prompt[-3:]),
    )


def test_a_strategy_that_gives_away_what_it_answers_breaks_the_promise(tiny, freeze):
    manifest = decode((freeze(tiny) / "manifest.json").read_bytes(), "m")
    about = {"dataset": "tiny", "version": "1.0.0", "subset": "parity", "seed": 1, "canary": "c"}
    rows = [
        Item(f"tiny/1.0.0/parity/{at:06d}", f"{at}? {gold}", ("yes", " no"), gold, f"g{at}", "c", about)
        for at in range(40) for gold in [("yes", " no")[at % 8 > 3]]
    ]  # fmt: skip
    blind = blind_entries(replace(tiny, scorer=Seldom()), rows)
    # A quarter of all: with the rest as wrong, it would look worse than chance. p = .5 ** 10.
    # Wilson's interval for 10 of 40 starts at .1419, four times that is .5676.
    assert (blind[0].share, blind[0].answered, blind[0].p_holm) == (0.25, 10, 0.001)
    promised = msgspec.structs.replace(manifest.subsets[1], balanced=True, blind=blind)
    (reason,) = objections(msgspec.structs.replace(manifest, subsets=[promised]))
    assert (
        "'seldom' gets 1.0000 of the answers that it gives (10 of 40) right (95 % interval .5676 to 1.0000)" in reason
    )


def test_a_balance_that_nothing_can_check_is_refused(tiny, freeze):
    manifest = decode((freeze(tiny) / "manifest.json").read_bytes(), "m")
    (sums, _) = manifest.subsets
    assert {result.chance for result in sums.blind} == {None}
    promised = [msgspec.structs.replace(sums, balanced=balanced) for balanced in (True, False)]
    (reason,) = objections(msgspec.structs.replace(manifest, subsets=promised))
    assert reason.startswith("sums: is declared `balanced`, but no blind strategy has a chance level to compare with")


@pytest.mark.parametrize(("exploit", "verdict", "by_design"), [
    ("planted", "LEAKS", True), ("planted", "CLEAN", False), ("planted", "NOT ASSESSED", False), ("", "LEAKS", False),
])  # fmt: skip
def test_a_shortcut_is_by_design_only_where_the_audit_found_it(tiny, freeze, exploit, verdict, by_design):
    entry = decode((freeze(tiny) / "manifest.json").read_bytes(), "m").subsets[0]
    audit = msgspec.structs.replace(entry.audit, verdict=verdict)
    assert declared(msgspec.structs.replace(entry, exploit=exploit, audit=audit)) == by_design


@pytest.mark.parametrize("exploit", ["", "the right option says surely"])
def test_a_leak_that_only_the_audit_by_option_sees_must_be_declared(tiny, freeze, exploit):
    manifest = decode((freeze(tiny) / "manifest.json").read_bytes(), "m")
    leak = msgspec.structs.replace(manifest.subsets[0].audit, verdict="LEAKS", reason="a word tells.")
    told = msgspec.structs.replace(manifest.subsets[0], by_option=leak, exploit=exploit)
    said = objections(msgspec.structs.replace(manifest, subsets=[told]))
    assert [reason[:48] for reason in said] == ([] if exploit else ["sums: the audit by option says LEAKS: a word tel"])


def test_every_broken_promise_of_every_subset_is_named(tiny, freeze):
    manifest = decode((freeze(tiny) / "manifest.json").read_bytes(), "m")
    part = msgspec.structs.replace(RESULT, part="operation")
    by_luck = msgspec.structs.replace(RESULT, p_holm=0.02)
    subsets = [
        msgspec.structs.replace(entry, balanced=True, blind=[RESULT, part, by_luck]) for entry in manifest.subsets
    ]
    reasons = objections(msgspec.structs.replace(manifest, subsets=subsets))
    assert [reason.partition(":")[0] for reason in reasons] == ["sums", "sums", "parity", "parity"]
    numbers = "(95 % interval .5100 to .7000), where chance is .5000 (p = .010 after Holm's correction);"
    assert f"gets .6000 of `operation` right {numbers}" in reasons[1]
