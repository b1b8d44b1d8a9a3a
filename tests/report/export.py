# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports of a run against its own jobs.csv: python3 export.py RUN CHROME.json BATSIM_DIR [FROM TO]."""
import collections
import csv
import json
import sys
from decimal import Decimal
from fractions import Fraction

run, chrome, batsim = sys.argv[1:4]
window = [Decimal(x) for x in sys.argv[4:6]] or None
failed = []


def want(condition, what):
    if not condition:
        failed.append(what)


def rows(path):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


own = {r["job"]: r for r in rows(run + "/jobs.csv")}
with open(run + "/summary.json", encoding="utf-8") as f:
    summary = json.load(f, parse_float=Decimal)
end = Decimal(summary["end_s"])
shared = "slowdown_jain" in summary  # several jobs may hold a GPU, and a job may be given others

# ---- the timeline ----

with open(chrome, encoding="utf-8") as f:
    trace = json.load(f, parse_float=Decimal)
events = trace["traceEvents"]
names, lanes = {}, collections.defaultdict(list)
spent = collections.defaultdict(Decimal)  # GPU seconds by job and category
each = collections.defaultdict(Fraction)  # the same, shared evenly among the GPUs of its stretch
for e in events:
    want(e["ph"] in "MXC", f"phase {e['ph']}")
    if e["ph"] == "M" and e["name"] == "thread_name":
        names[e["tid"]] = e["pid"]
    if e["ph"] == "X":
        want(e["dur"] > 0 and e["ts"] >= 0, f"a piece of no length: {e}")
        lanes[e["pid"], e["tid"]].append((Decimal(e["ts"]), Decimal(e["dur"]), e["args"]["job"]))
        spent[str(e["args"]["job"]), e["cat"]] += Decimal(e["dur"]) / 1000000
        each[str(e["args"]["job"]), e["cat"]] += Fraction(e["dur"]) / 1000000 / e["args"]["gpus"]
want(lanes, "no X events")
for (pid, tid), pieces in lanes.items():
    want(names.get(tid) == pid, f"thread {tid} has no name")
    pieces.sort()
    for (ts, dur, job), (after, _, other) in zip(pieces, pieces[1:]):
        want(ts + dur <= after, f"thread {tid}: jobs {job} and {other} overlap at {after} us")
    if window:
        want(pieces[0][0] >= window[0] * 1000000 and max(t + d for t, d, _ in pieces) <= window[1] * 1000000,
             f"thread {tid}: outside of the window")
for counter in ("GPUs", "jobs"):
    times = [e["ts"] for e in events if e["ph"] == "C" and e["name"] == counter]
    want(times and times == sorted(times), f"counter {counter}: not in order, or none")
if not window:
    for job, r in own.items():
        ran = each[job, "progress"] + each[job, "lost"]
        want(ran == Fraction(r["run_s"]), f"job {job}: {float(ran)} s in the timeline, run_s {r['run_s']}")
        want(each[job, "lost"] == Fraction(r["lost_s"]), f"job {job}: lost_s")
    total = sum(v for (_, what), v in spent.items() if what == "set-up")
    want(total == summary["gpu_setup_s"], f"set-up {total}, gpu_setup_s {summary['gpu_setup_s']}")
    waiting = [(e["ts"], e["args"]["waiting"]) for e in events if e["ph"] == "C" and e["name"] == "jobs"]
    series = [(Decimal(r["time_s"]) * 1000000, int(r["jobs_waiting"])) for r in rows(run + "/series.csv")]
    want(waiting == series, "the counter of waiting jobs is not that of series.csv")


# ---- the tables ----


def gpus_of(text):
    got = []
    for part in text.split():
        first, _, last = part.partition("-")
        got += range(int(first), int(last or first) + 1)
    return got


jobs, segments = rows(batsim + "/jobs.csv"), rows(batsim + "/segments.csv")
want(list(jobs[0]) == "job_id workload_name profile submission_time requested_number_of_resources requested_time success "
     "final_state starting_time execution_time finish_time waiting_time turnaround_time stretch allocated_resources "
     "consumed_energy metadata".split() and list(jobs[0]) == list(segments[0]), "the columns")
