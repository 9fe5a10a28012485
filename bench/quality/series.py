"""Series to forecast: where they are, how they are split, what is asked. Standard library alone."""

import csv
import datetime
import hashlib
import pathlib
from dataclasses import dataclass, field

HOUR = 3600
DAY = 24 * HOUR


@dataclass(frozen=True)
class Row:
    """One row of the table: the last `test` values of a column, from one origin or `horizon` values at a time."""
    name: str
    file: str
    time: str
    value: str
    test: int                    # grid points in the test part
    step: int                    # seconds between grid points; 0: calendar months
    seasons: dict = field(default_factory=dict, hash=False)  # name -> grid points
    horizon: int = 0             # grid points from each origin; 0: all from one origin

    @property
    def rolling(self):
        return self.horizon > 0


@dataclass
class Series:
    row: Row
    lines: list    # of the file: the header, then one a value
    times: list    # datetime, naive
    keys: list     # grid points since the first
    values: list
    digest: str

    @property
    def cut(self):
        """How many values are not in the test part."""
        return len(self.values) - self.row.test


def pair(name, file, time, value, test, step, **seasons):
    """A row from one origin and the row with a day at a time."""
    day = DAY // step
    return [Row(name, file, time, value, test, step, seasons),
            Row(f"{name}, rolling a day", file, time, value, test, step, seasons, day)]


def rows():
    hours = {"day": 24, "week": 168}
    five = {"day": 288, "week": 2016}
    listed = [*pair("ETTh2 OT", "ETTh2.csv", "date", "OT", 3484, HOUR, **hours),
              *pair("tweets", "tweets_amzn.csv", "timestamp", "value", 2016, 300, **five),
              *pair("ambient temperature", "ambient_temperature.csv", "timestamp", "value", 672, HOUR, **hours),
              *pair("load balancer", "elb_requests.csv", "timestamp", "value", 576, 300, **five)]
    for column in ("HUFL", "HULL", "MUFL", "MULL", "LUFL", "LULL"):
        listed += pair(f"ETTh2 {column}", "ETTh2.csv", "date", column, 3484, HOUR, **hours)
    co2 = ("co2.csv", "Date", "CO2")
    listed.append(Row("CO2", *co2, 12, 0, {"year": 12}))
    listed.append(Row("CO2, ten years, rolling a year", *co2, 120, 0, {"year": 12}, 12))
    return listed


# The rows that the goals are stated for.
MAIN = ("ETTh2 OT", "ETTh2 OT, rolling a day", "tweets", "tweets, rolling a day", "ambient temperature",
        "ambient temperature, rolling a day", "load balancer")


def keys_of(times, step):
    if step == 0:
        return [(t.year - times[0].year) * 12 + t.month - times[0].month for t in times]
    return [round((t - times[0]).total_seconds() / step) for t in times]


def load(row, folder):
    path = pathlib.Path(folder) / row.file
    text = path.read_text()
    table = list(csv.DictReader(text.splitlines()))
    times = [datetime.datetime.fromisoformat(line[row.time]) for line in table]
    return Series(row, text.splitlines(), times, keys_of(times, row.step), [float(line[row.value]) for line in table],
                  hashlib.sha256(text.encode()).hexdigest()[:16])


def origins(series, begin, end):
    """Pairs (first, last): values [first, last) are asked with those before `first` known. `begin` and `end` cut the
    series; a rolling row starts at `begin` and moves by its horizon on the grid."""
    if not series.row.rolling:
        return [(begin, end)]
    keys, parts, first = series.keys, [], begin
    while first < end:
        start = keys[begin] + (keys[first] - keys[begin]) // series.row.horizon * series.row.horizon
        last = first
        while last < end and keys[last] < start + series.row.horizon:
            last += 1
        parts.append((first, last))
        first = last
    return parts


def validation_cut(series):
    """Where the validation part begins: it is as long as the test part, at most a third of what may be seen."""
    return series.cut - min(series.row.test, series.cut // 3)


def mean_error(pairs):
    """Mean absolute error of (truth, forecast)."""
    pairs = list(pairs)
    return sum(abs(a - b) for a, b in pairs) / len(pairs)
