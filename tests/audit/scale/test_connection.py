"""A cluster gives the numbers of one machine, also if a worker dies midway; what it cannot do is said in one line."""

import os
import signal
from pathlib import Path

import msgspec
import pytest

from hansproof.audit.probes import spreading
from hansproof.audit.probes.spreading import Cluster, connected
from hansproof.audit.reading.loading import expand
from hansproof.audit.run import examine
from hansproof.audit.scale.folder import How, scan
from hansproof.audit.settings import make_settings
from hansproof.generators.errors import UsageError
from hansproof.generators.jsonl import read_bytes

distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")

LINES = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "2.0.0" / "unigram.jsonl.gz"
QUICK = make_settings(splits=2, permutations=99, folds=3)


@pytest.fixture(scope="module")
def local():
    """Two workers of one thread on this machine."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture
def bench(tmp_path):
    path = tmp_path / "bench.jsonl"
    path.write_text("".join(read_bytes(LINES).decode().splitlines(keepends=True)[:150]), encoding="utf-8")
    return str(path)


def alone(file, **more):
    return msgspec.json.encode(examine(file, settings=QUICK, workers=1, **more).result)


@pytest.mark.slow
def test_a_worker_that_is_killed_midway_changes_no_number_and_loses_nothing(local, bench):
    steps = []

    def kill(stage, done, total):
        if stage == "fitting probes" and done and not steps:
            os.kill(local.workers[0].pid, signal.SIGKILL)
            steps.append(done)

    with Cluster(local.scheduler_address) as cluster:
        assert alone(bench, spread=cluster, progress=kill) == alone(bench)
    assert steps, "no worker was killed while fits were under way"


@pytest.mark.slow
def test_benchmarks_of_a_folder_are_spread_and_faulty_ones_listed(local, tmp_path, bench):
    (tmp_path / "broken.csv").write_text("only one column\n1\n", encoding="utf-8")
    (tmp_path / "also.jsonl").write_bytes(Path(bench).read_bytes())
    with connected(local.scheduler_address) as cluster:
        outcome = scan(str(tmp_path), dict.fromkeys(expand(str(tmp_path)), How(settings=QUICK)), cluster=cluster)
    assert [result.name for result in outcome.results] == ["also", "bench"]
    assert [Path(failure.place).name for failure in outcome.failures] == ["broken.csv"]
    both = [msgspec.json.encode(msgspec.structs.replace(result, name="", source="")) for result in outcome.results]
    assert both[0] == both[1]


def test_what_the_cluster_loses_is_computed_here(local, monkeypatch):
    with Cluster(local.scheduler_address) as cluster:
        monkeypatch.setattr(Cluster, "_answers", lambda self, function, table, shared, jobs: iter([]))
        seen = []
        assert cluster.map(lambda table, shared, job: table + shared + job, 1, 10, [100, 200], seen.append) == [
            111,
            211,
        ]
        assert seen == [111, 211]


def test_workers_with_another_version_are_refused(local, monkeypatch):
    monkeypatch.setattr(spreading, "code_digest", lambda: "of another version")
    monkeypatch.setattr(distributed.Client, "run", lambda self, function: {"tcp://worker:1": "of this one"})
    with pytest.raises(UsageError, match="another version of hansproof is installed on tcp://worker:1"):
        Cluster(local.scheduler_address)


def test_an_address_where_nobody_answers_is_one_clear_line(monkeypatch):
    monkeypatch.setattr(spreading, "_PATIENCE", 0.5)
    with pytest.raises(UsageError, match=r"tcp://127.0.0.1:9: no dask scheduler answers; start one with `dask sched"):
        Cluster("tcp://127.0.0.1:9")
    with pytest.raises(UsageError, match="no dask scheduler answers"):
        Cluster("nonsense")


def test_no_address_is_no_cluster():
    with connected(None) as cluster:
        assert cluster is None
