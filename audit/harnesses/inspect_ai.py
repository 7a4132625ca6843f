"""inspect_ai: the samples of its data sets and of its logs (JSON, or a zip called `.eval`), as items and as replies."""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats import content
from hansproof.audit.formats.json_rows import decode
from hansproof.audit.formats.table import Row, Table, as_name, is_too_deep
from hansproof.audit.harnesses.answer_lines import NoAnswersError
from hansproof.audit.harnesses.log_values import (
    as_golds,
    as_label,
    as_options,
    as_verdict,
    inner,
    list_in,
    no_verdict_in,
    object_in,
    text_in,
)
from hansproof.audit.harnesses.reply import Reply, as_asked
from hansproof.audit.notation import things
from hansproof.generators.errors import InputError, not_utf8

__all__ = ["archived_log", "is_log", "is_samples", "items_of_log", "items_of_samples", "replies_of_log"]

# A target of a sample with `choices` is the letter of an option; the gold is the option itself.

_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("choices", "choices"), ("id", "id"))
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
    broken = isinstance(inner(value, "status"), str) and (samples or "task" in object_in(value, "eval"))
    return (evaluation and samples) or broken


def _has_samples(value: Any) -> bool:
    return any({"target", "input"} <= object_in(sample).keys() for sample in list_in(value, "samples")[:5])


def _check_usable(log: Any, place: str) -> None:
    """Raise InputError for a log of which nothing can be read; NoAnswersError where its run wrote no samples."""
    evaluation, status = isinstance(inner(log, "eval"), dict), _status(log)
    if evaluation and _has_samples(log):
        return
    if inner(log, "samples"):
        lacks = "none of its first samples has an `input` and a `target`" if evaluation else "it has no `eval`"
        raise InputError(f"a damaged inspect_ai log: {lacks}; fetch the log again", place)
    todo = f": {status}. Run it again" if status else "; log them (log_samples=True)"
    raise NoAnswersError(f"an inspect_ai log without samples{todo}", place)


def shortfalls(log: Any) -> list[str]:
    """What the reader of a log must know of its run, a sentence each: it did not end, or some of what it was to ask is
    not there; it was to ask only a part of its data set; samples were marked as invalid."""
    samples = list_in(log, "samples")
    held = len(samples)
    ids, every, asked = _counts(log)
    there = f"{held:,} of the {asked:,} samples that it was to ask are in the log" if asked else ""
    said = []
    if status := _status(log):
        said.append(f"{status}; {there}" if there else status)
    elif held < asked:
        said.append(there)
    if 0 < ids < every:
        said.append(f"the run was to ask {ids:,} of the {every:,} samples of its data set")
    invalid = [number for number, of in enumerate(samples, 1) if inner(of, "invalidation") not in (None, False)]
    if invalid:
        marked = f"{things(len(invalid), 'sample')} marked as invalid"
        said.append(f"{marked}, which nothing leaves out here; the first is sample {invalid[0]}")
    elif inner(log, "invalidated") is True:
        said.append("some samples are marked as invalid, which nothing leaves out here")
    return said


def _is_part(log: Any) -> bool:
    """Whether a log says that it holds only a part of its data set: its run did not end, samples that it was to ask are
    not there, or it was to ask only some."""
    ids, every, asked = _counts(log)
    return bool(_status(log)) or len(log["samples"]) < asked or 0 < ids < every


def _counts(log: Any) -> tuple[int, int, int]:
    """How many samples of the data set a run was to ask, how many there are, and how many it was to ask in all epochs;
    0 where the log does not say."""
    ids = len(list_in(log, "eval", "dataset", "sample_ids"))
    every = _count(inner(log, "eval", "dataset", "samples"))
    epochs = _count(inner(log, "eval", "config", "epochs")) or 1
    asked = _count(inner(log, "results", "total_samples")) or (ids or every) * epochs
    return ids, every, asked


def _status(log: Any) -> str:
    """That the run did not end; empty where it did, or where the log does not say."""
    status = inner(log, "status")
    if status in (None, "success"):
        return ""
    shown = status[:_LONGEST] if isinstance(status, str) else status
    return f"the run did not end: its status is {repr(shown)[: 2 * _LONGEST]}"


def _count(value: Any) -> int:
    return value if type(value) is int and value > 0 else 0


