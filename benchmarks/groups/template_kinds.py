"""How well the audit finds groups that nobody declared: kinds of templates, and texts without any.

    python benchmarks/groups/template_kinds.py [--declared FILE ...] [--free FILE ...] [--kinds NAME ...]

Each kind makes texts whose true groups are known and asks `find_groups` for them. The table gives the adjusted Rand
index (Hubert & Arabie 1985), pair recall (share of the pairs of items of one true group that were found together) and
pair precision (share of the pairs that were found together that are of one true group). The last column names the
cut-off of `similarity_partitions` whose clusters agree best with the true groups, and their adjusted Rand index. A
file under `--declared` has a group column, which is hidden; the items of a file under `--free` are taken to be
unrelated.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the checkout, installed or not

from audit.groups.grouping import find_groups
from audit.groups.similarity import similarity_partitions
from generators.stream import Stream

__all__ = ["KINDS", "main", "score"]

Labelled = tuple[list[str], list[str]]
"""Texts, and the true group of each."""

Fillings = dict[str, list[str]]

WORDS = json.loads(Path(__file__).with_name("template_texts.json").read_text(encoding="utf-8"))
"""Templates in several languages and shapes, and what fills their slots."""


def _fill(template: str, fillings: Fillings, stream: Stream) -> str:
    return template.format(**{name: stream.choice(values) for name, values in fillings.items()})


def _templates(templates: Sequence[str], each: int, fillings: Fillings, stream: Stream) -> Labelled:
    rows = [
        (_fill(template, fillings, stream), str(number))
        for number, template in enumerate(templates)
        for _ in range(each)
    ]
    return [text for text, _ in rows], [group for _, group in rows]


def _long(stream: Stream, optional: bool) -> Labelled:
    """Slots of one to five words; with `optional`, further slots of nought to five."""
    texts, groups = [], []
    for number, template in enumerate(WORDS["english"]):
        for _ in range(20):
            fillings = {}
            for name, values in WORDS["english_fillings"].items():
                filling = stream.choice(values)
                if name in "tu":
                    before = f"{stream.choice(WORDS['long_slots']['before'])} " if stream.chance(3, 5) else ""
                    after = f" {stream.choice(WORDS['long_slots']['after'])}" if stream.chance(2, 5) else ""
                    filling = before + filling + after
                elif optional and name in "pqc":
                    filling = (
                        " ".join([filling, stream.choice(WORDS["long_slots"]["optional"])]).strip().replace(" ,", ",")
                    )
                fillings[name] = filling
            texts.append(template.format(**fillings))
            groups.append(str(number))
    return texts, groups


def _passages(stream: Stream, passages: Sequence[str], questions: Sequence[str]) -> Labelled:
    """Each passage with two to six questions."""
    texts, groups = [], []
    for number, passage in enumerate(passages):
        for question in stream.shuffled(list(questions))[: 2 + stream.below(5)]:
            texts.append(f"{passage}\n{question}")
            groups.append(str(number))
    return texts, groups


def _spanish(stream: Stream) -> Labelled:
    """60 passages of four sentences, with their questions."""
    passages = [
        " ".join(_fill(sentence, WORDS["spanish_fillings"], stream) for sentence in stream.sample(WORDS["spanish"], 4))
        for _ in range(60)
    ]
    return _passages(stream, passages, WORDS["spanish_questions"])


def _english_passages(stream: Stream, paragraphs: int) -> Labelled:
    """60 passages of so many unrelated paragraphs, with their questions."""
    prose = _prose(stream)
    passages = ["\n".join(prose[at * paragraphs : (at + 1) * paragraphs]) for at in range(60)]
    return _passages(stream, passages, WORDS["questions"])


def _premise_sets(stream: Stream) -> Labelled:
    """80 sets of four premises on made-up things; each item has three or four in its own order, and a conclusion."""
    syllables = ["bor", "zan", "tig", "fel", "mup", "lar", "ked", "wis", "nox", "pel"]
    forms = ("All {a} are {b}.", "Some {a} are {b}.", "No {a} are {b}.", "Not every {a} is a {b}.", "Most {a} are {b}.")
    texts, groups = [], []
    for number in range(80):
        names = [stream.choice(syllables) + stream.choice(syllables) + "s" for _ in range(5)]
        premises = [stream.choice(forms).format(a=a, b=b) for a, b in itertools.pairwise(names)]
        for _ in range(2 + stream.below(4)):
            a, b = stream.shuffled(names)[:2]
            conclusion = stream.choice(forms).format(a=a, b=b)
            texts.append(" ".join(stream.shuffled(premises)[: 3 + stream.below(2)]) + f" Therefore: {conclusion}")
            groups.append(str(number))
    return texts, groups


def _code(stream: Stream) -> Labelled:
    names = WORDS["identifiers"]
    fillings = dict.fromkeys("fxy", names) | {
        "F": ["Account", "Bridge", "Cart", "Door", "Engine"],
        "n": ["2", "3", "5", "7", "9", "11"],
    }
    texts, groups = _templates(WORDS["code"], 20, fillings, stream)
    return [f"What does this print or return?\n```\n{text}```" for text in texts], groups


def _tables(stream: Stream, csv: bool) -> Labelled:
    """40 tables, each with five questions."""
    heads = ["name", "town", "age", "price", "weight", "colour", "rank", "year"]
    texts, groups = [], []
    for number in range(40):
        columns = ["name", *stream.shuffled(heads[1:])[:3]]
        fillings = WORDS["english_fillings"]
        values = {**dict.fromkeys(heads, fillings["n"]), "name": fillings["p"], "town": fillings["c"]}
        values["colour"] = ["red", "blue", "green", "black", "white"]
        rows = [columns, *([stream.choice(values[column]) for column in columns] for _ in range(5))]
        lines = [",".join(row) if csv else f"| {' | '.join(row)} |" for row in rows]
        if not csv:
            lines.insert(1, "|---" * len(columns) + "|")
        for _ in range(5):
            column, person = stream.choice(columns[1:]), stream.choice(WORDS["english_fillings"]["p"])
            question = stream.choice([f"What is the {column} of {person}?", f"Which row has the largest {column}?",
                                      f"Is the {column} of {person} given?"])  # fmt: skip
            texts.append("\n".join([*lines, "", question]))
            groups.append(str(number))
    return texts, groups


def _paraphrases(stream: Stream) -> Labelled:
    texts, groups = [], []
    for number, wordings in enumerate(WORDS["paraphrases"]):
        for wording in wordings:
            for _ in range(10):
                texts.append(_fill(wording, WORDS["english_fillings"], stream))
                groups.append(str(number))
    return texts, groups


def _prose(stream: Stream) -> list[str]:
    """First paragraphs of the docstrings of Python's own library: real English texts that share no template."""
    import ast
    import sysconfig

    texts: dict[str, None] = {}
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8", errors="replace"))):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                text = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
                if 15 <= len(text.split()) <= 60:
                    texts[text] = None
    return stream.shuffled(sorted(texts))[:600]


