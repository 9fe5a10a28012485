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
                                         (["a", "b"], "datetime64")])
def test_what_is_no_time_is_refused(times, word):
    with pytest.raises(time2vec.Error, match=word):
        Time2Vec().fit(times)
