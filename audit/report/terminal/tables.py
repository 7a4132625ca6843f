"""The tables of the terminal, and the ink they are drawn with: what fits its width and its characters."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from audit.report import plaintext, words
from audit.report.terminal.grid import Column, grid
from audit.result import AuditResult, ScanResult, SchemeResult, VectorResult

__all__ = ["Ink", "giveaways_table", "scan_table", "vectors_table"]

_INSTRUCTION = 25
"""Shorter common beginnings of all prompts, such as `Premise: `, are shown."""


class Ink:
    """A console together with what it can show; every piece of text on it passes through here."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.width = console.width
        self.encoding = console.encoding
        self.ascii_only = not self.encoding.lower().startswith("utf")
        self.pointer = ">" if self.ascii_only else "▸"
        self.second_mark = "o" if self.ascii_only else "•"

    def fit(self, text: str) -> str:
        """`text` in the characters that this output has."""
        return plaintext.within(text, self.encoding)

    def one_line(self, text: str, width: int | None = None) -> str:
        """`text` as one safe line in the characters that this output has."""
        return self.fit(plaintext.one_line(text, width))

    def symbol(self, look: words.VerdictWords) -> str:
        """The verdict's symbol, or its ASCII stand-in."""
        return look.ascii if self.ascii_only else look.symbol

    def print(self, what: RenderableType) -> None:
        """Prints `what` without guessing at numbers, markup or emoji in it."""
        self.console.print(what, highlight=False, markup=False, emoji=False)

    def table(self, what: Table) -> None:
        """Prints a table at its own width: one that is too wide for the console is wrapped there, not cut."""
        width = max(what.width or 0, self.width)
        self.console.print(what, highlight=False, markup=False, emoji=False, width=width, crop=False)

    def unbroken(self, text: Text) -> None:
        """One line whatever the width: the terminal itself wraps it, a pipe gets it whole."""
        self.console.print(text, highlight=False, markup=False, emoji=False, soft_wrap=True)

    def blank(self) -> None:
        """One empty line."""
        self.console.line()

    def line(self, text: str, style: str = "") -> None:
        """One paragraph from the left edge."""
        self._hanging("", self.one_line(text), 0, style)

    def item(self, text: str, mark: str = "-") -> None:
        """One paragraph, indented by two columns wherever it wraps."""
        self._hanging(mark, self.one_line(text), 2)

    def fact(self, name: str, text: str) -> None:
        """A name in a narrow column and what is said of it beside."""
        self._hanging(name, self.one_line(text), 11)

    def run(self, label: str, parts: Sequence[tuple[str, str]]) -> None:
        """A label, then as many (n-gram, numbers) pairs as fit in one line."""
        head = Text.assemble("  ", (self.one_line(label, 16), "bold"), ": ")
        for index, (ngram, numbers) in enumerate(parts):
            part = Text.assemble((self.one_line(f"“{_spelt(ngram)}”", 30), ""), " ", (numbers, "dim"))
            glue = Text(", " if index else "")
            if index and head.cell_len + glue.cell_len + part.cell_len > self.width:
                break
            head.append_text(glue).append_text(part)
        self.print(head)

    def _hanging(self, name: str, text: str, indent: int, style: str = "") -> None:
        # Not a grid: that would pad every line with spaces, which shows as soon as somebody copies it.
        lines = Text(text, style=style).wrap(self.console, max(self.width - indent, 10))
        for index, line in enumerate(lines):
            line.rstrip()
            head = Text(f"{name if index == 0 else '':<{indent}}", style="dim")
            self.print(head.append_text(line))


def _spelt(ngram: str) -> str:
    """GPT-2 tokens carry their space in front; a dot in the middle shows it."""
    return ngram.replace(" ", "·") if ngram.startswith(" ") else ngram


def _cell(value: float | None, threshold: float) -> Text:
    mark = "*" if value is not None and value >= threshold else " "
    return Text(f"{words.kappa(value)}{mark}", style="bold red" if mark == "*" else "")


