"""From frames, Arrow tables and lists to the same events, exactly."""

import datetime

import numpy as np
import pytest

import time2vec
from time2vec import _core
from time2vec._tables import is_table, sequences_table, table_of

COLUMNS = {"id": "user", "time": "time", "event": "event", "features": ["price"]}
FIRST = np.datetime64("2024-05-06T07:08:09.123456789")


def events_of(x, **options):
    return _core.EventSet(table_of(x), {**COLUMNS, **options})


def columns():
    return {"user": ["b", "a", "b", "a"], "time": FIRST + np.array([5, 1, 3, 2]).astype("m8[ns]"),
            "event": ["tea", "cake", "tea", "lunch"], "price": [1.5, np.nan, 2.0, 3.0]}


def check_same(events):
    assert events.ids == ["b", "a"]
    assert (events.offsets == [0, 2, 4]).all()
    assert (events.ticks - FIRST.astype(np.int64) == [3, 5, 1, 2]).all()
    assert (events.row_of == [2, 0, 1, 3]).all()


def test_dict_of_columns_is_a_table():
    check_same(events_of(columns()))


def test_pandas_frame_is_a_table():
    pandas = pytest.importorskip("pandas")
    check_same(events_of(pandas.DataFrame(columns())))


@pytest.mark.parametrize("change", ["categories", "zone", "strings", "nullable"])
def test_pandas_columns_of_other_kinds_give_the_same(change):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(columns())
    if change == "categories":
        frame["user"] = frame["user"].astype("category")
    elif change == "zone":
        frame["time"] = frame["time"].dt.tz_localize("UTC").dt.tz_convert("America/New_York")
    elif change == "strings":
        frame["user"] = frame["user"].astype("string")
    else:
        frame["price"] = frame["price"].astype("Float64")
    check_same(events_of(frame))


def test_arrow_table_is_read_without_a_copy_of_arrow_in_python():
    arrow = pytest.importorskip("pyarrow")
    check_same(events_of(arrow.table(columns())))


@pytest.mark.parametrize("kind", ["large_string", "dictionary", "chunks", "slices", "float32", "int16"])
def test_arrow_columns_of_other_kinds_give_the_same(kind):
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table(columns())
    if kind == "chunks":
        table = arrow.concat_tables([table.slice(0, 1), table.slice(1, 2), table.slice(3)])
    elif kind == "slices":
        table = arrow.concat_tables([table, table, table]).slice(4, 4)
    elif kind == "float32":
        table = table.set_column(3, "price", table["price"].cast(arrow.float32()))
    elif kind == "int16":
        table = table.set_column(3, "price", arrow.array([1, None, 2, 3], arrow.int16()))
    elif kind == "dictionary":
        table = table.set_column(0, "user", table["user"].dictionary_encode())
    else:
        table = table.set_column(0, "user", table["user"].cast(arrow.large_string()))
    check_same(events_of(table))


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_arrow_timestamps_of_any_unit_are_exact(unit):
    arrow = pytest.importorskip("pyarrow")
    times = np.array(["2024-05-06T07:08:09", "2024-05-06T07:08:10"], dtype=f"M8[{unit}]")
    table = arrow.table({"user": ["a", "a"], "time": arrow.array(times, arrow.timestamp(unit, "Europe/Paris"))})
    events = _core.EventSet(table_of(table), {"id": "user"})
    assert (events.ticks == times.astype("M8[ns]").astype(np.int64)).all()


def test_arrow_dates_nulls_and_bools():
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"time": arrow.array([datetime.date(1970, 1, 2), datetime.date(1970, 1, 3)]),
                         "event": arrow.array([None, "a"]), "flag": arrow.array([True, None])})
    events = _core.EventSet(table_of(table), {"features": ["flag"]})
    assert (events.ticks == [86400 * 10**9, 2 * 86400 * 10**9]).all()


def test_polars_frame_is_a_table():
    polars = pytest.importorskip("polars")
    check_same(events_of(polars.DataFrame(columns())))


