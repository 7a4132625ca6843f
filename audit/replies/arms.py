"""The arms of an experiment: the same items with a part of the prompt left out, or with two words exchanged.

An item stays itself, with its id and its gold answer; the arm stands behind the name of the prompt style, as in
`direct | arm: question only`. So whatever reads replies reads those of an arm, as those in one more style.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.notation import one_line, things
from hansproof.audit.reading.given_options import printed_options
from hansproof.audit.replies.scorers import ACCEPTED
from hansproof.audit.shortcuts.prompt_parts import partial_inputs
from hansproof.generators.errors import InputError, UsageError, unknown
from hansproof.generators.item import Item

__all__ = ["EXCHANGE", "SEPARATOR", "Arm", "exchanged", "part_arm", "shown", "word_arm"]

SEPARATOR: Final = " | arm: "
"""Between the prompt style and the arm."""

EXCHANGE: Final = " <-> "
"""Between the two words of an arm."""

OPTIONS_ONLY: Final = "options only"
_ANSWERS: Final = 4
_LONGEST: Final = 20
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LEFT_OUT: Final = (
    "(A part of this problem is left out on purpose. Give the answer that you think most likely all the same.)"
)
"""Without it, models ask for what is missing, which is no answer."""


@dataclass(frozen=True)
class Arm:
    """One changed version of some items."""

    name: str
    """`question only`, `often <-> seldom`."""
    texts: Mapping[str, str]
    """Item id -> what a model is shown; items that the arm leaves as they are or cannot show are not in it."""
    note: str
    """What it leaves out, in words; empty where that is nothing."""

    def style(self, style: str) -> str:
        """The name of a prompt style in this arm."""
        return f"{style}{SEPARATOR}{self.name}"


def shown(item: Item, question: str | None = None) -> str:
    """What a model is shown: the prompt, or the `question` in its place, with the item's own options below it where the
    text does not print them; their marks are those that the prompt prints."""
    text = item.prompt if question is None else question
    if not item.metadata.get("lettered") or not item.choices or all(choice in text for choice in item.choices):
        return text
    printed = printed_options(item.prompt)
    marks = printed.marks if printed is not None and len(printed.marks) == len(item.choices) else _LETTERS
    options = "\n".join(f"{mark}. {choice}" for mark, choice in zip(marks, item.choices, strict=False))
    return f"{text}\n\n{options}" if text else options


def _parts(items: Sequence[Item], benchmark: Benchmark | None) -> dict[str, list[str]]:
    """The partial inputs of the items under the names that the audit has for them."""
    options = benchmark.options if benchmark is not None else None
    questions = [item.prompt for item in items] if options is None else options.questions
    parts = {each.name: each.texts for each in partial_inputs(questions, benchmark.parts if benchmark else ()).inputs}
    lettered = any(item.metadata.get("lettered") for item in items)
    return {OPTIONS_ONLY: [""] * len(items), **parts} if lettered else parts


def part_arm(items: Sequence[Item], benchmark: Benchmark | None, part: str) -> Arm:
    """The items with one partial input of the audit in place of the prompt, and a sentence that says so.

    `benchmark` is what the items were read from, in their order; its columns name parts. Raises UsageError for a part
    that the prompts do not have.
    """
    parts = _parts(items, benchmark)
    if part not in parts:
        if not parts:
            raise UsageError(
                "the prompts have no parts that can be told: parts are columns of their own, lines such as "
                "`Question:`, or several sentences"
            )
        raise unknown("part of the prompts", part, parts)
    texts = {
        item.id: f"{text}\n\n{_LEFT_OUT}"
        for item, own in zip(items, parts[part], strict=True)
        if (text := shown(item, own)).strip()
    }
    empty = len(items) - len(texts)
    return Arm(part, texts, f"{things(empty, 'item')} without that part left out" if empty else "")


def exchanged(text: str, words: tuple[str, str]) -> tuple[str, str]:
    """The text with each of the two words in place of the other, in its case, and the word that it now has; an empty
    word where it has none of them, or both."""
    first, second = words
    either = re.compile(rf"(?<!\w)(?:{re.escape(first)}|{re.escape(second)})(?!\w)", re.IGNORECASE)
    seen = {match.casefold() for match in either.findall(text)}
    if len(seen) != 1:
        return text, ""
    new = second if seen == {first.casefold()} else first
    return either.sub(lambda match: _cased(new, match[0]), text), new


def _cased(word: str, like: str) -> str:
    if len(like) > 1 and like.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


def word_pair(words: str) -> tuple[str, str]:
    """`often=seldom`, or the name of an arm, as two words. Raises UsageError for what is not two different words."""
    first, equals, second = (part.strip() for part in words.partition(EXCHANGE if EXCHANGE in words else "="))
    if not (first and equals and second) or first.casefold() == second.casefold():
        raise UsageError(f"name two different words, as in often=seldom, not {words!r}", "--exchange")
    return first, second


def word_arm(items: Sequence[Item], words: str) -> Arm:
    """The items that have one of two words (`often=seldom`), with the other one in its place.

    Items with neither or both are left out, and so are those of which a printed answer has one. The note counts items
    by word and right answer, of which `audit.models.experiment` needs ten of each kind. Raises UsageError for what is
    not two words, and InputError where no item has one.
    """
    pair = word_pair(words)
    texts, kinds = {}, Counter[tuple[str, str]]()
    for item in items:
        text, new = exchanged(shown(item), pair)
        if new and not any(exchanged(choice, pair)[0] != choice for choice in _printed(item)):
            texts[item.id] = text
            kinds[pair[0] if new == pair[1] else pair[1], item.answer or ""] += 1
    if not texts:
        listed = " and ".join(map(repr, pair))
        raise InputError(f"no item has one of {listed} in its prompt, without the other and not in an answer")
    return Arm(EXCHANGE.join(pair), texts, _counted(len(items) - len(texts), pair, kinds))


def _printed(item: Item) -> tuple[str, ...]:
    """The answers that the prompt prints: its own options, or those of an item of ours."""
    labels = ACCEPTED in item.metadata and not item.metadata.get("lettered")
    return () if labels else item.choices or ()


def _counted(rest: int, pair: tuple[str, str], kinds: Counter[tuple[str, str]]) -> str:
    of = []
    for word in pair:
        counts = sorted((answer, count) for (own, answer), count in kinds.items() if own == word)
        most = ", ".join(f"{count:,} {one_line(answer)[:_LONGEST]}" for answer, count in counts[:_ANSWERS])
        of.append(f"{word}: {most or 'no item'}{', ...' if len(counts) > _ANSWERS else ''}")
    left = f"{things(rest, 'item')} with neither word or both left out; " if rest else ""
    return f"{left}by word and right answer {'; '.join(of)} (the test needs ten of each kind)"
