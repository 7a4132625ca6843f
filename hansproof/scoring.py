"""Model answers from a script: joined to items from anywhere, told from copies, scored and tested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal

from hansproof.audit.formats.given import Given, called, given_all
from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.models.comparison import OverRuns, differences, over_runs
from hansproof.audit.models.contrast import Contrast
from hansproof.audit.models.experiment import ArmResult
from hansproof.audit.models.experiment import experiment as examine_arms
from hansproof.audit.models.hypotheses import HypothesisReport, asked_hypotheses, examine_hypotheses
from hansproof.audit.models.scores import Report, report_joined
from hansproof.audit.models.sides import Side
from hansproof.audit.models.study import Kind, PageContents, answered
from hansproof.audit.notation import things
from hansproof.audit.replies.asking import Asking, items_of_logs
from hansproof.audit.replies.joining import Joined, Keep, join
from hansproof.audit.replies.judged_reply import Judged, refuse_unknown_judge
from hansproof.audit.replies.reply_files import Replies, ReplyColumns, read_replies
from hansproof.audit.replies.sources import ReplyFile, read_families
from hansproof.audit.report.document import Document
from hansproof.audit.report.html import page
from hansproof.audit.report.score_rows import experiment_rows, hypothesis_rows, score_rows
from hansproof.audit.report.study_document import study_document
from hansproof.audit.report.study_scores import headlines
from hansproof.audit.result.shown import Rows, Shown
from hansproof.audit.settings import GroupMode
from hansproof.audit.statistics.shares import LEVEL
from hansproof.generators.dataset import Expectation
from hansproof.generators.errors import Progress, UsageError, unknown, unwatched
from hansproof.generators.item import Item
from hansproof.release.frozen import items_from

__all__ = [
    "Experiment", "Scores", "are_identical", "experiment", "given_families", "hypotheses", "items_asked", "refuse_same",
    "resolved", "score",
]  # fmt: skip


def join_answers(
    answers: Replies,
    items: Given | None = None,
    *,
    asking: Asking | None = None,
    judged: Judged = "reply",
    skip_missing: bool = False,
    keep: Keep = "codes",
    progress: Progress | None = None,
) -> Joined:
    """The answers of some files, joined to their items and scored; arguments as for `score`.

    `keep` says what is kept of each reply. Raises InputError as `audit.replies.joining.join` does, too.
    """
    watched = progress or unwatched
    replies: Iterable[Reply] = list(answers) if items is None else answers
    rows, source = items_asked(replies, items, asking, watched)
    return join(
        replies, rows, judged=judged, skip_missing=skip_missing, keep=keep, source=source, about=answers.notes,
        progress=watched,
    )  # fmt: skip


def items_asked(
    replies: Iterable[Reply], items: Given | None, asking: Asking | None, progress: Progress
) -> tuple[list[Item], str]:
    """The items of some replies, by default those that the logs hold, and what faults call them."""
    if items is None:
        return items_of_logs(replies, asking or Asking(), progress), "the logs"
    return items_from(items, asking, progress), called(items)


def given_families(families: str | PathLike[str] | Mapping[str, str] | None) -> Mapping[str, str]:
    """Model -> family, as it is or from a file. Raises InputError as `read_families` does."""
    return read_families(families) if isinstance(families, str | PathLike) else families or {}


def are_identical(
    replies: Sequence[Iterable[Reply]], joined: Sequence[Joined], sides: Sequence[tuple[Side, ...]]
) -> bool:
    """Whether two single runs give the same replies to the same items; they are read again where none is judged
    differently. A pipe cannot be: of what it held, nothing is said."""
    for answers in replies:
        if isinstance(answers, Replies) and any(file.size < 0 for file in answers.files):
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


class Scores(Shown, list["Report"]):
    """A report per model (and style and run), with what they have in common."""

    over_runs: Sequence[OverRuns] = ()
    """The mean over the runs of each model that has several."""
    files: Sequence[str] = ()
    """That were read."""
    answers: Sequence[str] = ()
    """The sources of the answers, as they were named."""
    items: str | None = None
    """The source of the items; None where the logs hold them."""
    judged: Judged = "reply"
    skip_missing: bool = False
    _compared: Sequence[Contrast] | None = None

    def __init__(self, reports: Iterable[Report], joined: Joined) -> None:
        super().__init__(reports)
        self.joined = joined
        """The grid of right and wrong, and what of the answers could not be used."""

    @property
    def differences(self) -> Sequence[Contrast]:
        """Every two of them on the items that both were asked."""
        return self.compare()

    def compare(self, progress: Progress | None = None) -> Sequence[Contrast]:
        """The differences, worked out when they are first asked for: 300 models are 44,850 pairs."""
        if self._compared is None:
            self._compared = tuple(differences(self.joined.grid, progress or unwatched))
        return self._compared

    def headline(self) -> str:
        """What each of the first models gets right, beside chance and the best blind strategy."""
        return " ".join(headlines(self))

    def rows(self) -> Rows:
        """A row per model and part of the items, per mean over runs and per difference."""
        return score_rows(self, self.over_runs, self.differences)

    def record(self, scores: bool = False) -> dict[str, Any]:
        """What `hansproof score` writes with `--json`; with those of the items (`--item-scores`), if `scores`."""
        return {
            "answers": self.answers[0] if len(self.answers) == 1 else list(self.answers),
            "items": self.items,
            "level": LEVEL,
            "judged": self.judged,
            "skip_missing": self.skip_missing,
            "read": self.joined.read,
            "models": [report.record(scores) for report in self],
            "over_runs": [asdict(each) for each in self.over_runs],
            "differences": [asdict(each) for each in self.differences],
        }

    def document(self, kind: Kind = "scores") -> Document:
        """The scores, or the `effects` alone, as a document."""
        compared = self.differences if kind == "scores" else ()
        part = answered(self.joined, self.judged, compared=compared, costs=[report.effects for report in self])
        reports, runs = (self, self.over_runs) if kind == "scores" else ((), ())
        return study_document(PageContents(kind, self.files, [part], reports=reports, over_runs=runs))

    def page(self, kind: Kind = "scores") -> str:
        """The scores, or the `effects` alone, as one HTML page that works from disk and runs nothing."""
        return page(self.document(kind))


def score(
    answers: Given,
    items: Given | None = None,
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
            or a pandas or polars frame, a Dataset or a list of dicts, with the columns that a file would have; or
            `{id: reply}` or `{model: {id: reply}}`; or a list of several of these. An item without a reply is missing:
            it counts as wrong and is counted separately, unless `skip_missing` leaves it out. A subset of the benchmark
            itself without any reply was not asked, and is in no number.
        items: A release folder, a file of items, a benchmark of any format that `audit` reads, or a frame, a Dataset or
            a list of dicts with its rows; items such as those of `generate` or `load`; None for those that the logs
            hold.
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
    named, known = ReplyColumns.of(columns or {}, tuple(reply_columns)), given_families(families)
    refuse_unknown_judge(judged)
    watched = progress or unwatched
    sources = given_all(answers, "answers")
    replies = read_replies(sources, named, known, models=models, styles=styles, progress=watched)
    joined = join_answers(
        replies, items, asking=asking, judged=judged, skip_missing=skip_missing, keep="outcomes", progress=watched
    )
    scores = Scores(report_joined(joined, watched), joined)
    scores.over_runs, scores.judged, scores.skip_missing = tuple(over_runs(joined.grid)), judged, skip_missing
    scores.files, scores.answers = [file.path for file in replies.files], [called(source) for source in sources]
    scores.items = None if items is None else called(items)
    return scores


@dataclass(frozen=True, repr=False)
class TestedAnswers(Shown, HypothesisReport):
    """The tests, with the answers that they were made on."""

    joined: Joined
    files: tuple[str, ...]
    """That were read."""
    judged: Judged
    answers: tuple[str, ...]
    """The sources of the answers, as they were named."""
    items: str
    """The source of the items."""

    def headline(self) -> str:
        """How many tests there are, and how many are supported."""
        of = f"{things(len(self.tests), 'test')} of {things(len(self.hypotheses), 'hypothesis', 'hypotheses')}"
        return f"{self.dataset}: {of}, {sum(tested.supported for tested in self.tests):,} supported"

    def rows(self) -> Rows:
        """A row per test."""
        return hypothesis_rows(self)

    def record(self) -> dict[str, Any]:
        """What `hansproof analyse --by hypotheses` writes with `--json`."""
        tests = HypothesisReport(**{field.name: vars(self)[field.name] for field in fields(HypothesisReport)})
        answers = self.answers[0] if len(self.answers) == 1 else list(self.answers)
        about = {"answers": answers, "items": self.items, "judged": self.judged, "read": self.joined.read}
        return about | tests.record()

    def document(self) -> Document:
        """The tests as a document."""
        part = answered(self.joined, self.judged, tested=self, compared=())
        return study_document(PageContents("hypotheses", self.files, [part]))

    def page(self) -> str:
        """The tests as one HTML page that works from disk and runs nothing."""
        return page(self.document())


_EXPECTED: Final[dict[str, Expectation]] = {"original": "worse", "perturbed": "better", "either": "either"}
"""Which is right more often -> what the change does to the answers."""


def hypotheses(
    answers: Given,
    items: Given,
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
    rows = items_from(items, Asking.of(item_columns or {}, "auto", original), progress or unwatched)
    expects = None if expect is None else _EXPECTED[expect]
    asked_hypotheses(rows, names, expects, None, original_style)  # nothing is read for what cannot be tested
    sources = given_all(answers, "answers")
    replies = read_replies(sources, named, models=models, styles=styles, progress=progress or unwatched)
    joined = join(replies, rows, judged=judged, about=replies.notes, progress=progress or unwatched)
    styles = list(dict.fromkeys(each.style for each in joined.grid.series))
    chosen = asked_hypotheses(rows, names, expects, styles, original_style)
    report = examine_hypotheses(joined, chosen, shift)
    return TestedAnswers(
        **vars(report),
        joined=joined,
        files=tuple(file.path for file in replies.files),
        judged=judged,
        answers=tuple(map(called, sources)),
        items=called(items),
    )


@dataclass(frozen=True, repr=False)
class Experiment(Shown):
    """What an experiment shows: `hansproof analyse --by experiment`."""

    arms: tuple[ArmResult, ...]
    joined: Joined
    files: tuple[str, ...]
    """That were read."""
    answers: tuple[str, ...]
    """The sources of the answers, as they were named."""
    items: str
    """The source of the items."""

    def headline(self) -> str:
        """What each arm shows."""
        return "; ".join(each.sentence for each in self.arms)

    def rows(self) -> Rows:
        """A row per arm and model."""
        return experiment_rows(self.arms)

    def record(self) -> dict[str, Any]:
        """What `hansproof analyse --by experiment` writes with `--json`."""
        arms = [{**asdict(each), "shown": each.shown, "sentence": each.sentence} for each in self.arms]
        return {"answers": list(self.answers), "items": self.items, "read": self.joined.read, "arms": arms}

    def document(self) -> Document:
        """The experiment as a document."""
        part = answered(self.joined, compared=())
        return study_document(PageContents("experiment", self.files, [part], arms=self.arms))

    def page(self) -> str:
        """The experiment as one HTML page that works from disk and runs nothing."""
        return page(self.document())


def experiment(
    answers: Given,
    items: Given,
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
            `style` of its prompt, such as `direct` and `direct | arm: question only`.
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
    sources = given_all(answers, "answers")
    replies = read_replies(sources, named, models=models, progress=progress or unwatched)
    asking = Asking.of(item_columns or {}, groups)
    joined = join_answers(replies, items, asking=asking, skip_missing=True, keep="outcomes", progress=progress)
    arms, files = tuple(examine_arms(joined)), tuple(file.path for file in replies.files)
    return Experiment(arms, joined, files, tuple(map(called, sources)), called(items))
