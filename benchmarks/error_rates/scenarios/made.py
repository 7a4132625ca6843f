"""Texts made by `generators.planted_cues`, whose templates are known by construction."""

from __future__ import annotations

from generators.planted_cues.dataset import generate
from generators.planted_cues.subsets import SUBSETS
from generators.stream import Stream

__all__ = ["MADE_TEMPLATES", "made_templates"]

_TEMPLATES = 100
"""At least as many as any subset has, so that a round of the generator covers them all."""

MADE_TEMPLATES = tuple(name for name in ("template-only",) if name in SUBSETS)
"""The subsets in which items share templates."""


def made_templates(subset: str, stream: Stream, per: int) -> list[list[str]]:
    """Prompts by template, about `per` of each; other streams give other templates."""
    members: dict[str, list[str]] = {}
    for item in generate(subset, stream.child("seed").below(2**31), _TEMPLATES * per):
        members.setdefault(item.group, []).append(item.prompt)
    return stream.shuffled(list(members.values()))
