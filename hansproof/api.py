"""What a script calls: generate fresh items, play episodes, measure a phenotype, analyse answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Final, Literal

from hansproof.audit.notation import NAMELESS

if TYPE_CHECKING:
    from hansproof.audit.formats.given import Given
    from hansproof.audit.models.study import Answered
    from hansproof.audit.phenotype.result import Phenotype
    from hansproof.audit.replies.grid import Grid
    from hansproof.audit.replies.judged_reply import Judged
    from hansproof.audit.report.study_document import Study
    from hansproof.audit.settings import GroupMode, TaskMode
    from hansproof.generators.episode import Episode
    from hansproof.generators.errors import Progress
    from hansproof.generators.item import Item
    from hansproof.runs.turn import Run

__all__ = ["analyse", "episodes", "generate", "phenotype", "run"]


def generate(
    name: str, *, count: int, subset: str | Sequence[str] | None = None, seed: int | None = None, start: int = 0
) -> Iterator[Item]:
    """Generate items of the dataset `name`, as `hansproof generate` does.

    Args:
        name: A dataset, such as `knights-knaves`; `hansproof list` shows them all.
        count: How many items of each subset.
        subset: One subset, or several; None for all of them, in release order.
        seed: Any 64-bit integer. None draws a private seed, which every item carries as `metadata["seed"]`.
        start: The index of the first item of each subset. Item i does not depend on `start` or `count`.

    Raises:
        UsageError: At once, for a name that does not exist, a number out of range, or more items of a named subset
            than there are. Of a small subset that you did not name, you get all there are.
    """
    from hansproof.generators.production import items, plan, private_seed
    from hansproof.generators.registry import dataset

    family = dataset(name)
    chosen = private_seed() if seed is None else seed
    stretches = plan(family, _names(subset), chosen, count, start)
    return (item for stretch in stretches for item in items(family, stretch, chosen))


def episodes(
    source: str | PathLike[str] | Iterable[Item],
    *,
    subset: str | Sequence[str] | None = None,
    count: int | None = None,
    seed: int | None = None,
) -> Iterator[Episode]:
    """Episodes to be played in a loop of your own: ask about `episode.prompt`, then `episode.step(action)`, until it is
    `done`. `episode.read(reply)` says which action a reply names.

    Args:
        source: A dataset whose items are played (`cognitive-tasks`: the episodes of its release), a release folder, a
            file of items, or items.
        subset: One subset, or several; None for all, of a dataset all in their standard story.
        count: How many episodes of each subset; None for all of the release or the file.
        seed: Any 64-bit integer, for fresh episodes of a dataset.

    Raises:
        UsageError: At once, for a name that does not exist, a dataset whose items are answered, and numbers out of
            range.
        InputError: For a file that cannot be read.
    """
    from hansproof.runs.games import games

    chosen = games(source, _names(subset), count, seed)
    return map(chosen.start, chosen.items)


def run(
    source: str | PathLike[str] | Iterable[Item],
    agent: Callable[[str], str],
    *,
    out: str | PathLike[str] | None = None,
    subset: str | Sequence[str] | None = None,
    count: int | None = None,
    seed: int | None = None,
    all_stories: bool = False,
    style: str = "zero-shot",
    model: str | None = None,
    retries: int = 2,
    workers: int = 1,
    keep_replies: bool = False,
    accept_failures: bool = False,
    resume: bool = False,
    force: bool = False,
    progress: Progress | None = None,
    announce: Callable[[str], object] | None = None,
) -> list[Run]:
    """Let `agent` play every episode, as `hansproof run` does; the runs, in the order of the items.

    Args:
        source: As for `episodes`.
        agent: A function from the prompt of a turn to a reply that names an action.
        out: A file of finished runs, which can be resumed and scored; None keeps them in memory only.
        subset: One subset, or several; None for all, of a dataset all in their standard story.
        count: How many episodes of each subset; None for all of the release or the file.
        seed: Any 64-bit integer, for fresh episodes of a dataset.
        all_stories: Without `subset`, play the other stories of a dataset's tasks, too.
        style: A prompt style, such as `zero-shot-cot` or `step-back`.
        model: What the runs are filed under; the name of the function by default.
        retries: How often the agent is asked again, with the reason, when its reply names no legal action. After that
            the episode ends as unfinished; no action is ever made up.
        workers: Threads, each of which plays an episode; `agent` is then called by several at once.
        keep_replies: Keep what the agent said, too.
        accept_failures: Make an episode in which the agent failed, not in what it said, unfinished. Otherwise it stays
            open in `out`, and `resume` plays it. Without `out` it is always unfinished.
        resume: Go on with `out` where it stands; begin if there is no such file.
        force: Begin anew if `out` exists.
        progress: Called from time to time with (stage, done, total), by any thread, but never by two at once.
        announce: Called once before the first question, with a sentence that says how many episodes and calls are to
            come.

    Raises:
        UsageError: For names that do not exist, numbers out of range, and a file that exists.
        InputError: For files that cannot be read or written or belong to another run, for an agent that fails in ten
            episodes in a row, and where episodes are left open.
    """
    from hansproof.generators.errors import unwatched
    from hansproof.runs.asking import asker, name_of
    from hansproof.runs.book import Settings, keeping
    from hansproof.runs.games import games
    from hansproof.runs.playing import Ahead, check_workers, play_all

    chosen = games(source, _names(subset), count, seed, variants=all_stories)
    ask = asker(chosen, style)
    called = name_of(agent)
    settings = Settings(called, called if model is None else model, style, retries, keep_replies)
    # All that may be wrong is said before a file is begun anew.
    check_workers(workers)
    with keeping(out, chosen, settings, resume=resume, force=force) as book:
        ahead = Ahead(chosen, book, progress or unwatched)
        if announce is not None:
            announce(ahead.sentence())
        return play_all(chosen, agent, ask, settings, book, workers, ahead, accept_failures=accept_failures)


def _names(subset: str | Sequence[str] | None) -> list[str]:
    return [] if subset is None else [subset] if isinstance(subset, str) else list(subset)


def phenotype(
    runs: Given | Iterable[Run] | None = None,
    *,
    records: str | PathLike[str] | None = None,
    items: Given | None = None,
    subset: str | Sequence[str] | None = None,
    model: str = "",
    style: str = "",
    seed: int = 0,
    resamples: int | None = None,
    as_published: bool = False,
) -> Phenotype:
    """The phenotype of one participant, as `hansproof phenotype` makes it: every metric with its 95 % interval, beside
    people and random choices.

    Args:
        runs: A file of finished runs, or its lines as a frame or a list of dicts; or what `run` returns.
        records: Recorded choices instead: a table of one task, a file of several, or a folder with a table per task.
        items: The items that were played, where the file of runs does not say which: as for `score`.
        subset: The stories to measure; the standard story of each task by default.
        model: Which model, where there are several; the name of the participant if `runs` are no file.
        style: Only runs in this prompt style; by default all of them together.
        seed: Seed of the bootstrap.
        resamples: Bootstrap samples; None for 2,000.
        as_published: Keep known faults of the published analysis (Coda-Forno et al. 2024).

    Raises:
        UsageError: For neither or both of `runs` and `records`, a model, style or subset that does not occur, and
            several models of which none is named.
        InputError: For files that cannot be read, with the place of each fault, and where there is nothing to measure.
    """

    from hansproof.audit.formats.given import called, given, is_whole
    from hansproof.audit.phenotype.result import Phenotype
    from hansproof.audit.result.shown import PAGES
    from hansproof.generators.errors import UsageError, unwatched
    from hansproof.release.frozen import given_items
    from hansproof.runs.participants import Measuring, gather, samples
    from hansproof.runs.turn import Run

    PAGES[Phenotype] = _phenotype_page
    if (runs is None) == (records is None):
        raise UsageError("pass either runs or records")
    subsets = _names(subset)
    how = Measuring(subsets, [model] if model else [], [style] if style else [], seed, resamples, as_published)
    if not (runs is None or is_whole(runs)):
        runs = list(runs)
    if isinstance(runs, list) and all(isinstance(each, Run) for each in runs):
        if style:
            raise UsageError("runs in memory have no prompt style, only those of a file", "style")
        return how.of(how.sample(gather(runs, model or "agent", subsets)))
    rows = None if items is None else given_items(items)
    files = [] if runs is None else [given(runs, "runs")]
    every = samples(how, files, [] if records is None else [str(records)], rows, unwatched)
    if len(every) > 1:
        raise UsageError(
            f"has {len(every)} models; name one of them: {', '.join(each.name for each in every)}", called(files[0])
        )
    return how.of(every[0])


def _phenotype_page(phenotype: Phenotype) -> str:
    from hansproof.audit.report.phenotype_screen import phenotype_page

    return phenotype_page([phenotype])


PROTOCOLS: Final = ("grouped", "paper")
_ALPHA: Final = 0.05
_UNCLEAR: Final = 0.1
"""Share of replies without a clear answer above which a note says so."""


def analyse(
    answers: Given,
    *,
    items: Given | None = None,
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
    protocol: Literal["grouped", "paper"] = "grouped",
    task: TaskMode = "auto",
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
        answers: As for `score`: files or folders, frames, lists of dicts, `{id: reply}`, or a list of several.
        items: The benchmark that was answered, as for `score`, or a list of several. By default those that the logs
            themselves hold.
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
        protocol: `grouped`, or `paper` for that of Pacchiardi et al. (2024): one random 60/20/20 split, of which the
            test part is parted by the probe that is best in validation. Only then are there accuracies corrected by
            uniform chance, and the paper's table of families.
        task: `fixed` audits the answers as one set of labels even where items have options of their own, as in `audit`.
        threshold: The smallest kappa that counts as a shortcut, as in `audit`.
        splits: How often the audit divides the items into folds anew.
        permutations: Permutations behind each p of the audit.
        seed: Of the audit.
        workers: Threads of the audit; 0 for one per core.
        progress: Called from time to time with (stage, done, total).
        begun: Called with a line, such as `auditing quiz.csv`, when something that may take minutes begins.

    Returns the study with what was read, accuracies, differences and effects; its `page()` is all of it as one HTML
    page. Differences have no verdict, and its `notes` say why; with three answers or more, agreement in error may say
    that a model follows the probe. A benchmark that cannot be audited, because it has
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

    from hansproof.audit.models.reliance.pairs import study
    from hansproof.audit.models.reliance.parts import part
    from hansproof.audit.models.study import played_of
    from hansproof.audit.replies.asking import Asking
    from hansproof.audit.replies.judged_reply import refuse_unknown_judge
    from hansproof.audit.replies.reply_files import ReplyColumns, read_replies
    from hansproof.audit.report.study_document import Study
    from hansproof.audit.settings import make_settings
    from hansproof.auditing.examined import Course, examined, sources_of
    from hansproof.generators.errors import unknown, unwatched
    from hansproof.scoring import given_families

    refuse_unknown_judge(judged)
    if protocol not in PROTOCOLS:
        raise unknown("value", protocol, PROTOCOLS, within="protocol")
    asking = Asking.of(item_columns or {}, groups, original)
    settings = make_settings(
        protocol=protocol, task=task, threshold=threshold, splits=splits, permutations=permutations, seed=seed,
        groups=groups, split=asking.columns.split, answer_part=asking.columns.answer_part,
    )  # fmt: skip
    replies = read_replies(
        answers, ReplyColumns.of(columns or {}, tuple(reply_columns)), given_families(families), models=models,
        styles=styles, progress=progress or unwatched,
    )  # fmt: skip
    parted, notes = [], []
    course = Course(judged, settings, workers, progress, asking, skip_missing, begun)
    for grid, examination in examined(replies, sources_of(items), course):
        notes += _unclear(grid)
        each = part(grid, examination)
        if each is None:
            course.unassessed.append(f"{grid.benchmark} is not assessed: {examination.result.reason}")
        else:
            parted.append(each)
    reliance = study(
        parted,
        protocol=protocol,
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
    from hansproof.audit.replies.grid import NOT_ASKED, UNCLEAR

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
    from hansproof.audit.report.study_reading import missing_note

    said = [
        (f"{part.name}, {each.title}", missing_note(each.asked, each.missing, each.skipped, judged=part.judged))
        for part in accounts
        for each in part.series
    ]
    return [f"{where}: {note}" for where, note in said if note]
