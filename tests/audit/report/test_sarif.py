"""The SARIF log: valid, with lines, safe, and with fingerprints that outlive a new order of the rows."""

from __future__ import annotations

import json
import os
import re

import attr
import msgspec
import pydantic
import pytest
import sarif_om
from sarif_pydantic import Sarif
from sarif_schema import faults_of

import hansproof
from hansproof.audit.report.sarif import sarif_log
from hansproof.audit.report.words import RULES, VERDICTS, rule_of
from hansproof.audit.result.audit_result import Exclusion, ScanResult
from hansproof.audit.result.record import json_bytes
from hansproof.audit.result.tasks import OptionsSummary

KINDS = {
    "": "SarifLog", "runs": "Run", "tool": "Tool", "driver": "ToolComponent", "rules": "ReportingDescriptor",
    "results": "Result", "message": "Message", "locations": "Location", "relatedLocations": "Location",
    "physicalLocation": "PhysicalLocation", "artifactLocation": "ArtifactLocation", "region": "Region",
    "logicalLocations": "LogicalLocation", "artifacts": "Artifact", "location": "ArtifactLocation",
    "invocations": "Invocation", "toolExecutionNotifications": "Notification",
    "shortDescription": "MultiformatMessageString", "fullDescription": "MultiformatMessageString",
    "help": "MultiformatMessageString", "defaultConfiguration": "ReportingConfiguration",
}  # fmt: skip
"""Key of an object of the log, and its class in the object model that was generated from the official schema."""
FREE = ("properties", "hashes", "partialFingerprints")


POISON = "\x1b[31m\u202e\ud800<b>" + "x" * 10_000


LOGGED = [rule for rule in RULES.values() if rule.level]


def test_every_verdict_has_a_rule_and_every_rule_of_a_log_a_title():
    assert [rule_of(verdict).name for verdict in VERDICTS] == [
        verdict.lower().replace(" ", "-") for verdict in VERDICTS
    ]
    assert all(rule.meaning and not rule.meaning.endswith(" ") and "  " not in rule.meaning for rule in RULES.values())
    assert all(rule.title and rule.level in ("error", "warning", "note") for rule in LOGGED)
    assert all(re.fullmatch("(LEAK|TMPL|IMBA|TRAC|PASS|UNKN|DATA)[0-9]{3}", rule.id) for rule in RULES.values())
    assert len({rule.id for rule in RULES.values()}) == len(RULES)
    assert {id.partition("-")[2] for id in RULES if id.startswith(("open-", "options-"))} < {*RULES}
    with pytest.raises(KeyError):
        rule_of("FINE")


def faults(value, key=""):
    """Keys that the official schema does not know, and required ones that are missing."""
    if isinstance(value, list):
        return [fault for entry in value for fault in faults(entry, key)]
    if not isinstance(value, dict) or key in FREE:
        return []
    fields = {field.metadata["schema_property_name"]: field for field in attr.fields(getattr(sarif_om, KINDS[key]))}
    said = [f"{key}.{name} is unknown" for name in value.keys() - fields.keys()]
    said += [f"{key}.{n} is missing" for n, field in fields.items() if field.default is attr.NOTHING and n not in value]
    return said + [fault for name, part in value.items() for fault in faults(part, name)]


def extras(model):
    """Keys that the typed model does not know, at any depth."""
    if isinstance(model, list):
        return [extra for entry in model for extra in extras(entry)]
    if not isinstance(model, pydantic.BaseModel):
        return []
    return [*(model.model_extra or {}), *(extra for _, part in model for extra in extras(part))]


def log_of(result, root=""):
    return json.loads(json_bytes(sarif_log(result, "0.1.0", root)))


def test_every_log_obeys_the_object_model_of_the_official_schema(results, scan):
    for result in [*results.values(), scan]:
        log = log_of(result)
        assert faults(log) == []
        # The typed model lacks two keys of the schema, which the object model above has.
        assert set(extras(Sarif.model_validate(log))) <= {"columnKind", "toolExecutionNotifications"}
    assert faults({"version": "2.1.0", "runs": [{"results": [{"massage": "x"}], "tool": {"driver": {}}}]}) == [
        "results.massage is unknown", "results.message is missing", "driver.name is missing",
    ]  # fmt: skip


