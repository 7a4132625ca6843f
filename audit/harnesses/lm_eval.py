"""lm-evaluation-harness: sample logs as items and replies, and tasks, whose templates make prompts and golds."""

from __future__ import annotations

import ast
import io
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats.json_rows import Entry
from hansproof.audit.formats.table import Row, Table, as_name
from hansproof.audit.harnesses.log_shape import first_text, inner, json_beside, typed
from hansproof.audit.harnesses.log_values import as_golds, as_label, gold_option, likeliest, ordered_marks, verdict
from hansproof.audit.harnesses.reply import ROLES, Reply, as_asked
from hansproof.generators.errors import InputError
from hansproof.generators.input import read_regular

if TYPE_CHECKING:
    from jinja2 import nodes

__all__ = ["Task", "is_task", "items_of_sample_log", "parse_yaml", "replies_of_sample_log", "task_of", "task_table"]

_FORMAT = "lm-evaluation-harness samples"
_PER_OPTION = (
    "this task asks with one prompt per option, and its log does not say which is right: its documents are read instead"
)
_SHOTS = (
    "many prompts share earlier blocks of text, perhaps worked examples: log the samples with --num_fewshot 0, "
    "or name a field of the document with --prompt doc.FIELD"
)


def items_of_sample_log(table: Table, place: str) -> Table:
    """One row per document: the text that was sent, the target, and the continuations as options.

    A document occurs once per filter, and several times where the logs of several models were joined. Where options
    are scored, the target is their index, and the gold is the option itself. Where each option has a prompt of its own,
    the rows are the documents.
    """
    rows: list[Row] = []
    documents: list[Row] = []
    seen: set[tuple[str | None, str | None]] = set()
    for row in table.rows:
        name, digest = as_name(row.values.get("doc_id")) or row.place, as_name(row.values.get("doc_hash"))
        if (name, digest) in seen:
            continue
        seen.add((name, digest))
        contexts, options = _requests(row.values)
        target, document = row.values.get("target"), row.values.get("doc")
        prompt = _prompt(contexts[0]) if contexts else None
        values = {"prompt": prompt, "answer": target, "id": name, "doc": document}
        if len(options) == len(contexts) > 1:
            if len(set(map(as_name, contexts))) > 1 and isinstance(document, dict):
                documents.append(Row(row.place, document))
            values |= {"choices": options, "answer": gold_option(target, options)}
        rows.append(Row(row.place, values))
    if 2 * len(documents) > len(rows):
        return Table.of(f"{_FORMAT} (documents)", documents, table.left_out, notes=(_PER_OPTION,))
    notes = (_SHOTS,) if _has_shots(rows) else ()
    return Table.of(_FORMAT, rows, table.left_out, notes=notes, defaults=ROLES)


def _requests(row: Mapping[str, Any]) -> tuple[list[Any], list[str]]:
    """The context of each request of a sample, and the continuations of those that have one; older logs have lists,
    newer ones numbered objects."""
    requests = row.get("arguments")
    requests = list(requests.values()) if isinstance(requests, dict) else requests
    listed = requests if isinstance(requests, list) else []
    pairs = [list(each.values()) if isinstance(each, dict) else each for each in listed]
    pairs = [pair for pair in pairs if isinstance(pair, list) and pair]
    options = [pair[1].strip() for pair in pairs if len(pair) > 1 and isinstance(pair[1], str)]
    return [pair[0] for pair in pairs], options


def _prompt(context: Any) -> Any:
    """The text of a context, or its messages: behind an API of chats they are logged as JSON in a list of one text."""
    if not (isinstance(context, list) and len(context) == 1 and isinstance(context[0], str)):
        return context
    try:
        messages = msgspec.json.decode(context[0])
    except (msgspec.DecodeError, RecursionError):
        return context
    chat = isinstance(messages, list) and bool(messages) and all(isinstance(each, dict) for each in messages)
    return messages if chat and all("role" in each and "content" in each for each in messages) else context


