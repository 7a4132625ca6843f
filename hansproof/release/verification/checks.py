"""The outcome of a verification: named checks; each passed, failed with its faults, or was not made for a reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from generators.errors import Fault

__all__ = ["Check", "Verification"]


@dataclass(frozen=True)
class Check:
    """One kind of check over the whole release."""

    name: str
    note: str
    """What was checked, or why nothing was."""
    faults: tuple[Fault, ...] = ()
    done: bool = True
    """False where the check could not be made; that alone is no fault."""

    @property
    def status(self) -> str:
        """`ok`, `FAILED` or `not done`."""
        return "FAILED" if self.faults else "ok" if self.done else "not done"


@dataclass(frozen=True)
class Verification:
    """All checks of one release, in order."""

    path: str
    release: str
    """`planted-cues 1.0.0`; empty where the manifest could not be read."""
    checks: list[Check] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether no check found a fault."""
        return not any(check.faults for check in self.checks)

    def record(self) -> dict[str, Any]:
        """For `--json`."""
        checks = [
            {"name": check.name, "status": check.status, "note": check.note, "faults": list(map(str, check.faults))}
            for check in self.checks
        ]
        return {
            "schema": "hansproof.verification/1",
            "path": self.path,
            "release": self.release,
            "passed": self.passed,
            "checks": checks,
        }
