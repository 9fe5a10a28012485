"""The forms in which people have times, values and events: all become the same events, to the nanosecond."""

import datetime

import numpy as np
import pytest

import time2vec
from time2vec import Forecaster, NextEvent, SequenceClassifier, Stream, Time2Vec

FIRST = np.datetime64("2024-05-06T07:08:09.123456789")
TIMES = FIRST + np.arange(60) * np.timedelta64(1, "h") + np.arange(60) % 3 * np.timedelta64(1, "ns")
VALUES = np.sin(np.arange(60) / 4) + np.arange(60) / 50


def pandas_form(name):
    pandas = pytest.importorskip("pandas")
    times, values = pandas.Series(TIMES), pandas.Series(VALUES, name="visitors")
    frame = pandas.DataFrame({"timestamp": TIMES, "visitors": VALUES})
    zoned = pandas.DatetimeIndex(TIMES, tz="UTC").tz_convert("Asia/Kolkata")
    return {
        "columns of a frame": lambda: (frame.timestamp, frame.visitors),
        "times of a zone": lambda: (pandas.Series(zoned), values),
        "index and values": lambda: (pandas.DatetimeIndex(TIMES), values),
        "index of a zone": lambda: (zoned, values),
        "nullable values": lambda: (times, values.astype("Float64")),
        "times of Arrow": lambda: (times.astype("timestamp[ns][pyarrow]"), values.astype("double[pyarrow]")),
        "Python objects": lambda: (times.astype(object), values.astype(object)),
        "list of timestamps": lambda: (list(times), list(values)),
        "texts": lambda: (times.map(lambda time: time.isoformat()), values),
        "frame of times": lambda: (frame[["timestamp"]], frame.visitors),
        "Series over time": lambda: (pandas.Series(VALUES, TIMES),),
        "named Series over time": lambda: (pandas.Series(VALUES, pandas.DatetimeIndex(TIMES, name="when"), name="n"),),
        "Series of a zone": lambda: (pandas.Series(VALUES, zoned),),
        "frame": lambda: (frame.rename(columns={"visitors": "value"}),),
        "frame over time": lambda: (pandas.DataFrame({"value": VALUES}, index=pandas.DatetimeIndex(TIMES)),),
    }[name]()


@pytest.mark.parametrize("name", ["columns of a frame", "times of a zone", "index and values", "index of a zone",
                                  "nullable values", "times of Arrow", "Python objects", "list of timestamps", "texts",
                                  "frame of times", "Series over time", "named Series over time", "Series of a zone",
                                  "frame", "frame over time"])
def test_forms_of_pandas(name):
    if name == "times of Arrow":
        pytest.importorskip("pyarrow")
    check_values(*pandas_form(name))


def check_values(x, y=None):
    """That a Forecaster sees the times and values above."""
    known = Forecaster()._valued(x, y, fitting=True)
    assert (known.ticks == TIMES.astype(np.int64)).all()
    assert (known.values == VALUES).all()


@pytest.mark.parametrize("name", ["columns", "series of a frame", "zone", "frame", "lazy frame", "lazy times"])
def test_forms_of_polars(name):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"time": TIMES, "value": VALUES})
    zoned = frame["time"].dt.replace_time_zone("UTC").dt.convert_time_zone("America/Lima")
    check_values(*{"columns": (polars.Series(TIMES), polars.Series(VALUES)),
                   "series of a frame": (frame["time"], frame["value"]), "zone": (zoned, frame["value"]),
                   "frame": (frame,), "lazy frame": (frame.lazy(),),
                   "lazy times": (frame.lazy().select("time"), VALUES)}[name])


@pytest.mark.parametrize("name", ["arrays", "chunked", "zone", "table", "batch", "reader", "data set", "sliced"])
def test_forms_of_arrow(name):
    arrow = pytest.importorskip("pyarrow")
    dataset = pytest.importorskip("pyarrow.dataset")
    table = arrow.table({"time": TIMES, "value": VALUES})
    doubled = arrow.concat_tables([table, table])
    forms = {"arrays": lambda: (arrow.array(TIMES), arrow.array(VALUES)),
             "chunked": lambda: (arrow.chunked_array([TIMES[:7], TIMES[7:]]), table["value"]),
             "zone": lambda: (table["time"].cast(arrow.timestamp("ns", "Europe/Paris")), table["value"]),
             "table": lambda: (table,), "batch": lambda: (table.to_batches()[0],),
             "reader": lambda: (table.to_reader(max_chunksize=11),), "data set": lambda: (dataset.dataset(table),),
             "sliced": lambda: (doubled["time"].slice(60), doubled["value"].slice(60))}
    check_values(*forms[name]())


