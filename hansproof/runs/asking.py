"""Whom a run asks, and what: any function from a prompt to a reply, and the prompt of each turn in a style."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from inspect import iscoroutinefunction
from pathlib import Path
from types import FunctionType, MethodType, ModuleType

from hansproof.generators.episode import Episode
from hansproof.generators.errors import UsageError, printable, unknown
from hansproof.generators.input import note_modules
from hansproof.generators.item import Item
from hansproof.generators.styles.rendering import render_turn
from hansproof.generators.styles.style import STYLES, Asking, asking_of, check_style, style_named, suitable_styles
from hansproof.runs.games import Games

__all__ = ["Agent", "Asker", "again", "asker", "load_agent", "name_of", "shown", "whereabouts"]

# Importing an agent runs its code: it is the user's own program. Items are never imported.

Agent = Callable[[str], str]
"""Takes the prompt of one turn, returns the reply. It keeps nothing between turns unless it wants to: each prompt tells
everything that has happened."""


def load_agent(name: str) -> Agent:
    """The function that `module:function` names; `function` may be an attribute of an attribute. The module is looked
    for in the current folder first.

    Raises UsageError for a name of another form, a module that is missing or cannot be imported, and for what is no
    function of one text.
    """
    module, colon, attribute = name.partition(":")
    if module.endswith(".py") or "/" in module or not colon or not attribute:
        like = f"{Path(module).stem or 'mine'}:{attribute or 'reply'}"
        raise UsageError(f"--agent is {name!r}; it must be module:function, such as {like}")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    thing = _imported(module)
    note_modules()  # also what the agent imports: no run is written over it
    try:
        return _function(thing, attribute, module)
    except UsageError:
        raise
    except Exception as error:  # whatever somebody's __getattr__ does
        raise UsageError(f"{attribute!r} cannot be looked up: {whereabouts(error)}", module) from error


def _function(thing: object, attribute: str, module: str) -> Agent:
    for part in attribute.split("."):
        try:
            thing = getattr(thing, part)
        except AttributeError:
            raise unknown("function", attribute, _functions(thing), within=module) from None
    if not callable(thing):
        raise UsageError(f"{attribute!r} is {type(thing).__name__}, not a function from a text to a text", module)
    if iscoroutinefunction(thing):
        raise UsageError(f"{attribute!r} is asynchronous; wrap it: lambda prompt: asyncio.run(it(prompt))", module)
    return thing


def name_of(agent: Agent) -> str:
    """`module:function`, or the type of an agent that is no function."""
    if isinstance(agent, FunctionType | MethodType):
        return f"{agent.__module__}:{agent.__qualname__}"
    return type(agent).__qualname__


def whereabouts(error: BaseException) -> str:
    """An error of somebody's code in one clause, with its place: `KeyError: 'key' (mine.py, line 12)`."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    try:
        text = str.__str__(str(error))
    except Exception:  # its own __str__ fails
        text = ""
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if trace is None or isinstance(error, SyntaxError):  # which names its place itself
        return said
    return f"{said} ({Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno})"


def _functions(thing: object) -> list[str]:
    """The names of the functions that a module itself has; of anything else none are listed."""
    if not isinstance(thing, ModuleType):
        return []
    own = [(name, value) for name, value in vars(thing).items() if isinstance(value, FunctionType)]
    return [name for name, value in own if value.__module__ == thing.__name__ and not name.startswith("_")]


def _imported(module: str) -> object:
    try:
        missing = find_spec(module.partition(".")[0]) is None
    except (ImportError, ValueError):
        missing = True
    if missing:
        raise UsageError(f"there is no module {module!r} in the current folder, and none is installed", "--agent")
    try:
        return import_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever somebody's module does when it is imported
        raise UsageError(f"cannot be imported: {whereabouts(error)}", module) from error


Asker = Callable[[Item, Episode], str]
"""(item, its episode) -> what is asked now."""

_REASON = 300
"""Characters of a reason that are shown."""

_LISTED = 3
"""Actions of which each has its own answer line in the request."""


def asker(games: Games, style: str) -> Asker:
    """How the agent is asked in `style`. Raises UsageError for a style that is unknown or does not suit."""
    ways: dict[str, Asking] = {}
    for item in games.items:
        if item.metadata["subset"] not in ways:
            ways[item.metadata["subset"]] = asking_of(item)
    suitable = [suitable_styles(asking) for asking in ways.values()]
    if style not in STYLES:
        raise unknown("prompt style", style, [name for name in STYLES if all(name in names for names in suitable)])
    chosen = style_named(style)
    for asking in ways.values():
        check_style(chosen, style, asking)

    def ask(item: Item, episode: Episode) -> str:
        return render_turn(item, episode, chosen, asking=ways[item.metadata["subset"]])

    return ask


def again(prompt: str, reason: str, episode: Episode) -> str:
    """The same question once more, with why the last reply was of no use."""
    actions = episode.actions or ()
    if 0 < len(actions) <= _LISTED:
        line = "a line " + " or ".join(f'"Answer: {action}"' for action in actions)
    else:
        line = f'a line "Answer: " and {episode.options}'
    return (
        f"{prompt}\n\nYour last reply could not be used: {shown(reason)}. End with {line}, and write nothing after it."
    )


def shown(reason: str) -> str:
    """As much of a reason as an agent is told, on one line."""
    return printable(reason[:_REASON])
