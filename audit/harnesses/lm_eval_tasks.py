"""lm-evaluation-harness tasks: YAML as data, and the templates that make prompts and golds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats.table import Row, Table
from hansproof.audit.harnesses.lm_eval_logs import gold_option
from hansproof.audit.harnesses.log_values import inner, typed
from hansproof.generators.errors import InputError
from hansproof.generators.input import read_regular

if TYPE_CHECKING:
    from jinja2 import nodes

__all__ = ["Task", "is_task", "parse_yaml", "task_of", "task_table"]

# YAML as data: tags are noted and never obeyed, so that nothing in a file is run or constructed.

_LARGEST = 2**20
"""Largest YAML file, in bytes: a task description has a few hundred lines."""


@dataclass(frozen=True)
class CodeReference:
    """A value that stands for Python code, such as `!function utils.doc_to_text`."""

    written: str
    """The tag and the name, as in the file."""


def parse_yaml(data: bytes, place: str) -> Any:
    """The value of one YAML document. Raises InputError if it is broken, too large or refers to itself too deeply."""
    import yaml

    if len(data) > _LARGEST:
        raise InputError(f"YAML of more than {_LARGEST:,} bytes", place)

    def noted(loader: Any, node: Any) -> CodeReference:
        name = f" {node.value}" if isinstance(node, yaml.ScalarNode) else ""
        return CodeReference(f"{node.tag}{name}")

    # Merge keys (`<<`) copy mappings into each other, and a few lines of them fill any memory: they are not obeyed.
    safe: Any = type("SafeLoader", (yaml.SafeLoader,), {"flatten_mapping": lambda self, node: None})
    safe.add_constructor(None, noted)
    loader = None
    try:
        loader = safe(data)
        return loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        where = f"{place}: line {error.problem_mark.line + 1}" if error.problem_mark else place
        raise InputError(f"broken YAML: {error.problem or error.context}", where) from error
    except yaml.YAMLError as error:  # of its reader: bytes that are no text
        raise InputError(f"broken YAML: {' '.join(str(error).split())}", place) from error
    except (RecursionError, ValueError, OverflowError, TypeError, KeyError) as error:  # dates and keys that are none
        raise InputError(f"broken YAML: {error or 'nested too deeply'}", place) from error
    finally:
        if loader is not None:
            loader.dispose()


# A template is data of strangers: refused unless it consists of fields, text, conditions, one level of loops, and
# filters and methods that cannot grow a text; then run in Jinja's sandbox, on texts of limited size.

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
        if isinstance(node, nodes.Filter) and node.name not in _FILTERS:
            return f"the filter {node.name!r}"
        if isinstance(node, nodes.Filter) and node.name in ("join", "replace"):
            fault = _not_short(node.name, node.args, node.kwargs)
            if fault:
                return fault
        if isinstance(node, nodes.Call) and (fault := _refused_call(node)):
            return fault
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


_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("choices", "choices"))
_LOCAL = ("json", "csv", "parquet", "text")
_SPLITS = (("test_split", "test"), ("validation_split", "validation"), ("training_split", "train"))
_INCLUDES = 5
"""Most files that one file includes."""
_FILES = 20
"""Most files that make one task."""


@dataclass(frozen=True)
class Task:
    """What a task says of its data."""

    name: str
    files: tuple[Path, ...]
    """The local files of the split that is evaluated; empty where the data are on the Hub."""
    address: str
    """`hf://org/name:config@split`; empty where the data are local."""
    fields: Mapping[str, Any]
    """`doc_to_text`, `doc_to_target` and `doc_to_choice`, as written."""
    notes: tuple[str, ...] = ()


def is_task(value: Any) -> bool:
    """True for a mapping that names one task with data or a file that it includes, or how a document is asked."""
    if not isinstance(value, dict) or isinstance(value.get("task"), list):
        return False
    named = "task" in value and ("dataset_path" in value or "include" in value)
    asked = any(key in value for key in ("doc_to_text", "doc_to_target", "doc_to_choice"))
    return named or (asked and any(key in value for key in ("dataset_path", "include", "task")))


def task_of(value: dict[Any, Any], path: Path, place: str) -> Task:
    """The data of a task and its templates, with included files merged in.

    Raises InputError for what only code could tell, and for data that are remote or outside the task's folder.
    """
    merged = _with_includes(value, path, place)
    for field in ("doc_to_text", "doc_to_target", "dataset_path"):
        written = merged.get(field)
        if isinstance(written, CodeReference) or "class" in merged:
            held = written if isinstance(written, CodeReference) else merged.get("class")
            code = held.written if isinstance(held, CodeReference) else f"class {held}"
            raise InputError(
                f"{field} of this task is Python code ({code}), which is never run: audit its data set"
                f"{_data_set(merged)} with --prompt or --template, and --answer",
                place,
            )
        if written is None:
            raise InputError(f"a task without {field}: audit its data set{_data_set(merged)} itself", place)
    fields = {key: merged[key] for key in ("doc_to_text", "doc_to_target", "doc_to_choice") if key in merged}
    notes: tuple[str, ...] = ()
    if merged.get("process_docs") is not None:
        notes = ("the task changes its documents by Python code (process_docs), which is never run",)
    name, files = typed(str, merged, "task"), inner(merged, "dataset_kwargs", "data_files")
    if merged["dataset_path"] in _LOCAL or files is not None:
        return Task(name, _files(files, merged, path, place), "", fields, notes)
    return Task(name, (), _address(merged), fields, notes)


def task_table(task: Task, table: Table, place: str) -> Table:
    """The documents with the `prompt`, `answer` and `choices` that the task makes of them; unfit ones are listed.

    Raises InputError for templates that are not supported, and if no document fits.
    """
    make = {
        name: _maker(task.fields[field], table.columns, field, place)
        for name, field in (("prompt", "doc_to_text"), ("choices", "doc_to_choice"), ("answer", "doc_to_target"))
        if task.fields.get(field) is not None
    }
    rows: list[Row] = []
    left_out = list(table.left_out)
    for row in table.rows:
        try:
            made = {name: fill(row.values) for name, fill in make.items()}
        except UnfitError as error:
            left_out.append(LeftOut(row.place, "the task's templates do not fit", str(error)))
            continue
        if isinstance(options := made.get("choices"), (list, tuple)):
            made["answer"] = gold_option(made["answer"], [str(option) for option in options])
        rows.append(Row(row.place, {**row.values, **made}))
    if not rows and table.rows:
        columns = ", ".join(repr(name) for name in table.columns[:20])
        raise InputError(f"the task's templates fit no document: {left_out[-1].detail}. Fields: {columns}", place)
    return Table.of(
        "lm-evaluation-harness task", rows, left_out, notes=(*table.notes, *task.notes), defaults=_ROLES,
        benchmark=task.name,
    )  # fmt: skip


def _maker(written: Any, columns: list[str], field: str, place: str) -> Renderer:
    """What makes a value of a document: a template, a constant, or a list of them."""
    if isinstance(written, CodeReference):
        raise InputError(f"{field} is Python code ({written.written}), which is never run", place)
    if isinstance(written, str):
        # Only a prompt keeps the white space around it; a YAML block ends with a line that nobody meant.
        return renderer(written if field == "doc_to_text" else written.strip(), columns, field, place)
    if isinstance(written, list):
        makers = [_maker(member, columns, field, place) for member in written]
        return lambda document: [make(document) for make in makers]
    return lambda document: written


def _with_includes(value: dict[Any, Any], path: Path, place: str, read: set[Path] | None = None) -> dict[Any, Any]:
    """The keys of a task over those of the files that it includes, of which later ones win, and so on.

    `read` are the files that were read already: none is read twice, so a few files cannot multiply each other.
    """
    names = value.get("include")
    if names is None:
        return value
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(names) > _INCLUDES:
        raise InputError("`include` does not name a file", place)
    read = {path.resolve()} if read is None else read
    merged: dict[Any, Any] = {}
    for name in names:
        if "://" in name or Path(name).is_absolute() or "\0" in name:
            raise InputError(f"{name!r} is included, but not by a path relative to the task", place)
        included = path.parent / name
        if included.resolve() in read or len(read) > _FILES:
            raise InputError(f"the file {name!r} is included more than once, or is one of too many", place)
        read.add(included.resolve())
        merged |= _with_includes(_included(included, name, place), included, place, read)
    return {**merged, **value}


def _included(path: Path, name: str, place: str) -> dict[Any, Any]:
    """The keys of one included file. Raises InputError if it cannot be read, or is not a mapping."""
    try:
        data = read_regular(path)
    except OSError as error:
        raise InputError(f"the included file {name!r} cannot be read: {error.strerror or error}", place) from error
    base = parse_yaml(data, str(path))
    if not isinstance(base, dict):
        raise InputError(f"the included file {name!r} is not a task", place)
    return base


def _files(data_files: Any, merged: dict[Any, Any], path: Path, place: str) -> tuple[Path, ...]:
    """The files of the split that is evaluated."""
    if isinstance(data_files, dict):
        split = _split(merged)
        if split not in data_files:
            known = ", ".join(repr(key) for key in data_files)
            raise InputError(f"data_files has no split {split!r}; it has {known or 'none'}", place)
        data_files = data_files[split]
    names = [data_files] if isinstance(data_files, str) else data_files
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise InputError("data_files names no file of this task's folder", place)
    return tuple(_within(path.parent, name, place) for name in names)


def _within(folder: Path, name: str, place: str) -> Path:
    """A file in the folder of the task. Raises InputError for a remote one and one elsewhere."""
    if "://" in name:
        raise InputError(f"{name} is remote: download it and audit the file", place)
    if Path(name).is_absolute() or ".." in Path(name).parts or "\0" in name:
        raise InputError(f"{name!r} is not in the folder of the task: audit that file itself", place)
    return folder / name


def _split(merged: dict[Any, Any]) -> str:
    """The split that the harness evaluates: the test split, else the validation split, else what there is."""
    return next((str(merged[key]) for key, _ in _SPLITS if merged.get(key)), "train")


def _address(merged: dict[Any, Any]) -> str:
    config = f":{merged['dataset_name']}" if merged.get("dataset_name") else ""
    return f"hf://{merged['dataset_path']}{config}@{_split(merged)}"


def _data_set(merged: dict[Any, Any]) -> str:
    path = merged.get("dataset_path")
    return f" {_address(merged)}" if isinstance(path, str) and path not in _LOCAL else ""
