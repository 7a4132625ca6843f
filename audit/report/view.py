"""What the page needs of a result beyond its fields: neighbours put together, classes and axes worked out.

Reads a result, gives plain values for the templates; no number is computed here that the result does not
have, but for sums of its counts.
"""

from __future__ import annotations

from typing import NamedTuple

from audit.report import drawing, words
from audit.result import AuditResult, Cue, ScanResult, SchemeResult, VectorResult

__all__ = ["HeatMap", "ProbeRow", "View", "maps"]

_TONES = 6
"""Answers that have a colour and a line of their own; further ones start again."""


class ProbeRow(NamedTuple):
    """One feature vector under the first scheme, and its Cohen's kappa under the second."""

    vector: VectorResult
    chosen: bool
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
        self.second = result.schemes[1] if len(result.schemes) > 1 else None
        self.paper = self.first is not None and self.first.scheme == "paper"
        self.head = words.deciding(result)
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
            rows.append(ProbeRow(one, one.vector == self.first.headline, value, self.random(one.vector), reached))
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


class HeatMap(NamedTuple):
    """Benchmarks by vectors for one measure: what Figure 1 of Pacchiardi et al. (2024) shows."""

    title: str
    vectors: list[tuple[str, str]]
    """(stable name, name for people), in the order of the first benchmark that has it."""
    rows: list[tuple[int, AuditResult, list[float | None]]]
    """(number of its section, the result, one kappa a vector)."""
    thresholds: list[float]
    chosen: list[str]
    """The vector each benchmark's validation accuracy chose."""


_MEASURES = (
    ("grouped", "cohen", "Cohen's kappa, grouped folds"),
    ("grouped", "uniform", "Uniform-chance kappa, grouped folds"),
    ("random", "cohen", "Cohen's kappa, random folds"),
    ("random", "uniform", "Uniform-chance kappa, random folds"),
    ("paper", "uniform", "Uniform-chance kappa, the paper's single split"),
    ("paper", "cohen", "Cohen's kappa, the paper's single split"),
)


def maps(scan: ScanResult) -> list[HeatMap]:
    """One map for each fold scheme and kappa that occurs; the one that decides the verdict comes first."""
    found = []
    for scheme_name, measure, title in _MEASURES:
        schemes = [(number, one, one.scheme(scheme_name)) for number, one in enumerate(scan.results, start=1)]
        known = [(number, one, scheme) for number, one, scheme in schemes if scheme is not None]
        if known:
            found.append(_map(title, measure, known))
    return found


def _map(title: str, measure: str, known: list[tuple[int, AuditResult, SchemeResult]]) -> HeatMap:
    names: dict[str, str] = {}
    for _, _, scheme in known:
        for one in sorted(scheme.vectors, key=lambda one: not one.counted):
            names.setdefault(one.vector, one.label)
    rows: list[tuple[int, AuditResult, list[float | None]]] = []
    for number, result, scheme in known:
        values: dict[str, float | None] = {one.vector: getattr(one, measure) for one in scheme.vectors}
        rows.append((number, result, [values.get(name) for name in names]))
    return HeatMap(
        title,
        list(names.items()),
        rows,
        [result.settings.threshold for _, result, _ in known],
        [result.vector or scheme.headline for _, result, scheme in known],
    )
