"""An audit as a reader meets it: what stands beside what, and which feature vectors carry a mark.

The terminal and the page both read a result through `Findings`, so they say the same thing.
"""

from __future__ import annotations

from typing import NamedTuple

from audit.report.words import SCHEMES
from audit.result.audit_result import AuditResult, Cue, VectorResult

__all__ = ["Findings", "Probe", "Role"]


class Probe(NamedTuple):
    """The probe of one feature vector: its row in the tables."""

    vector: VectorResult
    """Under the first scheme."""
    deciding: bool
    """The verdict is about this feature vector."""
    chosen: bool
    """Validation under the first scheme chose this feature vector."""
    kappa: float | None
    """The kappa of the main column: of matched predictions, or the uniform-chance one under the paper's protocol."""
    beside: float | None
    """The same under the second scheme; None without one."""


class Role(NamedTuple):
    """One role and the column that has it."""

    name: str
    column: str
    guessed: bool


class Findings:
    """One result, arranged for showing."""

    def __init__(self, result: AuditResult) -> None:
        self.result = result
        self.first = result.schemes[0] if result.schemes else None
        """The scheme of the main column; None if nothing was measured."""
        self.ungrouped = _ungrouped(result)
        """No two items belong together, so random folds repeat the grouped ones."""
        self.second = result.schemes[1] if len(result.schemes) > 1 and not self.ungrouped else None
        """The scheme of the column beside it, if there is one."""
        self.paper = self.first is not None and self.first.scheme == "paper"
        """The audit followed the paper's protocol."""
        self.deciding = result.deciding_scheme or self.first
        """The scheme that the verdict is about."""
        self.gap = None if self.ungrouped else result.gap
        """Random minus grouped folds; None if the two are the same."""
        self.about_a_probe = result.verdict in ("LEAKS", "TEMPLATE-BOUND", "TRACES") or (
            self.first is not None and result.vector != self.first.headline
        )
        """The verdict is about one feature vector; otherwise the one that validation chose stands for all."""
        self.probes = self._probes()
        """The thirteen first, then the others."""
        self.cues = self._cues()
        """N-grams by the answer that they point to."""
        self.roles = self._roles()

    def _probes(self) -> list[Probe]:
        if self.first is None:
            return []
        probes = []
        for vector in sorted(self.first.vectors, key=lambda vector: not vector.counted):  # stable
            beside = self.second.find(vector.vector) if self.second else None
            probes.append(
                Probe(
                    vector,
                    vector.vector == self.result.vector,
                    vector.vector == self.first.headline,
                    vector.uniform if self.paper else vector.matched,
                    beside.matched if beside else None,
                )
            )
        return probes

    def _cues(self) -> dict[str, list[Cue]]:
        cues: dict[str, list[Cue]] = {}
        for cue in self.result.cues:
            cues.setdefault(cue.label, []).append(cue)
        return cues

    def _roles(self) -> list[Role]:
        mapping = self.result.mapping
        columns = {
            "prompt": mapping.prompt,
            "answer": mapping.answer,
            "answer part": self.result.settings.answer_part,
            "group": mapping.group,
            "split": mapping.split,
            "id": mapping.id,
            "choices": mapping.choices,
        }
        return [Role(name, column, name in mapping.guessed) for name, column in columns.items() if column]

    def folds(self, scheme: str | None) -> str:
        """The display name of a fold scheme; `out of fold` where both schemes are the same."""
        return "out of fold" if self.ungrouped or scheme is None else SCHEMES[scheme]

    def label_of(self, vector: str) -> str:
        """The display name of a feature vector; its stable name if it was not run."""
        for scheme in self.result.schemes:
            if (match := scheme.find(vector)) is not None:
                return match.label
        return vector


def _ungrouped(result: AuditResult) -> bool:
    grouped, random = result.scheme("grouped"), result.scheme("random")
    return grouped is not None and random is not None and grouped.vectors == random.vectors
