"""Run: one episode as it was played, and its line in a file, which `hansproof score` reads as it stands."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass

from generators.episode import Episode, Transcript, replay
from generators.errors import InputError
from generators.item import Item
from hansproof.runs.turn import Rejected, rejected_of

__all__ = ["Run", "run_of"]


@dataclass(frozen=True)
class Run:
    """One finished episode, or one that ended before its time."""

    item: Item
    actions: tuple[str, ...]
    """What the agent did, in order."""
    unfinished: str = ""
    """Why the episode ended before its time, on one line; empty where it was played to its end."""
    rejected: tuple[Rejected, ...] = ()
    """Every reply of which nothing came, in order, and why."""
    replies: tuple[str, ...] = ()
    """What the agent said, one reply per action; empty unless it is kept."""
    raised: bool = False
    """Whether it ended because the agent failed rather than because of what it said."""

    @property
    def retries(self) -> int:
        """How often the agent was asked again, in all: not after the reply that an unfinished episode ended by."""
        return max(len(self.rejected) - bool(self.unfinished), 0)

    def line(self, model: str, style: str, every: str, *, max_retries: int = 0, replies: bool = False) -> bytes:
        """Its line of JSON: `reply` is the list of actions, `items` the digest of `every` item of the run."""
        record = {
            "id": self.item.id,
            "item_digest": self.item.line_digest(),
            "items": every,
            "seed": self.item.metadata["seed"],
            "model": model,
            "style": style,
            "max_retries": max_retries,
            "reply": json.dumps(self.actions, ensure_ascii=False),
            "unfinished": self.unfinished or None,
            "retries": self.retries,
        }
        if self.rejected:
            record["rejected"] = [asdict(each) for each in self.rejected]
        if replies:
            record["replies"] = self.replies
        # What an agent says may hold half a surrogate pair, which UTF-8 cannot write.
        return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def run_of(line: bytes, item: Item, start: Callable[[Item], Episode], place: str) -> Run:
    """The run of `item` on a line of a file, played again.

    Raises InputError, at `place`, for a line that is none, and for one that cannot have happened.
    """
    try:
        record = json.loads(line)
        actions, replies = json.loads(record["reply"]), record.get("replies", [])
        unfinished, retries = record["unfinished"], record["retries"]
        rejected = rejected_of(record.get("rejected", []), len(actions))
        asked = (len(actions) + 1) * record["max_retries"]
        fits = record["id"] == item.id and record["item_digest"] == item.line_digest()
        texts = all(type(text) is str for text in (*actions, *replies))
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError, OverflowError) as error:
        raise InputError("is no run; pass --force to begin anew, or name another file", place) from error
    if not fits:
        raise InputError(f"is no run of {item.id!r} as it is played now (another seed, or other subsets?)", place)
    if not (type(actions) is type(replies) is list and texts and len(replies) in (0, len(actions))):
        raise InputError("its actions or replies are no list of texts", place)
    if unfinished is not None and not (type(unfinished) is str and unfinished and unfinished.isprintable()):
        raise InputError("its unfinished is neither null nor one line of text", place)
    if type(retries) is not int or type(asked) is not int or not 0 <= retries <= asked:
        raise InputError("its retries cannot be: they are at most max_retries per action", place)
    try:
        episode = replay(start, item, Transcript(item.id, tuple(actions)))
    except InputError as error:
        raise InputError(error.reason, f"{place}: {error.place}") from error
    if episode.done is bool(unfinished) or list(episode.transcript.actions) != actions:
        raise InputError("its actions are not those of a run that ended in this way", place)
    if len(rejected) != retries + bool(unfinished):
        raise InputError("its rejected replies cannot be: there is one per retry, and one that ended it", place)
    return Run(item, tuple(actions), unfinished or "", rejected, tuple(replies))
