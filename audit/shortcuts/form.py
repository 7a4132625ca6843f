"""What the form of texts alone says: the share of format in kappa, and which way their length points."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.notation import drawn
from hansproof.audit.probes.crossfit import Fitting, Ints, Scores, crossfit
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.result.explanation import CleanKappa, FormatMark, FormatShare
from hansproof.audit.shortcuts.partial_probes import table_of
from hansproof.audit.statistics import kappa
from hansproof.audit.texts.formatting import FORMATS, format_counts
from hansproof.audit.texts.readability import LENGTHS, length
from hansproof.audit.texts.tokens import fold

__all__ = ["Folding", "direction", "format_share"]

_ASCII: Final = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″「」『』", '"'),
        **dict.fromkeys("‘’‚‛‹›′´`", "'"),
        **dict.fromkeys("‐‑‒–—―−⁃", "-"),
        **dict.fromkeys("•·●▪◦‣∙", "-"),
        **dict.fromkeys("→⇒⟶➜➔", ">"),
        **dict.fromkeys("←⇐", "<"),
    }
)
_BLANKS: Final = re.compile(r"\s+")
# Runs are taken whole and from their beginning: a text of one long run takes linear time.
_ARROW: Final = re.compile(r"(?<![-=])[-=]++>|<[-=]++")
_DASHES: Final = re.compile(r"-{2,}")
_LAST_STOP: Final = re.compile(r"(?:(?<![^\S\n])[^\S\n]++\.++|(?<!\.)(?<![^\S\n])\.++)[^\S\n]*+$", re.M)
_MARK: Final = re.compile(r"([^\w\s])")
_ODD_SPACING: Final = re.compile(r"\s[,.;:!?)\]}]|[(\[{]\s")


def clean(text: str) -> str:
    """`text` without its format.

    Compatibility forms, case and accents are folded, invisible characters dropped, and typographic quotes, dashes and
    arrows become ASCII. All white space is one blank, with one on both sides of every mark, and no line ends in a full
    stop. What remains are the words and the marks between them.
    """
    line_ends = _LAST_STOP.sub("", _typed(_folded(text)))
    return _BLANKS.sub(" ", _MARK.sub(r" \1 ", line_ends)).strip()


def changed(texts: Sequence[str]) -> list[bool]:
    """Which texts have a format beyond what counting n-grams folds anyway, which is case and accents.

    That is: line breaks, tabs, double, leading or trailing blanks, a blank before a comma or inside a bracket,
    invisible characters, typographic quotes, dashes or arrows.
    """
    return [_has_format(_folded(text), text) for text in texts]


def _has_format(folded: str, text: str) -> bool:
    counted = fold(text).casefold()
    return _BLANKS.sub(" ", _typed(folded)).strip() != counted or _ODD_SPACING.search(counted) is not None


def _folded(text: str) -> str:
    folded = fold(text).casefold()
    if folded.isascii():
        return folded
    return "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")


def _typed(text: str) -> str:
    return _DASHES.sub("-", _ARROW.sub(lambda arrow: ">" if arrow[0].endswith(">") else "<", text.translate(_ASCII)))


# A cue that a model sees and a reader of the words does not (a fourth line break, a double blank) disappears with the
# format. A cue in the words stays.

SPLITS = 3
"""Of the audit's splits, those on which clean texts are fitted too."""

_CLEAR_Z = 5.0
"""A mark is named only well beyond what the best of a hundred marks shows by chance."""
_MOST_MARKS = 3


class Folding(NamedTuple):
    """How items are divided into folds."""

    groups: Ints
    """(N,) items of one group are in one fold."""
    scheme: str
    folds: int = 5


def format_share(
    texts: Sequence[str],
    y: Ints,
    labels: Sequence[str],
    scores: Sequence[Scores],
    deciding: str,
    fitting: Fitting,
    folding: Folding,
    part: Ints | None = None,
) -> FormatShare:
    """Kappa on clean texts of the deciding vector and of the strongest of another kind, over the first few splits.

    `scores` are those of the texts as they are; `y`, `fitting` and `folding` must be the same. If
    `part` names rows, in whole groups, both kappas are those of probes that are trained and tested on these rows alone.
    Raises ValueError if `scores` has no vector called `deciding`.
    """
    raw = {entry.vector.name: _cohen(entry, y, len(labels)) for entry in scores}
    if deciding not in raw:
        raise ValueError(f"no scores of the vector {deciding!r}")
    named = {entry.vector.name: entry.vector for entry in scores}
    others = [name for name in raw if named[name].level != named[deciding].level]
    others.sort(key=lambda name: -(raw[name] or 0.0))
    vectors = [named[name] for name in (deciding, *others[:1])]
    splits = min(SPLITS, len(scores[0].matched))  # a large benchmark has fewer
    compared = texts if part is None else [texts[row] for row in part.tolist()]
    y_compared = y if part is None else y[part]
    if part is not None:
        folding = folding._replace(groups=np.unique(folding.groups[part], return_inverse=True)[1])

    def fitted(versions: Sequence[str]) -> list[Scores]:
        task = LabelTask.of(table_of(versions, vectors), y_compared, len(labels))
        return crossfit(
            task, folding.groups, vectors, fitting, scheme=folding.scheme, folds=folding.folds, splits=splits
        )

    if part is not None:
        raw = {entry.vector.name: _cohen(entry, y_compared, len(labels)) for entry in fitted(compared)}
    on_clean = fitted([clean(text) for text in compared])
    return FormatShare(
        changed=sum(changed(texts)),
        kappas=[
            CleanKappa(
                vector=entry.vector.name,
                label=entry.vector.label,
                raw=raw[entry.vector.name],
                clean=_cohen(entry, y_compared, len(labels)),
            )
            for entry in on_clean
        ],
        marks=format_marks(texts, y, labels),
    )


