"""Items of benchmarks that are not ours, so that everything that works on items works on them, too.

They come from a benchmark as the audit loads it, or from the logs of answers themselves, where these hold what was
asked and what is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from hansproof.audit.benchmark import Benchmark, natural_order
from hansproof.audit.formats.table import UnusableError
from hansproof.audit.harnesses.reply import Reply, folded
from hansproof.audit.reading.given_options import mark_of, printed_options
from hansproof.audit.reading.options import folded as as_written
from hansproof.audit.reading.roles import AnswerPart
from hansproof.audit.reading.task_kind import final_answer, open_ended
from hansproof.audit.replies.grid import ASKED, file_of
from hansproof.audit.replies.judged_reply import BY_HARNESS
from hansproof.audit.replies.scorers import ACCEPTED, INFERRED, MATCHED
from hansproof.generators.answering.naming import choices_named
from hansproof.generators.answering.numbers import value
from hansproof.generators.answering.texts import keyed_parts
from hansproof.generators.errors import Fault, InputError
from hansproof.generators.item import Item

__all__ = [
    "PLACE",
    "Items",
    "Labels",
    "id_within",
    "items_of",
    "items_of_replies",
    "labels_of",
    "qualified",
    "standards",
]

_POLAR = ({"yes", "no"}, {"true", "false"}, {"yes", "no", "unknown"}, {"true", "false", "unknown"})
"""Answers that are labels however few items there are."""
_OPPOSITES = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
_USUAL = frozenset(
    re.split(
        r"\s+",
        """yes no true false unknown maybe uncertain undetermined entailment neutral contradiction entailed contradicted
        entails contradicts not_entailment not_contradiction non-entailment supported refuted supports refutes nei
        not_enough_info positive negative mixed objective subjective acceptable unacceptable correct incorrect right
        wrong valid invalid equivalent not_equivalent duplicate not_duplicate paraphrase same different similar relevant
        irrelevant toxic nontoxic non-toxic hate hateful offensive spam ham good bad high low medium left center centre
        moral immoral ethical unethical plausible implausible agree disagree favor favour against none other both joy
        sadness anger fear love surprise disgust happy sad angry""",
    )
)
"""Words that are labels by custom, so that a model may be expected to keep to them."""
_LOOKED_AT = 200
"""Prompts that are searched for labels, evenly spaced."""


@dataclass(frozen=True)
class Labels:
    """The labels of some items: the few answers that all share, and whether anybody says that there are no others."""

    names: tuple[str, ...] | None
    """Sorted; None where answers are open."""
    inferred: bool = False
    """Whether nothing but golds that repeat makes them labels: they are no words of custom, and prompts do not name
    them. A reply may then well give another answer, which is wrong."""


def labels_of(golds: Iterable[str], answers: Sequence[str], prompts: Sequence[str]) -> Labels:
    """The labels of items with these golds (all that count), first golds and prompts; open where there are too many,
    where they are numbers beyond 10, which are calculated rather than chosen, and where they say who is what."""
    distinct = sorted(set(golds))
    if len(distinct) == 1 and (other := _opposite(distinct[0])):
        return Labels(tuple(sorted((distinct[0], other))))
    if len(distinct) < 2:
        return Labels(None)
    folded = {label.casefold() for label in distinct}
    if folded in _POLAR:
        return Labels(tuple(distinct))
    if open_ended(answers) or _calculated(distinct) or all(map(keyed_parts, distinct)):
        return Labels(None)
    usual = all(len(label) < 2 or label.isdecimal() or label.replace(" ", "_") in _USUAL for label in folded)
    return Labels(tuple(distinct), inferred=not usual and not _named(distinct, prompts))


def _opposite(label: str) -> str:
    """The answer that is left beside a gold for all, written like it: `[Yes]` for `[No]`; empty where none is known."""
    word = label.strip(" []().")
    other = _OPPOSITES.get(word.casefold(), "")
    cased = other.upper() if word.isupper() else other.title() if word.istitle() else other
    return label.replace(word, cased) if other else ""


def _calculated(golds: Sequence[str]) -> bool:
    numbers = [value(gold) for gold in golds]
    return None not in numbers and any(not 0 <= number <= 10 or number % 1 for number in numbers if number is not None)


def _named(labels: Sequence[str], prompts: Sequence[str]) -> bool:
    """Whether half of the prompts name two labels or more."""
    looked = prompts[:: max(1, len(prompts) // _LOOKED_AT)]
    return 2 * sum(len(choices_named(prompt, labels)) > 1 for prompt in looked) >= len(looked) > 0


# What a harness logs as its target need not be an answer. It may be a worked solution, of which the end counts, or a
# placeholder beside which the harness has a rule of its own, and where marks are shares no reply is right or wrong.

_PLACEHOLDERS = {"0", "0.0", "-1", "none", "null", "nan", "n/a", "na", "placeholder", "dummy"}
"""Gold answers that say nothing where all items of a benchmark have the same one of them; as written in lower case."""
_FEWEST = 2
"""Items from which on one gold answer for all is taken for a placeholder."""
_ENDS = {"####": "what stands after ####", "\\boxed{": "what stands in the last \\boxed{}"}
_ALONE = "the verdicts of the harness count, there is no chance level, and blind strategies leave its items out"

_Task = tuple[str, str]
"""Benchmark and harness."""


@dataclass
class Standards:
    """The replies of some logs with the gold answers that count, and what is to be known of these."""

    replies: list[Reply] = field(default_factory=list)
    """Without those that are left out."""
    by_harness: set[str] = field(default_factory=set)
    """Benchmarks on which the verdicts of the harness count, because no gold answer is known."""
    left_out: set[_Task] = field(default_factory=set)
    """Benchmarks and harnesses of which no reply can be right or wrong."""
    notes: list[str] = field(default_factory=list)


def standards(replies: Iterable[Reply], part: AnswerPart | None = None) -> Standards:
    """By what each benchmark is judged, each harness's form of it by itself.

    - Marks that are shares (the likelihood of all options that are true): it is left out.
    - No gold answers, or a placeholder for all of them: the verdicts of the harness count. Without verdicts a benchmark
      with a placeholder is left out, and so is one without golds where there are others.
    - Golds of which somebody names the part that counts (`part`), or worked solutions with a known end: that.

    Raises InputError where nothing is left, and for a `part` that no gold has.
    """
    tasks: dict[_Task, list[Reply]] = {}
    for reply in replies:
        tasks.setdefault((reply.benchmark, reply.harness), []).append(reply)
    made = Standards()
    parted = part is None
    for task, own in tasks.items():
        name = task[0] or "the logs"
        reason, judged = _without_golds(own, several=len(tasks) > 1)
        if reason and not judged:
            made.left_out.add(task)
            made.notes.append(f"{name}: in no number: {reason}")
            continue
        if reason:
            made.by_harness.add(task[0])
            made.notes.append(f"{name}: {reason}: {_ALONE}")
            made.replies += [msgspec.structs.replace(reply, golds=(), choices=()) for reply in own]
            continue
        if part is not None and (taken := list(_parts(own, part))):
            parted = True
            lacking = sum(not reply.golds for reply in taken) - sum(not reply.golds for reply in own)
            if lacking:
                made.notes.append(f"{name}: {lacking:,} gold answers lack the part that --answer-part names")
            own = taken
        elif part is None:
            own, mark = _ends(own)
            if mark:
                made.notes.append(f"{name}: the gold answers are worked solutions, of which {_ENDS[mark]} counts")
        made.replies += own
    if not parted and tasks:
        raise InputError("no gold answer in the logs has the part that --answer-part names")
    if tasks and not made.replies:
        raise InputError(f"there is nothing to score: {'; '.join(made.notes)}. Pass items with gold answers: --items")
    return made


def _without_golds(own: Sequence[Reply], *, several: bool) -> tuple[str, bool]:
    """Why golds cannot judge the replies of a benchmark, empty where they can; and whether the verdicts of the harness
    do it then. Without them no reply is right or wrong."""
    graded = next((reply.undecided for reply in own if reply.likeliest and reply.undecided), "")
    if graded:
        return f"its marks are shares, such as {graded}, so that no reply is right or wrong", False
    held, golds = _placeholder(own), any(reply.golds for reply in own)
    if any(reply.judged is not None for reply in own):
        return held or ("" if golds else "its log has no gold answers"), True
    if held:
        return f"{held}, and there are no verdicts of the harness", False
    return "its log has neither gold answers nor verdicts of the harness" if several and not golds else "", False


def _placeholder(own: Sequence[Reply]) -> str:
    """That the golds of a benchmark are a placeholder; empty where they are not."""
    if own[0].choices or len(golds := {reply.golds for reply in own}) > 1:
        return ""
    (gold,) = golds
    if len(gold) != 1 or gold[0].strip().lower() not in _PLACEHOLDERS:
        return ""
    items = {reply.id if reply.id is not None else reply.prompt for reply in own}
    return f"the gold answer of every item is {gold[0]!r}, a placeholder" if len(items) >= _FEWEST else ""


def _parts(own: Sequence[Reply], part: AnswerPart) -> Iterator[Reply]:
    """The replies with the part of their golds that counts, no golds where none has it; none where that is all."""
    taken = []
    for reply in own:
        golds: dict[str, None] = {}
        for gold in reply.golds:
            try:
                golds.setdefault(str(part(gold)).strip())
            except UnusableError:
                continue
        taken.append(msgspec.structs.replace(reply, golds=tuple(filter(None, golds))))
    if any(reply.golds for reply in taken):
        yield from taken


def _ends(own: list[Reply]) -> tuple[list[Reply], str]:
    """The replies with the ends of their golds, and the mark before these, where the golds are worked solutions."""
    open_ = [reply for reply in own if reply.golds and not reply.choices]
    if not open_ or len(open_) < len(own) or any(len(reply.golds) > 1 for reply in own):
        return own, ""
    firsts = [reply.golds[0] for reply in own]
    ends, mark = final_answer(firsts)
    if not mark or ends == firsts:
        return own, ""
    return [msgspec.structs.replace(reply, golds=(end,)) for reply, end in zip(own, ends, strict=True)], mark


PLACE = "place"
"""The key of the metadata of an item that is called by its place, with that place."""
_BROKEN = re.compile(r"^([ \t]*[(\[]?(?:[A-Za-z]|\d{1,2})[)\].:])[ \t]*\n[ \t]*(?=\S)", re.M)
"""A mark above its option."""
_Choice = tuple[tuple[str, ...], tuple[str, ...]]
"""The options of an item, and the right ones."""


class Items(list[Item]):
    """The items of one source."""

    def __init__(
        self,
        items: Iterable[Item],
        notes: Iterable[str] = (),
        without_ids: str = "",
        left_out: Iterable[tuple[str, str]] = (),
        benchmark: Benchmark | None = None,
    ) -> None:
        super().__init__(items)
        self.benchmark = benchmark
        """What they were read from, in their order; None for items of logs."""
        self.left_out = frozenset(left_out)
        """Benchmarks and harnesses whose replies are to none of the items because none is right or wrong."""
        self.without_ids = without_ids
        """Why they are not known by the ids of their source; empty where they are, or where it has none."""
        self.notes = tuple(notes)
        """What their numbers rest on, in words: groups that count together, rows that are left out."""

    def judged(self, replies: Iterable[Reply]) -> Iterator[Reply]:
        """The replies that can be right or wrong."""
        return (reply for reply in replies if (reply.benchmark, reply.harness) not in self.left_out)


def items_of(benchmark: Benchmark) -> list[Item]:
    """One item per item of the benchmark, in its order.

    `choices` are the item's own options, in columns or printed in its prompt, or all labels where every other answer is
    one of a few (`labels_of`); None for open answers. The group is the declared one, or the id; the subset is the
    published split. Items without an id, and those whose ids repeat, are called by their place, with its file:
    `bench.csv: line 3`.
    """
    file = Path(benchmark.source).name
    places = benchmark.places or [f"row {number}" for number in range(1, len(benchmark.prompts) + 1)]
    ids = benchmark.ids if len(set(benchmark.ids)) == len(benchmark.ids) else places
    accepted = benchmark.accepted or [(answer,) for answer in benchmark.answers]
    options = [_own_options(benchmark, place) for place in range(len(benchmark.prompts))]
    printed = [
        own or _printed(prompt, golds) for own, prompt, golds in zip(options, benchmark.prompts, accepted, strict=True)
    ]
    rest = [place for place, own in enumerate(printed) if own is options[place]]
    labels = labels_of(
        [gold for place in rest for gold in accepted[place]],
        [benchmark.answers[place] for place in rest],
        [benchmark.prompts[place] for place in rest],
    )
    items = []
    for place, prompt in enumerate(benchmark.prompts):
        own_place = places[place] if ids[place] == places[place] else ""
        name = f"{file}: {own_place}" if own_place and file else ids[place]
        group = benchmark.groups[place] if benchmark.groups is not None else name
        subset = benchmark.splits[place] if benchmark.splits is not None else ""
        about = {PLACE: own_place} if own_place else {}
        golds = accepted[place]
        items.append(_item(name, prompt, golds, printed[place], labels, (group, ""), (benchmark.name, subset), about))
    return items


def _item(
    id: str,
    prompt: str,
    golds: Sequence[str],
    choice: _Choice | None,
    labels: Labels,
    matched: tuple[str, str],
    names: tuple[str, str],
    about: Mapping[str, object],
) -> Item:
    """An item with options of its own (`choice`), or else with the `labels` that it shares with others; `matched` are
    its group and condition, `names` those of dataset and subset, and `about` is what else its metadata says."""
    choices, right = choice or (labels.names, golds)
    metadata: dict[str, object] = {"dataset": names[0], "version": "", "subset": names[1], "seed": 0, "canary": ""}
    metadata |= {ACCEPTED: list(right), "lettered": bool(choice), **about}
    metadata |= {INFERRED: True} if labels.inferred and not choice else {}
    return Item(id, prompt, choices, right[0] if right else None, *matched, metadata)


def id_within(item: Item) -> str:
    """The id of an item within its own file, which an audit of that file has, too: `line 3` for one without an id."""
    return str(item.metadata.get(PLACE, item.id))


def _own_options(benchmark: Benchmark, place: int) -> _Choice | None:
    """The options of one item and the right ones; None where it has none of its own that can be used."""
    options = benchmark.options
    if options is None or options.refusal or options.faults[place] or not options.texts[place]:
        return None
    texts = tuple(options.texts[place])
    if len(set(texts)) < len(texts):
        return None
    gold = texts[options.gold[place]]
    others = benchmark.accepted[place] if benchmark.accepted is not None else ()
    return texts, (gold, *(other for other in others if other in texts and other != gold))


def _printed(prompt: str, golds: Sequence[str]) -> _Choice | None:
    """The options that a prompt prints, where each gold repeats one of them: `(a) blue`, or `blue`; else None."""
    entry = printed_options(_BROKEN.sub(r"\1 ", prompt))
    if entry is None or entry.run_on or not golds:
        return None
    texts = tuple(text.rstrip(" .") for text in entry.texts)
    named = {as_written(text): place for place, text in enumerate(texts)}
    if len(named) < len(texts) or "" in named:
        return None
    right = []
    for gold in golds:
        head, _, rest = gold.strip().rstrip(" .").partition(" ")
        marked = bool(rest) and not head[-1:].isalnum() and mark_of(head) in entry.marks
        place = named.get(as_written(rest if marked else f"{head} {rest}"))
        if place is None or (marked and entry.marks[place] != mark_of(head)):
            return None
        right.append(texts[place])
    return texts, tuple(right)


def qualified(benchmark: str, id: str) -> str:
    """The id of an item of one of several benchmarks."""
    return f"{benchmark}/{id}"


@dataclass
class _Asked:
    """What the logs say of one item."""

    prompts: list[str] = field(default_factory=list)
    golds: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    place: str = ""
    harnesses: set[str] = field(default_factory=set)
    condition: str = ""
    original: str = ""
    """The id of the item that this one perturbs."""
    judged: bool = False
    """Whether a reply to it has a mark of a harness."""


def items_of_replies(replies: Iterable[Reply], part: AnswerPart | None = None) -> Items:
    """The items that some logs hold: all that any of them asked, by benchmark and id, or by prompt where it has no id.

    A benchmark is a subset where the logs are of several; what several harnesses call the same without an item in
    common is a subset of each harness, and a note says so. The prompt is the shortest form in which an item was asked.
    The order is that of benchmarks and ids, with numbers inside ids by size, whatever the order of the logs. What
    counts of the golds is said by `standards`, with the `part` that somebody names. Raises InputError as it does, where
    two logs ask different questions, or hold different golds, under one id, where no log holds prompts, and
    where none holds golds or verdicts.
    """
    judged = standards(replies, part)
    asked = _asked_in(judged.replies)
    if not asked:
        raise InputError("the answers do not hold what was asked, so the items are needed: pass them with --items")
    if not any(known.golds or known.judged for known in asked.values()):
        raise InputError(
            "the answers hold no gold answers and no verdicts, so none is right or wrong: name the column of the gold "
            "answers (--column gold=NAME) or that of verdicts (--column judged=NAME), or pass the items with --items",
            file_of(next(iter(asked.values())).place),
        )
    printed = set()
    for key, known in asked.items():
        choice = _printed(min(known.prompts, key=len), known.golds)
        if choice and not set(known.golds) <= set(known.choices):
            known.choices, known.golds = choice
            printed.add(key)
    benchmarks = sorted({benchmark for benchmark, _ in asked})
    subsets, notes = _subsets(asked)
    labels: dict[str, Labels] = {}
    for name in dict.fromkeys(subsets.values()):
        own = [known for key, known in asked.items() if subsets[key] == name and known.golds and key not in printed]
        labels[name] = labels_of(
            [gold for known in own for gold in known.golds],
            [known.golds[0] for known in own],
            [known.prompts[0] for known in own],
        )
    dataset = benchmarks[0] if len(benchmarks) == 1 else "answers"
    items = []
    ordered = sorted(asked.items(), key=lambda entry: (entry[0][0], subsets[entry[0]], natural_order(entry[0][1])))
    for key, known in ordered:
        (benchmark, id), subset = key, subsets[key]
        original = known.original or id
        name, matched = (qualified(benchmark, of) if len(benchmarks) > 1 else of for of in (id, original))
        prompt = min(known.prompts, key=lambda prompt: (len(prompt), prompt))
        lettered = bool(known.choices) and set(known.golds) <= set(known.choices)
        about: dict[str, object] = {MATCHED: matched} if known.condition else {}
        about |= {ASKED: f"{subset}: {known.condition}"} if known.original else {}
        about |= {BY_HARNESS: True} if benchmark in judged.by_harness and not known.golds else {}
        choice = (known.choices, known.golds) if lettered else None
        names = dataset, subset
        items.append(_item(name, prompt, known.golds, choice, labels[subset], (matched, known.condition), names, about))
    return Items(items, [*judged.notes, *notes], left_out=judged.left_out)


def _asked_in(replies: Iterable[Reply]) -> dict[tuple[str, str], _Asked]:
    """What the replies that hold their prompt were asked, by benchmark, and id or else prompt. Raises InputError for
    different questions or golds under one id."""
    asked: dict[tuple[str, str], _Asked] = {}
    faults: list[Fault] = []
    for reply in replies:
        if reply.prompt is None or not reply.prompt.strip():
            continue
        key = reply.benchmark, reply.id if reply.id is not None else folded(reply.prompt)
        known = asked.setdefault(key, _Asked(golds=reply.golds, choices=reply.choices, place=reply.place))
        known.judged = known.judged or reply.judged is not None or bool(reply.undecided)
        known.harnesses.add(reply.harness)
        known.condition, known.original = known.condition or reply.condition, known.original or reply.original
        if reply.prompt not in known.prompts:
            # Two ask the same if they are equal without roles and white space, or if one stands in the other.
            first, last = folded((known.prompts or [reply.prompt])[0]), folded(reply.prompt)
            if first not in last and last not in first:
                faults.append(Fault(f"another prompt under the id {key[1][:80]!r} than at {known.place}", reply.place))
                continue
            known.prompts.append(reply.prompt)
        if reply.golds and known.golds and set(reply.golds) != set(known.golds):
            faults.append(Fault(f"another gold answer for {key[1][:80]!r} than at {known.place}", reply.place))
        known.golds = known.golds or reply.golds
        known.choices = known.choices or reply.choices
    if faults:
        raise InputError.of(faults)
    return asked


def _subsets(asked: Mapping[tuple[str, str], _Asked]) -> tuple[dict[tuple[str, str], str], list[str]]:
    """The subset of each item, and a note for each benchmark that is several.

    Harnesses that share an item ask the same benchmark. Those that share none ask their own forms or parts of it: taken
    together, each model would miss what only the others were asked.
    """
    linked: dict[str, list[tuple[set[str], str]]] = {}  # benchmark -> (harnesses that share items, place of the first)
    for (benchmark, _), known in asked.items():
        parts = linked.setdefault(benchmark, [])
        alike = [part for part in parts if part[0] & known.harnesses]
        together = known.harnesses.union(*(harnesses for harnesses, _ in alike))
        others = [part for part in parts if part not in alike]
        linked[benchmark] = [*others, (together, alike[0][1] if alike else known.place)]
    names: dict[tuple[str, str], str] = {}  # (benchmark, harness) -> subset
    notes = []
    for benchmark, parts in sorted(linked.items()):
        called = []
        for harnesses, place in sorted(parts, key=lambda part: sorted(part[0])):
            own = " and ".join(sorted(harnesses)) or "other files"
            name = f"{benchmark} ({own})" if len(parts) > 1 else benchmark
            names |= {(benchmark, harness): name for harness in harnesses}
            called.append(f"{name!r} (first in {place})")
        if len(parts) > 1:
            notes.append(
                f"{benchmark!r} names {len(parts)} benchmarks: logs of different harnesses call it so, but share no "
                f"item. They are kept apart as {', '.join(called)}"
            )
    return {key: names[key[0], min(known.harnesses)] for key, known in asked.items()}, notes
