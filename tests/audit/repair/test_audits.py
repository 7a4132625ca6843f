"""Few splits for what is only compared, all of them for what is left, and no audit that is known already."""

from __future__ import annotations

import random

import msgspec
import pytest

from hansproof.audit.reading.loading import load
from hansproof.audit.repair.goals import QUICK, About, Audited, Audits
from hansproof.audit.run import audit
from hansproof.audit.settings import make_settings
from hansproof.audit.tasks.labels import Labels
from hansproof.audit.tasks.shape import assess
from hansproof.generators.errors import unwatched

QUICKLY = {"permutations": 99, "folds": 3, "groups": "none", "workers": 1}
ABOUT = About("grouped", "word-1-tf")


def rows(cue):
    words = [f"word{n}" for n in range(30)]
    drawn = random.Random(4)
    texts = [" ".join(drawn.sample(words, 6)) for _ in range(60)]
    return [
        {"prompt": f"{text} {('yea', 'nay')[n % 2] * cue}", "answer": ("yes", "no")[n % 2]}
        for n, text in enumerate(texts)
    ]


@pytest.fixture
def made():
    """(items, splits) of every audit that is made."""
    return []


def audits_of(benchmark, splits, made):
    def counted(benchmark, settings, *running):
        made.append((len(benchmark.prompts), settings.splits))
        return assess(Labels, benchmark, settings, *running)

    settings = make_settings(**{key: value for key, value in QUICKLY.items() if key != "workers"}, splits=splits)
    return Audits(benchmark, settings, counted, 1, unwatched)


def test_a_fault_takes_a_quick_audit_and_what_is_left_a_whole_one(made):
    leaking = load(rows(1))
    audits = audits_of(leaking, 4, made)
    before, about = audits.first(None)
    assert (before.verdict, before.splits) == ("LEAKS", QUICK)
    assert audits.quick(leaking, about, "a part").splits == QUICK
    assert audits.whole(leaking, about, "what is left").splits == 4
    assert made == [(60, QUICK), (60, QUICK), (60, 4)]


def test_a_cue_that_a_quick_audit_shows_is_repaired_whatever_the_verdict(made, monkeypatch):
    real = Audited.reading
    monkeypatch.setattr(Audited, "reading", lambda *given: msgspec.structs.replace(real(*given), significant=True))
    before, _ = audits_of(load(rows(0)), 4, made).first(None)
    assert (before.verdict, before.significant) == ("INCONCLUSIVE", True)
    assert made == [(60, QUICK)]


def test_only_a_whole_audit_says_that_there_is_nothing_to_repair(made):
    before, _ = audits_of(load(rows(0)), 4, made).first(None)
    assert (before.verdict, before.significant, before.splits) == ("INCONCLUSIVE", False, 4)
    assert made == [(60, QUICK), (60, 4)]


def test_what_is_known_is_not_audited_unless_it_is_of_other_items_or_settings(made):
    known = audit(rows(1), splits=1, **QUICKLY)
    before, about = audits_of(load(rows(1)), 1, made).first(known)
    assert made == []
    assert (before.verdict, before.items, before.groups, before.splits) == (known.verdict, 60, 60, 1)
    assert before.first.kappa == known.deciding_scheme.find(known.vector).matched
    assert about == (known.evidence_scheme, known.vector)
    audits_of(load(rows(1)), 2, made).first(known)
    audits_of(load(rows(1)), 1, made).first(msgspec.structs.replace(known, sha256="0" * 64))
    assert made == [(60, 2), (60, 1)]
