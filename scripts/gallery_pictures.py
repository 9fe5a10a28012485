"""The pictures of README.md, of the gallery and of docs/performance.md: drawn from runs of t2v on examples/."""
import csv
import datetime
import json
import math
import os
import re
import subprocess
import tempfile

from picture import BLUE, GREEN, GREY, ORANGE, ROOT, WIDTH, Panel, Picture

COLORS = (BLUE, ORANGE, GREEN, GREY)
PURPLE = "#7a4fa3"


class Tool:
    """t2v in a folder of its own, with the tables of examples/."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        os.symlink(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))

    def __call__(self, *arguments, given=""):
        return subprocess.run([self.path, *arguments], check=True, capture_output=True, text=True, input=given,
                              cwd=self.folder).stdout

    def rows(self, *arguments):
        return list(csv.DictReader(self(*arguments, "--csv").splitlines()))


def rows_of(name):
    with open(os.path.join(ROOT, "examples", name), encoding="utf-8") as file:
        return list(csv.DictReader(file))


def numbers(rows, key):
    return [float(row[key]) for row in rows]


def forecast(t2v):
    """Twelve weeks of visitors, four weeks of forecast with its band, and the periods that were learned."""
    known, seen = rows_of("visitors.csv"), 84
    start = len(known) - 28
    with open(os.path.join(t2v.folder, "known.csv"), "w", encoding="utf-8") as file:
        file.write("date,visitors\n" + "".join(f"{row['date']},{row['visitors']}\n" for row in known[:start]))
    t2v("train", "known.csv", "--horizon", "28d", "-o", "forecast.t2v")
    ahead = t2v.rows("predict", "forecast.t2v", "known.csv", "--horizon", "28d")
    periods = t2v.rows("inspect", "forecast.t2v")
    picture = Picture(WIDTH, 420, "A forecast of daily visitors with its 80 % band, and the learned periods")
    days = range(start, len(known))
    panel = Panel(picture, (48, 34, 420, 170), (start - seen, len(known)), (400, 1200), (6, 4),
                  ("days since 2022-01-01", "visitors a day"))
    panel.band(days, numbers(ahead, "p10"), numbers(ahead, "p90"), BLUE, 0.25)
    panel.dots(range(start - seen, len(known)), numbers(known[start - seen:], "visitors"), GREY, 2.4)
    panel.curve(days, numbers(ahead, "p50"), BLUE, 2)
    picture.text(panel.at_x(start) - 6, 48, "data", "end", color="#666b73")
    picture.text(panel.at_x(start) + 4, 48, "forecast", color=BLUE)
    sines = sorted((row for row in periods if row["term"] == "sin"), key=lambda row: -float(row["importance"]))[:5]
    picture.text(48, 270, "learned periods, by importance", bold=True)
    most = float(sines[0]["importance"])
    for row, one in enumerate(sines):
        y = 284 + 26 * row
        width = 300 * float(one["importance"]) / most
        picture.box(130, y, width, 18, BLUE, 0.8)
        picture.text(122, y + 14, f"{float(one['period']):.3g} days", "end")
        picture.text(138 + width, y + 14, f"{float(one['importance']):.2f}", color="#444444")
    picture.write("forecast.svg")


def purchase(t2v):
    """What is ordered when, and how often a model and the rules beside it name the next order."""
    t2v("import", "examples/cafe.csv", "--split", "last", "-o", "cafe.events")
    t2v("train", "cafe.events", "--query-time", "-o", "cafe.t2v")
    measured = json.loads(t2v("evaluate", "cafe.t2v", "cafe.events", "--json"))["types"]
    counts = {}
    for row in rows_of("cafe.csv"):
        hour = int(row["time"][11:13])
        counts.setdefault(row["event"], dict.fromkeys(range(6, 19), 0))[hour] += 1
    picture = Picture(WIDTH, 400, "Orders by the hour of the day, and how often the next one is predicted")
    panel = Panel(picture, (48, 34, 420, 150), (6, 18), (0, 160), (6, 4), ("hour", "orders"))
    for color, (event, curve) in zip(COLORS, sorted(counts.items())):
        panel.curve(list(curve), list(curve.values()), color, 2.2)
        peak = max(curve, key=curve.get)
        picture.text(panel.at_x(peak) + 14, panel.at_y(curve[peak]) + 4, event, color=color)
    picture.text(20, 254, "next order named, share of 40 guests", bold=True)
    bars = [("model", measured["model"]["recall@1"])]
    bars += [(name.replace("_", " "), of["recall@1"]) for name, of in measured["baselines"].items()]
    for row, (name, share) in enumerate(bars):
        y = 268 + 30 * row
        picture.text(140, y + 15, name, "end")
        picture.box(148, y, 270 * share, 20, BLUE if row == 0 else GREY, 0.8)
        picture.text(156 + 270 * share, y + 15, f"{share:.2f}", color="#444444")
    picture.write("purchase.svg")


def failures(t2v):
    """The reports of some machines, and what the model thinks of them."""
    t2v("import", "examples/machines.csv", "--label", "failed", "--features", "temperature", "--split", "random", "-o",
        "machines.events")
    t2v("train", "machines.events", "-o", "machines.t2v")
    answers = t2v.rows("predict", "machines.t2v", "machines.events", "--part", "test")
    risk = {row["id"]: float(row["probability"]) for row in answers if row["label"] == "yes"}
    failed, times = {}, {}
    for row in rows_of("machines.csv"):
        failed[row["machine"]] = row["failed"] == "yes"
        times.setdefault(row["machine"], []).append(datetime.datetime.fromisoformat(row["time"]))
    shown = [name for name in risk if failed[name]][:5] + [name for name in risk if not failed[name]][:5]
    picture = Picture(WIDTH, 330, "Reports of ten machines and the probability that each fails")
    picture.text(20, 22, "reports over time; five that failed, five that did not", bold=True)
    picture.text(464, 22, "P(fails)", "end", bold=True)
    longest = max((times[name][-1] - times[name][0]).total_seconds() for name in shown)
    for row, name in enumerate(shown):
        y = 46 + 28 * row
        color = ORANGE if failed[name] else BLUE
        picture.line([(20, y), (380, y)], "#e4e6ea", 1)
        for time in times[name]:
            picture.dot(20 + 360 * (time - times[name][0]).total_seconds() / longest, y, color, 3)
        picture.text(464, y + 5, f"{risk[name]:.2f}", "end", color=color)
    picture.write("failures.svg")


def process(t2v):
    """Quantiles of the time until the next step, after each kind of step."""
    t2v("train", "examples/repairs.csv", "--when", "-o", "repairs.t2v")
    gaps = {}
    for row in t2v.rows("predict", "repairs.t2v", "examples/repairs.csv", "--every-event", "--top", "1"):
        gaps.setdefault((row["id"], row["time"]), row)
    spans = {}
    for row in rows_of("repairs.csv"):
        answer = gaps.get((row["case"], row["time"].replace(" ", "T") + ":00Z"))
        if answer and row["activity"] != "bill":
            spans.setdefault(row["activity"], []).append([float(answer[f"when_{key}"]) for key in ("p10", "median", "p90")])
    picture = Picture(WIDTH, 300, "The predicted time until the next step, after each step")
    ticks = (0.5, 1, 2, 5, 10, 24, 72)
    left, right = 140, 460

    def at_x(hours):
        return left + (math.log(hours) - math.log(0.3)) / (math.log(120) - math.log(0.3)) * (right - left)

    picture.text(20, 22, "hours until the next step: median, 10 % to 90 %", bold=True)
    for tick in ticks:
        picture.line([(at_x(tick), 36), (at_x(tick), 256)], "#e4e6ea", 1)
        picture.text(at_x(tick), 276, f"{tick:g}", "middle", 12, "#444444")
    order = sorted(spans, key=lambda step: sum(span[1] for span in spans[step]) / len(spans[step]))
    for row, step in enumerate(order):
        low, middle, high = (sorted(span[i] for span in spans[step])[len(spans[step]) // 2] for i in range(3))
        y = 56 + 36 * row
        picture.text(left - 10, y + 5, step, "end")
        picture.box(at_x(low), y - 7, at_x(high) - at_x(low), 14, BLUE, 0.3)
        picture.dot(at_x(middle), y, BLUE, 5)
    picture.write("process.svg")


def stream(t2v):
    """What is predicted for one guest after each event of a stream."""
    t2v("train", "examples/cafe.csv", "-o", "next.t2v")
    events = [("05-01T08:00", "espresso"), ("05-01T12:30", "lunch"), ("05-01T15:10", "cake"), ("05-02T08:05", "espresso"),
              ("05-02T12:40", "lunch"), ("05-03T08:00", "espresso"), ("05-03T15:00", "tea"), ("05-03T15:20", "cake")]
    lines = "".join(json.dumps({"user_id": "ann", "time": f"2024-{time}:00Z", "event": event}) + "\n"
                    for time, event in events)
    answers = [json.loads(line)["next"] for line in t2v("stream", "next.t2v", "--top", "4", given=lines).splitlines()]
    picture = Picture(WIDTH, 330, "What is predicted after each event of a stream")
    picture.text(20, 22, "event", bold=True)
    picture.text(150, 22, "next one, by probability", bold=True)
    colors = dict(zip(("espresso", "lunch", "cake", "tea"), (BLUE, ORANGE, GREEN, PURPLE)))
    for row, ((time, event), answer) in enumerate(zip(events, answers)):
        y, x = 34 + 34 * row, 150
        picture.text(20, y + 19, f"{time[3:5]}. {time[6:]} {event}", color=colors[event])
        for one in answer:
            width = 315 * one["p"]
            picture.box(x, y, width, 26, colors[one["event"]], 0.75)
            if width > 60:
                picture.text(x + width / 2, y + 18, one["event"], "middle", color="#ffffff")
            x += width
    picture.text(20, 322, "blue espresso, orange lunch, green cake, violet tea", size=12, color="#444444")
    picture.write("stream.svg")


def vectors(t2v):
    """The terms of a learned Time2Vec over sixty days."""
    t2v("train", "examples/visitors.csv", "--task", "regress", "--time", "t2v:4", "-o", "small.t2v")
    sines = [row for row in t2v.rows("inspect", "small.t2v") if row["term"] == "sin"]
    days = [day / 4 for day in range(0, 241)]
    table = [line.split()[-5:] for line in t2v("encode", "small.t2v", *[f"{day:g} d" for day in days]).splitlines()]
    picture = Picture(WIDTH, 330, "Four learned sines over sixty days")
    for row, one in enumerate(sorted(sines, key=lambda sine: int(sine["entry"]))):
        panel = Panel(picture, (48, 34 + 68 * row, 420, 40), (0, 60), (-1.1, 1.1), (6, 2),
                      ("days" if row == 3 else "", f"entry {one['entry']}: period of {float(one['period']):.3g} days"),
                      "{:g}" if row == 3 else "")
        panel.curve(days, [float(values[int(one["entry"])]) for values in table], COLORS[row], 1.8)
    picture.write("vectors.svg")


def speed():
    """How many times as fast as other software, from the table of docs/performance.md."""
    with open(os.path.join(ROOT, "docs/performance.md"), encoding="utf-8") as file:
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in file if line.startswith("| ")]
    bars = []
    for name, key in (("train Event-MNIST", "train Event-MNIST, Time2Vec 64, H = 100"),
                      ("train Stack Overflow", "train Stack Overflow, Time2Vec 64, H = 103"),
                      ("predict Event-MNIST", "predict Event-MNIST, Time2Vec 64"),
                      ("stream", "stream, one event at a time, H = 128"), ("read CSV", "read CSV, ISO dates")):
        cells = next(row for row in rows if row[0] == key)
        for maker in cells[3].split(";"):
            peer = maker.split()[0] + (" Runtime" if "Runtime" in maker else "")
            variants = re.findall(r"([A-Za-z][A-Za-z ]*?) ([0-9.]+)", maker)
            bars += [(name, variant if variant.startswith(peer) else f"{peer} {variant}", float(times))
                     for variant, times in variants if "compiled" not in variant]
    picture = Picture(WIDTH, 40 + 22 * len(bars) + 14 * 5, "How many times as fast as other software")
    picture.text(20, 22, "times as fast as ...", bold=True)
    y, last = 30, ""
    for name, peer, times in bars:
        if name != last:
            y += 16
            picture.text(20, y + 10, name, bold=True, size=12)
            last = name
            y += 16
        picture.text(180, y + 13, peer, "end", 12)
        picture.box(188, y + 2, 240 * min(times, 30) / 30, 14, BLUE, 0.8)
        picture.text(194 + 240 * min(times, 30) / 30, y + 13, f"{times:g}", size=12, color="#444444")
        y += 20
    picture.size = (WIDTH, y + 12)
    picture.parts[1] = f'<rect width="{WIDTH}" height="{y + 12}" fill="#ffffff"/>'
    picture.write("speed.svg")


def draw(path):
    with tempfile.TemporaryDirectory() as folder:
        t2v = Tool(path, folder)
        for one in (forecast, purchase, failures, process, stream, vectors):
            one(t2v)
    speed()
