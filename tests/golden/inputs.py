"""The small files that the golden documents are made of, written into the folder in which their commands run.

They stand in for what people bring: benchmarks of every shape, answers of models to them, features of models, and files
with faults. What `small_benchmarks` has is taken from there.
"""

import csv
import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path

import made_logs
import small_benchmarks
from small_benchmarks import CREATURES, DEEDS, JOINTS, NAMES, PLACES, THINGS

__all__ = ["write_inputs"]

WORDS = [*CREATURES, *DEEDS, *THINGS, *PLACES, *JOINTS]


def write_inputs(folder: Path) -> None:
    """Write every input into `folder`, which is empty."""
    small_benchmarks.write_all(folder)
    for name, rows in BENCHMARKS.items():
        _write_lines(folder / f"{name}.jsonl", rows)
    _write_lines(folder / "shared-train.jsonl", published()[:160])
    _write_lines(folder / "shared-test.jsonl", published()[160:])
    (folder / "folder").mkdir()
    _write_lines(folder / "folder" / "cue.jsonl", cued(60))
    _write_lines(folder / "folder" / "few.jsonl", cued(12))
    (folder / "newer").mkdir()
    _write_lines(folder / "newer" / "cue.jsonl", cued(60, 10, "newer"))
    _write_lines(folder / "newer" / "added.jsonl", cued(40))
    (folder / "card").mkdir()
    (folder / "card" / "cognitive-tasks-1.1.0.errata.md").write_text("- None is known.\n", encoding="utf-8")
    (folder / "link").symlink_to("nowhere")
    _write_lines(folder / "folder" / "options.jsonl", chosen(40, "longest"))
    (folder / "newer" / "few.jsonl").write_text("", encoding="utf-8")
    (folder / "folder" / "broken.jsonl").write_text('{"prompt": "Is it', encoding="utf-8")
    _write_answers(folder)
    _write_table(folder / "models.csv", features())
    for name, text in FAULTY.items():
        (folder / name).write_text(text, encoding="utf-8")


def draw(count: int, *path: object) -> int:
    """A number below `count` that its path decides."""
    return int.from_bytes(hashlib.blake2b(repr(path).encode(), digest_size=8).digest(), "big") % count


def pick(words: list[str], *path: object) -> str:
    return words[draw(len(words), *path)]


def sample(words: list[str], count: int, *path: object) -> list[str]:
    return sorted(words, key=lambda word: draw(2**60, word, *path))[:count]


def sentence(*path: object) -> str:
    """A statement of no template: no two have more than a few words in common."""
    first, second = sample(CREATURES, 2, "creatures", *path)
    deed, other = sample(DEEDS, 2, "deeds", *path)
    words = [pick(kind, place, *path) for place, kind in enumerate((PLACES, THINGS, JOINTS, NAMES, PLACES, THINGS))]
    return f"the {first} will {deed} {words[0]} a {words[1]} {words[2]} {words[3]}'s {second} may {other} {words[4]} it"


def cued(count: int, strength: int = 90, name: str = "cued") -> list[dict[str, object]]:
    """Yes and no by the toss of a coin; one word goes with `yes` in `strength` per cent of the items."""
    rows = []
    for item in range(count):
        answer = pick(["yes", "no"], name, item)
        tells = draw(100, name, "tells", item) < strength
        word = "often" if (answer == "yes") == tells else "rarely"
        rows.append({"question": f"Is it {word} so that {sentence(name, item)}?", "answer": answer})
    return rows


THRICE = {"often": "yes", "rarely": "no", "perhaps": "maybe"}


def thrice(count: int) -> list[dict[str, object]]:
    """Three answers, each with a word that goes with it in three of four items."""
    rows = []
    for item in range(count):
        answer = pick(list(THRICE.values()), "thrice", item)
        words = sorted(THRICE, key=lambda word: THRICE[word] != answer)
        word = words[0] if draw(4, "tells", item) else words[1 + draw(2, "which", item)]
        rows.append(
            {"id": f"t{item}", "question": f"Is it {word} so that {sentence('thrice', item)}?", "answer": answer}
        )
    return rows


