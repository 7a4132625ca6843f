"""What tests of hypotheses came to, as records."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hansproof.audit.replies.account import Left
from hansproof.generators.dataset import Hypothesis

__all__ = ["HypothesisReport", "SubsetTable", "Tested", "Untested"]


@dataclass(frozen=True)
class SubsetTable:
    """The contingency table of one subset, and what is not in it."""

    subset: str
    both: int
    """Pairs with both answers right."""
    before_only: int
    """n12: right before the change alone."""
    after_only: int
    """n21: right after the change alone."""
    neither: int
    unclear_before: int
    """Replies of these pairs that give no clear answer; they count as wrong."""
    unclear_after: int
    left_out: int
    """Groups (for styles: items) with a reply to only one of the two, or with several items for one of the two."""
    unanswered: int
    """Pairs among the items with no reply to either."""


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
    two-sided where either is expected. NaN where `note` says why."""
    method: str
    """`exact` or `normal`; empty where there is no p."""
    p_exact: float
    """The exact p, however many pairs are discordant."""
    p_bh: float
    """`p` after Benjamini and Hochberg's correction over the models, for one change and one style."""
    p_bh_all: float
    """The same over all tests of the hypothesis: every model, change and style."""
    supported: bool
    """Whether `p_bh_all` and `p_clusters_bh_all` are at most .05: of hypotheses without any effect, at most 5 % have a
    supported test, also where pairs with something in common answer alike."""
    clusters: int
    """Sets of pairs with something in common (`Hypothesis.shared`: a story, a person); as many as pairs without it."""
    p_clusters: float
    """`p` if only clusters are independent, not the pairs of one; see `hypotheses.shift_test`."""
    p_clusters_bh_all: float
    shift_found: float
    """The smallest shift that so many pairs find with about 80 % power, before the correction; NaN where none is."""
    pairs_needed: float
    """Pairs that find the stated shift with about 80 % power, before the correction."""
    unclear_before: int
    unclear_after: int
    """Replies without a clear answer among the pairs; they count as wrong."""
    left_out: int
    """Groups (for styles: items) with a reply to one of the two only, or with several items for one of the two."""
    left_out_first: tuple[str, ...]
    """The first of them."""
    unanswered: int
    """Pairs among the items of which the model has no reply at all in this style."""
    parts: tuple[SubsetTable, ...]
    """The same table for each subset."""
    note: str
    """Why there is no p; empty where there is one."""


@dataclass(frozen=True)
class Untested:
    """What was not tested: a hypothesis, one of its changes, or one model and style of it."""

    hypothesis: str
    before: str
    """Empty, like `after`, where it is about all changes."""
    after: str
    model: str | None
    """None, like `style`, where it is about all models."""
    style: str | None
    reason: str


@dataclass(frozen=True)
class HypothesisReport:
    """All tests of a file of replies."""

    dataset: str
    version: str
    hypotheses: tuple[Hypothesis, ...]
    """Those that were asked for, tested or not."""
    tests: tuple[Tested, ...]
    """By hypothesis, change, model and style."""
    untested: tuple[Untested, ...]
    shift: float
    """The shift that `pairs_needed` is about, a share."""
    lines: int
    """Records of the file."""
    models: list[str]
    styles: list[str]
    unused: int
    """Replies to items that none of `hypotheses` is about."""
    empty: int
    """Replies that are null: they count as no reply."""
    unmatched: Left
    doubled: Left

    def record(self) -> dict[str, Any]:
        """The report as a JSON object in which undefined numbers are still NaN."""
        return asdict(self)
