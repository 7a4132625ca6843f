"""One refusal to overwrite."""

import pytest

from generators.errors import UsageError
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
