"""Tables of events: where they are, how they are split, what is asked. Standard library alone."""

import csv
import datetime
import gzip
import hashlib
import itertools
from dataclasses import dataclass


@dataclass
class Sequence:
    times: list
    types: list
    first: int = 1   # events from here on are asked, each with those before it known


@dataclass
class Split:
    train: list
    valid: list
    test: list
    dates: bool      # times are seconds since 1970; otherwise plain numbers


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "")).replace(tzinfo=datetime.timezone.utc).timestamp()


def grouped(rows):
    """(id, time, type) in any order -> one sequence an id, in the order of their starts."""
    found = {}
    for name, time, kind in rows:
        found.setdefault(name, []).append((time, kind))
    ordered = [sorted(events, key=lambda event: event[0]) for events in found.values()]
    ordered.sort(key=lambda events: events[0][0])
    return [Sequence([time for time, _ in events], [kind for _, kind in events]) for events in ordered]


def latest(sequences, share):
    """Cuts the latest sequences off, as validation or test part."""
    cut = len(sequences) - int(len(sequences) * share)
    return sequences[:cut], sequences[cut:]


def last_events(sequences, dates):
    """The last event of each sequence is asked; the one before it chooses settings."""
    part = lambda s, end, first: Sequence(s.times[:end], s.types[:end], first)
    size = lambda s: len(s.types)
    long = [s for s in sequences if size(s) > 2]
    return Split([part(s, size(s) - 2, 1) for s in long], [part(s, size(s) - 1, size(s) - 2) for s in long],
                 [part(s, size(s), size(s) - 1) for s in sequences], dates)


def read(path, **options):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, **options))


def stackoverflow(folder):
    def part(name):
        with open(folder / f"stackoverflow/event-1-{name}.txt") as types, \
                open(folder / f"stackoverflow/time-1-{name}.txt") as times:
            pairs = [(list(map(float, t.split())), k.split()) for t, k in zip(times, types)]
        return sorted((Sequence(*pair) for pair in pairs if pair[0]), key=lambda s: s.times[0])
    return Split(*latest(part("train"), 0.1), part("test"), True)


def helpdesk(folder):
    rows = read(folder / "process/helpdesk.csv")
    train, test = latest(grouped((r["CaseID"], seconds(r["CompleteTimestamp"]), r["ActivityID"]) for r in rows), 0.2)
    return Split(*latest(train, 0.1), test, True)


def taobao(folder):
    def part(name):
        return grouped((r["id"], float(r["time"]), r["event"]) for r in read(folder / f"tpp/taobao/{name}.csv"))
    return Split(part("train"), part("dev"), part("test"), False)


def songs(folder):
    rows = read(folder / "songs.csv")
    return last_events(grouped((r["user_id"], seconds(r["time"]), r["item"]) for r in rows), True)


def movielens(folder):
    rows = read(folder / "movielens/ratings.csv")
    return last_events(grouped((r["userId"], float(r["timestamp"]), r["movieId"]) for r in rows), True)


def foursquare(folder):
    rows = read(folder / "foursquare_nyc/checkins.tsv", delimiter="\t", fieldnames=("user", "place", "minutes"))
    return last_events(grouped((r["user"], float(r["minutes"]), r["place"]) for r in rows), False)


def patients(folder, part):
    """Rows (id, minutes, parameter, value, died) of a part of PhysioNet 2012, by patient."""
    with gzip.open(folder / f"physionet2012/physionet2012-{part}.csv.gz", "rt") as file:
        rows = [(r["id"], float(r["minutes"]), r["parameter"], float(r["value"] or "nan"), int(r["died"]))
                for r in csv.DictReader(file)]
    return [list(group) for _, group in itertools.groupby(rows, key=lambda row: row[0])]


def digest(paths):
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()[:16]
