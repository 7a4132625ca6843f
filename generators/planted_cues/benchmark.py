"""Benchmarks with a known cue at a known strength: in words, or in how the same words are set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from hansproof.generators.dataset import Draft
from hansproof.generators.errors import UsageError, unknown
from hansproof.generators.planted_cues.design import (
    LABELS,
    NAME,
    SUBSETS,
    Cell,
    cue_cells,
    original_of,
    rare_cells,
    share_cells,
    template_cells,
    template_of,
)
from hansproof.generators.planted_cues.english import CALM, LIVELY, Plan, draw_plan, fill, with_empty_slots
from hansproof.generators.planted_cues.templates import CHINESE_CUES, LANGUAGES, chinese_text, paraphrased
from hansproof.generators.stream import Stream

__all__ = ["drafts"]

# Cues of format: the same words, set differently. A reader of clean text would not see them; a model does.


def _capitals(text: str, yes: bool, stream: Stream) -> str:
    """One word in capitals for yes, none for no."""
    if not yes:
        return text
    word = stream.choice(list(re.finditer(r"(?<= )[a-z]{4,}", text)))
    return text[: word.start()] + word[0].upper() + text[word.end() :]


def _lines(text: str, yes: bool, stream: Stream) -> str:
    """The question on a line of its own: after an empty line for yes, on the next line for no."""
    sentences, question = _at_question(text)
    return f"{sentences}\n\n{question}" if yes else f"{sentences}\n{question}"


def _blanks(text: str, yes: bool, stream: Stream) -> str:
    """Two blanks before the question for yes, one for no."""
    sentences, question = _at_question(text)
    return f"{sentences}  {question}" if yes else f"{sentences} {question}"


def _at_question(text: str) -> tuple[str, str]:
    sentences, _, question = text.rpartition(". ")
    return f"{sentences}.", question


FORMATS: dict[str, Callable[[str, bool, Stream], str]] = {
    "format-capitals": _capitals,
    "format-lines": _lines,
    "format-blanks": _blanks,
}
"""Subset -> (text, whether the cue says yes, draws) -> the text with the cue in its format."""

# A yes-no question that the scenario never settles. The gold answer is the toss of a coin, from another stream than
# words: an audit that finds more than the cue is wrong, one that does not find it is weak.

_EXTRAS = {"bigram": "pair"} | dict.fromkeys(
    ("unigram", "traces", "rare-answer", "synonyms-10", "synonyms-50"), "habit"
)
_SHORT = ("traces", "synonyms-10", "synonyms-50")  # weak cues in less noise
_SYNONYMS = {"synonyms-10": 10, "synonyms-50": 50}


def drafts(stream: Stream, subset: str, indices: range, strength: float | None = None) -> Iterator[Draft]:
    """The items of consecutive `indices`; each is the same whatever else is made.

    `stream` is the dataset's. `strength` is the Cohen's kappa that a perfect reader of the cue reaches, by default the
    subset's own; of `imbalance` it is the uniform-chance kappa of always answering no. Labels are balanced in blocks of
    20 texts, those of templates over every round of the templates; in `rare-answer` a fifth of each block is yes.
    Raises UsageError for an unknown subset and a strength outside [0, 1].
    """
    if subset not in SUBSETS:
        raise unknown("subset", subset, SUBSETS, within=NAME)
    power = SUBSETS[subset].strength if strength is None else float(strength)
    if not 0 <= power <= 1:
        raise UsageError(f"a strength must be between 0 and 1, not {strength}")
    return _drafts(stream.child(subset), subset, indices, power)


def _drafts(stream: Stream, subset: str, indices: range, strength: float) -> Iterator[Draft]:
    planted = SUBSETS[subset]
    originals: Sequence[int]
    if planted.copies > 1:
        originals = [original_of(stream, index, planted.copies) for index in indices]
        cells = iter([next(_cells(stream, subset, original, strength)) for original in originals])
    else:
        originals, cells = indices, _cells(stream, subset, indices.start, strength)
    for index, original, cell in zip(indices, originals, cells):
        group, draws = f"{index:06d}", stream.child("text").child(original)
        if planted.templates:
            number = template_of(stream, index, planted.templates)
            group, prompt = f"template-{number:03d}", _templated(subset, number, stream, draws)
        elif subset == "chinese-cue":
            prompt = chinese_text(CHINESE_CUES[cell.cue], draws)
        else:
            plan = _plan(subset, cell, stream.child("plan").child(original))
            prompt = _text(subset, cell, plan, draws)
        yield Draft(
            prompt=prompt,
            choices=LABELS,
            answer=cell.label,
            group=group,
            condition=subset,
            metadata={"cue": cell.cue, "strength": strength},
        )


def _cells(stream: Stream, subset: str, start: int, strength: float) -> Iterator[Cell]:
    planted = SUBSETS[subset]
    if planted.templates:
        return template_cells(stream, start, strength, planted.templates)
    if subset == "imbalance":
        return share_cells(stream, start, strength)
    if subset == "rare-answer":
        return rare_cells(stream, start, strength)
    return cue_cells(stream, start, strength, cued=subset not in ("none", "duplicates"))


def _plan(subset: str, cell: Cell, stream: Stream) -> Plan:
    sentences = stream.child("sentences").integer(2, 4)
    if subset == "length":
        sentences = 4 if cell.cue == "yes" else 2
    elif subset in _SHORT:
        sentences = 2
    return draw_plan(stream, sentences, _EXTRAS.get(subset, ""))


def _text(subset: str, cell: Cell, plan: Plan, stream: Stream) -> str:
    yes = cell.cue == "yes"
    long_words, extras = (1, 2), {}
    if subset == "readability":
        long_words = (4, 5) if yes else (1, 5)
    elif subset == "bigram":
        pair = ("old bridge", "new mill") if yes else ("new bridge", "old mill")
        extras = dict(zip(("first", "second"), stream.child("order").shuffled(pair), strict=True))
    elif subset in _SYNONYMS:
        words = (LIVELY if yes else CALM)[: _SYNONYMS[subset]]
        extras = {"cue": stream.child("synonym").choice(words)}
    elif subset in _EXTRAS:
        extras = {"cue": "usually" if yes else "often"}
    text = fill(plan, stream.child("words"), long_words, extras)
    return FORMATS[subset](text, yes, stream.child("format")) if subset in FORMATS else text


def _templated(subset: str, number: int, stream: Stream, draws: Stream) -> str:
    """An item of one template: people wrote it, or `stream` draws its wording; `draws` chooses the words."""
    if subset in LANGUAGES:
        return LANGUAGES[subset].text(number, draws)
    if subset == "paraphrase":
        return paraphrased(number, draws)
    template = stream.child("template").child(number)
    plan = draw_plan(template, template.child("sentences").integer(2, 4))
    if subset == "long-slots":
        return fill(with_empty_slots(plan), draws.child("words"), (1, 2), {}, long_slots=True)
    return fill(plan, draws.child("words"), (1, 2), {})
