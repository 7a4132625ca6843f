"""Analyses of model answers from a script: what the answers of several models say beyond how many are right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Final

from audit.notation import NAMELESS

if TYPE_CHECKING:
    from audit.answers.grid import Grid
    from audit.answers.judging.judged import Judged
    from audit.settings import GroupMode
    from audit.study.records import Answered
    from audit.study.study import Study
    from generators.errors import Progress
    from generators.item import Item

__all__ = ["analyse"]

_ALPHA: Final = 0.05
_UNCLEAR: Final = 0.1
"""Share of replies without a clear answer above which a note says so."""


def analyse(
    answers: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    items: str | PathLike[str] | Sequence[str | PathLike[str] | Item] | None = None,
    item_columns: Mapping[str, str] | None = None,
    groups: GroupMode = "auto",
    original: str | None = None,
    families: str | PathLike[str] | Mapping[str, str] | None = None,
    judged: Judged = "reply",
    skip_missing: bool = False,
    models: Sequence[str] = (),
    styles: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    reply_columns: Sequence[str] = (),
    topic: str | None = None,
    threshold: float = 0.2,
    splits: int = 10,
    permutations: int = 999,
    seed: int = 42,
    workers: int = 0,
    progress: Progress | None = None,
    begun: Callable[[str], None] | None = None,
) -> Study:
    """How accurate are models where the probe of the audit is right, and where it is wrong? (Pacchiardi et al. 2024)

    This is `hansproof analyse --by shortcut`. What else it analyses by has functions of its own: `hypotheses`, `score`
    for effects, and `phenotype`.

    Args:
        answers: Files of answers in any format that `score` reads: `FILE`, `NAME=FILE`, or a folder of logs.
        items: The benchmark that was answered, or several: a release folder, a file of any format, or items. By default
            those that the logs themselves hold.
        item_columns: Role -> column of a benchmark, by the names that `audit` has for them: `{"prompt": "question"}`;
            `condition`, how the items of a group differ, so that there is a pair accuracy and a flip rate; and
            `subset`, of which subset each item is, so that there are numbers by subset, too; all others stay as they
            are without it.
        groups: Which items of a benchmark count together in intervals, standard errors and p, as in `audit`: `auto` for
            the group column, or else those that the texts show; `found`, `none`.
        original: The condition with which the others are compared. By default it is the one called `original`, or
            `baseline`, `control` and the like, or else the one that occurs first.
        families: Model -> family, or a CSV file with the columns `model` and `family`.
        judged: `reply` has our scorers read the replies, `harness` takes the verdicts of the logs.
        skip_missing: Leave out items to which a model has no reply; otherwise they are wrong.
        models: Only these models.
        styles: Only these prompt styles.
        columns: Role -> column, for tables whose columns have other names: `{"reply": "answer_text"}`.
        reply_columns: The columns of a table with one model's replies each.
        topic: The column with the topic of each item, or the key of its metadata: answers are compared within topics.
        threshold: The smallest kappa that counts as a shortcut, as in `audit`.
        splits: How often the audit divides the items into folds anew.
        permutations: Permutations behind each p of the audit.
        seed: Of the audit.
        workers: Threads of the audit; 0 for one per core.
        progress: Called from time to time with (stage, done, total).
        begun: Called with a line, such as `auditing quiz.csv`, when something that may take minutes begins.

    Returns the study with what was read, accuracies, differences and effects; its `page()` is all of it as one HTML
    page. It gives no verdict on models, and its `notes` say why. A benchmark that cannot be audited, because it has
    twelve items for example, is in the notes with the reason.

    One probe parts the items, but every benchmark is audited in full. Which probe wins, p corrected over all vectors
    (max-T) and what could have been found are the audit's verdict, and take all of its vectors. What a study does not
    need, the ladder and other explanations, is about a twentieth of the time (2.5 s of 52 s for 338 dilemmas); fewer
    `splits` save more.

    Raises:
        InputError: For files that cannot be read, with the place of each fault, and for answers to none of the items.
        UsageError: For a threshold outside 0 to 1, and whatever else is not permitted.
    """
    from msgspec.structs import asdict

    from audit.answers.judging.judged import refuse_unknown_judge
    from audit.answers.reading import read_replies
    from audit.reliance.parts import part
    from audit.reliance.study import study
    from audit.settings import make_settings
    from audit.study.records import played_of
    from audit.study.study import Study
    from generators.errors import unwatched
    from hansproof.answered import given_asking, given_columns, given_families
    from hansproof.auditing.examined import Course, examined, sources_of

    refuse_unknown_judge(judged)
    asking = given_asking(item_columns, groups, original)
    settings = make_settings(
        threshold=threshold, splits=splits, permutations=permutations, seed=seed, groups=groups,
        split=asking.columns.split, answer_part=asking.columns.answer_part,
    )  # fmt: skip
    replies = read_replies(
        answers, given_columns(columns, reply_columns), given_families(families), models=models, styles=styles,
        progress=progress or unwatched,
    )  # fmt: skip
    parted, notes = [], []
    course = Course(judged, settings, workers, progress, asking, topic, skip_missing, begun)
    for grid, examination, topics in examined(replies, sources_of(items), course):
        notes += _unclear(grid)
        each = part(grid, examination, topics)
        if each is None:
            course.unassessed.append(f"{grid.benchmark} is not assessed: {examination.result.reason}")
        else:
            parted.append(each)
    reliance = study(
        parted,
        threshold=threshold,
        alpha=_ALPHA,
        notes=[*notes, *_missing(course.accounts), *course.unassessed, *course.unused()],
    )
    return Study(
        **asdict(reliance),
        files=[file.path for file in replies.files],
        answered=course.accounts,
        played=played_of(course.played),
    )


def _unclear(grid: Grid) -> list[str]:
    """Models of which many replies give no clear answer: what counts as wrong is then not what they believe."""
    from audit.answers.grid import NOT_ASKED, UNCLEAR

    notes = []
    for place, series in enumerate(grid.series):
        column = grid.outcomes[:, place]
        unclear, asked = int((column == UNCLEAR).sum()), int((column < NOT_ASKED).sum())
        if unclear > _UNCLEAR * asked:
            name = series.title or NAMELESS
            notes.append(
                f"{grid.benchmark}, {name}: {unclear:,} of {asked:,} answers are not clear and count as wrong, "
                "which blurs the difference between the parts"
            )
    return notes


def _missing(accounts: Sequence[Answered]) -> list[str]:
    """Models without a reply to some items."""
    from audit.study.words import missing_note

    said = [
        (f"{part.name}, {each.title}", missing_note(each.asked, each.missing, each.skipped, judged=part.judged))
        for part in accounts
        for each in part.series
    ]
    return [f"{where}: {note}" for where, note in said if note]