def _has_shots(rows: list[Row]) -> bool:
    """True if most prompts have at least two blocks before their last, and share one of them with another prompt."""
    prompts = [prompt if isinstance(prompt := row.values["prompt"], str) else "" for row in rows]
    earlier = [set(prompt.split("\n\n")[:-1]) for prompt in prompts]
    times = Counter(block for blocks in earlier for block in blocks)
    shared = sum(len(blocks) > 1 and any(times[block] > 1 for block in blocks) for blocks in earlier)
    return len(rows) > 1 and 2 * shared > len(rows)


# A run that writes into a folder has `results_DATE.json` in the folder of the model; one that writes into a file has
# `FILE_DATE.json`, which may stand beside that folder.

_IN_ARGUMENTS = ("pretrained", "model", "path", "engine")
"""Where the arguments of a run name the model."""
_SANITISED = "__"
"""What the harness writes for `/` in the name of a model's folder."""


def _results(path: Path, date: str | None) -> list[dict[str, Any]]:
    """What the results of a run say, as far as they can be read: those of the same date, beside the log or a folder
    above; without a date, the only ones beside it."""
    folders = (path.parent, path.absolute().parent.parent) if date else (path.parent,)
    files = [file for each in folders for file in sorted(each.glob(f"*_{date}.json" if date else "results*.json"))]
    values = map(json_beside, files if date or len(files) == 1 else ())
    return [value for value in values if isinstance(value, dict)]


def _model(path: Path, results: Iterable[dict[str, Any]]) -> str:
    """The model by the results of the run, or by the folder that the harness called after it; else empty."""
    for value in results:
        config = typed(dict, value, "config")
        given = config.get("model_args")
        if isinstance(given, str):
            given = dict(part.partition("=")[::2] for part in given.split(","))
        names = (value.get("model_name"), *(inner(given, key) for key in _IN_ARGUMENTS), config.get("model"))
        if name := next(filter(None, map(as_label, names)), ""):
            return name
    folder = path.absolute().parent.name
    return as_label(folder.replace(_SANITISED, "/", 1)) if _SANITISED in folder.strip("_") else ""


def _documents(results: Iterable[dict[str, Any]], task: str) -> tuple[int, int]:
    """How many documents of the task the run was to ask, and how many there are; 0, 0 where no results say so."""
    counts = [[typed(int, each, "n-samples", task, which) for which in ("effective", "original")] for each in results]
    return next(((asked, every) for asked, every in counts if asked > 0), (0, 0))


_DEEPEST = 6


def target_of(row: dict[str, Any]) -> Any:
    """The target of a sample, which the harness logs as Python's `str` writes it: the texts, each of which is right,
    where it is a list of them.

    A text that is in the document as it stands is no list: it is the answer itself.
    """
    target = row.get("target")
    if not isinstance(target, str) or (text := target.strip())[:1] != "[":
        return target
    try:
        golds = ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return target
    of_texts = bool(golds) and all(isinstance(gold, str) for gold in golds)
    return golds if of_texts and repr(golds) == text and not _holds(row.get("doc"), text) else target


def _holds(value: Any, text: str, depth: int = 0) -> bool:
    """Whether a value of a document is this text, however deep it stands."""
    if isinstance(value, str):
        return value.strip() == text
    if depth >= _DEEPEST or not isinstance(value, dict | list):
        return False
    return any(_holds(each, text, depth + 1) for each in (value.values() if isinstance(value, dict) else value))


# A document is logged once per filter, each a way to cut one answer out of what the model said.

_NAME = re.compile(r"samples_(?P<task>.+?)(?:_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+))?\Z")


