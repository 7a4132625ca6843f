"""Small benchmarks in our own words: what the audit must cope with, in miniature.

They stand in for third-party benchmarks, which are not part of the project (`tests/third_party` uses those where they
are available). Function words are drawn at random where items must not look like one template.
"""

import csv
import json

from hansproof.generators.stream import Stream

NAMES = ["Ada", "Ben", "Cora", "Dov", "Elsa", "Finn", "Greta", "Hugo", "Iris", "Jonas", "Kim", "Lars"]
THINGS = ["bench", "boat", "bridge", "cart", "chest", "desk", "drum", "fence", "ladder", "piano", "shed", "sofa"]
CREATURES = ["heron", "badger", "beaver", "falcon", "hedgehog", "lizard", "otter", "pigeon", "rabbit", "toad"]
DEEDS = ["dance", "hide", "kneel", "rest", "sing", "sit", "sleep", "stand", "wait", "work"]
VERBS = [
    "camps", "dances", "eats", "floats", "hangs", "hides", "jumps", "kneels", "leans", "lies", "lives", "naps",
    "paints", "plays", "reads", "rests", "sings", "sits", "skates", "sleeps", "stands", "swims", "waits", "works",
]  # fmt: skip
PLACES = ["above", "across", "against", "behind", "below", "beside", "between", "by", "near", "on", "over", "under"]
JOINTS = ["after", "although", "as", "because", "before", "if", "since", "though", "unless", "until", "when", "while"]
MODALS = ["Can", "Could", "Did", "Does", "May", "Might", "Must", "Should", "Will", "Would"]
PRONOUNS = ["her", "him", "it", "me", "them", "us", "you"]


def write_all(folder):
    """Write every benchmark into `folder`; each file is described by the function that makes its rows."""
    write_lines(folder / "places.jsonl", places())
    write_lines(folder / "options.jsonl", options())
    write_lines(folder / "sums.jsonl", sums())
    write_table(folder / "questions.csv", questions())
    write_table(folder / "repeats.csv", repeats())
    (folder / "logs").mkdir()
    for model in ("heron-1", "otter-2"):
        write_lines(folder / "logs" / f"{model}.jsonl", run_log(model))


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_table(path, rows):
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def places():
    """240 inferences from 24 templates of 10 items; a template has one label, so its own verb gives the label away."""
    rows = []
    for template, verb in enumerate(VERBS):
        stream = Stream(1, "places", verb)
        first, second, third = stream.child("places").sample(PLACES, 3)
        for item in range(10):
            name, other = stream.child(item).child("names").sample(NAMES, 2)
            upper, lower = stream.child(item).child("things").sample(THINGS, 2)
            premise = f"{name} {verb} {first} the {upper}. The {upper} is {second} the {lower} of {other}."
            text = f"{premise} So {name} is {third} the {lower}."
            chat = [{"role": "system", "content": "Answer yes, no or maybe."}, {"role": "user", "content": text}]
            rows.append({"input": chat, "ideal": ("yes", "no", "maybe")[template % 3], "problem_id": template})
    return Stream(1, "places", "order").shuffled(rows)


def questions():
    """400 questions that belong to no template, with answers by the toss of a coin: nothing to find."""
    rows = []
    for item in range(400):
        stream = Stream(1, "questions").child(item)

        def draw(what, words, stream=stream):
            return stream.child(what).choice(words)

        first, second = stream.child("creatures").sample(CREATURES, 2)
        text = (
            f"{draw('modal', MODALS)} a {first} {draw('deed', DEEDS)} {draw('place', PLACES)} the "
            f"{draw('thing', THINGS)} {draw('joint', JOINTS)} a {second} is {draw('where', PLACES)} "
            f"{draw('pronoun', PRONOUNS)}?"
        )
        rows.append({"question": text, "answer": draw("answer", ["yes", "no"])})
    return rows


def stories():
    """30 stories, each with 4 questions: [story number, text]. All items of one story must stay together."""
    rows = []
    for story in range(30):
        stream = Stream(1, "stories").child(story)
        name, other = stream.child("names").sample(NAMES, 2)
        upper, lower = stream.child("things").sample(THINGS, 2)
        near, along, to, past = stream.child("places").sample(PLACES, 4)
        start, turn = stream.child("joints").sample(JOINTS, 2)
        opening = (
            f"{start.capitalize()} {name} painted the old {upper} {near} the house {along} the river, {other} came."
        )
        ending = f"They moved the {lower} {to} the wall {turn} the neighbours {past} the mill began to complain loudly."
        asked = [f"Did {name} come?", f"Was {other} glad?", f"Is the {lower} heavy?", f"Who owns the {upper}?"]
        rows += [[story, f"{opening} {ending} {question}"] for question in asked]
    return rows


def run_log(model):
    """A run log of an evaluation of the stories by one model; every model meets them in an order of its own."""
    yield {"spec": {"base_eval": "stories", "run_config": {"model": model}}}
    numbered = list(enumerate(stories()))
    for sample, (story, text) in Stream(1, "logs", model).shuffled(numbered):
        gold = Stream(1, "logs", "gold").child(sample).choice(["Yes", "No"])
        prompt = [{"role": "user", "content": text}]
        common = {"run_id": model, "sample_id": f"stories.{sample:03}", "story": story}
        yield {**common, "type": "sampling", "data": {"prompt": prompt, "sampled": ["Yes"]}}
        yield {**common, "type": "match", "data": {"correct": gold == "Yes", "expected": gold, "picked": "Yes"}}


def options():
    """120 items, each with four options of its own in the prompt; the gold is the number of an option."""
    rows = []
    for item in range(120):
        stream = Stream(1, "options").child(item)
        drawn = [
            f"a {thing} {stream.child(thing).child('where').choice(PLACES)} {stream.child(thing).choice(PRONOUNS)}"
            for thing in stream.child("things").sample(THINGS, 4)
        ]
        listed = "\n".join(f"{number}. {option}" for number, option in enumerate(drawn, 1))
        text = f"What would {stream.child('name').choice(NAMES)} paint first?\n{listed}"
        rows.append({"input": [{"role": "user", "content": text}], "ideal": stream.child("gold").choice(list("1234"))})
    return rows


def sums():
    """60 sums with 60 different answers: open-ended."""
    return [{"prompt": f"What is {item} and {item + 7} together?", "answer": str(2 * item + 7)} for item in range(60)]


def repeats():
    """60 rows of 30 texts, each in both splits; the first 10 texts have two golds."""
    rows = []
    for split in ("train", "test"):
        for item, row in enumerate(questions()[:30]):
            label = "left" if item % 2 == 0 else "right"
            changed = split == "test" and item < 10
            text = row["question"] if split == "train" else row["question"].upper()
            rows.append({"text": text, "label": {"left": "right", "right": "left"}[label] if changed else label,
                         "split": split})  # fmt: skip
    return rows
