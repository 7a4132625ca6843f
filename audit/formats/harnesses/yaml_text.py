"""YAML as data: tags are noted and never obeyed, so that nothing in a file is run or constructed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from generators.errors import InputError

__all__ = ["CodeReference", "is_code", "parse_yaml"]

_LARGEST = 2**20
"""Largest YAML file, in bytes: a task description has a few hundred lines."""


@dataclass(frozen=True)
class CodeReference:
    """A value that stands for Python code, such as `!function utils.doc_to_text`."""

    written: str
    """The tag and the name, as in the file."""


def is_code(value: Any) -> bool:
    """True for a value that only code could give."""
    return isinstance(value, CodeReference)


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