def test_forms_of_numpy_and_python():
    check_values(TIMES, VALUES)
    check_values(list(TIMES), list(VALUES))
    check_values(TIMES.astype(str).tolist(), VALUES.tolist())
    check_values({"time": TIMES, "value": VALUES})
    structured = np.empty(60, dtype=[("time", "M8[ns]"), ("value", "f8")])
    structured["time"], structured["value"] = TIMES, VALUES
    check_values(structured)


def test_forecasts_do_not_depend_on_the_form():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"timestamp": TIMES, "value": VALUES})
    series = pandas.Series(VALUES, pandas.DatetimeIndex(TIMES, name="timestamp"))
    two, one = Forecaster().fit(frame.timestamp, frame.value), Forecaster().fit(series)
    wanted = two.forecast(horizon="5h")
    assert all((one.forecast(horizon="5h")[name] == wanted[name]).all() for name in wanted)
    assert all((one.forecast(series, horizon=pandas.Timedelta("5h"))[name] == wanted[name]).all() for name in wanted)
    assert (one.predict(frame.timestamp) == two.predict(series)).all()
    assert one.score(series) == two.score(frame.timestamp, frame.value) == two.score(frame)


def test_several_series_over_time_are_known_by_their_index():
    pandas = pytest.importorskip("pandas")
    index = pandas.MultiIndex.from_product([["b", "a"], TIMES], names=["user_id", "time"])
    series = pandas.Series(np.concatenate([VALUES, -VALUES]), index, name="visitors")
    for x in (series, series.to_frame("value")):
        known = Forecaster()._valued(x, None, fitting=True)
        assert known.ids == ["b", "a"] and (known.values == series.to_numpy()).all()


def test_one_time_can_be_predicted_for():
    pandas = pytest.importorskip("pandas")
    model = Forecaster().fit(TIMES, VALUES)
    later = TIMES[-1] + np.timedelta64(90, "m")
    wanted = model.predict([later])
    for time in (later, pandas.Timestamp(later), str(later), [str(later)]):
        assert (model.predict(time) == wanted).all() and wanted.shape == (1,)
    with pytest.raises(time2vec.Error, match="no/such.csv"):
        model.predict("no/such.csv")
    for nothing in (None, {}, []):
        with pytest.raises(time2vec.Error):
            model.predict(nothing)


def test_a_series_without_times_is_refused():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(time2vec.Error, match="a Series whose index has the times"):
        Forecaster().fit(pandas.Series(VALUES))


@pytest.mark.parametrize("x, y, words", [
    (TIMES, TIMES, "where numbers are needed"), (TIMES, ["a"] * 60, "where numbers are needed"),
    (TIMES, VALUES[:-1], "one value for each of 60 rows"), (TIMES, [None, *VALUES[1:]], "NaN"),
    (np.ma.masked_less(np.arange(60.0), 3), VALUES, "masked"), (TIMES - TIMES[0], VALUES, "timedelta64"),
    (np.array(["NaT", *TIMES[1:]], "M8[ns]"), VALUES, "missing"), ([None, *TIMES[1:]], VALUES, "missing"),
    (np.array(["3000-01-01", "2000-01-01"], "M8[D]"), [1, 2], "1677 to 2262"), ([2**70, 1], [1, 2], "too large")])
def test_times_and_values_that_cannot_be_are_refused(x, y, words):
    with pytest.raises(time2vec.Error, match=words):
        Forecaster().fit(x, y)


def test_missing_cells_of_pandas_are_refused_in_our_words():
    pandas = pytest.importorskip("pandas")
    times, values = pandas.Series(TIMES), pandas.Series(VALUES)
    with pytest.raises(time2vec.Error, match="missing"):
        Forecaster().fit(times.where(times.index > 0), values)
    with pytest.raises(time2vec.Error, match="NaN"):
        Forecaster().fit(times, values.astype("Float64").where(values.index > 0))


def test_moments_of_different_units_are_exact_or_refused():
    late, fine = np.datetime64("2200-01-01"), np.datetime64("2000-01-01T00:00:00.000000001")
    known = Forecaster()._valued([fine, late], [1.0, 2.0], fitting=True)
    assert known.ticks.tolist() == [fine.astype(int), late.astype("M8[ns]").astype(int)]
    with pytest.raises(time2vec.Error, match="1677 to 2262"):
        Forecaster().fit([fine, np.datetime64("3000-01-01")], [1.0, 2.0])
    with pytest.raises(time2vec.Error, match="1677 to 2262"):
        Forecaster().fit(TIMES, VALUES).forecast(at=np.datetime64("3000-01-01"))


