"""One turn: an agent is asked until its reply holds a legal action, or too often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from generators.episode import Episode
from generators.errors import Fault
from hansproof.runs.agent import Agent, whereabouts
from hansproof.runs.asking import again

__all__ = ["LONGEST", "End", "Question", "Turn", "take"]

LONGEST = 1_000_000
"""Characters of a reply that are read; nobody needs more to name one action."""


@dataclass(frozen=True)
class Turn:
    """An action that was taken."""

    action: str
    retries: int
    """How often the agent was asked again before it."""
    reply: str
    """What the agent said, whole."""


@dataclass(frozen=True)
class End:
    """No action was taken, so the episode ends here."""

    reason: str
    """The reason of the last failure, on one line."""
    retries: int
    raised: bool
    """Whether the agent itself failed (it raised, or returned no text) rather than what it said."""


class Question:
    """A turn as an exchange that somebody else carries: ask `prompt`, then `hear` the reply, until there is an
    `outcome`. Only after a Turn has the episode moved on."""

    def __init__(self, episode: Episode, prompt: str, retries: int) -> None:
        self._episode, self._first, self._retries = episode, prompt, retries
        self._asked = 0
        self.prompt = prompt
        """What to ask now: after a reply that cannot be read, with the reason."""
        self.outcome: Turn | End | None = None

    def hear(self, reply: object) -> None:
        """Take the action that the reply names, if it names one."""
        if not issubclass(type(reply), str):  # not isinstance: a mock says that it is one
            self._missed(self._first, f"the agent returned {type(reply).__name__}, not a text", raised=True)
            return
        text = str.__str__(cast("str", reply))  # plain, whatever methods a class of its own has
        action, why = _read(self._episode, text)
        if action is None:
            mended = again(self._first, why, self._episode)
            self._missed(mended, f"no legal action in the last reply: {why}", raised=False)
            return
        self._episode.step(action)
        self.outcome = Turn(self._episode.transcript.actions[-1], self._asked, text)

    def fail(self, error: BaseException) -> None:
        """Note that the agent raised; the same is asked again."""
        self._missed(self._first, f"the agent raised {whereabouts(error)}", raised=True)

    def _missed(self, prompt: str, reason: str, *, raised: bool) -> None:
        self.prompt = prompt
        if self._asked == self._retries:
            self.outcome = End(str(Fault(reason)), self._retries, raised)
        self._asked += 1


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
