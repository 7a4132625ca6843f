"""Every hypothesis of a family, tested on every model that answered it, and corrected for how many tests there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import nan
from os import PathLike
from typing import Any

from audit.responses.hypotheses.mcnemar import benjamini_hochberg, shift_test
from audit.responses.hypotheses.pairs import Counts, count_pairs
from audit.responses.hypotheses.power import ALPHA, pairs_needed, shift_found
from audit.responses.hypotheses.records import Left, Replies, read_replies
from generators.errors import InputError, UsageError, unknown
from generators.hypothesis import Hypothesis
from generators.item import Item
from generators.progress import Progress, unwatched
from generators.registry import MODULES, dataset

__all__ = ["HypothesisReport", "Part", "Tested", "examine_hypotheses"]

SHIFT = 0.05
"""The shift that power is stated for where none is given: five points of accuracy."""


@dataclass(frozen=True)
class Part:
    """The contingency table of one subset."""

    subset: str
    both: int
    before_only: int
    after_only: int
    neither: int


@dataclass(frozen=True)
class Tested:
    """One change, one model, one prompt style: the contingency table, the test and its power."""

    hypothesis: str
    before: str
    """The condition or the style before the change."""
    after: str
    model: str
    style: str
    """The style of both replies; empty where none is named, and where the change is one of styles."""
    pairs: int
    both: int
    """Pairs with both answers right."""
    before_only: int
    """n12: only the answer before the change is right."""
    after_only: int
    """n21: only the answer after the change is right."""
    neither: int
    before_right: float
    """Share of the pairs that are right before the change."""
    after_right: float
    shift: float
    """The second less the first: positive where the change helps."""
    z: float
    """(n21 - n12) / sqrt(n12 + n21), no continuity correction; NaN without discordant pairs."""
    p: float
    """Exact with at most ten discordant pairs, else of the normal distribution; one-sided in the expected direction,
    two-sided where either is expected."""
    method: str
    """`exact` or `normal`."""
    p_bh: float
    """`p` after Benjamini and Hochberg's correction over the models, for one change and one style."""
    p_bh_all: float
    """The same over all tests of the hypothesis: every model, change and style."""
    supported: bool
    """Whether `p_bh` is at most .05."""
    shift_found: float
    """The smallest shift that so many pairs, with so many discordant ones, find with 80 % power; NaN if none is."""
    pairs_needed: float
    """Pairs that find the stated shift with 80 % power; NaN where the discordant pairs cannot hold it."""
    unparsed_before: int
    unparsed_after: int
    """Replies without a clear answer among the pairs; they count as wrong."""
    left_out: int
    """Groups (for styles: items) with a reply to one of the two only."""
    parts: tuple[Part, ...]
    """The same table for each subset."""
    note: str
    """What cannot be relied on, in words; empty where all is well."""


@dataclass(frozen=True)
class HypothesisReport:
    """All tests of a file of replies."""

    dataset: str
    version: str
    hypotheses: tuple[Hypothesis, ...]
    """Those that were asked for, tested or not."""
    tests: tuple[Tested, ...]
    """By hypothesis, change, model and style."""
    untested: dict[str, str]
    """Hypothesis -> why there is no pair to test it on."""
    shift: float
    """The shift that `pairs_needed` is about, a share."""
    lines: int
    """Records of the file."""
    models: list[str]
    styles: list[str]
    unmatched: Left
    doubled: Left

    def record(self) -> dict[str, Any]:
        """The report as a JSON object in which undefined numbers are still NaN."""
        return asdict(self)


def examine_hypotheses(
    answers: PathLike[str] | str,
    items: Sequence[Item],
    names: Sequence[str] = (),
    shift: float = SHIFT,
    progress: Progress = unwatched,
) -> HypothesisReport:
    """Test the hypotheses of the items' family (those called `names`, or all) on a file of replies.

    Pairs of all subsets of a hypothesis count together. Each model, prompt style and change is a test of its own, and
    the p-values are corrected over the models. Raises UsageError for a family without hypotheses, an
    unknown one, and a shift that is no share; InputError for files that cannot be read and for items of several
    releases.
    """
    releases = list(dict.fromkeys((str(item.metadata["dataset"]), str(item.metadata["version"])) for item in items))
    if len(releases) != 1:
        raise InputError(f"{len(releases)} releases to test; test one at a time")
    name, version = releases[0]
    family = dataset(name) if name in MODULES else None
    if family is None or not family.hypotheses:
        raise UsageError(f"{name} declares no hypotheses, so there is nothing to test; score it without --test")
    if not 0 < abs(shift) <= 1:
        raise UsageError(f"the shift must be a share above 0 and up to 1, not {shift}")
    declared = {hypothesis.name: hypothesis for hypothesis in family.hypotheses}
    for asked in names:
        if asked not in declared:
            raise unknown("hypothesis", asked, declared, within=name)
    chosen = tuple(declared[asked] for asked in dict.fromkeys(names or declared))
    replies = read_replies(answers, items, family.scorer, progress)
    tests: list[Tested] = []
    untested: dict[str, str] = {}
    for hypothesis in chosen:
        made = _tests(items, replies, hypothesis, shift)
        tests += made
        if not made:
            untested[hypothesis.name] = _why_none(items, replies, hypothesis)
    return HypothesisReport(
        dataset=name,
        version=version,
        hypotheses=chosen,
        tests=tuple(tests),
        untested=untested,
        shift=shift,
        lines=replies.lines,
        models=replies.models,
        styles=replies.styles,
        unmatched=replies.unmatched,
        doubled=replies.doubled,
    )


