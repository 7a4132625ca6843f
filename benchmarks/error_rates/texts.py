"""The real texts that answers are planted into: read from the files that you name, as `hansproof audit` reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hansproof.generators.stream import Stream

if TYPE_CHECKING:
    from hansproof.audit.benchmark import Benchmark

__all__ = ["Item", "Texts", "read_texts"]

Item = tuple[str, list[str]]
"""A question and its options."""


@dataclass(frozen=True)
class Texts:
    """The items of one benchmark; every list has one entry per item."""

    name: str
    prompts: list[str]
    answers: list[str]
    """The benchmark's own answers; only the scenarios on stability use them."""
    groups: list[str] | None
    sha256: str = ""
    items: list[Item] = field(default_factory=list)
    """Where items have options of their own: those that the audit can use."""

    def draw(self, n: int, stream: Stream) -> list[str]:
        """`n` different items' prompts in random order, or all of them where there are fewer."""
        return stream.sample(self.prompts, min(n, len(self.prompts)))

    def draw_items(self, stream: Stream, n: int) -> list[Item]:
        """`n` different items with options in random order, or all of them where there are fewer."""
        return stream.sample(self.items, min(n, len(self.items)))

    def templates(self) -> list[list[str]]:
        """The prompts by group, in the order of the file; one prompt per group where no groups are known."""
        members: dict[str, list[str]] = {}
        for number, prompt in enumerate(self.prompts):
            members.setdefault(self.groups[number] if self.groups else str(number), []).append(prompt)
        return list(members.values())


def read_texts(paths: Sequence[str]) -> list[Texts]:
    """One entry per file. Raises InputError if a file cannot be read."""
    from hansproof.audit.reading.loading import load

    benchmarks = [load(path) for path in paths]
    return [
        Texts(known.name, known.prompts, known.answers, known.groups, known.sha256, _items(known))
        for known in benchmarks
    ]


def _items(known: Benchmark) -> list[Item]:
    from hansproof.audit.benchmark import differ

    options = known.options
    if options is None or not differ(options):
        return []
    return [(options.questions[number], options.texts[number]) for number in options.usable]
