"""What the page needs of a result beyond its fields: neighbours put together, classes and axes worked out.

Reads a result, gives plain values for the templates; no number is computed here that the result does not
have, but for sums of its counts.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from audit.report import words
from audit.report.page import drawing
from audit.report.page.keyfigures import key_figures
from audit.result import AuditResult, Cue, ScanResult, VectorResult

__all__ = ["HeatMap", "HeatRow", "ProbeRow", "Strongest", "View", "maps"]

_TONES = 6
"""Answers that have a colour and a line of their own; further ones start again."""


class ProbeRow(NamedTuple):
    """One feature vector under the first scheme, and its Cohen's kappa under the second."""

    vector: VectorResult
    about: bool
    """The verdict is about this vector."""
    chosen: bool
    """Validation accuracy under the first scheme chose this vector."""
    value: float | None
    """The kappa that decides: Cohen's, or uniform-chance under the paper's protocol."""
    beside: float | None
    at_threshold: bool


class View:
    """One result as one page or one section sees it."""

    def __init__(self, result: AuditResult, prefix: str) -> None:
        self.result = result
        self.prefix = prefix
        """Before every id, so that several results stand in one document."""
        self.look = words.VERDICTS[result.verdict]
        self.first = result.schemes[0] if result.schemes else None
        self.same = words.unparted(result)
        self.second = result.schemes[1] if len(result.schemes) > 1 and not self.same else None
        self.paper = self.first is not None and self.first.scheme == "paper"
        self.evident = result.deciding_scheme
        self.figures = key_figures(result)
        self.rows = self._rows()
        self.scale = drawing.Scale.over(self._drawn(), result.settings.threshold)
        self.command = words.command(result)
        self.roles = words.mapping_roles(result.mapping)
        self.label_bars = drawing.bars((one.label, one.count, 0) for one in result.labels[:20])
        self.size_bars = drawing.size_classes(result.groups.sizes) if result.groups else []
        self.cues = self._cues()

    def _rows(self) -> list[ProbeRow]:
        if self.first is None:
            return []
        rows = []
        for one in sorted(self.first.vectors, key=lambda one: not one.counted):  # stable: the thirteen first
            value = one.uniform if self.paper else one.cohen
            reached = value is not None and value >= self.result.settings.threshold
            about, chosen = one.vector == self.result.vector, one.vector == self.first.headline
            rows.append(ProbeRow(one, about, chosen, value, self.random(one.vector), reached))
        return rows

    def _drawn(self) -> list[float | None]:
        return [
            number
            for row in self.rows
            for number in (row.value, row.beside, row.vector.cohen_low, row.vector.cohen_high)
        ]

    def _cues(self) -> dict[str, list[Cue]]:
        found: dict[str, list[Cue]] = {}
        for cue in self.result.cues:
            found.setdefault(cue.label, []).append(cue)
        return found

    def random(self, vector: str) -> float | None:
        """Cohen's kappa of `vector` under the second scheme."""
        return (
            None
            if self.second is None
            else next((one.cohen for one in self.second.vectors if one.vector == vector), None)
        )

    def label_of(self, vector: str) -> str:
        """The name for people of a vector."""
        return words.label_of(self.result, vector)

    def tone(self, label: str) -> int:
        """Which colour and line marks an answer: by its place among the labels."""
        places = [one.label for one in self.result.labels]
        return places.index(label) % _TONES if label in places else _TONES - 1

    @property
    def marked(self) -> list[str]:
        """The answers that occur as marks in the giveaway items, in the order of the labels."""
        used = {cue.label for item in self.result.giveaways for cue in item.cues}
        known = [one.label for one in self.result.labels if one.label in used]
        return known + sorted(used.difference(known))


class Strongest(NamedTuple):
    """What the strongest of the counted vectors reaches under random folds."""

    value: float | None
    label: str
    framed: bool
    """The verdict stands on random folds."""


class HeatRow(NamedTuple):
    """One benchmark of a heat map."""

    number: int
    """Of its section."""
    result: AuditResult
    values: list[float | None]
    """One kappa a vector."""
    framed: str | None
    """The vector that the verdict is about, where it is about this scheme."""
    strongest: Strongest | None
    """For the column beside the map; None where random folds were not run."""


class HeatMap(NamedTuple):
    """Benchmarks by vectors for one measure: what Figure 1 of Pacchiardi et al. (2024) shows."""

    title: str
    vectors: list[tuple[str, str]]
    """(stable name, name for people), in the order of the first benchmark that has it."""
    rows: list[HeatRow]
    beside: bool
    """Whether the column of random folds stands beside it."""


_MEASURES: tuple[tuple[str, Literal["cohen", "uniform"], str], ...] = (
    ("grouped", "cohen", "Cohen's kappa, grouped folds"),
    ("random", "cohen", "Cohen's kappa, random folds"),
    ("grouped", "uniform", "Uniform-chance kappa, grouped folds"),
    ("random", "uniform", "Uniform-chance kappa, random folds"),
    ("paper", "uniform", "Uniform-chance kappa, the paper's single split"),
    ("paper", "cohen", "Cohen's kappa, the paper's single split"),
)


def maps(scan: ScanResult) -> list[HeatMap]:
    """One map for each fold scheme and kappa that occurs; the one that decides most verdicts comes first."""
    found = []
    for name, measure, title in _MEASURES:
        known = [(number, one) for number, one in enumerate(scan.results, start=1) if one.scheme(name) is not None]
        if known:
            found.append(_map(name, measure, title, known))
    return found


def _map(name: str, measure: Literal["cohen", "uniform"], title: str, known: list[tuple[int, AuditResult]]) -> HeatMap:
    names: dict[str, str] = {}
    rows = []
    for _, result in known:
        for one in sorted(_vectors(result, name), key=lambda one: not one.counted):
            names.setdefault(one.vector, one.label)
    for number, result in known:
        values = {one.vector: one.cohen if measure == "cohen" else one.uniform for one in _vectors(result, name)}
        about = result.deciding_scheme
        framed = result.vector if about is not None and about.scheme == name else None
        rows.append(HeatRow(number, result, [values.get(one) for one in names], framed, _strongest(result)))
    beside = (name, measure) == ("grouped", "cohen") and any(row.strongest for row in rows)
    return HeatMap(title, list(names.items()), rows, beside)


def _vectors(result: AuditResult, name: str) -> list[VectorResult]:
    scheme = result.scheme(name)
    return scheme.vectors if scheme is not None else []


def _strongest(result: AuditResult) -> Strongest | None:
    known = [one for one in _vectors(result, "random") if one.counted]
    if not known:
        return None
    best = max(known, key=lambda one: -2.0 if one.cohen is None else one.cohen)
    about = result.deciding_scheme
    return Strongest(best.cohen, best.label, about is not None and about.scheme == "random")