def _tests(items: Sequence[Item], replies: Replies, hypothesis: Hypothesis, shift: float) -> list[Tested]:
    made = []
    for change in hypothesis.changes:
        tables: dict[tuple[int, int], list[Counts]] = {}
        for counts in count_pairs(items, replies, hypothesis, change):
            tables.setdefault((counts.model, counts.style), []).append(counts)
        for (model, style), parts in tables.items():
            tested = _tested(hypothesis, change, parts, shift)
            if tested.pairs:
                named = replies.styles[style] if style >= 0 else ""
                made.append(replace(tested, model=replies.models[model], style=named))
    return _corrected(made)


def _corrected(tests: Sequence[Tested]) -> list[Tested]:
    """The tests with their corrected p-values, in the same order."""
    over_models = [nan] * len(tests)
    families: dict[tuple[str, str, str], list[int]] = {}
    for place, tested in enumerate(tests):
        families.setdefault((tested.before, tested.after, tested.style), []).append(place)
    for places in families.values():
        for place, p in zip(places, benjamini_hochberg([tests[place].p for place in places]), strict=True):
            over_models[place] = p
    over_all = benjamini_hochberg([tested.p for tested in tests])
    return [
        replace(tested, p_bh=p, p_bh_all=p_all, supported=p <= ALPHA)
        for tested, p, p_all in zip(tests, over_models, over_all, strict=True)
    ]


def _tested(hypothesis: Hypothesis, change: tuple[str, str], parts: Sequence[Counts], shift: float) -> Tested:
    both, neither = sum(counts.both for counts in parts), sum(counts.neither for counts in parts)
    before_only, after_only = sum(counts.before_only for counts in parts), sum(counts.after_only for counts in parts)
    unparsed_before, unparsed_after = (
        sum(counts.unparsed_before for counts in parts),
        sum(counts.unparsed_after for counts in parts),
    )
    left_out = sum(counts.left_out for counts in parts)
    pairs = both + before_only + after_only + neither
    test = shift_test(before_only, after_only, hypothesis.expects)
    discordant = (before_only + after_only) / pairs if pairs else nan
    two_sided = hypothesis.expects == "either"
    notes = []
    if left_out:
        notes.append(f"left out, with a reply to one of the two only: {left_out:,}")
    if unparsed_before + unparsed_after:
        notes.append(f"unparsed, counted as wrong: {unparsed_before:,} before and {unparsed_after:,} after the change")
    return Tested(
        hypothesis=hypothesis.name,
        before=change[0],
        after=change[1],
        model="",
        style="",
        pairs=pairs,
        both=both,
        before_only=before_only,
        after_only=after_only,
        neither=neither,
        before_right=(both + before_only) / pairs if pairs else nan,
        after_right=(both + after_only) / pairs if pairs else nan,
        shift=(after_only - before_only) / pairs if pairs else nan,
        z=test.z,
        p=test.p,
        method=test.method,
        p_bh=nan,
        p_bh_all=nan,
        supported=False,
        shift_found=shift_found(pairs, discordant, two_sided),
        pairs_needed=pairs_needed(shift, discordant, two_sided),
        unparsed_before=unparsed_before,
        unparsed_after=unparsed_after,
        left_out=left_out,
        parts=tuple(
            Part(counts.subset, counts.both, counts.before_only, counts.after_only, counts.neither) for counts in parts
        ),
        note="; ".join(notes),
    )


def _why_none(items: Sequence[Item], replies: Replies, hypothesis: Hypothesis) -> str:
    there = {item.metadata["subset"] for item in items}
    if not there & set(hypothesis.subsets):
        return f"none of its subsets is among the items: {', '.join(hypothesis.subsets)}"
    if hypothesis.styles:
        wanted = dict.fromkeys(style for change in hypothesis.changes for style in change)
        lacking = [style for style in wanted if style not in replies.styles]
        if lacking:
            return f"it compares prompt styles, and no reply has the style {', '.join(lacking)}"
    return "no model has replies to both sides of a pair"
