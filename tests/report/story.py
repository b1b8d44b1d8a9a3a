# SPDX-License-Identifier: GPL-3.0-or-later
"""What explain says of a run against its metrics and its events: python3 story.py RUN STORY.json."""
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
