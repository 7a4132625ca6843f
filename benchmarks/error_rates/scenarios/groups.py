"""Templates: one answer per template, or a cue within them; groups given or to be found; equal and unequal sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from error_rates.scenario import Expected, Row, Scenario
from error_rates.scenarios.cues import expected_of
from error_rates.scenarios.planting import even, plant, rows
from error_rates.texts import Texts
from hansproof.generators.planted_cues.dataset import generate
from hansproof.generators.planted_cues.design import SUBSETS
from hansproof.generators.stream import Stream

__all__ = ["MADE_TEMPLATES", "MOST", "groups", "made_templates", "real_templates", "unequal_sizes"]

MADE_TEMPLATES = {name: planted.templates for name, planted in SUBSETS.items() if planted.templates >= 20}
"""The subsets in which items share templates, and how many templates each has, where these are not few."""

MOST = 14
"""Items of the largest group where sizes are unequal."""

_BOUND = Expected(frozenset({"TEMPLATE-BOUND"}), frozenset({"INCONCLUSIVE"}))
_LEAK = Expected(frozenset({"LEAKS"}), frozenset({"TRACES", "INCONCLUSIVE"}))

Pool = Callable[[Stream, int], list[list[str]]]
"""(stream, items wanted per template) -> texts by template."""


def groups(texts: Sequence[Texts]) -> Iterator[Scenario]:
    """All of them, on each of the texts whose templates are known and on made ones."""
    for known in texts:
        if known.groups is not None:
            yield from _on(known.name, real_templates(known), count=60, per=10, repeats=40)
            yield from _cued(known)
    for subset, count in MADE_TEMPLATES.items():
        yield from _on(
            f"made: {subset}",
            made_templates(subset),
            count=count,
            per=600 // count,
            repeats=16 if subset == "template-only" else 6,
        )


def unequal_sizes(count: int, stream: Stream) -> list[int]:
    """Sizes of `count` groups, 1 to MOST, geometric: a group gets one more item with probability 3/4."""
    sizes = []
    for _ in range(count):
        size = 1
        while size < MOST and stream.chance(3, 4):
            size += 1
        sizes.append(size)
    return sizes


def _on(texts: str, pool: Pool, *, count: int, per: int, repeats: int) -> Iterator[Scenario]:
    for given in (True, False):
        way, times, least = ("groups given", repeats, 0.95) if given else ("groups found", repeats // 2, 0.85)
        for sizes, n, size in (("equal sizes", count * per, per), (f"sizes 1 to {MOST}", count * 4, None)):
            yield Scenario("one answer per template", f"{sizes}, {way}", texts, n, _BOUND.at_least(least),
                           _bound(pool, count, size, given), times, coverage=True)  # fmt: skip


def real_templates(texts: Texts) -> Pool:
    """The templates of a file, in random order; a template has no more items than the file has."""

    def pool(stream: Stream, per: int) -> list[list[str]]:
        return [stream.sample(members, min(per, len(members))) for members in stream.shuffled(texts.templates())]

    return pool


def made_templates(subset: str) -> Pool:
    """Templates of a subset of `planted_cues`; other streams give other templates or other words in them."""

    def pool(stream: Stream, per: int) -> list[list[str]]:
        members: dict[str, list[str]] = {}
        for item in generate(subset, stream.child("seed").below(2**31), MADE_TEMPLATES[subset] * per):
            members.setdefault(item.group, []).append(item.prompt)
        return stream.shuffled(list(members.values()))

    return pool


def _bound(pool: Pool, count: int, per: int | None, given: bool) -> Callable[[Stream], list[Row]]:
    """`count` templates with `per` items each, or of unequal sizes, and one answer per template."""

    def make(stream: Stream) -> list[Row]:
        templates = pool(stream.child("texts"), per or MOST)[:count]
        sizes = [per] * len(templates) if per else unequal_sizes(len(templates), stream.child("sizes"))
        answers = even(len(templates), 2, stream.child("answers"))
        items = [
            (text, answers[number], f"template-{number}")
            for number, (members, size) in enumerate(zip(templates, sizes, strict=True))
            for text in members[:size]
        ]
        prompts, golds, names = zip(*stream.child("order").shuffled(items), strict=True)
        return rows(prompts, golds, names if given else None)

    return make


def _cued(texts: Texts) -> Iterator[Scenario]:
    """A cue of one word within templates whose items have different answers."""
    for kappa, given, repeats in ((0.15, True, 20), (0.3, True, 40), (0.4, True, 15), (0.4, False, 15)):
        expected = expected_of(kappa, 600, "one word")
        yield Scenario(
            family="cue: one word, in templates",
            case="groups given" if given else "groups found",
            texts=texts.name,
            n=600,
            expected=_LEAK.at_least(0.95 if given else 0.85) if kappa == 0.4 else expected,
            make=_cue_in_templates(texts, 60, 10, kappa, given),
            repeats=repeats,
            kappa=kappa,
            coverage=True,
        )


def _cue_in_templates(texts: Texts, count: int, per: int, kappa: float, given: bool) -> Callable[[Stream], list[Row]]:
    def make(stream: Stream) -> list[Row]:
        templates = real_templates(texts)(stream.child("texts"), per)[:count]
        prompts = [text for members in templates for text in members]
        names = [str(number) for number, members in enumerate(templates) for _ in members]
        made = plant("one word", prompts, even(len(prompts), 2, stream.child("answers")), kappa, stream)
        return [{**row, "group": name} for row, name in zip(made, names, strict=True)] if given else made

    return make
