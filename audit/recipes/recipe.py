"""What a recipe says: how a published benchmark is read, whose it is, and what is known about its shortcuts."""

from __future__ import annotations

from typing import Literal

import msgspec

from audit.result.audit_result import Expected

__all__ = ["Gold", "Layout", "Recipe"]

Gold = Literal[
    "labels", "letter", "index from 0", "index from 1", "text of an option", "scores of options", "open answer"
]
"""How the gold is written: as one of the same few labels, as a pointer at an option, or freely."""


class Layout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The columns of one published form of a benchmark. Columns may be dotted paths into nested objects."""

    form: str
    """Which form: `Hugging Face`, `JSONL of the authors`, `OpenAI evals samples`."""
    answer: str
    gold: Gold
    checked: str
    """Against what the columns were checked; says so if it was not a real file."""
    prompt: str | None = None
    template: str | None = None
    """The prompt composed from columns: `{premise} {hypothesis}`. A layout has either this or a prompt."""
    choices: str | None = None
    """The column that lists the options, or several columns with one option each, joined by commas."""
    answer_part: str | None = None
    """The part of the answer that is the gold, as `--answer-part` has it."""
    group: str | None = None
    """The column whose equal values mark items that belong together; used where the file has it."""
    id: str | None = None
    """Used where the file has it, as is `split`."""
    split: str | None = None
    rows: dict[str, str] = {}
    """Column to value: only these rows belong to the benchmark."""
    labels: dict[str, str] = {}
    """Code in the answer column to the name of the label; other values stay."""
    unlabelled: list[str] = []
    """Values of the answer column that mean that there is no gold; such rows are set aside."""
    blank: str | None = None
    """The gold of rows whose answer is empty on purpose, such as questions without an answer; None where none are."""


class Recipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One published benchmark."""

    name: str
    """As `--recipe` takes it: `space-nli`."""
    title: str
    task: str
    """What an item asks, in a few words."""
    authors: str
    """`Bowman et al.`: with the year, the citation."""
    year: int
    licence: str
    homepage: str
    hub: str | None = None
    """`org/name` on the Hugging Face Hub, with `:config` where there are several; None where it is not known to us."""
    of_paper: bool = False
    """Whether it is one of the nineteen benchmarks of Pacchiardi et al. (2024)."""
    aliases: list[str] = []
    layouts: list[Layout]
    expected: list[Expected] = []
    """Published figures; empty where none is known to us."""
    peculiarities: list[str] = []
    """What a reader of the audit should know, in sentences."""

    @property
    def citation(self) -> str:
        """Authors and year: `Bowman et al. 2015`."""
        return f"{self.authors} {self.year}"
