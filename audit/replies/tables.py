"""Plain tables of answers: CSV, TSV, Parquet and lists of records, with columns named or guessed.

A long table has a row per answer; a wide one has a row per item and a column per model, and its columns are named."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hansproof.audit.formats.column_names import EITHER, NAMES, VAGUE, folded
from hansproof.audit.formats.table import MISSING, Table, as_name, as_plain, bare, cell, is_blank, is_missing
from hansproof.audit.harnesses.answer_lines import NoAnswersError
from hansproof.audit.harnesses.log_values import LONGEST_NAME, as_golds, as_label, as_options, as_verdict, verdict
from hansproof.audit.harnesses.reply import Reply, as_asked, run_of_sample
from hansproof.audit.reading.guesses import Names, guess_choices
from hansproof.audit.reading.options import decide_golds, given_in
from hansproof.generators.errors import InputError, UsageError, unknown
from hansproof.generators.item import KEYS

__all__ = ["ReplyColumns", "are_usual", "holds_replies", "replies_of_table"]

Options = tuple[tuple[str, ...], tuple[str, ...]]
"""The options of a row, and the right ones; none where there are none, or where the gold names none of them."""


def options_of_rows(table: Table, roles: Mapping[str, str], taken: Collection[str]) -> list[Options] | None:
    """The options of every row, and its golds as texts of them; None where less than half of the rows have options.

    `roles` are the columns of the table by their roles, `taken` all that hold something else than options.
    """
    gold = roles.get("gold", "")
    named = roles.get("choices")
    columns = (named,) if named else guess_choices(Names(table), gold)
    given = None if {*columns} & {*taken} else given_in(table.rows, columns)
    if given is None:
        return None
    answers = [as_golds(cell(row.values, gold)) if gold else () for row in table.rows]
    golds = decide_golds([own[0] if len(own) == 1 else "" for own in answers], given)
    made = []
    for own, options, place in zip(answers, given, golds.index, strict=True):
        texts = as_options(list(options.texts))
        right = (texts[place],) if texts and 0 <= place < len(texts) else own
        made.append((texts, right))
    return made


def holds_golds(table: Table, column: str) -> bool:
    """Whether a column that is called like a verdict (`correct`) holds gold answers: texts, no numbers, of which most
    are neither right nor wrong."""
    values = [value for row in table.rows if not is_blank(value := bare(cell(row.values, column)))]
    texts = [value for value in values if isinstance(value, str) and as_name(value) and not _NUMBER.fullmatch(value)]
    return bool(values) and len(texts) == len(values) > 2 * sum(as_verdict(text) is not None for text in texts)


_NUMBER = re.compile(r"\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?\s*")


_SHOWN, _EXAMPLES = 12, 8
"""Columns that an error lists, and that it proposes as those of models."""
_LABELS = ("model", "family", "style", "benchmark")
"""Roles of names."""
_DECISIVE = ("reply", "id", "prompt", "model", "judged")
"""Roles for which the wrong one of two columns makes wrong numbers."""
_HELP = (
    f"Names such as {', '.join(NAMES['reply'][:3])} for replies, {', '.join(NAMES['id'][:2])} for ids and "
    f"{', '.join(NAMES['prompt'][:2])} for prompts are recognised; `hansproof score --help` lists all"
)


@dataclass(frozen=True)
class ReplyColumns:
    """The columns of a table of answers that the user names; the others are guessed by their names."""

    named: Mapping[str, str] = field(default_factory=dict)
    """Role -> column."""
    replies: tuple[str, ...] = ()
    """In a wide table the columns with a model's answers each; the model is called as its column."""

    @classmethod
    def of(cls, pairs: Mapping[str, str], replies: tuple[str, ...] = ()) -> ReplyColumns:
        """Role -> column, as `--column reply=answer_text` names them. Raises UsageError for an unknown role."""
        if strange := next((role for role in pairs if role not in NAMES), None):
            raise unknown("role of a column", strange, list(NAMES))
        if replies and ("reply" in pairs or "model" in pairs):
            raise UsageError("in a wide table the columns of replies say which reply and which model; name no others")
        return cls(pairs, replies)


def holds_replies(names: Iterable[str]) -> bool:
    """Whether columns of these names can be a table of answers: one may hold replies, another ids or prompts."""
    usual = {folded(name) for name in names}
    replies = bool(usual & {*NAMES["reply"]}) or (EITHER in usual and _settled(usual))
    return replies and bool(usual & {*NAMES["id"], *NAMES["prompt"]})


def are_usual(names: Iterable[str]) -> bool:
    """Whether headings of a table are among these names: one at least is usual for replies, ids or prompts."""
    usual = {folded(name) for name in names}
    return bool(usual & {EITHER, *NAMES["reply"], *NAMES["id"], *NAMES["prompt"]})


