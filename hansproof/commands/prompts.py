"""`hansproof prompts`: items as a model is asked them, one JSON object a line, for whoever runs the model.

Items come from a release, the replies to a first turn from a file of answers; nothing here runs a model, and neither
the gold answer nor the metadata of an item is written. Standard output is data, standard error is talk.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from generators.errors import UsageError

if TYPE_CHECKING:
    from generators.item import Item
    from generators.styles.prompts import Style

__all__ = ["prompts"]

_OWN_FORM = {"knights-knaves"}  # families whose prompts ask for another form than that of `answer`
_SHOTS = 4
_EPILOG = """\b
Examples:
  hansproof prompts datasets/planted-cues/1.0.0 --style zero-shot-cot --chat --out prompts.jsonl
  hansproof prompts datasets/word-problems/1.0.0 --style direct --out numbers.jsonl
  hansproof prompts items.jsonl --style two-turn-cot --out first.jsonl
  hansproof prompts items.jsonl --style two-turn-cot --replies replies.jsonl --out second.jsonl

\b
A line: {"id": ..., "prompt": text, "style": ...}; with --chat "messages" instead of "prompt".
Styles: zero-shot, zero-shot-cot, few-shot, few-shot-cot, step-back, persona-expert, persona-child,
persona-layperson, direct; of two turns: two-turn-cot, child-two-turn-cot. direct asks for a number.
Styles of two turns: ask the first prompts, then pass the model's replies to get the second ones.
A line of REPLIES: {"id": item id, "reply": text}; items without a reply are left out.
Few-shot styles show --shots solved items of the same subset that are in no release.
Exit codes: 0 written, 2 could not be.
"""


@click.command(epilog=_EPILOG)
@click.argument("path")
@click.option("--style", required=True, metavar="NAME", help="How to ask: direct, two-turn-cot, few-shot, ...")
@click.option("--chat", is_flag=True, help="Messages of role and content instead of one text.")
@click.option("--replies", metavar="FILE", help="Replies to the first turn; gives the second one.")
@click.option("--model", metavar="NAME", help="Whose replies, where FILE has those of several models.")
@click.option("--shots", type=click.IntRange(min=1), metavar="K", help=f"Solved exemplars, few-shot only. [{_SHOTS}]")
@click.option("--seed", type=int, default=0, metavar="N", help="Which exemplars. [0]")
@click.option("-o", "--out", metavar="FILE", help="Write there instead of standard output.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def prompts(
    path: str,
    style: str,
    chat: bool,
    replies: str | None,
    model: str | None,
    shots: int | None,
    seed: int,
    out: str | None,
    force: bool,
) -> None:
    """Write the items of PATH (a release folder, or one file) as prompts in a style."""
    from generators.jsonl import write_bytes
    from generators.styles.prompts import STYLES, style_named
    from hansproof.release.frozen import read_items
    from hansproof.terminal.outputs import check_output

    chosen = style_named(style)
    if out:
        check_output(out, force=force)
    if shots and not chosen.shots:
        few = ", ".join(name for name, one in STYLES.items() if one.shots)
        raise UsageError(f"{style} shows no exemplars, so --shots means nothing; {few} do")
    if replies and not chosen.follow_up:
        two = ", ".join(name for name, one in STYLES.items() if one.follow_up)
        raise UsageError(f"{style} has one turn, so --replies means nothing; {two} have two")
    if model is not None and not replies:
        raise UsageError("--model says whose --replies; pass those too")
    items = read_items(path)
    said = _replies(replies, model, path, items) if replies else None
    lines = list(_lines(items, style, chosen, chat, said, shots or _SHOTS, seed))
    # A reply may hold half a surrogate pair, which UTF-8 cannot write.
    data = "".join(lines).encode("utf-8", "replace")
    if out:
        write_bytes(out, data, overwrite=force)
        click.echo(f"{out}: {len(lines):,} prompts", err=True)
    else:
        click.echo(data, nl=False)
    if len(lines) < len(items):
        missing = len(items) - len(lines)
        click.echo(f"note: {missing:,} of {len(items):,} items have no reply and are left out", err=True)


def _replies(file: str, model: str | None, path: str, items: Sequence[Item]) -> dict[str, str]:
    """Item id -> the first reply, those that say nothing left out."""
    from audit.responses.answers import read_answers

    given = read_answers(file)
    names = ", ".join(repr(one.model) for one in given)
    if model is None and len(given) > 1:
        raise UsageError(f"{file}: has replies of {len(given)} models; pass --model with one of: {names}")
    kept = next((one for one in given if model is None or one.model == model), None)
    if kept is None:
        raise UsageError(f"{file}: has no replies of model {model!r}; it has: {names}")
    kept.refuse_unknown({item.id for item in items}, path)
    found = {id: reply for id, reply in kept.replies.items() if reply and reply.strip()}
    if not found:
        raise UsageError(f"{file}: every reply is empty; there is nothing to ask a second time")
    return found


def _lines(
    items: Sequence[Item], name: str, style: Style, chat: bool, said: dict[str, str] | None, shots: int, seed: int
) -> Iterator[str]:
    from generators.styles.prompts import follow_up, render

    solved: dict[str, list[Item]] = {}
    for item in items:
        if said is not None and item.id not in said:
            continue
        given: dict[str, Any] = {}
        if style.shots:
            subset = item.metadata["subset"]
            if subset not in solved:
                solved[subset] = _exemplars(item, name, style, shots, seed)
            given = {"exemplars": solved[subset], "reasoning": _steps}
        if said is None:
            asked = render(item, name, chat=chat, **given)
        else:
            asked = follow_up(item, name, said[item.id], chat=chat, **given)
        line = {"id": item.id, "messages" if chat else "prompt": asked, "style": name}
        yield json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n"


def _exemplars(item: Item, name: str, style: Style, shots: int, seed: int) -> list[Item]:
    """Solved items of the item's subset, where its family is registered and its answers can be shown as they are."""
    from generators.registry import MODULES, dataset
    from generators.styles.prompts import exemplars

    family = item.metadata["dataset"]
    if family not in MODULES:
        known = ", ".join(MODULES)
        raise UsageError(f"{name} needs exemplars, and {family!r} is no family that can make them; these are: {known}")
    if family in _OWN_FORM:
        raise UsageError(
            f"{name} cannot be written for {family}: its prompts ask for another form than its gold answers have; "
            "use `generators.styles.prompts.render` with `solution`"
        )
    found = exemplars(dataset(family), item.metadata["subset"], shots, seed)
    if style.reasoning and not all(one.metadata.get("steps") for one in found):
        raise UsageError(f"{name} shows reasoning, and the items of {family} carry none; use few-shot")
    return found


def _steps(item: Item) -> str:
    """The reasoning of an exemplar: its steps, one a line."""
    return "\n".join(item.metadata["steps"])
