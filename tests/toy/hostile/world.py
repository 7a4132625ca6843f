"""The folder in which hostile cases are tried: a good file of every kind that a command reads, and what replaces it."""

from __future__ import annotations

import gzip
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset

__all__ = ["CONTENTS", "PLACES", "build"]

PLACES: Final = {
    "missing": "gone/x",
    "folder": "folder",
    "too-long": "a" * 300,
    "longest": "b" * 255,
    "loop": "loop",
    "dangling": "dangling",
    "pipe": "pipe",
    "null": "/dev/null",
    "zero": "/dev/zero",
    "file-as-folder": "items.jsonl/x",
    "empty-name": "",
    "blank-name": "  ",
    "no-such-user": "~nosuchuser/x",
    "clears-the-screen": "x\x1b[2J\x1b[Hevery check passed",
    "turned-round": "x\u202egnp.exe",
    "two-lines": "x\nerror: no",
    "emoji-and-isolates": "\u2066😀\u200b\u2069x",
    "returns-to-the-margin": "x\rVERDICT CLEAN",
    "not-utf8": os.fsdecode(b"\xff\xfe"),
    "address": "http://[::1",
    "hub": "hf://../../etc",
    "dots": "../" * 40 + "etc/hostname",
}
"""Kind -> a name that is no file of the kind wanted. None of them is there, or none is what it looks like."""

_DEEP = b"[" * 100_000

CONTENTS: Final[dict[str, bytes]] = {
    "empty": b"",
    "blank": b" \n\n ",
    "nul": b"\0" * 1000,
    "garbage": bytes(range(256)) * 40,
    "not-utf8": b'{"id": "\xff\xfe"}\n' * 3,
    "utf16": '{"id": "a"}\n'.encode("utf-16"),
    "utf16-broken": b"\xff\xfe\x00",
    "bom": b'\xef\xbb\xbf{"id": "a"}\n',
    "number": b"3\n",
    "null": b"null\n",
    "text": b'"a"\n',
    "list": b"[]\n",
    "object": b"{}\n",
    "deep": _DEEP,
    "deep-object": b'{"a":' * 50_000,
    "huge-integer": b'{"id": ' + b"9" * 5000 + b"}\n",
    "huge-exponent": b'{"id": 1e999999, "reply": -1e999999}\n',
    "nan": b'{"id": NaN, "reply": Infinity}\n',
    "surrogate": b'{"id": "\\ud800", "reply": "\\udfff", "model": "\\ud83d"}\n',
    "controls": b'{"id": "\\u001b[2J", "reply": "\\u001b[2J\\u0007", "model": "\\u009b2J\\u202e"}\n',
    "twice": b'{"id": "a", "id": "b", "reply": "x", "reply": "y"}\n',
    "many-keys": json.dumps({f"k{n}": n for n in range(5000)}).encode(),
    "wrong-types": b'{"id": [], "reply": {}, "prompt": 3, "answer": [[]], "model": 7}\n',
    "one-long-line": b'{"id": "' + b"x" * 1_000_000 + b'"}\n',
    "blanks-then-word": b'{"id": "a", "reply": "' + b" " * 500_000 + b'x"}\n',
    "half-a-line": b'{"id": "a", "reply": "x"}\n{"id": "b", "re',
    "web-page": b"<!DOCTYPE html><html><script>alert(1)</script></html>",
    "gzip-truncated": gzip.compress(b'{"id": "a"}\n' * 1000, mtime=0)[:-20],
    "gzip-garbage": b"\x1f\x8b\x08" + b"\xff" * 100,
    "zstd-garbage": b"\x28\xb5\x2f\xfd" + b"\xff" * 100,
    "parquet-garbage": b"PAR1" + b"\xff" * 200 + b"PAR1",
    "quotes": b'id,reply,prompt,answer,SR,SR_reason,model\n"a,b\n',
    "formula": b"id,prompt,answer,SR,SR_reason,model\n=1+1,@x,-3,yes,+1,=cmd|' /C calc'!A0\n",
    "carriage-returns": b"id\rprompt\ranswer\r=1",
    "many-answers": b"".join(b'{"prompt": "item %d", "answer": "label %d"}\n' % (n, n % 5000) for n in range(10_000)),
    "long-answers": b"".join(
        b'{"prompt": "item %d", "answer": "%s"}\n' % (n, (b"a", b"b")[n % 2] * (1_000_000 if n < 2 else 9))
        for n in range(40)
    ),
    "yaml": b"a: &a [*a, !!python/object/apply:os.system [id]]\n",
}
"""Kind -> what stands in a file in the place of what a command reads."""


def build(folder: Path) -> None:
    """Write the good files into the empty `folder`, and the odd things beside them."""
    cues = [dataset("planted-cues").item("none", 5, index) for index in range(40)]
    games = [dataset("cognitive-tasks").item("horizon", 5, index) for index in range(2)]
    puzzles = [dataset("knights-knaves").item("set-E", 5, index) for index in range(2)]
    (folder / "items.jsonl").write_bytes(dump(cues))
    (folder / "games.jsonl").write_bytes(dump(games))
    (folder / "puzzles.jsonl").write_bytes(dump(puzzles))
    _lines(folder / "replies.jsonl", [{"id": item.id, "reply": item.answer} for item in cues])
    _lines(folder / "solved.jsonl", [{"id": item.id, "reply": "Ann is a knight."} for item in puzzles])
    _lines(folder / "train.jsonl", [{"prompt": f"item {n}?", "answer": "yes" if n % 2 else "no"} for n in range(40)])
    arms = "".join(f"{item.id},item {n}?,{item.answer},{n // 2},{'ab'[n % 2]}\n" for n, item in enumerate(cues))
    (folder / "arms.csv").write_text("id,prompt,answer,pair,arm\n" + arms, encoding="utf-8")
    form = "id,SR,SR_reason\n" + "".join(f"{item.id},yes,line 1\n" for item in puzzles)
    (folder / "form.csv").write_text(form, encoding="utf-8")
    (folder / "models.csv").write_text(
        "model,base_model,size,risk\n" + "".join(f"m{n},b{n // 2},{n},{n % 3}\n" for n in range(12)), encoding="utf-8"
    )
    (folder / "old.json").write_text("{}", encoding="utf-8")
    (folder / "mine.py").write_text("def reply(prompt):\n    return 'Answer: J'\n", encoding="utf-8")
    release = folder / "release"
    release.mkdir()
    (release / "none.jsonl").write_bytes(dump([replace(item) for item in cues]))
    (release / "SHA256SUMS").write_text("", encoding="utf-8")
    (release / "manifest.json").write_text("{}", encoding="utf-8")
    (folder / "folder").mkdir()
    (folder / "exists").write_text("precious", encoding="utf-8")
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("nothing-here")
    os.link(folder / "items.jsonl", folder / "hard-link")
    (folder / "soft-link").symlink_to("items.jsonl")
    (folder / "contents").mkdir()
    for name, data in CONTENTS.items():
        for ending in ("jsonl", "json", "csv"):
            (folder / "contents" / f"{name}.{ending}").write_bytes(data)
    if sys.platform != "win32":
        os.mkfifo(folder / "pipe")


def _lines(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