def replies_of_sample_log(entries: Iterable[Entry], path: str) -> Iterator[Reply]:
    """One reply per document and filter, as a stream. Raises InputError for a line that is no such sample."""
    stem = Path(path).name.partition(".jsonl")[0]
    named = _NAME.match(stem)
    task, date = (named["task"], named["date"]) if named else ("", None)
    results = _results(Path(path), date) if named else []
    model = _model(Path(path), results) if named else ""
    asked, every = _documents(results, task)
    about: list[str] = []
    if asked < every:
        about.append(f"{path}: the run was to ask {asked:,} of the {every:,} documents of its task (--limit)")
    held: Counter[str] = Counter()
    for number, place, row in entries:
        contexts, options = _requests(row)
        by_option = len(options) == len(contexts) > 1
        # Contexts with one ending: the options stand in the prompts, and the log does not say which of them is right.
        alike = by_option and len(set(options)) < len(options)
        # One text whose likelihood is measured is no reply: whether the model would say it, only the verdict tells.
        measured = len(options) == len(contexts) == 1
        said, target = row.get("filtered_resps", row.get("resps")), target_of(row)
        called = list(map(str, range(len(options)))) if alike else options
        reply = Reply(
            place=place,
            line=number,
            reply=likeliest(said, row.get("resps"), called) if by_option else first_text(said),
            id=as_name(inner(row, "doc", "id")) or as_name(row.get("doc_id")),
            prompt=as_asked(_prompt(contexts[0])) if contexts else None,
            model=model or as_label(row.get("model")),
            filter=as_label(row.get("filter")),
            likeliest=by_option or measured,
            benchmark=as_label(task),
            harness="lm-evaluation-harness",
            log=as_label(date) if date else stem,
            golds=() if alike or measured else as_golds(gold_option(target, options) if by_option else target),
            choices=tuple(options) if by_option and not alike else (),
            # By the first metric that says right or wrong: those that the row lists, or else the usual names.
            **verdict(*ordered_marks(row, typed(list, row, "metrics"))),
            about=about,
            partial=asked < every,
        )
        held[reply.filter] += 1
        yield reply
    if (most := max(held.values(), default=0)) < asked:
        about.append(f"{path}: {most:,} of the {asked:,} documents that the run asked are in the log")


# YAML as data: tags are noted and never obeyed, so that nothing in a file is run or constructed.

_LARGEST = 2**20
"""Largest YAML file, in bytes: a task description has a few hundred lines."""


class CodeReference(str):
    """A value that stands for Python code: its tag and name, such as `!function utils.doc_to_text`."""


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
    try:
        return safe(data).get_single_data()
    except yaml.MarkedYAMLError as error:
        where = f"{place}: line {error.problem_mark.line + 1}" if error.problem_mark else place
        raise InputError(f"broken YAML: {error.problem or error.context}", where) from error
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError, TypeError, KeyError) as error:
        # Of its reader: bytes that are no text; and of the others dates and keys that are none.
        raise InputError(f"broken YAML: {' '.join(str(error).split())}", place) from error


# A template is data of strangers: refused unless it consists of fields, text, conditions, one level of loops, and
# filters and methods that cannot grow a text; then run in Jinja's sandbox, on texts of limited size.

Renderer = Callable[[dict[str, Any]], Any]
"""From a document to a text, or to whatever a single expression gives. Raises UnfitError."""

_LONGEST_TEMPLATE = 20_000
_LONGEST_DOCUMENT = 1_000_000
"""Characters of a document that a template may read, as Python writes it; longer ones make the row unusable."""
_LONGEST_RESULT = 4_000_000
_LONGEST_LOOPED = 50_000
"""The same of a template with a loop, whose body may read the whole document for each of its characters."""
_LONGEST_GROWN = 10_000_000
"""The longest text that a template could make of a document, at worst."""
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
    from jinja2 import StrictUndefined, TemplateError, Undefined, nodes
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    if len(template) > _LONGEST_TEMPLATE:
        raise InputError(f"{what} has more than {_LONGEST_TEMPLATE:,} characters", place)
    # lm-evaluation-harness keeps the line end at the end of a template, too.
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
    environment.globals.clear()
    try:
        tree = environment.parse(template)
        if refused := next(filter(None, map(_refused, tree.find_all(nodes.Node))), ""):
            raise InputError(
                f"{what} uses {refused}, which is not supported: name the columns with --prompt or --template, "
                "and --answer",
                place,
            )
        growth, loops = _growth(tree), next(tree.find_all(nodes.For), None) is not None
        longest = min(_LONGEST_LOOPED if loops else _LONGEST_DOCUMENT, int(_LONGEST_GROWN / growth))
        body = tree.body[0].nodes if len(tree.body) == 1 and isinstance(tree.body[0], nodes.Output) else []
        sole = len(body) == 1
        if sole:  # an expression, whose value may be a list or a number
            result = nodes.Assign(nodes.Name("result", "store"), body[0], lineno=1)
            tree = nodes.Template([result], lineno=1)
        made = environment.from_string(tree)
    except (TemplateError, RecursionError) as error:
        raise InputError(f"{what} is not a template: {error}", place) from error

    def filled(document: dict[str, Any]) -> Any:
        try:
            if len(repr(document)) > longest:
                raise UnfitError(f"a document of more than {longest:,} characters")
            value = made.make_module(document).result if sole else _joined(made.generate(document))  # type: ignore[attr-defined]
        except (TemplateError, TypeError, ValueError, LookupError, AttributeError, RecursionError, OverflowError) as no:
            raise UnfitError(str(no) or type(no).__name__) from no
        if isinstance(value, Undefined):
            raise UnfitError(f"no field {value._undefined_name!r}")
        return value

    return filled


