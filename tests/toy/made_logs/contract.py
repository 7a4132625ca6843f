"""What every importer of answers must hold to: audit/harnesses/README.md, as a list of faults."""

import json
import re
from pathlib import Path

from hansproof.audit.harnesses.registry import BY_ROW, WHOLE
from hansproof.audit.replies.recognition import opened
from hansproof.audit.replies.reply_files import read_replies
from hansproof.generators.errors import InputError

ODD = (None, True, -1, 1e308, "", "\0\ud800", [], {}, [[None]], {"content": {"content": []}})
"""What strangers' logs may hold where something else is expected."""
CUTS = 40


def faults(name, path, rows):
    """What is wrong with the importer called `name`, by a log at `path` of `rows` (id, prompt, gold, reply, right)."""
    said = _recognition(name, path) + _replies(name, path, rows)
    return said or _hostile(path)


def _recognition(name, path):
    with opened(str(path)) as file:
        rows = [record for record in file.records if isinstance(record, dict)]
        known = [each for each, importer in BY_ROW.items() if rows and importer.fits(rows)]
        value = json.loads(path.read_text(encoding="utf-8")) if name in WHOLE else None
        known += [each for each, importer in WHOLE.items() if importer.fits(value)]
    said = [] if known == [name] else [f"its log is known to {known}, not to {name!r} alone"]
    odd = [importer for importer in WHOLE.values() for value in ODD if importer.fits(value)]
    odd += [importer for importer in BY_ROW.values() for value in ({}, {"id": 1}) if importer.fits([value])]
    return said + [f"{importer} knows what is no log" for importer in odd]


def _replies(name, path, rows):
    replies = read_replies(path)
    every = list(replies)
    said = [] if replies.formats == {str(path): name} else [f"it is read as {replies.formats}"]
    if list(replies) != every:
        said.append("reading it again gives something else")
    given = [(each.id, each.reply, *each.golds, each.judged) for each in every]
    if given != [(id, reply, gold, right) for id, _, gold, reply, right in rows]:
        said.append(f"ids, replies, golds and verdicts are {given}")
    said += [
        f"{each.place!r} is no place of line {each.line}"
        for each in every
        if each.line < 1 or not re.fullmatch(rf"{re.escape(str(path))}: (line|row|sample) {each.line}", each.place)
    ]
    if len({each.place for each in every}) < len(every):
        said.append("two replies stand at one place")
    if {bool(each.harness) for each in every} != {True} or len({each.harness for each in every}) > 1:
        said.append("the harness is not named, or not the same throughout")
    if any(prompt not in (each.prompt or "") for each, (_, prompt, *_) in zip(every, rows, strict=False)):
        said.append("the prompt is not what was asked")
    return said


def _hostile(path):
    """Logs that break off, and logs with odd values: replies or InputError, whose text names the file."""
    text = path.read_bytes()
    broken = [text[: len(text) * cut // CUTS] for cut in range(CUTS)]
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        try:
            record = json.loads(line)
        except ValueError:  # a document on several lines
            record, lines, number = json.loads(text), [b""], 0
        for odd in changed(record):
            written = json.dumps(odd).encode() + b"\n"
            broken.append(b"".join([*lines[:number], written, *lines[number + 1 :]]))
        if lines == [b""]:
            break
    said = []
    there = Path(path)
    for data in broken:
        there.write_bytes(data)
        try:
            list(read_replies(there))
        except InputError as error:
            if str(there) not in str(error):
                said.append(f"an error without its place: {error}")
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}, of {data[:300]!r}")
    there.write_bytes(text)
    return said


def changed(value):
    """The value with one thing in it replaced by something odd, in every way."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {name: part for name, part in value.items() if name != key}
            for odd in changed(inner):
                yield value | {key: odd}
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            for odd in changed(inner):
                yield [*value[:place], odd, *value[place + 1 :]]
    yield from ODD
