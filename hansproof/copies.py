"""Whether two things that are named are one: a file named twice, and answers that are a copy of others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from audit.answers.reading import Replies
from generators.errors import UsageError

if TYPE_CHECKING:
    from audit.answers.files.sources import ReplyFile
    from audit.answers.joining import Joined
    from audit.answers.reply import Reply
    from audit.paired.sides import Side

__all__ = ["are_identical", "refuse_same", "resolved"]


def are_identical(
    replies: Sequence[Iterable[Reply]], joined: Sequence[Joined], sides: Sequence[tuple[Side, ...]]
) -> bool:
    """Whether two single runs give the same replies to the same items; they are read again where none is judged
    differently. A pipe cannot be: of what it held, nothing is said."""
    for answers in replies:
        if isinstance(answers, Replies) and not all(Path(file.path).is_file() for file in answers.files):
            return False
    chosen = [
        (answers, each.grid, side.columns)
        for answers, each, of in zip(replies, joined, sides, strict=True)
        for side in of
    ]
    if any(len(columns) > 1 for _, _, columns in chosen):
        return False
    first, second = (grid.outcomes[:, columns[0]].tolist() for _, grid, columns in chosen)
    if first != second:
        return False
    said = []
    for answers, grid, columns in chosen:
        wanted = grid.series[columns[0]][:3]
        said.append({
            (reply.id, reply.prompt): reply.reply
            for reply in answers
            if (reply.model, reply.style, reply.run) == wanted
        })  # fmt: skip
    return said[0] == said[1]


def refuse_same(files: Sequence[ReplyFile]) -> None:
    """Raise UsageError where both sides are read from the same files, however these are named."""
    first, second = ({resolved(file.path) for file in files if file.number == number} for number in _numbers(files))
    if first == second:
        raise UsageError("is both A and B, so that nothing can differ; name another source", files[-1].path)


def _numbers(files: Sequence[ReplyFile]) -> list[int]:
    return list(dict.fromkeys(file.number for file in files))


def resolved(path: str) -> str:
    """The file itself, behind links; an odd name is refused where the file is opened."""
    try:
        return str(Path(path).resolve())
    except (OSError, ValueError, RuntimeError):
        return path
