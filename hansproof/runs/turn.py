"""One turn, asked until a reply holds a legal action; and the run that turns become, as its line in a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, cast

from hansproof.generators.episode import Episode, Transcript, replay
from hansproof.generators.errors import Fault, InputError
from hansproof.generators.item import Item
from hansproof.runs.asking import Agent, again, shown, whereabouts

__all__ = ["End", "Rejected", "Run", "Turn", "rejected_of", "run_of", "take"]

LONGEST = 1_000_000
"""Characters of a reply that are read; nobody needs more to name one action."""


@dataclass(frozen=True)
class Rejected:
    """A reply of which nothing came."""

    turn: int
    """Which action was asked for, from 1."""
    reply: str | None
    """What the agent said, whole; None where it failed itself."""
    reason: str
    """Why it was of no use, on one line: the agent was told so when it was asked again."""


def rejected_of(records: Any, actions: int) -> tuple[Rejected, ...]:
    """Rejected replies as they stand in a file, of an episode with so many actions. Raises TypeError for others."""
    rejected = tuple(Rejected(**each) for each in records)
    for each in rejected:
        texts = type(each.reply) in (str, type(None)) and type(each.reason) is str
        if not texts or type(each.turn) is not int or not 1 <= each.turn <= actions + 1:
            raise TypeError("is no rejected reply")
    return rejected


@dataclass(frozen=True)
class Turn:
    """An action that was taken."""

    action: str
    reply: str
    """What the agent said, whole."""
    rejected: tuple[Rejected, ...] = ()
    """What it had said before, after which it was asked again."""


@dataclass(frozen=True)
class End:
    """No action was taken, so the episode ends here."""

    reason: str
    """The reason of the last failure, on one line."""
    rejected: tuple[Rejected, ...]
    """What the agent said at this turn; the last is what the episode ended by."""
    raised: bool
    """Whether the agent itself failed (it raised, or returned no text) rather than what it said."""


class Question:
    """A turn as an exchange that somebody else carries: ask `prompt`, then `hear` the reply, until there is an
    `outcome`. Only after a Turn has the episode moved on."""

    def __init__(self, episode: Episode, prompt: str, retries: int) -> None:
        self._episode, self._first, self._retries = episode, prompt, retries
        self._rejected: list[Rejected] = []
        self.prompt = prompt
        """What to ask now: after a reply that cannot be read, with the reason."""
        self.outcome: Turn | End | None = None

    def hear(self, reply: object) -> None:
        """Take the action that the reply names, if it names one."""
        if not issubclass(type(reply), str):  # not isinstance: a mock says that it is one
            self._missed(self._first, None, f"the agent returned {type(reply).__name__}, not a text")
            return
        text = str.__str__(cast("str", reply))  # plain, whatever methods a class of its own has
        action, why = _read(self._episode, text)
        if action is None:
            self._missed(again(self._first, why, self._episode), text, why)
            return
        self._episode.step(action)
        self.outcome = Turn(self._episode.transcript.actions[-1], text, tuple(self._rejected))

    def fail(self, error: BaseException) -> None:
        """Note that the agent raised; the same is asked again."""
        self._missed(self._first, None, f"the agent raised {whereabouts(error)}")

    def _missed(self, prompt: str, reply: str | None, reason: str) -> None:
        self.prompt = prompt
        turn = len(self._episode.transcript.actions) + 1
        self._rejected.append(Rejected(turn, reply, shown(reason)))
        if len(self._rejected) > self._retries:
            said = reason if reply is None else f"no legal action in the last reply: {reason}"
            self.outcome = End(str(Fault(said)), tuple(self._rejected), raised=reply is None)


def take(episode: Episode, prompt: str, agent: Agent, retries: int) -> Turn | End:
    """Ask `agent`, and after a reply that cannot be read up to `retries` times more, with why; then take it."""
    question = Question(episode, prompt, retries)
    while question.outcome is None:
        try:
            reply = agent(question.prompt)
        except (Exception, SystemExit) as error:  # the agent is somebody's code: it may raise anything
            question.fail(error)
        else:
            question.hear(reply)
    return question.outcome


def _read(episode: Episode, reply: str) -> tuple[str | None, str]:
    if len(reply) > LONGEST:
        return None, f"it has {len(reply):,} characters, of which at most {LONGEST:,} are read"
    reading = episode.read(reply)
    return reading.said, reading.reason


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
