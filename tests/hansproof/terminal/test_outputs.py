"""One refusal to overwrite."""

from pathlib import Path

import pytest

from generators.errors import InputError, UsageError
from generators.output.atomic import appearing
from hansproof.terminal.outputs import check_output


def test_what_exists_is_overwritten_only_with_force(tmp_path):
    path = tmp_path / "scores.json"
    check_output(str(path), force=False)
    path.write_text("old")
    with pytest.raises(UsageError, match=r"scores\.json: exists; pass --force to overwrite it, or name another file$"):
        check_output(str(path), force=False)
    check_output(str(path), force=True)


def test_a_link_to_nothing_counts_as_existing(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    with pytest.raises(UsageError, match="exists; pass --force"):
        check_output(str(tmp_path / "link"), force=False)


def test_force_does_not_replace_a_folder_or_make_one(tmp_path):
    with pytest.raises(UsageError, match="is not a regular file; name another file"):
        check_output(str(tmp_path), force=True)
    with pytest.raises(UsageError, match="its folder does not exist; make it first"):
        check_output(str(tmp_path / "no" / "a.json"), force=True)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system has no names for open files")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/new.html"])
def test_no_file_takes_the_place_of_a_device(name):
    with pytest.raises(UsageError, match=rf"^{name}: is not a regular file; name another file$"):
        check_output(name, force=True)
    with (
        pytest.raises(InputError, match=r"^/proc/self/fd/1: is not a regular file; name another file$"),
        appearing("/proc/self/fd/1", overwrite=True),
    ):
        pass


@pytest.mark.parametrize("name", ["", "  "])
def test_a_file_without_a_name_is_refused(name):
    with pytest.raises(UsageError, match=r"^the name of a file to write is empty; name a file$"):
        check_output(name, force=True)
