"""The files that the commands of the documentation name, made of what the project ships."""

import json
from pathlib import Path

import made_logs
import made_options

from hansproof.generators.jsonl import read_bytes
from hansproof.generators.registry import dataset

ROOT = Path(__file__).resolve().parents[2]
AGENT = """
import re
def reply(prompt):
    return re.search("Which machine do you play, ([A-Z]) or", prompt)[1]
"""


def write(folder, audited):
    """Write them into a folder; `audited` is an audit as JSON, in bytes."""
    (folder / "old.json").write_bytes(audited)
    (folder / "croissant.json").write_text('{"@context": {}, "@type": "sc:Dataset"}', encoding="utf-8")
    rows = [json.loads(line) for line in _lines("planted-cues", "unigram")]
    with (folder / "bench.csv").open("w", encoding="utf-8") as file:
        file.write("question,label\n")
        file.writelines(f'"{row["prompt"]}",{row["answer"]}\n' for row in rows)
    for name, part in (("train", rows[:400]), ("test", rows[400:])):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in part), encoding="utf-8")
    with (folder / "bench.jsonl").open("w", encoding="utf-8") as file:
        for i, row in enumerate(rows):
            record = {"question": row["prompt"], "gold": row["answer"], "template_id": f"t{i // 2}"}
            file.write(json.dumps(record) + "\n")
    with (folder / "preferences.jsonl").open("w", encoding="utf-8") as file:
        for question, (chosen, rejected), _ in (made_options.item(n, k=2) for n in range(120)):
            file.write(json.dumps({"prompt": question, "chosen": f"{chosen} and so on", "rejected": rejected}) + "\n")
    folds = [{"id": f"line {i + 1}", "fold": i // 2 % 5, "predicted": row["answer"]} for i, row in enumerate(rows)]
    (folder / "folds.jsonl").write_text("".join(json.dumps(row) + "\n" for row in folds), encoding="utf-8")
    with (folder / "pairs.tsv").open("w", encoding="utf-8") as file:
        file.write("premise\thypothesis\tlabel\n")
        for row in rows:
            first, _, rest = row["prompt"].partition(". ")
            file.write(f"{first}.\t{rest}\t{row['answer']}\n")
    with (folder / "snli.jsonl").open("w", encoding="utf-8") as file:
        for row in rows:
            first, _, rest = row["prompt"].partition(". ")
            pair = {"sentence1": f"{first}.", "sentence2": rest, "gold_label": row["answer"]}
            file.write(json.dumps(pair) + "\n")
    _options(folder)
    with (folder / "puzzles.jsonl").open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(
                json.dumps({"prompt": row["prompt"], "answer": f"B: {len(row['id'])}; A: {row['answer']}"}) + "\n"
            )
    sums = _lines("word-problems", "carry")[:200]
    (folder / "problems.jsonl").write_text("\n".join(sums), encoding="utf-8")
    (folder / "folder").mkdir()
    for name in ("none", "unigram"):
        (folder / "folder" / f"{name}.jsonl").write_text("\n".join(_lines("planted-cues", name)), encoding="utf-8")
    puzzles = _lines("knights-knaves", "set-S")[:20]
    replies = [{"id": row["id"], "reply": row["answer"].replace("; ", "\n")} for row in map(json.loads, puzzles)]
    numbers = [{"id": row["id"], "reply": f"That makes {row['answer']}."} for row in map(json.loads, sums[:80])]
    for name, replied in (("replies", replies), ("numbers", numbers), ("others", numbers[1:])):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in replied), encoding="utf-8")
    logic = _lines("token-bias", "syllogism")
    answers = [
        {"id": row["id"], "reply": row["answer"], "model": model, "style": "zero-shot-cot"}
        for model in ("mine", "yours")
        for row in map(json.loads, logic)
    ]
    (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers), encoding="utf-8")
    _answered(folder, rows)
    _quizzed(folder, rows[:120])
    (folder / "mine.py").write_text(AGENT, encoding="utf-8")
    (folder / "datasets").symlink_to(ROOT / "datasets")


def _lines(name, subset):
    """The lines of a subset of the release of a family's version."""
    data = read_bytes(ROOT / "datasets" / name / dataset(name).version / f"{subset}.jsonl")
    return data.decode().removesuffix("\n").split("\n")


def _answered(folder, rows):
    """What the first questions of `bench.csv` were answered, as a log of inspect_ai and as two tables."""
    (folder / "logs").mkdir()
    asked = [(f"q{place}", row["prompt"], row["answer"], "Yes.", True) for place, row in enumerate(rows[:40])]
    made_logs.inspect_log(folder / "logs" / "mine.json", [made_logs.inspect_sample(row) for row in asked])
    for name, header in (("answers", "question,model,response"), ("wide", "asked,gpt,llama")):
        lines = [header, *(f'"{prompt}",{"no,yes" if name == "wide" else "llama,yes"}' for _, prompt, *_ in asked)]
        (folder / f"{name}.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    arms = [f'"{prompt}",{gold},{at // 2},{"ab"[at % 2]},{at // 20}' for at, (_, prompt, gold, *_) in enumerate(asked)]
    (folder / "arms.csv").write_text("\n".join(["question,answer,pair,arm,topic", *arms, ""]), encoding="utf-8")


def _quizzed(folder, rows):
    """A quiz, and what three models of two families say."""
    with (folder / "quiz.csv").open("w", encoding="utf-8") as file:
        file.write("id,question,answer\n")
        file.writelines(f'{row["id"]},"{row["prompt"]}",{row["answer"]}\n' for row in rows)
    (folder / "answers").mkdir()
    for step, model in ((2, "old"), (3, "new"), (5, "other")):
        said = [{"id": row["id"], "reply": row["answer"] if i % step else "Yes"} for i, row in enumerate(rows)]
        text = "".join(json.dumps(reply) + "\n" for reply in said)
        (folder / "answers" / f"{model}.jsonl").write_text(text, encoding="utf-8")
    (folder / "families.csv").write_text("model,family\nold,ours\nnew,ours\nother,theirs\n", encoding="utf-8")


def _options(folder):
    """Multiple choice with a word that only right options have, in the formats of two benchmarks."""
    listed = made_options.rows(80, lambda text: f"{text} surely")
    (folder / "mmlu.jsonl").write_text("".join(json.dumps(row) + "\n" for row in listed), encoding="utf-8")
    with (folder / "piqa.csv").open("w", encoding="utf-8") as file:
        file.write("goal,sol1,sol2,label\n")
        for row in made_options.rows(80, lambda text: f"{text} surely", k=2):
            file.write(f'"{row["question"]}",{row["choices"][0]},{row["choices"][1]},{row["answer"]}\n')
