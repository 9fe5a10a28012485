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


def horizon_of(series, points):
    """How long ahead a number of grid points is, as --horizon takes it."""
    return span(points * series.row.step) if series.row.step else f"{points}mo"


def longest(series, parts):
    """Grid points from an origin to the last value asked."""
    return max(series.keys[last - 1] - series.keys[first - 1] for first, last in parts)


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
    parts = data.origins(series, series.cut, len(series.values))
    horizon = horizon_of(series, longest(series, parts))
    step = span(series.row.step) if series.row.step else "1mo"
    with tempfile.TemporaryDirectory() as folder:
        run, answers = Command(program, folder), []
        write(run.folder / "seen.csv", series, series.cut)
        run("train", "seen.csv", "--value", series.row.value, "--horizon", horizon, "--seed", seed, "-o", "model.t2v")
        for first, last in parts:
            write(run.folder / "seen.csv", series, first)
            run("predict", "model.t2v", "seen.csv", "--horizon", horizon, "--every", step, "--quantiles",
                "0.1,0.5,0.9", "--csv", "-o", "out.csv")
            answers += asked(run.folder / "out.csv", series.times[first:last])
        return answers, run.seconds, run.version()


def score(series, answers):
    truth = series.values[series.cut:]
    return {"mae": data.mean_error((y, middle) for y, (_, middle, _) in zip(truth, answers)),
            "coverage": sum(low <= y <= high for y, (low, _, high) in zip(truth, answers)) / len(truth)}


def measure(series, seed, program):
    answers, seconds, version = forecasts(series, seed, program)
    return {**score(series, answers), "cpu_seconds": seconds, "version": version}
