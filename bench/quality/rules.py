"""Simple rules for series. Each sees values one after another by `add` and answers `forecast`. Standard library."""

import series as data


class Mean:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def add(self, key, value):
        self.total, self.count = self.total + value, self.count + 1

    def forecast(self, key):
        return self.total / self.count


class LastValue:
    def add(self, key, value):
        self.last = value

    def forecast(self, key):
        return self.last


class Drift:
    """The line through the first and the last value."""
    first = None

    def add(self, key, value):
        self.last = key, value
        self.first = self.first or self.last

    def forecast(self, key):
        (a, low), (b, high) = self.first, self.last
        return high + (high - low) / (b - a) * (key - b) if b > a else high


class SeasonalNaive:
    """The value the fewest whole seasons ago that is known."""
    def __init__(self, season):
        self.season, self.known, self.last = season, {}, (0, 0.0)

    def add(self, key, value):
        self.known[key] = value
        self.last = key, value

    def forecast(self, key):
        while key > self.last[0]:
            key -= self.season
        while key >= 0:
            if key in self.known:
                return self.known[key]
            key -= self.season
        return self.last[1]


class SamePhaseMean:
    """The mean of all values of the same phase; of all values where there is none."""
    def __init__(self, season):
        self.season, self.all, self.phases = season, Mean(), {}

    def add(self, key, value):
        self.all.add(key, value)
        self.phases.setdefault(key % self.season, Mean()).add(key, value)

    def forecast(self, key):
        return self.phases.get(key % self.season, self.all).forecast(key)


def candidates(row):
    made = {"mean": Mean, "last value": LastValue, "drift": Drift}
    for name, season in row.seasons.items():
        made[f"seasonal naive, {name}"] = lambda season=season: SeasonalNaive(season)
        made[f"same-phase mean, {name}"] = lambda season=season: SamePhaseMean(season)
    return made


def run(make, series, begin, end):
    """(truth, forecast) of [begin, end), each origin knowing all values before it."""
    rule, seen, answers = make(), 0, []
    for first, last in data.origins(series, begin, end):
        for i in range(seen, first):
            rule.add(series.keys[i], series.values[i])
        seen = first
        answers += [(series.values[i], rule.forecast(series.keys[i])) for i in range(first, last)]
    return answers


def evaluate(series):
    """name -> (validation error, test error) of every rule."""
    parts = (data.validation_cut(series), series.cut), (series.cut, len(series.values))
    return {name: tuple(data.mean_error(run(make, series, *part)) for part in parts)
            for name, make in candidates(series.row).items()}
