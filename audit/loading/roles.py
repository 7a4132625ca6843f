"""Which column plays which role: what the user named, what the format fixes, and what the usual names say."""

from __future__ import annotations

import string
from dataclasses import dataclass
from itertools import islice
from typing import Any

from audit.benchmark import Mapping
from audit.loading.cells import UnusableError, as_answer, as_name, as_prompt
from audit.loading.table import MISSING, Table, cell, did_you_mean
from generators.errors import InputError, UsageError

__all__ = ["Columns", "Roles", "resolve"]

_PAIRS = (
    ("premise", "hypothesis"), ("sentence1", "sentence2"), ("sentence_1", "sentence_2"),
    ("text1", "text2"), ("question1", "question2"), ("context", "question"), ("passage", "question"),
    ("paragraph", "question"), ("article", "question"), ("document", "question"), ("story", "question"),
    ("contract", "question"), ("background", "question"), ("facts", "question"), ("text", "question"),
    ("text", "hypothesis"), ("sentence", "question"), ("context", "query"), ("passage", "query"),
    ("context", "hypothesis"), ("evidence", "claim"), ("premise", "conclusion"), ("premises", "conclusion"),
)  # fmt: skip
_PROMPTS = (
    "prompt", "question", "text", "input", "inputs", "sentence", "query", "problem", "statement", "claim",
    "instruction", "scenario", "story", "passage", "context", "goal", "question_text", "input_text", "body",
    "content", "messages", "conversation", "task", "vignette", "item",
)  # fmt: skip
_ANSWERS = (
    "answer", "label", "gold", "target", "ideal", "expected", "output", "class", "answerkey", "gold_label",
    "answer_key", "correct_answer", "gold_answer", "correct", "ground_truth", "truth", "labels", "answers",
    "targets", "category", "relation", "judgment", "judgement", "verdict", "answer_idx", "correct_option",
    "expected_answer", "expected_output", "label_text", "solution", "completion", "y",
)  # fmt: skip
_GROUPS = ("group", "group_id", "template_id", "pair_id", "story_id", "cluster_id", "problem_id")
_IDS = (
    "id", "idx", "uid", "item_id", "example_id", "sample_id", "question_id", "qid", "guid", "uuid", "index",
)  # fmt: skip
_CHOICES = (
    "choices", "options", "endings", "answer_choices", "target_scores", "mc1_targets", "mc2_targets",
    "candidates", "alternatives",
)  # fmt: skip
_LISTED_CHOICES = (
    ("choice1", "choice2", "choice3", "choice4", "choice5"),
    ("option1", "option2", "option3", "option4", "option5"),
    ("ending0", "ending1", "ending2", "ending3"), ("answera", "answerb", "answerc", "answerd"),
    ("option_a", "option_b", "option_c", "option_d", "option_e"), ("opa", "opb", "opc", "opd"),
    ("sol1", "sol2"), ("hyp1", "hyp2"), ("hypothesis_1", "hypothesis_2"), ("a", "b", "c", "d", "e"),
)  # fmt: skip
_ORDER = ("prompt", "answer", "group", "split", "id")
_SAMPLE = 50


@dataclass(frozen=True)
class Columns:
    """What the user named; all optional."""

    prompt: str | None = None
    """A column, or a dotted path into nested objects."""
    answer: str | None = None
    group: str | None = None
    """The column of items that belong together."""
    split: str | None = None
    """`COLUMN`, or `COLUMN=VALUE` to keep only that split."""
    template: str | None = None
    """`{premise} {hypothesis}`: composes the prompt from columns."""
    id: str | None = None


@dataclass(frozen=True)
class Roles:
    """The roles as decided, ready to be applied to rows."""

    mapping: Mapping
    parts: tuple[tuple[str, str | None], ...] | None
    """(literal text, column) pairs of a template; None where one column is the prompt."""
    keep: str | None = None
    """The only value of the split column that is wanted."""
    choices: tuple[str, ...] = ()
    """One column of options, or several of one option each."""


def resolve(table: Table, columns: Columns, place: str) -> Roles:
    """Decide the roles. Raises InputError for a column that does not exist or cannot be guessed,
    UsageError for a prompt and a template at once.
    """
    if columns.prompt and columns.template:
        raise UsageError("a prompt column and a template were both given: name one of them")
    fixed = dict(table.defaults)
    guessed: list[str] = []

    def role(name: str, named: str | None, found: str | None) -> str | None:
        if named is not None:
            _check_column(table, named, place)
            return named
        if name in fixed:
            return fixed[name]
        if found is not None:
            guessed.append(name)
        return found

    split, keep = _split_of(table, columns.split, place)
    known = _Names(table)
    answer = role("answer", columns.answer, known.first(_ANSWERS, _is_label))
    prompt: str | None
    parts = None
    if columns.template:
        prompt, parts = columns.template, _parse_template(columns.template)
        for _, column in parts:
            if column is not None:
                _check_column(table, column, place)
    else:
        prompt = role("prompt", columns.prompt, _guess_prompt(known, answer))
        if prompt is not None and "prompt" in guessed and "{" in prompt:
            parts = _parse_template(prompt)
    if prompt is None or answer is None:
        missing = "prompt" if prompt is None else "answer"
        raise InputError(
            f"{place}: no column is recognised as the {missing}; name one with --{missing}. "
            f"Columns: {_listed(table.columns)}"
        )
    group = role("group", columns.group, _guess_group(known))
    split_role = role("split", split, known.first(("split",)))
    own = role("id", columns.id, _guess_id(known, group))
    mapping = Mapping(
        prompt, answer, group, split_role, own, tuple(sorted(guessed, key=_ORDER.index)), table.format
    )
    return Roles(mapping, parts, keep, _guess_choices(known, answer))


