"""The scripts of bench/quality: splits, rules, results and pages. Run by scripts/test; needs no data."""

import datetime
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench" / "quality"))
import events
import events_data
import forecast_table
import ours
import pages
import results
import rules
import series as data


def hourly(values, test, horizon=0, gaps=(), **seasons):
    """A series of hours, without those at the positions `gaps`."""
    kept = [i for i in range(len(values)) if i not in gaps]
    start = datetime.datetime(2024, 1, 1)
    row = data.Row("made", "made.csv", "time", "value", test, data.HOUR, seasons, horizon)
    times = [start + datetime.timedelta(hours=i) for i in kept]
    lines = ["time,value", *(f"{time},{values[i]}" for time, i in zip(times, kept))]
    return data.Series(row, lines, times, kept, [float(values[i]) for i in kept], "digest")


class Splits(unittest.TestCase):
    def test_a_plain_row_has_one_origin(self):
        self.assertEqual(data.origins(hourly(range(20), 8), 12, 20), [(12, 20)])

    def test_a_rolling_row_moves_by_its_horizon_on_the_grid(self):
        series = hourly(range(20), 8, 4, gaps=(14, 15))
        self.assertEqual(data.origins(series, 10, 18), [(10, 14), (14, 16), (16, 18)])
        self.assertEqual(data.origins(series, 12, 18), [(12, 14), (14, 18)])

    def test_a_gap_longer_than_the_horizon_is_no_origin(self):
        series = hourly(range(40), 8, 4, gaps=range(24, 34))
        self.assertEqual(data.origins(series, 20, 30), [(20, 24), (24, 26), (26, 30)])

    def test_validation_is_as_long_as_the_test_part_but_at_most_a_third(self):
        self.assertEqual(data.validation_cut(hourly(range(100), 20)), 60)
        self.assertEqual(data.validation_cut(hourly(range(100), 70)), 20)

    def test_months_are_a_grid(self):
        times = [datetime.datetime(2023, 11, 1), datetime.datetime(2024, 2, 1)]
        self.assertEqual(data.keys_of(times, 0), [0, 3])

    def test_last_events_are_asked_once_in_each_part(self):
        split = events_data.last_events([events_data.Sequence([1, 2, 3, 4], list("abcd"))], False)
        self.assertEqual([(part[0].types, part[0].first) for part in (split.train, split.valid, split.test)],
                         [(["a", "b"], 1), (["a", "b", "c"], 2), (["a", "b", "c", "d"], 3)])


class Rules(unittest.TestCase):
    def forecast(self, make, series):
        return [answer for _, answer in rules.run(make, series, series.cut, len(series.values))]

    def test_a_season_ago_is_never_in_the_test_part(self):
        series = hourly([1, 2, 3, 4, 5, 6, 7, 8, 9], 5)
        self.assertEqual(self.forecast(lambda: rules.SeasonalNaive(2), series), [3, 4, 3, 4, 3])

    def test_a_season_ago_that_is_missing_is_looked_for_earlier(self):
        series = hourly([1, 2, 3, 4, 0, 0], 2, gaps=(2,))
        self.assertEqual(self.forecast(lambda: rules.SeasonalNaive(2), series), [1, 4])

    def test_drift_is_the_line_through_the_first_and_the_last_value(self):
        self.assertEqual(self.forecast(rules.Drift, hourly([0, 9, 4, 0, 0], 2)), [6, 8])

    def test_rolling_rules_learn_what_came(self):
        self.assertEqual(self.forecast(rules.LastValue, hourly([1, 2, 3, 4], 2, 1)), [2, 3])

    def test_errors_of_a_season_that_repeats_are_nothing(self):
        found = rules.evaluate(hourly([1, 5, 9] * 10, 6, season=3))
        self.assertEqual(found["seasonal naive, season"], (0, 0))
        self.assertEqual(found["same-phase mean, season"], (0, 0))
        self.assertGreater(found["mean"][1], 1)


