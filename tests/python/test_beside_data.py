"""Dask and Spark say of a partitioned data set what `t2v predict` says of the whole table."""

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "python"
TOP = 3


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A folder with a model, a table whole.csv, and its rows as events/*.parquet: each file has a span of time, so that
    sequences are in many files, and some events of a sequence are at the same time."""
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    import time2vec

    folder = tmp_path_factory.mktemp("beside")
    random = np.random.default_rng(3)
    count, users = 4000, 60
    hours = np.sort(random.integers(0, 700, count))
    time = np.datetime64("2024-01-01T00:00:00", "us") + hours * np.timedelta64(3600, "s")
    who = random.integers(0, users, count)
    what = np.array(list("abcde"))[(who + hours // 7 + random.integers(0, 2, count)) % 5]
    table = pa.table({"user": [f"u{i}" for i in who], "time": time, "event": what, "row": np.arange(count)})
    (folder / "events").mkdir()
    for i in range(8):
        part = table.slice(i * 500, 500).take(random.permutation(500))
        pq.write_table(part, folder / "events" / f"{i}.parquet", row_group_size=100)
    rows = zip(*(table[name].to_pylist() for name in ("user", "time", "event")))
    with open(folder / "whole.csv", "w", newline="") as file:
        csv.writer(file).writerows([("user", "time", "event"), *((u, t.isoformat(), e) for u, t, e in rows)])
    model = time2vec.NextEvent(hidden=12, epochs=3, options={"no_rules": True}, columns={"features": []}).fit(table.drop(["row"]))
    model.save(folder / "model.t2v")
    return folder


@pytest.fixture(scope="module")
def expected(data):
    """What the command says of the whole table."""
    tool = Path(sys.executable).parent / "t2v"
    said = subprocess.run([tool, "predict", data / "model.t2v", data / "whole.csv", "--top", str(TOP), "--csv"],
                          capture_output=True, text=True, check=True).stdout
    return {(row["id"], int(row["rank"])): (row["event"], float(row["probability"]))
            for row in csv.DictReader(said.splitlines())}


def scores_in(folder):
    import pyarrow.parquet as pq

    table = pq.read_table(folder)
    rows = zip(*(table[name].to_pylist() for name in ("id", "rank", "event", "probability")))
    scores = [((id, rank), (event, probability)) for id, rank, event, probability in rows]
    assert len(scores) == len(dict(scores)), "a sequence was scored twice"
    return dict(scores)


def differences(scores, expected):
    """The ids and ranks that differ. The command prints six digits, and sums over other batches differ in the last."""
    assert scores.keys() == expected.keys()
    return [place for place, (event, probability) in scores.items()
            if event != expected[place][0] or abs(probability - expected[place][1]) > 2e-6]


def run(example, data, output, **environment):
    done = subprocess.run([sys.executable, EXAMPLES / example, data / "model.t2v", data / "events", output, "--top",
                           str(TOP), "--order", "row"], capture_output=True, text=True,
                          env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return scores_in(output)


def test_a_part_by_itself_says_something_else(data, expected):
    """So the tests below can fail."""
    pq = pytest.importorskip("pyarrow.parquet")
    sys.path.insert(0, str(EXAMPLES))
    try:
        from scoring import score
    finally:
        sys.path.remove(str(EXAMPLES))
    scores = score(str(data / "model.t2v"), pq.read_table(data / "events" / "7.parquet").sort_by("row"), TOP)
    places = zip(scores["id"].to_pylist(), scores["rank"].to_pylist())
    values = zip(scores["event"].to_pylist(), scores["probability"].to_pylist())
    some = dict(zip(places, values))
    assert len(differences(some, {place: expected[place] for place in some})) > len(some) / 2


def test_sequences_that_go_on_in_the_next_batch_stay_whole(data):
    pa = pytest.importorskip("pyarrow")
    sys.path.insert(0, str(EXAMPLES))
    try:
        from scoring import whole_sequences
    finally:
        sys.path.remove(str(EXAMPLES))
    ids = [i // 7 for i in range(100)] + [99] * 50
    for size in (1, 3, 7, 10, 1000):
        for events in (1, 5, 20, 1000):
            batches = pa.table({"id": ids}).to_batches(max_chunksize=size)
            parts = [table["id"].to_pylist() for table in whole_sequences(batches, "id", events)]
            assert sum(parts, []) == ids
            for one, next in zip(parts, parts[1:]):
                assert one[-1] != next[0]
    assert list(whole_sequences([], "id")) == []


def test_dask_says_what_the_command_says(data, expected, tmp_path):
    pytest.importorskip("dask.dataframe")
    assert differences(run("dask_score.py", data, tmp_path / "scores"), expected) == []


def test_spark_says_what_the_command_says(data, expected, tmp_path):
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("there is no Java: scripts/install spark")
    scores = run("spark_score.py", data, tmp_path / "scores", PYSPARK_PYTHON=sys.executable,
                 PYSPARK_SUBMIT_ARGS="--master local[2] --conf spark.sql.shuffle.partitions=5 --conf "
                 "spark.sql.execution.arrow.maxRecordsPerBatch=50 --conf spark.ui.enabled=false pyspark-shell")
    assert differences(scores, expected) == []
