"""Programs that repeat a piece of work whenever they are told to, so that several can take turns."""

import json
import subprocess


class WorkerFailed(Exception):
    """A worker that did not start, or ended."""


class Worker:
    """A started program: it has answered 'ready', and answers each line with one of JSON."""

    def __init__(self, label, command, cwd):
        self.label = label
        self.command = [str(word) for word in command]
        self.process = subprocess.Popen(
            self.command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.ready = self._answer()

    def _answer(self):
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.process.wait()
        lines = self.process.stderr.read().strip().splitlines()
        raise WorkerFailed(lines[-1] if lines else f"{self.label} ended without a word")

    def ask(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return self._answer()

    def stop(self):
        self.process.stdin.close()
        self.process.stderr.close()
        self.process.wait()


def take_turns(workers, repetitions):
    """Repetition by repetition, every worker once: the noise of the machine meets all alike."""
    answers = [[] for _ in workers]
    for _ in range(repetitions):
        for worker, taken in zip(workers, answers):
            taken.append(worker.ask("go"))
    return answers
