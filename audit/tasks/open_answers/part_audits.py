"""Label-like parts of structured answers, audited as fixed labels by the same probes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.formats.table import UnusableError, as_name
from hansproof.audit.reading.roles import parse_answer_part
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.tasks import PartAudit
from hansproof.audit.tasks.labels.label_assessment import assess
from hansproof.audit.tasks.open_answers.golds import Golds
from hansproof.generators.errors import NotAssessedError, Progress

__all__ = ["audit_parts"]

# Where whole answers hardly recur, their parts may still be labels that a probe predicts: who of three islanders lies,
# the operation of a sum, each of a row of truth values. What is found here can be audited with `--answer-part`.

_SHARE = 0.9
"""Share of the answers that must have a part."""
_RARE = 0.05
"""A label counts if at least this share of the answers with the part has it."""
_MOST_LABELS = 10
_MOST_PARTS = 12
_LONGEST = 400
"""Characters of an answer that is searched for parts; a longer one is prose."""
_LONGEST_STRING = 60
_ALPHABET = 6
"""Different characters of a string whose single characters are labels."""
_SEPARATORS = (";", ",", "|", "\n", " ")


_Named = Iterator[tuple[str, str]]
"""Parts in words, and what --answer-part is given for them."""


@dataclass(frozen=True)
class LabelPart:
    """A part of the answers that is a label."""

    name: str
    """In words: `character 1`."""
    option: str
    """What --answer-part is given for it."""
    labels: list[str | None]
    """(n,) its value in each answer; None where an answer has no such part."""


def label_parts(answers: Sequence[str]) -> list[LabelPart]:
    """The parts of open-ended answers that are labels, at most twelve; empty if they have no common structure.

    A part is there in nine answers of ten and has two to ten values that are not rare. The first kind of structure that
    fits is taken: JSON, strings of one length over a few characters, lists of one length, an operation, a first word.
    """
    if sum(len(answer) > _LONGEST for answer in answers) > (1 - _SHARE) * len(answers):
        return []
    answers = [answer if len(answer) <= _LONGEST else "" for answer in answers]
    kinds: list[Callable[[Sequence[str]], _Named]] = [_keys, _characters]
    kinds += [partial(_entries, separator=separator) for separator in _SEPARATORS]
    for kind in (*kinds, _patterns):
        parts = [LabelPart(name, option, _taken(answers, option)) for name, option in kind(answers)]
        if parts := [part for part in parts if _is_label(part.labels)]:
            return parts[:_MOST_PARTS]
    return []


def _taken(answers: Sequence[str], option: str) -> list[str | None]:
    """What `--answer-part` takes of each answer; None where it has no such part."""
    part_of = parse_answer_part(option)
    labels: list[str | None] = []
    for answer in answers:
        try:
            labels.append(as_name(part_of(answer)))
        except UnusableError:
            labels.append(None)
    return labels


def _is_label(labels: Sequence[str | None]) -> bool:
    counts = Counter(label for label in labels if label)
    total = counts.total()
    common = [count for count in counts.values() if count >= _RARE * total]
    return (
        total >= _SHARE * len(labels)
        and 2 <= len(common) <= _MOST_LABELS
        and sum(common) >= _SHARE * total
        and max(common) <= (1 - _RARE) * total
    )


def _keys(answers: Sequence[str]) -> _Named:
    first: dict[str, None] = {}
    for answer in answers[:200]:
        if answer.lstrip()[:1] in ("{", "["):
            with suppress(msgspec.DecodeError, RecursionError):
                value = msgspec.json.decode(answer)
                first.update(dict.fromkeys(value if isinstance(value, dict) else map(str, range(len(value)))))
    for key in list(first)[: 2 * _MOST_PARTS]:
        if key and "." not in key:
            yield (f"entry {int(key) + 1}" if key.isdecimal() else f"the value of {key!r}"), f"key:{key}"


def _characters(answers: Sequence[str]) -> _Named:
    length, count = Counter(map(len, answers)).most_common(1)[0]
    used = set("".join(answer for answer in answers if len(answer) == length))
    if count >= _SHARE * len(answers) and 2 <= length <= _LONGEST_STRING and len(used) <= _ALPHABET:
        for place in range(length):
            yield f"character {place + 1}", f"^{'.' * place}(.)" if place < 6 else f"^.{{{place}}}(.)"


def _entries(answers: Sequence[str], separator: str) -> _Named:
    split = [answer.split(separator) for answer in answers]
    length, count = Counter(map(len, split)).most_common(1)[0]
    if not 2 <= length <= 2 * _MOST_PARTS or count < _SHARE * len(answers):
        return
    shown = {"\n": "\\n", "|": "\\|"}.get(separator, separator)
    rest = f"[^{shown}]*"
    for place in range(length):
        entries = [row[place].strip() for row in split if len(row) == length]
        heads = Counter(entry.partition(":")[0] for entry in entries if ":" in entry)
        head, count = max(heads.items(), key=lambda entry: entry[1], default=("", 0))
        if count >= _SHARE * len(answers):
            yield f"what follows {head!r}", f"{re.escape(head)}:\\s*({rest})"
        else:
            before = f"(?:{rest}{shown}){{{place}}}" if place else ""
            yield f"entry {place + 1}", f"^{before}\\s*({rest})"


def _patterns(answers: Sequence[str]) -> _Named:
    yield "the operation", r"\d\s*([-+*/×÷])\s*\d"
    yield "the first word", r"^(\w+)\b"


CHEAP = 10_000
"""Up to so many items, parts are audited unasked."""
_AUDITED = 3
_LISTED = 20
_FEWEST, _FEWEST_EACH = 60, 10
"""Items with frequent answers that are worth an audit, and with each of these answers."""
_LEAST_SHARE = 0.3
"""Share of the items that frequent answers must have."""


def audit_parts(
    benchmark: Benchmark, golds: Golds, settings: Settings, *, workers: int, progress: Progress
) -> list[PartAudit]:
    """The parts that are labels, then the frequent answers as labels; the first three are audited if that is cheap.

    Each is judged at alpha over the number of those that are audited (Bonferroni).
    """
    parts = [*label_parts(benchmark.answers), *_frequent(golds)]
    count = min(len(parts), _AUDITED) if len(benchmark.prompts) <= CHEAP else 0
    stricter = msgspec.structs.replace(settings, alpha=settings.alpha / max(count, 1))
    audited = [_audited(benchmark, part, stricter, workers, progress) for part in parts[:count]]
    return [*audited, *map(_listed, parts[count:])]


def _frequent(golds: Golds) -> list[LabelPart]:
    """The answers of at least 2 % of the items as labels of these items; empty unless they make up enough items."""
    firsts = golds.accepted[:, 0].tolist()
    least = max(_FEWEST_EACH, 0.02 * len(firsts))
    frequent = {number for number, count in Counter(firsts).items() if count >= least}
    labels = [golds.texts[number] if number in frequent else None for number in firsts]
    having = sum(label is not None for label in labels)
    if len(frequent) < 2 or having < max(_FEWEST, _LEAST_SHARE * len(firsts)):
        return []
    return [LabelPart(f"which of the {len(frequent)} most frequent answers", "", labels)]


def _listed(part: LabelPart) -> PartAudit:
    counts = Counter(label for label in part.labels if label)
    ranked = sorted(counts, key=lambda label: (-counts[label], label))
    return PartAudit(
        part=part.name, option=part.option, items=counts.total(), labels=ranked[:_LISTED], verdict=None,
        reason="", vector=None, kappa=None, low=None, high=None,
    )  # fmt: skip


def _audited(benchmark: Benchmark, part: LabelPart, settings: Settings, workers: int, progress: Progress) -> PartAudit:
    kept = [at for at, label in enumerate(part.labels) if label]
    listed = _listed(part)
    labels = [label for label in part.labels if label]
    only = replace(benchmark.taken(kept), answers=labels, accepted=None, choices=None, options=None)
    try:
        assessment = assess(
            only, settings, workers=workers,
            progress=lambda stage, done, total: progress(f"{part.name}: {stage}", done, total),
        )  # fmt: skip
    except NotAssessedError as error:
        return msgspec.structs.replace(listed, verdict="NOT ASSESSED", reason=error.reason)
    judgement = assessment.assessed.judgement
    vector = assessment.assessed.deciding.result.find(judgement.vector)
    return msgspec.structs.replace(
        listed,
        verdict=judgement.verdict,
        reason=judgement.reason,
        vector=judgement.vector,
        kappa=vector.matched if vector else None,
        low=vector.matched_low if vector else None,
        high=vector.matched_high if vector else None,
    )
