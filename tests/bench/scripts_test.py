"""The scripts that measure: tables, and the guard of what is on record. Run by scripts/test; needs no data."""

import contextlib
import io
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
import guard
import table

HERE = {"processor": "A", "model": "1/2", "cores": 2, "target": "avx512", "version": "1", "date": "2026-01-01"}


def answer(seconds, amount=100, operations=1000, **more):
    return {"seconds": seconds, "amount": amount, "operations": operations, **more}


class Table(unittest.TestCase):
    def row(self, **more):
        ours = [answer(1, **more), answer(1, **more), answer(1, **more)]
        peer = [answer(4, **more), answer(2, **more), answer(3, **more)]
        scores = {"t2v": {"name": "accuracy", "value": 0.5, "steps": 60, "epochs": 1}}
        about = {"Other": {"peer": "Other 1.0", "settings": {"threads": 2, "shard": 64, "lengths": [1, 2]}}}
        return table.row_of("train", ours, [answer(0.5)] * 3, {"Other": peer}, scores, about)

    def test_ratios_are_medians_of_repetitions(self):
        row = self.row()
        self.assertEqual(row["fraction"], 0.5)
        self.assertEqual(row["limit_per_second"], 2000)
        self.assertEqual(row["peers"]["Other"]["ratio"], 3)
        self.assertAlmostEqual(row["peers"]["Other"]["per_second"], 100 / 3)

    def test_text_has_steps_rates_versions_and_settings(self):
        text = table.text_of(self.row(), 0.8, {"Other": 5})
        self.assertIn("0.500 of the limit (±0.000, wanted 0.80)   limit 2000/s   accuracy 0.5 after 60 steps", text)
        self.assertIn("3.00 times as fast as Other (±1.00, wanted 5)   33.33/s", text)
        self.assertIn("Other 1.0, threads 2, shard 64\n", text + "\n")

    def test_latencies_are_in_microseconds(self):
        row = self.row(p999=5e-6)
        self.assertEqual(row["median_us"], 1e6)
        self.assertEqual(row["peers"]["Other"]["p999_us"], 5)
        self.assertIn("p99.9 5.00 us", table.text_of(row, 0, {}))


class Guard(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "recorded.json"

    def record(self, *fractions):
        guard.write_record(self.path, HERE, [[{"workload": "a", "fraction": f}] for f in fractions])

    def compare(self, fraction, again):
        taken = iter(again)
        rows = [{"workload": "a", "fraction": fraction}]
        with contextlib.redirect_stdout(io.StringIO()) as self.printed:
            slow = guard.compare(rows, {"a": 1.0}, lambda name: next(taken))
        return slow, rows[0]["fraction"]

    def test_a_record_is_the_median_of_its_runs_and_names_the_machine(self):
        self.record(0.5, 0.9, 0.6)
        (kept,) = json.loads(self.path.read_text())
        self.assertEqual(kept["fractions"], {"a": 0.6})
        self.assertEqual([kept[key] for key in guard.SAME], ["A", "1/2", 2, "avx512"])
        self.assertEqual(guard.read_record(self.path, HERE, ["a"]), {"a": 0.6})

    def test_nothing_is_compared_without_a_record(self):
        with self.assertRaisesRegex(guard.Guard, "no record of this machine"):
            guard.read_record(self.path, HERE, ["a"])

    def test_nothing_is_compared_with_another_machine(self):
        self.record(0.5)
        for key, value in {"processor": "B", "model": "1/3", "cores": 4, "target": "avx2"}.items():
            with self.assertRaisesRegex(guard.Guard, f"no record of this machine .*{value}.*there is one of 2 cores of A 1/2, avx512"):
                guard.read_record(self.path, {**HERE, key: value}, ["a"])

    def test_each_machine_has_its_own_record_and_a_new_one_replaces_its_last(self):
        self.record(0.5)
        there = {**HERE, "processor": "B"}
        guard.write_record(self.path, there, [[{"workload": "a", "fraction": 0.8}]])
        self.record(0.6)
        self.assertEqual(guard.read_record(self.path, HERE, ["a"]), {"a": 0.6})
        self.assertEqual(guard.read_record(self.path, there, ["a"]), {"a": 0.8})
        self.assertEqual(len(json.loads(self.path.read_text())), 2)

    def test_a_workload_must_be_on_record(self):
        self.record(0.5)
        with self.assertRaisesRegex(guard.Guard, "not on record: b"):
            guard.read_record(self.path, HERE, ["a", "b"])

    def test_what_lost_little_is_measured_once(self):
        self.assertEqual(self.compare(0.86, []), ([], 0.86))

    def test_what_lost_much_is_measured_twice_more_and_the_median_counts(self):
        self.assertEqual(self.compare(0.5, [0.9, 0.95]), ([], 0.9))
        self.assertEqual(self.compare(0.5, [0.6, 0.95]), (["a"], 0.6))
        self.assertIn("0.600   on record 1.000   -40 %   median of 0.500, 0.600, 0.950", self.printed.getvalue())


class PartsOfTheTest(unittest.TestCase):
    root = Path(__file__).resolve().parents[2]

    def run_test(self, *arguments):
        return subprocess.run([self.root / "scripts/test", *arguments], capture_output=True, text=True, timeout=60)

    def test_are_listed_and_explained(self):
        parts = self.run_test("--parts").stdout.split()
        self.assertIn("asan", parts)
        explained = (self.root / "CONTRIBUTING.md").read_text()
        for part in parts:
            self.assertIn(f"`{part}`", explained)

    def test_run_alone_and_have_a_closing_line(self):
        ran = self.run_test("--full", "mutants")
        closing = r"\nmutants: (\d passed, \d failed) in 0 min \d+ s\n(\d passed, (\d) failed)\n$"
        self.assertRegex(ran.stdout, closing)
        part, all_parts, failed = re.search(closing, ran.stdout).groups()
        self.assertEqual(part, all_parts)
        self.assertEqual(ran.returncode, 0 if failed == "0" else 1)

    def test_that_are_not_there_are_refused(self):
        for arguments in (["--full", "asam"], ["--fast"]):
            ran = self.run_test(*arguments)
            self.assertEqual(ran.returncode, 2)
            self.assertIn("there ", ran.stderr)


if __name__ == "__main__":
    unittest.main()
