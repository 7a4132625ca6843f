"""The heat maps of a folder: benchmarks by feature vectors, as in Figure 1 of Pacchiardi et al. (2024)."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from hansproof.audit.result.audit_result import AuditResult, ScanResult, VectorResult
from hansproof.audit.result.record import or_least

__all__ = ["maps"]


class Strongest(NamedTuple):
    """The highest kappa of the thirteen feature vectors under random folds."""

    value: float | None
    label: str
    framed: bool
    """The verdict is about random folds."""


class HeatRow(NamedTuple):
    """One benchmark of a heat map."""

    number: int
    """The number of its section."""
    result: AuditResult
    values: list[float | None]
    """One kappa for each feature vector."""
    framed: str | None
    """The feature vector that the verdict is about, if it is about this scheme."""
    strongest: Strongest | None
    """For the column beside the map; None without random folds."""


class HeatMap(NamedTuple):
    """Benchmarks by feature vectors for one fold scheme and one kappa."""

    title: str
    vectors: list[VectorResult]
    """One of each, the thirteen first, for its names."""
    rows: list[HeatRow]
    beside: bool
    """Whether the column of random folds stands beside the map."""


_MEASURES: Final[tuple[tuple[str, Literal["matched", "uniform"], str], ...]] = (
    ("grouped", "matched", "Cohen's kappa, grouped folds"),
    ("random", "matched", "Cohen's kappa, random folds"),
    ("grouped", "uniform", "Uniform-chance kappa, grouped folds"),
    ("random", "uniform", "Uniform-chance kappa, random folds"),
    ("published", "matched", "Cohen's kappa, published split"),
    ("paper", "uniform", "Uniform-chance kappa, the paper's single split"),
    ("paper", "matched", "Cohen's kappa, the paper's single split"),
)


def maps(scan: ScanResult) -> list[HeatMap]:
    """A map for each fold scheme and kappa that was measured; the one that decides most verdicts comes first."""
    return [
        _map(name, measure, title, measured)
        for name, measure, title in _MEASURES
        if (measured := [(n, result) for n, result in enumerate(scan.results, start=1) if result.scheme(name)])
    ]


def _map(
    name: str, measure: Literal["matched", "uniform"], title: str, measured: list[tuple[int, AuditResult]]
) -> HeatMap:
    vectors: dict[str, VectorResult] = {}
    for _, result in measured:
        for vector in _vectors(result, name):
            vectors.setdefault(vector.vector, vector)
    columns = sorted(vectors.values(), key=lambda vector: not vector.counted)
    rows = []
    for number, result in measured:
        values = {v.vector: v.matched if measure == "matched" else v.uniform for v in _vectors(result, name)}
        framed = result.vector if _is_about(result, name) else None
        rows.append(
            HeatRow(number, result, [values.get(column.vector) for column in columns], framed, _strongest(result))
        )
    beside = (name, measure) == ("grouped", "matched") and any(row.strongest for row in rows)
    if any(result.options is not None for _, result in measured):
        title += " (where items have their own options: kappa beyond guessing among them)"
    return HeatMap(title, columns, rows, beside)


def _vectors(result: AuditResult, name: str) -> list[VectorResult]:
    scheme = result.scheme(name)
    return scheme.vectors if scheme is not None else []


def _is_about(result: AuditResult, name: str) -> bool:
    return result.deciding_scheme is not None and result.deciding_scheme.scheme == name


def _strongest(result: AuditResult) -> Strongest | None:
    counted = [vector for vector in _vectors(result, "random") if vector.counted]
    if not counted:
        return None
    best = max(counted, key=lambda vector: or_least(vector.matched))
    return Strongest(best.matched, best.label, _is_about(result, "random"))