def shouted(count: int) -> list[dict[str, object]]:
    """What is in capitals is true, and long: the cue is in the format and in the length."""
    rows = []
    for item in range(count):
        answer = pick(["true", "false"], "shouted", item)
        text = f"{sentence('shouted', item)}."
        if answer == "true" and draw(10, "loud", item):
            text = f"{text.upper()}\n\n{sentence('more', item).upper()}!"
        rows.append({"text": text, "label": answer, "id": f"s{item}"})
    return rows


def spaced(count: int) -> list[dict[str, object]]:
    """Only blanks tell the answer: a line break for each blank."""
    rows = []
    for item in range(count):
        answer = pick(["true", "false"], "spaced", item)
        text = f"{sentence('spaced', item)}, {sentence('spaced more', item)}."
        if answer == "true" and draw(10, "breaks", item):
            text = text.replace(" ", "\n")
        rows.append({"text": text, "label": answer})
    return rows


def lengthy(count: int) -> list[dict[str, object]]:
    """Only the length tells the answer."""
    rows = []
    for item in range(count):
        answer = pick(["true", "false"], "lengthy", item)
        many = 7 if answer == "true" and draw(10, "many", item) else 2
        rows.append({"text": f"{', '.join(sentence('lengthy', item, place) for place in range(many))}.",
                     "label": answer})  # fmt: skip
    return rows


def mentioned(count: int) -> list[dict[str, object]]:
    """A passage and a question about it; the answer stands first in its prompt."""
    rows = []
    for item in range(count):
        first, second = sample(["heron", "badger", "otter"], 2, "mentioned", item)
        passage = f"The {first} will {pick(DEEDS, 'm', item)} {pick(PLACES, 'm', item)} the {pick(THINGS, 'm', item)}."
        question = f"Who was it, the {second} or the {first}, {pick(JOINTS, 'm', item)} {sentence('mentioned', item)}?"
        rows.append({"passage": passage, "question": question, "answer": first})
    return rows


def paired(count: int) -> list[dict[str, object]]:
    """Premise and hypothesis; the hypothesis alone gives the label away."""
    rows = []
    for item in range(count):
        label = pick(["entailment", "neutral", "contradiction"], "paired", item)
        marks = {"entailment": "Somebody", "neutral": "Perhaps", "contradiction": "Nobody"}
        opening = marks[label] if draw(8, "tells", item) else "Maybe"
        rows.append(
            {"premise": f"Today {sentence('premise', item)}.",
             "hypothesis": f"{opening} saw that {sentence('h', item)}.", "label": label}
        )  # fmt: skip
    return rows


def skewed(count: int) -> list[dict[str, object]]:
    """Four of five answers are yes, and nothing else is to be found."""
    answers = ["yes", "yes", "yes", "yes", "no"]
    return [{"question": f"So {sentence('skewed', item)}?", "answer": answers[item % 5]} for item in range(count)]


def contradictory(count: int) -> list[dict[str, object]]:
    """Every text with both answers."""
    return [{"question": f"Will {sentence('both', item // 2)}?", "answer": ("yes", "no")[item % 2]}
            for item in range(count)]  # fmt: skip


def short(count: int) -> list[dict[str, object]]:
    """Four words each, labels by chance: in so few words every cue would be found."""
    return [{"id": f"s{item}", "question": " ".join(pick(DEEDS, "short", item, place) for place in range(4)),
             "answer": pick(["yes", "no"], "short", item)} for item in range(count)]  # fmt: skip


AT_GOLD: dict[str, Callable[[str, str, int], str]] = {
    "longest": lambda option, asked, item: f"{option} {' '.join(sample(WORDS, 3, 'more', item))}",
    "word": lambda option, asked, item: f"{option} surely",
    "question": lambda option, asked, item: f"{asked} {option}",
    "repeated": lambda option, asked, item: pick(["the old mill", "a small pond", "her red coat"], "repeated", item),
    "rare": lambda option, asked, item: " ".join(
        f"{word}{draw(999, word, item)}" for word in sample(WORDS, 3, "rare", item)
    ),
}
"""Cue -> the right option with it."""

ELSEWHERE: dict[str, Callable[[str, str, int], str]] = {
    "odd": lambda option, asked, item: f"{' '.join(sample(WORDS, 3, 'shared', item))} {option.split()[0]}",
    "unlike": lambda option, asked, item: f"{asked} {option.split()[0]}",
}
"""Cue -> a wrong option where the right one is told by what it lacks."""

