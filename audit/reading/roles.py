"""Which column plays which role: named, fixed by the format or guessed; and one part of each answer."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from hansproof.audit.benchmark import Mapping
from hansproof.audit.formats.column_names import ANSWERS, PROMPTS
from hansproof.audit.formats.table import MISSING, Table, UnusableError, as_answers, as_name, cell, is_missing
from hansproof.audit.reading.guesses import (
    Names,
    doubt_of,
    guess_answer,
    guess_choices,
    guess_group,
    guess_id,
    guess_prompt,
    guess_sources,
    part_columns,
    sentences,
)
from hansproof.audit.reading.options import scored
from hansproof.generators.errors import Fault, InputError, UsageError, unknown

__all__ = ["AnswerPart", "Columns", "Roles", "check_sure", "exists", "listed", "parse_answer_part", "resolve"]

# `--answer-part REGEX`, or `key:FIELD` for structured answers. Patterns are those of RE2 (Cox 2010), which match in
# linear time: no pattern and no answer can keep the audit busy for long.

AnswerPart = Callable[[Any], Any]
"""From the value of the answer's column to its part. Raises UnusableError where the answer does not have it."""

_KEY = "key:"
_LONGEST = 1000
"""Characters of a pattern: a longer one is no pattern that somebody has written."""
_SHOWN = 60


def parse_answer_part(spec: str) -> AnswerPart:
    """The part that `spec` names: `key:FIELD`, a dotted path (`key:0`, `key:final.label`), else a pattern.

    A pattern is searched for in the answer; the part is its first group, or the whole match where it has none. Keys
    and places go into objects and lists, or into those that the answer has as JSON text. Raises UsageError for an empty
    part and for a pattern that RE2 does not take.
    """
    if spec.startswith(_KEY):
        path = spec[len(_KEY) :]
        if not path or "" in path.split("."):
            raise UsageError(f"answer part {spec!r}: name a key or a place after {_KEY!r}, such as key:label or key:0")
        return lambda value: _inside(value, path)
    if not spec:
        raise UsageError("the answer part is empty: give a regular expression, or key:FIELD")
    if len(spec) > _LONGEST:
        raise UsageError(f"the answer part has {len(spec):,} characters; at most {_LONGEST:,} may be")
    search = _compiled(spec)
    return lambda value: _matched(value, search)


def _compiled(pattern: str) -> Callable[[str], Any]:
    import re2

    options = re2.Options()
    options.log_errors = False  # it would write to standard error besides
    try:
        compiled = re2.compile(pattern, options)
    except (re2.error, UnicodeEncodeError) as error:
        said = error.args[0].decode("utf-8", "replace") if error.args and isinstance(error.args[0], bytes) else error
        raise UsageError(
            f"answer part {pattern!r}: {said}; patterns are those of RE2, without look-around and back-references"
        ) from error
    search: Callable[[str], Any] = compiled.search
    return search


def _matched(value: Any, search: Callable[[str], Any]) -> str:
    """The first group of the first match in an answer, or the whole match."""
    text = as_name(value) or "" if isinstance(value, dict) and not is_missing(value) else as_answers(value)[0]
    match = search(text)
    part = match and (match[1] if match.re.groups else match[0])
    if not part:
        raise UnusableError(
            "the answer lacks the part that --answer-part names",
            repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…"),
        )
    return str(part)