def test_durations_of_pandas_keep_their_nanoseconds():
    pandas = pytest.importorskip("pandas")
    model = Forecaster().fit(TIMES, VALUES)
    said = model.forecast(at=[pandas.Timedelta(7, "ns")])
    assert (said["time"] - TIMES[-1]).astype(int).tolist() == [7]



EVENTS = ["tea", "cake", "tea", "lunch", "tea", "cake"] * 3
MOMENTS = TIMES[:18]


def events_of(x):
    events = NextEvent()._events(x, fitting=True, hidden_roles=("label", "target"))
    return events.ids, events.offsets.tolist(), events.ticks.tolist()


def test_lists_of_sequences_of_frames_series_and_arrow():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    arrow = pytest.importorskip("pyarrow")
    columns = {"time": MOMENTS, "event": EVENTS}
    wanted = events_of([(MOMENTS, EVENTS)] * 2)
    frame = pandas.DataFrame(columns)
    for one in (columns, frame, frame.set_index("time"), pandas.DataFrame({"event": EVENTS}, MOMENTS),
                pandas.Series(EVENTS, MOMENTS), (frame.time, frame.event), polars.DataFrame(columns),
                polars.LazyFrame(columns), arrow.table(columns), (arrow.array(MOMENTS), arrow.array(EVENTS)),
                (polars.Series(MOMENTS), polars.Series(EVENTS))):
        assert events_of([one] * 2) == wanted, type(one)


def test_a_column_is_no_list_of_sequences():
    pandas = pytest.importorskip("pandas")
    for x in (["tea", "cake"], pandas.Series(["tea", "cake"]), [datetime.date(2024, 5, 1)], pandas.Series(MOMENTS)):
        with pytest.raises(time2vec.Error, match=r"a sequence is .*one thing alone.*\[\(times, X\)\]"):
            NextEvent().fit(x, EVENTS)


def test_dates_beside_plain_numbers_are_refused():
    with pytest.raises(time2vec.Error, match="dates in some sequences"):
        NextEvent().fit([(MOMENTS, EVENTS), (np.arange(18), EVENTS)])


@pytest.fixture(scope="module")
def labelled():
    """A table whose sequences first come in another order than that of their names."""
    ids = np.repeat(["c", "a", "d", "b"] * 5, 6).astype(object) + np.repeat(np.arange(5), 24).astype(str)
    classes = {str(id): "early" if id[0] in "ab" else "late" for id in dict.fromkeys(ids)}
    return {"user_id": ids, "time": TIMES[np.tile(np.arange(6), 20)], "event": EVENTS[:6] * 20}, classes


def test_classes_are_found_by_the_ids_of_their_sequences(labelled):
    pandas = pytest.importorskip("pandas")
    table, classes = labelled
    in_order = [classes[id] for id in dict.fromkeys(table["user_id"])]
    by_name = pandas.Series(classes).sort_index()
    for y in (in_order, classes, by_name, pandas.Series(in_order)):
        events, names = SequenceClassifier()._labelled(table, y)
        assert [names[code] for code in events.label_codes] == in_order
    with pytest.raises(time2vec.Error, match="no class of the sequence 'c0'"):
        SequenceClassifier().fit(table, {"a0": "early"})
    with pytest.raises(time2vec.Error, match="None or NaN"):
        SequenceClassifier().fit(table, [None, *in_order[1:]])


def test_scores_find_classes_by_ids_too(labelled):
    pandas = pytest.importorskip("pandas")
    arrow = pytest.importorskip("pyarrow")
    table, classes = labelled
    by_name = pandas.Series(classes).sort_index()
    model = SequenceClassifier(hidden=16, epochs=1).fit(arrow.table(table).to_reader(), by_name)
    in_order = [classes[id] for id in dict.fromkeys(table["user_id"])]
    wanted = model.score(table, in_order)
    assert wanted == model.score(arrow.table(table).to_reader(), classes)
    assert model.evaluate(table, classes) == model.evaluate(table, in_order)


def test_layer_and_stream_take_the_same_times():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    arrow = pytest.importorskip("pyarrow")
    wanted = Time2Vec(k=4).fit_transform(TIMES)
    zoned = pandas.Series(TIMES).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")
    for times in (zoned, pandas.DatetimeIndex(TIMES), polars.Series(TIMES), arrow.array(TIMES),
                  [datetime.datetime.fromtimestamp(0, datetime.timezone.utc)] * 2):
        got = Time2Vec(k=4).fit_transform(times)
        assert len(got) == 2 or (got == wanted).all(), type(times)
    stream = Stream(NextEvent(hidden=16, epochs=1).fit([(MOMENTS, EVENTS)] * 8), top=1)
    assert stream.push("a", pandas.Timestamp(MOMENTS[0]), "tea") == stream.push("b", MOMENTS[0], "tea")