def replies_of_table(table: Table, columns: ReplyColumns, path: str) -> Iterator[Reply]:
    """One reply per row, or per row and column of a wide table; a list of replies is so many runs.

    An empty cell is no reply (`says_nothing`): a run that broke off and a pivot leave such cells. Raises InputError for
    columns that are not there, for a table without replies, and for one with neither ids nor prompts.
    """
    roles = _resolved(table, columns, path)
    if table.left_out:
        entry = table.left_out[0]
        raise InputError(f"{entry.full_reason}; mend or remove the row", f"{path}: {entry.place}")
    taken = [column for role, column in roles.items() if role not in ("choices", "prompt")]
    options = options_of_rows(table, roles, [*taken, *columns.replies])
    for number, row in enumerate(table.rows, 1):
        place = f"{path}: {row.place}"
        values = {role: _given(row.values, column) for role, column in roles.items()}
        id, prompt = as_name(values.get("id")), as_asked(values.get("prompt"))
        if id is None and (prompt is None or not prompt.strip()):
            raise InputError("has neither an id nor a prompt", place)
        golds, choices = as_golds(values.get("gold")), as_options(values.get("choices"))
        if options is not None:
            choices, golds = options[number - 1]
        labels: dict[str, Any] = {role: as_label(values.get(role)) for role in _LABELS}
        for column in columns.replies or ("",):
            given = _given(row.values, column) if column else values.get("reply")
            if column:
                labels["model"] = column[:LONGEST_NAME]
            judged, run_of_row = None if column else values.get("judged"), as_label(values.get("run"))
            for said, mark, run in _samples(given, judged, run_of_row):
                yield Reply(
                    place=f"{place} column {column}" if column else place,
                    line=number,
                    reply=_said(said, place),
                    id=id,
                    prompt=prompt,
                    golds=golds,
                    choices=choices,
                    digest=as_name(values.get("digest")) or "",
                    run=run,
                    **labels,
                    **verdict(mark),
                )


def _samples(given: Any, judged: Any, run: str) -> Iterator[tuple[Any, Any, str]]:
    """(reply, verdict, run) of each sample: of a list, which is so many runs, or of a cell. Several verdicts must be as
    many as replies; a single one is about none of several replies."""
    replies = given if isinstance(given, list) and given else [given]
    marks = judged if isinstance(judged, list) else [judged]
    marks = marks if len(marks) == len(replies) else [None] * len(replies)
    return zip(replies, marks, (run_of_sample(run, number) for number in range(1, len(replies) + 1)))


def _given(values: dict[str, Any], column: str) -> Any:
    held = cell(values, column)
    return None if is_missing(held) else held


def _is_filled(table: Table, column: str) -> bool:
    """Whether some row has a value there."""
    held = (cell(row.values, column) for row in table.rows)
    return any(not is_missing(value) and not is_blank(value) for value in held)


def _said(given: Any, place: str) -> str | None:
    """The text of a reply; numbers and truth values become theirs."""
    if given is None:
        return None
    text = as_plain(given)
    if text is None and not is_blank(given):
        raise InputError("its reply is not text", place)
    return text or ""


def _settled(usual: Collection[str]) -> bool:
    """Whether `answer` holds replies: there are models who gave them, or golds under another name."""
    return bool({*usual} & {*NAMES["model"], *(name for name in NAMES["gold"] if name != EITHER)})


def _resolved(table: Table, columns: ReplyColumns, path: str) -> dict[str, str]:
    """Role -> column. Raises InputError as `replies_of_table` does."""
    first = table.rows[0].values if table.rows else {}
    named = {role: columns.named[role] for role in NAMES if role in columns.named}
    for column in (*named.values(), *columns.replies):
        if column not in table.columns and (column in columns.replies or cell(first, column) is MISSING):
            raise unknown("column", column, table.columns, within=path)
    if not table.rows:
        raise InputError("has no replies: the table has no rows", path)
    free = [name for name in table.columns if name not in {*named.values(), *columns.replies}]
    usual: dict[str, list[str]] = {}
    for name in free:
        usual.setdefault(folded(name), []).append(name)
    roles = dict(named)
    for role, names in NAMES.items():
        if role in named or (role == "reply" and columns.replies):
            continue
        guesses = [name for usual_name in names for name in usual.get(usual_name, ()) if name not in roles.values()]
        if role == "reply" and not guesses and (_settled(usual) or "model" in named or "gold" in named):
            guesses = usual.get(EITHER, [])
        # A column without a value says nothing beside one that has some.
        guesses = [name for name in guesses if len(guesses) == 1 or _is_filled(table, name)] or guesses
        if role == "judged" and (golds := [name for name in guesses if holds_golds(table, name)]):
            guesses = [name for name in guesses if name not in golds]
            roles.setdefault("gold", golds[0])
        if guesses:
            roles[role] = _only(role, guesses, table, path) if role in _DECISIVE else guesses[0]
    if not columns.replies and "reply" not in roles:
        raise _without_replies(table, roles, free, path)
    if "id" not in roles and "prompt" not in roles:
        none = "no column is called like ids or prompts"
        why = f"{none}: name one with --column id=COLUMN or --column prompt=COLUMN. {_HELP}"
        raise NoAnswersError(f"{why}. Columns: {_shown(table)}", path, none)
    return roles