class Kept(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_results_of_other_data_are_measured_again(self):
        kept = results.Results(self.folder / "results" / "a.jsonl")
        kept.add("row", "peer", 1, "old", {"mae": 2.0})
        again = results.Results(kept.path)
        self.assertTrue(again.has("row", "peer", 1, "old"))
        self.assertFalse(again.has("row", "peer", 1, "new"))
        self.assertFalse(again.has("row", "peer", 2, "old"))

    def test_two_runs_keep_the_results_of_each_other(self):
        one, two = (results.Results(self.folder / "a.jsonl") for _ in range(2))
        one.add("row", "a", 1, "d", {"mae": 1.0})
        two.add("row", "b", 1, "d", {"mae": 2.0})
        self.assertEqual(len(results.Results(one.path).kept), 2)

    def test_a_failure_is_kept_with_its_reason(self):
        kept = results.Results(self.folder / "a.jsonl")

        def fails():
            raise RuntimeError("no such peer")
        results.cached(kept, "row", "peer", 1, "d", fails)
        self.assertEqual(kept.stopped("row", "peer"), "no such peer")
        self.assertEqual(kept.of("row", "peer"), [])

    def test_a_command_is_stopped_at_its_limit(self):
        with self.assertRaisesRegex(TimeoutError, "stopped after 1 CPU seconds"):
            results.timed([sys.executable, "-c", "while True: pass"], 1)

    def test_only_the_part_between_the_comments_is_written(self):
        page = self.folder / "page.md"
        page.write_text("a\n<!-- begin: written by s -->\nold\n<!-- end: written by s -->\nb\n")
        pages.replace(page, "s", ["new"])
        self.assertEqual(page.read_text(),
                         "a\n<!-- begin: written by s -->\n\nnew\n\n<!-- end: written by s -->\nb\n")
        with self.assertRaises(SystemExit):
            pages.replace(page, "other", ["new"])


class Tables(unittest.TestCase):
    def test_the_lowest_error_is_bold_and_a_missing_one_a_dash(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = results.Results(Path(folder) / "a.jsonl")
            for method, value in (("picked rule", 3.0), ("best rule", 2.0), ("t2v", 1.0)):
                kept.add("row", method, 1, "d", {"mae": value, "settings": "mean"})
            self.assertEqual(forecast_table.line(kept, "row", ["picked rule", "best rule", "Peer", "t2v"])[2:6],
                             ["3", "2", "–", "**1**"])

    def test_measures_of_types_and_classes_are_found(self):
        model = {f"recall@{place}": 0.5 if place < 3 else 0.75 for place in range(1, 11)}
        self.assertEqual(events.measures({"types": {"model": {**model, "log_loss": 1.0}}}),
                         {"accuracy": 0.5, "log_loss": 1.0, "ndcg@10": 0.5 + 0.25 / 2})
        self.assertEqual(events.measures({"classes": {"model": {"accuracy": 0.5, "auc": 0.7}}}),
                         {"accuracy": 0.5, "auc": 0.7})


class Ours(unittest.TestCase):
    def test_spans_are_in_the_largest_unit_that_divides_them(self):
        self.assertEqual([ours.span(s) for s in (86400, 3600 * 36, 300)], ["1d", "36h", "5min"])

    def test_a_gap_before_a_rolling_day_is_forecast_over_but_not_trained_for(self):
        series = hourly(range(60), 20, 4, gaps=range(44, 50))
        self.assertEqual(ours.horizon(series), "4h")
        self.assertEqual(ours.ahead(series, 44, 46), "8h")

    def test_a_time_without_a_forecast_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "out.csv"
            path.write_text("time,value,p10,p50,p90\n2024-01-01T00:00:00Z,2,1,2,3\n")
            first = datetime.datetime(2024, 1, 1)
            self.assertEqual(ours.asked(path, [first]), [[1, 2, 3]])
            with self.assertRaisesRegex(RuntimeError, "no forecast of 2024-01-02 00:00:00"):
                ours.asked(path, [first, datetime.datetime(2024, 1, 2)])


if __name__ == "__main__":
    unittest.main()
