"""Prompt styles, laid over an item: what is said around its prompt, which itself stays as it is.

An item comes in from a generator or a file, a text or a list of chat messages goes out to whoever runs a model.
Nothing here draws at random except `exemplars`, and that from a stream of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from generators.dataset import Dataset, Subset
from generators.errors import UsageError
from generators.item import Item
from generators.stream import Stream

__all__ = ["EXEMPLARS_FROM", "STYLES", "Style", "exemplars", "follow_up", "render", "style_named"]

EXEMPLARS_FROM = 10_000_000
"""The first index of the reserved range; no release has an item there. (A subset with few different items has no
index that high: there it is the range behind the release's rows.)"""

_LOOKED_THROUGH = 50  # items drawn for each exemplar wanted, before answers may repeat unevenly


@dataclass(frozen=True)
class Style:
    """One way of asking."""

    summary: str
    """What it does, and whose idea it is."""
    persona: str = ""
    """Who the model is told to be: the system message of a chat, the first paragraph of a plain text."""
    request: str = ""
    """Put after the item's prompt."""
    shots: bool = False
    """Whether solved exemplars go before the item."""
    reasoning: bool = False
    """Whether the exemplars show the way to the answer and not the answer alone."""
    follow_up: str = ""
    """What is said after the model's first reply; empty where one turn is all."""


_STEP_BY_STEP = "Work it out one step at a time, and give the answer only after that."
_REASON_ONLY = "Work towards the answer one step at a time, and say for each step what you do and why."
_EXTRACT = "Now give the answer that you have come to, as one number in digits. Write the number and nothing else."

STYLES = {
    "zero-shot": Style("The item's prompt and nothing else."),
    "zero-shot-cot": Style("Asks for steps before the answer (after Kojima et al. 2022).", request=_STEP_BY_STEP),
    "few-shot": Style("Solved exemplars first, answers only (after Brown et al. 2020).", shots=True),
    "few-shot-cot": Style(
        "Solved exemplars first, each with its reasoning (after Wei et al. 2022).", shots=True, reasoning=True
    ),
    "step-back": Style(
        "Asks for the principle behind the question before the answer (after Zheng et al. 2024).",
        request="Before you answer, take a step back. First say in general terms which rule or principle settles "
        "questions of this kind. Then apply it to this one, and give the answer last.",
    ),
    "persona-expert": Style(
        "Somebody who is good at this.",
        persona="You are an expert in logic and probability who checks every conclusion before giving it.",
    ),
    "persona-child": Style(
        "Somebody who is not.",
        persona="You are a child of seven. You answer the way a bright child of that age would.",
    ),
    "persona-layperson": Style(
        "Somebody in between.",
        persona="You are an ordinary adult without any training in logic or statistics, answering after a long day.",
    ),
    "direct": Style(
        "Asks for the number alone, without reasoning.",
        request="Answer with one number in digits. Write the number and nothing else.",
    ),
    "two-turn-cot": Style(
        "Reasoning in a first turn, the number alone in a second (after Kojima et al. 2022, Opedal et al. 2024).",
        request=_REASON_ONLY,
        follow_up=_EXTRACT,
    ),
    "child-two-turn-cot": Style(
        "The same two turns, asked of a child at school (after Opedal et al. 2024).",
        persona="You are a child at primary school who is solving the problems of a maths lesson. You think and make "
        "mistakes the way children of your age do.",
        request=_REASON_ONLY,
        follow_up=_EXTRACT,
    ),
}
"""The visible table of styles, by name."""


def render(
    item: Item,
    style: str | Style,
    *,
    chat: bool,
    exemplars: Sequence[Item] = (),
    reasoning: Callable[[Item], str] | None = None,
    solution: Callable[[Item], str] | None = None,
) -> str | list[dict[str, str]]:
    """The item as a model is asked it: one text, or with `chat` messages of `role` and `content`.

    `exemplars` go with the few-shot styles, in the given order; `reasoning` makes the text that leads to an
    exemplar's answer and is asked of styles that show it; `solution` words that answer where the prompt wants
    another form than the canonical one of `Item.answer`. The gold answer of `item` is never used.
    Raises UsageError for an unknown style, exemplars where the style has none or the other way round, a missing
    or empty reasoning, and an exemplar that is the item itself (same id or same prompt).
    """
    chosen = style_named(style)
    label = style if isinstance(style, str) else "this style"
    if chosen.shots and not exemplars:
        raise UsageError(f"{label} wants exemplars; `exemplars` makes some")
    if exemplars and not chosen.shots:
        raise UsageError(f"{label} shows no exemplars, but {len(exemplars)} were given")
    for one in exemplars:
        if one.prompt == item.prompt or (one.id, one.metadata["seed"]) == (item.id, item.metadata["seed"]):
            raise UsageError(f"the exemplar {one.id!r} is the item under test; its answer would be given away")
    solved = [(one.prompt, _worked(one, chosen, label, reasoning, solution)) for one in exemplars]
    asked = "\n\n".join(filter(None, (item.prompt, chosen.request)))
    return _chat(chosen.persona, solved, asked) if chat else _text(chosen.persona, solved, asked)


def follow_up(
    item: Item,
    style: str | Style,
    reply: str,
    *,
    chat: bool,
    exemplars: Sequence[Item] = (),
    reasoning: Callable[[Item], str] | None = None,
    solution: Callable[[Item], str] | None = None,
) -> str | list[dict[str, str]]:
    """The second turn: all that `render` gave for the first, the model's `reply` to it, and what is asked next.

    In a chat the reply is an assistant message, unchanged; in a text it is a paragraph, without space around it.
    Raises UsageError as `render` does, for a style of one turn, and for a reply that is empty.
    """
    chosen = style_named(style)
    label = style if isinstance(style, str) else "this style"
    if not chosen.follow_up:
        two = [name for name, one in STYLES.items() if one.follow_up]
        raise UsageError(f"{label} has one turn; styles with a second are {', '.join(two)}")
    if not reply.strip():
        raise UsageError(f"the first reply to {item.id!r} is empty; there is no answer in it to ask for")
    first = render(item, style, chat=chat, exemplars=exemplars, reasoning=reasoning, solution=solution)
    if isinstance(first, list):
        said = {"role": "assistant", "content": reply}
        return [*first, said, {"role": "user", "content": chosen.follow_up}]
    # With exemplars the text ends with the heading under which the reply belongs.
    gap = "" if chosen.shots else "\n\n"
    return f"{first}{gap}{reply.strip()}\n\n{chosen.follow_up}"


def exemplars(dataset: Dataset, subset: str, k: int, seed: int) -> list[Item]:
    """k solved items of a subset, none of which is in any release; the same for the same seed.

    They come from a reserved range of indices and are made with a seed of their own, drawn from `seed` by name, so
    that no seed of a test set meets them. Prompts and groups differ; where the answers are a few labels, these are
    as even as k allows, because a model leans towards the label it was shown most (Zhao et al. 2021).
    Raises UsageError for an unknown subset, k < 1, and a subset that has not enough items beside the released ones.
    """
    if subset not in dataset.subsets:
        raise UsageError(f"{dataset.name} has no subset {subset!r}; it has {', '.join(dataset.subsets)}")
    if k < 1:
        raise UsageError(f"the number of exemplars is 1 or more, not {k}")
    own = Stream(seed, "exemplars", dataset.name, dataset.version, subset).word() >> 11
    kept: list[Item] = []
    passed: list[Item] = []
    seen = _released(dataset, subset)
    for index in _reserved(dataset.subsets[subset], k):
        one = dataset.item(subset, own, index)
        if one.prompt in seen or one.group in seen:
            continue
        seen |= {one.prompt, one.group}
        # A label may be shown once more only while it has not had its share.
        share = -(-k // len(one.choices)) if one.choices else k
        even = sum(other.answer == one.answer for other in kept) < share
        (kept if even else passed).append(one)
        if len(kept) == k:
            return kept
    found = len(kept) + len(passed)
    if found < k:
        raise UsageError(f"{dataset.name}/{subset} has only {found} exemplars beside the released items, not {k}")
    return kept + passed[: k - len(kept)]


def _reserved(subset: Subset, k: int) -> range:
    if subset.limit is None:
        return range(EXEMPLARS_FROM, EXEMPLARS_FROM + _LOOKED_THROUGH * k)
    return range(subset.rows, min(subset.limit, subset.rows + _LOOKED_THROUGH * k))


def _released(dataset: Dataset, subset: str) -> set[str]:
    """The prompts to keep away from: where items are few, another seed makes some of the released ones again."""
    if dataset.subsets[subset].limit is None:
        return set()
    return {dataset.item(subset, dataset.seed, index).prompt for index in range(dataset.subsets[subset].rows)}


def style_named(style: str | Style) -> Style:
    """The style itself, or that of a name. Raises UsageError with the known names."""
    if isinstance(style, Style):
        return style
    if style not in STYLES:
        near = get_close_matches(style, STYLES, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise UsageError(f"no prompt style is called {style!r}.{hint} Known: {', '.join(STYLES)}")
    return STYLES[style]


def _worked(
    one: Item,
    style: Style,
    label: str,
    reasoning: Callable[[Item], str] | None,
    solution: Callable[[Item], str] | None,
) -> str:
    answer = solution(one) if solution else one.answer or ""
    if not style.reasoning:
        return answer
    if reasoning is None:
        raise UsageError(f"{label} shows reasoning; pass the function that words it, or use 'few-shot'")
    way = reasoning(one).strip()
    if not way:
        raise UsageError(f"there is no reasoning for the exemplar {one.id!r}")
    return f"{way}\n\n{answer}"


def _chat(persona: str, solved: Sequence[tuple[str, str]], asked: str) -> list[dict[str, str]]:
    messages = [{"role": "system", "content": persona}] if persona else []
    for prompt, solution in solved:
        messages += [{"role": "user", "content": prompt}, {"role": "assistant", "content": solution}]
    return [*messages, {"role": "user", "content": asked}]


def _text(persona: str, solved: Sequence[tuple[str, str]], asked: str) -> str:
    blocks = [persona] if persona else []
    blocks += [f"Question:\n{prompt}\n\nAnswer:\n{solution}" for prompt, solution in solved]
    # Without exemplars there is no pattern to go on with, so no heading either.
    blocks.append(f"Question:\n{asked}\n\nAnswer:\n" if solved else asked)
    return "\n\n".join(blocks)