def vectors_table(result: AuditResult, ink: Ink) -> tuple[Table, list[str]]:
    """All vectors, one row each, and the columns that found no room.

    Both fold schemes stand side by side; the paper's single split stands alone.
    """
    first, threshold = result.schemes[0], result.settings.threshold
    second = None if words.unparted(result) or len(result.schemes) == 1 else result.schemes[1]
    vectors = sorted(first.vectors, key=lambda one: not one.counted)  # stable: the thirteen first
    columns = [Column("feature vector", left=True, cut=True, cells=[_name(one, result, ink) for one in vectors])]
    cohen = [_cell(one.cohen, threshold) for one in vectors]
    uniform = [_cell(one.uniform, threshold) for one in vectors]
    if first.scheme == "paper":
        # The paper decides by its own kappa, so that column comes first and carries the marks.
        columns.append(Column("uniform", cells=uniform))
        columns.append(Column("Cohen", 2, cells=[Text(words.kappa(one.cohen)) for one in vectors]))
        columns.append(Column("95 %", 1, cells=[_interval(one) for one in vectors]))
        accuracy = [Text(words.per_cent(one.validation_accuracy)) for one in vectors]
        columns.append(Column("valid. acc.", 0, cells=accuracy))
        return grid(columns, ink.width, ascii_only=ink.ascii_only)
    bound = result.deciding_scheme is second
    columns.append(Column(first.scheme, cells=cohen))
    columns.append(Column("95 %", 3, cells=[_interval(one) for one in vectors]))
    columns.append(Column("Holm p", 2, cells=[Text(words.p_value(one.p_holm)) for one in vectors]))
    if second is not None:
        # What the verdict stands on goes last.
        random = [_cell(_cohen(second, one.vector), threshold) for one in vectors]
        columns.append(Column(second.scheme, 4 if bound else 1, cells=random))
    columns.append(Column("uniform", 0, cells=[Text(words.kappa(one.uniform)) for one in vectors]))
    return grid(columns, ink.width, ascii_only=ink.ascii_only)


def _name(one: VectorResult, result: AuditResult, ink: Ink) -> Text:
    about = one.vector == result.vector
    mark = ink.pointer if about else ink.second_mark if one.vector == result.schemes[0].headline else " "
    return Text(f"{mark if one.counted else '+'} {ink.one_line(one.label, 33)}", style="bold" if about else "")


def _interval(one: VectorResult) -> Text:
    return Text(words.interval(one.cohen_low, one.cohen_high))


def _cohen(scheme: SchemeResult | None, vector: str) -> float | None:
    found = (one for one in scheme.vectors if one.vector == vector) if scheme else iter(())
    return next((one.cohen for one in found), None)


def giveaways_table(result: AuditResult, ink: Ink) -> Table:
    """Up to ten items: id, gold answer, its probability out of fold, the first sixty characters."""
    table = Table.grid(padding=(0, 2), pad_edge=False)
    for justify in ("left", "left", "right"):
        table.add_column(no_wrap=True, overflow="crop", justify=justify)
    table.add_column(no_wrap=True, overflow="crop")
    shown = result.giveaways[:10]
    ids = [Text(ink.one_line(item.id, 20), style="dim") for item in shown]
    golds = [Text(ink.one_line(item.answer, 16)) for item in shown]
    # Rich marks a cut by an ellipsis that an ASCII pipe cannot carry, so prompts are cut to fit beforehand.
    used = max(one.cell_len for one in ids) + max(one.cell_len for one in golds) + 12
    skipped = _common_start([item.prompt for item in shown])
    for item, name, gold in zip(shown, ids, golds, strict=True):
        table.add_row(
            name,
            gold,
            Text(words.kappa(item.probability)),
            Text(ink.one_line(_from(item.prompt, skipped), min(60, max(ink.width - used, 12)))),
        )
    return table


def _common_start(prompts: Sequence[str]) -> int:
    """Characters of an instruction that opens every prompt: sixty copies of it would show nothing."""
    first, last = min(prompts), max(prompts)  # what these two share, all between them share
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    start = first[:same]
    cut = max(start.rfind("\n") + 1, start.rfind(". ") + 2 if ". " in start else 0)
    return cut if cut >= _INSTRUCTION else 0


def _from(prompt: str, skipped: int) -> str:
    return f"…{prompt[skipped:]}" if skipped else prompt


def scan_table(scan: ScanResult, ink: Ink) -> tuple[Table, list[str]]:
    """All benchmarks of a folder, one row each, in the order of the scan, and the columns that found no room."""
    columns = [
        Column("benchmark", left=True, cut=True),
        Column("verdict", left=True),
        Column("items", 3),
        Column("groups", 1),
        Column("kappa"),
        Column("95 %", 2),
        Column("random", 4),
        Column("vector", 0, left=True),
    ]
    for result in scan.results:
        look = words.VERDICTS[result.verdict]
        first = result.schemes[0] if result.schemes else None
        best = words.deciding(result)
        value = (best.uniform if first and first.scheme == "paper" else best.cohen) if best else None
        random = _cohen(result.scheme("random"), best.vector) if best else None
        row = [
            Text(ink.one_line(result.name, 24)),
            Text(f"{ink.symbol(look)} {result.verdict}", style=f"bold {look.colour}"),
            Text(words.count(result.items) if result.items else ""),
            Text(words.count(result.groups.count) if result.groups else ""),
            _cell(value, result.settings.threshold) if best else Text(""),
            _interval(best) if best else Text(""),
            _cell(random, result.settings.threshold) if best and result.scheme("random") else Text(""),
            Text(ink.one_line(best.vector, 16) if best else ""),
        ]
        for column, cell in zip(columns, row, strict=True):
            column.cells.append(cell)
    return grid(columns, ink.width, ascii_only=ink.ascii_only)
