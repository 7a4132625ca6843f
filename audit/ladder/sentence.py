"""The ladder in one sentence: the simplest shortcut that is enough, with its kappa and the best there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit.notation import drawn, kappa, per_cent, things
from audit.result.shortcuts import Rung, SingleNgram

__all__ = ["in_words"]

_ALONE = {
    "position": "the position of the option is enough",
    "length": "the length of the text is enough",
    "format": "the format of the text (case, lines, blanks, punctuation) is enough",
    "readability": "the readability and diversity of the words are enough",
    "unigrams": "single words are enough",
    "bigrams": "words and pairs of words are needed",
    "trees": "combinations of words are needed",
}
"""What the name of a rung says if it is the simplest that is enough; n-gram and part are worded by what they are."""

_LONGEST = 60
"""Characters shown of an n-gram or an answer."""


def in_words(
    rungs: Sequence[Rung],
    best: str,
    enough: str | None,
    ngram: SingleNgram | None,
    margin: float,
    *,
    grouped: bool = False,
    said: Mapping[str, str] | None = None,
    unit: str = "item",
) -> str:
    """One sentence on the rungs: which is `enough`, of which `best`, or that none is significant (`enough` is None).

    Below a kappa of `margin` there is little to predict, and the sentence begins with that. `grouped` says that items
    were held out in groups. `said` has what is said of rungs by name, by default of whole prompts; `unit` is what has
    the n-gram.
    """
    known = {rung.name: rung for rung in rungs}
    top = known[best]
    if enough is None:
        kinds = sum(rung.p is not None for rung in rungs)
        carries = " that carries over to other groups" if grouped else ""
        return (
            f"No simple cue{carries} was shown: of {kinds} kinds, none is significantly above kappa 0; the highest is "
            f"{kappa(top.kappa)} ({top.label})."
        )
    rung = known[enough]
    what = _what(rung, ngram, _ALONE if said is None else said, unit)
    reached = f"kappa {kappa(rung.kappa)}" + ("" if enough == best else f" of {kappa(top.kappa)}")
    sentence = f"{what}, {reached}" if ":" in what else f"{what}: {reached}"
    if (
        enough in ("unigrams", "bigrams", "others", "question", "trees")
        and (simpler := _simpler(rungs, enough)) is not None
    ):
        sentence += f"; {_named(simpler, ngram)} reaches {kappa(simpler.kappa)}"
    if (top.kappa or 0.0) < margin:
        sentence = f"little can be predicted; of that, {sentence}"
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _what(rung: Rung, ngram: SingleNgram | None, said: Mapping[str, str], unit: str) -> str:
    if rung.name == "partial":
        return f"{rung.sees} is enough"
    if rung.name == "length" and rung.sees.startswith(("the longest", "the shortest")):
        return f"{said[rung.name]} ({rung.sees})"  # of options: which rule it is
    if rung.name != "ngram":
        return said[rung.name]
    if ngram is None:
        return "one n-gram is enough"
    kind = {("word", 1): "word", ("gpt2", 1): "token"}.get((ngram.level, ngram.words), f"pair of {_plural(ngram)}")
    often = "" if ngram.chosen > 0.5 else f" (chosen in {per_cent(ngram.chosen, 0)} of the training sets)"
    hits = f"({ngram.count_label:,} of {things(ngram.count, unit)} with it)"
    return f"one {kind} is enough: {_quoted(ngram.ngram)}{often} → {_quoted(ngram.label)} {hits}"


def _plural(ngram: SingleNgram) -> str:
    return "words" if ngram.level == "word" else "tokens"


def _simpler(rungs: Sequence[Rung], enough: str) -> Rung | None:
    """The best rung below `enough`, if it reaches anything."""
    names = [rung.name for rung in rungs]
    below = [rung for rung in rungs[: names.index(enough)] if (rung.kappa or 0.0) > 0]
    return max(below, key=lambda rung: rung.kappa or 0.0) if below else None


def _named(rung: Rung, ngram: SingleNgram | None) -> str:
    if rung.name == "ngram" and ngram is not None:
        return f"the best single n-gram, {_quoted(ngram.ngram)},"
    if rung.name == "partial":
        return rung.sees
    return f"the best simpler kind ({rung.label})"


def _quoted(text: str) -> str:
    shown = drawn(text)
    return f"“{shown if len(shown) <= _LONGEST else shown[:_LONGEST] + '…'}”"
