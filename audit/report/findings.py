"""An audit as a reader meets it: what stands beside what, and the key figures at the head of a page."""

from __future__ import annotations

from typing import NamedTuple

from hansproof.audit import notation
from hansproof.audit.report import drawing
from hansproof.audit.report.document import KeyFigure
from hansproof.audit.report.words import SCHEMES
from hansproof.audit.result.audit_result import AuditResult, Cue, SchemeResult, VectorResult

__all__ = ["UNSEEN", "ArrangedResult", "Probe", "key_figures"]

UNSEEN = "in no prompt"
"""The name, among the roles, of columns that have none."""


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
        self.roles = self._roles()
        self.tones = [label.label for label in result.labels]
        """The answers in the order of their colours."""

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
            UNSEEN: ", ".join(mapping.unseen),
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
    """The numbers of the deciding feature vector, then the size of the benchmark.

    Figures with nothing to say are left out: kappas if nothing was measured, items if none were read, the second
    fold scheme if there are no groups.
    """
    return [*_measured(findings), *_size(findings.result)]


def _measured(findings: ArrangedResult) -> list[KeyFigure]:
    scheme, name = findings.deciding, findings.result.vector
    vector = scheme.find(name) if scheme else None
    if scheme is None or vector is None:
        return []
    where = "test part" if findings.paper else findings.folds(scheme.scheme)
    most_common = f"always giving the most common answer: {notation.kappa(scheme.majority_uniform)}"
    uniform = KeyFigure(f"Uniform-chance kappa, {where}", notation.kappa(vector.uniform), most_common)
    matched = _matched(vector, where, vector.label, "Cohen's kappa" if findings.paper else "Kappa")
    if findings.result.options is not None:
        figures = [matched, *_of_options(findings, scheme)]
    elif findings.paper:
        figures = [uniform, matched]  # the kappa that the paper plots comes first
    else:
        figures = [matched]
        for other in () if findings.ungrouped else findings.result.schemes:
            beside = other.find(name)
            if other is not scheme and beside is not None:
                contrast = f"same feature vector, groups {'split' if other.scheme == 'random' else 'kept together'}"
                figures.append(_matched(beside, findings.folds(other.scheme), contrast))
        figures.append(uniform)
    majority = f"always giving the most common answer: {notation.per_cent(scheme.majority_accuracy)}"
    if findings.result.options is not None:
        majority = f"guessing: {notation.per_cent(findings.result.options.chance)}"
    figures.append(KeyFigure(f"Accuracy, {where}", notation.per_cent(vector.accuracy), majority))
    known = [cue for cue in findings.result.findable if cue.kappa is not None]
    never = [cue.kind for cue in findings.result.findable if cue.kappa is None]
    if never:
        kinds = f"cues of {' and of '.join(never)} would not be found, however strong"
        figures.append(KeyFigure("Smallest cue that would be found", "none", kinds))
    elif known:
        hardest = max(known, key=lambda cue: cue.kappa or 0.0)
        kind = f"cue of {hardest.kind}, the hardest to find; 80 % of the time"
        figures.append(KeyFigure("Smallest cue that would be found", notation.kappa(hardest.kappa), kind))
    return figures


def _of_options(findings: ArrangedResult, scheme: SchemeResult) -> list[KeyFigure]:
    """The best probe that never sees the question, and the best that does."""
    options = findings.result.options
    best = {"Options only": options.only, "With the question": options.asked} if options is not None else {}
    figures = []
    for name, vector in best.items():
        entry = scheme.find(vector)
        if entry is not None and vector != findings.result.vector:
            note = f"{notation.interval(entry.matched_low, entry.matched_high)}; {entry.label}"
            figures.append(KeyFigure(name, notation.kappa(entry.matched), note))
    return figures


def _matched(vector: VectorResult, where: str, about: str, name: str = "Kappa") -> KeyFigure:
    parts = [notation.interval(vector.matched_low, vector.matched_high), drawing.strength(vector.matched)]
    # An undefined kappa is said once, as the figure itself.
    note = ", ".join(part for part in parts if part and part != notation.UNDEFINED)
    return KeyFigure(f"{name}, {where}", notation.kappa(vector.matched), f"{note}; {about}" if note else about)


def _size(result: AuditResult) -> list[KeyFigure]:
    figures = []
    if result.items:
        left_out = result.left_out_count
        note = f"{notation.things(left_out, 'row')} left out" if left_out else "no rows left out"
        figures.append(KeyFigure("Items", notation.count(result.items), note))
    if result.labels and result.options is None:
        figures.append(KeyFigure("Answers", notation.count(len(result.labels)), "different answers"))
    if result.groups and result.groups.source != "none" and result.groups.largest > 1:
        largest = f"largest: {notation.things(result.groups.largest, 'item')}"
        figures.append(KeyFigure("Groups", notation.count(result.groups.count), largest))
    return figures
