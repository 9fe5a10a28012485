"""What all workers share: arguments, the number of threads, and the lines they read and print.

A worker prepares itself (loads, compiles, tries settings), prints one line of JSON when it is ready, and then
answers lines on standard input: `go` runs one repetition, `score` measures the model trained so far. It ends
with its input.
"""

import argparse
import json
import os
import sys
import time

THREAD_VARIABLES = ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS"]


def arguments(description, workloads, variants, data=False, options=()):
    """Reads the command line and settles the threads, so call it before importing anything that computes.
    `options` are further ones: name, default, help."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("workload", choices=list(workloads))
    parser.add_argument("variant", choices=list(variants))
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seed", type=int, default=1)
    if data:
        parser.add_argument("--data", required=True, help="an event store, as t2v import writes it")
        parser.add_argument("--limit", type=int, default=0, help="most sequences of each part; 0: all")
    for name, default, text in options:
        parser.add_argument("--" + name, type=type(default), default=default, help=f"{text} [{default}]")
    chosen = parser.parse_args()
    settle_threads(chosen.threads)
    return chosen


def settle_threads(threads):
    """For libraries that look at variables, and for those that count the cores they may run on (XLA)."""
    for name in THREAD_VARIABLES:
        os.environ[name] = str(threads)
    cores = sorted(os.sched_getaffinity(0))
    if threads < len(cores):
        os.sched_setaffinity(0, cores[:threads])


def private_output():
    """A file for our lines alone: what libraries print to standard output goes to standard error."""
    sys.stdout.flush()
    lines = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    return lines


def serve(peer, variant, settings, repetition, score=None):
    """Says that all is ready and answers the lines that come. `repetition` returns the amount that it
    processed, or all the numbers to print where it times itself; `score` returns a name, a value, and the
    steps and epochs so far."""
    lines = private_output()

    def say(numbers):
        lines.write(json.dumps(numbers) + "\n")

    say({"ready": True, "peer": peer, "variant": variant, "settings": settings})
    for line in sys.stdin:
        command = line.strip()
        if command == "go":
            start = time.perf_counter()
            amount = repetition()
            seconds = time.perf_counter() - start
            say(amount if isinstance(amount, dict) else {"seconds": seconds, "amount": int(amount)})
        elif command == "score" and score:
            name, value, (steps, epochs) = score()
            say({"name": name, "value": value, "steps": steps, "epochs": epochs})
        elif command:
            say({"error": f"'{command}': this worker knows go" + (" and score" if score else "")})


def seconds_of(function, times=1):
    """Least time of a few calls, after one that does not count."""
    function()
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def note(text):
    """For people who watch: standard error."""
    print(text, file=sys.stderr, flush=True)
