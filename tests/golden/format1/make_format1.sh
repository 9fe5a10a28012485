#!/usr/bin/env bash
# Made every file of this folder with the last t2v of format 1 (0.1.0): tests read them with today's.
# It cannot be run with a newer one: that writes format 2.
set -euo pipefail
cd "$(dirname "$0")"
T=${T:-t2v}

# Dates: 12 people, types a to c, a number, a class, a target.
python3 - > dates.csv <<'PY'
import datetime, random
r = random.Random(5)
print("id,time,event,size,label,target")
for s in range(12):
    t = datetime.datetime(2024, 1, 1, 8) + datetime.timedelta(hours=7 * s)
    for e in range(9):
        print(f"p{s},{t.isoformat()}Z,{'abc'[(t.hour // 8 + e) % 3]},{r.random():.2f},{'late' if s % 3 else 'early'},{s / 4}")
        t += datetime.timedelta(minutes=r.choice([30, 90, 240, 1500]))
PY
# Plain numbers.
python3 - > numbers.csv <<'PY'
import random
r = random.Random(6)
print("id,t,event,label")
for s in range(12):
    t = 0.0
    for e in range(8):
        print(f"q{s},{t:.1f},{'xyz'[(e + s) % 3]},{'odd' if s % 2 else 'even'}")
        t += r.choice([0.5, 1.5, 12.0])
PY
# A number over time.
python3 - > values.csv <<'PY'
import datetime, math
print("time,load")
for i in range(96):
    t = datetime.datetime(2024, 3, 1) + datetime.timedelta(hours=3 * i)
    print(f"{t.isoformat()}Z,{50 + 9 * math.sin(2 * math.pi * i / 8) + i / 10:.3f}")
PY
$T import dates.csv --features size -o dates.events

one() { # NAME TABLE ASK OPTIONS...: a model, and what it predicts for its table
  name=$1 table=$2 ask=$3
  shift 3
  $T train "$table" -o "$name.t2v" --hidden 4 --epochs 2 --seed 3 --rate 0.02 --threads 1 "$@"
  $T predict "$name.t2v" "$table" --threads 1 $ask > "$name.predicted.jsonl"
}
each=--every-event
one next dates.csv $each --task next --time t2v:4 --features size
one query dates.csv $each --task next --query-time --time t2v:3 --cell tlstm3 --origin dataset --unit h
one when dates.csv $each --task next --when --time t2v:3 --cell gru
one calendar dates.csv "" --task classify --time calendar --cell peephole
one target dates.csv "" --task regress --time t2v:4 --cell phased --unit h --target target
one recommend dates.csv "" --task recommend --time t2v:4 --layers 2
one log numbers.csv "" --task classify --time log --cell tlstm1
one raw numbers.csv $each --task next --time raw --cell tlstm2 --t1-constraint floor
one nothing numbers.csv $each --task next --time none
one values values.csv $each --task forecast --time t2v:5 --epoch-steps 20
one trend values.csv $each --task regress --value load --time t2v:5 --epoch-steps 20

# A training that was stopped.
timeout -s INT 0.3 $T train dates.csv -o stopped.t2v --task next --time t2v:4 --hidden 4 --threads 1 \
  --features size --epochs 1000000 --patience 0 --checkpoint-steps 20 || true

# A stream that was stopped, and the rest of it.
python3 - <<'PY'
import csv, json
rows = list(csv.DictReader(open("dates.csv")))
rows.sort(key=lambda r: r["time"])
lines = [json.dumps({"id": r["id"], "time": r["time"], "event": r["event"], "size": float(r["size"])}) for r in rows]
open("first.jsonl", "w").write("\n".join(lines[:70]) + "\n")
open("rest.jsonl", "w").write("\n".join(lines[70:]) + "\n")
PY
rm -f next.snapshot
$T stream next.t2v --snapshot next.snapshot < first.jsonl > /dev/null
cp next.snapshot kept
$T stream next.t2v --snapshot next.snapshot < rest.jsonl > rest.predicted.jsonl
mv kept next.snapshot
rm first.jsonl
