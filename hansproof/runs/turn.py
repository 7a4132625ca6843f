"""One turn: an agent is asked until its reply holds a legal action, or too often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from generators.episode import Episode
from generators.errors import Fault
from hansproof.runs.agent import Agent, whereabouts
from hansproof.runs.asking import again, shown

__all__ = ["LONGEST", "End", "Question", "Rejected", "Turn", "rejected_of", "take"]

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
