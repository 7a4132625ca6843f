"""The names of models where `NAME=FILE` gives one: what the file itself calls them is kept in mind.

One name for two models would merge them, and the second answer of each item would count as given again.
"""

from __future__ import annotations

from collections.abc import Collection

from audit.answers.files.sources import ReplyFile
from generators.errors import UsageError

__all__ = ["OwnNames", "is_chosen"]

_LISTED = 4


class OwnNames:
    """What the files and folders that got a name from outside call the models of the replies that are used."""

    def __init__(self) -> None:
        self._names: dict[int, dict[str, None]] = {}
        self._files: dict[int, ReplyFile] = {}

    def add(self, file: ReplyFile, own: str) -> None:
        """Count a reply of a model that `file` calls `own`; where it calls it nothing, it may be any of them."""
        if file.model and own:
            self._names.setdefault(file.number, {}).setdefault(own)
            self._files[file.number] = file

    def refuse_several(self) -> None:
        """Raise UsageError for a file or folder of several models under one name."""
        for number, names in self._names.items():
            if len(names) < 2:
                continue
            file = self._files[number]
            shown = list(names)[:_LISTED]
            more = len(names) - len(shown)
            *first, last = [*shown, f"{more} more"] if more else shown
            raise UsageError(
                f"holds {len(names)} models, {', '.join(first)} and {last}, and {file.model}= names one; leave it out, "
                "or choose one of them with --model",
                file.given or file.path,
            )


def is_chosen(models: Collection[str], file: ReplyFile, own: str, name: str) -> bool:
    """Whether a reply is of one of `models`, all where there are none: by its name, or by that which its file had
    for it before `NAME=FILE` gave it another."""
    return not models or name in models or (bool(file.model) and own in models)
