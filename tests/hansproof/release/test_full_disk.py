"""A disk that fills up during a release: one line, and nothing that this run made is left half done."""

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest

from hansproof.generators.errors import InputError
from hansproof.release.release import AuditOptions, release
from hansproof.release.verify import verify

QUICK = AuditOptions(permutations=299, splits=2, workers=1)


@pytest.fixture
def small(tiny, register):
    """One subset of open answers, which no audit assesses."""
    dataset = replace(tiny, subsets={"sums": tiny.subsets["sums"]})
    register(dataset)
    return dataset


def release_to(folder):
    return release("tiny", "1.0.0", out=folder / "datasets", cards=folder / "cards", audits=QUICK)


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


class Disk:
    """A call of the system that fails for want of room from a given time on; it counts how often it is called."""

    def __init__(self, real, room):
        self.real, self.room, self.calls = real, room, 0

    def __call__(self, *arguments, **more):
        self.calls += 1
        if self.calls > self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self.real(*arguments, **more)


def full(monkeypatch, where, room):
    owner, name = {"fsync": (os, "fsync"), "mkdir": (Path, "mkdir"), "rename": (os, "rename")}[where]
    disk = Disk(vars(owner)[name], room)
    # A method gets its object, as it must be a function for that.
    monkeypatch.setattr(owner, name, (lambda *given, **more: disk(*given, **more)) if owner is Path else disk)
    return disk


@pytest.mark.parametrize("where", ["fsync", "mkdir", "rename"])
def test_wherever_the_disk_is_full_nothing_half_done_is_left(small, tmp_path, monkeypatch, where):
    whole = tmp_path / "whole"
    whole.mkdir()
    with monkeypatch.context() as patched:
        disk = full(patched, where, 10**6)
        release_to(whole)
    assert disk.calls >= (2 if where != "rename" else 1)
    frozen = [name for name in names(whole) if not name.startswith("cards")]
    for room in range(disk.calls):
        folder = tmp_path / f"room-{room}"
        folder.mkdir()
        with monkeypatch.context() as patched:
            full(patched, where, room)
            with pytest.raises(InputError, match=r"No space left on device") as raised:
                release_to(folder)
        left = names(folder)
        if left:
            # Frozen as it should be: only the card is missing, and the message says so.
            assert left == frozen
            assert raised.value.faults[-1].reason.startswith("is frozen; only its card is missing")
            assert verify(folder / "datasets" / "tiny" / "1.0.0", regenerate=False).passed
        else:
            assert len(raised.value.faults) == 1
    assert names(tmp_path / "room-0") == []


def test_what_was_there_before_stays(small, tmp_path, monkeypatch):
    (tmp_path / "datasets" / "tiny" / "0.9.0").mkdir(parents=True)
    (tmp_path / "cards").mkdir()
    before = names(tmp_path)
    full(monkeypatch, "fsync", 0)
    with pytest.raises(InputError, match="No space left"):
        release_to(tmp_path)
    monkeypatch.undo()
    assert names(tmp_path) == before
