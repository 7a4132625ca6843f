"""Templates of lm-evaluation-harness tasks: a field of the document, or a small, harmless part of Jinja.

A template comes with a benchmark, so it is data of strangers. It is parsed, and refused unless it consists of fields,
text, conditions, one level of loops over fields, and filters and methods that cannot grow a text. What is left runs in
Jinja's sandbox, on texts of limited size.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from generators.errors import InputError

if TYPE_CHECKING:
    from jinja2 import nodes

__all__ = ["Renderer", "UnfitError", "renderer"]

Renderer = Callable[[dict[str, Any]], Any]
"""From a document to a text, or to whatever a single expression gives. Raises UnfitError."""

_LONGEST_TEMPLATE = 20_000
_LONGEST_FIELD = 1_000_000
"""Characters of a field that a template may read; longer ones make the row unusable."""
_LONGEST_RESULT = 4_000_000
_LONGEST_REPLACEMENT = 20
_FILTERS = frozenset(
    ["abs", "capitalize", "default", "d", "first", "float", "int", "join", "last", "length", "list", "lower",
     "replace", "string", "title", "trim", "upper"]
)  # fmt: skip
_METHODS = frozenset(
    ["capitalize", "count", "endswith", "find", "get", "index", "join", "lower", "lstrip", "partition", "removeprefix",
     "removesuffix", "replace", "rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip",
     "title", "upper"]
)  # fmt: skip
_NODES = frozenset(
    ["Template", "Output", "TemplateData", "Name", "Const", "Getattr", "Getitem", "Slice", "Filter", "Call", "Concat",
     "Add", "Sub", "Neg", "Compare", "Operand", "And", "Or", "Not", "CondExpr", "If", "For", "Assign", "List", "Tuple",
     "Dict", "Pair", "Keyword", "Test"]
)  # fmt: skip


class UnfitError(Exception):
    """A template cannot be filled from a document. Never leaves this package."""


def renderer(template: str, columns: Collection[str], what: str, place: str) -> Renderer:
    """What fills `template` from a document. A template that is the name of a column stands for its value.

    `what` names the template in messages: `doc_to_text`. Raises InputError for a template beyond what is supported.
    """
    if template in columns:
        return lambda document: _field(document, template)
    if "{" not in template:
        return lambda document: template
    from jinja2 import StrictUndefined, TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    if len(template) > _LONGEST_TEMPLATE:
        raise InputError(f"{what} has more than {_LONGEST_TEMPLATE:,} characters", place)
    # lm-evaluation-harness keeps the line end at the end of a template, too.
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
    environment.globals.clear()
    try:
        tree = environment.parse(template)
        if refused := _refused(tree):
            raise InputError(
                f"{what} uses {refused}, which is not supported: name the columns with --prompt or --template, "
                "and --answer",
                place,
            )
        expression = _sole_expression(tree, template)
        if expression is not None:  # its value may be a list or a number
            compiled = environment.compile_expression(expression, undefined_to_none=False)
            return lambda document: _checked(lambda: _defined(compiled(_limited(document))), TemplateError)
        text = environment.from_string(template)
    except (TemplateError, RecursionError) as error:
        raise InputError(f"{what} is not a template: {error}", place) from error
    return lambda document: _checked(lambda: _joined(text.generate(_limited(document))), TemplateError)


def _field(document: dict[str, Any], name: str) -> Any:
    if name not in document:
        raise UnfitError(f"no field {name!r}")
    return document[name]


def _checked(fill: Callable[[], Any], template_error: type[Exception]) -> Any:
    """What `fill` gives. Raises UnfitError where it fails: fields are missing, or of another type."""
    try:
        return fill()
    except UnfitError:
        raise
    except (template_error, TypeError, ValueError, LookupError, AttributeError, RecursionError, OverflowError) as error:
        raise UnfitError(str(error) or type(error).__name__) from error


def _limited(document: dict[str, Any]) -> dict[str, Any]:
    """The document, if it is small enough to be worked on. Raises UnfitError otherwise."""
    size, level = 0, list(document.values())
    while level:
        value = level.pop()
        if isinstance(value, str):
            size += len(value)
        elif isinstance(value, dict):
            level.extend(value.values())
        elif isinstance(value, (list, tuple)):
            size += len(value)
            level.extend(value)
        if size > _LONGEST_FIELD:
            raise UnfitError(f"a document of more than {_LONGEST_FIELD:,} characters")
    return document


def _defined(value: Any) -> Any:
    """The value of an expression. Raises UnfitError for a field that does not exist."""
    from jinja2 import Undefined

    if isinstance(value, Undefined):
        raise UnfitError(f"no field {value._undefined_name!r}")
    return value


def _joined(pieces: Any) -> str:
    """The text of all pieces. Raises UnfitError as soon as it is too long."""
    texts: list[str] = []
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > _LONGEST_RESULT:
            raise UnfitError(f"a text of more than {_LONGEST_RESULT:,} characters")
        texts.append(piece)
    return "".join(texts)


def _sole_expression(tree: nodes.Template, template: str) -> str | None:
    """The expression of a template that is nothing else, whose value may be a list; None for any other."""
    from jinja2 import nodes

    inner = template[2:-2].strip("-+ ")
    body = tree.body
    if not (template.startswith("{{") and template.endswith("}}") and len(body) == 1 and "}}" not in inner):
        return None
    return inner if isinstance(body[0], nodes.Output) and len(body[0].nodes) == 1 else None


def _refused(tree: nodes.Template) -> str:
    """The first thing in a template that is not supported, in words; empty if there is none."""
    from jinja2 import nodes

    for node in tree.find_all(nodes.Node):
        kind = type(node).__name__
        if kind not in _NODES:
            return f"{kind!r}"
        if isinstance(node, nodes.Assign) and not isinstance(node.node, nodes.Const):
            return "a variable that is not a constant"
        if isinstance(node, nodes.For) and (next(node.find_all(nodes.For), None) or node.recursive):
            return "loops within loops"
        if isinstance(node, nodes.Filter) and (fault := _refused_filter(node)):
            return fault
        if isinstance(node, nodes.Call) and (fault := _refused_call(node)):
            return fault
    return ""


def _refused_filter(node: nodes.Filter) -> str:
    if node.name not in _FILTERS:
        return f"the filter {node.name!r}"
    if node.name in ("join", "replace"):
        return _not_short(node.name, node.args, node.kwargs)
    return ""


def _refused_call(node: nodes.Call) -> str:
    from jinja2 import nodes

    method = node.node
    if not isinstance(method, nodes.Getattr) or method.attr not in _METHODS:
        called = (
            method.attr if isinstance(method, nodes.Getattr) else method.name if isinstance(method, nodes.Name) else ""
        )
        return f"a call of {called!r}"
    if node.dyn_args or node.dyn_kwargs:
        return "arguments in a list"
    if method.attr == "join":  # here the separator is the text before the dot
        return _not_short("join", [method.node], [])
    return _not_short("replace", node.args, node.kwargs) if method.attr == "replace" else ""


def _not_short(name: str, arguments: Sequence[nodes.Expr], keywords: Sequence[object]) -> str:
    """What is wrong with arguments that must be short, constant texts, the first of several not empty."""
    from jinja2 import nodes

    texts = [argument.value for argument in arguments if isinstance(argument, nodes.Const)]
    short = all(isinstance(text, str) and len(text) <= _LONGEST_REPLACEMENT for text in texts)
    if keywords or len(texts) < len(arguments) or not short or (name == "replace" and not (texts and texts[0])):
        return f"{name!r} with anything but short constant texts"
    return ""