def _free(texts: Iterable[str]) -> Labelled:
    kept = list(texts)
    return kept, [str(at) for at in range(len(kept))]


def _planted(stream: Stream) -> Labelled:
    from generators.planted_cues.dataset import generate

    return _free(item.prompt for item in generate("none", stream.below(2**31), 600))


def _mixed(stream: Stream) -> Labelled:
    """Half items of templates, half unrelated texts."""
    texts, groups = _templates(WORDS["english"], 15, WORDS["english_fillings"], stream)
    free, own = _free(_prose(stream)[: len(texts)])
    return texts + free, groups + [f"free {name}" for name in own]


def _english(count: int, each: int) -> Callable[[Stream], Labelled]:
    return lambda stream: _templates(WORDS["english"][:count], each, WORDS["english_fillings"], stream)


KINDS: dict[str, Callable[[Stream], Labelled]] = {
    "slots of one word": _english(16, 20),
    "slots of 1-5 words": lambda stream: _long(stream, optional=False),
    "slots of 0-5 words": lambda stream: _long(stream, optional=True),
    "dialogues": lambda stream: _templates(WORDS["dialogues"], 20, WORDS["english_fillings"], stream),
    "short passages": lambda stream: _english_passages(stream, 1),
    "long passages": lambda stream: _english_passages(stream, 4),
    "premise sets": _premise_sets,
    "paraphrases": _paraphrases,
    "German": lambda stream: _templates(WORDS["german"], 25, WORDS["german_fillings"], stream),
    "Chinese": lambda stream: _templates(WORDS["chinese"], 25, WORDS["chinese_fillings"], stream),
    "Japanese": lambda stream: _templates(WORDS["japanese"], 25, WORDS["japanese_fillings"], stream),
    "Spanish passages": _spanish,
    "code": _code,
    "Markdown tables": lambda stream: _tables(stream, csv=False),
    "CSV tables": lambda stream: _tables(stream, csv=True),
    "4 templates x 150": _english(4, 150),
    "5 templates x 120": _english(5, 120),
    "half templates": _mixed,
    "no templates: planted cues": _planted,
    "no templates: docstrings": lambda stream: _free(_prose(stream)),
}  # fmt: skip


