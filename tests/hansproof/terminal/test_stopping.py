"""A request to end is an interruption."""

import os
import signal
import sys

import pytest

from hansproof.command_line import main
from hansproof.terminal.streams import stoppable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without asking")


@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP"])
def test_a_command_that_is_asked_to_end_exits_130_without_a_traceback(monkeypatch, capsys, number):
    end = getattr(signal, number)
    monkeypatch.setattr("hansproof.auditing.running.expand", lambda source, **how: os.kill(os.getpid(), end))
    monkeypatch.setattr(sys, "argv", ["hansproof", "audit", "x.jsonl"])
    before = signal.signal(getattr(signal, number), signal.SIG_DFL)  # the tests themselves may run under nohup
    try:
        with pytest.raises(SystemExit) as exit:
            main()
    finally:
        signal.signal(getattr(signal, number), before)
    assert (exit.value.code, capsys.readouterr().err.strip()) == (130, "interrupted")


def test_what_nohup_ignores_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stoppable():
            os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_handlers_are_what_they_were_afterwards():
    before = signal.getsignal(signal.SIGTERM)
    with stoppable():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before