def test_texts_of_polars_are_read_whole_be_they_short_or_long():
    polars = pytest.importorskip("polars")
    names = ["short", "of twelve ..", "one of thirty characters, or so", "", "short"]
    table = polars.DataFrame({"user": names, "time": range(5)}).filter(polars.col("user") != "")
    assert _core.EventSet(table_of(table), {"id": "user"}).ids == names[:3]


def test_columns_without_use_are_an_error_only_if_they_are_asked_for():
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({**columns(), "list": [[1], [2], [3], [4]]})
    check_same(events_of(table))
    with pytest.raises(time2vec.Error, match="column 'list' is of the Arrow type"):
        events_of(table, features=["list"])


def test_a_missing_time_is_refused_with_its_row():
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"time": arrow.array([1, None]), "event": ["a", "b"]})
    with pytest.raises(time2vec.Error, match="'time' of row 1 .* is missing"):
        _core.EventSet(table_of(table), {})
    with pytest.raises(time2vec.Error, match="NaN"):
        _core.EventSet(table_of({"time": [1.0, np.nan]}), {})


def test_whole_numbers_of_nanoseconds_keep_every_one():
    ticks = 1_700_000_000_123_456_789 + np.arange(4)
    events = _core.EventSet(table_of({"time": ticks, "event": list("abcd")}), {})
    assert (events.ticks == ticks).all()


def test_decimal_times_are_taken_as_they_are_written():
    events = _core.EventSet(table_of({"time": [0.1, 0.25, 3.0], "event": list("abc")}), {})
    assert (events.ticks == [10, 25, 300]).all()
    single = _core.EventSet(table_of({"time": np.array([0.1, 0.25, 3.0], "f4"), "event": list("abc")}), {})
    assert (single.ticks == [10, 25, 300]).all()


def test_lists_of_sequences_in_every_form_are_the_same_events():
    forms = [[([0, 1, 2], ["a", "b", "a"]), ([0, 1], ["b", "b"])],
             [{"time": [0, 1, 2], "event": ["a", "b", "a"]}, {"time": [0, 1], "event": ["b", "b"]}],
             [["a", "b", "a"], np.array(["b", "b"])]]
    for form in forms:
        table, names = sequences_table(form, "event")
        assert names == ["time", "event"]
        events = _core.EventSet(table, {"id": "sequence_id", "time": "time", "event": "event"})
        assert events.ids == ["0", "1"] and (events.offsets == [0, 3, 5]).all()
        assert (events.ticks == [0, 1, 2, 0, 1]).all()


@pytest.mark.parametrize("sequences, word", [([["a"], []], "sequence 1 has no event"),
                                             ([{"time": [1, 2], "event": ["a"]}], "'event' has 1 entries for 2 times"),
                                             ([{"event": ["a"]}], "has no column 'time'"), ([], "no sequences")])
def test_lists_that_are_no_sequences_are_refused(sequences, word):
    with pytest.raises(time2vec.Error, match=word):
        sequences_table(sequences, "event")


def test_datetimes_of_python_are_exact():
    moment = datetime.datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
    events = _core.EventSet(table_of({"time": [moment, moment], "event": ["a", "b"]}), {})
    assert (events.ticks == np.datetime64("2024-05-06T05:08:09.123456", "ns").astype(np.int64)).all()


def test_label_of_a_sequence_must_be_the_same_in_all_its_rows():
    table = table_of({"user": ["a", "a"], "time": [1, 2], "label": ["x", "y"]})
    with pytest.raises(time2vec.Error, match="'label' has several values in the sequence 'a'"):
        _core.EventSet(table, {"id": "user"})


def test_saved_events_are_an_event_store(tmp_path):
    events_of(columns()).save(str(tmp_path / "made.events"))
    assert (tmp_path / "made.events").read_bytes()[8:9] == b"{"


def test_what_has_columns_is_told_from_what_has_not():
    assert is_table(columns()) and not is_table([1, 2]) and not is_table(np.zeros(3))
