"""inspect_ai: the samples of its data sets and of its logs (JSON, or a zip called `.eval`), as items and as replies."""

from __future__ import annotations

import copy
import io
import json
import re
import zipfile
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from hansproof.audit.formats import content
from hansproof.audit.formats.json_rows import decode
from hansproof.audit.formats.table import Row, Table, as_name, is_too_deep
from hansproof.audit.harnesses.answer_lines import NoAnswersError
from hansproof.audit.harnesses.log_shape import inner, typed
from hansproof.audit.harnesses.log_values import as_golds, as_label, as_options, as_verdict, verdict
from hansproof.audit.harnesses.reply import ROLES, Reply, as_asked
from hansproof.audit.notation import things
from hansproof.generators.errors import InputError, not_utf8

__all__ = ["archived_log", "is_log", "is_samples", "items_of_log", "items_of_samples", "replies_of_log"]

# A target of a sample with `choices` is the letter of an option; the gold is the option itself.

_FIELDS = {"input", "target", "choices", "id", "metadata", "sandbox", "files", "setup", "description", "checkpoint"}
_ATTACHED = "attachment://"
_LONGEST = 40
"""Characters of a status: those that inspect_ai writes are shorter."""
_SHARE = 0.95
"""If at least this share of the targets are letters of options, targets are letters."""


def is_log(value: Any) -> bool:
    """True for an object with an `eval` and a list of `samples` that have targets, and for what is left of one: it has
    a status, but no samples, or does not say what was evaluated."""
    evaluation, samples = isinstance(inner(value, "eval"), dict), _has_samples(value)
    broken = isinstance(inner(value, "status"), str) and (samples or "task" in typed(dict, value, "eval"))
    return (evaluation and samples) or broken


def _has_samples(value: Any) -> bool:
    return any({"target", "input"} <= typed(dict, sample).keys() for sample in typed(list, value, "samples")[:5])


def _samples(log: Any, place: str) -> list[Any]:
    """The samples of a log. Raises InputError for a damaged one; NoAnswersError where its run wrote none."""
    evaluation, status = isinstance(inner(log, "eval"), dict), _status(log)
    if evaluation and _has_samples(log):
        samples = typed(list, log, "samples")
        if wrong := next((number for number, sample in enumerate(samples, 1) if not isinstance(sample, dict)), 0):
            raise InputError("is not a JSON object", f"{place}: sample {wrong}")
        return samples
    if inner(log, "samples"):
        lacks = "none of its first samples has an `input` and a `target`" if evaluation else "it has no `eval`"
        raise InputError(f"a damaged inspect_ai log: {lacks}; fetch the log again", place)
    todo = f": {status}. Run it again" if status else "; log them (log_samples=True)"
    raise NoAnswersError(f"an inspect_ai log without samples{todo}", place)


def shortfalls(log: Any) -> tuple[list[str], bool]:
    """What the reader of a log must know of its run, a sentence each, and whether the log is only a part of its data
    set: the run did not end, or some of what it was to ask is not there; it was to ask only a part. Samples that were
    marked as invalid are told, too."""
    samples, dataset, status = typed(list, log, "samples"), typed(dict, log, "eval", "dataset"), _status(log)
    ids, every = len(typed(list, dataset, "sample_ids")), max(typed(int, dataset, "samples"), 0)
    epochs = max(typed(int, log, "eval", "config", "epochs"), 1)
    asked = max(typed(int, log, "results", "total_samples"), 0) or (ids or every) * epochs
    said = [status] if status else []
    if asked and (status or len(samples) < asked):
        said = ["; ".join([*said, f"{len(samples):,} of the {asked:,} samples that it was to ask are in the log"])]
    if 0 < ids < every:
        said.append(f"the run was to ask {ids:,} of the {every:,} samples of its data set")
    part = bool(said)
    invalid = [number for number, of in enumerate(samples, 1) if inner(of, "invalidation") not in (None, False)]
    if invalid:
        marked = f"{things(len(invalid), 'sample')} marked as invalid"
        said.append(f"{marked}, which nothing leaves out here; the first is sample {invalid[0]}")
    elif inner(log, "invalidated") is True:
        said.append("some samples are marked as invalid, which nothing leaves out here")
    return said, part


