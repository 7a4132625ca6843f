"""`hansproof analyse`: by shortcut on a leaky benchmark and simulated models, and by what other commands do."""

import csv
import io
import json
import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import hansproof
from hansproof.audit.notation import armed
from hansproof.command_line import command_line
from hansproof.generators.errors import UsageError

QUICK = ("--splits", "2", "--permutations", "99")
ITEMS = 180


def run(*arguments):
    return CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), ["analyse", *arguments])


def answered(items, noise):
    """Replies of four models to the same items: all see the easiness of an item, `leans` answers by its word."""
    replies = []
    for model, skill, reliance in (("leans", 0.5, 0.8), ("good", 0.8, 0), ("fair", 0.65, 0), ("poor", 0.5, 0)):
        for item, easiness in zip(items, noise, strict=True):
            draw = random.Random(f"{model} {item['id']}")
            right = draw.random() < min(max(skill + easiness, 0.02), 0.98)
            said = item["answer"] if right else {"Yes": "No", "No": "Yes"}[item["answer"]]
            if draw.random() < reliance:
                said = "Yes" if "really" in item["prompt"] else "No"
            replies.append({"id": item["id"], "prompt": item["prompt"], "reply": said, "model": model})
    return replies


@pytest.fixture(scope="module")
def made():
    """A benchmark whose word `really` goes with Yes in three of four items, and replies."""
    draw = random.Random(1)
    nouns = [f"{a}{b}" for a in ("gar", "lim", "tor", "vek", "sul", "pra") for b in ("do", "na", "mi", "ke", "zu")]
    items = []
    for number in range(ITEMS):
        answer = draw.choice(("Yes", "No"))
        cue = (answer == "Yes") == (draw.random() < 0.8)
        words = draw.sample(nouns, 6)
        prompt = f"Does the {words[0]} {'really' if cue else 'mostly'} {words[1]} a {words[2]} {' '.join(words[3:])}?"
        items.append({"id": f"q{number}", "prompt": prompt, "answer": answer})
    noise = [draw.choice((-0.45, 0.45)) for _ in items]
    return items, answered(items, noise)


@pytest.fixture
def there(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    items, replies = made
    lines(items, "bench.jsonl")
    lines(replies, "replies.jsonl")
    return items


def lines(records, file):
    Path(file).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("there")
def test_no_difference_has_a_verdict_and_a_note_says_why():
    done = run("replies.jsonl", "--items", "bench.jsonl", *QUICK, "--json")
    assert done.exit_code == 0, done.stderr
    study = json.loads(done.stdout)
    assert study["benchmarks"][0]["shortcut"]
    assert study["pairs"][0]["equal_gold"]["low"] > 0
    assert {model["follows"] for model in study["models"]} == {None}
    assert len(study["pairs"]) == 4
    assert done.stderr.count("does not say why it is there: wrong gold answers") == 1
    screen = run("replies.jsonl", "--items", "bench.jsonl", *QUICK).stdout.replace("leans", "")
    assert not re.search(r"\blean|\brel(y|ies|iance)\b|follow|NOT SHOWN|Famil", screen, re.IGNORECASE)
    plain = " ".join(run("--help-all").stdout.split())
    assert "A difference between the parts does not say why it is there" in plain
    assert not re.search(r"\blean|\brel(y|ies|iance)\b|NOT SHOWN", plain, re.IGNORECASE)


@pytest.mark.usefixtures("there")
def test_screen_csv_figures_and_json_say_the_same():
    outputs = ("--csv", "pairs.csv", "--figure", "scatter.svg", "--boxes", "boxes.svg", "--json", "study.json")
    done = run("replies.jsonl", "--items", "bench.jsonl", *QUICK, *outputs)
    assert done.exit_code == 0, done.stderr
    study = json.loads(Path("study.json").read_text(encoding="utf-8"))
    rows = list(csv.DictReader(io.StringIO(Path("pairs.csv").read_text(encoding="utf-8"))))
    assert [armed(row["model"]) for row in rows] == [pair["model"] for pair in study["pairs"]]
    first = study["pairs"][0]
    assert float(armed(rows[0]["equal_gold"])) == first["equal_gold"]["estimate"]
    assert float(rows[0]["on_wrong_high"]) == first["on_wrong"]["high"]
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("leans")]
    assert f"{100 * first['raw']['estimate']:+.1f} [" in line
    assert f" {100 * first['on_right']['share']:.1f} " in line
    assert done.stdout.startswith(f"bench: 4 models on {ITEMS} items. The probe (")
    assert len(done.stdout.splitlines()) <= 14
    for drawing in ("scatter.svg", "boxes.svg"):
        ElementTree.parse(drawing)