def is_samples(first: Sequence[dict[str, Any]]) -> bool:
    """True for rows of a data set in inspect's own form: nothing but its fields, and something that only it has."""
    return all(
        {"input", "target"} <= values.keys() <= _FIELDS
        and (
            isinstance(values["input"], list)
            or isinstance(values.get("choices"), list)
            or isinstance(values.get("metadata"), dict)
        )
        for values in first
    )


def items_of_log(log: dict[str, Any], place: str) -> Table:
    """One row per sample, from the first of its epochs that is there. Raises InputError for a log without any."""
    _check_usable(log, place)
    chosen: dict[str, tuple[float, int, dict[str, Any]]] = {}
    left_out: list[LeftOut] = []
    for number, sample in enumerate(log["samples"], 1):
        if not isinstance(sample, dict):
            left_out.append(LeftOut(f"row {number}", "not a JSON object"))
            continue
        name = as_name(sample.get("id")) or f"row {number}"
        epoch = sample.get("epoch", 1)
        at = epoch if isinstance(epoch, int) else 1
        if name not in chosen or at < chosen[name][0]:
            chosen[name] = (at, number, sample)
    rows = [Row(f"row {number}", _values(sample)) for _, number, sample in chosen.values()]
    name = text_in(log, "eval", "task")
    notes = tuple(shortfalls(log))
    return Table.of("inspect_ai log", _with_golds(rows), left_out, notes=notes, defaults=_ROLES, benchmark=name)


def items_of_samples(table: Table, place: str) -> Table:
    """The samples of a data set in inspect's own form."""
    rows = _with_golds([Row(row.place, _values(row.values)) for row in table.rows])
    present = _ROLES if any(row.values.get("id") is not None for row in rows) else _ROLES[:-1]
    return Table.of("inspect_ai samples", rows, table.left_out, notes=table.notes, defaults=present)


def _values(sample: dict[str, Any]) -> dict[str, Any]:
    """Prompt, answer, id, choices and metadata of one sample, with long texts put back where they belong."""
    values = {"prompt": _input(sample), "answer": sample.get("target"), "id": sample.get("id")}
    if isinstance(sample.get("choices"), list) and sample["choices"]:
        values["choices"] = sample["choices"]
    if isinstance(sample.get("metadata"), dict) and sample["metadata"]:
        values["metadata"] = sample["metadata"]
    return values


def _resolved(value: Any, attached: dict[str, Any]) -> Any:
    """The value with each reference to an attachment replaced by its text."""
    if isinstance(value, str) and value.startswith(_ATTACHED):
        return attached.get(value.removeprefix(_ATTACHED), value)
    if isinstance(value, list):
        return [_resolved(member, attached) for member in value]
    if isinstance(value, dict):
        return {key: _resolved(member, attached) for key, member in value.items()}
    return value


def _with_golds(rows: list[Row]) -> list[Row]:
    """Letters of options replaced by the options, where targets are letters."""
    asked = [(row.values["answer"], row.values.get("choices")) for row in rows]
    if not _are_letters([(target, options) for target, options in asked if options is not None]):
        return rows
    golds = [_lettered(target, options) for target, options in asked]
    return [row if gold is None else Row(row.place, {**row.values, "answer": gold}) for row, gold in zip(rows, golds)]


def _are_letters(asked: Sequence[tuple[Any, Sequence[Any]]]) -> bool:
    """Whether targets are letters of options, nearly throughout, unless they may as well be the texts of options."""
    lettered = sum(_lettered(target, options) is not None for target, options in asked)
    if not asked or lettered < _SHARE * len(asked):
        return False
    return not all(each in options for target, options in asked for each in _as_list(target))


def _as_list(target: Any) -> list[Any]:
    """A target, which may be several, as a list."""
    return target if isinstance(target, list) else [target]