def _status(log: Any) -> str:
    """That the run did not end; empty where it did, or where the log does not say."""
    status = inner(log, "status")
    return "" if status in (None, "success") else f"the run did not end: its status is {repr(status)[:_LONGEST]}"


def is_samples(first: Sequence[dict[str, Any]]) -> bool:
    """True for rows of a data set in inspect's own form: nothing but its fields, and something that only it has."""
    own = {"input": list, "choices": list, "metadata": dict}
    return all(
        {"input", "target"} <= values.keys() <= _FIELDS
        and any(isinstance(values.get(key), kind) for key, kind in own.items())
        for values in first
    )


def items_of_log(log: dict[str, Any], place: str) -> Table:
    """One row per sample, from the first of its epochs that is there. Raises InputError for a log without any."""
    samples = _samples(log, place)
    chosen: dict[str, tuple[int, int]] = {}
    for number, sample in enumerate(samples, 1):
        name, epoch = as_name(sample.get("id")) or f"row {number}", typed(int, sample, "epoch")
        chosen[name] = min(chosen.get(name, (epoch, number)), (epoch, number))
    rows = _rows([(f"row {number}", samples[number - 1]) for _, number in chosen.values()])
    name, notes = typed(str, log, "eval", "task"), tuple(shortfalls(log)[0])
    return Table.of("inspect_ai log", rows, notes=notes, defaults=ROLES, benchmark=name)


def items_of_samples(table: Table, place: str) -> Table:
    """The samples of a data set in inspect's own form."""
    rows = _rows([(row.place, row.values) for row in table.rows])
    return Table.of("inspect_ai samples", rows, table.left_out, notes=table.notes, defaults=ROLES)


def _rows(samples: Sequence[tuple[str, dict[str, Any]]]) -> list[Row]:
    """Prompt, answer, id, choices and metadata of samples with their places; long texts stand where they belong."""
    golds = _golds([(sample.get("target"), typed(list, sample, "choices")) for _, sample in samples])
    rows = []
    for (place, sample), gold in zip(samples, golds, strict=True):
        more = {
            "id": sample.get("id"),
            "choices": typed(list, sample, "choices"),
            "metadata": typed(dict, sample, "metadata"),
        }
        held = {key: value for key, value in more.items() if value not in (None, [], {})}
        rows.append(Row(place, {"prompt": _input(sample), "answer": gold, **held}))
    return rows


def _resolved(value: Any, attached: dict[str, Any]) -> Any:
    """The value with each reference to an attachment replaced by its text."""
    if isinstance(value, str) and value.startswith(_ATTACHED):
        return attached.get(value.removeprefix(_ATTACHED), value)
    if isinstance(value, list):
        return [_resolved(member, attached) for member in value]
    if isinstance(value, dict):
        return {key: _resolved(member, attached) for key, member in value.items()}
    return value


def _golds(asked: Sequence[tuple[Any, Sequence[Any]]]) -> list[Any]:
    """The golds of targets and their options: the options at the letters where targets are letters, nearly throughout,
    unless they may as well be the texts of options; else the targets."""
    lettered = [_lettered(target, options) for target, options in asked]
    of_options = [(_as_list(target), options) for target, options in asked if options]
    few = sum(gold is not None for gold in lettered) < _SHARE * len(of_options)
    if few or all(each in options for targets, options in of_options for each in targets):
        return [target for target, _ in asked]
    return [target if gold is None else gold for (target, _), gold in zip(asked, lettered, strict=True)]


def _as_list(target: Any) -> list[Any]:
    """A target, which may be several, as a list."""
    return target if isinstance(target, list) else [target]


