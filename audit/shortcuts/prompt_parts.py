"""Which parts of the prompts are looked at: named by columns or the text, first and last sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import NamedTuple

from hansproof.audit.benchmark import PromptPart

__all__ = ["Input", "partial_inputs"]

# Parts of a prompt that the text itself names: `Premise: ...`, `Context: ...`, `Q: ...` at the beginning of a line.

MOSTLY = 0.9
"""Share of the prompts that must have a mark before it names a part of the benchmark."""

_MARK = re.compile(
    r"^[ \t]*(?:#+[ \t]+|\*\*)?([^\W\d_]{1,40}(?:[ _]\w{1,40}){0,2})(?:\*\*)?[ \t]*[:：](?=\s|\*|$)", re.M
)
"""Words of at most 40 letters: of unlimited ones a line of a million underscores takes quadratic time."""
_SAMPLED = 2_000
"""Prompts in which marks are looked for, evenly spaced."""
_MOST = 200
"""Marks examined per prompt: a hostile one has millions."""
_LONG_NAMES = {"q": "question", "h": "hypothesis", "p": "premise", "a": "answer"}


def marked_parts(prompts: Sequence[str]) -> dict[str, list[str]]:
    """The text after each mark up to the next one, by the name of the mark in lower case; empty without marks.

    A mark is one to three words and a colon at the beginning of a line, exactly once in at least `MOSTLY` of the
    prompts. What stands before the first mark is called `passage`. A prompt that lacks a mark has an empty part.
    """
    known = _known(prompts)
    if not known:
        return {}
    parts: dict[str, list[str]] = {name: [] for name in ("passage", *known)}
    for prompt in prompts:
        places = _places(prompt, known)
        ends = [*(start for start, _, _ in places[1:]), len(prompt)]
        texts = {name: prompt[begin:end].strip() for (_, begin, name), end in zip(places, ends)}
        texts["passage"] = prompt[: places[0][0]].strip() if places else prompt.strip()
        for name, of in parts.items():
            of.append(texts.get(name, ""))
    return parts


def _known(prompts: Sequence[str]) -> list[str]:
    """The names of the marks, in the order in which most prompts have them."""
    sample = prompts[:: max(1, len(prompts) // _SAMPLED)]
    seen = [[_name(match) for match in islice(_MARK.finditer(prompt), _MOST)] for prompt in sample]
    times = Counter(name for names in seen for name, count in Counter(names).items() if count == 1)
    # `passage` is what stands before the marks.
    known = {name for name, count in times.items() if count >= MOSTLY * len(sample) and name != "passage"}
    orders = Counter(tuple(name for name in names if name in known) for names in seen)
    common = min(orders.items(), key=lambda entry: (-entry[1], entry[0]))[0] if orders else ()
    return list(dict.fromkeys(common))


def _places(prompt: str, known: Sequence[str]) -> list[tuple[int, int, str]]:
    """(start of the mark, end of the mark, name) of the first occurrence of each known mark, in reading order."""
    places: dict[str, tuple[int, int, str]] = {}
    for match in islice(_MARK.finditer(prompt), _MOST):
        name = _name(match)
        if name in known and name not in places:
            places[name] = (match.start(), match.end(), name)
    return list(places.values())


def _name(match: re.Match[str]) -> str:
    folded = match[1].casefold().replace("_", " ")
    return _LONG_NAMES.get(folded, folded)


SHARED = 0.9
"""Share of the prompts that begin (or end) with the same line or sentence if that is an instruction."""

_ROUNDS = 50
"""Lines or sentences of instructions, at most."""
_LOOKED_AT = 2_000
"""Characters of a line that are split into sentences, at its beginning and at its end."""
_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_WIDE = re.compile(r"(?<=[。！？])")  # the sentence splitter knows no full stop of East Asia

Span = tuple[int, int]


class Ends(NamedTuple):
    """A prompt without its instructions: characters [start, end) and its outermost sentences."""

    start: int
    first_end: int
    last_start: int
    end: int


def split_ends(prompts: Sequence[str]) -> list[Ends]:
    """Where the first sentence of each prompt ends and the last one begins.

    Lines that at least `SHARED` of the prompts begin or end with are instructions and left aside, then sentences of the
    first and last line likewise. A prompt that is nothing else keeps its last line or sentence. A line break always
    ends a sentence; other ends are found by nupunkt. An empty prompt gives zeros.
    """
    lines = [
        [span for span in (m.span() for m in _LINE.finditer(text)) if text[slice(*span)].strip()] for text in prompts
    ]
    low, high = _trimmed(lines, lambda at, span: prompts[at][slice(*span)].strip())
    heads = [_sentences_of_line(prompts[at], of[low[at]], False) if of else [] for at, of in enumerate(lines)]
    tails = [_sentences_of_line(prompts[at], of[high[at]], True) if of else [] for at, of in enumerate(lines)]
    # A prompt of one line has one list of sentences, of which both ends are trimmed together.
    joined = [
        [*head, *(span for span in tail if not head or span[0] >= head[-1][1])] for head, tail in zip(heads, tails)
    ]
    first, last = _trimmed(joined, lambda at, span: prompts[at][slice(*span)].strip())
    return [
        Ends(spans[first[at]][0], spans[first[at]][1], spans[last[at]][0], spans[last[at]][1])
        if spans
        else Ends(0, 0, 0, 0)
        for at, spans in enumerate(joined)
    ]


def _trimmed(spans: Sequence[Sequence[Span]], text: Callable[[int, Span], str]) -> tuple[list[int], list[int]]:
    """The first and the last of the spans of each prompt that are not shared by nearly all."""
    low, high = [0] * len(spans), [len(of) - 1 for of in spans]
    for step, places in ((1, low), (-1, high)):
        for _ in range(_ROUNDS):
            shown = {at: text(at, of[places[at]]) for at, of in enumerate(spans) if low[at] < high[at]}
            common = Counter(shown.values()).most_common(1)
            if not common or common[0][1] < SHARED * len(spans):
                break
            for at, value in shown.items():
                if value == common[0][0]:
                    places[at] += step
    return low, high


def _sentences_of_line(text: str, line: Span, at_end: bool) -> list[Span]:
    """The sentences of one line; of a long one only those at its beginning, or at its end."""
    start, end = line
    if end - start > _LOOKED_AT:
        start, end = (end - _LOOKED_AT, end) if at_end else (start, start + _LOOKED_AT)
    return [(start + a, start + b) for a, b in _split(text[start:end])]


def _split(line: str) -> list[Span]:
    from nupunkt import sent_spans

    spans: list[Span] = []
    for a, b in sent_spans(line):
        cuts = [a, *(match.start() + a for match in _WIDE.finditer(line[a:b])), b]
        spans += [(c, d) for c, d in pairwise(cuts) if line[c:d].strip()]
    return spans


_NAMED_AT_MOST = 6
"""Parts with a name that are looked at; a template of forty fields has no forty parts."""
_ALIKE = 0.95
"""Share of the items with the same text, or with the whole prompt, from which on an input says nothing by itself."""
_ASKS = 0.9
"""Share of the prompts that must end in a question mark if their last sentences are questions."""


@dataclass(frozen=True)
class Input:
    """One partial input of N items."""

    name: str
    """`hypothesis only`, `all but the last sentence`."""
    sees: str
    """As in a sentence: `the hypothesis alone`."""
    texts: list[str]
    named: bool
    """Whether the author named the part, or it is a question: what the task is made of, not merely a sentence."""


@dataclass
class Inputs:
    """The partial inputs of a benchmark, where they come from, and those with nothing to see."""

    how: str
    """One sentence on how the prompts were split."""
    inputs: list[Input] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    """(name, reason) of inputs that were not tried."""


def partial_inputs(prompts: Sequence[str], parts: Sequence[PromptPart], *, fuller: bool = False) -> Inputs:
    """The partial inputs of N prompts; `parts` are those that the columns name.

    With two parts or more: each alone and, with three or more, each left out. Without any: the first sentence, the last
    and all but the last, where the last sentence may be a question. `fuller` adds the sentences to named parts. Left
    out are inputs that are (nearly) the same in all items, empty in more than half of them, or the whole prompt.
    """
    known, how = _named(prompts, parts)
    inputs = Inputs(how)
    for name, texts in known.items():
        _add(inputs, Input(f"{name} only", f"the {name} alone", texts, True), prompts)
    if len(known) > 2:
        for name in known:
            rest = [
                "\n".join(texts[at] for other, texts in known.items() if other != name) for at in range(len(prompts))
            ]
            _add(inputs, Input(f"all but the {name}", f"all but the {name}", rest, True), prompts)
    if not known or fuller:
        _add_sentences(inputs, prompts, "question" in known)
    return inputs


def _named(prompts: Sequence[str], parts: Sequence[PromptPart]) -> tuple[dict[str, list[str]], str]:
    """Parts with a name, at least two that vary, and how the prompts were split."""
    columns = {part.name: part.texts for part in parts[:_NAMED_AT_MOST]}
    if len(columns) > 1:
        absent = [part.name for part in parts[:_NAMED_AT_MOST] if not _within(part.texts, prompts)]
        outside = f"; the prompts do not contain {_listed(absent)}" if absent else ""
        return columns, f"The parts are the columns {_listed(list(columns))}{outside}."
    marked = {name: texts for name, texts in marked_parts(prompts).items() if _varies(texts)}
    marked = dict(list(marked.items())[:_NAMED_AT_MOST])
    if len(marked) > 1:
        marks = _listed([f"“{name.capitalize()}:”" for name in marked if name != "passage"])
        before = ", and what stands before them" if "passage" in marked else ""
        return marked, f"The prompts were split at lines that begin with {marks}{before}."
    return {}, "The prompts were split into sentences; instructions that nearly all of them share were left aside."


def _add_sentences(inputs: Inputs, prompts: Sequence[str], asked: bool) -> None:
    ends = split_ends(prompts)
    last = [prompt[at.last_start : at.end].strip() for prompt, at in zip(prompts, ends)]
    rest = [prompt[at.start : at.last_start].strip() for prompt, at in zip(prompts, ends)]
    first = [prompt[at.start : at.first_end].strip() for prompt, at in zip(prompts, ends)]
    whole = [prompt[at.start : at.end] for prompt, at in zip(prompts, ends)]
    asks = sum(text.endswith(("?", "？")) for text in last) >= _ASKS * len(last)
    asks = asks and not asked and sum(map(bool, rest)) > len(rest) / 2
    _add(inputs, Input("first sentence only", "the first sentence alone", first, False), whole)
    if asks:
        _add(inputs, Input("question only", "the question (the last sentence) alone", last, True), whole)
        _add(inputs, Input("all but the question", "all but the question", rest, True), whole)
    else:
        _add(inputs, Input("last sentence only", "the last sentence alone", last, False), whole)
        _add(inputs, Input("all but the last sentence", "all but the last sentence", rest, False), whole)


def _add(inputs: Inputs, new: Input, whole: Sequence[str]) -> None:
    """Add `new`, or the reason why there is nothing to see in it."""
    n = len(new.texts)
    if any(new.name == known.name for known in inputs.inputs):  # a column may be called `first sentence`
        new = replace(new, name=f"{new.name} (of the prompt)")
    if sum(map(bool, new.texts)) < n / 2:
        inputs.left_out.append((new.name, "empty in more than half of the items"))
    elif not _varies(new.texts):
        inputs.left_out.append((new.name, "the same in nearly all items"))
    elif sum(text == all_.strip() for text, all_ in zip(new.texts, whole)) > _ALIKE * n:
        inputs.left_out.append((new.name, "the whole prompt in nearly all items"))
    elif (twin := next((known for known in inputs.inputs if known.texts == new.texts), None)) is not None:
        inputs.left_out.append((new.name, f"the same texts as {twin.name}"))
    else:
        inputs.inputs.append(new)


def _varies(texts: Sequence[str]) -> bool:
    return bool(texts) and Counter(texts).most_common(1)[0][1] <= _ALIKE * len(texts)


def _within(texts: Sequence[str], prompts: Sequence[str]) -> bool:
    """Whether most prompts contain their part."""
    return 2 * sum(text in prompt for text, prompt in zip(texts, prompts)) >= len(prompts)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
