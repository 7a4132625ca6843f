"""The heat map of a folder: what it holds, and what it cannot."""

import re

import msgspec

from hansproof.audit.report.audit_document import render_scan


def test_benchmarks_that_no_heat_map_can_hold_are_named_below_it(scan):
    whole = next(result for result in scan.results if result.schemes)
    other = msgspec.structs.replace(whole, name="without", schemes=[], verdict="NOT ASSESSED")
    page = render_scan(msgspec.structs.replace(scan, results=[whole, other]))
    shown = re.sub(r"<[^>]+>", "", page)
    assert "Not in the map, because no feature vector was measured: without (NOT ASSESSED)." in " ".join(shown.split())
    assert "Not in the map" not in render_scan(msgspec.structs.replace(scan, results=[whole]))
