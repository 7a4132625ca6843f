"""The golden documents: what a person sees of each kind of result, as the command line makes it now.

`python tests/golden/documents.py --write` makes them anew in `tests/golden/documents/`; look at the diff before you
commit it. `tests/test_golden.py` compares them with what is made now.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from click.testing import CliRunner

from hansproof.command_line import COMMANDS, RARE, command_line

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).resolve().parent / "documents"
sys.path[:0] = [str(Path(__file__).resolve().parent), str(ROOT / "tests/toy")]
inputs, sentences = import_module("inputs"), import_module("sentences")

UNSET = ("FORCE_COLOR", "NO_COLOR", "TERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "HANSPROOF_BASE_URL")
SETTING = {**dict.fromkeys(UNSET), "COLUMNS": "100", "HANSPROOF_CACHE": "cache", "TZ": "UTC"}
"""The environment of every command, whatever that of the tests is."""

AUDIT = "--splits 2 --folds 3 --permutations 199 --workers 1 --no-cache --full"
FEWER = "--splits 1 --folds 3 --permutations 99 --workers 1 --no-cache --full"
SHORT = FEWER.removesuffix(" --full")
CACHED = SHORT.removesuffix(" --no-cache")
PROBE = "--splits 1 --permutations 99 --workers 1"
SHOWN = [
    "cue.jsonl", "places.jsonl", "skewed.jsonl", "short.jsonl", "questions.csv", "few.jsonl", "word.jsonl",
    "spans.jsonl", "sums.jsonl",
]  # fmt: skip
"""A benchmark of each verdict and shape, as the terminal shows it in twenty lines."""
ARMS = "--items arms.jsonl --group pair --condition arm"
QUIZ = "answers/ --items quiz.jsonl"


def _reports(name: str, *kinds: str) -> str:
    """The options that write the reports of a document."""
    return " ".join(f"--{kind} {name}.{kind}" for kind in kinds)


def _with_advice(names: str, options: str = "") -> list[str]:
    """Audits whose advice and notes are shown in full."""
    return [
        command
        for name in names.split()
        for command in (f"audit {name}.jsonl {options or FEWER} --json {name}.of.json", f"@advice {name}.of.json")
    ]


STYLED = "audit-clean.html"
"""The page that keeps its style sheet."""
_STYLE = re.compile("<style>.*?</style>", re.DOTALL)
_DIGEST = re.compile(r"style-src 'sha256-[^']+'")

DOCUMENTS: dict[str, list[str]] = {
    # A verdict each.
    "audit-leaks": [f"audit cue.jsonl {AUDIT} {_reports('audit-leaks', 'html', 'json', 'sarif')}"],
    "audit-template-bound": [f"audit places.jsonl {FEWER} {_reports('audit-template-bound', 'html')}",
                             f"audit places.jsonl {FEWER} --groups none",
                             *_with_advice("similar", f"{FEWER} --group story"), *_with_advice("similar")],
    "audit-short": [f"audit {name} {SHORT}" for name in SHOWN],
    "audit-imbalanced": [f"audit skewed.jsonl {FEWER}", f"audit skewed.jsonl {FEWER} --threshold .55",
                         *_with_advice("position constant")],
    "audit-traces": [f"audit faint.jsonl {AUDIT} --threshold .7 --fail-on traces"
                     f" {_reports('audit-traces', 'html')}"],
    "audit-clean": [f"audit short.jsonl {AUDIT} --grades --threshold .7"
                    f" {_reports('audit-clean', 'html', 'json', 'sarif')}"],
    "audit-inconclusive": [f"audit questions.csv {FEWER} {_reports('audit-inconclusive', 'html')}",
                           f"audit faint.jsonl {FEWER}"],
    "audit-unpredictable": [f"audit contradictory.jsonl {FEWER} --threshold .5"],
    "audit-not-assessed": ["audit few.jsonl", f"audit essays.jsonl {_reports('audit-not-assessed', 'html')}"],
    # A shape of task each.
    "audit-format": [*_with_advice("spaced lengthy shouted")],
    "audit-mentioned": [f"audit mentioned.jsonl --template '{{passage}} {{question}}' {FEWER} --partial"
                        f" {_reports('audit-mentioned', 'html')}"],
    "audit-partial": [f"audit paired.jsonl {FEWER}"],
    "audit-options": [f"audit word.jsonl {FEWER} --grades {_reports('audit-options', 'html', 'sarif')}",
                      *_with_advice("longest all"),
                      *_with_advice("question absolutes options-none options-negation options-repeated options-rare"
                                    " options-odd options-unlike options-joint", f"{FEWER} --quiet")],
    "audit-open": [f"audit spans.jsonl {FEWER} {_reports('audit-open', 'html', 'json', 'sarif')}",
                   *_with_advice("sums templated unsolved keyed worded")],
    "audit-answer-part": [f"audit keyed.jsonl {FEWER} --answer-part 'A: (\\w+)'"],
    "audit-published-split": [f"audit shared-test.jsonl --train shared-train.jsonl {FEWER}"
                              f" {_reports('audit-published-split', 'html', 'json')}",
                              f"audit repeats.csv --split split --protocol published {FEWER}"],
    "audit-paper": [f"audit cue.jsonl --protocol paper {AUDIT} {_reports('audit-paper', 'html')}",
                    f"audit short.jsonl --protocol paper --upstream-counts {FEWER} --threshold .9"],
    "audit-repeats": [f"audit repeats.csv {FEWER} {_reports('audit-repeats', 'sarif')}"],
    "recipes": ["audit --list-recipes", "audit --list-recipes --recipe hellaswag",
                f"audit word.jsonl --recipe mmlu {FEWER}",
                f"audit cue.jsonl --recipe strategyqa {FEWER}",
                f"audit paired.jsonl --recipe snli --template '{{premise}} {{hypothesis}}' --answer label {FEWER}"
                f" {_reports('recipes', 'html')}"],
    "scan": [f"audit folder {FEWER} {_reports('scan', 'html', 'sarif')}",
             f"audit folder {FEWER} --protocol paper", f"audit sums.jsonl few.jsonl {FEWER} --quiet",
             f"audit sums.jsonl few.jsonl {FEWER}"],
    # What is done then.
    "harden": [f"audit cue.jsonl {CACHED} --quiet",
               f"harden cue.jsonl {CACHED} --out harden.jsonl --removed harden.removed.jsonl --json harden.json",
               f"harden position.jsonl {SHORT} --out positions.jsonl",
               f"harden word.jsonl {SHORT} --keep-at-least .9 --out words.jsonl --best-effort",
               f"harden speaking.jsonl {SHORT} --out spoken.jsonl"],
    "diff": [f"audit cue.jsonl {FEWER} --quiet --json old.json", f"audit grown.jsonl {FEWER} --quiet --json new.json",
             "diff old.json new.json", "diff old.json new.json --json", "diff new.json old.json",
             "diff old.json old.json",
             f"audit sums.jsonl {FEWER} --quiet --json open.json", "diff old.json open.json",
             "diff open.json open.json",
             f"audit folder {FEWER} --quiet --json all.json", f"audit newer {FEWER} --quiet --json newer.json",
             "diff all.json newer.json", "diff all.json new.json"],
    # Answers of models.
    "score": [f"score {QUIZ} --all --families families.csv {_reports('score', 'csv', 'html', 'json')}",
              f"score {QUIZ} --breakdown level --model alpha", f"score {QUIZ} --skip-missing --model delta",
              f"score replies-arms.jsonl {ARMS} --all --style direct --model mine --html score.runs.html",
              f"score replies-arms.jsonl {ARMS} --style direct --skip-missing --csv score.arms.csv"],
    "score-messy": ["score messy.jsonl --items quiz.jsonl", "score messy.jsonl --items quiz.jsonl --skip-missing"
                    f" {_reports('score-messy', 'html')}",
                    "score judged/ --all --html score-messy.judged.html",
                    "score judged/ --judged harness --html score-messy.harness.html", "score logs/",
                    "score logs/ --judged harness",
                    "score unclear.jsonl --items quiz.jsonl", "score many.jsonl --items quiz.jsonl",
                    f"score half-arms.jsonl {ARMS} --all", f"score half-arms.jsonl {ARMS} --model half",
                    "score stranger.jsonl --items quiz.jsonl", "score messy.jsonl --items gap.jsonl",
                    "score messy.jsonl --items gaps.jsonl"],
    "score-families": ["generate word-problems -s consistency -s surface-forms -n 40 --seed 3 --out problems.jsonl",
                       "@answers problems.jsonl numbers.jsonl mine yours",
                       "score numbers.jsonl --items problems.jsonl",
                       "score numbers.jsonl --items problems.jsonl --all --model mine --html score-families.html",
                       "run --agent random -s horizon -n 3 --seed 5 --out played.jsonl",
                       "generate cognitive-tasks -s horizon -n 3 --seed 5 --out games.jsonl",
                       "score played.jsonl --items games.jsonl --all --html score-families.played.html"],
    "compare": [f"compare {QUIZ} --a alpha --b gamma {_reports('compare', 'csv', 'html', 'json')}",
                f"compare {QUIZ} --a beta --b alpha --margin 25 --groups none",
                f"compare {QUIZ} --a beta --b delta --breakdown level --skip-missing",
                f"compare replies-arms.jsonl {ARMS} --style direct --a mine --b yours --breakdown topic",
                f"compare replies-arms.jsonl {ARMS} --model mine --a direct --b zero-shot-cot --groups none",
                "compare unclear.jsonl --items quiz.jsonl --a mute --b sure",
                "compare messy.jsonl --items quiz.jsonl --a neat --b vague",
                "compare judged/ --a openai/gpt-x --b openai/gpt-y",
                "compare few-answers.jsonl --items few-items.jsonl --a mine --b yours"],
    "compare-plan": [f"compare --plan --difference 3 --accuracy 70 {_reports('compare-plan', 'html', 'csv')}",
                     "compare --plan --count 500 --group-size 2 --icc .3",
                     "compare --plan --difference 3 --discordant 20 --json",
                     f"compare {QUIZ} --a alpha --b gamma --plan --difference 10"],
    "analyse-shortcut": [f"analyse {QUIZ} --families families.csv {PROBE} --svg analyse-shortcut.svg"
                         f" --boxes analyse-shortcut.boxes.svg {_reports('analyse-shortcut', 'csv', 'html')}",
                         f"analyse choices.jsonl --items thrice.jsonl {PROBE} --html analyse-shortcut.labels.html",
                         f"analyse short-answers.jsonl --items short.jsonl {PROBE} --threshold .6",
                         f"analyse {QUIZ} --protocol paper --families families.csv",
                         f"analyse logs/ {PROBE}", f"analyse few-answers.jsonl --items few-items.jsonl {PROBE}"],
    "analyse-effects": [f"analyse replies-arms.jsonl --by effects {ARMS} --style direct --original plain"
                        f" {_reports('analyse-effects', 'html', 'csv', 'json')}",
                        "generate word-problems -s consistency -n 160 --seed 3 --out problems.jsonl",
                        "@answers problems.jsonl numbers.jsonl mine",
                        "analyse numbers.jsonl --by effects --items problems.jsonl",
                        f"analyse half-arms.jsonl --by effects {ARMS}"],
    "analyse-hypotheses": ["generate token-bias -s balanced-syllogism -s syllogism -s conjunction-persona"
                           " -s letters -n 40 --seed 3 --out asked.jsonl",
                           "@answers asked.jsonl said.jsonl mine yours",
                           "analyse said.jsonl --by hypotheses --items asked.jsonl --svg analyse-hypotheses.svg"
                           f" {_reports('analyse-hypotheses', 'html', 'csv')}"],
    "analyse-items": ["analyse voices.jsonl --by items --items word.jsonl --no-audit"
                      f" {_reports('analyse-items', 'csv', 'html')}",
                      f"analyse {QUIZ} --by items --families families.csv {PROBE}"],
    # Playing.
    "phenotype": ["run --agent random -n 8 --seed 5 --out random.jsonl",
                  "phenotype random.jsonl --resamples 100 --as-published",
                  *(f"run --agent {agent} -s horizon -s balloons -n 8 --seed 5 --out {agent}.jsonl" for agent in
                    ("random", "greedy", "win-stay-lose-shift", "bayes-optimal", "expected-value-pumper")),
                  "phenotype greedy.jsonl bayes-optimal.jsonl --resamples 100"
                  f" {_reports('phenotype', 'html', 'csv', 'json')}",
                  "phenotype random.jsonl greedy.jsonl win-stay-lose-shift.jsonl bayes-optimal.jsonl"
                  " expected-value-pumper.jsonl -s horizon -s balloons --resamples 100 --svg phenotype.svg"],
    "phenotype-models": ["phenotype --models models.csv --feature size --feature tuned",
                         "phenotype --models models.csv --components"],
    # Releases.
    "list": ["list", *(f"list {name}" for name in ("knights-knaves", "word-problems", "token-bias", "cognitive-tasks",
                                                   "planted-cues")), "prompts datasets --style x --list-styles",
             "generate word-problems -s consistency -n 3 --seed 3 --out x.jsonl"],
    "verify": ["verify datasets/planted-cues/2.0.0 --no-regenerate"],
    "card": [f"release {name} --version {version} --card-only --cards card" for name, version in
             (("cognitive-tasks", "1.1.0"), ("token-bias", "1.2.0"), ("planted-cues", "2.0.0"))],
    "export": ["generate planted-cues -s unigram -n 6 --seed 7 --out items.jsonl",
               *(f"export items.jsonl --to {harness} --out {harness}" for harness in ("inspect", "helm", "lighteval")),
               *(f"export items.jsonl --to {harness} --out export/{harness}" for harness in
                 ("lm-eval", "openai-evals")),
               "generate word-problems -s carry -n 2 --seed 7 --out numbers.jsonl",
               "export numbers.jsonl --to lm-eval --out export/numbers"],
    # What is rarely said.
    "sentences": ["@say"],
    # What goes wrong, and what there is.
    "errors": ["audit none.jsonl", "audit no-answer.csv", "audit half.jsonl", "audit empty.csv", "audit two-golds.csv",
               "audit cue.jsonl --prompt nothing", "audit cue.jsonl --json - --html -", "audit cue.jsonl --json ''",
               "audit cue.jsonl --json few.jsonl", "audit cue.jsonl --json folder",
               "audit cue.jsonl --json link --force",
               "audit cue.jsonl --json none/x.json", "audit cue.jsonl --json x --html x",
               "audit cue.jsonl --json cue.jsonl --force", "audit cue.jsonl --threshold 2",
               "audit cue.jsonl --fail-on all", "audit cue.jsonl --recipe none", "audit cue.jsonl --answer-part '('",
               "audit", "audyt cue.jsonl", "audit cue.jsonl --splits 0", "audit cue.jsonl --folds 1",
               "audit cue.jsonl --seed 1 --seed 2", "audit cue.jsonl --groups some",
               "harden few.jsonl --out x.jsonl", "harden essays.jsonl --out x.jsonl",
               "harden cue.jsonl --out x.jsonl --steps none", "diff cue.jsonl few.jsonl", "list knight-knaves",
               "generate knights-knaves -s none -n 3", "generate knights-knaves -n 0",
               "generate knights-knaves -n 3 --shard 3/2", "release planted-cues --version 9.0.0",
               "release cognitive-tasks --version 1.1.0 --card-only --cards -", "verify folder", "download nothing",
               "export folder --to lm-eval", "prompts quiz.jsonl --style direct --part premise",
               "prompts cue.jsonl --style direkt",
               "run cognitive-tasks --agent nowhere:reply --out x.jsonl", "run --agent nobody --out x.jsonl",
               "phenotype cue.jsonl",
               "phenotype --models families.csv --feature size", "compare cue.jsonl",
               f"compare {QUIZ}", f"compare {QUIZ} --a alpha --b omega", "compare --plan --difference 0.03",
               "compare --plan", "score table.csv --items quiz.jsonl", "score answers/ --items cue.jsonl",
               "score none.jsonl --items quiz.jsonl", "analyse answers/ --items few.jsonl",
               "analyse answers/ --by hypotheses --items quiz.jsonl",
               "analyse answers/ --by effects --items quiz.jsonl",
               "annotate agreement cue.jsonl few.jsonl", "compare --plan --accuracy 99.9",
               "compare --plan --difference 101",
               "compare --plan --difference 3 --discordant 101", "compare --plan --difference 3 --accuracy 101",
               "compare --plan --difference 3 --correlation 2", f"score {QUIZ} --test mcnemar --families families.csv",
               f"score {QUIZ} --test mcnemar --original plain", f"score {QUIZ} --hypothesis order",
               f"score {QUIZ} --test mcnemar --skip-missing", "score answers/ --test mcnemar",
               "score answers/ --items datasets/planted-cues/2.0.0 --prompt question", "score answers/ --items -",
               "audit --list-recipes cue.jsonl", "compare --plan --count 3 --accuracy 70",
               "compare --plan --difference 3 --icc .3",
               "run cognitive-tasks --agent json:loads --out - --resume",
               "run nothing --agent json:loads --out x.jsonl",
               "run cognitive-tasks --agent json:loads --out x.jsonl --resume --force", "audit - cue.jsonl",
               "audit folder --item-scores x.jsonl", "audit cue.jsonl --protocol published",
               "audit cue.jsonl --train few.jsonl --protocol paper", "audit word.jsonl --protocol paper",
               "audit cue.jsonl --upstream-counts", "audit cue.jsonl --partial --protocol paper",
               "audit cue.jsonl --folds 9999", "audit cue.jsonl --workers 99999", "audit cue.jsonl --fail-on ''",
               "diff models.csv models.csv", f"compare {QUIZ} --a alpha --b alpha",
               "phenotype --models models.csv --feature base_model", "phenotype folder",
               "analyse answers/ --items quiz.jsonl --items quiz.jsonl", f"score {QUIZ} --families models.csv"],
    "help": ["--help", *(f"{name} --help{'-all' * (name in RARE)}" for name in (*COMMANDS, "annotate form",
             "annotate agreement")), "audit --help", "analyse --help"],
}  # fmt: skip
"""The visible table: document -> its commands, one after the other. The screens of all are `NAME.txt`; the other files
of a document are those that its commands write under the name of the document."""

MASKS = [
    (re.compile(r'("versions": \{)[^}]*'), r"\1"),
    (re.compile(r"(<dt>Versions</dt><dd>)[^<]*"), r"\1"),
    (re.compile(r"^(versions   hansproof 0\.1\.0, python 3)\.\d+\.\d+", re.MULTILINE), r"\1"),
    (re.compile(r"^(\[\d+/\d+\] [A-Z -]+) [ \d.]+ s ", re.MULTILINE), r"\1 "),
]
"""What varies, and is cut out: versions of Python and of libraries, and how long a benchmark of a folder took."""


def made(names: Sequence[str] = tuple(DOCUMENTS)) -> Iterator[tuple[str, str]]:
    """(file, text) of every file of the documents."""
    for name in names:
        with tempfile.TemporaryDirectory() as folder, _inside(Path(folder)):
            yield f"{name}.txt", _masked("".join(map(_screen, DOCUMENTS[name])))
            for path in sorted(Path().glob(f"{name}.*")) + sorted(Path().glob(f"{name}/**/*")):
                if path.is_file():
                    file = ".".join(path.parts)
                    text = _masked(path.read_text(encoding="utf-8"))
                    yield file, unstyled(text) if path.suffix == ".html" and file != STYLED else text


def unstyled(text: str) -> str:
    """A page without the style sheet that all pages share, and without its digest."""
    return _STYLE.sub("<style>(as in the styled page)</style>", _DIGEST.sub("style-src 'sha256-(of it)'", text))


def _screen(command: str) -> str:
    """What a command prints, below the command itself.

    `@answers ITEMS REPLIES MODEL...` makes models answer, `@advice AUDIT` shows what a screen has no room for, and
    `@say` asks the functions of `sentences` themselves.
    """
    name, *arguments = shlex.split(command)
    if name == "@say":
        return sentences.said(*arguments)
    if name == "@answers":
        items, replies, *models = arguments
        inputs.answer_items(Path(items), Path(replies), models)
        return ""
    if name == "@advice":
        audit = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
        tried = [
            f"{way['name']}, {way['description']}" for way in (audit["open_ended"] or {"strategies": ()})["strategies"]
        ]
        shown = {"advice": audit["advice"], "notes": audit["notes"], "strategy": sorted(tried)}
        return "".join(f"{part}: {line}\n" for part, lines in shown.items() for line in lines) + "\n"
    # click remembers the help option of whoever called a command first: a test may have called it by itself.
    if known := command_line().get_command(None, name):
        vars(known)["_help_option"] = None
    done = CliRunner(env=SETTING).invoke(command_line(), [name, *arguments], prog_name="hansproof")
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return f"$ hansproof {command}\n{done.output}(exit code {done.exit_code})\n\n"


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Inputs in the folder, which is the current one meanwhile."""
    inputs.write_inputs(folder)
    (folder / "datasets").symlink_to(ROOT / "datasets")
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _masked(text: str) -> str:
    for pattern, instead in MASKS:
        text = pattern.sub(instead, text)
    return text


def _write(names: Sequence[str]) -> None:
    GOLDEN.mkdir(exist_ok=True)
    for name in names:
        for path in GOLDEN.glob(f"{name}.*"):
            path.unlink()
    for file, text in made(names):
        (GOLDEN / file).write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(DOCUMENTS), metavar="NAME", help="Default: all.")
    parser.add_argument("--write", action="store_true", required=True, help="Write the golden files anew.")
    _write(parser.parse_args().names)


if __name__ == "__main__":
    main()
