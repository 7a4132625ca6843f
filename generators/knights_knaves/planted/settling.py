"""Who is settled before anything is supposed, kept up to date while one statement after the other changes."""

from __future__ import annotations

from generators.knights_knaves.planted.claims import Claim
from generators.knights_knaves.puzzles.difficulty import OPEN, concerned, propagated

__all__ = ["Settling"]


class Settling:
    """Statements that have a solution, and what they settle by themselves.

    A statement that has settled nobody can change without a new start: what the others settle stays.
    """

    def __init__(self, claims: list[Claim]) -> None:
        self.claims = claims
        self._start()

    def _start(self) -> None:
        self.about = concerned(self.claims)
        self.state, self.used = [OPEN] * len(self.claims), 0
        self._follow((1 << len(self.claims)) - 1)

    def _follow(self, waiting: int) -> None:
        used = [self.used]
        propagated(self.claims, self.about, self.state, waiting, used)  # no contradiction: they have a solution
        self.used = used[0]

    def open(self) -> list[int]:
        """Who is not settled, in order."""
        return [character for character, known in enumerate(self.state) if known == OPEN]

    def change(self, speaker: int, said: Claim) -> None:
        """Let the speaker say this instead, unless it settles fewer characters."""
        before, self.claims[speaker] = self.claims[speaker], said
        bit = 1 << speaker
        if self.used & bit:
            settled = self.state.count(OPEN)
            kept = self.about, self.state, self.used
            self._start()
            if self.state.count(OPEN) > settled:
                self.claims[speaker] = before
                self.about, self.state, self.used = kept
            return
        for character in before.scope:
            self.about[character] &= ~bit
        for character in said.scope:
            self.about[character] |= bit
        self._follow(bit)