def _field(document: dict[str, Any], name: str) -> Any:
    if name not in document:
        raise UnfitError(f"no field {name!r}")
    return document[name]


def _joined(pieces: Iterable[str]) -> str:
    """The text of all pieces. Raises UnfitError as soon as it is too long."""
    text = io.StringIO()
    for piece in pieces:
        if text.tell() + len(piece) > _LONGEST_RESULT:
            raise UnfitError(f"a text of more than {_LONGEST_RESULT:,} characters")
        text.write(piece)
    return text.getvalue()


def _refused(node: nodes.Node) -> str:
    """What a part of a template does that is not supported, in words; empty if it is."""
    from jinja2 import nodes

    if (kind := type(node).__name__) not in _NODES:
        return repr(kind)
    if isinstance(node, nodes.Assign) and not isinstance(node.node, nodes.Const):
        return "a variable that is not a constant"
    if isinstance(node, nodes.For) and (next(node.find_all(nodes.For), None) or node.recursive):
        return "loops within loops"
    if not isinstance(node, (nodes.Filter, nodes.Call)):
        return ""
    if node.dyn_args or node.dyn_kwargs:
        return "arguments in a list"
    name, arguments = _applied(node)
    if isinstance(node, nodes.Filter) and name not in _FILTERS:
        return f"the filter {name!r}"
    if isinstance(node, nodes.Call) and not (isinstance(node.node, nodes.Getattr) and name in _METHODS):
        return f"a call of {name!r}" if name else "a call"
    texts = [argument.value if isinstance(argument, nodes.Const) else None for argument in arguments]
    short = all(isinstance(text, str) and len(text) <= _LONGEST_REPLACEMENT for text in texts)
    fits = short and not node.kwargs and (name == "join" or texts[:1] not in ([], [""]))  # what is replaced
    return f"{name!r} with anything but short constant texts" if name in ("join", "replace") and not fits else ""


def _growth(tree: nodes.Template) -> float:
    """How many times as long as the document a text may become: the product of what each part can do, as if each were
    applied to what the others have made."""
    from jinja2 import nodes

    concats, sums = tree.find_all(nodes.Concat), tree.find_all(nodes.Add)
    growth = 1.0 + sum(len(node.nodes) for node in concats) + sum(1 for _ in sums)
    for node in tree.find_all((nodes.Filter, nodes.Call)):
        match _applied(node):
            case "string", _:
                growth *= _PER_SIGN
            case "join", [nodes.Const(value=str(between)), *_]:
                growth *= 1 + len(between)
            case "replace", [nodes.Const(value=str(old)), nodes.Const(value=str(new)), *_]:
                growth *= max(1, len(new) / len(old))
    return growth


