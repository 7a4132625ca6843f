"""What is said of columns for which a window has no room."""

import pytest

from hansproof.audit.report.terminal import too_narrow


@pytest.mark.parametrize(
    ("gone", "outputs", "said"),
    [
        (["se", "Holm\np"], ("--csv", "--html"),
         "this window is too narrow for the columns se, Holm p; --csv and --html have them"),
        (["se"], ("--json", "--csv", "--html"),
         "this window is too narrow for the column se; --json, --csv and --html have it"),
        (["se", "p"], ("--json",), "this window is too narrow for the columns se, p; --json has them"),
        (["se", "p"], (), "this window is too narrow for the columns se, p"),
    ],
)  # fmt: skip
def test_columns_are_named_with_the_outputs_that_have_them(gone, outputs, said):
    assert too_narrow(gone, outputs) == [said]


def test_where_all_columns_stand_nothing_is_said():
    assert too_narrow([], ("--json",)) == []
