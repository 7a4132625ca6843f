"""On a card: the blind strategies per subset and part, and the heat map of kappas as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import nan
from typing import Final
from xml.sax.saxutils import escape

from hansproof.audit import notation
from hansproof.audit.models.blind import worth
from hansproof.audit.notation import one_line
from hansproof.audit.report import drawing
from hansproof.generators.answering.scorer import ANSWER, best_of
from hansproof.generators.dataset import Dataset
from hansproof.release.manifest import BlindEntry, Manifest, SubsetEntry, VectorKappas
from hansproof.release.objections import beats_chance

__all__ = ["blind_table", "heat_map"]


@dataclass(frozen=True)
class Tried:
    """One strategy over all subsets."""

    strategy: str
    description: str
    spreads: tuple[str, ...]
    """For each part the lowest and the highest share, and where the highest is; a dash where it has none."""


@dataclass(frozen=True)
class BlindTable:
    """What the card shows."""

    parts: tuple[str, ...]
    """`whole answer`, then `` `operation` `` and the like: a column each."""
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """Subset -> the best strategy on each part, with interval and chance."""
    tried: tuple[Tried, ...]
    compared: int
    """Shares that were compared with chance."""
    above: int
    """Of these, how many beat chance (`objections.beats_chance`)."""
    lower: tuple[str, ...]
    """Parts of which the lower value is the better one."""
    described: tuple[str, ...]
    """Parts of which neither value is better."""

    @property
    def sparse(self) -> bool:
        """Whether most subsets lack most parts, so that a list is read more easily than a table of dashes."""
        return _mostly_dashes([texts for _, texts in self.rows])

    @property
    def sparse_tried(self) -> bool:
        """Whether most strategies lack most parts."""
        return _mostly_dashes([strategy.spreads for strategy in self.tried])

    @property
    def best_parts(self) -> tuple[int, ...]:
        """The places of the parts on which some subset has a best strategy."""
        return tuple(at for at in range(len(self.parts)) if any(texts[at] != "–" for _, texts in self.rows))


def _mostly_dashes(rows: Sequence[Sequence[str]]) -> bool:
    cells = [text for texts in rows for text in texts]
    return 2 * cells.count("–") > len(cells)


def blind_table(manifest: Manifest, dataset: Dataset) -> BlindTable:
    """Everything that the blind strategies of a release got, for the card."""
    every = [result for entry in manifest.subsets for result in entry.blind]
    parts = list(dict.fromkeys(result.part for result in every))
    kinds = dataset.scorer.measures
    compared = [result for result in every if _comparable(result, dataset) and result.chance is not None]
    return BlindTable(
        parts=tuple("whole answer" if part == ANSWER else f"`{part}`" for part in parts),
        rows=tuple((entry.name, tuple(_best(entry, part, dataset) for part in parts)) for entry in manifest.subsets),
        tried=_tried(manifest, dataset, parts),
        compared=len(compared),
        above=sum(map(beats_chance, compared)),
        lower=tuple(part for part in parts if part in kinds and kinds[part].better == "lower"),
        described=tuple(part for part in parts if part in kinds and kinds[part].better == "neither"),
    )


def _comparable(result: BlindEntry, dataset: Dataset) -> bool:
    """Whether a share says anything: not without a value, not of a part with one answer, not where nothing is better.

    A measure may be any number, so its chance may be 1 or more.
    """
    one_answer = result.chance == 1 and result.part not in dataset.scorer.measures
    return _told(result) and not one_answer and result.better != "neither"


def _told(result: BlindEntry) -> bool:
    return result.share is not None and result.answered > 0


def _worth(result: BlindEntry) -> float:
    """As `BlindResult.worth`."""
    chance = nan if result.chance is None else result.chance
    return worth(result.of_answered(result.share), result.answered / result.items, chance)


def _best(entry: SubsetEntry, part: str, dataset: Dataset) -> str:
    """`` `sum` .51 [.47, .54], chance .50 ``, in bold if it beats chance; how many it answers, if not all.

    A dash where nothing was measured, where one answer is all there is, or where no value is better.
    """
    results = [result for result in entry.blind if result.part == part and _comparable(result, dataset)]
    best = best_of(results, _worth, results[0].better if results else "higher")
    if best is None:
        return "–"
    share = notation.kappa(best.of_answered(best.share))
    text = f"`{best.strategy}` {f'**{share}**' if beats_chance(best) else share}"
    if best.low is not None:
        text += f" {notation.interval(best.of_answered(best.low), best.of_answered(best.high))}"
    if best.answered < best.items:
        text += f" of the {notation.points(best.answered / best.items)} % that it answers"
    return text + (f", chance {notation.kappa(best.chance)}" if best.chance is not None else "")


def _tried(manifest: Manifest, dataset: Dataset, parts: Sequence[str]) -> tuple[Tried, ...]:
    shares: dict[tuple[str, str], list[tuple[float, str]]] = {}
    for entry in manifest.subsets:
        for result in entry.blind:
            if _told(result) and (result.better == "neither" or _comparable(result, dataset)):
                shares.setdefault((result.strategy, result.part), []).append(
                    (result.of_answered(result.share), entry.name)
                )
    targets = {known.target for known in dataset.scorer.blind} - {""}
    tried = []
    for known in dataset.scorer.blind:
        # A strategy with a target guesses that alone; any other one is measured on all parts that are no target.
        own = [part == known.target if known.target else part not in targets for part in parts]
        measured = [shares.get((known.name, part), []) if mine else [] for part, mine in zip(parts, own, strict=True)]
        if any(measured):
            tried.append(Tried(known.name, known.description, tuple(map(_spread, measured))))
    return tuple(tried)


def _spread(shares: Sequence[tuple[float, str]]) -> str:
    if not shares:
        return "–"
    low, high = min(share for share, _ in shares), max(share for share, _ in shares)
    where = [subset for share, subset in shares if share == high]
    if notation.kappa(low) == notation.kappa(high):
        return notation.kappa(high)
    more = f" and {len(where) - 1} more" if len(where) > 1 else ""
    return f"{notation.kappa(low)} to {notation.kappa(high)} (`{where[0]}`{more})"


_CELL: Final = (46, 26)
_HEAD: Final = 190
"""Height of the slanted names of the vectors."""
_LETTER: Final = 8.4
"""A generous width of a capital: no font is measured."""
_MATCHED: Final = "predictions that give each answer as often as it occurs"


def heat_map(manifest: Manifest) -> str:
    """SVG of every audited subset; a single sentence where none was audited."""
    shown = [(entry, scheme) for entry in manifest.subsets for scheme in entry.audit.schemes[:1]]
    vectors = {name: kappa.label for _, scheme in shown for name, kappa in scheme.vectors.items()}
    drawn = f"Cohen's kappa of {_MATCHED}"
    title = f"{manifest.title} {manifest.version}: {drawn}"
    if not shown:
        return _document(640, 40, title, [_text(10, 25, "The audit applies to no subset: none has a few labels.")])
    left = 20 + _LETTER * max(len(_short(entry.name)) for entry, _ in shown)
    verdicts = 20 + _LETTER * max(len(_short(entry.audit.verdict)) for entry, _ in shown)
    width, height = _CELL
    right = left + width * len(vectors)
    body = []
    for column, label in enumerate(vectors.values()):
        x = left + width * (column + 0.5)
        turned = f'transform="rotate(-50 {x:g} {_HEAD - 8})"'
        body.append(f'<text x="{x:g}" y="{_HEAD - 8}" {turned}>{escape(_short(label))}</text>')
    for row, (entry, scheme) in enumerate(shown):
        y = _HEAD + height * row
        body.append(_text(left - 8, y + 17, _short(entry.name), "end"))
        for column, vector in enumerate(vectors):
            body.append(_cell(left + width * column, y, scheme.vectors.get(vector), vector == scheme.headline))
        body.append(_text(right + 10, y + 17, _short(entry.audit.verdict)))
    foot = _HEAD + height * len(shown) + 22
    body.append(_text(left, foot, f"{drawn}; grouped folds."))
    body.append(_text(left, foot + 18, "Framed: the feature vector chosen by validation."))
    return _document(max(right + verdicts, right + 110), foot + 32, title, body)


def _cell(x: float, y: int, kappa: VectorKappas | None, chosen: bool) -> str:
    value = kappa.matched if kappa else None
    key = drawing.shade(value)
    width, height = _CELL
    frame = ' class="frame"' if chosen else f' class="{key}"'
    text = "–" if value is None else notation.kappa(value)
    box = f'<rect x="{x:g}" y="{y}" width="{width - 2}" height="{height - 2}" class="{key}"/>'
    if chosen:
        box += f'<rect x="{x + 1:g}" y="{y + 1}" width="{width - 4}" height="{height - 4}"{frame}/>'
    return f'{box}<text x="{x + width / 2 - 1:g}" y="{y + 17}" text-anchor="middle" class="t{key}">{text}</text>'


def _text(x: float, y: int, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def _short(text: str) -> str:
    return one_line(text, 40)


def _document(width: float, height: int, title: str, body: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" width="{width:g}" '
        f'height="{height}" role="img" aria-label="{escape(title, {chr(34): "&quot;"})}">'
    )
    paper = '<rect width="100%" height="100%" class="paper"/>'
    lines = [head, f"<title>{escape(title)}</title>", f"<style>{_style()}</style>", paper, *body, "</svg>", ""]
    return "\n".join(lines)


@cache
def _style() -> str:
    """The shades of the report's style sheet as fills: the first of each class is light, the second dark."""

    def rules(theme: int, paper: str, ink: str) -> str:
        own = f".paper{{fill:{paper}}}text{{fill:{ink}}}.frame{{fill:none;stroke:{ink};stroke-width:2}}"
        return own + "".join(
            f".{key}{{fill:{pair[theme].back}}}.t{key}{{fill:{pair[theme].ink}}}"
            for key, pair in drawing.palette().items()
        )

    font = "text{font:12px system-ui,sans-serif}"
    dark = rules(1, "#1b1e24", "#eef0f3")
    return f"{font}{rules(0, '#ffffff', '#1b1f27')}@media (prefers-color-scheme:dark){{{dark}}}"
