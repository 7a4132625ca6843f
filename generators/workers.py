"""Processes that work for this one: none outlives it."""

from __future__ import annotations

import os
import signal
from multiprocessing import parent_process
from threading import Thread

__all__ = ["follow_parent"]


def follow_parent() -> None:
    """The initialiser of a worker: it ends with its parent, even if that is killed, and leaves Ctrl-C to it.

    A terminal sends Ctrl-C to all processes, but only the parent knows what is done.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
