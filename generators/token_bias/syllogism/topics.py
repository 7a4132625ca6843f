"""What syllogisms are about: kinds of things, the category that all of them belong to, and what some of it are like."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["Triple", "siblings", "triples"]


@dataclass(frozen=True)
class Triple:
    """A kind, its category, and a property of some members of the category: true of the world."""

    kind: str
    """`roses`: all of them are of the category."""
    category: str
    """`flowers`"""
    property: str
    """`fade within a week`: true of some members of the category."""
    shared: bool
    """Whether the property is also true of some of the kind, so that every statement with `some` is true."""

    def is_named_after(self) -> bool:
        """Whether the name of the kind says its category: `straw hats` are hats by their name alone."""
        return self.category.rpartition(" ")[2].removesuffix("s") in self.kind


@cache
def siblings(category: str) -> tuple[str, ...]:
    """The kinds of a category, but those that are named after it."""
    return tuple(dict.fromkeys(triple.kind for triple in triples(strict=True) if triple.category == category))


@cache
def triples(shared: bool | None = None, strict: bool = False) -> tuple[Triple, ...]:
    """All triples of `topics.txt` in its order.

    Only those with shared properties, or without, where `shared` says so; with `strict` only those whose kind is not
    named after its category, and whose property does not begin with `are`.
    """
    every: list[Triple] = []
    text = files("generators.token_bias.syllogism").joinpath("topics.txt").read_text("utf-8")
    for block in text.split("\n\n"):
        category, *lines = [line for line in block.splitlines() if line and not line.startswith("#")] or [""]
        named = {name: words.split(", ") for name, _, words in (line.partition(": ") for line in lines)}
        for kind in named.get("kinds", []):
            every += [Triple(kind, category, words, True) for words in named["some"]]
            every += [Triple(kind, category, words, False) for words in named.get("other", [])]
    return tuple(
        triple
        for triple in every
        if (shared is None or triple.shared == shared)
        and not (strict and (triple.is_named_after() or triple.property.startswith("are ")))
    )