@pytest.mark.slow
@pytest.mark.usefixtures("there")
def test_the_page_is_that_of_the_library():
    done = run("replies.jsonl", "--items", "bench.jsonl", *QUICK, "--html", "study.html")
    assert done.exit_code == 0, done.stderr
    study = hansproof.analyse("replies.jsonl", items="bench.jsonl", splits=2, permutations=99)
    text = Path("study.html").read_text(encoding="utf-8")
    assert text == study.page()
    assert "<h1>Answers of 4 models to 1 benchmark</h1>" in text
    assert study.answered[0].series[0].right == round(ITEMS * study.answered[0].series[0].accuracies[0].share)
    again = run("replies.jsonl", "--items", "bench.jsonl", *QUICK, "--html", "study.html")
    assert "exists; pass --force" in again.stderr


def test_a_page_on_too_few_items_says_why_nothing_is_decided(there):
    lines(there[:12], "few.jsonl")
    done = run("replies.jsonl", "--items", "few.jsonl", *QUICK, "--html", "few.html", "--figure", "few.svg", "--json")
    assert done.exit_code == 0, done.stderr
    study = json.loads(done.stdout)
    assert study["benchmarks"] == study["pairs"] == study["models"] == []
    page = Path("few.html").read_text(encoding="utf-8")
    assert "few is not assessed: Only 12 items: the audit needs at least 30" in page
    assert "no benchmark could be assessed" in done.stderr


@pytest.mark.usefixtures("there")
def test_under_the_papers_protocol_families_of_a_table_are_tested_together():
    Path("families.csv").write_text("model,family\nleans,a\ngood,a\nfair,b\npoor,b\n", encoding="utf-8")
    words = ("replies.jsonl", "--items", "bench.jsonl", "--protocol", "paper", "--families", "families.csv")
    study = json.loads(run(*words, "--json").stdout)
    assert [(test["family"], test["pairs"]) for test in study["families"]] == [("a", 2), ("b", 2)]
    assert study["benchmarks"][0]["items"] == ITEMS // 5
    for pair in study["pairs"]:
        on_both = pair["corrected"]["on_right"], pair["corrected"]["on_wrong"]
        assert on_both == pytest.approx((2 * pair["on_right"]["share"] - 1, 2 * pair["on_wrong"]["share"] - 1))
    screen = run(*words).stdout
    assert "Families of models after Pacchiardi et al. (2024)" in screen
    assert "Accuracies corrected by uniform chance" in screen
    again = hansproof.analyse("replies.jsonl", items="bench.jsonl", protocol="paper", families="families.csv")
    assert [test.p_bh for test in again.families] == pytest.approx([test["p_bh"] for test in study["families"]])
    with pytest.raises(UsageError, match="protocol"):
        hansproof.analyse("replies.jsonl", items="bench.jsonl", protocol="published")


@pytest.mark.usefixtures("there")
def test_options_of_each_items_own_name_the_remedy_under_the_papers_protocol(made):
    rows = [
        {"id": f"q{n}", "question": f"What follows {n}?", "first": f"a {n}", "second": f"b {n}", "answer": n % 2 + 1}
        for n in range(60)
    ]
    lines(rows, "art.jsonl")
    lines([{"id": f"q{n}", "reply": str(1 + n % 3 % 2), "model": "m"} for n in range(60)], "said.jsonl")
    words = ("said.jsonl", "--items", "art.jsonl", "--choices", "first,second", "--protocol", "paper")
    assert "audit the answers as labels with --task fixed" in run(*words).stderr
    fixed = run(*words, "--task", "fixed")
    assert "art: 1 model on 12 items of the test part" in fixed.stdout