ENDINGS = {"negation": ("not", "now"), "absolutes": ("may", "always")}
"""Cue -> how the right option ends, and the others."""


def moved(cue: str, options: list[str], gold: int, item: int) -> int:
    """Where the right option stands, for cues of place; `options` change places."""
    if cue == "position":
        options[0], options[gold], gold = options[gold], options[0], 0
    if cue == "all":
        options[3], options[gold], gold = "all of the above", options[3], 3
    if cue == "none":
        options[(gold + 1) % 4] = "none of the above"
    if cue == "joint" and draw(2, "joint", item):
        options[3], gold = "all of the above", 3
    return gold


def chosen(count: int, cue: str) -> list[dict[str, object]]:
    """Four options of an item's own; the right one is found by `cue`."""
    rows = []
    for item in range(count):
        options = [" ".join(sample(WORDS, 4, cue, item, place)) for place in range(4)]
        gold = draw(4, "gold", cue, item)
        asked = " ".join(sample(WORDS, 3, "asked", cue, item))
        if draw(10, "tells", cue, item):
            if cue in AT_GOLD:
                options[gold] = AT_GOLD[cue](options[gold], asked, item)
            for place in set(range(4)) - {gold} if cue in ELSEWHERE else ():
                options[place] = ELSEWHERE[cue](options[place], asked, item)
            if cue in ENDINGS:
                options = [f"{option} {ENDINGS[cue][place != gold]}" for place, option in enumerate(options)]
            gold = moved(cue, options, gold, item)
        rows.append({"question": f"Which goes with {asked}, case {item}?", "choices": options, "answer": gold})
    return rows


def spans(count: int) -> list[dict[str, object]]:
    """A name that the prompt has, in most items the first one; answers hardly recur."""
    rows = []
    for item in range(count):
        endings = ["bert", "lyn", "mar", "son", "ton", "wick"]
        names = [f"{pick(NAMES, 'first', place, item)}{pick(endings, 'ending', place, item)}"
                 f" {pick(THINGS, 'last', place, item).capitalize()}" for place in range(3)]  # fmt: skip
        where = f"{pick(PLACES, 'where', item)} the {pick(THINGS, 'what', item)}"
        text = f"{names[0]} met {names[1]} {where}, and {names[2]} left."
        answer = names[0] if draw(4, "first", item) else names[2]
        rows.append({"prompt": f"{text} {pick(['Who came?', 'What is the name?', 'Who was it?'], item)}",
                     "answer": answer})  # fmt: skip
    return rows


def templated(count: int) -> list[dict[str, object]]:
    """Sums and differences: a template always asks for the same one."""
    rows = []
    for item in range(count):
        story = item % 12
        more, less = 20 + draw(60, "more", item), 2 + draw(17, "less", item)
        name, thing, place = NAMES[story], THINGS[story], PLACES[story]
        text = f"{name} has {more} of them {place} the {thing} and {DEEDS[story % 10]}s {less} times. How many now?"
        rows.append({"prompt": text, "answer": str(more + less if story % 2 else more - less), "group": f"t{story}"})
    return rows


def unsolved(count: int) -> list[dict[str, object]]:
    """Numbers that nothing in the prompt gives."""
    return [{"prompt": f"How many did {sentence('unsolved', item)} with {draw(90, 'a', item)} others?",
             "answer": str(100 + draw(9000, "b", item))} for item in range(count)]  # fmt: skip


def constant(count: int) -> list[dict[str, object]]:
    """Open answers, of which one is common."""
    return [{**row, "answer": row["answer"] if item % 3 else "0"} for item, row in enumerate(unsolved(count))]


def worded(count: int) -> list[dict[str, object]]:
    """Which of the names is right goes with the question."""
    rows = []
    for item, row in enumerate(spans(count)):
        text = str(row["prompt"]).rpartition(" W")[0]
        names = [part.strip(",.") for part in text.split(" met ")]
        kind = pick(["late", "early"], "worded", item)
        right = names[0] if kind == "late" else text.rpartition("and ")[2].removesuffix(" left.")
        rows.append({"prompt": f"{text} Who was {kind}?", "answer": right})
    return rows


