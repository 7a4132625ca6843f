"""Files of answers, whatever wrote them, as one stream of replies; and the filters of their logs."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import IO

import msgspec

from hansproof.audit.formats.given import BY_ID, Given
from hansproof.audit.harnesses.answer_lines import NoAnswersError
from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.notation import first_of
from hansproof.audit.replies.recognition import OWN, Opened, opened, recognised
from hansproof.audit.replies.sources import Beside, ReplyFile, is_chosen, refuse_several, reply_files
from hansproof.audit.replies.tables import ReplyColumns
from hansproof.generators.errors import InputError, Progress, UsageError, unknown, unwatched

__all__ = ["ReadingOptions", "Replies", "ReplyColumns", "read_replies"]

_SHOWN = 3
_UNCUT = "none"
"""The filter that changes nothing."""


class Filters:
    """Which filters count while replies are read, and what is to be said of the others.

    A filter is a way to cut the answer out of what the model said, and some logs have a reply per filter. The replies
    of one count, so that a model is one model over all its tasks: those of the first in the log, which is the one that
    its task names first. `--style FILTER` takes others, each as a style of its own."""

    def __init__(self, styles: Collection[str], sides: Iterable[str] = ()) -> None:
        """`styles` are those that somebody wants, and `sides` the names of what is to be compared: styles, or titles
        of which a style is a part."""
        self._styles = frozenset(styles)
        self._wanted = self._styles | {part for name in sides for part in (name, *name.split(", "))}
        self._logs: dict[str, str] = {}
        """Log -> its first filter."""
        self._aside: dict[tuple[str, str, str], None] = {}
        """(filter that counts, task, another filter) of the replies that do not count."""
        self._firsts: dict[tuple[str, str], dict[str, None]] = {}
        """(harness, task) -> the filters that count."""
        self._about: list[str] | None = None

    def name(self, log: str, reply: Reply) -> str:
        """What the filter of a reply is called; empty for the first of the log where it has no name."""
        first = self._logs.setdefault(log, reply.filter)
        return reply.filter or _UNCUT if reply.filter != first else "" if first == _UNCUT else first

    def taken(self, log: str, reply: Reply, name: str) -> Reply | None:
        """The reply, with the name of its filter as the style where that is asked for; None where another filter of its
        log counts."""
        if name and name in self._wanted:
            return msgspec.structs.replace(reply, style=name)
        first = self._logs[log]
        if reply.filter != first:
            self._aside[first or _UNCUT, reply.benchmark or "the logs", name] = None
            self._listen(reply)
            return None
        firsts = self._firsts.setdefault((reply.harness, reply.benchmark), {})
        firsts.setdefault(name)
        if len(firsts) > 1:
            self._listen(reply)
        return reply

    def _listen(self, reply: Reply) -> None:
        """Keep the list of what a log says of its run, to which more can be said until all is read."""
        if isinstance(reply.about, list):
            self._about = reply.about

    def say(self) -> None:
        """Add what is to be known of the filters to what the logs say of their runs (`Reply.about`)."""
        if self._about is None or self._styles:
            return
        for first in dict.fromkeys(first for first, _, _ in self._aside):
            tasks, names = (list(dict.fromkeys(each[at] for each in self._aside if each[0] == first)) for at in (1, 2))
            self._about.append(
                f"{first_of(tasks, _SHOWN)}: the logs have each reply once per filter; those of {first} count, the "
                f"first of the log, and not those of {first_of(names, _SHOWN)} (--style {names[0]})"
            )
        for (_, task), firsts in self._firsts.items():
            if len(firsts) > 1:
                names = [name or "none" for name in firsts]
                self._about.append(
                    f"{task or 'the logs'}: some logs begin with the replies of the filter {names[0]}, others with "
                    f"those of {first_of(names[1:], _SHOWN)}, and these count as one: choose a filter that all have "
                    "with --style"
                )


_KINDS = ("model", "style")
_WATCHED = 100  # replies between two calls of the progress


@dataclass(frozen=True)
class ReadingOptions:
    """What the user says about files of answers."""

    columns: ReplyColumns
    families: Mapping[str, str]
    models: tuple[str, ...]
    styles: tuple[str, ...]
    sides: tuple[str, ...] = ()
    """What is to be compared: names of models, styles and runs, or titles."""


class Replies:
    """The replies of some files, read as you iterate; each iteration reads the files again.

    Formats of one JSON value a line (this project's own, samples of lm-evaluation-harness, run logs of OpenAI evals)
    are read line by line, so that memory stays flat; other logs, and packed files, are read whole, within a limit."""

    def __init__(
        self,
        files: Sequence[ReplyFile],
        reading: ReadingOptions,
        progress: Progress,
        before: Replies | None = None,
        held: dict[str, IO[bytes]] | None = None,
    ) -> None:
        self.files = files
        self._held = {} if held is None else held
        for file in files:
            if file.content is not None:
                self._held.setdefault(file.path, io.BytesIO(file.content.data))
        self._options, self._progress, self._before = reading, progress, before
        self.logs: set[tuple[str, str]] = set()
        """(model, benchmark) of the logs that have been read, those of the replies before them too."""
        self.seen: dict[str, dict[str, None]] = {}
        """`model` and `style` -> their names in what has been read, likewise; styles are those of chosen models."""
        self.more = False
        """Whether other replies come after these, which may hold the models and styles that these lack."""
        self.formats: dict[str, str] = {}
        """File -> its format in words, as far as the files have been read."""
        self.notes: list[str] = []
        """What of the files and folders is not read, and why, a sentence each, when all have been read."""
        self._mixed: dict[tuple[int, str], bool] = {}

    def __iter__(self) -> Iterator[Reply]:
        logs = set(self._before.logs) if self._before else set()
        before = self._before.seen if self._before else {}
        seen: dict[str, dict[str, None]] = {kind: {} for kind in _KINDS}
        left = {"model": bool(self._options.models), "style": bool(self._options.styles)}
        done, total, count = 0, sum(max(file.size, 0) for file in self.files), 0
        known: dict[int, dict[str, ReplyFile]] = {}
        filters, beside = Filters(self._options.styles, self._options.sides), Beside(self.files)
        self.notes.clear()
        for file in self.files:
            with opened(file.path, self._held) as start:
                begun = self._begun(file, start, beside)
                if begun is None:
                    continue
                format, replies = begun
                self.formats[file.path] = format
                for own, reply in self._named(file, format, replies, logs):
                    count += 1
                    if count % _WATCHED == 0:
                        at = min(done + start.read, total)
                        self._progress("reading replies", at, max(total, 1))
                    seen["model"].setdefault(reply.model)
                    seen["model"].setdefault(own or reply.model)
                    if not is_chosen(self._options.models, file, own, reply.model):
                        continue
                    filter = filters.name(file.path, reply)
                    seen["style"].setdefault(filter or reply.style)
                    left["model"] = False
                    if (taken := filters.taken(file.path, reply, filter)) is None:
                        continue
                    reply = taken
                    if self._options.styles and reply.style not in self._options.styles:
                        continue
                    left["style"] = False
                    if file.model and own:  # a reply whose model has no name may be of any of them
                        known.setdefault(file.number, {}).setdefault(own, file)
                    yield reply
                done += max(file.size, 0)
        refuse_several(known)
        filters.say()
        self.notes += beside.notes()
        self.logs = logs
        self.seen = {kind: before.get(kind, {}) | names for kind, names in seen.items()}
        where = ", ".join(dict.fromkeys(file.path for file in self.files[:2]))
        for kind, names in (("model", self._options.models), ("style", self._options.styles)):
            known_names = seen[kind] if left[kind] else self.seen[kind]
            strange = [name for name in names if left[kind] or not (self.more or name in known_names)]
            if strange:
                raise _unknown(kind, strange[0], [name for name in known_names if name], where)

    def _begun(self, file: ReplyFile, start: Opened, beside: Beside) -> tuple[str, Iterator[Reply]] | None:
        """The format of a file and its replies; None for what is not read, which is among what lies `beside`."""
        by_id = file.content is not None and file.content.extension == BY_ID
        try:
            format, replies = recognised(start, ReplyColumns() if by_id else self._options.columns)
            first = next(replies, None)
        except (NoAnswersError, UsageError) as error:  # the last for columns that are not there
            if not file.folder:
                raise
            beside.leave_out(file, error)
            return None
        if first is None:
            return format, replies
        if beside.is_copy(file, file.model or first.model or self._called(file, format), first.benchmark):
            return None
        return format, chain([first], replies)

    def _called(self, file: ReplyFile, format: str) -> str:
        """What a model is called that its file does not name."""
        # A folder of answers in our own format is one model's, in several files.
        return file.source if format == OWN and not self._is_mixed(file) else file.called

    def _is_mixed(self, file: ReplyFile) -> bool:
        """Whether answers of another format lie in the folder of a file in our own."""
        here = file.number, file.folder
        if here not in self._mixed:
            others = [each for each in self.files if file.folder and (each.number, each.folder) == here]
            ended = [each for each in others if not each.path.lower().endswith((".jsonl", ".ndjson"))]
            self._mixed[here] = any(map(self._is_other, ended))
        return self._mixed[here]

    def _is_other(self, file: ReplyFile) -> bool:
        """Whether a file holds answers in another format than our own."""
        try:
            with opened(file.path) as start:
                format, replies = recognised(start, self._options.columns)
                return format != OWN and next(replies, None) is not None
        except InputError:
            return False  # which is told, or left out, when its turn comes

    def _named(
        self, file: ReplyFile, format: str, replies: Iterator[Reply], logs: set[tuple[str, str]]
    ) -> Iterator[tuple[str, Reply]]:
        """What the file calls the model, and the reply with the names that the user gives, and those that several logs
        need to be told apart.

        A log gets a `run` of its own only if a log before it is of the same model and benchmark: so the subsets of a
        benchmark, each in its own log, stay one series.
        """
        here: dict[tuple[str, str], bool] = {}
        for reply in replies:
            own, run = reply.model, reply.run
            model = file.model or own or self._called(file, format)
            key = model, reply.benchmark
            used = reply.benchmark and is_chosen(self._options.models, file, own, model)
            if used and here.setdefault(key, key in logs):
                run = ", ".join(part for part in (reply.log, run) if part)
            family = self._options.families.get(model, reply.family)
            if (model, run, family) != (reply.model, reply.run, reply.family):
                reply = msgspec.structs.replace(reply, model=model, run=run, family=family)
            yield own, reply
        logs.update(here)

    def by_source(self) -> list[Replies]:
        """The replies of each file or folder that was named, under the names that they have among all of them.

        Iterate them in this order: the later ones know what the earlier ones held.
        """
        parts: list[Replies] = []
        for _, files in groupby(self.files, lambda file: file.number):
            parts.append(Replies(list(files), self._options, self._progress, parts[-1] if parts else None, self._held))
        for part in parts[:-1]:
            part.more = True
        return parts


def read_replies(
    sources: Given,
    columns: ReplyColumns | None = None,
    families: Mapping[str, str] | None = None,
    *,
    models: Sequence[str] = (),
    styles: Sequence[str] = (),
    sides: Sequence[str] = (),
    progress: Progress = unwatched,
) -> Replies:
    """The replies of files or folders of answers, each `FILE` or `NAME=FILE`, or of rows in memory (`Given`), read one
    by one as you iterate.

    `columns` names the columns of tables, `families` says which model is of which family; of `models` and `styles`
    only those that are named are read, where any is. `sides` are names of what is to be compared, which may be styles
    that do not count by default. Raises InputError, as you iterate, for files that cannot be read, with the place of
    each fault; UsageError for no files, wrong names, and models and styles that do not occur.
    """
    reading = ReadingOptions(
        columns or ReplyColumns(), families or {}, tuple(models), tuple(styles), tuple(filter(None, sides))
    )
    return Replies(reply_files(sources), reading, progress)


def _unknown(kind: str, name: str, known: Sequence[str], where: str) -> UsageError:
    """The error for a model or a style that does not occur, also beside others that do."""
    if known:
        return unknown(kind, name, known, within=where)
    return UsageError(f"no reply names its {kind}, so none is of {name!r}: leave out --{kind}", where)
