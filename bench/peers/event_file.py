#!/usr/bin/env python3
"""Reads the project's files (docs/file-format.md) with NumPy alone, event stores above all.

bench/peers/event_file.py FILE.events   prints what is in it, after comparing it with `t2v inspect --json`
bench/peers/event_file.py --check       imports examples/cafe.csv by t2v and compares it with the table
"""

import csv
import datetime
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
T2V = ROOT / "build/release/cli/t2v"
DTYPES = {
    "BOOL": "?",
    "U8": "u1",
    "I8": "i1",
    "U16": "<u2",
    "I16": "<i2",
    "U32": "<u4",
    "I32": "<i4",
    "F32": "<f4",
    "U64": "<u8",
    "I64": "<i8",
    "F64": "<f8",
}
SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


class TensorFile:
    """Any file that t2v writes: named tensors, and texts about them."""

    def __init__(self, path):
        with open(path, "rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            header = json.loads(file.read(length))
        self.metadata = header.pop("__metadata__")
        assert self.metadata["t2v.format"] == "1", path
        payload = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length)
        self.tensors = {name: _tensor(payload, entry) for name, entry in header.items()}

    def strings(self, name):
        if name + ".bytes" not in self.tensors:
            return None
        data = self.tensors[name + ".bytes"].tobytes()
        ends = self.tensors[name + ".offsets"].tolist()
        return [data[a:b].decode() for a, b in zip(ends, ends[1:])]


class EventFile(TensorFile):
    """An event store: S sequences, N events, grouped by sequence and sorted by time."""

    def __init__(self, path):
        super().__init__(path)
        assert self.metadata["t2v.kind"] == "events", path
        self.about = json.loads(self.metadata["events"])
        self.offsets = self.tensors["offsets"]
        self.ticks = self.tensors["ticks"]
        self.events = self.tensors.get("event.codes")
        self.labels = self.tensors.get("label.codes")
        self.event_names = self.strings("event.names")
        self.label_names = self.strings("label.names")
        self.ids = self.strings("ids")

    def times(self):
        """Time of each event since the first of its sequence, in units of the file; differences are exact."""
        first = np.repeat(self.ticks[self.offsets[:-1]], np.diff(self.offsets))
        return (self.ticks - first) / self.ticks_per_unit()

    def gaps(self):
        """Time of each event since the one before it in its sequence, in units of the file; 0 of the first."""
        gaps = np.diff(self.ticks, prepend=self.ticks[:1])
        gaps[self.offsets[:-1]] = 0
        return gaps / self.ticks_per_unit()

    def ticks_per_unit(self):
        return 10 ** self.about["decimals"] * SECONDS.get(self.about["unit"], 1)

    def part(self, name):
        """Pieces of a part ('train', 'valid', 'test'): sequence, first event, event behind the last, first
        that counts; events are numbered through the file, as `offsets` are."""
        if "split." + name not in self.tensors:
            return np.empty((0, 4), np.int64)
        return self.tensors["split." + name]


def _tensor(payload, entry):
    begin, end = entry["data_offsets"]
    return np.asarray(payload[begin:end]).view(DTYPES[entry["dtype"]]).reshape(entry["shape"])


def inspected(path):
    output = subprocess.run([T2V, "inspect", "--json", path], check=True, capture_output=True, text=True)
    return json.loads(output.stdout)["summary"]


def compare_with_inspect(file, path):
    summary = inspected(path)
    lengths = np.diff(file.offsets)
    assert summary["events"] == len(file.ticks) and summary["sequences"] == len(lengths), summary
    assert summary["lengths"]["least"] == lengths.min() and summary["lengths"]["most"] == lengths.max(), (
        summary
    )
    assert (np.diff(file.times())[np.diff(np.repeat(np.arange(len(lengths)), lengths)) == 0] >= 0).all()
    for name in ["train", "valid", "test"]:
        pieces = file.part(name)
        assert (pieces[:, 1] < pieces[:, 2]).all() and (pieces[:, 1] >= file.offsets[pieces[:, 0]]).all()
        assert (pieces[:, 2] <= file.offsets[pieces[:, 0] + 1]).all()


def compare_with_table(file, table):
    """Every row of the table must be in the file, with its time to the second; no more rows than that."""
    rows = sorted(
        (row["user_id"], datetime.datetime.fromisoformat(row["time"]).timestamp(), row["event"])
        for row in csv.DictReader(open(table))
    )
    owner = np.repeat(np.arange(len(file.ids)), np.diff(file.offsets))
    assert file.about["instants"] and file.about["unit"] == "d"
    ours = sorted(
        (file.ids[s], float(tick // 10**9), file.event_names[code])
        for s, tick, code in zip(owner, file.ticks, file.events)
    )
    assert rows == ours
    since = [row[1] - min(r[1] for r in rows if r[0] == row[0]) for row in rows]
    order = np.lexsort((file.ticks, np.array(file.ids)[owner]))
    assert np.allclose(file.times()[order] * 86400, since, rtol=1e-12, atol=1e-6)


def check():
    table = ROOT / "examples/cafe.csv"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cafe.events"
        subprocess.run(
            [T2V, "import", table, "--split", "random", "-o", path], check=True, capture_output=True
        )
        file = EventFile(path)
        compare_with_inspect(file, path)
        compare_with_table(file, table)
    print(f"{table.name}: {len(file.ticks)} events are as in the table")


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    file = EventFile(sys.argv[1])
    compare_with_inspect(file, sys.argv[1])
    span = f"times to {file.times().max():g} {file.about['unit']}"
    print(f"{len(file.ids)} sequences, {len(file.ticks)} events, {span}")
    for name in ["train", "valid", "test"]:
        print(f"{name}: {len(file.part(name))} pieces")


if __name__ == "__main__":
    main()
