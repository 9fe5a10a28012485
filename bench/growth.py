"""Whole runs of the program: on ever larger data, and on next to none."""

import random
import statistics
import subprocess
import threading
import time

TYPES = 20
SEQUENCES = 1000  # of a block of the made table
LENGTH = 100


def made_block():
    """Rows of some sequences; '@' stands for what tells a block's sequences from those of the others."""
    draw = random.Random(1)
    rows = []
    for sequence in range(SEQUENCES):
        seconds = 1_600_000_000 + draw.randrange(10_000_000)
        for _ in range(LENGTH):
            seconds += draw.randrange(1, 100_000)
            rows.append(f"@-{sequence},{seconds},e{draw.randrange(TYPES)}\n")
    return "".join(rows).encode()


def write_table(path, events):
    block = made_block()
    with open(path, "wb") as file:
        file.write(b"user_id,time,event\n")
        for number in range(max(1, events // (SEQUENCES * LENGTH))):
            file.write(block.replace(b"@", b"%d" % number))


def own_memory(process):
    """Bytes that a process has to itself: not those of mapped files."""
    try:
        with open(f"/proc/{process.pid}/status") as status:
            for line in status:
                if line.startswith("RssAnon:"):
                    return 1024 * int(line.split()[1])
    except OSError:
        pass
    return 0


def watched(command):
    """Seconds, and the most memory of its own."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    most = 0
    errors = []
    reader = threading.Thread(target=lambda: errors.extend(process.stderr))
    reader.start()
    while process.poll() is None:
        most = max(most, own_memory(process))
        time.sleep(0.01)
    reader.join()
    seconds = time.perf_counter() - start
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: {errors[-1].strip() if errors else 'failed'}")
    return seconds, most


def measure_growth(t2v, folder, most_events):
    """Nanoseconds an event and megabytes of import, an epoch and prediction, of 10^6 events and more."""
    folder.mkdir(parents=True, exist_ok=True)
    table, store, model = folder / "growth.csv", folder / "growth.events", folder / "growth.t2v"
    results = []
    events = 10**6
    while events <= most_events:
        write_table(table, events)
        size = table.stat().st_size
        plain = ["--task", "next", "--hidden", 32, "--epochs", 1, "--epoch-steps", 1, "--time", "t2v:16"]
        commands = {
            "import": [t2v, "import", table, "-o", store],
            "epoch": [t2v, "train", store, *plain, "--valid", 0.001, "--batch", 64, "-o", model],
            "predict": [t2v, "predict", model, store, "--top", 1],
        }
        row = {"events": events, "bytes": size}
        for name, command in commands.items():
            seconds, memory = watched(command)
            row[name] = {"ns_per_event": 1e9 * seconds / events, "megabytes": memory / 1e6}
            if name == "import":
                table.unlink()
        results.append(row)
        parts = [f"{n} {row[n]['ns_per_event']:.0f} ns/event {row[n]['megabytes']:.0f} MB" for n in commands]
        print(f"{events:>11} events: " + ", ".join(parts), flush=True)
        events *= 10
    for path in (store, model):
        path.unlink(missing_ok=True)
    return results


def measure_start(t2v, folder):
    """Milliseconds of 't2v predict' on one sequence, and of 't2v --version'."""
    folder.mkdir(parents=True, exist_ok=True)
    model, table = folder / "start.t2v", folder / "start.csv"
    rows = [f"u{i % 20},{1_600_000_000 + 3600 * i},e{i % 3}" for i in range(400)]
    table.write_text("user_id,time,event\n" + "\n".join(rows) + "\n")
    watched([t2v, "train", table, "--task", "next", "--epochs", 1, "-o", model])
    table.write_text("user_id,time,event\n" + "\n".join(rows[::20]) + "\n")
    results = {}
    for name, command in {"predict": [t2v, "predict", model, table], "version": [t2v, "--version"]}.items():
        words = [str(word) for word in command]
        times = []
        for _ in range(21):
            start = time.perf_counter()
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            times.append(1e3 * (time.perf_counter() - start))
        results[name] = statistics.median(times)
        print(f"start of 't2v {name}': {results[name]:.1f} ms", flush=True)
    return results
