"""Texts whose templates are known by construction: of `generators.planted_cues`, and of the kinds of `groups`."""

from __future__ import annotations

from groups.template_kinds import KINDS

from generators.planted_cues.dataset import generate
from generators.planted_cues.subsets import SUBSETS
from generators.stream import Stream

__all__ = ["KINDS_OF_TEMPLATES", "MADE_TEMPLATES", "kind_of_templates", "made_templates"]

_MANY = 20

MADE_TEMPLATES = {name: planted.templates for name, planted in SUBSETS.items() if planted.templates >= _MANY}
"""The subsets in which items share templates, and how many templates each has, where these are not few."""

KINDS_OF_TEMPLATES = tuple(name for name in KINDS if not name.startswith("no templates"))
"""Scripts, slots, passages, tables and code. The group finder was developed on these kinds, so it may do worse on
others; the subsets of `planted_cues` are independent of it."""


def made_templates(subset: str, stream: Stream, per: int) -> list[list[str]]:
    """Prompts by template, `per` of each; other streams give other templates or other words in them."""
    members: dict[str, list[str]] = {}
    for item in generate(subset, stream.child("seed").below(2**31), MADE_TEMPLATES[subset] * per):
        members.setdefault(item.group, []).append(item.prompt)
    return stream.shuffled(list(members.values()))


def kind_of_templates(name: str, stream: Stream) -> list[list[str]]:
    """Prompts by template, of one of KINDS_OF_TEMPLATES; unrelated texts are templates of one prompt."""
    members: dict[str, list[str]] = {}
    for text, group in zip(*KINDS[name](stream), strict=True):
        members.setdefault(group, []).append(text)
    return list(members.values())