def _lettered(target: Any, options: Sequence[Any]) -> list[Any] | None:
    """The options at the letters of the target; None if it is not made of letters of options."""
    letters = _as_list(target)
    places = [ord(letter) - 65 if isinstance(letter, str) and len(letter) == 1 else -1 for letter in letters]
    fits = bool(places) and all(0 <= at < len(options) for at in places)
    return [options[at] for at in places] if fits else None


# The replies: the samples of a log, as JSON or out of its zip, with what the model replied and how it was scored.

_CHOICE = "choice"
"""The scorer of inspect_ai that compares the letters of a reply with those of the target."""
_SETS = "its answers are sets of options, which are not read"


def replies_of_log(log: dict[str, Any], path: str) -> Iterator[Reply]:
    """One reply per sample and epoch; a sample that ended with an error has none.

    With several epochs each is a run of its own. The verdict is that of one scorer (`_scorers`). Targets that are
    letters of options become the options; where an answer is a set of them, no gold is given. Raises InputError for a
    log without samples, and where a sample is not a JSON object.
    """
    samples = _samples(log, path)
    evaluation = typed(dict, log, "eval")
    model = as_label(evaluation.get("model"))
    epochs = [typed(int, sample, "epoch") or 1 for sample in samples]
    options = [as_options(sample.get("choices")) for sample in samples]
    golds = _golds([(sample.get("target"), own) for sample, own in zip(samples, options, strict=True)])
    sets, scorers = _asks_for_sets(log, samples), _scorers(evaluation, samples)
    said, partial = shortfalls(log)
    about = [f"{path}: {each}" for each in (*said, *([_SETS] if sets else ()), *_told(scorers))]
    for number, (sample, epoch, own, gold) in enumerate(zip(samples, epochs, options, golds, strict=True), 1):
        output = typed(dict, sample, "output")
        yield Reply(
            place=f"{path}: sample {number}",
            line=number,
            reply=_said(output, typed(dict, sample, "attachments")),
            id=as_name(sample.get("id")),
            prompt=as_asked(_input(sample)),
            model=model or as_label(output.get("model")),
            benchmark=as_label(evaluation.get("task")),
            harness="inspect_ai",
            run=f"epoch {epoch}" if len({*epochs}) > 1 else "",
            log=as_label(evaluation.get("run_id") or evaluation.get("created")),
            about=about,
            partial=partial,
            golds=() if sets else as_golds(gold),
            choices=() if sets else own,
            **verdict(_marks(sample).get(scorers[0])),
        )


def _input(sample: dict[str, Any]) -> Any:
    """The input with its long texts; one that is nested too deeply as it is, for the reader to refuse."""
    prompt = sample.get("input")
    return prompt if is_too_deep(prompt) else _resolved(prompt, typed(dict, sample, "attachments"))


def _said(output: dict[str, Any], attached: dict[str, Any]) -> str | None:
    """The completion, or the text of the first choice's message; None where there is neither."""
    first = next(iter(typed(list, output, "choices")), None)
    # Reasoning stands in parts of its own, which have no text.
    said = typed(str, output, "completion") or as_asked(inner(first, "message", "content"))
    return _resolved(said, attached) or None


def _marks(sample: dict[str, Any]) -> dict[str, Any]:
    """Scorer -> its value."""
    scores = sample.get("scores") or sample.get("score")
    if not isinstance(scores, dict):
        return {}
    each = {"": scores} if "value" in scores and not isinstance(scores["value"], dict) else scores
    return {name: score.get("value") if isinstance(score, dict) else score for name, score in each.items()}


def _scorers(evaluation: dict[str, Any], samples: Iterable[dict[str, Any]]) -> list[str]:
    """The scorers of a run, that first whose marks are the verdicts: the first all of whose marks say right or wrong,
    or else the one with the most that do. The order is that in which the run lists them."""
    names = [inner(each, "name") for each in typed(list, evaluation, "scorers")]
    marks: dict[str, list[bool]] = {}
    for sample in samples:
        for name, mark in _marks(sample).items():
            marks.setdefault(name, []).append(as_verdict(mark) is not None)
    order = sorted(marks, key=lambda name: names.index(name) if name in names else len(names))
    first = next(
        filter(lambda name: all(marks[name]), order), max(order, key=lambda name: sum(marks[name]), default="")
    )
    return [first, *(name for name in order if name != first)]


