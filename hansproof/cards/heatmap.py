"""The heat map of a release as an SVG file: subsets by feature vectors, the kappa of the card's table.

It is a file of its own beside the card, so it has its own colours: those of the HTML report, for light and dark.
"""

from __future__ import annotations

from functools import cache
from typing import Final
from xml.sax.saxutils import escape

from audit import notation
from audit.report import shades
from audit.report.plaintext import one_line
from hansproof.manifests.manifest import FIRST_SCHEMA, Manifest, SchemeKappas, VectorKappas

__all__ = ["heat_map"]

_CELL: Final = (46, 26)
_HEAD: Final = 190
"""Height of the slanted names of the vectors."""
_LETTER: Final = 8.4
"""A generous width of a capital: no font is measured."""
_MATCHED: Final = "predictions that give each answer as often as it occurs"


def heat_map(manifest: Manifest) -> str:
    """SVG of every audited subset; a single sentence where none was audited."""
    shown = [(entry, scheme) for entry in manifest.subsets for scheme in entry.audit.schemes[:1]]
    vectors = _vectors([scheme for _, scheme in shown])
    first = manifest.schema == FIRST_SCHEMA
    drawn = f"Cohen's kappa of {'the most probable answers' if first else _MATCHED}"
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


def _vectors(schemes: list[SchemeKappas]) -> dict[str, str]:
    return {name: kappa.label for scheme in schemes for name, kappa in scheme.vectors.items()}


def _cell(x: float, y: int, kappa: VectorKappas | None, chosen: bool) -> str:
    value = kappa.deciding if kappa else None
    key = shades.shade(value)
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
            for key, pair in shades.palette().items()
        )

    font = "text{font:12px system-ui,sans-serif}"
    dark = rules(1, "#1b1e24", "#eef0f3")
    return f"{font}{rules(0, '#ffffff', '#1b1f27')}@media (prefers-color-scheme:dark){{{dark}}}"