def format_marks(texts: Sequence[str], y: Ints, labels: Sequence[str], most: int = _MOST_MARKS) -> list[FormatMark]:
    """The parts of the format that go with an answer most clearly, each with the answer it fits best.

    z is the correlation of the part with the answer times the square root of the number of items. Parts below z = 5
    and parts that are nearly the same as a stronger one are left out.
    """
    counts, logs = format_counts(texts)
    spread = logs.std(axis=0)
    varying = np.flatnonzero(spread > 1e-9)
    if not len(varying) or len(labels) < 2:
        return []
    standard = (logs[:, varying] - logs[:, varying].mean(axis=0)) / spread[varying]
    answers = np.stack([y == c for c in range(len(labels))], axis=1).astype(np.float64)
    shares = answers.mean(axis=0)
    answers = (answers - shares) / np.sqrt(np.maximum(shares * (1 - shares), 1e-12))
    z = np.round(standard.T @ answers / np.sqrt(len(y)), 6)
    # Of two answers, the z differ in sign only: that of more marks is named.
    best = (np.abs(z) + 1e-7 * (z > 0)).argmax(axis=1)
    strength = np.abs(z)[np.arange(len(varying)), best]
    marks: list[FormatMark] = []
    kept: list[int] = []
    for at in np.argsort(-strength, kind="stable").tolist():
        if strength[at] < _CLEAR_Z or len(marks) == most:
            break
        if any(abs(float(standard[:, at] @ standard[:, other])) > 0.8 * len(y) for other in kept):
            continue
        kept.append(at)
        column, c = int(varying[at]), int(best[at])
        mean, others = float(counts[y == c, column].mean()), float(counts[y != c, column].mean())
        marks.append(FormatMark(mark=FORMATS[column], label=labels[c], mean=mean, others=others, z=float(z[at, c])))
    return marks


def _cohen(scores: Scores, y: Ints, labels: int) -> float | None:
    """The median of the matched kappas of the first few splits, which both texts share."""
    gold = y[scores.units]
    tables = [kappa.confusion(gold, row, labels) for row in scores.matched[:SPLITS].astype(np.int64)]
    value = float(np.median([float(kappa.cohen(table)) for table in tables]))
    return None if np.isnan(value) else value


_NEARLY = 0.9
"""Words, which a reader can count, are named unless another measure is this much clearer."""
_TEXTS = {
    "words": ("longer texts have", "shorter texts have"),
    "characters": ("longer texts have", "shorter texts have"),
    "sentences": ("texts of more sentences have", "texts of fewer sentences have"),
    "digits": ("texts with more digits have", "texts with fewer digits have"),
}


def direction(texts: Sequence[str], y: Ints, labels: Sequence[str]) -> str | None:
    """`longer texts have the answer “yes” more often (median 31 words, against 22 of the others)`.

    Of every measure of length and answer, the pair with the largest z of the rank-sum test (Mann & Whitney 1947).
    None where the medians do not differ that way: then no answer is simply that of longer or shorter texts.
    """
    from scipy.stats import rankdata

    measured = length(texts)
    clearest: dict[str, tuple[float, int]] = {}
    for column, measure in enumerate(LENGTHS):
        ranks = rankdata(measured[:, column])
        tried = [(_z(ranks, y == c), c) for c in range(len(labels))]
        # Of two answers, the z differ in sign only: that of longer texts is named.
        clearest[measure] = max(tried, key=lambda of: (round(abs(of[0]), 6), of[0] > 0))
    measure = max(LENGTHS, key=lambda name: abs(clearest[name][0]))
    if abs(clearest["words"][0]) >= _NEARLY * abs(clearest[measure][0]):
        measure = "words"
    z, c = clearest[measure]
    values, has = measured[:, LENGTHS.index(measure)], y == c
    if not z:
        return None
    inside, outside = float(np.median(values[has])), float(np.median(values[~has]))
    if (inside > outside) != (z > 0) or inside == outside:
        return None
    return (
        f"{_TEXTS[measure][z < 0]} the answer “{drawn(labels[c])[:60]}” more often (median {inside:,g} {measure}, "
        f"against {outside:,g} of the others)"
    )


def _z(ranks: NDArray[np.float64], has: NDArray[np.bool_]) -> float:
    """Standardised rank sum of the texts with an answer: positive where they are longer."""
    n, m = len(ranks), int(has.sum())
    if not 0 < m < n:
        return 0.0
    return float((ranks[has].sum() - m * (n + 1) / 2) / np.sqrt(m * (n - m) * (n + 1) / 12))
