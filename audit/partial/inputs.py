"""Which parts of the prompts are looked at by themselves: what the columns name, what the text names, its sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from audit.benchmark import PromptPart
from audit.partial.ends import split_ends
from audit.partial.marks import marked_parts

__all__ = ["Input", "Inputs", "partial_inputs"]

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
        _sentences(inputs, prompts, "question" in known)
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


def _sentences(inputs: Inputs, prompts: Sequence[str], asked: bool) -> None:
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
