"""The figures of the README: what the terminal prints and what the HTML report draws of a frozen sample, and the
phenotype of simulated agents.

    python docs/figures.py

All are SVG files without scripts, fonts, dates or random ids, so they can be made again byte for byte.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from pathlib import Path
from textwrap import wrap
from typing import Final
from xml.sax.saxutils import escape

import msgspec
from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

from hansproof.audit import notation
from hansproof.audit.phenotype.measuring import phenotype
from hansproof.audit.phenotype.result import Phenotype
from hansproof.audit.phenotype.task_records import make_records
from hansproof.audit.report import words
from hansproof.audit.report.audit_screen import show_short
from hansproof.audit.report.audit_tables import vectors_table
from hansproof.audit.report.document import Scale
from hansproof.audit.report.drawing import palette, shade
from hansproof.audit.report.findings import ArrangedResult, Probe
from hansproof.audit.report.phenotype_figure import figure
from hansproof.audit.result.audit_result import AuditResult
from hansproof.audit.run import examine
from hansproof.generators.cognitive_tasks.agents import make_agent, simulate
from hansproof.generators.cognitive_tasks.dataset import DATASET
from hansproof.generators.cognitive_tasks.subsets import TASKS

__all__ = ["PLAYED", "figures", "main", "pictured"]

ROOT: Final = Path(__file__).resolve().parents[1]
SAMPLE: Final = "datasets/planted-cues/2.0.0/unigram.jsonl.gz"
COLUMNS: Final = 100

_TERMINAL: Final = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<title>hansproof audit in a terminal</title>
<style>
.{unique_id}-matrix {{ font-family: Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: {char_height}px; }}
.{unique_id}-title {{ font: bold 18px system-ui, sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""

_WIDTH: Final = 900
_PLOT: Final = (330, 690)
"""Left and right end of the plot."""
_ROW: Final = 26
_LIGHT: Final = {"paper": "#ffffff", "ink": "#1c1f26", "soft": "#555d6b", "point": "#16324f", "limit": "#b3261e"}
_DARK: Final = {"paper": "#1b1e24", "ink": "#e8e6e1", "soft": "#a9b0bc", "point": "#b9d4f2", "limit": "#ff8f85"}


_SEED: Final = 7

PLAYED: Final[Mapping[str, tuple[str, int]]] = {
    "probabilistic-reasoning": ("bayes-optimal", 200),
    "horizon": ("upper-confidence-bound", 300),
    "restless-bandit": ("rescorla-wagner", 20),
    "instrumental-learning": ("rescorla-wagner", 20),
    "two-step": ("model-based", 100),
    "temporal-discounting": ("random", 20),
    "balloons": ("expected-value-pumper", 20),
}
"""Task -> its agent, and how many episodes it plays."""


def figures() -> dict[str, str]:
    """The figures by file name. Run it in the root of the project, because the path of the sample is shown."""
    result = examine(SAMPLE).result
    return {"terminal.svg": terminal(result), "report.svg": report(result), "phenotype.svg": figure([pictured()])}


def terminal(result: AuditResult) -> str:
    """What `hansproof audit` prints, with four of the most predictable items and without the notes."""
    shorter = msgspec.structs.replace(result, giveaways=result.giveaways[:4], notes=[])
    console = Console(
        record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor", highlight=False
    )
    console.print(Text(f"$ hansproof audit {result.source}", "dim"))
    show_short(shorter, console)
    return console.export_svg(
        title="hansproof", theme=SVG_EXPORT_THEME, code_format=_TERMINAL, unique_id="hansproof", font_aspect_ratio=0.61
    )


def report(result: AuditResult) -> str:
    """The verdict and the table of probes of the HTML report."""
    findings = ArrangedResult(result)
    scale = vectors_table(findings).scale or Scale(0.0, 1.0)
    reason = wrap(words.sentence(result.reason), 95)
    top = 78 + 19 * len(reason)
    body = [_text(20, 36, f"{words.VERDICTS[result.verdict].symbol} {result.verdict}", "limit verdict")]
    body.append(_text(_WIDTH - 20, 36, result.name, "soft", "end"))
    body += [_text(20, 62 + 19 * index, line, "reason") for index, line in enumerate(reason)]
    for x, title, anchor in (
        (20, "feature vector", "start"),
        (275, "kappa", "middle"),
        (_PLOT[0], "kappa and 95 % interval", "start"),
        (800, "95 %", "end"),
        (_WIDTH - 20, "p", "end"),
    ):
        body.append(_text(x, top, title, "soft", anchor))
    first = top + 12
    for index, probe in enumerate(findings.probes):
        body += _row(scale, probe, first + _ROW * index)
    foot = first + _ROW * len(findings.probes)
    for value, style in ((0.0, "zero"), (result.settings.threshold, "limit-line")):
        body.append(f'<path class="{style}" d="M{_x(scale, value)} {first}V{foot}"/>')
    body += [
        _text(float(_x(scale, tick)), foot + 17, notation.kappa(tick, 1) if tick else "0", "soft", "middle")
        for tick in scale.ticks()
    ]
    threshold = notation.kappa(result.settings.threshold)
    body.append(_text(20, foot + 37, f"▸ what the verdict is about; dashed: threshold {threshold}", "soft"))
    return _document(foot + 52, f"Audit of {result.name}: {result.verdict}", body)


def pictured(name: str = "seven simulated agents") -> Phenotype:
    """The phenotype of all of them as one participant."""
    rows = {}
    for task, (agent, count) in PLAYED.items():
        player = make_agent(agent)
        items = [DATASET.item(task, _SEED, index) for index in range(count)]
        rows[task] = [
            {"run": index, **record}
            for index, item in enumerate(items)
            for record in TASKS[task].records(item, simulate(player, item, index).actions)
        ]
    return phenotype(make_records(rows, name))


def _row(scale: Scale, probe: Probe, y: int) -> list[str]:
    vector, middle = probe.vector, y + 17
    mark = "▸ " if probe.deciding else ""
    outside = "" if vector.counted else " (outside the thirteen)"
    key = shade(probe.kappa)
    parts = [
        _text(20, middle, f"{mark}{vector.label}{outside}", "about" if probe.deciding else ""),
        f'<rect class="{key}" x="249" y="{y + 1}" width="52" height="{_ROW - 2}" rx="4"/>',
        _text(275, middle, notation.kappa(probe.kappa), f"t{key}", "middle"),
        _text(800, middle, notation.interval(vector.matched_low, vector.matched_high), "", "end"),
        _text(_WIDTH - 20, middle, notation.p_value(vector.p_corrected), "", "end"),
    ]
    if vector.matched_low is not None and vector.matched_high is not None:
        parts.append(
            f'<path class="range" d="M{_x(scale, vector.matched_low)} {y + 13}H{_x(scale, vector.matched_high)}"/>'
        )
    if probe.kappa is not None:
        parts.append(f'<circle class="point" cx="{_x(scale, probe.kappa)}" cy="{y + 13}" r="5"/>')
    return parts


def _x(scale: Scale, value: float) -> str:
    share = float(scale.at(value).rstrip("%")) / 100
    return f"{_PLOT[0] + share * (_PLOT[1] - _PLOT[0]):.1f}"


def _text(x: float, y: int, text: str, style: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y}" class="{style}" text-anchor="{anchor}">{escape(text)}</text>'


def _document(height: int, title: str, body: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'role="img"><title>{escape(title)}</title>'
    )
    paper = '<rect class="paper" width="100%" height="100%" rx="8"/>'
    return "\n".join([head, f"<style>{_style()}</style>", paper, *body, "</svg>", ""])


def _style() -> str:
    shapes = (
        'text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif}.verdict{font-weight:750;font-size:22px}'
        ".reason{font-weight:600;font-size:15px}.about{font-weight:700}.range{stroke-width:3;opacity:.75}"
        ".limit-line{stroke-width:1.5;stroke-dasharray:4 3}.zero{stroke-width:1;opacity:.55}"
    )
    return f"{shapes}{_colours(0, _LIGHT)}@media(prefers-color-scheme:dark){{{_colours(1, _DARK)}}}"


def _colours(theme: int, names: dict[str, str]) -> str:
    rules = "".join(f".{name}{{fill:{colour}}}" for name, colour in names.items())
    cells = "".join(
        f".{key}{{fill:{pair[theme].back}}}.t{key}{{fill:{pair[theme].ink}}}" for key, pair in palette().items()
    )
    lines = f".range{{stroke:{names['point']}}}.limit-line{{stroke:{names['limit']}}}.zero{{stroke:{names['soft']}}}"
    return f"text{{fill:{names['ink']}}}{rules}{cells}{lines}"


def main() -> None:
    """Write the figures to docs/."""
    os.chdir(ROOT)
    for name, text in figures().items():
        Path("docs", name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