want({j["job_id"] for j in jobs} == set(own) and len(jobs) == len(own), "the jobs")
last, starts = {}, collections.Counter()
for s in segments:
    last[s["job_id"]] = s
    want(json.loads(s["metadata"])["stretch"] == starts[s["job_id"]], f"job {s['job_id']}: its stretches are out of order")
    starts[s["job_id"]] += 1
for j in jobs:
    r, number = own[j["job_id"]], j["job_id"]
    about = json.loads(j["metadata"])
    want((about["name"] or "") == r["name"], f"job {number}: name")
    want(j["submission_time"] == r["submit_s"] and j["starting_time"] == r["first_start_s"], f"job {number}: start")
    stretches = int(r["starts"]) + int(r.get("resizes", 0))
    want(starts[number] == stretches and r["starts"] == str(about["starts"]), f"job {number}: starts")
    if shared and r["alone_s"]:
        want(str(about["alone_s"]) == r["alone_s"] and str(about["splits"]) == r["splits"], f"job {number}: alone or splits")
    state = {"end": "COMPLETED_SUCCESSFULLY", "kill": "COMPLETED_KILLED", "reject": "REJECTED"}.get(r["ended"])
    want(j["final_state"] == state or (state is None and j["final_state"] in ("RUNNING", "SUBMITTED")), f"job {number}: state")
    want((j["success"] == "1") == (r["ended"] == "end"), f"job {number}: success")
    if r["ended"] and r["starts"] != "0":
        a, b, c = (Decimal(j[k]) for k in ("submission_time", "starting_time", "finish_time"))
        want(c == Decimal(r["end_s"]) and Decimal(j["waiting_time"]) == b - a, f"job {number}: waiting")
        want(Decimal(j["execution_time"]) == c - b and Decimal(j["turnaround_time"]) == c - a, f"job {number}: times")
        if c > b:
            want(abs(float(j["stretch"]) - float((c - a) / (c - b))) < 1e-9 * float(j["stretch"]), f"job {number}: stretch")
    if r["starts"] == "0":
        want(j["allocated_resources"] == "", f"job {number} has GPUs, though it never started")
    else:
        want(shared or len(gpus_of(j["allocated_resources"])) == int(r["gpus"]), f"job {number}: wrong number of GPUs")
        want(j["allocated_resources"] == last[number]["allocated_resources"], f"job {number}: not its last GPUs")
owned = collections.defaultdict(list)
for s in segments:
    want(shared or int(s["requested_number_of_resources"]) == len(gpus_of(s["allocated_resources"])), "a stretch on other than the wanted GPUs")
    for g in gpus_of(s["allocated_resources"]):
        owned[g].append((Decimal(s["starting_time"]), Decimal(s["finish_time"]), s["job_id"]))
for g, stretches in owned.items():
    stretches.sort()
    for (_, to, job), (start, _, other) in zip(stretches, stretches[1:]):
        want(shared or to <= start, f"GPU {g}: stretches of jobs {job} and {other} overlap")
held = sum(b - a for s in owned.values() for a, b, _ in s)
first = min(Decimal(r["submit_s"]) for r in own.values())
share = float(held / ((end - first) * int(summary["gpus"])))
want(abs(share - float(summary["gpu_held_share"])) < 1e-9, f"GPUs are held {share} of the time, summary.json has {summary['gpu_held_share']}")
with open(batsim + "/schedule.json", encoding="utf-8") as f:
    schedule = json.load(f)
done = [j for j in jobs if j["success"] == "1"]
want(schedule["nb_jobs"] == len(jobs) and schedule["nb_jobs_success"] == len(done), "schedule.json: numbers of jobs")
if done:
    for key in ("waiting_time", "turnaround_time"):
        values = [float(j[key]) for j in done]
        want(abs(schedule["mean_" + key] - sum(values) / len(values)) < 1e-6, f"schedule.json: mean_{key}")
        want(abs(schedule["max_" + key] - max(values)) < 1e-6, f"schedule.json: max_{key}")

for what in failed[:20]:
    print(what)
sys.exit(1 if failed else 0)
