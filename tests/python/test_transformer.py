"""Time2Vec as a transformer."""

import numpy as np
import pytest

import time2vec
from time2vec import Time2Vec


def test_nanoseconds_are_kept_until_the_origin_is_subtracted():
    times = np.datetime64("2024-05-06T07:08:09.123456789") + np.arange(5).astype("timedelta64[ns]")
    encoder = Time2Vec(k=1, unit="s", dtype="float64").fit(times)
    encoder.omega_[:] = 1e9  # radians per second: one per nanosecond
    encoder.phi_[:] = 0
    assert np.abs(encoder.transform(times)[:, 0] - np.arange(5)).max() < 1e-6


def test_whole_nanoseconds_are_the_same_as_their_dates():
    dates = np.datetime64("2024-05-06T07:08:09.123456789") + (np.arange(9) ** 2).astype("timedelta64[ms]")
    by_date, by_number = Time2Vec(k=3).fit(dates), Time2Vec(k=3).fit(dates.astype(np.int64))
    assert by_number.unit_ == by_date.unit_ == "s"
    assert by_number.origin_ == by_date.origin_
    assert (by_number.transform(dates.astype(np.int64)) == by_date.transform(dates)).all()


def test_unix_seconds_are_told_by_their_size():
    encoder = Time2Vec(k=2).fit(1.7e9 + 3600.0 * np.arange(48))
    assert encoder.unit_ == "h"
    assert encoder.origin_ == np.datetime64(1_700_000_000, "s")
    assert Time2Vec(k=2, time_unit="number").fit(1.7e9 + np.arange(48.0)).unit_ == "1"


def test_large_whole_numbers_are_subtracted_as_whole_numbers():
    times = 2**60 + np.arange(10)
    encoder = Time2Vec(k=1, time_unit="number", dtype="float64").fit(times)
    encoder.omega_[:], encoder.phi_[:] = 1, 0
    assert (encoder.transform(times)[:, 0] == np.arange(10)).all()


def test_unit_is_the_largest_not_longer_than_the_median_gap():
    days = np.arange("2024-01-01", "2024-02-01", dtype="datetime64[D]")
    assert Time2Vec(k=1).fit(days).unit_ == "d"
    assert Time2Vec(k=1).fit(days.astype("datetime64[s]")[:1] + np.arange(9).astype("m8[m]")).unit_ == "min"


def test_columns_stand_side_by_side(random):
    times = random.uniform(0, 9, (20, 2))
    encoder = Time2Vec(k=3).fit(times)
    both = encoder.transform(times)
    assert both.shape == (20, 8)
    assert list(encoder.get_feature_names_out())[:5] == ["x0_linear", "x0_sin1", "x0_sin2", "x0_sin3", "x1_linear"]
    assert len(encoder.get_feature_names_out()) == 8


def test_saved_and_loaded_encoder_gives_the_same(tmp_path):
    days = np.arange("2024-01-01", "2024-02-01", dtype="datetime64[D]")
    encoder = Time2Vec(k=5, activation="cos").fit(days)
    encoder.save(tmp_path / "layer.t2v")
    again = Time2Vec.load(tmp_path / "layer.t2v")
    assert (again.transform(days) == encoder.transform(days)).all()
    assert repr(again) == repr(encoder) == "Time2Vec(k=5, activation='cos')"


def test_dates_for_an_encoder_of_numbers_are_refused():
    encoder = Time2Vec(k=2).fit([1.0, 2.0])
    with pytest.raises(time2vec.Error, match="dates, but 'fit' had plain numbers"):
        encoder.transform(np.array(["2024-01-01"], dtype="M8[D]"))


@pytest.mark.parametrize("times, word", [([], "0 sample"), ([1.0, np.nan], "NaN"), (np.array(["NaT"], "M8[s]"), "NaT"),
                                         (["a", "b"], "'a'"),
                                         ([b"a"], "datetime64"), (["2024-01-01", "soon"], "row 1 .*'soon'")])
def test_what_is_no_time_is_refused(times, word):
    with pytest.raises(time2vec.Error, match=word):
        Time2Vec().fit(times)


def test_a_number_means_in_transform_what_it_meant_in_fit():
    seconds = 1.7e9 + 3600.0 * np.arange(48)
    encoder = Time2Vec(k=2, dtype="float64").fit(seconds)
    small = np.array([0.0, 5e7])  # too small to be told for Unix times, were they alone
    assert (encoder.transform(np.concatenate([small, seconds]))[:2] == encoder.transform(small)).all()
    assert encoder.transform([0])[0, 0] == pytest.approx(
        encoder.phi_[0, 0] - encoder.omega_[0, 0] * 1.7e9 / 3600, rel=1e-12)
    plain = Time2Vec(k=2, dtype="float64").fit([1.0, 2.0])
    assert (plain.transform([2e9]) == plain.transform([2e9, 1.0, 2.0])[:1]).all()


