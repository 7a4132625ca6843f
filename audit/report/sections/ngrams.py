"""The single n-grams in sentences that the terminal and the page share."""

from __future__ import annotations

from audit import notation
from audit import notation as plaintext
from audit.notation import drawn
from audit.result.shortcuts import NgramTest, SingleNgrams

__all__ = ["ngram_line", "ngram_sentences"]

_NAMED = 4


def ngram_sentences(survey: SingleNgrams) -> list[str]:
    """How many n-grams go with an answer, out of how many; which answers; the clearest of them."""
    looked_at = f"{notation.things(survey.ngrams, 'n-gram')} in at least {survey.fewest} {survey.unit}s"
    family = f"Holm over {notation.things(survey.tests, 'test')}, alpha {notation.kappa(survey.alpha)}"
    if not survey.significant:
        return [f"None of {looked_at} goes with an answer significantly ({family})."]
    pointed = sorted((label for label in survey.labels if label.significant), key=lambda label: -label.significant)
    shown = ", ".join(f"{_name(label.label)} {notation.count(label.significant)}" for label in pointed[:_NAMED])
    more = f" and {notation.things(len(pointed) - _NAMED, 'more answer')}" if len(pointed) > _NAMED else ""
    verb = "goes" if survey.significant == 1 else "go"
    sentences = [f"{survey.significant:,} of {looked_at} {verb} with an answer ({family}): {shown}{more}."]
    rates = {label.label: label.base_rate for label in survey.labels}
    return sentences + [_clearest(test, rates[test.label], survey.unit) for test in survey.worst[:1]]


def ngram_line(survey: SingleNgrams) -> str:
    """In one line: `28 of 101 go with an answer (Holm); clearest “not”: 80 % of groups yes (base rate 26 %)`."""
    if not survey.worst:
        return f"none of {survey.ngrams:,} goes with an answer by itself (Holm)"
    test = survey.worst[0]
    rate = next(label.base_rate for label in survey.labels if label.label == test.label)
    verb = "goes" if survey.significant == 1 else "go"
    # Cues count items: beside them, a share of groups must say that it is one.
    of_groups = " of groups" if survey.unit == "group" else ""
    return (
        f"{survey.significant:,} of {survey.ngrams:,} {verb} with an answer (Holm); clearest "
        f"“{plaintext.one_line(drawn(test.ngram), 14)}”: {notation.per_cent(test.hits / test.count, 0)}{of_groups} "
        f"{plaintext.one_line(drawn(test.label), 24)} (base rate {notation.per_cent(rate, 0)})"
    )


def _clearest(test: NgramTest, rate: float, unit: str) -> str:
    return (
        f"Clearest: “{plaintext.one_line(drawn(test.ngram), 40)}” in {notation.things(test.count, unit)}, "
        f"{notation.per_cent(test.hits / test.count, 0)} with the answer {_name(test.label)} "
        f"(base rate {notation.per_cent(rate, 0)}, z {notation.kappa(test.z, 1)})."
    )


def _name(label: str) -> str:
    return plaintext.one_line(drawn(label), 24)
