"""What was measured: a file of JSON lines, one a (row, method, seed), sorted. Standard library alone."""

import datetime
import json
import resource
import subprocess
import time


class Results:
    def __init__(self, path):
        self.path, self.kept = path, {}
        self.read()

    def read(self):
        for line in self.path.read_text().splitlines() if self.path.exists() else []:
            self.keep(json.loads(line))

    def keep(self, record):
        self.kept[record["row"], record["method"], record["seed"]] = record

    def has(self, row, method, seed, digest):
        return self.kept.get((row, method, seed), {}).get("data") == digest

    def add(self, row, method, seed, digest, answer):
        """Keeps an answer in the place of an older one and writes the file, with what others wrote meanwhile."""
        self.read()
        record = {"row": row, "method": method, "seed": seed, "data": digest, **answer}
        self.keep({**record, "date": datetime.date.today().isoformat(), "processor": processor()})
        lines = [json.dumps(self.kept[key]) for key in sorted(self.kept)]
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text("\n".join(lines) + "\n")

    def of(self, row, method):
        """The answers of all seeds, in their order."""
        found = [record for (r, m, _), record in sorted(self.kept.items()) if (r, m) == (row, method)]
        return [record for record in found if "stopped" not in record]

    def stopped(self, row, method):
        """Why there is no answer, if it is known."""
        found = [record for (r, m, _), record in self.kept.items() if (r, m) == (row, method)]
        return next((record["stopped"] for record in found if "stopped" in record), None)


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown"


def timed(command, cpu_limit=0, **more):
    """Runs a command; (what it printed, CPU seconds). Fails with its last message; TimeoutError beyond the limit."""
    def limit():
        if cpu_limit:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_limit, cpu_limit))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, preexec_fn=limit, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode:
        if cpu_limit and spent > cpu_limit - 2:
            raise TimeoutError(f"stopped after {cpu_limit} CPU seconds")
        if done.returncode < 0:  # killed or crashed: nothing to keep
            raise SystemExit(f"{command[0]}: ended by signal {-done.returncode}")
        raise RuntimeError((done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1])
    return done.stdout, spent


def cached(results, row, method, seed, digest, measure):
    """Keeps what `measure()` says of a row and method, or why there is nothing. Prints a line."""
    begun = time.time()
    try:
        answer = measure()
    except (RuntimeError, TimeoutError) as failure:
        answer = {"stopped": str(failure)}
    results.add(row, method, seed, digest, answer)
    print(f"{row:40} {method:12} seed {seed} {time.time() - begun:6.1f} s ", brief(answer), flush=True)


def brief(answer):
    return answer.get("stopped") or " ".join(f"{k} {v:.4g}" for k, v in answer.items() if isinstance(v, float))
