"""One turn: an agent is asked until its reply holds a legal action, or too often."""

from __future__ import annotations

from dataclasses import dataclass

from generators.episode import Episode
from generators.errors import Fault
from hansproof.runs.agent import Agent, whereabouts
from hansproof.runs.asking import again

__all__ = ["LONGEST", "End", "Turn", "take"]

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


def take(episode: Episode, prompt: str, agent: Agent, retries: int) -> Turn | End:
    """Ask `agent`, and after a useless reply up to `retries` times more with the reason; then take the action.

    An agent that raises is asked the same question again. Only after a Turn has the episode moved on.
    """
    asked, reason, raised = prompt, "", False
    for attempt in range(retries + 1):
        try:
            reply: object = agent(asked)
        except (Exception, SystemExit) as error:  # the agent is somebody's code: it may raise anything
            asked, reason, raised = prompt, f"the agent raised {whereabouts(error)}", True
            continue
        if not isinstance(reply, str):
            asked, reason, raised = prompt, f"the agent returned {type(reply).__name__}, not a text", True
            continue
        action, why = _read(episode, reply)
        if action is not None:
            episode.step(action)
            return Turn(episode.transcript.actions[-1], attempt, reply)
        asked, reason, raised = again(prompt, why, episode), f"no legal action in the last reply: {why}", False
    return End(str(Fault(reason)), retries, raised)


def _read(episode: Episode, reply: str) -> tuple[str | None, str]:
    if len(reply) > LONGEST:
        return None, f"it has {len(reply):,} characters, of which at most {LONGEST:,} are read"
    reading = episode.read(reply)
    return reading.said, reading.reason
