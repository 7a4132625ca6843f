"""An audit as a reader meets it: what stands beside what, and the key figures at the head of a page."""

from __future__ import annotations

from typing import NamedTuple

from hansproof.audit import notation
from hansproof.audit.report import drawing
from hansproof.audit.report.document import KeyFigure
from hansproof.audit.report.words import SCHEMES
from hansproof.audit.result.advice import of_pairs
from hansproof.audit.result.audit_result import AuditResult, Cue, VectorResult

__all__ = ["ArrangedResult", "Probe", "key_figures"]


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


class ArrangedResult:
    """One result, arranged for showing."""

    def __init__(self, result: AuditResult) -> None:
        self.result = result
        self.first = result.schemes[0] if result.schemes else None
        """The scheme of the main column; None if nothing was measured."""
        grouped, random = result.scheme("grouped"), result.scheme("random")
        self.ungrouped = grouped is not None and random is not None and grouped.vectors == random.vectors
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
        self.cues: dict[str, list[Cue]] = {}
        """N-grams by the answer that they point to."""
        for cue in result.cues:
            self.cues.setdefault(cue.label, []).append(cue)
        self.variant = "" if result.options is None else "pairs" if result.options.pairs else "options"
        """In which words sections speak of the items."""
        self.roles = self._roles()
        self.tones = [label.label for label in result.labels]
        """The answers in the order of their colours."""

    def worded(self, text: str) -> str:
        """Words of ours on options in those of the items: of pairs on replies."""
        return of_pairs(text) if self.variant == "pairs" else text

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

    @property
    def marks(self) -> list[str]:
        """What the marks of feature vectors mean: the verdict may be about another one than validation chose."""
        if self.first is None or self.deciding is None:
            return []
        about, chosen = "▸ what the verdict is about", "chosen by validation"
        if not self.about_a_probe:
            return [f"▸ {chosen}"]
        about += f" ({self.folds(self.deciding.scheme)})" if self.second else ""
        return [f"{about}; also {chosen}"] if self.result.vector == self.first.headline else [about, f"• {chosen}"]

    def folds(self, scheme: str | None) -> str:
        """The display name of a fold scheme; `out of fold` where both schemes are the same."""
        return "out of fold" if self.ungrouped or scheme is None else SCHEMES[scheme]

    def label_of(self, vector: str) -> str:
        """The display name of a feature vector; its stable name if it was not run."""
        for scheme in self.result.schemes:
            if (match := scheme.find(vector)) is not None:
                return match.label
        return vector


def key_figures(findings: ArrangedResult) -> list[KeyFigure]:
    """Kappa and accuracy of the feature vector that the verdict is about, and the size of the benchmark.

    What was not measured or not read is left out.
    """
    result, deciding, name = findings.result, findings.deciding, findings.result.vector or ""
    figures = []
    schemes = sorted(result.schemes, key=lambda scheme: scheme is not deciding)
    for scheme in schemes[:1] if findings.ungrouped else schemes:
        if (vector := scheme.find(name)) is not None:
            where = "test part" if findings.paper else findings.folds(scheme.scheme)
            known = [notation.interval(vector.matched_low, vector.matched_high), drawing.strength(vector.matched)]
            note = ", ".join(filter(None, known)) if vector.matched is not None else ""
            note = "; ".join(filter(None, (note, vector.label)))
            figures.append(KeyFigure(f"Kappa, {where}", notation.kappa(vector.matched), note))
    if deciding is not None and (vector := deciding.find(name)) is not None:
        guess = f"always giving the most common answer: {notation.per_cent(deciding.majority_accuracy)}"
        guess = f"guessing: {notation.per_cent(result.options.chance)}" if result.options else guess
        figures.append(KeyFigure("Accuracy", notation.per_cent(vector.accuracy), guess))
    if result.items:
        left_out = notation.things(result.left_out_count, "row")
        figures.append(KeyFigure("Items", notation.count(result.items), f"{left_out} left out"))
    return figures