def keyed(count: int) -> list[dict[str, object]]:
    """Answers of several parts, one of which a word of the prompt gives away."""
    rows = []
    for item in range(count):
        kind = pick(["knight", "knave"], "keyed", item)
        text = f"{'Surely' if kind == 'knight' else 'Hardly'} {sentence('keyed', item)}. What are A and B?"
        rows.append({"prompt": text, "answer": f"A: {kind}; B: {pick(THINGS, item)} {draw(900, 'k', item)}"})
    return rows


def essays(count: int) -> list[dict[str, object]]:
    """Answers of many words, which nothing gives."""
    return [{"prompt": f"Tell of {sentence('essays', item)}.",
             "answer": f"{sentence('a', item)}, {sentence('b', item)}"}
            for item in range(count)]  # fmt: skip


def published() -> list[dict[str, object]]:
    """200 items; the last forty repeat texts, near-texts and templates of the others, some with another answer."""
    rows = []
    for item in range(200):
        source = item - 160 if item >= 160 else item
        answer = pick(["yes", "no", "maybe"] if item < 160 else ["yes", "no"], "published", source)
        text = f"Is it {'often' if answer == 'yes' else 'rarely'} that {sentence('published', source)}?"
        if 170 <= item < 180:
            text = text.replace("the ", "that ", 1)
        if item >= 180:
            text = f"Is it {'often' if answer == 'yes' else 'rarely'} that {sentence('new', item)}?"
        if 160 <= item < 164:
            answer = "no" if answer == "yes" else "yes"
        rows.append({"question": text, "answer": answer})
    return rows


