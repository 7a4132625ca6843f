"""What a person reads of the injected cues: which would have been found, from which kappa, and which would not."""

from __future__ import annotations

from collections.abc import Sequence

from audit.notation import kappa
from audit.records.numbers import Findable

__all__ = ["hardest", "what_is_found", "what_is_missed"]

_NAMES = {
    "1 word per answer": "one word per answer",
    "10 words per answer": "ten words per answer",
    "50 words per answer": "fifty words per answer",
    "1 word of right options": "one word in the right option",
    "10 words of right options": "ten words in right options",
    "50 words of right options": "fifty words in right options",
}


def what_is_found(findables: Sequence[Findable]) -> str:
    """`a cue of one word per answer from kappa .14 and of length from .16 (80 % of the time)`, without a full stop.

    Kinds that would never be found come last, then those that are not measured. Empty if no kind was injected.
    """
    never = [entry for entry in findables if entry.kappa is None and entry.ceiling]
    known = _from("{} from", findables)
    clauses = [f"a cue {_listed(known, 'and')} (80 % of the time)"] if known else []
    if never:
        clauses.append(f"{'none' if known else 'no cue'} {_listed(list(map(_of, never)), 'or')}, however strong")
    return "; ".join([*clauses, *_unmeasured(findables)])


def what_is_missed(missed: Sequence[Findable]) -> str:
    """`a cue of fifty words per answer would be found only from kappa .65 (80 % of the time)`: a clause for all."""
    never = [_of(entry) for entry in missed if entry.kappa is None]
    late = _from("{} only from", missed)
    clauses = []
    if late:
        first = late[0].replace(" only", " would be found only", 1)
        clauses.append(f"a cue {_listed([first, *late[1:]], 'and')} (80 % of the time)")
    if never:
        clauses.append(f"a cue {_listed(never, 'or')} would not be found, however strong")
    return "; ".join(clauses)


def _from(words: str, findables: Sequence[Findable]) -> list[str]:
    """`of length from kappa .16` for each kind that is found; later ones do without the word kappa."""
    known = [entry for entry in findables if entry.kappa is not None]
    return [
        f"{words.format(_of(entry))} {'' if index else 'kappa '}{kappa(entry.kappa)}"
        for index, entry in enumerate(known)
    ]


def hardest(findables: Sequence[Findable]) -> str:
    """The sentence that CLEAN rests on: the kind of cue that is found last. Empty if no kind is found."""
    known = [entry for entry in findables if entry.kappa is not None]
    if not known:
        return ""
    never = [_of(entry) for entry in findables if entry.kappa is None and entry.ceiling]
    none = "; ".join(["", *([f"none {_listed(never, 'or')}"] if never else []), *_unmeasured(findables)])
    last = max(known, key=lambda entry: entry.kappa or 0.0)
    return (
        f"Of the cues put into these texts as a test, that {_of(last)} is the hardest to find: the audit finds it from "
        f"kappa {kappa(last.kappa)}, 80 % of the time{none}."
    )


def _unmeasured(findables: Sequence[Findable]) -> list[str]:
    """`length is not measured in these texts`: a clause for all such kinds, if there are any."""
    kinds = [_NAMES.get(entry.kind, entry.kind) for entry in findables if not entry.ceiling]
    verb = "is" if len(kinds) == 1 else "are"
    return [f"{_listed(kinds, 'and')} {verb} not measured in these texts"] if kinds else []


def _of(entry: Findable) -> str:
    return f"of {_NAMES.get(entry.kind, entry.kind)}"


def _listed(parts: Sequence[str], last: str) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"