class _Names:
    """The table's columns under folded names, and a look at the first values of each."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.folded: dict[str, str] = {}
        for column in table.columns:
            key = column.strip().casefold().replace("-", "_").replace(" ", "_")
            if key not in self.folded or column == key:
                self.folded[key] = column

    def first(self, names: tuple[str, ...], test: Any = None) -> str | None:
        """The first of `names` that is a column, and whose values pass `test` where there is one."""
        for name in names:
            column = self.folded.get(name)
            if column is not None and (test is None or self.passes(column, test)):
                return column
        return None

    def passes(self, column: str, test: Any) -> bool:
        """True where some value of the first rows passes: a faulty row must not hide its column."""
        values = (cell(row.values, column) for row in islice(self.table.rows, _SAMPLE))
        return any(test(value) for value in values if value is not None and value is not MISSING)


def _is_text(value: Any) -> bool:
    try:
        return bool(as_prompt(value))
    except UnusableError:
        return False


def _is_label(value: Any) -> bool:
    try:
        return bool(as_answer(value)[0])
    except UnusableError:
        return False


def _guess_prompt(known: _Names, answer: str | None) -> str | None:
    """`prompt`, else a known pair as a template, else a usual name, else the only other column of text."""
    if (column := known.first(("prompt",), _is_text)) is not None:
        return column
    for pair in _PAIRS:
        found = [known.first((one,), _is_text) for one in pair]
        if None not in found and answer not in found:
            return "\n".join(f"{{{one}}}" for one in found)
    others = tuple(one for one in _PROMPTS if known.folded.get(one) != answer)
    if (column := known.first(others, _is_text)) is not None:
        return column
    rest = [one for one in known.table.columns if one != answer]
    return rest[0] if len(rest) == 1 and known.passes(rest[0], _is_text) else None


def _guess_group(known: _Names) -> str | None:
    """A column of an unmistakable name that does group: some values repeat, and not all are one."""
    for name in _GROUPS:
        column = known.folded.get(name)
        if column is None:
            continue
        values = [as_name(cell(row.values, column)) for row in known.table.rows]
        present = [one for one in values if one is not None]
        if 1 < len(set(present)) < len(present) and 2 * len(present) > len(values):
            return column
    return None


def _guess_id(known: _Names, group: str | None) -> str | None:
    """A usual name whose values are all present and all different."""
    for name in _IDS:
        column = known.folded.get(name)
        if column is None or column == group:
            continue
        values = [as_name(cell(row.values, column)) for row in known.table.rows]
        if None not in values and len(set(values)) == len(values):
            return column
    return None


def _guess_choices(known: _Names, answer: str) -> tuple[str, ...]:
    """The column of options, or the columns of one option each."""
    column = known.first(_CHOICES)
    if column is not None and column != answer:
        return (column,)
    for names in _LISTED_CHOICES:
        found = tuple(known.folded[one] for one in names if one in known.folded)
        if len(found) >= 2 and answer not in found:
            return found
    return ()


def _split_of(table: Table, named: str | None, place: str) -> tuple[str | None, str | None]:
    """(column, wanted value) of `COLUMN` or `COLUMN=VALUE`; a column may itself hold an equals sign."""
    if named is None or _exists(table, named) or "=" not in named:
        return named, None
    column, value = named.split("=", 1)
    _check_column(table, column, place)
    values = sorted({str(as_name(cell(row.values, column))) for row in table.rows})
    if value not in values:
        raise InputError(
            f"{place}: no row has {column}={value}.{did_you_mean(value, values)} Values: {_listed(values)}"
        )
    return column, value


def _exists(table: Table, column: str) -> bool:
    """True for a column, or a dotted path that some row has."""
    if column in table.columns:
        return True
    return "." in column and any(cell(row.values, column) is not MISSING for row in table.rows)


def _check_column(table: Table, column: str, place: str) -> None:
    """Raise InputError, with the columns there are, where `column` is none of them."""
    if not _exists(table, column):
        raise InputError(
            f"{place}: there is no column {column!r}.{did_you_mean(column, table.columns)} "
            f"Columns: {_listed(table.columns)}"
        )


def _parse_template(template: str) -> tuple[tuple[str, str | None], ...]:
    """The literal texts and columns of a template. Raises UsageError where it cannot be read."""
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError as error:
        raise UsageError(f"template {template!r}: {error}; write {{{{ and }}}} for plain braces") from error
    if any(spec or conversion for _, _, spec, conversion in parsed) or not any(one[1] for one in parsed):
        raise UsageError(f"template {template!r}: give columns as {{name}}, at least one, nothing else in it")
    if any(field == "" for _, field, _, _ in parsed):
        raise UsageError(f"template {template!r}: empty braces; name the column in them")
    return tuple((literal, field) for literal, field, _, _ in parsed)


def _listed(names: list[str]) -> str:
    """The first names there are, quoted."""
    shown = ", ".join(repr(one if len(one) <= 60 else one[:60] + "…") for one in names[:30])
    return shown + (f" and {len(names) - 30} more" if len(names) > 30 else "") if names else "none"