def _lettered(target: Any, options: Sequence[Any] | None) -> list[Any] | None:
    """The options at the letters of the target; None if it is not made of letters of options."""
    letters = _as_list(target)
    places = [ord(letter) - 65 if isinstance(letter, str) and len(letter) == 1 else -1 for letter in letters]
    fits = options is not None and bool(places) and all(0 <= at < len(options) for at in places)
    return [options[at] for at in places] if fits and options is not None else None


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
    _check_usable(log, path)
    samples = log["samples"]
    evaluation = object_in(log, "eval")
    model, task = as_label(evaluation.get("model")), as_label(evaluation.get("task"))
    run = as_label(evaluation.get("run_id") or evaluation.get("created"))
    wrong = next((number for number, sample in enumerate(samples, 1) if not isinstance(sample, dict)), 0)
    if wrong:
        raise InputError("is not a JSON object", f"{path}: sample {wrong}")
    epochs = {sample.get("epoch", 1) for sample in samples if isinstance(sample.get("epoch", 1), int)}
    asked = [(sample.get("target"), as_options(sample.get("choices"))) for sample in samples]
    by_letter = _are_letters([(target, options) for target, options in asked if options])
    about = [f"{path}: {said}" for said in shortfalls(log)]
    partial = _is_part(log)
    sets = _asks_for_sets(log, samples)
    scorers = _scorers(evaluation, samples)
    about += [f"{path}: {said}" for said in (*([_SETS] if sets else ()), *_told(scorers))]
    for number, (sample, (target, options)) in enumerate(zip(samples, asked, strict=True), 1):
        epoch, prompt = sample.get("epoch", 1), _input(sample)
        golds = _lettered(target, options or None) if by_letter else None
        output = object_in(sample, "output")
        said = _said(output, object_in(sample, "attachments"))
        yield Reply(
            place=f"{path}: sample {number}",
            line=number,
            reply=None if sample.get("error") and not said else said,  # the output is empty until there is one
            id=as_name(sample.get("id")),
            prompt=None if is_too_deep(prompt) else as_asked(prompt),
            model=model or as_label(output.get("model")),
            benchmark=task,
            harness="inspect_ai",
            run=f"epoch {epoch}" if len(epochs) > 1 else "",
            log=run,
            about=about,
            partial=partial,
            golds=() if sets else as_golds(target if golds is None else golds),
            choices=() if sets else options,
            judged=as_verdict(mark := _marks(sample).get(scorers[0])),
            undecided=no_verdict_in(mark),
        )


def _input(sample: dict[str, Any]) -> Any:
    """The input with its long texts; one that is nested too deeply as it is, for the reader to refuse."""
    prompt = sample.get("input")
    return prompt if is_too_deep(prompt) else _resolved(prompt, object_in(sample, "attachments"))


def _said(output: dict[str, Any], attached: dict[str, Any]) -> str | None:
    """The completion, or the text of the first choice's message."""
    said = output.get("completion")
    if not isinstance(said, str) or not said:
        choices = list_in(output, "choices")
        content = inner(choices[0], "message", "content") if choices else None
        # Reasoning stands in parts of its own, which have no text.
        text = None if is_too_deep(content) else as_asked(content)
        said = text if text is not None else said if isinstance(said, str) and "choices" in output else None
    said = _resolved(said, attached)
    return said if isinstance(said, str) else None


def _marks(sample: dict[str, Any]) -> dict[str, Any]:
    """Scorer -> its value."""
    scores = sample.get("scores") or sample.get("score")
    if not isinstance(scores, dict):
        return {}
    single = "value" in scores and not isinstance(scores["value"], dict)
    each = {"": scores} if single else scores
    return {name: score.get("value") if isinstance(score, dict) else score for name, score in each.items()}


def _scorers(evaluation: dict[str, Any], samples: Iterable[dict[str, Any]]) -> list[str]:
    """The scorers of a run, that first whose marks are the verdicts: the first all of whose marks say right or wrong,
    or else the one with the most that do. The order is that in which the run lists them."""
    names = [inner(each, "name") for each in list_in(evaluation, "scorers")]
    given: dict[str, int] = {}
    verdicts: dict[str, int] = {}
    for sample in samples:
        for name, mark in _marks(sample).items():
            given[name] = given.get(name, 0) + 1
            verdicts[name] = verdicts.get(name, 0) + (as_verdict(mark) is not None)
    order = sorted(given, key=lambda name: names.index(name) if name in names else len(names))
    clean = (name for name in order if verdicts[name] == given[name])
    first = next(clean, max(order, key=lambda name: verdicts[name], default=""))
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
    if any(inner(step, "params", "multiple_correct") is True for step in list_in(log, "plan", "steps")):
        return True
    for sample in samples:
        target, options = sample.get("target"), sample.get("choices")
        letters: list[Any] = target if isinstance(target, list) else [*target] if isinstance(target, str) else []
        if _CHOICE not in _marks(sample) or not isinstance(options, list) or len(letters) < 2:
            continue
        if _lettered(letters, options) is not None and target not in options:
            return True
    return False


