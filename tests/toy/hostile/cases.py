"""The generator of hostile cases: every command and public function, every place and number that it takes.

Each case is a sentence that could be typed, with one thing in it that is not what it should be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import hansproof
from hostile.case import Case
from hostile.world import CONTENTS, PLACES

__all__ = ["cases"]

QUICK: Final = ("--splits", "2", "--permutations", "199", "--no-cache")
ANALYSE: Final = ("analyse", "replies.jsonl", "--items", "items.jsonl", "--splits", "2", "--permutations", "99")
EFFECTS: Final = ("analyse", "replies.jsonl", "--items", "items.jsonl", "--by", "effects")
ARMS: Final = ("--items", "arms.csv", "--group", "pair", "--condition", "arm")
SCORE: Final = ("score", "replies.jsonl", "--items", "items.jsonl")
COMPARE: Final = ("compare", "replies.jsonl", "replies.jsonl", "--items", "items.jsonl")

READ: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "audit SOURCE": (("audit", "{}", *QUICK), "jsonl"),
    "audit two SOURCEs": (("audit", "old.json", "{}", *QUICK), "json"),
    "audit --train": (("audit", "train.jsonl", "--train", "{}", *QUICK), "jsonl"),
    "harden SOURCE": (("harden", "{}", "--out", "new.jsonl", *QUICK), "jsonl"),
    "diff OLD": (("diff", "{}", "old.json"), "json"),
    "diff NEW": (("diff", "old.json", "{}"), "json"),
    "verify PATH": (("verify", "{}", "--no-regenerate"), "json"),
    "download --from": (("download", "planted-cues", "--cache", "folder", "--from", "{}"), "json"),
    "download --index": (
        ("download", "planted-cues", "--from", "folder", "--cache", "folder", "--index", "{}"),
        "json",
    ),
    "export PATH": (("export", "{}", "--to", "helm", "--out", "folder"), "jsonl"),
    "prompts PATH": (("prompts", "{}", "--style", "direct"), "jsonl"),
    "prompts --replies": (("prompts", "items.jsonl", "--style", "two-turn-cot", "--replies", "{}"), "jsonl"),
    "run SOURCE": (("run", "{}", "--agent", "mine:reply", "--out", "new.jsonl"), "jsonl"),
    "run SOURCE baseline": (("run", "{}", "--agent", "random", "--out", "new.jsonl"), "jsonl"),
    "phenotype RUNS": (("phenotype", "{}"), "jsonl"),
    "phenotype --records": (("phenotype", "--records", "{}"), "csv"),
    "phenotype --items": (("phenotype", "replies.jsonl", "--items", "{}"), "jsonl"),
    "phenotype --models": (("phenotype", "--models", "{}", "--components"), "csv"),
    "compare A": (("compare", "{}", "replies.jsonl", "--items", "items.jsonl"), "jsonl"),
    "compare B": (("compare", "replies.jsonl", "{}", "--items", "items.jsonl"), "jsonl"),
    "analyse REPLIES": (("analyse", "{}", *ANALYSE[2:]), "jsonl"),
    "analyse --items": (("analyse", "replies.jsonl", "--items", "{}"), "jsonl"),
    "analyse --families": ((*ANALYSE, "--families", "{}"), "csv"),
    "analyse --by effects": (("analyse", "{}", "--by", "effects", "--items", "items.jsonl"), "jsonl"),
    "compare --items": (("compare", "replies.jsonl", "replies.jsonl", "--items", "{}"), "jsonl"),
    "score REPLIES": (("score", "{}", "--items", "items.jsonl"), "jsonl"),
    "score two REPLIES": (("score", "replies.jsonl", "{}", "--items", "items.jsonl"), "eval"),
    "score --items": (("score", "replies.jsonl", "--items", "{}"), "jsonl"),
    "score --families": (("score", "replies.jsonl", "--items", "items.jsonl", "--families", "{}"), "csv"),
    "annotate form REPLIES": (("annotate", "form", "{}", "--items", "puzzles.jsonl", "--out", "new.csv"), "jsonl"),
    "annotate form --items": (("annotate", "form", "solved.jsonl", "--items", "{}", "--out", "new.csv"), "jsonl"),
    "annotate agreement FIRST": (("annotate", "agreement", "{}", "form.csv"), "csv"),
    "annotate agreement SECOND": (("annotate", "agreement", "form.csv", "{}"), "csv"),
}
"""What is read: the command with a gap, and the ending of a file that fits into it."""

PRINTING: Final = ("audit two SOURCEs",)
"""A list of files is gone through to its end, and a table says which could not be audited."""
FITTING: Final = {
    ("annotate", "formula"): {0, 2},
    ("audit", "formula"): {0, 2},
    ("audit", "many-answers"): {0, 2, 3},
    ("audit", "long-answers"): {0, 1, 2, 3},
    ("harden", "long-answers"): {0, 1, 2},
}
"""Contents that are right for some commands, and how these may end: a form with one row, a table of one item (NOT
ASSESSED), items with far too many answers, or with answers of a megabyte (IMBALANCED)."""

WRITTEN: Final[dict[str, tuple[str, ...]]] = {
    "audit --html": ("audit", "items.jsonl", *QUICK, "--html", "{}"),
    "audit --json": ("audit", "items.jsonl", *QUICK, "--json", "{}"),
    "audit --items": ("audit", "items.jsonl", *QUICK, "--items", "{}"),
    "audit --sarif": ("audit", "items.jsonl", *QUICK, "--sarif", "{}"),
    "audit --list-recipes --json": ("audit", "--list-recipes", "--json", "{}"),
    "harden --out": ("harden", "items.jsonl", *QUICK, "--out", "{}"),
    "harden --removed": ("harden", "items.jsonl", *QUICK, "--out", "new.jsonl", "--removed", "{}"),
    "generate --out": ("generate", "planted-cues", "-s", "none", "-n", "2", "--seed", "1", "--out", "{}"),
    "prompts --out": ("prompts", "items.jsonl", "--style", "direct", "--out", "{}"),
    "run --out": ("run", "games.jsonl", "--agent", "mine:reply", "--out", "{}"),
    "run --out baseline": ("run", "games.jsonl", "--agent", "random", "--out", "{}"),
    "score --out": ("score", "replies.jsonl", "--items", "items.jsonl", "--out", "{}"),
    "score --csv": ("score", "replies.jsonl", "--items", "items.jsonl", "--csv", "{}"),
    "score --figure": ("score", "replies.jsonl", "--items", "items.jsonl", "--test", "mcnemar", "--figure", "{}"),
    "phenotype --html": ("phenotype", "replies.jsonl", "--html", "{}"),
    "phenotype --csv": ("phenotype", "replies.jsonl", "--csv", "{}"),
    "phenotype --models --json": ("phenotype", "--models", "models.csv", "--components", "--json", "{}"),
    "compare --json": (*COMPARE, "--json", "{}"),
    "compare --html": (*COMPARE, "--html", "{}"),
    "score --json": ("score", "replies.jsonl", "--items", "items.jsonl", "--json", "{}"),
    "score --html": ("score", "replies.jsonl", "--items", "items.jsonl", "--html", "{}"),
    "score --test --html": ("score", "replies.jsonl", "--items", "items.jsonl", "--test", "mcnemar", "--html", "{}"),
    "analyse --json": (*ANALYSE, "--json", "{}"),
    "analyse --by effects --html": (*EFFECTS, "--html", "{}"),
    "analyse --by effects --csv": (*EFFECTS, "--csv", "{}"),
    "analyse --csv": (*ANALYSE, "--csv", "{}"),
    "analyse --html": (*ANALYSE, "--html", "{}"),
    "analyse --figure": (*ANALYSE, "--figure", "{}"),
    "analyse --boxes": (*ANALYSE, "--boxes", "{}"),
    "compare --csv": (*COMPARE, "--csv", "{}"),
    "annotate form --out": ("annotate", "form", "solved.jsonl", "--items", "puzzles.jsonl", "--out", "{}"),
}

TAKEN: Final = {
    "exists": ("exists",),
    "folder": ("folder", "--force"),
    "in no folder": ("gone/x", "--force"),
    "in a file": ("items.jsonl/x", "--force"),
    "dangling link": ("dangling", "--force"),
    "link to itself": ("loop", "--force"),
    "pipe": ("pipe", "--force"),
    "device": ("/dev/full", "--force"),
    "too long": ("c" * 300, "--force"),
    "without a name": ("", "--force"),
    "drives a terminal": ("gone\x1b[2J/x", "--force"),
}
"""What cannot be written, with or without --force."""

FOLDERS: Final[dict[str, tuple[str, ...]]] = {
    "export --out": ("export", "items.jsonl", "--to", "helm", "--out", "{}"),
    "release --out": ("release", "planted-cues", "--version", "2.0.0", "--out", "{}"),
    "download --cache": ("download", "planted-cues", "--from", "folder", "--cache", "{}"),
}
NO_FOLDERS: Final = {
    "file": "items.jsonl", "in a file": "items.jsonl/x", "dangling": "dangling", "loop": "loop", "pipe": "pipe",
    "device": "/dev/full", "too long": "d" * 300, "standard output": "-",
}  # fmt: skip

NUMBERS: Final[dict[str, tuple[str, ...]]] = {
    **{
        f"audit {option}": ("audit", "items.jsonl", option, "{}")
        for option in (
            "--permutations", "--splits", "--folds", "--threshold", "--alpha", "--max-left-out", "--workers",
        )
    },
    **{
        f"harden {option}": ("harden", "items.jsonl", "--out", "new.jsonl", option, "{}")
        for option in ("--keep-at-least", "--held-out", "--permutations", "--folds")
    },
    "generate -n": ("generate", "planted-cues", "--seed", "1", "-s", "none", "-n", "{}"),
    "generate --start": ("generate", "planted-cues", "--seed", "1", "-n", "1", "--start", "{}"),
    "generate --workers": ("generate", "planted-cues", "--seed", "1", "-n", "1", "--workers", "{}"),
    "generate --shard": ("generate", "planted-cues", "--seed", "1", "-n", "1", "--shard", "{}"),
    "release --permutations": ("release", "planted-cues", "--version", "2.0.0", "--out", "new", "--permutations", "{}"),
    "prompts --shots": ("prompts", "items.jsonl", "--style", "few-shot", "--shots", "{}"),
    "run --retries": ("run", "games.jsonl", "--agent", "mine:reply", "--out", "new.jsonl", "--retries", "{}"),
    "run --workers": ("run", "games.jsonl", "--agent", "mine:reply", "--out", "new.jsonl", "--workers", "{}"),
    "run --set": ("run", "games.jsonl", "--agent", "rescorla-wagner", "--out", "new.jsonl", "--set", "{}"),
    **{
        f"analyse {option}": (*ANALYSE[:4], option, "{}")
        for option in ("--threshold", "--splits", "--permutations", "--workers")
    },
    "analyse --shift": (*ANALYSE[:4], "--by", "hypotheses", "--shift", "{}"),
    "compare --margin": (*COMPARE, "--margin", "{}"),
    "compare --show": (*COMPARE, "--show", "{}"),
    **{
        f"compare {option}": ("compare", "--plan", option, "{}")
        for option in (
            "--difference", "--count", "--discordant", "--accuracy", "--correlation", "--group-size", "--icc",
        )
    },
    "score --shift": ("score", "replies.jsonl", "--items", "items.jsonl", "--test", "mcnemar", "--shift", "{}"),
}  # fmt: skip
NO_NUMBERS: Final = ("-1", "nan", "1e400", "x\x1b[2J", "", "0x10")

NAMES: Final[dict[str, tuple[str, ...]]] = {
    "command": ("{}",),
    "option": ("audit", "--{}"),
    "list NAME": ("list", "{}"),
    "generate NAME": ("generate", "{}", "-n", "1"),
    "generate --subset": ("generate", "planted-cues", "-n", "1", "--subset", "{}"),
    "release NAME": ("release", "{}", "--version", "1.0.0"),
    "release --version": ("release", "planted-cues", "--version", "{}"),
    "release --date": ("release", "planted-cues", "--version", "2.0.0", "--date", "{}"),
    "download NAME": ("download", "{}", "--cache", "folder"),
    "export --to": ("export", "items.jsonl", "--to", "{}"),
    "prompts --style": ("prompts", "items.jsonl", "--style", "{}"),
    "run --agent": ("run", "games.jsonl", "--out", "new.jsonl", "--agent", "{}"),
    "run --agent baseline": ("run", "--agent", "{}", "--out", "new.jsonl"),
    "audit --recipe": ("audit", "items.jsonl", "--recipe", "{}"),
    "audit --prompt": ("audit", "items.jsonl", "--prompt", "{}"),
    "audit --template": ("audit", "items.jsonl", "--template", "{{{}}}"),
    "audit --answer-part": ("audit", "items.jsonl", "--answer-part", "key:{}"),
    "audit --groups": ("audit", "items.jsonl", "--groups", "{}"),
    "audit --fail-on": ("audit", "items.jsonl", "--fail-on", "{}"),
    "harden --steps": ("harden", "items.jsonl", "--out", "new.jsonl", "--steps", "{}"),
    "phenotype --metric": ("phenotype", "--models", "models.csv", "--components", "--metric", "{}"),
    "phenotype --style": ("phenotype", "replies.jsonl", "--style", "{}"),
    "analyse --by": (*ANALYSE, "--by", "{}"),
    "analyse --model": (*ANALYSE, "--model", "{}"),
    "analyse --column": (*ANALYSE, "--column", "{}"),
    "analyse --judged": (*ANALYSE, "--judged", "{}"),
    "compare --a": (*COMPARE, "--a", "{}"),
    "compare --column": (*COMPARE, "--column", "{}"),
    "compare --reply-columns": (*COMPARE, "--reply-columns", "{}"),
    "score --model": ("score", "replies.jsonl", "--items", "items.jsonl", "--model", "{}"),
    "score --style": ("score", "replies.jsonl", "--items", "items.jsonl", "--style", "{}"),
    "score --column": ("score", "replies.jsonl", "--items", "items.jsonl", "--column", "reply={}"),
    "score --column role": ("score", "replies.jsonl", "--items", "items.jsonl", "--column", "{}=reply"),
    "score --reply-columns": ("score", "replies.jsonl", "--items", "items.jsonl", "--reply-columns", "{}"),
    "score --judged": ("score", "replies.jsonl", "--items", "items.jsonl", "--judged", "{}"),
    "score --original": ("score", "replies.jsonl", *ARMS, "--original", "{}"),
    "analyse --original": ("analyse", "replies.jsonl", *ARMS, "--by", "effects", "--original", "{}"),
    "score --hypothesis": (*SCORE, "--test", "mcnemar", "--hypothesis", "{}"),
}
NO_NAMES: Final = ("\x1b[2J\x07", "\u2066😀\u202e\u2028x", "x\nerror: all is well", "../../etc/passwd", "ü" * 3000)

CALLS: Final[dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]]] = {
    "audit source": (hansproof.audit, ("items.jsonl",), {}),
    "audit seed": (hansproof.audit, ("items.jsonl",), {"seed": None}),
    "audit permutations": (hansproof.audit, ("items.jsonl",), {"permutations": None}),
    "audit prompt": (hansproof.audit, ("items.jsonl",), {"prompt": None}),
    "audit trees": (hansproof.audit, ("items.jsonl",), {"trees": None}),
    "compare a": (hansproof.compare, ("replies.jsonl", "replies.jsonl"), {"items": "items.jsonl"}),
    "analyse answers": (hansproof.analyse, ("replies.jsonl",), {"items": "items.jsonl"}),
    "analyse families": (hansproof.analyse, ("replies.jsonl",), {"items": "items.jsonl", "families": None}),
    "analyse threshold": (hansproof.analyse, ("replies.jsonl",), {"items": "items.jsonl", "threshold": None}),
    "compare margin": (hansproof.compare, ("replies.jsonl", "replies.jsonl"), {"margin": None}),
    "diff": (hansproof.diff, ("old.json", "old.json"), {}),
    "download name": (hansproof.download, ("planted-cues",), {}),
    "download cache": (hansproof.download, ("planted-cues",), {"cache": None}),
    "export path": (hansproof.export, ("items.jsonl", "helm"), {}),
    "generate name": (hansproof.generate, ("planted-cues",), {"count": 1}),
    "generate count": (hansproof.generate, ("planted-cues",), {"count": None}),
    "harden steps": (hansproof.harden, ("items.jsonl",), {"steps": None}),
    "load name": (hansproof.load, ("planted-cues",), {}),
    "run source": (hansproof.run, ("games.jsonl", len), {}),
    "score answers": (hansproof.score, ("replies.jsonl", "items.jsonl"), {}),
    "verify folder": (hansproof.verify, ("release",), {}),
    "hypotheses answers": (hansproof.hypotheses, ("replies.jsonl", "items.jsonl"), {}),
    "phenotype runs": (hansproof.phenotype, ("replies.jsonl",), {}),
    "episodes source": (hansproof.episodes, ("games.jsonl",), {}),
}
NO_VALUES: Final = {"a byte string": b"\xff\x00", "an object": object(), "a name with NUL": "a\0b", "nested": [[[]]]}


def cases() -> Iterator[Case]:
    """All cases, in a fixed order."""
    yield from _reading()
    yield from _writing()
    yield from _options()


def _reading() -> Iterator[Case]:
    for name, (command, ending) in READ.items():
        for kind, place in PLACES.items():
            writes = name == "download --from"  # what it needs to resume
            yield Case("path", f"{name}: {kind}", _filled(command, place), may_print=name in PRINTING, may_write=writes)
        for kind in CONTENTS:
            yield _content(name, kind, _filled(command, f"contents/{kind}.{ending}"))


def _writing() -> Iterator[Case]:
    for name, command in WRITTEN.items():
        for kind, (place, *force) in TAKEN.items():
            if (name, kind) != ("run --out", "dangling link"):  # a run may begin behind a link: it appends to its file
                yield Case("output", f"{name}: {kind}", (*_filled(command, place), *force))
        own = next((part for part in command if part.endswith((".jsonl", ".csv"))), None)
        for kind, place in (("its input", own), ("hard link of its input", "hard-link"), ("link to it", "soft-link")):
            if place is not None and (kind == "its input" or own == "items.jsonl"):
                yield Case("output", f"{name}: {kind}", (*_filled(command, place), "--force"))
    for name, command in FOLDERS.items():
        for kind, place in NO_FOLDERS.items():
            yield Case("output", f"{name}: {kind}", _filled(command, place))


def _options() -> Iterator[Case]:
    for name, command in NUMBERS.items():
        for number in NO_NUMBERS:
            yield Case("number", f"{name}: {number!r}", _filled(command, number))
    for name, command in NAMES.items():
        for place in NO_NAMES:
            yield Case("name", f"{name}: {place[:20]!r}", _filled(command, place))
    for name, (function, values, options) in CALLS.items():
        for kind, value in NO_VALUES.items():
            wrong = {key: value for key, old in options.items() if old is None}
            given = values if wrong else (value, *values[1:])
            yield Case("call", f"{name}: {kind}", call=partial(function, *given, **(options | wrong)))


def _filled(command: tuple[str, ...], value: str) -> tuple[str, ...]:
    return tuple(part.replace("{}", value) for part in command)


def _content(name: str, kind: str, command: tuple[str, ...]) -> Case:
    codes = FITTING.get((name.partition(" ")[0], kind))
    return Case(
        "content",
        f"{name}: {kind}",
        command,
        codes=frozenset(codes or {2}),
        may_print=codes is not None or name in PRINTING,
    )
