"""Run: one episode as it was played, and its line in a file, which `hansproof score` reads as it stands."""

from __future__ import annotations

import json
from dataclasses import dataclass

from generators.errors import InputError
from generators.item import Item

__all__ = ["Run", "run_of"]


@dataclass(frozen=True)
class Run:
    """One finished episode, or one that ended before its time."""

    item: Item
    actions: tuple[str, ...]
    """What the agent did, in order."""
    unfinished: str = ""
    """Why the episode ended before its time, on one line; empty where it was played to its end."""
    retries: int = 0
    """How often the agent was asked again, in all."""
    replies: tuple[str, ...] = ()
    """What the agent said, one reply per action; empty unless it is kept."""
    raised: bool = False
    """Whether it ended because the agent failed rather than because of what it said."""

    def line(self, model: str, style: str, every: str, *, replies: bool = False) -> bytes:
        """Its line of JSON: `reply` is the list of actions, `items` the digest of `every` item of the run."""
        record = {
            "id": self.item.id,
            "item_digest": self.item.line_digest(),
            "items": every,
            "seed": self.item.metadata["seed"],
            "model": model,
            "style": style,
            "reply": json.dumps(self.actions, ensure_ascii=False),
            "unfinished": self.unfinished or None,
            "retries": self.retries,
        }
        if replies:
            record["replies"] = self.replies
        # What an agent says may hold half a surrogate pair, which UTF-8 cannot write.
        return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def run_of(line: bytes, item: Item, place: str) -> Run:
    """The run of `item` on a line of a file. Raises InputError, at `place`, for a line that is none."""
    try:
        record = json.loads(line)
        run = Run(
            item,
            tuple(map(str, json.loads(record["reply"]))),
            record["unfinished"] or "",
            record["retries"],
            tuple(record.get("replies", ())),
        )
        fits = record["id"] == item.id and record["item_digest"] == item.line_digest()
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError) as error:
        raise InputError("is no run; pass --force to begin anew, or name another file", place) from error
    if not fits:
        raise InputError(f"is no run of {item.id!r} as it is played now (another seed, or other subsets?)", place)
    return run
