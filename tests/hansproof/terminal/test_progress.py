"""One bar on standard error: drawn on terminals, after a while, stage by stage."""

import io
import sys

from hansproof.generators.errors import unwatched
from hansproof.terminal import streams
from hansproof.terminal.streams import on_stderr


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal(monkeypatch):
    """Standard error as a terminal. Not a fixture: pytest puts its own stream back between set-up and test."""
    stderr = Terminal()
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    return stderr


def test_each_stage_has_its_own_count(monkeypatch):
    stderr = terminal(monkeypatch)
    monkeypatch.setattr(streams, "_PATIENCE", -1)
    with on_stderr() as draw:
        draw("fitting probes", 3, 4)
        draw("resampling", 0, 7)
    assert "fitting probes" in stderr.getvalue()
    assert "3/4" in stderr.getvalue()
    assert "after \x1b[33m0:00:00" in stderr.getvalue()
    assert "-:--:--\x1b[0m left" in stderr.getvalue()
    assert "resampling" in stderr.getvalue()
    assert "0/7" in stderr.getvalue()


def test_a_stage_in_one_piece_has_no_count_and_no_time_left(monkeypatch):
    stderr = terminal(monkeypatch)
    monkeypatch.setattr(streams, "_PATIENCE", -1)
    with on_stderr() as draw:
        for _ in range(2):
            draw("refitting", 0, 1)
    assert "refitting" in stderr.getvalue()
    assert "0:00:00" in stderr.getvalue()
    assert "0/1" not in stderr.getvalue()
    assert "-:--:--" not in stderr.getvalue()
    with on_stderr() as draw:
        draw("refitting", 0, 1)
        draw("refitting", 1, 1)
    assert "1/1" in stderr.getvalue()


def test_the_bar_leaves_the_terminal_as_it_was(monkeypatch):
    stderr = terminal(monkeypatch)
    monkeypatch.setattr(streams, "_PATIENCE", -1)
    with on_stderr() as draw:
        draw("fitting probes", 3, 4)
        assert "\x1b[?25h" not in stderr.getvalue()  # the cursor is hidden while the bar runs
    assert stderr.getvalue().endswith("\x1b[2K")  # its line is cleared at the end
    assert "\x1b[?25h" in stderr.getvalue()


def test_quick_work_draws_nothing(monkeypatch):
    stderr = terminal(monkeypatch)
    with on_stderr() as draw:
        draw("fitting probes", 4, 4)
    assert stderr.getvalue() == ""
    assert streams._PATIENCE == 1.0


def test_a_file_gets_no_bar(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with on_stderr() as draw:
        assert draw is unwatched
