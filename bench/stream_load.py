#!/usr/bin/env python3
"""Latency of `t2v stream` under a steady load, while it writes snapshots.

    bench/stream_load.py [--rate 20000] [--seconds 60] [--ids 100000] [--snapshot-every 500000]

Trains a small model (LSTM, 128 units), feeds events of random ids at a fixed rate, and prints the time from when an event
was due to when its answer was read: p50, p99, p99.9, the largest, and how many snapshots were written meanwhile. An event that is
sent late counts from when it was due, so a stall is seen in all events behind it.
"""
import argparse
import array
import multiprocessing
import os
import random
import subprocess
import tempfile
import time

TICK = 0.0005  # seconds between writes of what is due


def make_model(tool, folder, ids):
    path = os.path.join(folder, "train.csv")
    with open(path, "w") as file:
        file.write("id,time,event\n")
        for i in range(400):
            for j in range(20):
                file.write(f"u{i},{1_700_000_000 + 3600 * j + random.randrange(3600)},e{random.randrange(20)}\n")
    model = os.path.join(folder, "m.t2v")
    subprocess.run([tool, "train", path, "-o", model, "--hidden", "128", "--cell", "lstm", "--epochs", "1"],
                   check=True, capture_output=True)
    return model


def lines_of(count, ids):
    """Every id first, then at random."""
    order = list(range(ids)) + [random.randrange(ids) for _ in range(max(0, count - ids))]
    return [b'{"id":"user-%d","time":%d,"event":"e%d"}\n' % (order[i], 1_700_000_000 + i // 1000, i % 20)
            for i in range(count)]


def send(pipe, lines, rate, start):
    sent = 0
    while sent < len(lines):
        due = min(len(lines), int((time.monotonic() - start) * rate))
        if due > sent:
            os.write(pipe, b"".join(lines[sent:due])) if due - sent < 200 else write_all(pipe, lines[sent:due])
            sent = due
        time.sleep(TICK)
    os.close(pipe)


def write_all(pipe, lines):
    data = memoryview(b"".join(lines))
    while data:
        data = data[os.write(pipe, data):]


def receive(pipe, count, rate, start):
    """Latencies in seconds, by event."""
    latencies = array.array("d")
    while len(latencies) < count:
        data = os.read(pipe, 1 << 20)
        if not data:
            break
        now = time.monotonic() - start
        for _ in range(data.count(b"\n")):
            latencies.append(now - (len(latencies) + 1) / rate)
    return latencies


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/release/cli/t2v")
    parser.add_argument("--rate", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--ids", type=int, default=100_000)
    parser.add_argument("--snapshot-every", type=int, default=500_000)
    args = parser.parse_args()
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        model = make_model(args.tool, folder, args.ids)
        # The ids come first and are not counted: the table is full when the clock starts.
        warm = lines_of(args.ids, args.ids)
        count = int(args.rate * args.seconds)
        lines = [line.replace(b'"time":17', b'"time":18', 1) for line in lines_of(args.ids + count, args.ids)[args.ids:]]
        snapshot = os.path.join(folder, "s.t2v")
        command = [args.tool, "stream", model, "--top", "3", "--max-sequences", str(args.ids)]
        if args.snapshot_every:
            command += ["--snapshot", snapshot, "--snapshot-every", str(args.snapshot_every)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        into, out = process.stdin.fileno(), process.stdout.fileno()
        sender = multiprocessing.Process(target=write_all, args=(into, warm))
        sender.start()
        receive(out, len(warm), args.rate, time.monotonic())
        sender.join()
        start = time.monotonic() + 0.1
        sender = multiprocessing.Process(target=send, args=(into, lines, args.rate, start))
        sender.start()
        process.stdin.close()
        snapshots, seen, watching = 0, None, True
        latencies = array.array("d")
        receiver, result = multiprocessing.Pipe(False)

        def collect():
            result.send_bytes(receive(out, count, args.rate, start).tobytes())

        reader = multiprocessing.Process(target=collect)
        reader.start()
        while watching:  # for new files at the snapshot's name
            watching = not receiver.poll(0.02)
            written = os.stat(snapshot).st_ino if os.path.exists(snapshot) else None
            snapshots += written is not None and written != seen
            seen = written
        latencies.frombytes(receiver.recv_bytes())
        reader.join()
        sender.join()
        errors = process.stderr.read().decode().strip()
        process.wait()
    latencies = sorted(latencies)
    at = lambda share: 1e3 * latencies[min(len(latencies) - 1, int(share * len(latencies)))]
    print(f"{len(latencies):,} events at {args.rate:,}/s, {args.ids:,} ids, {snapshots} snapshots")
    print(f"latency: p50 {at(0.5):.2f} ms, p99 {at(0.99):.2f} ms, p99.9 {at(0.999):.2f} ms, largest {at(1):.2f} ms")
    print(errors)


if __name__ == "__main__":
    main()