def _told(scorers: Sequence[str]) -> Iterator[str]:
    """Where there are several scorers, whose verdicts count, and who else there is."""
    first, *others = [as_label(name) or "(unnamed)" for name in scorers]
    if others:
        left = f"{', '.join(others)} {'is' if len(others) == 1 else 'are'} not used"
        yield f"it has {len(scorers)} scorers: the verdicts are those of {first}, and {left}"


def _asks_for_sets(log: Any, samples: Iterable[dict[str, Any]]) -> bool:
    """Whether an answer is a set of options: by the solver's `multiple_correct`, or by a `choice` scorer, for which all
    letters of a target are right together."""
    if any(inner(step, "params", "multiple_correct") is True for step in typed(list, log, "plan", "steps")):
        return True
    for sample in samples:
        target, options = sample.get("target"), typed(list, sample, "choices")
        letters = [*target] if isinstance(target, str) else _as_list(target)
        together = len(letters) > 1 and _lettered(letters, options) is not None
        if together and target not in options and _CHOICE in _marks(sample):
            return True
    return False


# A `.eval` log: a zip with the samples as JSON, read in memory and within limits, never written to disk. A sample is a
# file, or a folder of its parts (a chunked sample), of which the shell, the metadata and the long texts that its input
# refers to are read. Before Python 3.14 the standard library does not unpack Zstandard, which is what inspect writes.

_SAMPLE = re.compile(r"samples/(?P<name>.+_epoch_\d{1,9})(?P<shell>/sample)?\.json\Z", re.S)
_ATTACHMENT = re.compile(r"attachment://(\d{1,9})(?!\d)")
_CHUNK = re.compile(r"(?P<folder>.+)/attachments/(?P<start>\d{1,9})\.json", re.S)
_OUTSIDE = re.compile(r"[/\\]|.:|(.*[/\\])?\.\.([/\\]|\Z)", re.S)
_HEADERS = ("header.json", "_journal/start.json")
"""Of a run that ended, and of one that did not or goes on."""
_ZSTANDARD = 93
_FOREIGN = "unknown format: this is a zip archive (also .xlsx): unpack or export it to JSONL or CSV"
_DAMAGED = "a truncated or damaged inspect_ai log (its directory, which stands at the end, {}): fetch the log again"
_NAME = 30
"""Where the name of the first member stands."""


_READ = (
    "input", "target", "id", "epoch", "choices", "metadata", "attachments", "invalidation", "output", "scores", "score",
)  # fmt: skip
"""What is read of a sample, with `score` for `scores` in older logs: messages and events are skipped unread."""
_DECODER = msgspec.json.Decoder(msgspec.defstruct("Sample", [(name, Any, None) for name in _READ]))


def archived_log(data: bytes, place: str) -> dict[str, Any]:
    """The log that a zip holds, with its samples, as one JSON document has it.

    Raises InputError for any other zip, a damaged one, and one that unpacks to too much.
    """
    foreign = InputError(_FOREIGN, place)
    try:
        archive = _Archive(data, place)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        begins = data[_NAME:].startswith((b"samples/", *map(str.encode, _HEADERS)))
        if begins or place.lower().endswith(".eval"):
            raise InputError(_DAMAGED.format("is missing or broken"), place) from error
        raise foreign from error
    # Of equal names the last counts, whether a whole sample or a chunked one.
    samples = {match["name"]: name for name in archive.members if (match := _SAMPLE.match(name))}
    header = next((name for name in _HEADERS if name in archive.members), "")
    if not header:
        raise InputError(_DAMAGED.format("lists no header"), place) if samples else foreign
    if outside := next(filter(_OUTSIDE.match, archive.members), None):  # no log has such a name
        raise InputError(f"a member is called {outside!r}, which leads out of the archive", place)
    log = archive.value(header)
    if not isinstance(log, dict) or not isinstance(log.get("eval"), dict):
        raise InputError("damaged (it does not say what was evaluated): fetch the log again", f"{place}: {header}")
    if header != _HEADERS[0]:
        log["status"] = "started"  # the journal of a run begins so, and says no status
    log["samples"] = list(map(archive.sample, samples.values()))
    return log


