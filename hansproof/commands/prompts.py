"""`hansproof prompts`: parse, call, print. Nothing here runs a model; no gold answer and no metadata is written.

Standard output is data, standard error is talk.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from hansproof.commands.options import examples, item_reading, read_options
from hansproof.generators.errors import UsageError, unknown
from hansproof.terminal.streams import tell

if TYPE_CHECKING:
    from hansproof.audit.replies.arms import Arm
    from hansproof.generators.item import Item
    from hansproof.generators.styles.style import Asking, Style

__all__ = ["prompts"]

_SHOTS = 4


class _Version(NamedTuple):
    """An item as it is asked, with its digest and the name of the style."""

    item: Item
    digest: str
    style: str


_EPILOG = examples("prompts")


def _list_styles(context: click.Context, option: click.Parameter, value: bool) -> None:
    if value:
        from hansproof.audit.report.document import Column, ReportTable
        from hansproof.audit.report.terminal import Ink, console_on
        from hansproof.generators.styles.style import STYLES

        table = ReportTable("", [Column("style", holds="words"), Column("what it does", holds="phrases")])
        for name, style in STYLES.items():
            table.row(name, style.summary)
        Ink(console_on()).table(table)
        context.exit()


@click.command(epilog=_EPILOG)
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
@click.option("--part", metavar="NAME",
              help="An experiment: write each item whole, and with this part of its prompt alone.")  # fmt: skip
@click.option("--exchange", metavar="WORD=WORD",
              help="An experiment: write each item with one of the words as it is, and with the other.")  # fmt: skip
@read_options("prompt", "answer", "template", "choices", "recipe")
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
    part: str | None,
    exchange: str | None,
    out: str | None,
    force: bool,
    **asked: Any,
) -> None:
    """Write the items of PATH (a release folder, or a benchmark of any format) as prompts in a chosen style."""
    from hansproof.audit.replies.asking import Asking
    from hansproof.generators.styles.style import STYLES, style_named
    from hansproof.release.frozen import items_from
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
    named = item_reading(asked)["item_columns"]
    items = _of(subsets, items_from(path, Asking.of(named) if named else None), path)
    arm = _arm(items, chosen, style, part, exchange)
    given = _replies(replies, model, path, items) if replies is not None else None
    lines = list(_lines(_versions(items, style, arm), style, chat, given, shots or _SHOTS, seed))
    # A reply may hold half a surrogate pair, which UTF-8 cannot write.
    data = "".join(lines).encode("utf-8", "replace")
    write_output(out, data, force=force)
    if out != STDOUT:
        tell(f"{out}: {len(lines):,} prompts")
    if arm is not None:
        tell(f"{len(arm.texts):,} items in the arm {arm.name!r}{f'; {arm.note}' if arm.note else ''}")
    elif len(lines) < len(items):
        missing = len(items) - len(lines)
        tell(f"note: left out {missing:,} of {len(items):,} items, which have no reply")


def _arm(items: list[Item], style: Style, name: str, part: str | None, exchange: str | None) -> Arm | None:
    """The arm of an experiment that is asked for, if any."""
    from hansproof.audit.replies.arms import part_arm, word_arm
    from hansproof.audit.replies.foreign_items import Items

    if part is None and exchange is None:
        return None
    if part is not None and exchange is not None:
        raise UsageError("--part and --exchange are two experiments: write a file for each")
    if style.shots or style.follow_up:
        raise UsageError(f"an experiment asks once and shows no solved examples, as {name} does not: use direct")
    if exchange is not None:
        return word_arm(items, exchange)
    return part_arm(items, items.benchmark if isinstance(items, Items) else None, part or "")


def _versions(items: Sequence[Item], style: str, arm: Arm | None) -> Iterator[_Version]:
    """The items as they are asked: all of them, or those of an arm, twice each."""
    from hansproof.audit.replies.arms import shown

    for item in items:
        texts = {style: shown(item)}
        if arm is not None:
            texts = texts | {arm.style(style): arm.texts[item.id]} if item.id in arm.texts else {}
        for name, text in texts.items():
            yield _Version(replace(item, prompt=text), item.digest(), name)


def _of(subsets: Sequence[str], items: list[Item], path: str) -> list[Item]:
    """The items of these subsets; all of them if none is named."""
    if not subsets:
        return items
    known = dict.fromkeys(item.metadata["subset"] for item in items)
    for name in subsets:
        if name not in known:
            raise unknown("subset", name, known, within=path)
    return [item for item in items if item.metadata["subset"] in subsets]


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
    versions: Iterable[_Version], named: str, chat: bool, replies: Mapping[str, str] | None, shots: int, seed: int
) -> Iterator[str]:
    from hansproof.audit.harnesses.answer_lines import DIGEST
    from hansproof.generators.styles.exemplars import examples_for
    from hansproof.generators.styles.rendering import follow_up, render
    from hansproof.generators.styles.style import asking_of, check_style, style_named

    style = style_named(named)
    asked: dict[tuple[str, str], tuple[Asking, list[Item]]] = {}
    for item, digest, name in versions:
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
            check_style(style, named, asking)
            asked[key] = asking, examples_for(style, family, key[1], shots, seed) if style.shots and family else []
        asking, examples = asked[key]
        given: dict[str, Any] = {"chat": chat, "exemplars": examples, "asking": asking}
        text = render(item, named, **given) if replies is None else follow_up(item, named, replies[item.id], **given)
        line = {"id": item.id, DIGEST: digest, "messages" if chat else "prompt": text, "style": name}
        yield json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n"