def _applied(node: nodes.Expr) -> tuple[str, Sequence[nodes.Expr]]:
    """The name of a filter or a method, and its arguments; in `', '.join(list)` that is the text before the dot."""
    from jinja2 import nodes

    match node:
        case nodes.Filter(name=name, args=arguments):
            return name, arguments
        case nodes.Call(node=nodes.Getattr(node=before, attr="join")):
            return "join", [before]
        case nodes.Call(node=nodes.Getattr(attr=name) | nodes.Name(name=name), args=arguments):
            return name, arguments
    return "", []


_PER_SIGN = 5.0
"""Characters that a character of a list takes when it is written as text: `'a', `."""

# A task names its data set and says, by templates, how a document is asked.

_LOCAL = ("json", "csv", "parquet", "text")
_SPLITS = ("test_split", "validation_split", "training_split")
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
    merged = _with_includes(value, path, place, {path.resolve()})
    local = merged.get("dataset_path") in (None, *_LOCAL)
    of = "" if local or isinstance(merged["dataset_path"], CodeReference) else f" {_address(merged)}"
    for field in ("doc_to_text", "doc_to_target", "dataset_path"):
        written = merged.get("class", merged.get(field))
        if isinstance(written, CodeReference) or "class" in merged:
            code = written if isinstance(written, CodeReference) else f"class {written}"
            raise InputError(
                f"{field} of this task is Python code ({code}), which is never run: audit its data set{of} with "
                "--prompt or --template, and --answer",
                place,
            )
        if written is None:
            raise InputError(f"a task without {field}: audit its data set{of} itself", place)
    fields = {key: merged[key] for key in ("doc_to_text", "doc_to_target", "doc_to_choice") if key in merged}
    changes = "the task changes its documents by Python code (process_docs), which is never run"
    notes = (changes,) if merged.get("process_docs") is not None else ()
    name, files = typed(str, merged, "task"), inner(merged, "dataset_kwargs", "data_files")
    if local or files is not None:
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
        "lm-evaluation-harness task", rows, left_out, notes=(*table.notes, *task.notes), defaults=ROLES[:3],
        benchmark=task.name,
    )  # fmt: skip


def _maker(written: Any, columns: list[str], field: str, place: str) -> Renderer:
    """What makes a value of a document: a template, a constant, or a list of them."""
    if isinstance(written, CodeReference):
        raise InputError(f"{field} is Python code ({written}), which is never run", place)
    if isinstance(written, str):
        # Only a prompt keeps the white space around it; a YAML block ends with a line that nobody meant.
        return renderer(written if field == "doc_to_text" else written.strip(), columns, field, place)
    if isinstance(written, list):
        makers = [_maker(member, columns, field, place) for member in written]
        return lambda document: [make(document) for make in makers]
    return lambda document: written


def _with_includes(value: dict[Any, Any], path: Path, place: str, read: set[Path]) -> dict[Any, Any]:
    """The keys of a task over those of the files that it includes, of which later ones win, and so on.

    `read` are the files that were read already: none is read twice, so a few files cannot multiply each other.
    """
    names = value.get("include") or []
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError("`include` does not name a file", place)
    merged: dict[Any, Any] = {}
    for name in names:
        if "://" in name or Path(name).is_absolute() or "\0" in name:
            raise InputError(f"{name!r} is included, but not by a path relative to the task", place)
        included = path.parent / name
        if included.resolve() in read or len(read) > _FILES:
            raise InputError(f"the file {name!r} is included more than once, or is one of too many", place)
        read.add(included.resolve())
        try:
            base = parse_yaml(read_regular(included), str(included))
        except OSError as error:
            raise InputError(f"the included file {name!r} cannot be read: {error.strerror or error}", place) from error
        if not isinstance(base, dict):
            raise InputError(f"the included file {name!r} is not a task", place)
        merged |= _with_includes(base, included, place, read)
    return {**merged, **value}


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
    return next((str(merged[key]) for key in _SPLITS if merged.get(key)), "train")


def _address(merged: dict[Any, Any]) -> str:
    config = f":{merged['dataset_name']}" if merged.get("dataset_name") else ""
    return f"hf://{merged['dataset_path']}{config}@{_split(merged)}"
