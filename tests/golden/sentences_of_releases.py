"""Sentences of rare cases about releases and runs: functions that word them, and small records."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import numpy as np

from hansproof.auditing import examined
from hansproof.commands import run
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset
from hansproof.release import card, objections, regeneration, release, verify
from hansproof.release.card_figures import heat_map
from hansproof.release.checksums import order_digest
from hansproof.release.manifest import BlindEntry
from hansproof.runs.asking import again

__all__ = ["TOPICS"]

Case = tuple[str, object]

ITEM = Item("toy/1", "Is it so?", ("yes", "no"), "yes", "g", "original", {"dataset": "toy", "subset": "one"})


def _objections() -> Iterable[Case]:
    items = [replace(ITEM, id=f"toy/{at}", answer="yes" if at % 4 else "no") for at in range(8)]
    audit = SimpleNamespace(groups=9, majority_accuracy=0.9, majority_uniform=0.8, schemes=[None], verdict="LEAKS",
                            reason="so it is.")  # fmt: skip
    entry = SimpleNamespace(name="one", rows=9, bytes=70, groups=2, conditions={}, answers={}, audit=audit, audited="",
                            by_option=audit, blind=[SimpleNamespace(strategy="constant", items=99)], exploit="",
                            balanced=True)  # fmt: skip
    yield "other counts", [fault.reason for fault in objections.count_faults(entry, items, 71, labels=True)]
    yield "undeclared", vars(objections)["_undeclared"](entry)
    result = BlindEntry(strategy="s", part="answer", items=9, answered=6, share=0.6, low=0.51, high=0.7,
                        interval="Wilson", in_sample=0.6, chance=0.5, p_holm=0.0099)  # fmt: skip
    for case, blind in {
        "unbalanced": result,
        "unbalanced in a part": BlindEntry(**{name: getattr(result, name) for name in result.__struct_fields__}
                                           | {"part": "size", "answered": 9}),
        "no chance": SimpleNamespace(chance=None),
    }.items():  # fmt: skip
        promised = SimpleNamespace(name="one", balanced=True, blind=[blind])
        yield case, vars(objections)["_broken_promises"](promised)
    for value in (None, 0.5):
        figure = SimpleNamespace(name="gap", meaning="a difference", value=value, least=0.6, most=0.4)
        yield f"a figure of {value}", list(objections.missed(SimpleNamespace(figures=[figure])))


def _verifications() -> Iterable[Case]:
    def happened(text: str, size: int, order: str = "") -> str:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "one.jsonl"
            path.write_text(text, encoding="utf-8")
            return vars(verify)["_what_happened"](
                path, SimpleNamespace(bytes=size, rows=2, sha256="", order_sha256=order)
            )

    text = "".join(json.dumps({"id": name}) + "\n" for name in "ba")
    for case, order in {"cut": "", "grown": "", "ids": "0", "order": "ab", "bytes": "ba"}.items():
        yield case, happened(text, len(text) + {"cut": 9, "grown": -9}.get(case, 0), order_digest(order))
    with TemporaryDirectory() as folder:
        (Path(folder) / "manifest.json").write_text("{}", encoding="utf-8")
        yield "no manifest", [check.note for check in verify.verify(folder).checks]
    gold = vars(verify)["_gold"]
    for name, subset in (("planted-cues", "unigram"), ("knights-knaves", "set-S"), ("cognitive-tasks", "horizon")):
        made = dataset(name)
        rows = {subset: regeneration.CheckedRows([made.item(subset, 3, index) for index in range(2)])}
        for regenerate in (True, False):
            check = gold(rows, made, regenerate, [])
            yield f"{name}, {regenerate}", check.note
    yield "nothing", gold({}, dataset("planted-cues"), True, []).note
    figures = vars(verify)["_figures"](SimpleNamespace(figures=[]), {}, dataset("word-problems"), lambda *_: None)
    yield "figures", figures.note
    yield "the end", vars(regeneration)["_byte"](b"", 3)


def _cards() -> Iterable[Case]:
    yield "one answer", vars(release)["_one_answer"]([ITEM, ITEM]).reason
    answers = {f"answer {at}": at + 3 for at in range(8)}
    for of in (None, {"yes": 3}, answers):
        yield f"{len(of or ())} answers", vars(card)["_answers"](SimpleNamespace(name="one", answers=of), ["two"])
    yield "no right answer", vars(card)["_answers"](SimpleNamespace(name="two", answers=None), ["two"])
    drawn = heat_map(SimpleNamespace(title="Toy", version="1", subsets=[]))
    yield "a map", re.findall(r"<(?:title|text)[^>]*>([^<]*)<", drawn)


def _runs() -> Iterable[Case]:
    unfinished = [SimpleNamespace(unfinished=why) for why in ("no legal action in the last reply: x", "the agent died")]
    yield "unread", vars(run)["_warning"](unfinished, 4)
    yield "failed", vars(run)["_warning"](unfinished[1:], 4)
    for actions in ((), ("left", "right")):
        yield (
            f"asked again, {actions}",
            again("Which?", "names none", SimpleNamespace(actions=actions, options="a mark")),
        )


def _sources_of_studies() -> Iterable[Case]:
    course = SimpleNamespace(unassessed=[])
    golds = SimpleNamespace(items=[replace(ITEM, answer=None)], benchmark="toy", counted=lambda: np.ones(1))
    yield "no gold", [*vars(examined)["_own"]([golds], course), *course.unassessed]
    count = SimpleNamespace(count=2)
    read = SimpleNamespace(replies=9, unmatched=count, doubled=count, about=["a note"], by_id={"toy": 2, "": 3})
    yield "replies left out", examined.Course.unused(SimpleNamespace(accounts=[SimpleNamespace(read=read)]))


TOPICS: Mapping[str, Callable[[], Iterable[Case]]] = {
    "objections": _objections,
    "verifications": _verifications,
    "cards": _cards,
    "runs": _runs,
    "sources of studies": _sources_of_studies,
}
"""The visible table: topic -> its cases."""
