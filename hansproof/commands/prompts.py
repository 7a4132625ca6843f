"""`hansproof prompts`: parse, call, print. Nothing here runs a model; no gold answer and no metadata is written.

Standard output is data, standard error is talk.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from hansproof.commands.options import examples
from hansproof.generators.errors import UsageError, unknown
from hansproof.terminal.streams import tell

if TYPE_CHECKING:
    from hansproof.generators.item import Item
    from hansproof.generators.styles.style import Asking, Style

__all__ = ["prompts"]

_SHOTS = 4
_EPILOG = examples("prompts")


def _list_styles(context: click.Context, option: click.Parameter, value: bool) -> None:
    if value:
        from hansproof.audit.report.terminal import Column, Ink, TextTable, console_on
        from hansproof.generators.styles.style import STYLES

        table = TextTable(Column("style", "words"), Column("what it does", "phrases"))
        for name, style in STYLES.items():
            table.row(name, style.summary)
        Ink(console_on()).table(table)
        context.exit()


@click.command(short_help="Write items as prompts in a chosen style.", epilog=_EPILOG)
@click.argument("path")
@click.option("-s", "--subset", "subsets", multiple=True, metavar="SUBSET",
              help="Only this subset; repeat the option for several.")  # fmt: skip
@click.option("--style", required=True, metavar="NAME", help="Prompt style: direct, few-shot, two-turn-cot, ...")
@click.option("--list-styles", is_flag=True, is_eager=True, expose_value=False, callback=_list_styles,
              help="Show the prompt styles and exit.")  # fmt: skip
@click.option("--chat", is_flag=True, help="Write chat messages (role and content) instead of one text.")
@click.option("--replies", metavar="FILE", help="Replies to the first turn; the output is the second turn.")
@click.option("--model", metavar="NAME", help="Whose replies to use, if FILE has those of several models.")
@click.option(
    "--shots",
    type=click.IntRange(min=1),
    metavar="K",
    help=f"Solved examples per prompt in few-shot styles.  [{_SHOTS}]",
)
@click.option("--seed", default=0, metavar="N", help="Seed for the solved examples.  [0]")
@click.option("-o", "--out", metavar="FILE", help="Write to FILE instead of standard output.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def prompts(
    path: str,
    subsets: tuple[str, ...],
    style: str,
    chat: bool,
    replies: str | None,
    model: str | None,
    shots: int | None,
    seed: int,
    out: str | None,
    force: bool,
) -> None:
    """Write the items of PATH (a release folder or one file) as prompts in a chosen style."""
    from hansproof.generators.styles.style import STYLES, style_named
    from hansproof.release.frozen import read_items
    from hansproof.terminal.outputs import STDOUT, check_output, write_output

    chosen = style_named(style)
    out = STDOUT if out is None else out
    check_output(out, force=force, inputs=(path, *([] if replies is None else [replies])))
    if shots and chosen.example:
        raise UsageError(f"{style} shows one example, always the same, so --shots has no effect; leave it out")
    if shots and not chosen.shots:
        few = ", ".join(name for name, other in STYLES.items() if other.shots and not other.example)
        raise UsageError(f"{style} shows no solved examples, so --shots has no effect; {few} do")
    if replies is not None and not chosen.follow_up:
        two = ", ".join(name for name, other in STYLES.items() if other.follow_up)
        raise UsageError(f"{style} has only one turn, so --replies has no effect; {two} have two")
    if model is not None and replies is None:
        raise UsageError("--model selects among the --replies; pass those too")
    items = _of(subsets, read_items(path), path)
    given = _replies(replies, model, path, items) if replies is not None else None
    lines = list(_lines(items, style, chosen, chat, given, shots or _SHOTS, seed))
    # A reply may hold half a surrogate pair, which UTF-8 cannot write.
    data = "".join(lines).encode("utf-8", "replace")
    write_output(out, data, force=force)
    if out != STDOUT:
        tell(f"{out}: {len(lines):,} prompts")
    if len(lines) < len(items):
        missing = len(items) - len(lines)
        tell(f"note: left out {missing:,} of {len(items):,} items, which have no reply")


def _of(subsets: Sequence[str], items: list[Item], path: str) -> list[Item]:
    """The items of these subsets; all of them if none is named."""
    known = dict.fromkeys(item.metadata["subset"] for item in items)
    for name in subsets:
        if name not in known:
            raise unknown("subset", name, known, within=path)
    return [item for item in items if not subsets or item.metadata["subset"] in subsets]


def _replies(file: str, model: str | None, path: str, items: Sequence[Item]) -> dict[str, str]:
    """Item id -> the first reply, leaving out those that say nothing."""
    from hansproof.audit.replies.by_model import of_model, read_answers

    chosen = of_model(read_answers(file), model)
    chosen.refuse_others(items, path)
    kept = {id: reply for id, reply in chosen.replies.items() if reply and reply.strip()}
    if not kept:
        raise UsageError("every reply is empty, so there is nothing to follow up", file)
    return kept


def _lines(
    items: Sequence[Item], name: str, style: Style, chat: bool, replies: Mapping[str, str] | None, shots: int, seed: int
) -> Iterator[str]:
    from hansproof.audit.harnesses.answer_lines import DIGEST
    from hansproof.generators.styles.exemplars import examples_for
    from hansproof.generators.styles.rendering import follow_up, render
    from hansproof.generators.styles.style import asking_of, check_style

    asked: dict[tuple[str, str], tuple[Asking, list[Item]]] = {}
    for item in items:
        if replies is not None and item.id not in replies:
            continue
        key = item.metadata["dataset"], item.metadata["subset"]
        if key not in asked:
            asking = asking_of(item)
            family = asking.family
            if family is not None and family.episode is not None:
                raise UsageError(
                    f"{asking.where} is played, not answered: what to ask next depends on the actions so far, so no "
                    "file of prompts can ask it. `hansproof run` plays it with a function of yours"
                )
            check_style(style, name, asking)
            asked[key] = asking, examples_for(style, family, key[1], shots, seed) if style.shots and family else []
        asking, examples = asked[key]
        given: dict[str, Any] = {"chat": chat, "exemplars": examples, "asking": asking}
        text = render(item, name, **given) if replies is None else follow_up(item, name, replies[item.id], **given)
        line = {"id": item.id, DIGEST: item.digest(), "messages" if chat else "prompt": text, "style": name}
        yield json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n"
