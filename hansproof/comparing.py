"""Compare two models, two prompts or two dates on the same items, from a script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from hansproof.audit.formats.content import Content
from hansproof.audit.formats.given import Given, called, given
from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.models.comparison import Comparison, compare_sides
from hansproof.audit.models.sides import Side, beside, side_of, sides_of, titles
from hansproof.audit.replies.asking import Asking
from hansproof.audit.replies.grid import Grid, no_verdict
from hansproof.audit.replies.joining import Joined, join
from hansproof.audit.replies.judged_reply import Judged, refuse_unknown_judge
from hansproof.audit.replies.reply_files import ReadingOptions, Replies, ReplyColumns, read_replies
from hansproof.audit.report.comparison_words import changed_rows, sentence
from hansproof.audit.result.shown import Rows, Shown
from hansproof.audit.settings import GroupMode
from hansproof.generators.errors import InputError, Progress, UsageError, unwatched
from hansproof.scoring import are_identical, items_asked, refuse_same

__all__ = ["ComparedAnswers", "Opposed", "compare", "oppose"]


class Opposed(NamedTuple):
    """Two sides, ready to be compared."""

    grid: Grid
    a: Side
    b: Side
    joined: tuple[Joined, ...]
    """What became of the replies of each source, of those to be compared alone."""
    answers: tuple[str, ...]
    """The sources, as they were named."""
    items: str | None
    """The source of the items; None where the logs hold them."""
    others: int = 0
    """Replies of the sources by models, and in styles and runs, that are not compared."""
    identical: bool = False
    """Whether every reply of the one is that of the other, letter by letter."""

    def compared(self, margin: float, *, skip_missing: bool = False) -> ComparedAnswers:
        """The comparison, with a `margin` that is a share."""
        made = compare_sides(self.grid, self.a, self.b, margin=margin, skip_missing=skip_missing)
        return ComparedAnswers(**vars(made), opposed=self)


@dataclass(frozen=True, repr=False)
class ComparedAnswers(Shown, Comparison):
    """A comparison, with the answers that it was made on."""

    opposed: Opposed

    def headline(self) -> str:
        """The verdict, both shares, and their difference with its interval."""
        return sentence(self)

    def rows(self) -> Rows:
        """A row per item that changed."""
        return changed_rows(self)

    def page(self) -> str:
        """The comparison as one HTML page that works from disk, offline and in print, and runs nothing."""
        from hansproof.audit.report.comparison_page import render_comparison

        return render_comparison(self, self.opposed.answers)

    def record(self) -> dict[str, Any]:
        """What `hansproof compare` writes with `--json`."""
        own = Comparison(**{field.name: vars(self)[field.name] for field in fields(Comparison)})
        return {
            "answers": list(self.opposed.answers),
            "items": self.opposed.items,
            **own.record(),
            "identical_replies": self.opposed.identical,
            "read": [joined.read for joined in self.opposed.joined],
        }


def compare(
    a: Given,
    b: Given | None = None,
    *,
    items: Given | None = None,
    item_columns: Mapping[str, str] | None = None,
    groups: GroupMode = "auto",
    a_name: str = "",
    b_name: str = "",
    margin: float = 0.05,
    skip_missing: bool = False,
    judged: Judged = "reply",
    models: Sequence[str] = (),
    styles: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    reply_columns: Sequence[str] = (),
    progress: Progress | None = None,
) -> ComparedAnswers:
    """Compare the answers of two models, prompt styles or dates to the same items, as `hansproof compare` does.

    Args:
        a: A file or a folder of answers in any format (`NAME=FILE` names its model), or rows or replies in memory, as
            for `score`.
        b: The same of the other side; by default `a` holds both.
        items: As for `score`; by default those that the logs themselves hold.
        item_columns: Role -> column of a benchmark, by the names that `audit` has for them: `{"prompt": "question"}`;
            `condition`, how the items of a group differ, so that the two are also compared condition by condition; and
            `subset`, of which subset each item is, so that they are also compared subset by subset; the
            comparison of all items stays as it is without it.
        groups: Which items of a benchmark count together in intervals, standard errors and p, as in `audit`: `auto` for
            the group column, or else those that the texts show; `found`, `none`.
        a_name: Which side of `a` is meant, where it holds several: a model, a style, a run, or a title in full.
        b_name: The same of `b`.
        margin: A difference smaller than this (a share) is negligible: `equivalent` is a claim about it.
        skip_missing: Leave out items to which one of the two has no reply; otherwise it is wrong.
        judged: `reply` has our scorers read the replies, `harness` takes the verdicts of the logs.
        models: Only these models.
        styles: Only these prompt styles.
        columns: Role -> column, for tables whose columns have other names: `{"reply": "answer_text"}`.
        reply_columns: The columns of a table with one model's replies each.
        progress: Called from time to time with (stage, done, total).

    Raises:
        InputError: For files that cannot be read, with the place of each fault; for sides without an item in common.
        UsageError: For names that fit no side or several, a margin that is no share, and one file as both sides.
    """
    sources = (a,) if b is None else (a, b)
    named = ReplyColumns.of(columns or {}, tuple(reply_columns))
    opposed = oppose(
        sources,
        items,
        ReadingOptions(named, {}, tuple(models), tuple(styles), (a_name, b_name)),
        asking=Asking.of(item_columns or {}, groups),
        margin=margin,
        judged=judged,
        progress=progress,
    )
    return opposed.compared(margin, skip_missing=skip_missing)


def oppose(
    sources: Sequence[Given],
    items: Given | None,
    reading: ReadingOptions,
    *,
    asking: Asking | None = None,
    margin: float = 0.05,
    judged: Judged = "reply",
    progress: Progress | None = None,
) -> Opposed:
    """The two sides in one source, or in two, named by `reading.sides` (empty for what has no name); see `compare`."""
    refuse_unknown_judge(judged)
    if not 0 < margin < 1:
        raise UsageError(f"the margin must be above 0 and below 1 (100 points), not {margin:g}")
    a_name, b_name = reading.sides
    names = a_name, b_name
    names_of_data = ("answers A", "answers B") if len(sources) == 2 else ("answers",)
    held = [given(source, name) for source, name in zip(sources, names_of_data, strict=True)]
    replies = _replies(held, reading, progress or unwatched)
    rows, named = items_asked(chain.from_iterable(replies), items, asking, progress or unwatched)

    def joining(answers: Iterable[Reply], of: Replies) -> Joined:
        """`answers` joined, as what is read of the source `of` them."""
        return join(
            answers, rows, judged=judged, keep="readings", source=named, about=of.notes, progress=progress or unwatched
        )

    joined = tuple(joining(answers, answers) for answers in replies)
    for each in joined:
        _refuse_unjudged(each, names)
    if len(joined) == 1:
        sides: list[tuple[Side, ...]] = [_of_one(joined[0].grid, names, held[0])]
    else:
        sides = [
            (_only(each.grid, name, option, source),)
            for each, name, option, source in zip(joined, names, _OPTIONS, held, strict=True)
        ]
    identical = are_identical(replies, joined, sides)
    own = [
        _alone(answers, each, of, partial(joining, of=answers))
        for answers, each, of in zip(replies, joined, sides, strict=True)
    ]
    others = sum(each.read.replies for each in joined) - sum(each.read.replies for each, _ in own)
    joined = tuple(each for each, _ in own)
    first, second = (side for _, of in own for side in of)
    about = tuple(map(called, held)), None if items is None else called(items)
    if len(joined) == 1:
        return Opposed(joined[0].grid, first, second, joined, *about, others, identical)
    grid = beside(joined[0].grid, joined[1].grid)
    second = second._replace(columns=tuple(place + len(joined[0].grid.series) for place in second.columns))
    if first.title == second.title:
        first, second = (
            side._replace(title=f"{side.title} ({letter})") for side, letter in ((first, "A"), (second, "B"))
        )
    return Opposed(grid, first, second, joined, *about, others, identical)


def _alone(
    replies: Iterable[Reply], joined: Joined, sides: tuple[Side, ...], join: Callable[[Iterable[Reply]], Joined]
) -> tuple[Joined, tuple[Side, ...]]:
    """The replies of `sides` without those of others, so that all that is said of replies is of those compared.

    They are read again where there are others, and the sides keep their titles.
    """
    series = joined.grid.series
    wanted = {series[column][:3] for side in sides for column in side.columns}
    if len(wanted) == len(series) + len(joined.not_judged):
        return joined, sides
    alone = join(reply for reply in replies if (reply.model, reply.style, reply.run) in wanted)
    places = {each[:3]: place for place, each in enumerate(alone.grid.series)}
    return alone, tuple(
        Side(side.title, tuple(places[series[column][:3]] for column in side.columns)) for side in sides
    )


def _refuse_unjudged(joined: Joined, names: tuple[str, str]) -> None:
    """Raise InputError where a side, or what may be one, has no verdict of the harness."""
    for series, files in joined.not_judged:
        if not all(names) or {*names} & {series.title, *series[:3]}:
            raise InputError(f"{no_verdict(series.title)}; name others, or leave out --judged harness", files)


_OPTIONS = ("--a", "--b")


def _replies(sources: Sequence[str | Content], reading: ReadingOptions, progress: Progress) -> list[Replies]:
    """The replies of each source, named as they are where all are read together."""
    a_name, b_name = reading.sides
    every = read_replies(
        sources, reading.columns, models=reading.models, styles=reading.styles, sides=reading.sides, progress=progress
    )
    if len(sources) == 2 and not (a_name and b_name and a_name != b_name):
        refuse_same(every.files)
    return every.by_source()


def _of_one(grid: Grid, names: tuple[str, str], source: str | Content) -> tuple[Side, Side]:
    """A and B among the series of one source."""
    every = sides_of(grid.series)
    if any(names):
        if not all(names):
            raise UsageError(f"name both sides, or neither: {titles(every)}", f"{_OPTIONS[0]}, {_OPTIONS[1]}")
        first, second = (side_of(grid.series, name, option) for name, option in zip(names, _OPTIONS, strict=True))
        if set(first.columns) & set(second.columns):
            raise UsageError(f"both name {first.title!r}; name two sides", f"{_OPTIONS[0]}, {_OPTIONS[1]}")
        return first, second
    if len(every) == 1:
        runs = sides_of(grid.series, apart=True)
        if len(runs) == 2:
            return runs[0], runs[1]
    if len(every) != 2:
        if len(every) == 1:
            raise UsageError(f"holds one side only, {every[0].title!r}; name a second source", called(source))
        raise UsageError(f"which are A and B? Name two with --a and --b: {titles(every)}", called(source))
    return every[0], every[1]


def _only(grid: Grid, name: str, option: str, source: str | Content) -> Side:
    """The side that a source of its own holds."""
    if name:
        return side_of(grid.series, name, option)
    every = sides_of(grid.series)
    if len(every) > 1:
        raise UsageError(f"holds several: {titles(every)}; name one of them with {option}", called(source))
    return every[0]