class _Archive:
    """The members of a log by their names, unpacked one by one, all within the limit of a single file."""

    def __init__(self, data: bytes, place: str) -> None:
        self._zip, self._place, self._left = zipfile.ZipFile(io.BytesIO(data)), place, content.LIMIT
        self.members = {member.filename: member for member in self._zip.infolist()}
        self._chunks: dict[str, list[tuple[int, str]]] = {}
        """The chunks of long texts of each chunked sample: where they begin, and their names."""
        for name in self.members:
            if match := _CHUNK.fullmatch(name):
                self._chunks.setdefault(match["folder"], []).append((int(match["start"]), name))

    def text(self, name: str) -> bytes:
        """The bytes of a member. Raises InputError if it is damaged or encrypted, or the log too large."""
        member, where = self.members[name], f"{self._place}: {name}"
        much = InputError(f"the log unpacks to more than {content.LIMIT:,} bytes", where)
        try:
            text = content.joined(self._pieces(member), self._left, much)
            if zlib.crc32(text) != member.CRC:
                raise zipfile.BadZipFile("its checksum is wrong")
        except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, zlib.error) as error:
            raise InputError(f"damaged ({error}): fetch the log again", where) from error
        self._left -= len(text)
        return text

    def _pieces(self, member: zipfile.ZipInfo) -> Iterator[bytes]:
        """The content of a member piece by piece, so that a limit stops it early."""
        stored = copy.copy(member)
        stored.CRC = None  # type: ignore[assignment]  # which is checked when all is there
        if member.compress_type == _ZSTANDARD:
            stored.compress_type, stored.file_size = zipfile.ZIP_STORED, member.compress_size
            yield from content.unzstd(self._zip.read(stored))
            return
        with self._zip.open(stored) as stream:
            yield from iter(lambda: stream.read(2**20), b"")

    def value(self, name: str) -> Any:
        """A member as JSON. Raises InputError as `text` does, and where it is broken."""
        return _json(self.text(name), f"{self._place}: {name}")

    def sample(self, name: str) -> dict[str, Any]:
        """The fields of a sample that are read: a whole sample, or the shell of a chunked one."""
        text, where = self.text(name), f"{self._place}: {name}"
        try:
            sample = msgspec.structs.asdict(_DECODER.decode(text))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # NaN, or broken
            value = _json(text, where)
            if not isinstance(value, dict):
                raise InputError("not a JSON object", where) from None
            sample = {name: value.get(name) for name in _READ}
        folder, chunked, _ = name.rpartition("/sample.json")
        if chunked:
            if (metadata := f"{folder}/metadata.json") in self.members:
                sample["metadata"] = self.value(metadata)
            sample["attachments"] = self._attachments(folder, _referred([sample["input"], sample["output"]]))
        return sample

    def _attachments(self, folder: str, wanted: set[int]) -> dict[str, str]:
        """The long texts at the places `wanted`. Each chunk of them is named by the place of its first one."""
        chunks = sorted(self._chunks.get(folder, ()))
        starts = [start for start, _ in chunks]
        texts: dict[str, str] = {}
        for number in sorted({bisect_right(starts, place) - 1 for place in wanted} - {-1}):
            start, name = chunks[number]
            chunk = typed(list, self.value(name))
            texts |= {str(at): text for at, text in enumerate(chunk, start) if isinstance(text, str)}
        return texts


def _json(text: bytes, where: str) -> Any:
    try:
        return decode(text, where)
    except UnicodeDecodeError as error:
        raise not_utf8(error, where) from error


def _referred(value: Any) -> set[int]:
    """The places of the long texts that an input refers to."""
    if is_too_deep(value):
        return set()
    return {int(place) for place in _ATTACHMENT.findall(json.dumps(value, default=str))}
