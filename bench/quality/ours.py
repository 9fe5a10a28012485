"""The command t2v with nothing but the split, the horizon and the column. Standard library alone."""

import csv
import pathlib
import re
import tempfile

import results
import series as data

SPANS = {data.DAY: "d", data.HOUR: "h", 60: "min", 1: "s"}


def span(seconds):
    """3600 -> 1h"""
    return next(f"{seconds // unit}{name}" for unit, name in SPANS.items() if seconds % unit == 0)


def ahead(series, first, last):
    """How long before the last value of [first, last) the last known one is, as --horizon takes it."""
    length = int((series.times[last - 1] - series.times[first - 1]).total_seconds())
    return span(length if series.row.step else -(-length // data.DAY) * data.DAY)


def horizon(series):
    """What the model is trained for: a rolling row's horizon, a plain row's test part."""
    if series.row.rolling and series.row.step:
        return span(series.row.horizon * series.row.step)
    return ahead(series, series.cut, series.cut + (series.row.horizon or series.row.test))


class Command:
    """t2v in a folder of its own; adds up its CPU seconds."""
    def __init__(self, program, folder, limit=0):
        self.program, self.folder, self.limit, self.seconds = program, pathlib.Path(folder), limit, 0.0

    def __call__(self, *arguments):
        printed, spent = results.timed([self.program, *arguments], self.limit, cwd=self.folder)
        self.seconds += spent
        return printed

    def version(self):
        return re.sub(r"\s+", " ", self("--version").strip().splitlines()[0])


def write(path, series, end):
    path.write_text("\n".join(series.lines[:end + 1]) + "\n")


def asked(path, times):
    """(p10, p50, p90) of the times asked, from what `t2v predict --csv` wrote."""
    with open(path) as file:
        found = {row["time"].rstrip("Z").replace("T", " ")[:19]: row for row in csv.DictReader(file)}
    missing = [time for time in times if time.isoformat(" ") not in found]
    if missing:
        raise RuntimeError(f"no forecast of {missing[0]} and {len(missing) - 1} others")
    return [[float(found[time.isoformat(" ")][key]) for key in ("p10", "p50", "p90")] for time in times]


def forecasts(series, seed, program):
    """Trains before the test part and predicts it from each origin. (answers, CPU seconds, version)"""
    every = span(series.row.step or data.DAY)  # months: the days that they start with are among all days
    with tempfile.TemporaryDirectory() as folder:
        run, answers = Command(program, folder), []
        write(run.folder / "seen.csv", series, series.cut)
        run("train", "seen.csv", "--value", series.row.value, "--horizon", horizon(series), "--seed", seed,
            "-o", "m.t2v")
        for first, last in data.origins(series, series.cut, len(series.values)):
            write(run.folder / "seen.csv", series, first)
            run("predict", "m.t2v", "seen.csv", "--horizon", ahead(series, first, last), "--every", every,
                "--quantiles", "0.1,0.5,0.9", "--csv", "-o", "out.csv")
            answers += asked(run.folder / "out.csv", series.times[first:last])
        return answers, run.seconds, run.version()


def score(series, answers):
    truth = series.values[series.cut:]
    return {"mae": data.mean_error((y, middle) for y, (_, middle, _) in zip(truth, answers)),
            "coverage": sum(low <= y <= high for y, (low, _, high) in zip(truth, answers)) / len(truth)}


def measure(series, seed, program):
    answers, seconds, version = forecasts(series, seed, program)
    return {**score(series, answers), "cpu_seconds": seconds, "version": version}