# A `.eval` log: a zip with the samples as JSON, read in memory and within limits, never written to disk. A sample is a
# file, or a folder of its parts (a chunked sample), of which the shell, the metadata and the long texts that its input
# refers to are read. The standard library reads the directory of the archive but, before Python 3.14, not members
# compressed with Zstandard, which is what inspect writes.

_SAMPLE = re.compile(r"samples/(?P<name>.+_epoch_\d{1,9})(?P<shell>/sample)?\.json\Z", re.S)
_ATTACHMENT = re.compile(r"attachment://(\d{1,9})(?!\d)")
_CHUNK = re.compile(r"(?P<folder>.+)/attachments/(?P<start>\d{1,9})\.json", re.S)
_HEADERS = ("header.json", "_journal/start.json")
"""Of a run that ended, and of one that did not or goes on."""
_LARGEST = 512 * 2**20
"""Largest size of one member after decompression, in bytes."""
_STORED, _DEFLATED, _ZSTANDARD = 0, 8, 93
_FOREIGN = "unknown format: this is a zip archive (also .xlsx): unpack or export it to JSONL or CSV"
_DAMAGED = "a truncated or damaged inspect_ai log (its directory, which stands at the end, {}): fetch the log again"
_LOCAL = struct.Struct("<4s22xHH")
"""A member's own header: its mark, and the lengths of its name and of what follows the name."""


class _Sample(msgspec.Struct):
    """What is read of a sample: messages and events are skipped unread."""

    input: Any = None
    target: Any = None
    id: Any = None
    epoch: Any = 1
    choices: Any = None
    metadata: Any = None
    attachments: Any = None
    invalidation: Any = None
    output: Any = None
    scores: Any = None
    error: Any = None
    score: Any = None
    """The name of `scores` in older logs."""


def archived_log(data: bytes, place: str) -> dict[str, Any]:
    """The log that a zip holds, with its samples, as one JSON document has it.

    Raises InputError for any other zip, a damaged one, and one that unpacks to too much.
    """
    foreign = InputError(_FOREIGN, place)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {member.filename: member for member in archive.infolist()}
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, struct.error) as error:
        if _begins_a_log(data, place):
            raise InputError(_DAMAGED.format("is missing or broken"), place) from error
        raise foreign from error
    # Of equal names the last counts, whether a whole sample or a chunked one.
    samples = {match["name"]: member for name, member in members.items() if (match := _SAMPLE.match(name))}
    header = next((name for name in _HEADERS if name in members), "")
    if not header:
        raise InputError(_DAMAGED.format("lists no header"), place) if samples else foreign
    for name in members:  # no log has a name that leads out of the archive
        parts = name.replace("\\", "/").split("/")
        if ".." in parts or parts[0] == "" or (len(parts[0]) == 2 and parts[0][1] == ":"):
            raise InputError(f"a member is called {name!r}, which leads out of the archive", place)
    archive_of = _Archive(data, place, members)
    log = archive_of.value(members[header])
    if not isinstance(log, dict) or not isinstance(log.get("eval"), dict):
        raise InputError("damaged (it does not say what was evaluated): fetch the log again", f"{place}: {header}")
    if header != _HEADERS[0]:
        log["status"] = "started"  # the journal of a run begins so, and says no status
    log["samples"] = [archive_of.sample(member) for member in samples.values()]
    return log


def _begins_a_log(data: bytes, place: str) -> bool:
    """Whether a zip that cannot be read is a log, by the name of its first member or its own."""
    first = data[_LOCAL.size : _LOCAL.size + len(_HEADERS[1])]
    return place.lower().endswith(".eval") or first.startswith((_HEADERS[1].encode(), b"header.json", b"samples/"))


