"""What data mean: times in zones, numbers as events, files, and what is refused in which words."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import time2vec
from time2vec import Forecaster, NextEvent, Recommender, SequenceClassifier


@pytest.fixture(scope="module")
def new_york(tmp_path_factory):
    """The folder of a model that the command trained on clocks of New York."""
    folder = tmp_path_factory.mktemp("new_york")
    random = np.random.default_rng(2)
    rows = ["user_id,time,event"]
    for user in range(20):
        moment = np.datetime64("2024-01-01", "s")
        for _ in range(10):
            moment += np.timedelta64(int(random.integers(60, 9000)), "s")
            rows.append(f"u{user},{moment},{random.choice(['tea', 'cake'])}")
    (folder / "log.csv").write_text("\n".join(rows) + "\n")
    subprocess.run([Path(sys.executable).with_name("t2v"), "train", "log.csv", "-o", "log.t2v", "--epochs", "2",
                    "--hidden", "16", "--timezone", "America/New_York", "--query-time", "--origin", "dataset",
                    "--no-rules"], cwd=folder, check=True, capture_output=True)
    return folder


def test_texts_without_an_offset_are_of_the_zone_of_the_training(new_york):
    model = time2vec.load(new_york / "log.t2v")
    local, utc = "2024-07-01T10:00:00", "2024-07-01T14:00:00Z"

    def pushed(time):
        return time2vec.Stream(model).push("new", time, "tea", at="2024-07-02T14:00:00Z")["next"]

    assert pushed(local) == pushed(utc) == pushed(np.datetime64(utc[:-1])) != pushed("2024-07-01T10:00:00Z")
    known = {"user_id": ["new"], "time": ["2024-06-01T08:00:00"], "event": ["tea"]}
    in_utc = {**known, "time": ["2024-06-01T12:00:00Z"]}
    assert (model.predict_proba(known, at=local) == model.predict_proba(in_utc, at=utc)).all()
    assert (model.predict_proba(known, at=local) != model.predict_proba(in_utc, at=local + "Z")).any()


def test_zone_of_texts_is_kept_with_a_model(tmp_path):
    times = [f"2024-07-0{day}T10:00:00" for day in range(1, 8)]
    table = {"id": ["a"] * 7, "time": times, "event": ["tea", "cake"] * 3 + ["tea"]}
    options = {"origin": "dataset", "unit": "d"}
    model = NextEvent(columns={"timezone": "America/New_York"}, hidden=16, epochs=2, options=options).fit(table)
    in_utc = {**table, "time": [time.replace("T10", "T14") + "Z" for time in times]}
    assert (NextEvent(hidden=16, epochs=2, options=options).fit(in_utc).predict_proba(table) !=
            model.predict_proba(table)).any()
    assert (model.predict_proba(in_utc) == model.predict_proba(table)).all()
    model.save(tmp_path / "model.t2v")
    assert (time2vec.load(tmp_path / "model.t2v").predict_proba(table) == model.predict_proba(table)).all()


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "float32", "bool"])
def test_numbers_that_are_events_stay_numbers(tmp_path, dtype):
    x = [(np.arange(12 + i % 5) % 2).astype(dtype) for i in range(20)]
    for model in (NextEvent(hidden=16, epochs=20).fit(x), Recommender(top=1, hidden=16, epochs=20).fit(x)):
        assert model.classes_.dtype == dtype and set(model.classes_.tolist()) == {0, 1}
        assert model.predict(x).dtype == dtype
        assert model.predict(x).ravel()[0] == 0
        model.save(tmp_path / "model.t2v")
        again = time2vec.load(tmp_path / "model.t2v")
        again.set_params(**{"top": 1} if "top" in again.get_params() else {})
        assert again.classes_.dtype.kind == "i" and (again.predict(x) == model.predict(x)).all()
        stream = time2vec.Stream(model, top=1)
        for time, event in enumerate(x[0]):
            said = stream.push("me", time, event)
        assert said["next"][0]["event"] == "0"


def test_numbers_of_arrow_and_frames_stay_numbers():
    pandas = pytest.importorskip("pandas")
    arrow = pytest.importorskip("pyarrow")
    columns = {"user": np.repeat(np.arange(8), 10), "time": np.tile(np.arange(10), 8), "item": np.arange(80) % 3 + 7}
    for x in (columns, pandas.DataFrame(columns), arrow.table(columns)):
        model = Recommender(top=1, hidden=16, epochs=1, columns={"id": "user", "event": "item"}).fit(x)
        assert sorted(model.classes_.tolist()) == [7, 8, 9]
        assert model.predict(x).dtype.kind == "i"


@pytest.mark.parametrize("event", [None, "", float("nan")])
def test_an_event_without_a_type_is_refused(event):
    with pytest.raises(time2vec.Error, match="an event has no type"):
        NextEvent().fit([["work", event, "rest"], ["work", "rest"]])
    next_event = NextEvent(hidden=16, epochs=1).fit([["work", "rest"]] * 4)
    with pytest.raises(time2vec.Error, match="an event has no type"):
        next_event.predict([["work", event]])


CAFE = Path(__file__).parents[2] / "examples" / "cafe.csv"
PRICE = {"features": ["price"]}


def test_a_path_is_read_as_the_command_reads_it(tmp_path):
    pandas = pytest.importorskip("pandas")
    from_path = NextEvent(hidden=16, epochs=2, columns=PRICE).fit(CAFE)
    frame = pandas.read_csv(CAFE)  # its times are texts
    from_frame = NextEvent(hidden=16, epochs=2, columns=PRICE).fit(frame)
    assert (from_path.predict_proba(str(CAFE)) == from_frame.predict_proba(frame)).all()
    assert NextEvent(hidden=16, epochs=1).fit(frame).model_.times["instants"]
    assert from_path.ids(CAFE) == from_frame.ids(frame)
    from_path._events(CAFE, fitting=True).save(str(tmp_path / "cafe.events"))
    again = NextEvent(hidden=16, epochs=2).fit(tmp_path / "cafe.events")
    assert (again.predict_proba(tmp_path / "cafe.events") == from_path.predict_proba(CAFE)).all()
    with pytest.raises(time2vec.Error, match="/no/such/file.csv"):
        NextEvent().fit("/no/such/file.csv")


def test_an_event_store_tells_the_columns_of_tables_to_come(tmp_path):
    renamed = CAFE.read_text().replace("user_id,time,event", "guest,when,order", 1)
    (tmp_path / "cafe.csv").write_text(renamed)
    subprocess.run([Path(sys.executable).with_name("t2v"), "import", "cafe.csv", "--id", "guest", "--time", "when",
                    "--event", "order", "--features", "price", "-o", "cafe.events"], cwd=tmp_path, check=True,
                   capture_output=True)
    model = NextEvent(hidden=16, epochs=2).fit(tmp_path / "cafe.events")
    assert (model.predict_proba(tmp_path / "cafe.csv") == model.predict_proba(tmp_path / "cafe.events")).all()
    assert model.ids(tmp_path / "cafe.csv") == model.ids(tmp_path / "cafe.events")


def test_forecaster_reads_a_path_as_the_command_does():
    path = CAFE.with_name("visitors.csv")
    model = Forecaster(epochs=2, columns={"value": "visitors"}).fit(path)
    assert len(model.predict(path)) == len(path.read_text().splitlines()) - 1
    with pytest.raises(time2vec.Error, match="leave y out"):
        Forecaster().fit(path, [1.0])


def test_messages_and_notes_name_what_python_has():
    with pytest.raises(time2vec.Error, match=r"name their column by `value`"):
        Forecaster(task="forecast").fit({"time": [1.0, 2.0], "size": [1.0, 2.0]})
    with pytest.raises(time2vec.Error, match=r"no column 'meal' \(`event` meal\); "):
        NextEvent(columns={"event": "meal"}).fit({"time": [1.0, 2.0], "size": [1.0, 2.0]})
    x, y = [[0.0], [1.0]] * 8, [0, 1] * 8
    classifier = SequenceClassifier(hidden=16, epochs=1).fit(x, y)
    notes = classifier.notes_
    assert notes and not any("--" in note for note in notes), notes
    with pytest.raises(time2vec.Error, match="class '7', which 'fit' did not have"):
        classifier.evaluate(x, [*y[:-1], 7])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, 10**5000, "\ud800", np.longdouble("nan"), object()],
                         ids=["nan", "inf", "large", "huge", "surrogate", "longdouble", "object"])
def test_values_that_no_option_can_be_are_errors_that_name_it(value):
    log = [["tea", "cake", "tea"]] * 8
    with pytest.raises(time2vec.Error, match="`rate` cannot be "):
        NextEvent(epochs=1, hidden=2, rate=value).fit(log)
    with pytest.raises(time2vec.Error, match="`time_unit` cannot be "):
        NextEvent(epochs=1, hidden=2, columns={"time_unit": value}).fit(log)


def test_options_may_be_numbers_of_numpy():
    log = [["tea", "cake", "tea"]] * 8
    given = NextEvent(epochs=np.int64(1), hidden=np.int32(2), rate=np.longdouble("0.125")).fit(log)
    assert given.model_.options["rate"] == 0.125