def _inside(value: Any, path: str) -> Any:
    """What stands at a dotted path of an object or a list."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            value = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError) as error:
            raise UnusableError("the answer lacks the part that --answer-part names", "it is not JSON") from error
    for part in path.split("."):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif (
            isinstance(value, (list, tuple)) and part.lstrip("-").isdecimal() and -len(value) <= int(part) < len(value)
        ):
            value = value[int(part)]
        else:
            raise UnusableError("the answer lacks the part that --answer-part names", f"it has no {part!r}"[:_SHOWN])
    return value


_ORDER = ("prompt", "answer", "group", "split", "id", "choices")


@dataclass(frozen=True)
class Columns:
    """The columns that the user named; all are optional."""

    prompt: str | None = None
    """A column, or a dotted path into nested objects."""
    answer: str | None = None
    group: str | None = None
    """The column whose equal values mark items that belong together."""
    split: str | None = None
    """`COLUMN`, or `COLUMN=VALUE` to keep only that split."""
    template: str | None = None
    """The prompt composed from columns: `{premise} {hypothesis}`."""
    id: str | None = None
    answer_part: str | None = None
    """A regular expression or `key:FIELD`: the part of each answer that is audited instead of all of it."""
    choices: str | None = None
    """The column that lists the options of each item, or columns with one option each: `option1,option2`."""
    recipe: str | None = None
    """The name of a recipe, which names the columns that are not named here."""


@dataclass(frozen=True)
class Roles:
    """The roles as decided, ready to apply to rows."""

    mapping: Mapping
    parts: tuple[tuple[str, str | None], ...] | None
    """(literal text, column) pairs of a template; None where one column is the prompt."""
    keep: str | None = None
    """The only split to keep; None keeps all."""
    part: AnswerPart | None = None
    """Takes the part to audit out of each answer; None takes all of it."""
    fields: tuple[str, ...] = ()
    """The columns of the parts of the prompt (`audit.reading.guesses`)."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that has a role."""
        groups = self.mapping.sources or (self.mapping.group,)
        others = (self.mapping.answer, *groups, self.mapping.split, self.mapping.id, *self.mapping.choices)
        parts = [self.mapping.prompt] if self.parts is None else [column for _, column in self.parts]
        return tuple(column for column in (*parts, *others) if column is not None)


def resolve(table: Table, columns: Columns, place: str) -> Roles:
    """Decide the roles.

    Raises InputError for a column that does not exist or cannot be guessed, UsageError for both a prompt and a
    template, for one column as both prompt and answer, and for an answer part that is none.
    """
    _refuse(table, columns, place)
    part = None if columns.answer_part is None else parse_answer_part(columns.answer_part)
    fixed = dict(table.defaults)
    guessed: list[str] = []

    def decide(role: str, named: str | None, guess: str | None) -> str | None:
        if named is None and role not in fixed and guess is not None:
            guessed.append(role)
        return named if named is not None else fixed.get(role, guess)

    split_named, keep = _split_of(table, columns.split, place)
    template = columns.template or ("" if columns.prompt else fixed.get("template", ""))
    parts = _parse_template(template) if template else None
    named = {columns.prompt, columns.group, columns.id, split_named, *(column for _, column in parts or ())}
    known, free = Names(table), Names(table, named)
    group = decide("group", columns.group, guess_group(free))
    split = decide("split", split_named, free.first(("split",)))
    id_ = decide("id", columns.id, guess_id(free, group))
    answer = decide("answer", columns.answer, guess_answer(free, structured=part is not None))
    choices = _named_choices(table, columns.choices, place) if columns.choices else ()
    prompt: str | None
    if parts is not None:
        prompt = template
        _check_columns(table, [column for _, column in parts], place)
    else:
        taken = tuple(column for column in (answer, group, split, id_) if column is not None)
        prompt = decide("prompt", columns.prompt, guess_prompt(known, answer, taken, choices))
        if prompt is not None and "prompt" in guessed and "{" in prompt:
            parts = _parse_template(prompt)
    if prompt is None or answer is None:
        missing = [role for role, column in (("prompt", prompt), ("answer", answer)) if column is None]
        option = " and ".join(f"--{role}" for role in missing)
        them = "them" if missing[1:] else "it"
        usual = {"prompt": PROMPTS[:3], "answer": ANSWERS[:3]}
        known_names = " and ".join(f"{', '.join(usual[role])} for the {role}" for role in missing)
        header = " If the first line of the file is an item, add a line above it that names the columns."
        raise InputError(
            f"no column looks like the {' or the '.join(missing)}; name {them} with {option}. "
            f"Names such as {known_names} are recognised. Columns: {listed(table.columns)}"
            + (f".{header}" if table.format.startswith(("CSV", "TSV")) else ""),
            place,
        )
    if answer in ([prompt] if parts is None else [column for _, column in parts]):
        raise UsageError(
            f"column {answer!r} is both {'the prompt' if parts is None else 'in the template'} and the answer, "
            "so every prompt would contain its own answer: name two different columns",
            place,
        )
    if not choices and "choices" in fixed:
        choices = (fixed["choices"],)
    elif not choices:
        choices = guess_choices(free, answer, [prompt] if parts is None else [column for _, column in parts])
        guessed += ["choices"] if choices else []
    if choices == (answer,) and part is None:
        part = scored
    sources: tuple[str, ...] = ()
    if group is None:
        whole = (prompt,) if parts is None else ()
        sources = guess_sources(known, {answer, split, id_, *choices, *whole})
        group = decide("group", None, ", ".join(sources) or None)
    mapping = Mapping(
        prompt, answer, group, split, id_, sources, tuple(sorted(guessed, key=_ORDER.index)), choices, table.format
    )
    fields = part_columns(known, [column for _, column in parts or () if column is not None], answer)
    roles = Roles(mapping, parts, keep, part, fields)
    return replace(roles, mapping=replace(mapping, unseen=_unseen(known, roles)))


