# SPDX-License-Identifier: GPL-3.0-or-later
"""What explain says of a run, and of jobs, against its metrics, events and jobs.csv: python3 story.py RUN STORY.json [JOB.json...]."""
import collections
import csv
import json
import re
import sys
from decimal import Decimal

run, story = sys.argv[1:3]
with open(story, encoding="utf-8") as f:
    s = json.load(f, parse_float=Decimal)
cost = {c["cause"]: c["gpu_s"] for c in s["gpu_time_without_progress"]}
m, save, lost = s["metrics"], cost.pop("save"), cost.pop("lost progress")
assert (sum(cost.values()), save, lost) == (m["gpu_setup_s"], m["gpu_save_s"], m["gpu_lost_s"]), (cost, save, lost)
assert sum(r["times"] for r in s["relocations"]) == m["relocations"], s["relocations"]


def gpus_of(text):
    for part in text.split():
        first, _, last = re.sub(r"\*\d+", "", part).partition("-")
        yield from range(int(first), int(last or first) + 1)


left, pairs = {}, collections.Counter()
with open(run + "/events.csv", newline="", encoding="utf-8") as f:
    for r in csv.DictReader(f):
        gpus = list(gpus_of(r["gpus"]))
        if r["event"] == "start":
            for pushed in {left[g][0] for g in gpus if g in left and left[g][1:] == (r["time_s"], "preempt")} - {r["job"]}:
                pairs[int(r["job"]), int(pushed)] += 1
        elif r["event"] in ("preempt", "pause", "end", "kill"):
            for g in gpus:
                left[g] = (r["job"], r["time_s"], r["event"])
most = [{"job": j, "pushed": p, "times": n} for (j, p), n in sorted(pairs.items(), key=lambda x: (-x[1], x[0]))[:10]]
assert s["pushed"] == {"times": sum(pairs.values()), "pairs": len(pairs), "most": most}, (s["pushed"], most)

# Stretches add up to the row of their job, split by split and GPU by GPU.
with open(run + "/jobs.csv", newline="", encoding="utf-8") as f:
    own = {r["job"]: r for r in csv.DictReader(f)}
for path in sys.argv[3:]:
    with open(path, encoding="utf-8") as f:
        j = json.load(f, parse_float=Decimal)
    r, stretches = own[str(j["totals"]["job"])], j["stretches"]
    setup = sum(min(x["begin_s"], x["to_s"]) - x["from_s"] for x in stretches)
    ran = sum(x["progress_until_s"] - x["begin_s"] for x in stretches if x["ran"])
    landing = sum(max(Decimal(0), min(a["progress_until_s"], b["begin_s"]) - b["from_s"]) for a, b in zip(stretches, stretches[1:]))
    assert (ran, setup - landing) == (Decimal(r["run_s"]), Decimal(r["setup_s"])), (path, ran, setup, landing, r)
    assert sum(x["splits"] for x in stretches) == int(r["splits"]) == sum(len(x.get("new_splits", [])) for x in stretches), path
    assert sum(x.get("resized", False) for x in stretches) == int(r["resizes"]), path
    assert all(len(n["gpus"]) == len(x["gpus"]) for x in stretches for n in x.get("new_splits", [])), path
    assert str(j["totals"]["alone_s"]) == r["alone_s"] and abs(float(j["totals"]["slowdown"]) - float(r["slowdown"])) < 1e-9, path