def _only(role: str, guesses: Sequence[str], table: Table, path: str) -> str:
    """The column that is called as the role itself, or else the first, if the others say the same in every row; one of
    a vague name counts only where it is alone.

    Raises InputError where two columns may have the role and differ, if only by the case of their names.
    """
    own = sorted((guess for guess in guesses if folded(guess) == role), key=lambda guess: guess != role)
    first, *others = own or [guess for guess in guesses if folded(guess) not in VAGUE] or guesses[:1]
    for other in others:
        if _differ(role, [(cell(row.values, first), cell(row.values, other)) for row in table.rows]):
            what = "verdict of the harness" if role == "judged" else role
            raise InputError(
                f"{first!r} and {other!r} differ, and either may be the {what}: say which with "
                f"--column {_pair(role, first)} or --column {_pair(role, other)}",
                path,
            )
    return first


def _differ(role: str, values: Sequence[tuple[Any, Any]]) -> bool:
    """Whether two columns cannot both have a role."""
    if role == "judged":  # a mark of one half contradicts nothing
        verdicts = [(as_verdict(own), as_verdict(theirs)) for own, theirs in values]
        return any(None not in pair and pair[0] != pair[1] for pair in verdicts)
    if role == "reply":  # as a text, and as a list of one
        values = [(_lone(own), _lone(theirs)) for own, theirs in values]
    pairs = {(repr(own), repr(theirs)) for own, theirs in values}
    if role != "model":
        return any(own != theirs for own, theirs in pairs)
    if len(pairs) == 1 and not any(map(is_blank, values[0])):
        # One name proves no pairing: a short name and a full one share their letters.
        short, long = sorted(("".join(filter(str.isalnum, str(each).casefold())) for each in values[0]), key=len)
        return short not in long
    # Two names of every model, a short one and a full one, are no conflict.
    return not len({own for own, _ in pairs}) == len({theirs for _, theirs in pairs}) == len(pairs)


def _lone(value: Any) -> Any:
    """The member of a list of one."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _without_replies(table: Table, roles: Mapping[str, str], free: Sequence[str], path: str) -> NoAnswersError:
    """The error for a table in which nothing is called like replies, with the option that would help."""
    either = next((name for name in free if folded(name) == EITHER), "")
    left = [name for name in free if name == either or name not in roles.values()]
    ours = set(KEYS) <= set(table.columns)
    none = "no column is called like replies"
    pair = _pair("reply", left[0]) if len(left) == 1 or (left and "model" in roles) else "reply=COLUMN"
    if ours or {"prompt", "gold"} <= roles.keys():
        why = "holds items and no replies: items belong behind --items"
        if not ours:
            where = f"{either!r} holds" if either else "a column holds"
            why += f"; if {where} replies, say so with --column {_pair('reply', either or 'COLUMN')}"
        return NoAnswersError(f"{why}. Columns: {_shown(table)}", path, none)
    if either:
        why = f"{either!r} may hold replies or gold answers: if replies, say so with --column {_pair('reply', either)}"
    else:
        why = f"{none}: name it with --column {pair}"
    wide = [name for name in left if "," not in name and name != either]
    if "prompt" not in roles:
        wide = [name for name in wide if _repeats(table, name)] or wide
    if "model" not in roles and (wide or not either):
        example = ",".join(wide[:_EXAMPLES]) if wide and ("id" in roles or "prompt" in roles) else "NAME,NAME"
        why += f"; or, if each model has a column of its own, name those: --reply-columns {shlex.quote(example)}"
    return NoAnswersError(f"{why}. {_HELP}. Columns: {_shown(table)}", path, none)


def _repeats(table: Table, column: str) -> bool:
    """Whether rows share a value, as answers do and prompts do not."""
    return len({repr(cell(row.values, column)) for row in table.rows}) < len(table.rows)


def _pair(role: str, column: str) -> str:
    """`reply=answer`, as a shell takes it."""
    return shlex.quote(f"{role}={column}")


def _shown(table: Table) -> str:
    return ", ".join(map(repr, table.columns[:_SHOWN])) + (", ..." if len(table.columns) > _SHOWN else "")