def check_sure(table: Table, roles: Roles, columns: Columns, place: str) -> None:
    """Raise InputError where the user did not name the answer, and it may be a reply, its grade or another column."""
    if columns.answer is None and not roles.mapping.choices:
        guessed = "answer" in roles.mapping.guessed
        if doubt := doubt_of(Names(table), roles.mapping.answer, roles.columns, guessed=guessed):
            raise InputError(doubt, place)


def _unseen(known: Names, roles: Roles) -> tuple[str, ...]:
    """The columns of texts without a role; not those whose first text the prompt or an option of its row repeats."""
    unseen = []
    for column in known.table.columns:
        if column in roles.columns:
            continue
        for row in known.table.rows:  # a column may be empty in all but the last rows
            if texts := sentences(cell(row.values, column)):
                told = [str(cell(row.values, used)) for used in roles.columns]
                if not all(any(text in other for other in told) for text in texts):
                    unseen.append(column)
                break
    return tuple(unseen)


def _refuse(table: Table, columns: Columns, place: str) -> None:
    """Refuse columns that are named, but empty, in conflict or not there."""
    for role in (*_ORDER, "template"):
        named = getattr(columns, role)
        if named is not None and not named.strip() and named not in table.columns:
            raise UsageError(f"{role} is empty; name a column, or leave the option out")
    if columns.prompt and columns.template:
        raise UsageError("both a prompt column and a template were given: name one of them")
    _check_columns(table, (columns.prompt, columns.answer, columns.group, columns.id), place)


def _named_choices(table: Table, named: str, place: str) -> tuple[str, ...]:
    """The columns of `COLUMN[,COLUMN...]`; a column may itself contain a comma."""
    if exists(table, named):
        return (named,)
    columns = tuple(column.strip() for column in named.split(",") if column.strip())
    if not columns:
        raise UsageError("choices is empty; name the column that lists the options, or one column per option")
    if len(set(columns)) < len(columns):
        raise UsageError(f"choices {named!r} names a column twice")
    _check_columns(table, columns, place)
    return columns


def _split_of(table: Table, named: str | None, place: str) -> tuple[str | None, str | None]:
    """(column, wanted value) of `COLUMN` or `COLUMN=VALUE`; the column may itself contain an equals sign."""
    if named is None or exists(table, named) or "=" not in named:
        return named, None
    column, value = named.split("=", 1)
    _check_columns(table, [column], place)
    values = sorted({str(as_name(cell(row.values, column))) for row in table.rows})
    if value not in values:
        raise InputError(unknown("value", value, values, within=f"column {column!r}").reason, place)
    return column, value


def exists(table: Table, column: str) -> bool:
    """True for a column, or a dotted path that exists in some row."""
    if column in table.columns:
        return True
    return "." in column and any(cell(row.values, column) is not MISSING for row in table.rows)


def _check_columns(table: Table, names: Iterable[str | None], place: str) -> None:
    """Raise InputError, with the existing columns, for all that do not exist."""
    absent = [name for name in dict.fromkeys(names) if name is not None and not exists(table, name)]
    if absent:
        raise InputError.of([Fault(unknown("column", name, table.columns).reason, place) for name in absent])


def _parse_template(template: str) -> tuple[tuple[str, str | None], ...]:
    """The literal texts and columns of a template. Raises UsageError if it is malformed."""
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError as error:
        raise UsageError(f"template {template!r}: {error}; write {{{{ and }}}} for plain braces") from error
    if any(spec or conversion for _, _, spec, conversion in parsed) or not any(field for _, field, _, _ in parsed):
        raise UsageError(f"template {template!r}: name at least one column as {{name}}, without conversion or format")
    if any(field == "" for _, field, _, _ in parsed):
        raise UsageError(f"template {template!r}: empty braces; name a column in them")
    return tuple((literal, field) for literal, field, _, _ in parsed)


def listed(names: list[str]) -> str:
    """The first 30 names, quoted, and how many more there are."""
    shown = ", ".join(repr(name if len(name) <= 60 else name[:60] + "…") for name in names[:30])
    return shown + (f" and {len(names) - 30} more" if len(names) > 30 else "") if names else "none"