def test_a_table_of_answers_is_read_by_the_columns_that_are_named(there, made):
    said = {(reply["model"], reply["id"]): reply["reply"] for reply in made[1]}
    rows = [["asked", "good", "fair", "leans"]]
    rows += [[item["prompt"], *(said[model, item["id"]] for model in rows[0][1:])] for item in there]
    Path("wide.csv").write_text("".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in rows), encoding="utf-8")
    words = ("--column", "prompt=asked", "--reply-columns", "good,fair,leans", "--model", "fair", "--model", "leans")
    done = run("wide.csv", "--items", "bench.jsonl", *QUICK, *words, "--json")
    assert done.exit_code == 0, done.stderr
    study = json.loads(done.stdout)
    assert [model["model"] for model in study["models"]] == ["fair", "leans"]
    assert [pair["model"] for pair in study["pairs"]] == ["fair", "leans"]


@pytest.mark.slow
@pytest.mark.usefixtures("there")
def test_a_high_threshold_leaves_no_shortcut():
    done = run("replies.jsonl", "--items", "bench.jsonl", *QUICK, "--threshold", "0.95")
    assert done.exit_code == 0
    assert "the benchmark is in no test" in done.stdout
    assert "the audit shows no shortcut (1 benchmark)" in done.stderr


@pytest.mark.slow
def test_whether_there_is_a_shortcut_and_its_kappa_are_the_audits(there):
    study = hansproof.analyse("replies.jsonl", items="bench.jsonl", splits=2, permutations=99)
    audited = hansproof.audit("bench.jsonl", splits=2, permutations=99)
    (part,) = study.benchmarks
    entry = audited.scheme("grouped").find(audited.vector)
    assert (part.audit, part.vector, part.shortcut) == (audited.verdict, audited.vector, audited.verdict == "LEAKS")
    assert (part.kappa, part.low, part.high) == (entry.matched, entry.matched_low, entry.matched_high)
    lines(there[:40], "few.jsonl")
    done = run("replies.jsonl", "--items", "few.jsonl", *QUICK)
    assert "INCONCLUSIVE" in done.stdout


def test_logs_that_hold_prompts_and_golds_need_no_items(there, made):
    _, replies = made
    golds = {item["id"]: item["answer"] for item in there}
    for model in ("leans", "good", "fair", "poor"):
        events = [{"spec": {"completion_fns": [model], "eval_name": "quiz.test.v1", "base_eval": "quiz"}}]
        for reply in (reply for reply in replies if reply["model"] == model):
            right = reply["reply"] == golds[reply["id"]]
            sampled = {"prompt": reply["prompt"], "sampled": [reply["reply"]]}
            match = {"correct": right, "expected": golds[reply["id"]], "picked": reply["reply"]}
            for kind, data in (("sampling", sampled), ("match", match)):
                events.append({"sample_id": f"quiz.test.{reply['id']}", "type": kind, "data": data})
        Path("logs").mkdir(exist_ok=True)
        lines(events, f"logs/{model}.jsonl")
    done = run("logs", *QUICK, "--json")
    assert done.exit_code == 0, done.stderr
    study = json.loads(done.stdout)
    assert [(part["benchmark"], part["items"]) for part in study["benchmarks"]] == [("quiz", ITEMS)]
    assert {pair["model"]: pair["equal_gold"]["low"] for pair in study["pairs"]}["leans"] > 0


def test_the_order_of_logs_changes_nothing_under_the_papers_protocol(there, made):
    said = {reply["id"]: reply for reply in made[1] if reply["model"] == "good"}
    studies, verdicts = [], []
    for seed in range(2):
        events = [{"spec": {"completion_fns": ["good"], "eval_name": "quiz.test.v1", "base_eval": "quiz"}}]
        for item in random.Random(seed).sample(there, len(there)):
            reply = said[item["id"]]
            match = {"correct": reply["reply"] == item["answer"], "expected": item["answer"], "picked": reply["reply"]}
            for kind, data in (("sampling", {"prompt": item["prompt"], "sampled": [reply["reply"]]}), ("match", match)):
                events.append({"sample_id": f"quiz.test.{item['id'][1:]}", "type": kind, "data": data})
        lines(events, "log.jsonl")
        studies.append(hansproof.analyse("log.jsonl", protocol="paper"))
        verdicts.append(hansproof.audit("log.jsonl", protocol="paper"))
    assert studies[0].benchmarks == studies[1].benchmarks
    assert studies[0].pairs == studies[1].pairs
    kappas = [[vector.cohen for vector in verdict.schemes[0].vectors] for verdict in verdicts]
    assert kappas[0] == kappas[1]
    in_order = hansproof.audit([{**item, "id": item["id"][1:]} for item in there], protocol="paper")
    assert kappas[0] == [vector.cohen for vector in in_order.schemes[0].vectors]