def arms(count: int) -> list[dict[str, object]]:
    """Matched questions in two conditions and two topics."""
    return [{"id": f"q{item}", "question": f"Will {sentence('arms', item // 2)} {('now', 'then')[item % 2]}?",
             "answer": pick(["yes", "no"], "arms", item // 2), "pair": item // 2,
             "arm": ("plain", "changed")[item % 2], "topic": ("woods", "town")[item // 2 % 2]}
            for item in range(count)]  # fmt: skip


def similar(count: int) -> list[dict[str, object]]:
    """Stories in families of texts that are somewhat alike, each family with one answer; the groups are declared."""
    rows = []
    for item in range(count):
        family = item % 20
        words = sentence("family", family).split()
        words = [
            pick(WORDS, "instead", item, at) if draw(100, "swap", item, at) < 45 else w for at, w in enumerate(words)
        ]
        rows.append({"question": " ".join(words), "answer": ("yes", "no")[family % 2], "story": item // 2})
    return rows


def asked() -> list[dict[str, object]]:
    """A quiz with a shortcut, in two languages."""
    return [{"id": f"a{item}", **row, "level": ("easy", "hard")[item % 2]} for item, row in enumerate(cued(160, 80))]


BENCHMARKS = {
    "cue": cued(120),
    "faint": cued(200, 66, "faint"),
    "shouted": shouted(120),
    "mentioned": mentioned(120),
    "paired": paired(100),
    "skewed": skewed(200),
    "contradictory": contradictory(160),
    "short": short(200),
    "few": cued(12),
    "spaced": spaced(90),
    "lengthy": lengthy(90),
    "constant": constant(120),
    "worded": worded(80),
    "similar": similar(160),
    **{f"options-{cue}": chosen(60, cue) for cue in ("none", "negation", "repeated", "rare", "odd", "unlike", "joint")},
    "longest": chosen(48, "longest"),
    "word": chosen(48, "word"),
    "position": chosen(48, "position"),
    "question": chosen(48, "question"),
    "all": chosen(60, "all"),
    "absolutes": chosen(60, "absolutes"),
    "spans": spans(80),
    "templated": templated(144),
    "unsolved": unsolved(150),
    "keyed": keyed(120),
    "essays": essays(40),
    "arms": arms(120),
    "quiz": asked(),
    "thrice": thrice(110),
    "gap": [*asked(), {"id": "gap", "question": "Is it so?"}],
    "gaps": [*asked(), *({"id": f"gap{number}", "question": "Is it so?"} for number in range(2))],
    "speaking": [{**row, "choices": [*row["choices"][:3], "both a and b"]} for row in chosen(48, "position")],
    "grown": [*cued(120)[20:], *cued(60, 10, "grown")],
}
"""The visible table: file -> rows. What each is like, its function says."""

FAULTY = {
    "no-answer.csv": "question,remark\nIs it so?,none\n",
    "half.jsonl": '{"question": "Is it so?", "answer": "yes"}\n{"question": "Is it',
    "empty.csv": "",
    "two-golds.csv": "question,answer,label\n" + "Is it so?,yes,no\n" * 3,
    "stranger.jsonl": '{"id": "nobody", "reply": "yes"}\n',
    "table.csv": "said,asked\nyes,Is it so?\n",
}
"""Files with one fault each."""


def said(model: str, row: dict[str, object], right: int, labels: list[str]) -> str:
    """What a model says: right in `right` per cent of the items, and now and then unclear."""
    gold = str(row["answer"])
    others = [label for label in labels if label != gold] or ["no idea"]
    if draw(25, "unclear", model, row["id"]) == 0:
        return f"It could be {labels[0]} or {labels[-1]}; that depends."
    answer = gold if draw(100, "right", model, row["id"]) < right else pick(others, model, row["id"])
    return f"Let me think about it.\nAnswer: {answer}"


def _write_answers(folder: Path) -> None:
    quiz = asked()
    for model, family, with_cue, without in (
        ("alpha", "ours", 92, 40), ("beta", "ours", 80, 75), ("gamma", "theirs", 70, 62), ("delta", "theirs", 66, 60)
    ):  # fmt: skip
        lines = []
        for row in quiz:
            cue = ("often" in str(row["question"])) == (row["answer"] == "yes")
            reply = said(model, row, with_cue if cue else without, ["yes", "no"])
            lines.append({"id": row["id"], "reply": reply, "model": model, "family": family})
        _write_lines(folder / "answers" / f"{model}.jsonl", lines[: 140 if model == "delta" else 160])
    _write_lines(folder / "unclear.jsonl", [
        {"id": row["id"], "reply": "Who can say?", "model": "mute"} if at % 2 == 0 else
        {"id": row["id"], "reply": str(row["answer"]), "model": "sure"} for row in quiz for at in range(2)
    ])  # fmt: skip
    _write_lines(folder / "many.jsonl", [
        {"id": row["id"], "model": f"n{model}",
         "reply": said(f"n{model}", row, 50 + 4 * model, ["yes", "no"]) if at % 3 else "Yes or no?"}
        for model in range(10) for at, row in enumerate(quiz[:40])
    ])  # fmt: skip
    _write_lines(folder / "half-arms.jsonl", [
        {"id": row["id"], "reply": row["answer"], "model": model}
        for model in ("half", "most") for at, row in enumerate(arms(120))
        if (row["arm"] == "plain" if model == "half" else at % 11)
    ])  # fmt: skip
    _write_messy(folder, quiz)
    _write_choices(folder)
    _write_voices(folder)
    _write_lines(folder / "few-items.jsonl", quiz[:12])
    _write_lines(folder / "few-answers.jsonl", [
        {"id": row["id"], "reply": said(model, row, 70, ["yes", "no"]), "model": model}
        for model in ("mine", "yours") for row in quiz[:12]
    ])  # fmt: skip
    _write_table(folder / "families.csv", [
        {"model": model, "family": family}
        for model, family in (("alpha", "ours"), ("beta", "ours"), ("gamma", "theirs"), ("delta", "theirs"))
    ])  # fmt: skip
    _write_lines(folder / "replies-arms.jsonl", [
        {"id": row["id"], "model": model, "style": style, "run": run,
         "reply": said(f"{model}{run}", row, right - 25 * (row["arm"] != "plain"), ["yes", "no"])}
        for model, right in (("mine", 90), ("yours", 70)) for style in ("direct", "zero-shot-cot") for run in ("1", "2")
        for row in arms(120)
    ])  # fmt: skip


def _write_messy(folder: Path, quiz: list[dict[str, object]]) -> None:
    """Answers with all that can be wrong with them, and logs of harnesses that judge otherwise than we read."""
    lines = [{"id": row["id"], "reply": row["answer"], "model": "neat"} for row in quiz[:90]]
    lines += [{"id": row["id"], "reply": "yes", "model": "neat"} for row in quiz[:3]]
    lines += [{"id": f"x{place}", "reply": "no", "model": "neat"} for place in range(4)]
    lines += [{"id": row["id"], "reply": "", "model": "neat"} for row in quiz[90:95]]
    lines += [{"id": row["id"], "prompt": "Something else?", "reply": "no", "model": "neat"} for row in quiz[95:100]]
    lines += [{"prompt": row["question"], "reply": "Yes or no, who knows?", "model": "vague"} for row in quiz[:80]]
    lines += [{"prompt": row["question"], "reply": f"Answer: {row['answer']}", "model": "vague"} for row in quiz[80:]]
    _write_lines(folder / "messy.jsonl", lines)
    (folder / "judged").mkdir()
    samples = []
    for at, row in enumerate(quiz):
        reply = str(row["answer"]) if at % 3 else "yes"
        sample = made_logs.inspect_sample((row["id"], row["question"], row["answer"], reply, at % 4 != 0))
        if at % 20 == 7:
            sample["scores"]["match"]["value"] = "P"
        if at % 20 == 9:
            sample["scores"] = {}
        samples.append(sample)
    log = made_logs.inspect_log(folder / "judged" / "mine.json", samples)
    unfinished = json.loads(log.read_text(encoding="utf-8"))
    unfinished["status"], unfinished["samples"] = "cancelled", samples[:40]
    unfinished["eval"] |= {"model": "openai/gpt-y", "dataset": {"samples": 160}}
    (folder / "judged" / "theirs.json").write_text(json.dumps(unfinished), encoding="utf-8")


def _write_choices(folder: Path) -> None:
    """What six models of three families say to three labels, two of which go by the cue; and to a clean benchmark."""
    lines = []
    for place, model in enumerate(("m-1", "m-2", "n-1", "n-2", "o-1", "o-2")):
        for item, row in enumerate(thrice(110)):
            lure = next(label for word, label in THRICE.items() if word in str(row["question"]))
            right = draw(100, "hard", item) < 40 + 4 * place or draw(100, model, item) < 15
            tempted = draw(100, "lure", model, item) < (85 if place < 2 else 45)
            reply = row["answer"] if right else lure if tempted else pick(list(THRICE.values()), "guess", model, item)
            lines.append({"id": row["id"], "reply": reply, "model": model, "family": model[0]})
    _write_lines(folder / "choices.jsonl", lines)
    _write_lines(folder / "short-answers.jsonl", [
        {"id": row["id"], "reply": said(model, row, 70, ["yes", "no"]), "model": model}
        for model in ("mine", "yours") for row in short(200)[:150]
    ])  # fmt: skip


def _write_voices(folder: Path) -> None:
    """What twelve models say to items with options; two golds are wrong, and models know the better answer."""
    lines = []
    for place in range(12):
        for item, row in enumerate(chosen(48, "word")):
            right = (int(str(row["answer"])) + (item in (7, 20))) % 4
            knows = draw(100, "voice", item, place) < 35 + 5 * place + draw(20, "easy", item)
            reply = "ABCD"[right if knows else draw(4, "guessed", item, place)]
            lines.append({"prompt": row["question"], "reply": reply, "model": f"v{place:02}"})
    _write_lines(folder / "voices.jsonl", lines)


def answer_items(items: Path, replies: Path, models: list[str]) -> None:
    """Write what models say to the items of a file, the first best; worse where words were changed."""
    rows = [json.loads(line) for line in items.read_text(encoding="utf-8").splitlines()]
    lines = []
    for place, model in enumerate(models):
        for style in ("zero-shot", "zero-shot-cot"):
            for row in rows:
                right = 90 - 25 * place - (20 if row["condition"] != "original" else 0)
                reply = said(f"{model}/{style}", row, right, row["choices"] or ["12", "13"])
                lines.append({"id": row["id"], "reply": reply, "model": model, "style": style})
    _write_lines(replies, lines)


def features() -> list[dict[str, object]]:
    """Sixteen models of eight bases: exploration goes with size, the others with nothing."""
    return [
        {"model": f"m{place}", "base_model": f"b{place // 2}", "size": place * 7 % 16,
         "tuned": "yes" if place % 2 else "no", "directed-exploration": place * 7 % 16 + place * 3 % 11 / 11,
         "learning-rate": place * 5 % 11 / 11, "risk-taking": place * 7 % 11 / 11}
        for place in range(16)
    ]  # fmt: skip


def _write_lines(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _write_table(path: Path, rows: list[dict[str, object]]) -> None:
    table = io.StringIO()
    writer = csv.DictWriter(table, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(table.getvalue(), encoding="utf-8")
