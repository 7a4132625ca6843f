"""An item, or a turn of an episode, in a style: one text, or the messages of a chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, overload

from hansproof.generators.answering.scorer import fitting
from hansproof.generators.episode import Episode
from hansproof.generators.errors import UsageError
from hansproof.generators.item import Item
from hansproof.generators.styles.style import STYLES, Asking, Style, asking_of, check_style, style_named

__all__ = ["follow_up", "render", "render_turn"]

Message = dict[str, str]
"""`role` (system, user, assistant) and `content`."""


@overload
def render(
    item: Item,
    style: str | Style,
    *,
    chat: Literal[False],
    exemplars: Sequence[Item] = (),
    asking: Asking | None = None,
) -> str: ...
@overload
def render(
    item: Item, style: str | Style, *, chat: bool, exemplars: Sequence[Item] = (), asking: Asking | None = None
) -> str | list[Message]: ...
def render(
    item: Item, style: str | Style, *, chat: bool, exemplars: Sequence[Item] = (), asking: Asking | None = None
) -> str | list[Message]:
    """The item as a model is asked it: one text, or with `chat` a list of messages.

    `exemplars` are the solved examples of few-shot styles, in the given order. `asking` says how items of this kind are
    asked; by default it is looked up (`asking_of`). The gold answer of `item` itself is never used.
    Raises UsageError for an unknown style, exemplars where the style shows none or the other way round, a hint or a
    reasoning that nobody has written, a chat of a style that is a text to continue, and an exemplar that is the item
    itself (same id and seed, or same prompt).
    """
    chosen = style_named(style)
    label = style if isinstance(style, str) else "this style"
    asking = asking or asking_of(item)
    if chosen.shots and not exemplars:
        raise UsageError(f"{label} needs solved examples; `exemplars` makes some")
    if exemplars and not chosen.shots:
        raise UsageError(f"{label} shows no solved examples, but {len(exemplars)} were given")
    for example in exemplars:
        same = (example.id, example.metadata["seed"]) == (item.id, item.metadata["seed"])
        if same or example.prompt == item.prompt:
            raise UsageError(f"the example {example.id!r} is the item under test; its answer would be given away")
    solved = [(example.prompt, _solved(example, chosen, label, asking)) for example in exemplars]
    persona, request = (_filled(text, chosen, item, asking) for text in (chosen.persona, chosen.request))
    asked = "\n\n".join(filter(None, (item.prompt, request)))
    if chat and chosen.completion:
        raise UsageError(f"{label} is a text for a base model to continue, which a chat is not; leave out the chat")
    return _chat(persona, solved, asked) if chat else _text(persona, solved, asked, completion=chosen.completion)


def follow_up(
    item: Item,
    style: str | Style,
    reply: str,
    *,
    chat: bool,
    exemplars: Sequence[Item] = (),
    asking: Asking | None = None,
) -> str | list[Message]:
    """The second turn: everything that `render` gave for the first, the model's `reply` to it, and the next request.

    In a chat the reply is an assistant message, unchanged; in a text it is a paragraph, stripped of surrounding space.
    Raises UsageError as `render` does, for a style of one turn, and for an empty reply.
    """
    chosen = style_named(style)
    label = style if isinstance(style, str) else "this style"
    if not chosen.follow_up:
        two = [name for name, other in STYLES.items() if other.follow_up]
        raise UsageError(f"{label} has only one turn; styles of two turns are {', '.join(two)}")
    if not reply.strip():
        raise UsageError(f"the first reply to {item.id!r} is empty, so there is nothing to follow up")
    asking = asking or asking_of(item)
    first = render(item, style, chat=chat, exemplars=exemplars, asking=asking)
    request = _filled(chosen.follow_up, chosen, item, asking)
    if isinstance(first, list):
        return [*first, {"role": "assistant", "content": reply}, {"role": "user", "content": request}]
    # With examples the text ends with the heading under which the reply belongs.
    gap = "" if chosen.shots else "\n\n"
    return f"{first}{gap}{reply.strip()}\n\n{request}"


def _filled(text: str, style: Style, item: Item, asking: Asking) -> str:
    """A text of a style with its placeholders filled in."""
    if "{hint}" in text:
        if style.hint not in asking.hints:
            raise UsageError(f"{asking.where or 'the dataset'} has no {style.hint or 'unnamed'} hint")
        text = text.replace("{hint}", asking.hints[style.hint])
    if "{answer}" in text:
        with fitting(item):
            text = text.replace("{answer}", asking.form.request(item))
    return text.replace("{expertise}", asking.expertise)


def _solved(example: Item, style: Style, label: str, asking: Asking) -> str:
    solution = asking.form.solution(example)
    if not style.reasoning:
        return solution
    if asking.form.reasoning is None:
        raise UsageError(f"{label} shows reasoning, which answers of the form {asking.form.name!r} do not have")
    steps = asking.form.reasoning(example).strip()
    if not steps:
        raise UsageError(f"the example {example.id!r} has no reasoning to show")
    return f"{steps}\n\n{solution}"


def _chat(persona: str, solved: Sequence[tuple[str, str]], asked: str) -> list[Message]:
    messages = [{"role": "system", "content": persona}] if persona else []
    for prompt, solution in solved:
        messages += [{"role": "user", "content": prompt}, {"role": "assistant", "content": solution}]
    return [*messages, {"role": "user", "content": asked}]


def _text(persona: str, solved: Sequence[tuple[str, str]], asked: str, *, completion: bool) -> str:
    question, answer = ("Q: ", "\nA: ") if completion else ("Question:\n", "\n\nAnswer:\n")
    blocks = [persona] if persona else []
    blocks += [f"{question}{prompt}{answer}{solution}" for prompt, solution in solved]
    # Without examples there is no pattern to continue, so no heading either. A space at the end of a text is a token
    # of its own to many models, which then seldom go on with a word.
    blocks.append(f"{question}{asked}{answer.rstrip(' ')}" if solved or completion else asked)
    return "\n\n".join(blocks)


# Styles that ask for reasoning also ask for a last line `Answer: ...`, which `Episode.read` looks for first.


def render_turn(item: Item, episode: Episode, style: str | Style, *, asking: Asking | None = None) -> str:
    """What a player of `item` is asked now, in a style of one turn without solved examples.

    Styles see nothing but the prompt of the episode and the legal actions in words. `asking` says how items of this
    kind are asked; by default it is looked up (`asking_of`).
    Raises UsageError for an unknown style, one that does not suit the item, and an episode that is over.
    """
    chosen = style_named(style)
    asking = asking or asking_of(item)
    check_style(chosen, style if isinstance(style, str) else "this style", asking)
    if episode.done:
        raise UsageError(f"the episode of {item.id!r} is over, so there is nothing to ask")
    request = chosen.turn or chosen.request
    for place, text in (
        ("{hint}", asking.hints.get(chosen.hint, "")),
        ("{answer}", f"Answer with {episode.options}, and nothing else."),
        ("{options}", episode.options),
    ):
        request = request.replace(place, text)
    persona = chosen.persona.replace("{expertise}", asking.expertise)
    return "\n\n".join(filter(None, (persona, episode.prompt, request.replace("{expertise}", asking.expertise))))
