#!/usr/bin/env python3
"""Makes visitors.csv and songs.csv, two small tables of made data for the guide: the same bytes every time.

visitors.csv: the visitors of a museum on each day of two years. A trend, a cycle of a week and one of a year, and noise.
songs.csv: what 80 listeners play. In the evening the songs of their own album, one after another; in the morning
one of the six hits, each of which has its day of the week.
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


def write(name, header, rows):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join([header, *rows]) + "\n")


write("visitors.csv", "date,visitors", visitors())
write("songs.csv", "time,user_id,item", songs())
