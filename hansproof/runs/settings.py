"""The settings of a run: what a file that is resumed must agree with."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from audit.answers.files.lines import LONGEST_NAME
from generators.errors import InputError, UsageError
from generators.styles.style import style_named

__all__ = ["MORE", "Settings"]

MORE = "for more episodes, write a second file with another --seed; hansproof phenotype joins the files of one model"
"""What to do where more is wanted than a file holds."""


@dataclass(frozen=True)
class Settings:
    """How the agent is asked, and what is kept."""

    agent: str
    """`module:function`, or the name of a function."""
    model: str
    """What the replies are filed under; `hansproof score` makes a table per model."""
    style: str = "zero-shot"
    retries: int = 2
    keep_replies: bool = False

    def __post_init__(self) -> None:
        style_named(self.style)
        if type(self.retries) is not int or not 0 <= self.retries <= 100:
            raise UsageError(f"retries is {self.retries!r}; it must be a whole number from 0 to 100")
        if not self.model or not self.model.isprintable():
            raise UsageError(f"the name of the model must be printable text, not {self.model!r}")
        if len(self.model) > LONGEST_NAME:
            raise UsageError(f"the name of the model has {len(self.model):,} characters; at most {LONGEST_NAME}")

    def header(self, episodes: int, digest: str) -> dict[str, Any]:
        """What the first line of a journal says."""
        return {"items": digest, "episodes": episodes, **asdict(self)}

    def refuse_other(self, header: dict[str, Any], episodes: int, digest: str, path: str) -> None:
        """Raise InputError where `header` says that a run was begun otherwise."""
        own = self.header(episodes, digest)
        if header.get("items") != digest:
            before = header.get("episodes")
            many = f"{before:,} others" if isinstance(before, int) else "others"
            raise InputError(
                f"was begun with other items than these {episodes:,} (there were {many}); name the same subsets, "
                f"count and seed ({MORE}), or pass --force to begin anew",
                path,
            )
        for key, value in own.items():
            if header.get(key) != value:
                raise InputError(
                    f"was begun with {key} {header.get(key)!r}, not {value!r}; pass the same, or --force to begin anew",
                    path,
                )
