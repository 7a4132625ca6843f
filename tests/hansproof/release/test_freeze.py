"""Freezing: all or nothing, never over what is there."""

from __future__ import annotations

import stat

import pytest

from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.jsonl import read
from hansproof.release.release import check_version, staging, subset_entry, write_subset


def test_nothing_is_left_of_a_release_that_was_not_committed(tmp_path):
    with staging(tmp_path / "n" / "1.0.0") as stage:
        (stage.folder / "file").write_text("x")
        assert not stage.target.exists()
    assert list(tmp_path.iterdir()) == []


def test_folders_that_were_there_stay_and_so_do_those_that_somebody_else_uses(tmp_path):
    (tmp_path / "n").mkdir()
    with staging(tmp_path / "n" / "1.0.0"):
        pass
    with staging(tmp_path / "m" / "1.0.0"):
        (tmp_path / "m" / "1.1.0").mkdir()
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")) == ["m", "m/1.1.0", "n"]


def test_nothing_is_left_where_the_work_broke_off(tmp_path):
    def work():
        with staging(tmp_path / "1.0.0") as stage:
            (stage.folder / "file").write_text("x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert list(tmp_path.iterdir()) == []


def test_a_committed_release_has_its_name_its_files_and_the_usual_permissions(tmp_path):
    with staging(tmp_path / "1.0.0") as stage:
        (stage.folder / "file").write_text("x")
        stage.commit()
    (tmp_path / "plain").mkdir()
    assert (tmp_path / "1.0.0" / "file").read_text() == "x"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.0.0", "plain"]
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("1.0.0", "plain")}
    assert len(modes) == 1


def test_a_frozen_version_is_never_overwritten(tmp_path):
    (tmp_path / "1.0.0").mkdir()
    context = staging(tmp_path / "1.0.0")
    with pytest.raises(InputError, match=r"1\.0\.0: is frozen and is never overwritten; .* needs a new version"):
        context.__enter__()


def test_a_second_process_that_was_quicker_keeps_its_release(tmp_path):
    with staging(tmp_path / "1.0.0") as stage:
        (stage.folder / "file").write_text("late")
        stage.target.mkdir()
        (stage.target / "file").write_text("quick")
        with pytest.raises(InputError, match="is frozen and is never"):
            stage.commit()
    assert (tmp_path / "1.0.0" / "file").read_text() == "quick"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_place_that_cannot_be_written_is_one_clear_line(tmp_path):
    (tmp_path / "file").write_text("")
    context = staging(tmp_path / "file" / "1.0.0")
    with pytest.raises(InputError, match=r"file: cannot be made: "):
        context.__enter__()


def test_the_version_is_the_generators(tiny):
    check_version(tiny, "1.0.0")
    with pytest.raises(UsageError, match=r"tiny is at version 1\.0\.0, not 1\.0\.1; the generator sets the version"):
        check_version(tiny, "1.0.1")


def test_a_subset_is_written_and_its_entry_counts_it(tiny, frozen, tmp_path):
    items = write_subset(tiny, "parity", tmp_path)
    entry = subset_entry(tiny, "parity", tmp_path, items, None)
    assert read(tmp_path / "parity.jsonl") == items
    assert (entry.rows, entry.groups, entry.conditions) == (10, 10, {"parity": 10})
    assert entry.answers == {"no": 5, "yes": 5}  # 21 to 30
    assert subset_entry(tiny, "sums", frozen, [], None).answers is None
