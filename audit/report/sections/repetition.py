"""The command line that repeats an audit."""

from __future__ import annotations

import shlex
from typing import Any

from audit.result.audit_result import AuditResult

__all__ = ["command"]

_FLAGS = ("upstream_counts", "trees", "grades", "partial")


def command(result: AuditResult) -> str:
    """The command that repeats this audit, quoted for a POSIX shell."""
    mapping, settings = result.mapping, result.settings
    column = settings.groups not in ("found", "none")
    used = {"grouped": ("folds", "splits", "permutations"), "published": ("folds", "permutations")}
    options = {
        "template" if "{" in (mapping.prompt or "") else "prompt": mapping.prompt,
        "answer": mapping.answer,
        "group": mapping.group if column and "group" not in mapping.guessed else None,
        "train": settings.train,
        "split": settings.split,
        "answer-part": settings.answer_part,
        "id": mapping.id if "id" not in mapping.guessed else None,
        "choices": mapping.choices,
        "groups": None if column else settings.groups,
        "protocol": settings.protocol,
        "seed": settings.seed,
        **{option: getattr(settings, option) for option in used.get(settings.protocol, ())},
        "threshold": settings.threshold,
        "alpha": settings.alpha,
        "solver": _unless(settings.solver, "compiled"),
        "task": _unless(settings.task, "auto"),
        "max-rows": settings.max_rows,
        "max-left-out": _unless(settings.max_left_out, 0.1),
    }
    said = {option: str(value) for option, value in options.items() if value not in (None, "")}
    given = [text for option, value in said.items() for text in (f"--{option}", value)]
    flags = [f"--{flag.replace('_', '-')}" for flag in _FLAGS if getattr(settings, flag)]
    return shlex.join(["hansproof", "audit", result.source, *given, *flags])


def _unless(value: Any, default: Any) -> Any:
    return None if value == default else value
