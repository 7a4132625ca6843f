"""Pairs of preference as items with options: a prompt, the reply that was chosen, and those that were rejected.

Either columns say which is which (`chosen`, `rejected`), or replies stand side by side and a further column names the
winner. Replies may be texts, chats (lists of messages), or transcripts; the turns that all replies of a row begin with
are its prompt. Which of `chosen` and `rejected` comes first means nothing, so options stand in an order drawn from
their texts; replies that are called A and B, or 1 and 2, keep their places, because people prefer the first of two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import takewhile
from typing import Any, TypeAlias

from hansproof.audit.benchmark import Benchmark, LeftOut
from hansproof.audit.formats.table import Row, Table, UnusableError, as_name, as_plain, cell, is_blank, turn_of
from hansproof.audit.notation import things
from hansproof.audit.reading.guesses import Names
from hansproof.audit.reading.roles import Columns

__all__ = ["Preferences", "find_preferences"]

_STEMS = ("response", "reply", "output", "completion", "conversation", "assistant", "model_response", "answer")
_WINNER = ("winner", "preference", "preferred", "preferred_response", "better_response_id", "better_response", "better")
"""Folded names of two columns of replies, numbered or lettered, and of one that says which of them won."""
_LABEL = ("label", "key")
"""The same for `_STEMS` but `answer`: the options of a question are called so, too."""

_FLAG = "winner_"
"""How columns begin of which the one that holds is 1: `winner_model_a`, `winner_model_b`, `winner_tie`."""

_VERDICT = re.compile(
    r"\[{0,2}(?:(?:model|response|reply|output|completion|answer|conversation|assistant)[ _]?)?([ab]|[012])(?:\.0)?"
    r"(?:\s*(?:>+\s*[ab]|<+\s*([ab])))?\]{0,2}"
)
"""`model_a`, `Response 1`, `A`, `[[B]]`, `A>B`, `A<B`."""
_TIE = re.compile(r"\[{0,2}(?:tie|tied|draw|both|neither|none|equal|same|c|a\s*=\s*b)\b.*", re.S)

_HOLDS = ("1", "1.0", "true")
_OPTIONS, _PROMPT = "the replies", "the turns before the replies"
"""Columns that are made here."""

_TURN = re.compile(r"\n\n(Human|Assistant): ?")
"""Where a turn of a transcript begins."""

Turns: TypeAlias = list[tuple[str, str]]
"""(role, text) of what was said, in order."""
Form: TypeAlias = tuple[str, tuple[str, ...], Callable[[Row], tuple[list[Any], int]]]
"""What says which reply won (a column, or several with commas), the columns of the replies, and what reads a row: its
replies, and the place of the one that was preferred, -1 for a tie. Raises UnusableError."""


@dataclass(frozen=True)
class Preferences:
    """The pairs of a table."""

    table: Table
    """With the replies of each row as a list of options with scores, and with the turns that they share."""
    columns: Columns
    """Those that read it so."""
    gold: str
    """What says which reply won: a column, or several with commas between them."""
    replies: tuple[str, ...]
    """The columns of the replies."""

    def named(self, benchmark: Benchmark, columns: Columns) -> Benchmark:
        """The benchmark that was read so, with the columns as the source calls them, and those as guessed that the user
        did not name among `columns`."""
        mapping, options, drawn = benchmark.mapping, benchmark.options, self.gold in self.replies
        roles = ("prompt", "answer", "choices") if mapping.prompt == _PROMPT else ("answer", "choices")
        guessed = (*mapping.guessed, *(role for role in roles if getattr(columns, role) is None))
        prompt = self.replies[0] if mapping.prompt == _PROMPT else mapping.prompt
        mapping = replace(mapping, prompt=prompt, answer=self.gold, choices=self.replies, guessed=guessed)
        if options is not None:
            named, says = ", ".join(map(repr, self.replies)), "has" if drawn else "names"
            how = f"columns {named}; {self.gold!r} {says} the chosen reply"
            options = replace(options, how=how, ordered=not drawn, pairs=True)
        return replace(benchmark, mapping=mapping, options=options)


def find_preferences(table: Table, columns: Columns) -> Preferences | None:
    """The pairs of a table; None if its columns are not called so, or if the user or the format names others."""
    known = Names(table)
    forms = (_by_name(known), *(_by_winner(known, stem) for stem in _STEMS))
    gold, replies, read = next(filter(None, forms), ("", (), None))
    others = columns.answer not in (None, gold) or columns.choices not in (None, ",".join(replies))
    if read is None or others or columns.answer_part is not None or table.defaults:
        return None
    rows, left_out, ties, shared = [], list(table.left_out), 0, 0
    for row in table.rows:
        try:
            values, won = read(row)
            said = [_turns(value) for value in values]
        except UnusableError as error:
            left_out.append(LeftOut(row.place, error.reason, error.detail))
            continue
        if won < 0:
            ties += 1
            continue
        common = _common(said)
        options = [
            {"text": "\n".join(text for _, text in of[common:]), "score": int(at == won)} for at, of in enumerate(said)
        ]
        kept = {name: value for name, value in row.values.items() if name not in (gold, *replies)}
        kept[_OPTIONS] = sorted(options, key=_drawn) if gold in replies else options
        if common:
            kept[_PROMPT] = [{"role": role, "content": text} for role, text in said[0][:common]]
        shared += common > 0
        rows.append(Row(row.place, kept))
    prompt = columns.prompt
    if columns.template is None and prompt in (None, *replies):
        prompt = _PROMPT if 2 * shared > len(rows) else None
    notes = [f"left out: {things(ties, 'pair')} without a preference (ties)"] if ties else []
    read_as = list(dict.fromkeys(name for row in rows for name in row.values))
    made = replace(table, rows=rows, columns=read_as, left_out=tuple(left_out), notes=(*table.notes, *notes))
    return Preferences(made, replace(columns, prompt=prompt, answer=_OPTIONS, choices=_OPTIONS), gold, replies)


def _by_name(known: Names) -> Form | None:
    """`chosen` beside `rejected`, or beside `rejected_1`, `rejected_2`; either may be a list of replies."""
    chosen, numbered = known.folded.get("chosen"), known.numbered()
    one_column = (known.folded["rejected"],) if "rejected" in known.folded else ()
    rejected = one_column or numbered.get("rejected_") or numbered.get("rejected") or ()
    if chosen is None or not rejected:
        return None

    def read(row: Row) -> tuple[list[Any], int]:
        won = _listed(cell(row.values, chosen))
        if len(won) != 1:
            raise UnusableError("several replies are chosen" if won else "no reply is chosen")
        lost = [reply for column in rejected for reply in _listed(cell(row.values, column))]
        if not lost:
            raise UnusableError("no reply is rejected")
        return [*won, *lost], 0

    return chosen, (chosen, *rejected), read


def _by_winner(known: Names, stem: str) -> Form | None:
    """Two columns of replies beside what names one of them in each row, or says that there is no preference."""
    numbered = known.numbered()
    replies = numbered.get(f"{stem}_") or numbered.get(stem) or ()
    winner = known.first(_WINNER if stem == "answer" else (*_WINNER, *_LABEL))
    flags = {name.removeprefix(_FLAG): column for name, column in known.folded.items() if name.startswith(_FLAG)}
    flags = flags if len({*map(_mark, flags)} - {""}) == 2 else {}  # one for each reply

    def verdict(row: Row) -> str:
        if winner is not None:
            return (as_name(cell(row.values, winner)) or "").casefold()
        held = [name for name, column in flags.items() if as_name(cell(row.values, column)) in _HOLDS]
        return held[0] if len(held) == 1 else ""

    places = _places({*map(verdict, known.table.rows)} - {""}, replies) if len(replies) == 2 else None
    if places is None:
        return None

    def read(row: Row) -> tuple[list[Any], int]:
        if not (said := verdict(row)):
            raise UnusableError("no preference")
        return [cell(row.values, column) for column in replies], places.get(_mark(said), -1)

    return winner or ", ".join(flags.values()), replies, read


def _places(verdicts: set[str], replies: Sequence[str]) -> dict[str, int] | None:
    """The place of the reply that each mark names; None where there are no verdicts, or others."""
    marks = {_mark(verdict) for verdict in verdicts if not _TIE.fullmatch(verdict)}
    marks -= {"2"} if "0" in marks else set()  # beside 0 and 1, 2 is a tie
    fits = [run for run in ("ab", "01", "12") if marks <= {*run}] if verdicts else []
    own = replies[0][-1].casefold()  # one mark may fit two runs: then as the columns are called
    return next(({run[0]: 0, run[1]: 1} for run in fits if len(fits) == 1 or run[0] == own), None)


def _mark(verdict: str) -> str:
    match = _VERDICT.fullmatch(verdict)
    return match[2] or match[1] if match else ""


def _listed(value: Any) -> list[Any]:
    """The replies in a value: a list of texts or of chats, or one reply."""
    if is_blank(value):
        return []
    several = isinstance(value, (list, tuple)) and not any(isinstance(each, dict) for each in value)
    return [each for each in value if not is_blank(each)] if several else [value]


def _turns(value: Any) -> Turns:
    """What was said: the messages of a chat, the turns of a transcript, or a text as the only turn."""
    if isinstance(value, (list, tuple)):
        return [turn for message in value for turn in _message(message)]
    text = as_plain(value)
    if text is None or is_blank(value):
        raise UnusableError("a reply is no text" if text is None else "a reply is empty")
    roles = list(_TURN.finditer(text))
    if not roles or roles[0].start():
        return [("", text)]
    ends = [*(role.start() for role in roles[1:]), len(text)]
    return [(role[1], text[role.end() : end].strip()) for role, end in zip(roles, ends, strict=True)]


def _message(message: Any) -> Turns:
    turn = turn_of(message)
    if turn is None or (text := as_plain(turn[1])) is None:
        raise UnusableError("a reply is no list of messages with role and content")
    return [(turn[0], text.strip())]


def _common(replies: Sequence[Turns]) -> int:
    """How many turns all replies begin with, so that each keeps one of its own."""
    turns = zip(*(reply[:-1] for reply in replies))
    return sum(1 for _ in takewhile(lambda of: len({*of}) == 1, turns))


def _drawn(option: dict[str, Any]) -> bytes:
    return blake2b(option["text"].encode("utf-8", "surrogatepass"), digest_size=8).digest()
