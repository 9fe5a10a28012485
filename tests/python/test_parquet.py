"""Files of Parquet and databases, and predictions as Arrow and frames. Needs pyarrow; DuckDB is skipped where it is not."""

import os
from pathlib import Path

import numpy as np
import pytest

import time2vec
from time2vec import NextEvent, _core

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

START = 1_700_000_000_123_456_789
LIBRARY = Path(__file__).resolve().parents[2] / "build/duckdb/libduckdb.so"
FAST = dict(hidden=4, epochs=1)


@pytest.fixture(autouse=True)
def library(monkeypatch):
    """The library that scripts/install duckdb got, unless another is named or the package duckdb is installed."""
    import importlib.util

    if "T2V_DUCKDB" in os.environ:
        return
    if LIBRARY.exists():
        monkeypatch.setenv("T2V_DUCKDB", str(LIBRARY))
    elif importlib.util.find_spec("duckdb") is None:
        pytest.skip("DuckDB is not here; scripts/install duckdb gets it")


def columns(rows=300):
    """Events of 20 users, of nanoseconds that no double holds."""
    number = np.arange(rows)
    return {
        "user_id": (number % 20).astype(np.int64),
        "time": (START + number * 3_600_000_000_001).astype("datetime64[ns]"),
        "event": np.array(["tea", "cake", "lunch"])[(number // 20) % 3],
    }


def events_of(source, **options):
    return _core.EventSet.read(os.fspath(source), options, None, None, True)


def expect_all(events, rows=300, unit=1):
    """That these are the events of columns(), in whole units of so many nanoseconds."""
    wanted = columns(rows)
    assert events.size == rows
    ticks = np.sort(events.ticks)
    assert ticks.tolist() == sorted((wanted["time"].astype(np.int64) // unit * unit).tolist())
    assert sorted(events.ids) == sorted(str(i) for i in range(20))


@pytest.mark.parametrize("how", [
    dict(compression="snappy"), dict(compression="zstd"), dict(compression="none", use_dictionary=False),
    dict(compression="gzip", data_page_version="2.0"), dict(row_group_size=7),
    dict(use_dictionary=False, column_encoding={"user_id": "DELTA_BINARY_PACKED", "time": "DELTA_BINARY_PACKED",
                                               "event": "DELTA_BYTE_ARRAY"}),
    dict(use_dictionary=False, column_encoding={"event": "DELTA_LENGTH_BYTE_ARRAY"}),
], ids=str)
def test_files_of_pyarrow_are_read_exactly(tmp_path, how):
    pq.write_table(pa.table(columns()), tmp_path / "t.parquet", **how)
    expect_all(events_of(tmp_path / "t.parquet"))


def test_int96_is_read_to_the_microsecond(tmp_path):
    pq.write_table(pa.table(columns()), tmp_path / "t.parquet", use_deprecated_int96_timestamps=True)
    expect_all(events_of(tmp_path / "t.parquet"), unit=1000)


def test_dictionaries_and_other_types_of_arrow_are_read(tmp_path):
    table = pa.table(columns())
    table = table.set_column(2, "event", table["event"].dictionary_encode())
    table = table.set_column(1, "time", table["time"].cast(pa.timestamp("us"), safe=False))
    table = table.set_column(0, "user_id", table["user_id"].cast(pa.uint16()))
    pq.write_table(table, tmp_path / "t.parquet")
    expect_all(events_of(tmp_path / "t.parquet"), unit=1000)


def test_nested_lists_are_unnested(tmp_path):
    table = pa.table({"id": [1, 2], "timestamps": [[0.5, 1.5, 2.5], [4.0]], "labels": [[1, 0, 1], [2]]})
    pq.write_table(table, tmp_path / "t.parquet")
    events = events_of(tmp_path / "t.parquet")
    assert events.size == 4 and sorted(events.ids) == ["1", "2"]


@pytest.mark.parametrize("how", [dict(compression="zstd"), dict(compression="snappy"), dict(compression="lz4"),
                                 dict(use_pyarrow=True)], ids=str)
def test_files_of_polars_are_read_exactly(tmp_path, how):
    polars = pytest.importorskip("polars")
    polars.DataFrame(columns()).write_parquet(tmp_path / "t.parquet", **how)
    expect_all(events_of(tmp_path / "t.parquet"))


def test_zoned_nanoseconds_are_exact_or_refused(tmp_path):
    table = pa.table(columns())
    table = table.set_column(1, "time", table["time"].cast(pa.timestamp("ns", "Europe/Paris")))
    pq.write_table(table, tmp_path / "t.parquet")
    try:
        events = events_of(tmp_path / "t.parquet")
    except time2vec.Error as error:
        assert "counts nanoseconds with a time zone" in str(error)
        expect_all(events_of(tmp_path / "t.parquet", time_unit="us"), unit=1000)
    else:
        expect_all(events)


def test_estimators_take_paths_patterns_and_what_reads_them(tmp_path):
    table = pa.table(columns())
    for i in range(3):
        pq.write_table(table.slice(100 * i, 100), tmp_path / f"{i}.parquet")
    pq.write_table(table, tmp_path / "all.arrow.parquet")
    wanted = NextEvent(**FAST).fit(table)
    whole, parts = tmp_path / "all.arrow.parquet", str(tmp_path / "[0-2].parquet")
    for x in (whole, str(whole), parts):
        model = NextEvent(**FAST).fit(x)
        assert model.predict(x).tolist() == wanted.predict(table).tolist()
        assert model.ids(x) == wanted.ids(table)


def test_relations_lazy_frames_and_data_sets_are_tables(tmp_path):
    pq.write_table(pa.table(columns()), tmp_path / "t.parquet")
    wanted = NextEvent(**FAST).fit(tmp_path / "t.parquet").predict(tmp_path / "t.parquet").tolist()
    sources = [pytest.importorskip("pyarrow.dataset").dataset(tmp_path / "t.parquet")]
    polars = pytest.importorskip("polars")
    sources.append(polars.scan_parquet(tmp_path / "t.parquet"))
    try:
        import duckdb

        sources.append(duckdb.read_parquet(str(tmp_path / "t.parquet")))
    except ImportError:
        pass
    for source in sources:
        assert NextEvent(**FAST).fit(source).predict(source).tolist() == wanted, type(source)


def test_queries_and_tables_are_options(tmp_path):
    pq.write_table(pa.table(columns()), tmp_path / "t.parquet")
    query = f"SELECT * FROM '{tmp_path / 't.parquet'}' WHERE user_id < 5"
    model = NextEvent(columns={"sql": query}, **FAST).fit(tmp_path / "t.parquet")
    assert len(model.predict(tmp_path / "t.parquet")) == 5
    with pytest.raises(time2vec.Error, match="Binder Error"):
        NextEvent(columns={"sql": query.replace("user_id <", "nobody <")}, **FAST).fit(tmp_path / "t.parquet")


def test_a_damaged_file_is_an_error_with_its_name(tmp_path):
    (tmp_path / "x.parquet").write_bytes(b"PAR1\x15\x04\xff\xfe")
    with pytest.raises(time2vec.Error, match="x.parquet"):
        NextEvent().fit(tmp_path / "x.parquet")


def test_predictions_come_as_arrow_and_as_the_frame_that_went_in():
    table = pa.table(columns())
    model = NextEvent(**FAST).fit(table)
    said = model.predict(table, output="arrow")
    assert said.column_names == ["id", "event", "probability"]
    assert said["event"].to_pylist() == model.predict(table).tolist()
    assert said["id"].to_pylist() == model.ids(table)
    assert isinstance(model.predict(table, output="frame"), pa.Table)
    pandas = pytest.importorskip("pandas")
    assert list(model.predict(pandas.DataFrame(columns()), output="frame").columns) == ["id", "event", "probability"]
    polars = pytest.importorskip("polars")
    assert isinstance(model.predict(polars.DataFrame(columns()), output="frame"), polars.DataFrame)
    with pytest.raises(time2vec.Error, match="`output` is one of numpy, arrow, frame, not 'list'"):
        model.predict(table, output="list")


def test_ranked_items_classes_and_forecasts_come_as_arrow_too():
    table = pa.table(columns())
    items = time2vec.Recommender(top=2, **FAST).fit(table).predict(table, output="arrow")
    assert items.column_names == ["id", "rank", "event", "probability"] and items.num_rows == 40
    labels = np.arange(20) % 2
    classes = time2vec.SequenceClassifier(**FAST).fit(table, labels).predict(table, output="arrow")
    assert classes.column_names == ["id", "label", "probability"] and classes.num_rows == 20
    days = np.datetime64("2024-01-01") + np.arange(60)
    said = time2vec.Forecaster(horizon="3d").fit(days, np.arange(60) % 7 * 1.0).forecast(output="arrow")
    assert said.column_names[:2] == ["time", "value"] and said.num_rows == 3
    values = np.arange(5.0)
    assert pa.table({"x": values})["x"].chunk(0).buffers()[1].address == values.ctypes.data  # not copied
