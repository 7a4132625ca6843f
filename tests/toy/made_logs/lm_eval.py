"""Tasks of lm-evaluation-harness 0.4.13 as its `samples_*.jsonl` have them: filter by filter, likelihoods as text."""

import json

from made_logs import lines

DATE = "2026-01-16T15-23-47.285735"


def generated(number, prompt, target, said, cuts, doc=None, metric="exact_match"):
    """Rows of a document to which the model `said` something: one for each of `cuts`, filter -> (reply, mark)."""
    shared = {
        "doc_id": number,
        "doc": doc or {"question": prompt, "answer": target},
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": f"Question: {prompt}\nAnswer:", "arg_1": {"until": ["\n\n"]}}},
        "resps": [[said]],
        "doc_hash": f"d{number}",
    }
    return [
        {**shared, "filtered_resps": [reply], "filter": filter, "metrics": [metric], metric: mark}
        for filter, (reply, mark) in cuts.items()
    ]


def likelihoods(number, asked, target, values, marks, doc=None):
    """The row of a document of which `asked` pairs of context and continuation have these log likelihoods."""
    responses = [[str(value), "False"] for value in values]
    return {
        "doc_id": number,
        "doc": doc or {},
        "target": target,
        "arguments": {f"gen_args_{k}": {"arg_0": first, "arg_1": last} for k, (first, last) in enumerate(asked)},
        "resps": [[response] for response in responses],
        "filtered_resps": responses,
        "filter": "none",
        "metrics": list(marks),
        "doc_hash": f"d{number}",
        **marks,
    }


def task(folder, name, rows, model="org/m"):
    """The log of a task, and the results beside it; rows of several filters stand filter by filter."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"results_{DATE}.json").write_text(json.dumps({"model_name": model}), encoding="utf-8")
    filters = list(dict.fromkeys(row["filter"] for row in rows))
    return lines(folder / f"samples_{name}_{DATE}.jsonl", sorted(rows, key=lambda row: filters.index(row["filter"])))


def gsm8k(many=20, strict=6, flexible=15):
    """`many` documents of GSM8K, of which so many are right through either filter of the harness."""
    strict = min(strict, flexible)
    rows = []
    for n in range(many):
        gold = f"{1000 + n:,}" if n % 2 else str(n)
        said = gold if n < flexible else "7777"
        cuts = {
            "strict-match": (said if n < strict else "[invalid]", float(n < strict)),
            "flexible-extract": (said, float(n < flexible)),
        }
        worked = f"Tom has {n} and {n} apples, which are <<{n}+0={n}>>{n}.\n#### {gold}"
        rows += generated(n, f"How many apples has Tom on day {n}?", worked, f" There are {said}.", cuts)
    return rows


def minerva(many=20, right=15):
    """Documents of MATH, whose solutions box the answer, and replies that the harness compares as formulas."""
    rows = []
    for n in range(many):
        solution = f"First $\\boxed{{x}}$, and then we get $\\boxed{{\\frac{{{n}}}{{77}}}}$."
        said = f"Final Answer: The final answer is $\\frac{{{n}}}{{77}}$. I hope it is correct."
        cuts = {"none": (said, int(n < right))}
        rows += generated(n, f"What is {n} over 77?", solution, said, cuts)
    return rows


def triviaqa(many=20, right=15):
    """Documents with several right answers, of which the log has the list as Python writes it."""
    rows = []
    for n in range(many):
        aliases = [f"Author {n}", f"L'Auteur {n}", f'The "{n}"']
        said = aliases[n % 3] if n < right else "Nobody"
        doc = {"question": f"Who wrote book {n}", "answer": {"aliases": aliases, "value": aliases[0]}}
        cuts = {"remove_whitespace": (said, float(n < right))}
        rows += generated(n, f"Who wrote book {n}?", str(aliases), f" {said}", cuts, doc)
    return rows


def truthfulqa_mc2(many=20):
    """Documents of which two of four options are true, marked by the likelihood of both together."""
    rows = []
    for n in range(many):
        asked = [(f"Q: What of seed {n}?\nA:", f" {what} {n}") for what in ("It passes", "Nothing", "A plant", "Death")]
        share = {"acc": 1.0 if n == 3 else 0.5 + n / 50}
        rows.append(likelihoods(n, asked, "0", (-1.5, -2.5, -3.5, -4.5 - n), share))
    return rows


def winogrande(many=20, right=11):
    """Documents with a context per option and one ending, of which the log does not say which option is right."""
    return [
        likelihoods(n, [(f"The dog {n} fled as the {who}", " barked.") for who in ("dog", "cat")], "barked.",
                    (-1.5, -2.5), {"acc": float(n < right)})
        for n in range(many)
    ]  # fmt: skip


def ifeval(many=20, right=13):
    """Documents without a right answer, checked by programs; the target is a placeholder."""
    rows = []
    for n in range(many):
        (row,) = generated(n, f"Write {n} words.", "0", "word " * n, {"none": ("word " * n, n < right)})
        row |= {"metrics": ["prompt_level_strict_acc", "inst_level_strict_acc"], "inst_level_strict_acc": [n < right]}
        rows.append(row | {"prompt_level_strict_acc": n < right})
        del row["exact_match"]
    return rows


def choice(many=20, right=15):
    """Documents with three options, of which the right one is the likeliest, or the one after it."""
    return [
        likelihoods(n, [(f"Which has {n}?", f" {word} {n}") for word in ("red", "blue", "green")], str(n % 3),
                    [-1.5 if place == (n + (n >= right)) % 3 else -2.5 for place in range(3)],
                    {"acc": float(n < right), "acc_norm": 0.0})
        for n in range(many)
    ]  # fmt: skip