def score(true: Sequence[str], detected: Sequence[int]) -> tuple[float, float, float]:
    """Return adjusted Rand, pair recall and pair precision; NaN for a share of no pairs."""
    import numpy as np
    from sklearn.metrics import adjusted_rand_score
    from sklearn.metrics.cluster import pair_confusion_matrix

    _, numbers = np.unique(np.asarray(true), return_inverse=True)
    (_, wrong), (missed, right) = pair_confusion_matrix(numbers, detected).tolist()
    share = [right / pairs if pairs else float("nan") for pairs in (right + missed, right + wrong)]
    return float(adjusted_rand_score(numbers, detected)), share[0], share[1]


def main(arguments: list[str] | None = None) -> int:
    """Print one line per kind, as Markdown."""
    options = _parser().parse_args(arguments)
    makers = {name: KINDS[name] for name in options.kinds}
    print(
        "| kind | items | true groups | detected | items joined | adjusted Rand | recall | precision | best cut-off |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, make in makers.items():
        _report(name, *make(Stream(options.seed, "template-kinds", name)))
    for path in options.declared:
        from audit.loading import load

        benchmark = load(path)
        _report(Path(path).stem, benchmark.prompts, benchmark.groups or [])
    for path in options.free:
        from audit.loading import load

        _report(f"no templates: {Path(path).stem}", *_free(load(path).prompts))
    return 0


def _report(name: str, texts: list[str], groups: list[str]) -> None:
    index = find_groups(texts).index
    sizes = Counter(index.tolist()).values()
    joined = sum(size for size in sizes if size > 1)
    shares = " | ".join("" if math.isnan(share) else f"{share:.2f}" for share in score(groups, index.tolist()))
    cuts = [(score(groups, cut.index.tolist())[0], cut.cutoff) for cut in similarity_partitions(texts)]
    best = f"{max(cuts)[1]:g} ({max(cuts)[0]:.2f})" if cuts and len(set(groups)) < len(groups) else ""
    print(f"| {name} | {len(texts):,} | {len(set(groups)):,} | {len(sizes):,} | {joined:,} | {shares} | {best} |")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="How well the audit finds groups that nobody declared.")
    parser.add_argument("--declared", nargs="+", default=[], metavar="FILE", help="benchmarks with a group column")
    parser.add_argument("--free", nargs="+", default=[], metavar="FILE", help="benchmarks of unrelated items")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=KINDS, metavar="NAME", help=", ".join(KINDS))
    parser.add_argument("--seed", type=int, default=1, help="default: 1")
    return parser


if __name__ == "__main__":
    sys.exit(main())
