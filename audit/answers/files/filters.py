"""Logs that have the reply to an item once per filter, which is a way to cut the answer out of what the model said.

The replies of one filter count, so that a model is one model over all its tasks: those of the first in the log, which
is the one that its task names first. `--style FILTER` takes others, each as a style of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from audit.harnesses.reply import Reply

__all__ = ["Filters"]

_SHOWN = 3


class Filters:
    """Which filters count while replies are read, and what is to be said of the others."""

    def __init__(self, styles: Collection[str], sides: Iterable[str] = ()) -> None:
        """`styles` are those that somebody wants, and `sides` the names of what is to be compared: styles, or titles
        of which a style is a part."""
        self._styles = frozenset(styles)
        self._wanted = self._styles | {part for name in sides for part in (name, *name.split(", "))}
        self._aside: dict[tuple[str, str], dict[str, None]] = {}
        self._first: dict[tuple[str, str], dict[str, None]] = {}
        self._about: list[str] | None = None

    def taken(self, reply: Reply) -> Reply | None:
        """The reply, with its filter as the style where that is asked for; None where another filter counts."""
        if reply.filter and reply.filter in self._wanted:
            return msgspec.structs.replace(reply, style=reply.filter)
        if reply.aside:
            self._aside.setdefault((reply.aside, reply.filter), {}).setdefault(reply.benchmark)
            self._listen(reply)
            return None
        firsts = self._first.setdefault((reply.harness, reply.benchmark), {})
        firsts.setdefault(reply.filter)
        if len(firsts) > 1:
            self._listen(reply)
        return reply

    def _listen(self, reply: Reply) -> None:
        """Keep the list of what a log says of its run, to which more can be said until all is read."""
        if isinstance(reply.about, list):
            self._about = reply.about

    def say(self) -> None:
        """Add what is to be known of the filters to what the logs say of their runs (`Reply.about`)."""
        if self._about is None or self._styles:
            return
        others: dict[str, dict[str, dict[str, None]]] = {}
        for (first, other), tasks in self._aside.items():
            of = others.setdefault(first, {})
            for task in tasks:
                of.setdefault(task, {}).setdefault(other)
        for first, by_task in others.items():
            names = list(dict.fromkeys(name for own in by_task.values() for name in own))
            self._about.append(
                f"{_some(list(by_task))}: the logs have each reply once per filter; those of {first} count, the first "
                f"of the log, and not those of {_some(names)} (--style {names[0]})"
            )
        for (_, task), firsts in self._first.items():
            if len(firsts) > 1:
                names = [name or "none" for name in firsts]
                self._about.append(
                    f"{task or 'the logs'}: some logs begin with the replies of the filter {names[0]}, others with "
                    f"those of {_some(names[1:])}, and these count as one: choose a filter that all have with --style"
                )


def _some(names: list[str]) -> str:
    shown = ", ".join(name or "the logs" for name in names[:_SHOWN])
    return shown + (f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else "")
