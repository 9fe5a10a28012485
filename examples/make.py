#!/usr/bin/env python3
"""Makes four small tables of made data for the documentation: the same bytes every time.

visitors.csv: the visitors of a museum on each day of two years. A trend, a cycle of a week and one of a year, and noise.
songs.csv: what 80 listeners play. In the evening the songs of their own album, one after another; in the morning
one of the six hits, each of which has its day of the week.
machines.csv: what the sensors of 300 machines report. Some fail: their faults come closer and closer together.
repairs.csv: the steps of 250 repairs, from the order to the bill, with working hours, detours and waiting for parts.
"""
import datetime
import math
import os
import random

FOLDER = os.path.dirname(os.path.abspath(__file__))


def noise(rng):
    """About normal, of deviation 1; from random() alone, which is the same in all versions of Python."""
    return sum(rng.random() for _ in range(12)) - 6


def visitors():
    rng = random.Random(1)
    first = datetime.date(2022, 1, 1)
    week = [40, -120, -90, -60, -30, 60, 200]  # Monday to Sunday
    for day in range(730):
        date = first + datetime.timedelta(days=day)
        season = 150 * math.sin(2 * math.pi * (day - 100) / 365.25)
        value = 600 + 0.3 * day + season + week[date.weekday()] + 25 * noise(rng)
        yield f"{date},{round(value)}"


def songs():
    rng = random.Random(2)
    first = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
    rows = []
    for listener in range(80):
        album = int(rng.random() * 8)
        song = int(rng.random() * 6)
        day = rng.random() * 7
        for _ in range(12 + int(rng.random() * 18)):
            day += 0.3 + rng.random() * 1.5
            morning = rng.random() < 0.4
            hour = 7 + rng.random() * 2 if morning else 19 + rng.random() * 4
            time = first + datetime.timedelta(days=int(day), seconds=int(hour * 3600))
            if rows and rows[-1][1] == listener and time <= rows[-1][0]:
                continue
            if morning:
                name = f"hit {min(time.weekday(), 5) + 1}"
            else:
                song = (song + 1) % 6
                name = f"album {'ABCDEFGH'[album]}, song {song + 1}"
            rows.append((time, listener, name))
    for time, listener, name in sorted(rows):
        yield f'{time:%Y-%m-%dT%H:%M:%SZ},listener{listener:02},"{name}"'


def machines():
    rng = random.Random(3)
    first = datetime.datetime(2024, 3, 1)
    for machine in range(300):
        fails = rng.random() < 0.125
        hours = rng.random() * 48
        count = 14 + int(rng.random() * 12)
        for step in range(count):
            pace = 1.2 - 0.75 * step / count if fails else 0.5 + 0.7 * rng.random()
            hours += 12 * pace * (0.5 + rng.random())
            kind = ("start", "warning", "vibration")[min(int(rng.random() * 3.3), 2)]
            temperature = 61 + 4 * noise(rng) + (3 * step / count if fails else 0)
            time = first + datetime.timedelta(seconds=int(hours * 3600))
            yield time, f"{time:%Y-%m-%d %H:%M:%S},machine{machine:03},{kind},{temperature:.1f},{'yes' if fails else 'no'}"


def working_hours(time):
    """The same, or the next morning of a weekday."""
    if time.hour < 8:
        time = time.replace(hour=8)
    if time.hour >= 17:
        time = time.replace(hour=8) + datetime.timedelta(days=1)
    while time.weekday() > 4:
        time = time.replace(hour=8) + datetime.timedelta(days=1)
    return time


def repairs():
    rng = random.Random(4)
    first = datetime.datetime(2024, 1, 1, 8)
    for case in range(250):
        time = working_hours(first + datetime.timedelta(hours=int(case * 8.5 + 24 * rng.random())))
        steps = ["order", "inspection"]
        if rng.random() < 0.45:
            steps += ["wait for parts"]
        steps += ["repair"]
        while rng.random() < 0.25:
            steps += ["test failed", "repair"]
        steps += ["test passed", "bill"]
        for step in steps:
            if time < datetime.datetime(2024, 4, 1):  # later ones are open
                yield time, f"{time:%Y-%m-%d %H:%M},R{case:03},{step}"
            hours = {"order": 3, "inspection": 1, "wait for parts": 60, "repair": 2, "test passed": 18}.get(step, 1)
            time = working_hours(time + datetime.timedelta(minutes=int(60 * hours * (0.6 + 0.8 * rng.random()))))


def write(name, header, rows):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join([header, *rows]) + "\n")


write("visitors.csv", "date,visitors", visitors())
write("songs.csv", "time,user_id,item", songs())
write("machines.csv", "time,machine,event,temperature,failed", (line for _, line in sorted(machines())))
write("repairs.csv", "time,case,activity", (line for _, line in sorted(repairs(), key=lambda row: row[0])))