def test_numbers_for_an_encoder_of_dates_are_refused_unless_it_knows_what_they_count():
    days = np.array(["2024-01-01", "2024-01-03"], "M8[D]")
    with pytest.raises(time2vec.Error, match="plain numbers, but 'fit' had dates"):
        Time2Vec(k=2).fit(days).transform(days.astype("M8[s]").astype(np.int64))
    encoder = Time2Vec(k=2, time_unit="s").fit(days)
    assert (encoder.transform(days.astype("M8[s]").astype(np.int64)) == encoder.transform(days)).all()


def test_each_column_has_a_count_of_its_own():
    seconds = 1_700_000_000 + 60 * np.arange(9)
    encoder = Time2Vec(k=2, dtype="float64").fit(np.stack([seconds, seconds * 1000], axis=1))
    encoder.omega_[:], encoder.phi_[:] = 1, 0
    vectors = encoder.transform(np.stack([seconds, seconds * 1000], axis=1))
    assert (vectors[:, :3] == vectors[:, 3:]).all() and (vectors[:, 0] == np.arange(9)).all()


def test_columns_of_dates_of_different_units_are_exact():
    pandas = pytest.importorskip("pandas")
    days = np.arange("2024-01-01", "2024-01-09", dtype="M8[s]")
    frame = pandas.DataFrame({"a": days.astype("M8[s]"), "b": days.astype("M8[ns]"), "c": days.astype(str)})
    encoder = Time2Vec(k=1, unit="s", dtype="float64").fit(frame)
    encoder.omega_[:], encoder.phi_[:] = 1, 0
    vectors = encoder.transform(frame)
    assert (vectors[:, 0] == vectors[:, 2]).all() and (vectors[:, 0] == vectors[:, 4]).all()


def test_columns_of_dates_and_of_plain_numbers_are_refused_together():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": np.array(["2024-01-01", "2024-01-02"], "M8[s]"), "b": [1.0, 2.0]})
    with pytest.raises(time2vec.Error, match="column 0 has dates, column 1 has plain numbers"):
        Time2Vec().fit(frame)
    with pytest.raises(time2vec.Error, match="column 0 has plain numbers, column 1 counts s since 1970"):
        Time2Vec().fit(np.array([[1.0, 1.7e9], [2.0, 1.7e9]]))


def test_dates_as_text_are_read():
    texts = ["2024-01-01", "2024-01-02T00:00:00Z", "2024-01-03T02:00:00+02:00"]
    days = np.array(["2024-01-01", "2024-01-02", "2024-01-03"], "M8[D]")
    for given in (texts, np.array(texts), np.array(texts, dtype=object)):
        assert (Time2Vec(k=3).fit_transform(given) == Time2Vec(k=3).fit_transform(days)).all()


@pytest.mark.parametrize("origin", [-5, 2.5, np.int64(3)])
def test_a_numeric_origin_is_kept_through_a_file(tmp_path, origin):
    encoder = Time2Vec(k=np.int64(2), origin=origin, dtype=np.float64).fit([1.0, 2.0])
    encoder.save(tmp_path / "layer.t2v")
    again = Time2Vec.load(tmp_path / "layer.t2v")
    assert again.origin == origin and isinstance(again.origin, (int, float))
    assert (again.transform([7.5]) == encoder.transform([7.5])).all()
    assert (again.fit([1.0, 2.0]).transform([7.5]) == encoder.transform([7.5])).all()


@pytest.mark.parametrize("origin", ["2024-01-01", np.datetime64("2024-01-01"), 1704067200])
def test_an_origin_of_dates_is_a_date_or_what_numbers_count(tmp_path, origin):
    seconds = 1704067200 + 86400 * np.arange(5)
    encoder = Time2Vec(k=2, origin=origin).fit(seconds)
    assert encoder.origin_ == np.datetime64("2024-01-01")
    encoder.save(tmp_path / "layer.t2v")
    again = Time2Vec.load(tmp_path / "layer.t2v")
    assert again.origin == origin and (again.transform(seconds) == encoder.transform(seconds)).all()


@pytest.mark.parametrize("encoder, word", [(Time2Vec(k=2.5), "k is a whole number, not 2.5"),
                                           (Time2Vec(origin="noon"), "not 'noon'"),
                                           (Time2Vec(time_unit="d"), "unknown time_unit 'd'")])
def test_parameters_that_cannot_be_are_refused(encoder, word):
    with pytest.raises(time2vec.Error, match=word):
        encoder.fit([1.0, 2.0])
