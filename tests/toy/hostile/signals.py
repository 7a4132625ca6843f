"""Requests to end at every moment: before and after each move, link, removal and flush, and at each stage of the work.

A command runs in this process; at the n-th moment it gets SIGTERM, and what it leaves is compared with what a run that
nobody stopped leaves.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from hostile.case import Case, Outcome, files_of, ran

__all__ = ["COMMANDS", "Stopped", "moments", "stopped"]

_QUICK: Final = ("--splits", "2", "--permutations", "199", "--workers", "1", "--no-cache", "--quiet")
COMMANDS: Final = {
    "audit": (
        "audit",
        "items.jsonl",
        *_QUICK,
        "--json",
        "out/a.json",
        "--html",
        "out/a.html",
        "--items",
        "out/i.jsonl",
    ),
    "generate": ("generate", "planted-cues", "-s", "none", "-n", "30", "--seed", "1", "--out", "out/g.jsonl"),
    "release": ("release", "toy-bandit", "--version", "1.0.0", "--out", "out", "--cards", "out/cards"),
    "download": ("download", "planted-cues@2.0.0", "--from", "DATASETS", "--cache", "out/cache", "--to", "out/copy"),
    "export": ("export", "items.jsonl", "--to", "inspect", "--out", "out/new"),
    "harden": ("harden", "items.jsonl", *_QUICK[:-1], "--partial", "--out", "out/h.jsonl", "--removed", "out/r.jsonl"),
}
"""Command -> what is typed in a folder that `world.build` has made, for outputs in `out`."""

MOVES: Final = ("link", "replace", "rename", "fsync", "unlink", "mkdir", "rmdir")
"""Calls of the system between which files get their names."""


@dataclass(frozen=True)
class Stopped:
    """What a command left that was asked to end at one moment."""

    moment: int
    code: int
    err: str
    left: dict[str, bytes]
    """Path -> content of every file that it left in the folder of its outputs."""
    parts: list[str]
    """Unfinished files and folders that are still there."""


class _Clock:
    """Counts moments, and asks to end at one of them."""

    def __init__(self, strikes: int | None) -> None:
        self.strikes = strikes
        self.passed = 0
        self.stages: set[str] = set()

    def tick(self) -> None:
        if self.passed == self.strikes:
            self.passed += 1
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            self.passed += 1

    def watch(self, stage: str, done: int, total: int, /) -> None:
        """A Progress: each stage is a moment."""
        if stage not in self.stages:
            self.stages.add(stage)
            self.tick()


def moments(command: tuple[str, ...], out: Path) -> tuple[int, dict[str, bytes], int]:
    """How many moments a run has that nobody stops, what it leaves in `out`, and its exit code."""
    clock, outcome = _run(command, out, None)
    return clock.passed, _content(out), outcome.code


def stopped(command: tuple[str, ...], out: Path, moment: int) -> Stopped:
    """Run `command`, which writes into the folder `out`, and ask it to end at a moment, counted from 0."""
    _, outcome = _run(command, out, moment)
    parts = [name for name in files_of(out) if name.split("/")[-1].startswith(".hansproof-")]
    return Stopped(moment, outcome.code, outcome.err, _content(out), parts)


def _run(command: tuple[str, ...], out: Path, moment: int | None) -> tuple[_Clock, Outcome]:
    _clear(out)
    clock = _Clock(moment)
    with _ticking(clock):
        outcome = ran(Case("signal", "", command))
    return clock, outcome


def _clear(out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()


def _content(out: Path) -> dict[str, bytes]:
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


@contextlib.contextmanager
def _ticking(clock: _Clock) -> Iterator[None]:
    def around(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **options: Any) -> Any:
            clock.tick()
            result = real(*given, **options)
            clock.tick()
            return result

        return call

    with contextlib.ExitStack() as stack:
        for name in MOVES:
            stack.enter_context(patch.object(os, name, around(getattr(os, name))))
        stack.enter_context(patch("hansproof.terminal.streams.unwatched", clock.watch))
        yield
