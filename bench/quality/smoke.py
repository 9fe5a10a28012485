#!/usr/bin/env python3
"""A minute of bench/quality, part of scripts/test: made series, whose error must be half of that of the rule that
validation picks, and examples/songs.csv, where no rule may be better.

  bench/quality/smoke.py [T2V]"""

import datetime
import json
import math
import pathlib
import random
import sys
import tempfile

import ours
import rules
import series as data

ROOT = pathlib.Path(__file__).resolve().parents[2]


def wave(hour, period):
    return math.sin(math.tau * hour / period)


SHAPES = {  # value at an hour, without noise; no rule has both parts
    "a day, a week and a trend": lambda h: 3 * wave(h, 24) + 2 * wave(h, 168) + 0.01 * h,
    "a day and 100 hours": lambda h: 4 * wave(h - 5, 24) + 2 * wave(h, 100) + 10,
}


def made_series(name, hours=24 * 7 * 8, test=24 * 7):
    row = data.Row(name, "", "time", "value", test, data.HOUR, {"day": 24, "week": 168})
    draw = random.Random(7)
    values = [SHAPES[name](hour) + draw.gauss(0, 0.5) for hour in range(hours)]
    times = [datetime.datetime(2024, 1, 1) + datetime.timedelta(hours=hour) for hour in range(hours)]
    lines = ["time,value", *(f"{time.isoformat(' ')},{value:.4f}" for time, value in zip(times, values))]
    return data.Series(row, lines, times, list(range(hours)), values, "made")


def check_series(name, program):
    series = made_series(name)
    errors = rules.evaluate(series)
    picked = min(errors, key=lambda rule: errors[rule][0])
    found = ours.measure(series, 1, program)
    print(f"{name}: t2v {found['mae']:.3f}, {picked} {errors[picked][1]:.3f}")
    return found["mae"] < errors[picked][1] / 2


def check_songs(program):
    """The next song, its time given: more often right than each rule."""
    with tempfile.TemporaryDirectory() as folder:
        run = ours.Command(program, folder)
        run("import", ROOT / "examples" / "songs.csv", "--split", "last", "-o", "songs.events")
        run("train", "songs.events", "--query-time", "-o", "songs.t2v")
        found = json.loads(run("evaluate", "songs.t2v", "songs.events", "--json"))["types"]
    best = max(rule["recall@1"] for rule in found["baselines"].values())
    print(f"songs: t2v {found['model']['recall@1']:.3f}, best rule {best:.3f}")
    return found["model"]["recall@1"] > best


def main(program=ROOT / "build/release/cli/t2v"):
    program = pathlib.Path(program).absolute()
    good = [check_songs(program), *(check_series(name, program) for name in SHAPES)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
