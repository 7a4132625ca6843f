"""An audit as one document, from which its screen and its page are drawn: what is said, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from hansproof.audit import notation
from hansproof.audit.notation import count, drawn, interval, kappa, last_part, one_line, p_is, per_cent, things
from hansproof.audit.report import audit_sentences, words
from hansproof.audit.report.audit_tables import (
    cues_table,
    kappas_table,
    ladder_table,
    maps,
    ngrams_table,
    numbers_table,
    partial_table,
    rules_table,
    scan_table,
    strategies_table,
    vectors_table,
)
from hansproof.audit.report.document import (
    Banner,
    Document,
    Excerpt,
    Excerpts,
    Fold,
    KeyFigures,
    Note,
    Part,
    Run,
    Section,
    listed,
)
from hansproof.audit.report.excerpts import marked, tone
from hansproof.audit.report.findings import ArrangedResult, key_figures
from hansproof.audit.report.html import page
from hansproof.audit.report.words import sentence
from hansproof.audit.result.audit_result import AuditResult, Duplicates, PolicyUsed, ScanResult
from hansproof.audit.result.tasks import PartAudit
from hansproof.audit.verdict.reasons import what_is_found

__all__ = ["audit_document", "banner", "given_facts", "read_as", "render", "render_scan", "scan_document"]

_LABELS = 8
"""Answers that are counted before `and n more`."""


def render(result: AuditResult) -> str:
    """One audit as a self-contained HTML page. The same result gives the same text."""
    return page(audit_document(result))


def render_scan(scan: ScanResult) -> str:
    """A folder as one page: heat maps of benchmarks by feature vectors, then a chapter for each benchmark."""
    return page(scan_document(scan))


def audit_document(result: AuditResult, prefix: str = "") -> Document:
    """One audit: verdict and reason, then a section for each thing that was looked at. `prefix` begins its ids."""
    findings = ArrangedResult(result)
    sections = [section for sections_of in _SECTIONS for section in sections_of(findings) if section.parts]
    source = last_part(result.source, 300)
    return Document("Shortcut audit", one_line(result.name, 160), sections, source, banner(result), prefix=prefix)


def banner(result: AuditResult) -> Banner:
    """The verdict with its reason, the simplest shortcut and what all this means."""
    look = words.VERDICTS[result.verdict]
    reason = one_line(words.reason_of(result), 1200)
    lead = one_line(audit_sentences.simplest(result), 600)
    return Banner(look.key, look.symbol, result.verdict, reason, lead, words.meaning(result))


def scan_document(scan: ScanResult) -> Document:
    """A folder: its heat maps, a row for each benchmark, what could not be audited, and a chapter for each audit."""
    audited = things(len(scan.results), "benchmark")
    failed = f", {things(len(scan.failures), 'file')} could not be audited" if scan.failures else ""
    drawings = maps(scan)
    first: list[Part] = [*drawings[:1], *([Fold("Other folds", drawings[1:])] if len(drawings) > 1 else [])]
    sections = [
        words.section("maps", first),
        words.section("verdicts", _verdicts(scan)),
        words.section("failures", [Note(f"{entry.place}: {entry.reason}", "point") for entry in scan.failures]),
        words.section("unfinished", [Note(file, "point") for file in scan.unfinished]),
    ]
    chapters = [audit_document(result, f"b{index}-") for index, result in enumerate(scan.results, start=1)]
    title, beneath = last_part(scan.source, 160), f"{audited} audited{failed}"
    shown = [section for section in sections if section.parts]
    return Document("Shortcut audit of a folder", title, shown, beneath, chapters=chapters)


def _verdicts(scan: ScanResult) -> list[Part]:
    if not scan.results and not scan.failures:
        return []
    said = [Note(_scan_legend(scan), "legend")] if scan.results else []
    return [scan_table(scan), *said, *_facts({"policy": _policy(scan), "exit": _exit(scan)})]


def _policy(scan: ScanResult) -> str:
    """What of the policy holds for all of a folder, and each rule that is ignored with its files, if not for all."""
    policies = {result.source: result.policy for result in scan.results if result.policy}
    if not policies:
        return ""
    first, *others = policies.values()
    used = {name: value for name, value in first.used.items() if all(each.used.get(name) == value for each in others)}
    ignored: dict[str, str] = {}
    for rule, why in dict.fromkeys(pair for policy in policies.values() for pair in policy.ignored.items()):
        files = [file for file, policy in policies.items() if policy.ignored.get(rule) == why]
        more = f" and {things(len(files) - 1, 'more file')}" if files[1:] else ""
        ignored[rule if len(files) == len(policies) else f"{rule} in {files[0]}{more}"] = why
    return words.policy_line(PolicyUsed(file=first.file, used=used, ignored=ignored))


def _exit(scan: ScanResult) -> str:
    """The exit code of the command and what decides it, then the other codes; empty where there is none yet."""
    if scan.unfinished or not (scan.exits or scan.failures):
        return ""
    told = Counter(
        [*zip(scan.exits, (str(result.verdict) for result in scan.results)), *[(2, "FAILED")] * len(scan.failures)]
    )
    by_code: dict[int, list[str]] = {}
    for (code, word), number in sorted(told.items()):
        by_code.setdefault(code, []).append(f"{word} ({number:,})")
    codes = [f"{code}, because of {', '.join(said)}" for code, said in by_code.items() if code]
    return "; otherwise ".join(codes) or "0, because no verdict fails"


def _scan_legend(scan: ScanResult) -> str:
    said = (
        "kappa: published split"
        if any(result.scheme("published") for result in scan.results)
        else ("kappa: grouped folds")
    )
    if any(result.scheme("paper") for result in scan.results):
        said += " (under the paper's protocol: uniform-chance)"
    if any(result.open_ended for result in scan.results):
        said += " (open-ended answers: advantage over the best constant)"
    return f"{said}; random: the same feature vector under random folds; * at or above the threshold"


def _facts(named: Mapping[str, str] | Iterable[tuple[str, str]]) -> list[Note]:
    """The facts that say something."""
    pairs = named.items() if isinstance(named, Mapping) else named
    return [Note(text, "fact", name) for name, text in pairs if text]


def _opening(findings: ArrangedResult) -> Iterable[Section]:
    figures = key_figures(findings)
    yield words.section("numbers", [KeyFigures(figures)] if figures else [])
    yield words.section("vary", listed(findings.result.advice))
    yield words.section("read", _read(findings))
    if (used := findings.result.recipe) is not None:
        what, whose = f"{used.title} ({used.citation})", ""
        if used.confirmed:
            told = (
                f"{used.name}: {what}, read as: {used.form}; licence: {used.licence}; checked against: {used.checked}"
            )
        else:
            whose = f"of {used.title}, if this file is it: "
            told = f"{used.name} was asked for: {what}; nothing shows that this file is it. Read as: {used.form}"
        figures_known = [f"{whose}{each.figure}: {each.what} ({each.source})" for each in used.expected]
        known = [(f"{'' if at else 'published'}", text) for at, text in enumerate(figures_known)]
        yield words.section("recipe", _facts([("recipe", told), *known, ("known", " ".join(used.peculiarities))]))


def _read(findings: ArrangedResult) -> list[Part]:
    result = findings.result
    digest = f" (sha256 {result.sha256})" if result.sha256 else ""
    counted = [f"{one_line(drawn(label.label), 24)} ({count(label.count)})" for label in result.labels[:_LABELS]]
    if len(result.labels) > _LABELS:
        counted.append(f"and {len(result.labels) - _LABELS} more")
    answers = "" if result.options else f"; {things(len(result.labels), 'answer')}: {', '.join(counted)}"
    left_out = things(result.left_out_count, "row") if result.left_out_count else ""
    if result.left_out_count and len(result.left_out) <= 2:
        left_out += (
            f": {'; '.join(f'{last_part(row.place, 40)}: {one_line(row.reason, 80)}' for row in result.left_out)}"
        )
    facts = {
        "source": f"{last_part(result.source, 150)}{digest}".strip(),
        **dict(read_as(findings)),
        "items": f"{count(result.items)}{answers if result.labels else ''}" if result.items else "",
        "left out": left_out,
        "duplicates": _duplicates(result.duplicates) if result.duplicates else "",
        "policy": words.policy_line(result.policy) if result.policy else "",
    }
    parts: list[Part] = [*_facts(facts)]
    if len(result.left_out) > 2:
        rows = [f"{last_part(row.place, 80)}: {one_line(row.reason, 200)}" for row in result.left_out]
        parts.append(
            Fold(f"{things(result.left_out_count, 'row')} left out", listed(_first(rows, result.left_out_count)))
        )
    if result.duplicates is not None and result.duplicates.conflicting:
        sets = [", ".join(last_part(name, 80) for name in ids) for ids in result.duplicates.conflicting]
        every = _first(sets, result.duplicates.conflicting_sets)
        parts.append(Fold("Items with the same text and different gold answers", listed(every)))
    return parts


def read_as(findings: ArrangedResult) -> list[tuple[str, str]]:
    """(name, text) pairs: the form of the file and the columns of the roles, then the columns that no prompt has."""
    mapping = findings.result.mapping
    parts = [one_line(mapping.format, 100)] if mapping.format else []
    parts += [
        f"{role.name} = {one_line(role.column, 60)}{' (guessed)' if role.guessed else ''}" for role in findings.roles
    ]
    unseen = f"columns of texts in no prompt (--template adds them): {', '.join(mapping.unseen)}"
    return [("read as", "; ".join(parts)), ("not read", one_line(unseen, 400) if mapping.unseen else "")]


def given_facts(result: AuditResult) -> list[tuple[str, str]]:
    """(name, text) for each of the predictions that were made elsewhere: their kappa, and what is not known of them."""
    facts: list[tuple[str, str]] = []
    for used in result.predictions:
        entry = result.schemes[0].find(used.name)
        if entry is not None:
            ends = interval(entry.matched_low, entry.matched_high)
            size = f"kappa {kappa(entry.matched)} {ends}, {p_is(entry.p_corrected if entry.counted else entry.p)}"
            facts.append(("" if facts else "yours", f"{used.name}: {size}. {sentence(used.told)}"))
    return facts


def _first(shown: Sequence[str], total: int) -> list[str]:
    """The entries, and how many more there are."""
    return [*shown, *([f"and {total - len(shown):,} more"] if total > len(shown) else [])]


def _duplicates(duplicates: Duplicates) -> str:
    if not (duplicates.repeated_items or duplicates.conflicting_sets or duplicates.across_splits):
        return ""
    gold = "text with more than one gold answer", "texts with more than one gold answer"
    parts = [things(duplicates.repeated_items, "repeated text"), things(duplicates.conflicting_sets, *gold)]
    if duplicates.across_splits:
        parts.append(f"{count(duplicates.across_splits)} shared between splits")
    return "; ".join(parts)


def _ladder(findings: ArrangedResult) -> Iterable[Section]:
    result, ladder = findings.result, findings.result.ladder
    if ladder is None:
        return
    parts: list[Part] = [ladder_table(findings)]
    if ladder.enough:
        parts.append(Note("★ the simplest that is enough; p: one-sided, corrected for all rungs", "legend"))
    if any(rung.kappa is not None and rung.kappa < 0 for rung in ladder.rungs):
        below = (
            "A kappa below 0 is no shortcut: what was chosen on the training items is right on the others less often "
        )
        parts.append(Note(f"{below}than chance."))
    if (best := ladder.ngram) is not None:
        counted, of = count(best.count_label), things(best.count, "item" if result.options is None else "option")
        what = f"have the answer “{one_line(drawn(best.label), 80)}”"
        if result.options:  # its label is `the right option`, `a rejected reply`
            what = f"are {best.label.split()[1]}"
        chosen = f"“{one_line(drawn(best.ngram), 80)}”, chosen in {per_cent(best.chosen, 0)} of the training sets"
        of = findings.worded(of)
        parts += _facts({"n-gram": f"the best is {chosen}: {counted} of the {of} that contain it {what}"})
    section = words.section("ladder", parts, findings.variant)
    heading = words.SECTIONS["ladder"]["heading-enough" if ladder.enough else "heading"]
    yield Section(heading, section.id, section.parts)


def _open_ended(findings: ArrangedResult) -> Iterable[Section]:
    result, record = findings.result, findings.result.open_ended
    if record is None:
        return
    offered = (
        f"one of the alternatives that {things(record.offered, 'question')} offer (right for {per_cent(record.chance)})"
    )
    marks = [f"* at least {kappa(result.settings.threshold)}", audit_sentences.columns_explained()]
    if record.strategy:
        marks.insert(0, "▸ what the verdict is about")
    yield words.section(
        "strategies",
        [strategies_table(findings), Note("; ".join(marks), "legend")],
        chance=offered if record.offered else "always giving the most common answer",
        count=len(record.strategies),
    )
    parts = [(f"{'' if at else 'parts'}", _part(part, result.source)) for at, part in enumerate(record.parts)]
    yield words.section("answers", _facts([*audit_sentences.open_sentences(record), *parts]))
    solved = [Excerpt(item.id, f"gold “{drawn(item.answer)}”", marked(item.prompt)) for item in record.solved]
    named = one_line(record.strategy or "", 60)
    yield words.section("solved", [Excerpts(solved)] if solved else [], strategy=named)


def _part(part: PartAudit, source: str) -> str:
    why = f" {sentence(part.reason)}" if part.verdict and part.reason else ""
    command = audit_sentences.part_command(part, source)
    return f"{audit_sentences.part_sentence(part)}{why}: {command}"


def _options(findings: ArrangedResult) -> Iterable[Section]:
    options = findings.result.options
    if options is not None:
        told = "told apart: items whose options the rule does not treat all alike; it guesses in the others"
        told = findings.worded(told)
        note = Note(
            f"{told}. p: one-sided, corrected for all {len(options.rules)} rules (max-T); intervals are not", "legend"
        )
        parts: list[Part] = [*_facts(audit_sentences.head_lines(findings)), rules_table(findings), note]
        yield words.section("options", parts, findings.variant)


def _probes(findings: ArrangedResult) -> Iterable[Section]:
    result, first = findings.result, findings.first
    if first is None:
        return
    marks = [*findings.marks, f"* at least {kappa(result.settings.threshold)}"]
    if any(not vector.counted for vector in first.vectors):
        marks.append("+ not counted")
    explained = audit_sentences.option_meanings if result.options else audit_sentences.column_meanings
    plotted = f"Dots: {findings.folds(first.scheme)}, with 95 % intervals; dashed: the threshold"
    if findings.second is not None:
        plotted += f"; rings: {findings.folds(findings.second.scheme)}"
    facts = {"baseline": "", **dict(given_facts(result)), "would find": "", "similar": words.carried(result.clusters)}
    if result.options is None:
        uniform = kappa(first.majority_uniform)
        accuracy = per_cent(first.majority_accuracy)
        facts["baseline"] = f"most common answer: accuracy {accuracy}, uniform-chance kappa {uniform}"
    if result.findable:
        facts["would find"] = findings.worded(f"{what_is_found(result.findable)}; {words.FINDABLE}")
    legends = [Note("; ".join(marks), "legend"), Note("; ".join(explained(findings)), "legend")]
    parts: list[Part] = [vectors_table(findings), *legends, Note(f"{plotted}."), *_facts(facts)]
    task = one_line(result.options.task, 400) if result.options else ""
    yield words.section("probes", parts, findings.variant, task=task)


def _split(findings: ArrangedResult) -> Iterable[Section]:
    split = findings.result.published
    if split is None:
        return
    facts = {
        "split": audit_sentences.parts_sentence(split),
        "shared": audit_sentences.overlap_sentence(split),
        "unseen": ", ".join(one_line(drawn(label), 60) for label in split.unseen_labels[:10]),
    }
    about = findings.label_of(findings.result.vector or "")
    shared = [
        Excerpt(
            item.test,
            f"{item.kind} of {last_part(item.train, 80)}; answers {one_line(drawn(item.test_answer), 40)} and "
            f"{one_line(drawn(item.train_answer), 40)}",
            [*marked(item.test_text), Run("\n[training item] ", "cut"), *marked(item.train_text)],
        )
        for item in split.examples
    ]
    parts: list[Part] = [*_facts(facts), kappas_table(split, about)]
    parts += [Fold(f"Items that both parts share ({len(shared)} shown)", [Excerpts(shared)])] if shared else []
    yield words.section("split", parts, near=kappa(split.near))


def _explanations(findings: ArrangedResult) -> Iterable[Section]:
    result, partial = findings.result, findings.result.partial
    options = findings.variant
    if partial is not None and (partial.inputs or partial.left_out):
        parts: list[Part] = []
        if partial.inputs:
            vectors = "; ".join(partial.vectors)
            chosen = f"In each training set, the best of {one_line(vectors, 300)} was chosen; grouped folds, the first "
            parts += [partial_table(findings), Note(f"{partial.how} {chosen}{things(partial.splits, 'split')}.")]
            parts.append(
                Note("p: one-sided, corrected for all partial inputs looked at; items: with that part", "legend")
            )
        if partial.left_out:
            untried = "; ".join(f"{one_line(each.name, 60)} ({one_line(each.reason, 80)})" for each in partial.left_out)
            untried = findings.worded(untried)
            parts.append(Note(f"Not tried: {untried}.", "legend"))
        yield words.section("partial", parts, options)
    if of_format := audit_sentences.format_sentences(result):
        changed = things(result.format_share.changed, "item") if result.format_share else ""
        yield words.section("format", listed(of_format), changed=changed, items=count(result.items))
    if result.mentions is not None:
        yield words.section("mentions", listed(audit_sentences.mention_sentences(result.mentions, result.items)))


def _groups(findings: ArrangedResult) -> Iterable[Section]:
    groups, gap, parts = findings.result.groups, findings.gap, list[Part]()
    if gap is not None:
        size = f"{notation.signed(gap.gap)} {interval(gap.low, gap.high)}"
        label = one_line(findings.label_of(gap.vector), 40)
        parts += _facts({"gap": f"kappa under random folds minus kappa under grouped folds: {size} ({label})"})
        parts.append(Note(words.SECTIONS["gap"]["about"]))
    if groups is not None:
        together = groups.source != "none" and groups.largest > 1
        alone_in_it = f"{count(groups.singletons)} with a single item"
        size = f"{things(groups.count, 'group')}, largest {count(groups.largest)}, {alone_in_it}"
        alone = "none: every item stands alone"
        how = one_line(groups.how, 600)
        parts += _facts({"groups": f"{size if together else alone}{f'. {how}' if how else ''}"})
        if groups.examples and together:
            members = [", ".join(last_part(name, 60) for name in names) for names in groups.examples]
            parts.append(Fold("Members of the largest groups", listed(members)))
    yield words.section("groups", parts)


def _evidence(findings: ArrangedResult) -> Iterable[Section]:
    result, survey = findings.result, findings.result.single_ngrams
    vector, options = one_line(findings.label_of(result.evidence_vector or ""), 60), findings.variant
    blanks = [Note("␣ stands for a space, ⏎ for a line break, ⇥ for a tab.")]
    if result.cues:
        odd = any(notation.is_odd(cue.ngram) for cue in result.cues)
        yield words.section("cues", [cues_table(findings), *(blanks if odd else [])], options, vector=vector)
    if survey is not None:
        parts: list[Part] = [*listed(audit_sentences.ngram_sentences(survey))]
        if survey.worst:
            parts.append(ngrams_table(survey))
            parts += blanks if any(notation.is_odd(test.ngram) for test in survey.worst) else []
        ngrams, units = things(survey.ngrams, "n-gram"), things(survey.units, survey.unit)
        yield words.section("ngrams", parts, ngrams=ngrams, unit=survey.unit, units=units)
    if result.giveaways:
        items = []
        for item in result.giveaways:
            about = f"gold {one_line(drawn(item.answer), 60)}, probability {kappa(item.probability)}"
            if item.predicted != item.answer:
                about += f", predicted {one_line(drawn(item.predicted), 60)}"
            items.append(Excerpt(item.id, about, marked(item.prompt, item.cues, findings.tones)))
        used = dict.fromkeys(cue.label for item in result.giveaways for cue in item.cues)
        legend = [
            Run(f"points to {one_line(drawn(label), 60)}", f"t{tone(label, findings.tones)} w3")
            for label in sorted(used, key=lambda label: (tone(label, findings.tones), label))
        ]
        of_templates = " It was not trained on them, but on other items from the same templates."
        template = of_templates if result.verdict == "TEMPLATE-BOUND" else ""
        by = f"probability by the probe of {vector}; {findings.folds(result.evidence_scheme)}"
        yield words.section("items", [Excerpts(items, legend), Note(by, "legend")], options, template=template)


def _method(findings: ArrangedResult) -> Iterable[Section]:
    result = findings.result
    versions = [f"{one_line(name, 40)} {one_line(version, 40)}" for name, version in result.versions.items()]
    facts = _protocol(findings) | {"versions": ", ".join(versions)}
    parts: list[Part] = [*_facts(facts), *listed(result.notes)]
    parts += [Fold("All numbers", [numbers_table(result)])] if result.schemes else []
    if result.source:
        parts += [Note("To repeat it:"), Note(audit_sentences.command(result), "code")]
    if findings.first is not None:
        parts.append(Note(words.SECTIONS["method"]["cite"]))
    yield words.section("method", parts, "" if findings.first else "unmeasured")


def _protocol(findings: ArrangedResult) -> dict[str, str]:
    """How the kappas were had, by the name of each fact; empty if nothing was measured."""
    result, settings, first, prose = findings.result, findings.result.settings, findings.first, words.SECTIONS["method"]
    if first is None:
        return {}
    options = result.options
    kind = "paper" if findings.paper else "published" if result.published else "folds"
    values = {
        "scored": things(first.scored, "item"),
        "splits": things(first.splits, "split"),
        "folds": things(settings.folds, "outer fold"),
        "permutations": count(settings.permutations),
        "alpha": kappa(settings.alpha),
        "labels": len(result.labels),
        "uniform": kappa(first.majority_uniform),
        "guessing": per_cent(options.chance) if options else "",
        "counts": prose["counts-published" if settings.upstream_counts else "counts-described"],
    }
    again = f"; repeated with {findings.folds(findings.second.scheme)}" if findings.second else ""
    protocol = prose[f"protocol-{kind}"] + again
    matched = "" if findings.paper else f" {prose['chance-matched']}"
    chance = prose["chance-options"] if options else prose["chance"] + matched
    shuffled = prose["test-options" if options else "test"]
    told = {"protocol": protocol, "chance": chance, "test": "" if findings.paper else shuffled + prose[f"level-{kind}"]}
    facts = {name: findings.worded(text.format(**values)) for name, text in told.items()}
    facts |= {"threshold": f"kappa {kappa(settings.threshold)}", "seed": str(settings.seed)}
    return facts | {"also run": "gradient-boosted trees, outside the thirteen" if settings.trees else ""}


_SECTIONS: Final[tuple[Callable[[ArrangedResult], Iterable[Section]], ...]] = (
    _opening, _ladder, _open_ended, _options, _probes, _split, _explanations, _groups, _evidence, _method,
)  # fmt: skip
"""What a document says, from what decides to how it was had."""