class _Archive:
    """The members of a log, unpacked one by one, all within the limit of a single file."""

    def __init__(self, data: bytes, place: str, members: dict[str, zipfile.ZipInfo]) -> None:
        self._data, self._place, self._members = data, place, members
        self._left = content.LIMIT
        self._chunks: dict[str, list[tuple[int, str]]] = {}
        """The chunks of long texts of each chunked sample: where they begin, and their names."""
        for name in members:
            if match := _CHUNK.fullmatch(name):
                self._chunks.setdefault(match["folder"], []).append((int(match["start"]), name))

    def text(self, member: zipfile.ZipInfo) -> bytes:
        """The bytes of a member. Raises InputError as `_unpacked` does, and where the log as a whole is too large."""
        if self._left < _LARGEST:
            limit, much = self._left, f"the log unpacks to more than {content.LIMIT:,} bytes"
        else:
            limit, much = _LARGEST, f"unpacks to more than {_LARGEST:,} bytes"
        text = _unpacked(self._data, member, self._place, limit, much)
        self._left -= len(text)
        return text

    def value(self, member: zipfile.ZipInfo) -> Any:
        """A member as JSON. Raises InputError as `text` does, and where it is broken."""
        where = f"{self._place}: {member.filename}"
        try:
            return decode(self.text(member), where)
        except UnicodeDecodeError as error:
            raise not_utf8(error, where) from error

    def sample(self, member: zipfile.ZipInfo) -> dict[str, Any]:
        """The fields of a sample that are read; `member` is the whole sample or the shell of a chunked one."""
        sample = _sample(self.text(member), f"{self._place}: {member.filename}")
        folder, chunked, _ = member.filename.rpartition("/sample.json")
        if chunked:
            metadata = self._members.get(f"{folder}/metadata.json")
            if metadata is not None:
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
            chunk = self.value(self._members[name])
            if isinstance(chunk, list):
                texts |= {str(at): text for at, text in enumerate(chunk, start) if isinstance(text, str)}
        return texts


def _referred(value: Any) -> set[int]:
    """The places of the long texts that an input refers to."""
    if is_too_deep(value):
        return set()
    return {int(place) for place in _ATTACHMENT.findall(json.dumps(value, default=str))}


def _unpacked(data: bytes, member: zipfile.ZipInfo, place: str, limit: int, much: str) -> bytes:
    """The bytes of one member. Raises InputError if it is damaged, encrypted, or, as `much`, larger than `limit`."""
    where = f"{place}: {member.filename}"
    packed = _packed(data, member, where)
    try:
        text = content.joined(_chunks(packed, member.compress_type, where), limit, InputError(much, where))
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"damaged ({error}): fetch the log again", where) from error
    if zlib.crc32(text) != member.CRC:
        raise InputError("damaged (its checksum is wrong): fetch the log again", where)
    return text


def _packed(data: bytes, member: zipfile.ZipInfo, where: str) -> bytes:
    """The compressed bytes, found behind the member's own header."""
    if member.flag_bits & 1:
        raise InputError("encrypted: no log is", where)
    start = member.header_offset
    header = data[start : start + _LOCAL.size]
    if len(header) < _LOCAL.size or not header.startswith(b"PK\x03\x04"):
        raise InputError("damaged (its header is missing): fetch the log again", where)
    _, name, extra = _LOCAL.unpack(header)
    begin = start + _LOCAL.size + name + extra
    packed = data[begin : begin + member.compress_size]
    if len(packed) < member.compress_size:
        raise InputError("damaged (it is truncated): fetch the log again", where)
    return packed


def _chunks(packed: bytes, method: int, where: str) -> Iterable[bytes]:
    """The content piece by piece, so that a limit stops it early."""
    if method == _STORED:
        return [packed]
    if method == _DEFLATED:
        return _inflated(packed)
    if method == _ZSTANDARD:
        return content.unzstd(packed)
    raise InputError(f"compressed by method {method}, which no log of inspect_ai is", where)


def _inflated(packed: bytes) -> Iterable[bytes]:
    stream = zlib.decompressobj(-15)
    while packed and not stream.eof:
        yield stream.decompress(packed, 2**20)
        packed = stream.unconsumed_tail
    yield stream.flush()


_DECODER = msgspec.json.Decoder(_Sample)


def _sample(text: bytes, where: str) -> dict[str, Any]:
    """The fields of one sample that are read. Raises InputError if it is not a JSON object."""
    try:
        return msgspec.structs.asdict(_DECODER.decode(text))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # NaN, or broken: the slower reader tells them apart
    try:
        value = decode(text, where)
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8: byte 0x{text[error.start]:02x} at offset {error.start}", where) from error
    if not isinstance(value, dict):
        raise InputError("not a JSON object", where)
    return msgspec.structs.asdict(_Sample()) | value
