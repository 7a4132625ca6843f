"""One hostile case: a command or a call, what it may answer, and what the folder around it must look like then."""

from __future__ import annotations

import contextlib
import io
import resource
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

__all__ = ["Case", "Outcome", "faults", "files_of", "ran"]

SECONDS: Final = 20.0
"""How long a case may take: most take hundredths, but the machine may be busy."""
MEGABYTES: Final = 600
"""How much the process may grow by one case."""
MOST: Final = 23
"""Lines of an answer: an error lists 20 faults before it counts the others, a usage error has four lines."""


@dataclass(frozen=True)
class Case:
    """What is tried."""

    kind: str
    """`path`, `output`, `number`, `content`, `call`: the rows of the table in docs/reliability.md."""
    name: str
    arguments: tuple[str, ...] = ()
    """Of the command; empty for a call."""
    call: Callable[[], Any] | None = None
    codes: frozenset[int] = field(default_factory=lambda: frozenset({2}))
    """Exit codes that are right. 1 is none of them but where a check really fails."""
    may_write: bool = False
    """Whether new files may be left."""
    may_print: bool = False
    """Whether something may be printed beside the error, such as the other files of a folder."""


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    code: int
    out: str
    err: str
    seconds: float
    grown: float
    """Megabytes by which the process grew."""
    raised: str = ""
    """The class of what a call raised, and of what got out of a command; empty for none."""


def ran(case: Case) -> Outcome:
    """Run a case in this process, with streams in memory."""
    before, begun = _peak(), time.perf_counter()
    code, raised = 0, ""
    with _streams() as (out, err):
        try:
            if case.call is None:
                code = _command(case.arguments)
            else:
                case.call()
        except BaseException as error:
            from hansproof import HansproofError

            code = 2 if isinstance(error, HansproofError) else 99
            raised = "" if code == 2 else f"{type(error).__name__}: {error}"
            print(f"error: {error}", file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        texts = [stream.getvalue().decode("utf-8", "backslashreplace") for stream in (out, err)]
    return Outcome(code, texts[0], texts[1], time.perf_counter() - begun, _peak() - before, raised)


def faults(case: Case, outcome: Outcome, before: dict[str, str], after: dict[str, str]) -> list[str]:
    """What is wrong with an outcome; `before` and `after` are the files around it with their content."""
    wrong = []
    if outcome.code not in case.codes:
        wrong.append(f"exit code {outcome.code}, not {sorted(case.codes)}")
    if outcome.raised:
        wrong.append(f"raised {outcome.raised}")
    lines = outcome.err.splitlines()
    if "Traceback" in outcome.err or "a bug in hansproof" in outcome.err:
        wrong.append(f"a traceback, or a fault of ours: {lines[-1] if lines else ''}")
    if outcome.code == 2 and not case.may_print and not any(line.startswith(("error: ", "Error: ")) for line in lines):
        wrong.append("says no error")
    if len(lines) > MOST:
        wrong.append(f"{len(lines)} lines of talk")
    odd = [line for line in (*lines, *outcome.out.splitlines()) if not line.isprintable()]
    if odd:
        wrong.append(f"drives the terminal: {odd[0]!r}")
    if outcome.code == 2 and outcome.out and not case.may_print:
        wrong.append(f"prints {outcome.out[:60]!r} although it fails")
    if outcome.seconds > SECONDS:
        wrong.append(f"took {outcome.seconds:.1f} s")
    if outcome.grown > MEGABYTES:
        wrong.append(f"grew by {outcome.grown:.0f} MB")
    changed = sorted(name for name in before if after.get(name) != before[name])
    if changed:
        wrong.append(f"changed {changed}")
    new = sorted(after.keys() - before.keys())
    if new and not case.may_write:
        wrong.append(f"left {new}")
    return wrong


def files_of(folder: Path) -> dict[str, str]:
    """Path -> what is there: size, times and permissions of a file, the target of a link."""
    there: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            there[name] = f"-> {path.readlink()}"
        else:
            status = path.stat()
            grown = (status.st_size, status.st_mtime_ns, status.st_ino) if path.is_file() else ()
            there[name] = f"{status.st_mode:o} {grown}"
    return there


def _command(arguments: tuple[str, ...]) -> int:
    from hansproof.command_line import main

    before = sys.argv
    sys.argv = ["hansproof", *arguments]
    try:
        main()
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    finally:
        sys.argv = before
    return 0


@contextlib.contextmanager
def _streams() -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    before = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(b""), "utf-8")
    sys.stdout, sys.stderr = (io.TextIOWrapper(stream, "utf-8", "backslashreplace") for stream in (out, err))
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def _peak() -> float:
    """The most memory that this process ever had, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3
