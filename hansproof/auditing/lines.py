"""One line on standard error for each benchmark of a folder that is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.result import AuditResult
from generators.errors import printable

if TYPE_CHECKING:
    from audit.scan.folder import Done

__all__ = ["line_of"]

_LONGEST = len("TEMPLATE-BOUND")


def line_of(done: Done) -> str:
    """`[ 3/20] LEAKS            12.3 s  deep/pairs`; `cached` in place of the seconds of a remembered result."""
    verdict = done.outcome.verdict if isinstance(done.outcome, AuditResult) else "FAILED"
    time = "  cached" if done.seconds is None else f"{done.seconds:6.1f} s"
    width = len(str(done.total))
    return printable(f"[{done.number:{width}}/{done.total}] {verdict:<{_LONGEST}} {time}  {done.name}")