def test_a_verdict_that_is_a_fault_is_one_result_and_clean_is_none(results):
    rules = {}
    for result in results.values():
        entries = log_of(result)["runs"][0]["results"]
        verdicts = [entry for entry in entries if entry["ruleId"] in {rule_of(verdict).id for verdict in VERDICTS}]
        assert len(verdicts) == (result.verdict != "CLEAN")
        rules[result.verdict] = verdicts[0]["ruleId"] if verdicts else None
        for entry in entries:
            assert LOGGED[entry["ruleIndex"]].id == entry["ruleId"]
    assert rules["LEAKS"] == "LEAK001"
    assert rules["NOT ASSESSED"] == "UNKN002"
    assert rules["CLEAN"] is None
    assert rule_of("CLEAN").level == ""


def test_a_leak_of_options_has_a_rule_of_its_own(make_result):
    summary = OptionsSummary(
        task="", how="", sizes=[[2, 9]], chance=0.5, positions=[], only="length", asked="length", rules=[]
    )
    log = log_of(msgspec.structs.replace(make_result(), options=summary))
    assert log["runs"][0]["results"][0]["ruleId"] == "LEAK003"


def test_giveaways_stand_on_their_lines(make_result):
    item = msgspec.structs.replace(make_result().giveaways[0], place="line 812")
    result = make_result(giveaways=[item])
    entry = next(e for e in log_of(result)["runs"][0]["results"] if e["ruleId"] == "LEAK004")
    location = entry["locations"][0]["physicalLocation"]
    assert location["region"] == {"startLine": 812}
    assert location["artifactLocation"] == {"uri": "benchmarks/space_nli.jsonl", "uriBaseId": "%SRCROOT%"}
    # Nobody can open line 812 of a packed file, nor of Parquet: there, the place is a name.
    for changes in ({"source": "a.jsonl.gz"}, {"giveaways": [msgspec.structs.replace(item, place="row 812")]}):
        other = msgspec.structs.replace(result, **changes)
        entry = next(e for e in log_of(other)["runs"][0]["results"] if e["ruleId"] == "LEAK004")
        assert entry["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}
        assert entry["locations"][0]["logicalLocations"][0]["name"].endswith(" 812")
    assert "LEAK004" not in {
        e["ruleId"] for e in log_of(make_result(verdict="CLEAN", giveaways=[item]))["runs"][0]["results"]
    }


def test_conflicting_answers_name_every_item(make_result):
    entries = [e for e in log_of(make_result())["runs"][0]["results"] if e["ruleId"] == "DATA001"]
    assert entries[1]["locations"][0]["physicalLocation"]["region"] == {"startLine": 40}
    assert [at["physicalLocation"]["region"]["startLine"] for at in entries[1]["relatedLocations"]] == [41, 388]


def test_a_fingerprint_outlives_other_lines_and_not_another_text(make_result):
    item = make_result().giveaways[0]

    def fingerprint(**changes):
        moved = msgspec.structs.replace(item, **changes)
        entries = log_of(make_result(giveaways=[moved]))["runs"][0]["results"]
        return next(e for e in entries if e["ruleId"] == "LEAK004")["partialFingerprints"]

    assert fingerprint() == fingerprint(place="line 3", id="other", probability=0.5)
    assert fingerprint() != fingerprint(prompt=item.prompt + " not")
    assert fingerprint() != fingerprint(answer="neutral")


@pytest.mark.parametrize(
    ("source", "root", "uri"),
    [
        ("/repo/data/my set.jsonl", "/repo", {"uri": "data/my%20set.jsonl", "uriBaseId": "%SRCROOT%"}),
        ("/else/a.jsonl", "/repo", {"uri": "file:///else/a.jsonl"}),
        ("hf://org/name:config@test", "/repo", {"uri": "hf://org/name:config@test"}),
        ("a#b?.jsonl", "", {"uri": "a%23b%3F.jsonl", "uriBaseId": "%SRCROOT%"}),
    ],
)
def test_files_are_named_as_pages_want_them(make_result, source, root, uri):
    assert log_of(make_result(source=source), root)["runs"][0]["artifacts"][0]["location"] == uri


def test_texts_of_strangers_make_no_links_and_no_placeholders(make_result):
    item = msgspec.structs.replace(
        make_result().giveaways[0], prompt="[here](http://bad.example) {0} \u202e" + POISON, place="line 1"
    )
    log = log_of(make_result(giveaways=[item], name=POISON, source=POISON))
    said = next(e for e in log["runs"][0]["results"] if e["ruleId"] == "LEAK004")["message"]["text"]
    assert "\\[here\\](http://bad.example) {{0}}" in said
    assert "\u202e" not in said
    assert len(said) < 1100


def test_a_file_of_a_folder_that_could_not_be_audited_is_a_notification(make_result):
    failure = Exclusion(place="suite/c.csv: line 3", reason="2 cells where the header has 3")
    log = log_of(ScanResult(schema="s", source="suite", results=[make_result()], failures=[failure]))
    invocation = log["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    note = invocation["toolExecutionNotifications"][0]
    assert note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "suite/c.csv"
    assert faults(log) == []


def test_files_that_an_interrupted_run_did_not_reach_are_said_so(make_result):
    log = log_of(
        ScanResult(schema="s", source="suite", results=[make_result()], failures=[], unfinished=["suite/z.csv"])
    )
    invocation = log["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    (note,) = invocation["toolExecutionNotifications"]
    assert note["message"]["text"] == "suite/z.csv: the run was interrupted before this file"
    assert note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "suite/z.csv"


def test_every_log_obeys_the_official_schema(results, scan, make_result):
    twice = ScanResult(schema="s", source=".", results=[make_result(), make_result()], failures=[])
    cut = ScanResult(schema="s", source=".", results=[], failures=[], unfinished=["a.csv"])
    for result in [*results.values(), scan, twice, cut]:
        assert faults_of(log_of(result)) == []
    log = log_of(make_result())
    log["runs"][0]["artifacts"] *= 2
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert [fault.partition(":")[0] for fault in faults_of(log)] == [
        "runs/0/artifacts", "runs/0/results/0/locations/0/physicalLocation/region/startLine",
    ]  # fmt: skip


def test_a_name_that_is_not_utf_8_is_written_as_the_bytes_that_it_has(make_result):
    named = os.fsdecode(b"caf\xe9: 1.jsonl")
    assert log_of(make_result(source=named))["runs"][0]["artifacts"][0]["location"]["uri"] == "caf%E9%3A%201.jsonl"


def test_open_ended_answers_have_help_of_their_own_and_items_that_a_strategy_solves(open_result):
    entries = log_of(open_result)["runs"][0]["results"]
    verdict = next(entry for entry in entries if entry["ruleId"] == "LEAK002")
    rule = LOGGED[verdict["ruleIndex"]]
    assert "copies, counts, calculates at face value" in rule.meaning
    assert "probe" not in rule.meaning
    solved = [entry for entry in entries if entry["ruleId"] == "LEAK005"]
    assert len(solved) == 10
    assert solved[0]["message"]["text"].startswith("“last word” gives the gold answer “")
    assert solved[0]["locations"][0]["logicalLocations"][0]["name"].startswith("row ")
    assert rule_of("NOT ASSESSED", "open").name == "not-assessed"
    assert faults(log_of(open_result)) == []
    assert faults_of(log_of(open_result)) == []


@pytest.fixture(scope="module")
def open_result():
    rows = [{"question": f"{n * 7} and {n * n} towards u{n}", "answer": f"u{n}"} for n in range(40)]
    return hansproof.audit(rows, splits=2, permutations=199, groups="none")