def other(prompt):
    return prompt.replace("Does", "Could").replace(" a ", " the ")


@pytest.mark.slow
def test_several_sources_are_several_benchmarks(there):
    lines([{**item, "id": f"x{item['id']}", "prompt": other(item["prompt"])} for item in there], "second.jsonl")
    replies = [json.loads(line) for line in Path("replies.jsonl").read_text(encoding="utf-8").splitlines()]
    others = [{**reply, "id": f"x{reply['id']}", "prompt": other(reply["prompt"])} for reply in replies]
    lines([*replies, *others, {**replies[0], "id": "of nobody", "prompt": "What?"}, replies[0]], "replies.jsonl")
    done = run("replies.jsonl", "--items", "bench.jsonl", "--items", "second.jsonl", *QUICK, "--json")
    assert done.exit_code == 0, done.stderr
    study = json.loads(done.stdout)
    assert [part["benchmark"] for part in study["benchmarks"]] == ["bench", "second"]
    assert study["models"][0]["benchmarks"] == 2
    assert f"1 of {8 * ITEMS + 2:,} replies belong to no item" in done.stderr
    assert "1 reply given again" in done.stderr


@pytest.mark.usefixtures("there")
def test_unclear_answers_are_told():
    replies = [json.loads(line) for line in Path("replies.jsonl").read_text(encoding="utf-8").splitlines()]
    lines(
        [{**reply, "reply": "As an AI, hm."} if reply["model"] == "poor" else reply for reply in replies], "vague.jsonl"
    )
    done = run("vague.jsonl", "--items", "bench.jsonl", *QUICK)
    assert f"bench, poor: {ITEMS} of {ITEMS} answers are not clear" in done.stderr


@pytest.mark.usefixtures("there")
def test_replies_that_are_not_used_have_one_shape_here_and_in_score():
    with Path("replies.jsonl").open("a") as file:
        file.write('{"id": "nobody", "model": "poor", "reply": "yes"}\n' * 2)
    words = ("replies.jsonl", "--items", "bench.jsonl")
    scored = CliRunner().invoke(command_line(), ["score", *words, "--json"])
    (answered,) = json.loads(run(*words, *QUICK, "--json").stdout)["answered"]
    assert answered["read"] == json.loads(scored.stdout)["read"]
    left = answered["read"]["unmatched"]
    assert (left["count"], list(left["first"][0])) == (2, ["place", "reason"])
    assert left["first"][0]["reason"] == "no item has the id 'nobody'"


@pytest.mark.usefixtures("there")
def test_the_library_gives_the_same_study():
    study = hansproof.analyse("replies.jsonl", items="bench.jsonl", splits=2, permutations=99)
    shown = json.loads(run("replies.jsonl", "--items", "bench.jsonl", *QUICK, "--json").stdout)
    assert [pair.raw.estimate for pair in study.pairs] == pytest.approx(
        [pair["raw"]["estimate"] for pair in shown["pairs"]]
    )
    with pytest.raises(UsageError, match="has no argument 'by'"):
        hansproof.analyse("replies.jsonl", by="effects")


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--hypothesis", "H1"), "--hypothesis does not go with --by shortcut"),
        (("--by", "effects", "--threshold", "0.3"), "--threshold does not go with --by effects"),
        (("--column", "reply"), "--column needs ROLE=NAME"),
        (("--by", "phenotype", "--threshold", "0.3"), "--threshold does not go with --by phenotype"),
        (("--by", "phenotype", "--items", "a", "--items", "b"), "name the items once, or leave them out"),
        (("--by", "hypotheses"), "name the items that were answered, once: --items SOURCE"),
        (("--by", "hypotheses", "--items", "bench.jsonl"), "there is nothing to test: no item says its condition"),
        (("--by", "hypotheses", "--groups", "none"), "--groups does not go with --by hypotheses"),
        (("--threshold", "2", "--items", "bench.jsonl"), "threshold"),
        (("--json", "replies.jsonl", "--force"), "is an input of this command"),
        (("--figure", "a.svg", "--boxes", "a.svg"), "is named for two reports"),
        (("--families", "bench.jsonl"), "bench.jsonl"),
    ],
)
def test_what_cannot_be_done_is_one_line(words, said):
    done = run("replies.jsonl", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert "--test" not in done.stderr  # an option of another command
    assert len(done.stderr.splitlines()) <= 3
