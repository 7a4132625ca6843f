"""Model answers from a script: joined to items from anywhere, told from copies, scored and tested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, Literal

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.models.answered import answered
from hansproof.audit.models.contrast import Contrast
from hansproof.audit.models.experiment import ArmResult
from hansproof.audit.models.experiment import experiment as examine_arms
from hansproof.audit.models.hypotheses import asked_hypotheses, examine_hypotheses
from hansproof.audit.models.hypothesis_records import HypothesisReport
from hansproof.audit.models.pairwise import OverRuns, differences, over_runs
from hansproof.audit.models.scores import Report, report_joined, score_models
from hansproof.audit.models.sides import Side
from hansproof.audit.models.study import Kind
from hansproof.audit.replies.asking import Asking, items_of_logs
from hansproof.audit.replies.joining import Joined, join
from hansproof.audit.replies.judged_reply import Judged, refuse_unknown_judge
from hansproof.audit.replies.reply_files import Replies, ReplyColumns, read_replies
from hansproof.audit.replies.sources import ReplyFile, read_families, reply_files
from hansproof.audit.report.study_page import render
from hansproof.audit.settings import GroupMode
from hansproof.generators.dataset import Expectation
from hansproof.generators.errors import Progress, UsageError, unknown, unwatched
from hansproof.generators.item import Item
from hansproof.release.frozen import items_from

__all__ = [
    "Experiment", "Scores", "are_identical", "experiment", "given_families", "hypotheses", "refuse_same", "resolved",
    "score",
]  # fmt: skip


def join_answers(
    answers: Replies,
    items: str | PathLike[str] | Iterable[Item] | None = None,
    *,
    asking: Asking | None = None,
    judged: Judged = "reply",
    skip_missing: bool = False,
    keep: bool = False,
) -> Joined:
    """The answers of some files, joined to their items and scored.

    Args:
        answers: As `audit.replies.reply_files.read_replies` reads them.
        items: A release folder, a file of items, a benchmark of any format, or items; by default those that the logs
            themselves hold.
        asking: Which columns of a benchmark are which, and which items count together (`Asking.of`).
        judged: `reply` has our scorers read the replies, `harness` takes the verdicts of the logs.
        skip_missing: Leave out items to which a model has no reply; otherwise they are wrong.
        keep: Whether to keep every reply that was read and scored (`Joined.kept`), not only what became of it.

    Raises:
        InputError: For files that cannot be read, with the place of each fault, and as `audit.replies.joining.join`.
        UsageError: For names that are none.
    """
    replies: Iterable[Reply] = answers
    if items is None:
        replies = list(answers)
        rows: Sequence[Item] = items_of_logs(replies, asking or Asking())
        source = "the logs"
    else:
        rows = items_from(items, asking)
        source = fspath(items) if isinstance(items, str | PathLike) else "the items"
    return join(replies, rows, judged=judged, skip_missing=skip_missing, keep=keep, source=source, about=answers.notes)


def given_families(families: str | PathLike[str] | Mapping[str, str] | None) -> Mapping[str, str]:
    """Model -> family, as it is or from a file. Raises InputError as `read_families` does."""
    return read_families(families) if isinstance(families, str | PathLike) else families or {}


def are_identical(
    replies: Sequence[Iterable[Reply]], joined: Sequence[Joined], sides: Sequence[tuple[Side, ...]]
) -> bool:
    """Whether two single runs give the same replies to the same items; they are read again where none is judged
    differently. A pipe cannot be: of what it held, nothing is said."""
    for answers in replies:
        if isinstance(answers, Replies) and not all(Path(file.path).is_file() for file in answers.files):
            return False
    chosen = [
        (answers, each.grid, side.columns)
        for answers, each, of in zip(replies, joined, sides, strict=True)
        for side in of
    ]
    if any(len(columns) > 1 for _, _, columns in chosen):
        return False
    first, second = (grid.outcomes[:, columns[0]].tolist() for _, grid, columns in chosen)
    if first != second:
        return False
    said = []
    for answers, grid, columns in chosen:
        wanted = grid.series[columns[0]][:3]
        said.append({
            (reply.id, reply.prompt): reply.reply
            for reply in answers
            if (reply.model, reply.style, reply.run) == wanted
        })  # fmt: skip
    return said[0] == said[1]


def refuse_same(files: Sequence[ReplyFile]) -> None:
    """Raise UsageError where both sides are read from the same files, however these are named."""
    first, second = ({resolved(file.path) for file in files if file.number == number} for number in _numbers(files))
    if first == second:
        raise UsageError("is both A and B, so that nothing can differ; name another source", files[-1].path)


def _numbers(files: Sequence[ReplyFile]) -> list[int]:
    return list(dict.fromkeys(file.number for file in files))


def resolved(path: str) -> str:
    """The file itself, behind links; an odd name is refused where the file is opened."""
    try:
        return str(Path(path).resolve())
    except (OSError, ValueError, RuntimeError):
        return path


class Scores(list["Report"]):
    """A report per model (and style and run), with what they have in common."""

    over_runs: Sequence[OverRuns] = ()
    """The mean over the runs of each model that has several."""
    joined: Joined | None = None
    """The grid of right and wrong, and what of the answers could not be used; None where these were a dict."""
    files: Sequence[str] = ()
    """That were read."""
    judged: Judged = "reply"
    _compared: Sequence[Contrast] | None = None

    @property
    def differences(self) -> Sequence[Contrast]:
        """Every two of them on the items that both were asked; none where the answers were a dict."""
        return self.compare()

    def compare(self, progress: Progress | None = None) -> Sequence[Contrast]:
        """The differences, worked out when they are first asked for: 300 models are 44,850 pairs."""
        if self._compared is None:
            self._compared = tuple(differences(self.joined.grid, progress or unwatched)) if self.joined else ()
        return self._compared

    def page(self, kind: Kind = "scores") -> str:
        """The scores, or the `effects` alone, as one HTML page that works from disk and runs nothing.

        Raises UsageError for answers that were a dict.
        """
        from hansproof.audit.models.study import PageContents as Findings

        if self.joined is None:
            raise UsageError("only answers from files have a page, not those of a dict")
        if kind != "scores":
            return render(Findings(kind, self.files, [answered(self.joined, self.judged, compared=())]))
        part = answered(self.joined, self.judged, compared=self.differences)
        return render(Findings(kind, self.files, [part], reports=self, over_runs=self.over_runs))


def score(
    answers: str | PathLike[str] | Mapping[str, str | None] | Iterable[str | PathLike[str]],
    items: str | PathLike[str] | Iterable[Item] | None = None,
    *,
    item_columns: Mapping[str, str] | None = None,
    groups: GroupMode = "auto",
    original: str | None = None,
    judged: Judged = "reply",
    skip_missing: bool = False,
    models: Sequence[str] = (),
    styles: Sequence[str] = (),
    families: str | PathLike[str] | Mapping[str, str] | None = None,
    columns: Mapping[str, str] | None = None,
    reply_columns: Sequence[str] = (),
    progress: Progress | None = None,
) -> Scores:
    """Score model replies against their items, as `hansproof score` does: one report per model, style and run.

    Args:
        answers: Files or folders of answers, in any format that `hansproof score` reads, each as `FILE` or `NAME=FILE`;
            or the replies of one model by item id. An item without a reply is missing: it counts as wrong and is
            counted separately, unless `skip_missing` leaves it out. A subset of the benchmark itself without any reply
            was not asked, and is in no number.
        items: A release folder, a file of items, a benchmark of any format that `audit` reads, or the items themselves;
            None for those that the logs hold.
        item_columns: Role -> column of a benchmark, by the names that `audit` has for them: `{"prompt": "question"}`;
            `condition`, how the items of a group differ, so that there is a pair accuracy and a flip rate; and
            `subset`, of which subset each item is, so that there are numbers by subset, too; what was asked, which
            items are matched, and all other numbers stay as they are without it.
        groups: Which items of a benchmark count together in intervals, standard errors and p, as in `audit`: `auto` for
            the group column, or else those that the texts show; `found`, `none`.
        original: The condition with which the others are compared. By default it is the one called `original`, or
            `baseline`, `control` and the like, or else the one that occurs first.
        judged: `reply` to have the replies read, `harness` for the verdicts in the logs.
        skip_missing: Leave out items without a reply, as if they had not been asked: of accuracies, matched groups,
            differences, blind strategies and all other numbers. For each model its own; `Report.skipped` counts them.
        models: Only these models.
        styles: Only these prompt styles.
        families: Model -> family, or a CSV file with the columns `model` and `family`.
        columns: Role -> column, for tables whose columns have other names: `{"reply": "answer_text"}`.
        reply_columns: The columns of a table with one model's replies each.
        progress: Called from time to time with (stage, done, total).

    Raises:
        InputError: For files that cannot be read, with the place of each fault; for replies to none of the items; for
            no items, and for items of several releases.
        UsageError: For names that do not exist.
    """
    asking = Asking.of(item_columns or {}, groups, original)
    if isinstance(answers, Mapping):
        if items is None:
            raise UsageError("replies by item id need their items")
        reports = score_models(
            items_from(items, asking), {"": answers}, progress or unwatched, skip_missing=skip_missing
        )
        return Scores(reports)
    named, known = ReplyColumns.of(columns or {}, tuple(reply_columns)), given_families(families)
    refuse_unknown_judge(judged)
    watched = progress or unwatched
    replies = read_replies(answers, named, known, models=models, styles=styles, progress=watched)
    watched("reading items", 0, 1)
    joined = join_answers(replies, items, asking=asking, judged=judged, skip_missing=skip_missing, keep=True)
    scores = Scores(report_joined(joined, watched))
    scores.joined, scores.over_runs = joined, tuple(over_runs(joined.grid))
    scores.judged, scores.files = judged, _files(answers)
    return scores


@dataclass(frozen=True)
class TestedAnswers(HypothesisReport):
    """The tests, with the answers that they were made on."""

    joined: Joined
    files: tuple[str, ...]
    """That were read."""
    judged: Judged

    def record(self) -> dict[str, Any]:
        """The tests as a JSON object, without the answers; undefined numbers are still NaN."""
        return asdict(HypothesisReport(**{field.name: vars(self)[field.name] for field in fields(HypothesisReport)}))

    def page(self) -> str:
        """The tests as one HTML page that works from disk and runs nothing."""
        from hansproof.audit.models.study import PageContents as Findings

        part = answered(self.joined, self.judged, tested=self, compared=())
        return render(Findings("hypotheses", self.files, [part]))


_EXPECTED: Final[dict[str, Expectation]] = {"original": "worse", "perturbed": "better", "either": "either"}
"""Which is right more often -> what the change does to the answers."""


def hypotheses(
    answers: str | PathLike[str] | Iterable[str | PathLike[str]],
    items: str | PathLike[str] | Iterable[Item],
    *,
    item_columns: Mapping[str, str] | None = None,
    original: str | None = None,
    original_style: str = "",
    expect: Literal["original", "perturbed", "either"] | None = None,
    judged: Judged = "reply",
    names: Sequence[str] = (),
    shift: float = 0.05,
    models: Sequence[str] = (),
    styles: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    reply_columns: Sequence[str] = (),
    progress: Progress | None = None,
) -> TestedAnswers:
    """Test hypotheses about matched items on model replies, as `hansproof analyse --by hypotheses` does.

    Families say themselves what is changed and expected (`hansproof list token-bias`). Of any other items each subset
    and perturbed condition is a hypothesis: that a condition changes how many are right.

    Args:
        answers: Files or folders of answers, as for `score`; `model` and `style` where there are several. Memory stays
            flat, however many lines of our own format there are.
        items: A release folder, a file of items, or the items themselves, such as those of `generate`.
        item_columns: Role -> column of a benchmark, as for `score`: `group`, which items are matched, `condition`, how
            they differ, and `subset`.
        original: The condition with which the others are compared, as for `score`.
        original_style: Compare prompt styles with this one on the same items, and not conditions.
        expect: Which is right more often, the original or the perturbed, for one-sided tests; by default either.
        judged: `reply` to have the replies read, `harness` for the verdicts in the logs.
        names: The hypotheses to test; all by default.
        shift: The shift for which each test says how many pairs it needs, as a share of the answers.
        models: Only these models.
        styles: Only these prompt styles.
        columns: Role -> column, for tables whose columns have other names.
        reply_columns: The columns of a table with one model's replies each.
        progress: Called from time to time with (stage, done, total).

    A pair without one of its replies is left out. The report has a `page()`.

    Raises:
        InputError: For files that cannot be read, with the place of each fault; for replies to none of the items; for
            no items, and for items of several releases.
        UsageError: For items without matched conditions, an unknown hypothesis or style, and a shift that is no share.
    """
    named = ReplyColumns.of(columns or {}, tuple(reply_columns))
    refuse_unknown_judge(judged)
    if expect not in (None, *_EXPECTED):
        raise unknown("expectation", str(expect), [*_EXPECTED])
    rows = items_from(items, Asking.of(item_columns or {}, "auto", original))
    expects = None if expect is None else _EXPECTED[expect]
    asked_hypotheses(rows, names, expects, None, original_style)  # nothing is read for what cannot be tested
    replies = read_replies(answers, named, models=models, styles=styles, progress=progress or unwatched)
    joined = join(replies, rows, judged=judged, about=replies.notes)
    styles = list(dict.fromkeys(each.style for each in joined.grid.series))
    chosen = asked_hypotheses(rows, names, expects, styles, original_style)
    report = examine_hypotheses(joined, chosen, shift)
    return TestedAnswers(**vars(report), joined=joined, files=tuple(file.path for file in replies.files), judged=judged)


@dataclass(frozen=True)
class Experiment:
    """What an experiment shows: `hansproof analyse --by experiment`."""

    arms: tuple[ArmResult, ...]
    joined: Joined
    files: tuple[str, ...]
    """That were read."""

    def record(self) -> dict[str, Any]:
        """The results as a JSON object; undefined numbers are still NaN."""
        return {"arms": [{**asdict(each), "shown": each.shown, "sentence": each.sentence} for each in self.arms]}

    def page(self) -> str:
        """The experiment as one HTML page that works from disk and runs nothing."""
        from hansproof.audit.models.study import PageContents as Findings

        part = answered(self.joined, compared=())
        return render(Findings("experiment", self.files, [part], arms=self.arms))


def experiment(
    answers: str | PathLike[str] | Iterable[str | PathLike[str]],
    items: str | PathLike[str] | Iterable[Item],
    *,
    item_columns: Mapping[str, str] | None = None,
    groups: GroupMode = "auto",
    models: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    reply_columns: Sequence[str] = (),
    progress: Progress | None = None,
) -> Experiment:
    """Read an experiment whose items `hansproof prompts --part` or `--exchange` wrote: does a model answer from a
    shortcut?

    Args:
        answers: Files of answers, as for `score`, with the replies to both versions of the items; each line keeps the
            `style` of its prompt, such as `direct` and `direct | question only`.
        items: The benchmark or release from which the prompts were written.
        item_columns: Role -> column of a benchmark, as for `score`.
        groups: Which items of a benchmark count together, as for `score`.
        models: Only these models.
        columns: Role -> column, for tables whose columns have other names.
        reply_columns: The columns of a table with one model's replies each.
        progress: Called from time to time with (stage, done, total).

    Items with a reply to both versions count; unclear replies are wrong.

    Raises:
        InputError: For files that cannot be read, with the place of each fault, and for replies to none of the items.
        UsageError: Where no reply is in an arm, or none is to the unchanged items.
    """
    named = ReplyColumns.of(columns or {}, tuple(reply_columns))
    replies = read_replies(answers, named, models=models, progress=progress or unwatched)
    asking = Asking.of(item_columns or {}, groups)
    joined = join_answers(replies, items, asking=asking, skip_missing=True, keep=True)
    return Experiment(tuple(examine_arms(joined)), joined, tuple(file.path for file in replies.files))


def _files(answers: str | PathLike[str] | Iterable[str | PathLike[str]]) -> list[str]:
    return [file.path for file in reply_files([answers] if isinstance(answers, str | PathLike) else answers)]
