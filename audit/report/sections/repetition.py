"""The command line that repeats an audit."""

from __future__ import annotations

import shlex

from audit.result import AuditResult

__all__ = ["command"]


def command(result: AuditResult) -> str:
    """The command that repeats this audit, quoted for a POSIX shell."""
    mapping, settings = result.mapping, result.settings
    arguments = ["hansproof", "audit", result.source]
    if mapping.prompt:
        arguments += ["--template" if "{" in mapping.prompt else "--prompt", mapping.prompt]
    if mapping.answer:
        arguments += ["--answer", mapping.answer]
    if mapping.group and "group" not in mapping.guessed and settings.groups not in ("found", "none"):
        arguments += ["--group", mapping.group]
    if settings.train:
        arguments += ["--train", settings.train]
    if settings.split:
        arguments += ["--split", settings.split]
    if settings.answer_part:
        arguments += ["--answer-part", settings.answer_part]
    if mapping.id and "id" not in mapping.guessed:
        arguments += ["--id", mapping.id]
    if mapping.choices:
        arguments += ["--choices", mapping.choices]
    if settings.groups in ("found", "none"):
        arguments += ["--groups", settings.groups]
    arguments += ["--protocol", settings.protocol, "--seed", str(settings.seed)]
    options = {"grouped": ("folds", "splits", "permutations"), "published": ("folds", "permutations")}
    for option in options.get(settings.protocol, ()):
        arguments += [f"--{option}", str(getattr(settings, option))]
    arguments += ["--threshold", str(settings.threshold), "--alpha", str(settings.alpha)]
    if settings.solver != "compiled":
        arguments += ["--solver", settings.solver]
    if settings.task != "auto":
        arguments += ["--task", settings.task]
    if settings.max_rows is not None:
        arguments += ["--max-rows", str(settings.max_rows)]
    if settings.max_left_out != 0.1:
        arguments += ["--max-left-out", str(settings.max_left_out)]
    flags = {
        "--upstream-counts": settings.upstream_counts,
        "--trees": settings.trees,
        "--grades": settings.grades,
        "--partial": settings.partial,
    }
    arguments += [flag for flag, on in flags.items() if on]
    return shlex.join(arguments)
