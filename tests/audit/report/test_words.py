"""The words that the terminal and the page share."""

from __future__ import annotations

from typing import get_args

from hansproof.audit.notation import within
from hansproof.audit.report import words
from hansproof.audit.result.audit_result import Verdict


def test_every_verdict_has_words_and_a_symbol_for_ascii():
    assert set(words.VERDICTS) == set(get_args(Verdict))
    assert all(len(within(look.symbol, "ascii")) == len(look.symbol) == 1 for look in words.VERDICTS.values())
    assert len({look.key for look in words.VERDICTS.values()}) == len(words.VERDICTS)


def test_a_reason_that_begins_with_a_feature_vector_is_a_sentence():
    assert words.sentence("word 1-grams predict the answer.") == "Word 1-grams predict the answer."
    assert words.sentence("GPT-2 tokens predict it.") == "GPT-2 tokens predict it."
    assert words.sentence("") == ""
