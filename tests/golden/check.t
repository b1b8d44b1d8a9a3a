The gate: runs against a committed baseline
===========================================

One GPU. Each seed draws two of three recordings, of 4, 5 and 6 epochs of 10 s, as in compare.t: the mean JCTs of fifo
are 85, 65 and 70 s with the seeds 3, 4 and 5, those of sjf 80, 65 and 65.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments: [{name: study, curves: curves.yaml, trials: 2, model: net}]
  > policy: [fifo, sjf]
  > seed: 3
  > seeds: 3
  > write_jobs: false
  > write_series: false
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ (echo trial,epoch,metric; for t in 0 1 2; do for e in $(seq $((4 + t))); do echo $t,$e,0.$e; done; done) > curves.csv
  $ run() { local to=$1; shift; rm -rf "$to"; hetune run run.yaml -o "$to" -q "$@" > /dev/null; }
  $ run out

`--update` writes what was run. Nothing is in the file at first, so all of it is added.

  $ hetune check out --baseline base.json --update
  add  run, fifo: policy: not in the baseline
  add  run, sjf: policy: not in the baseline
  base.json: written
  $ sed -E 's/[0-9a-f]{16}/HASH/g' base.json | awk '/"jct_p50_s"/ { exit } 1'
  {
    "schema": 1,
    "version": "0.1.0",
    "tolerances": {
      "digest": {
        "check": "exact"
      },
      "counts": {
        "check": "exact"
      },
      "default": {
        "check": "mean",
        "absolute": 0,
        "relative": 1e-12,
        "better": "pass",
        "unclear": "fail"
      }
    },
    "runs": [
      {
        "case": "run",
        "policy": "fifo",
        "predictor": "exact",
        "world": "HASH",
        "seeds": [3, 4, 5],
        "digests": ["HASH", "HASH", "HASH"],
        "metrics": {
          "jobs": [2, 2, 2],
          "done": [2, 2, 2],
          "killed": [0, 0, 0],
          "rejected": [0, 0, 0],
          "unfinished": [0, 0, 0],
          "jct_mean_s": [85, 65, 70],

The same runs pass, and an update finds nothing to change, whatever the file looks like.

  $ hetune check out --baseline base.json
  all 92 checks passed
  $ run again; hetune check again --baseline base.json
  all 92 checks passed
  $ tr -s ' \n' ' ' < base.json > line.json; hetune check out --baseline line.json --update; wc -l < line.json
  line.json: nothing to change
  0

1 % in one number
-----------------

The mean JCT of one run, 85 s, becomes 85.85 s: that of three seeds 73.62 instead of 73.33 s, the difference of the
seed's 0.85 s over three. Their changes, 0.85, 0 and 0, have the mean 0.2833 and the standard deviation 0.4907, so the
interval has the half width 2.484 * 0.4907 = 1.219 (2.484 is Student's t over the root of three).

  $ cp -r out planted; sed -i 's/"jct_mean_s": 85,/"jct_mean_s": 85.85,/' planted/fifo/seed-3/summary.json
  $ hetune check planted --baseline base.json
  FAIL run, fifo: jct_mean_s: worse: 73.33333333 -> 73.61666667 (+0.386 %, 95 %: [-0.9358, +1.502]; tolerance 1e-10 %)
  1 of 92 checks failed
  [1]

1 % in a cost constant
----------------------

All steps take 1.01 s. That is another world, and no run of this baseline: whoever meant it updates the baseline.

  $ run slower -s cost.fits.0.alpha_s=1.01
  $ hetune check slower --baseline base.json 2>&1 | sed -E 's/[0-9a-f]{16}/HASH/g'; echo "${PIPESTATUS[0]}"
  base.json:24:16: error: run, fifo: the run is of world HASH: configuration or inputs are not the baseline's
     24 |       "world": "HASH",
        |                ^
  base.json:78:16: error: run, sjf: the run is of world HASH: configuration or inputs are not the baseline's
     78 |       "world": "HASH",
        |                ^
  2

To see what it does, worlds may differ. Now the digests do, and each time is 1 % longer.

  $ hetune check slower/fifo out/sjf --baseline base.json --other-worlds | sed -E 's/[0-9a-f]{16}/HASH/g'; echo "${PIPESTATUS[0]}"
  note run, fifo: world: HASH -> HASH (another configuration or other inputs)
  FAIL run, fifo: digest: HASH -> HASH (seeds 3, 4 and 1 more of 3; must be equal)
  FAIL run, fifo: jct_mean_s: worse: 73.33333333 -> 74.06666667 (+1 %, 95 %: [+0.4748, +0.9919]; tolerance 1e-10 %)
  FAIL run, fifo: jct_p50_s: worse: 50 -> 50.5 (+1 %, 95 %: [+0.2516, +0.7484]; tolerance 1e-10 %)
  FAIL run, fifo: jct_p90_s: worse: 96.66666667 -> 97.63333333 (+1 %, 95 %: [+0.6798, +1.254]; tolerance 1e-10 %)
  FAIL run, fifo: jct_p99_s: worse: 96.66666667 -> 97.63333333 (+1 %, 95 %: [+0.6798, +1.254]; tolerance 1e-10 %)
  FAIL run, fifo: jct_max_s: worse: 96.66666667 -> 97.63333333 (+1 %, 95 %: [+0.6798, +1.254]; tolerance 1e-10 %)
  FAIL run, fifo: wait_mean_s: worse: 25 -> 25.25 (+1 %, 95 %: [+0.1258, +0.3742]; tolerance 1e-10 %)
  FAIL run, fifo: wait_p99_s: worse: 50 -> 50.5 (+1 %, 95 %: [+0.2516, +0.7484]; tolerance 1e-10 %)
  FAIL run, fifo: wait_max_s: worse: 50 -> 50.5 (+1 %, 95 %: [+0.2516, +0.7484]; tolerance 1e-10 %)
  FAIL run, fifo: makespan_s: worse: 96.66666667 -> 97.63333333 (+1 %, 95 %: [+0.6798, +1.254]; tolerance 1e-10 %)
  FAIL run, fifo: end_s: 96.66666667 -> 97.63333333 (+1 %, 95 %: [+0.6798, +1.254]; tolerance 1e-10 %)
  FAIL run, fifo: gpu_useful_s: 96.66666667 -> 97.63333333 (+1 %, 95 %: [+0.6798, +1.254]; tolerance 1e-10 %)
  FAIL run, fifo: hpo_mean_good_s: worse: 66.66666667 -> 67.33333333 (+1 %, 95 %: [+0.1496, +1.184]; tolerance 1e-10 %)
  FAIL run, fifo: hpo_first_good_s: worse: 66.66666667 -> 67.33333333 (+1 %, 95 %: [+0.1496, +1.184]; tolerance 1e-10 %)
  FAIL run, fifo: hpo_all_good_s: worse: 66.66666667 -> 67.33333333 (+1 %, 95 %: [+0.1496, +1.184]; tolerance 1e-10 %)
  FAIL run, fifo: hpo_regret_s: worse: 40 -> 40.4 (+1 %, 95 %: [+0.2758, +0.5242]; tolerance 1e-10 %)
  16 of 93 checks failed
  1

1 % in a policy
---------------

A policy that was changed still runs in the same world. This one does as fifo does, and then, after a change, waits
0.7333 s before its first start, which is 1 % of the mean JCT.

  $ cat > wait.c <<END
  > #include "sim/policy.h"
  > static void schedule(void *self, struct cx *cx)
  > {
  >     const struct placement *p;
  >     job_id j;
  >     (void)self;
  >     if (sim_now(cx) < WAIT)
  >         sim_wake(cx, WAIT);
  >     while (sim_now(cx) >= WAIT && (j = sim_first(cx, JOB_WAITING)) != NO_JOB && (p = sim_pick(cx, j)) != NULL)
  >         sim_start(cx, j, p, "next");
  > }
  > SIM_API extern const struct policy policy;
  > const struct policy policy = {.abi = POLICY_ABI, .size = sizeof(struct policy), .name = "x", .about = "for a test",
  >                               .schedule = schedule};
  > END
  $ for wait in 0 733333333; do
  >   ${CC:-gcc} -shared -fPIC -I"$ROOT" -DWAIT=$wait -o wait.so wait.c
  >   run wait-$wait -s policy=x --policy-lib ./wait.so
  > done
  $ hetune check wait-0 --baseline wait.json --update
  add  run, x: policy: not in the baseline
  wait.json: written
  $ hetune check wait-0 --baseline wait.json
  all 46 checks passed
  $ hetune check wait-733333333 --baseline wait.json | grep -E 'jct_mean|wait_mean|makespan|busy|checks'
  FAIL run, x: jct_mean_s: worse: 73.33333333 -> 74.06666667 (+1 %, 95 %: [+0.7333, +0.7333]; tolerance 1e-10 %)
  FAIL run, x: wait_mean_s: worse: 25 -> 25.73333333 (+2.93 %, 95 %: [+0.7333, +0.7333]; tolerance 1e-10 %)
  FAIL run, x: makespan_s: worse: 96.66666667 -> 97.4 (+0.759 %, 95 %: [+0.7333, +0.7333]; tolerance 1e-10 %)
  FAIL run, x: gpu_busy_share: worse: 1 -> 0.9924042995 (-0.76 %, 95 %: [-0.009689, -0.005502]; tolerance 1e-10 %)
  21 of 46 checks failed

Tolerances, by hand
-------------------

What is written into the head holds for all runs, what is written into a run for that one. 0.5 % of 73.33 s are more
than 0.2833 s.

  $ cp base.json hand.json; sed -i '0,/"default"/s//"jct_mean_s": {"relative": 0.005, "about": "a table of it is in the paper"},\n&/' hand.json
  $ hetune check planted --baseline hand.json
  all 92 checks passed; 1 within their tolerance
  $ sed -i 's/0.005/0.003/' hand.json; hetune check planted --baseline hand.json
  FAIL run, fifo: jct_mean_s: worse: 73.33333333 -> 73.61666667 (+0.386 %, 95 %: [-0.9358, +1.502]; tolerance 0.3 %)
  1 of 92 checks failed
  [1]
  $ sed -i 's/"relative": 0.003/"absolute": 0.3/' hand.json; hetune check planted --baseline hand.json
  all 92 checks passed; 1 within their tolerance

A change that may be chance (0 is in its interval) is let pass where that is asked.

  $ sed -i 's/"absolute": 0.3/"unclear": "pass"/' hand.json; hetune check planted --baseline hand.json
  note run, fifo: jct_mean_s: unclear: 73.33333333 -> 73.61666667 (+0.386 %, 95 %: [-0.9358, +1.502]; tolerance 1e-10 %)
  all 92 checks passed; 1 unclear

A change for the better passes, and is told, or fails, so that nobody forgets to update.

  $ cp -r out better; sed -i 's/"jct_mean_s": 85,/"jct_mean_s": 84,/' better/fifo/seed-3/summary.json
  $ hetune check better --baseline base.json
  note run, fifo: jct_mean_s: better: 73.33333333 -> 73 (-0.455 %, 95 %: [-1.768, +1.101]; tolerance 1e-10 %)
  all 92 checks passed; 1 better
  $ sed 's/"better": "pass"/"better": "fail"/' base.json > strict.json; hetune check better --baseline strict.json
  FAIL run, fifo: jct_mean_s: better: 73.33333333 -> 73 (-0.455 %, 95 %: [-1.768, +1.101]; tolerance 1e-10 %)
  1 of 92 checks failed; 1 better
  [1]

Counts and digests are exact, unless told otherwise.

  $ cp -r out counts; sed -i 's/"starts": 2,/"starts": 3,/; s/"digest": ".*"/"digest": "0123456789abcdef"/' counts/fifo/seed-[34]/summary.json
  $ hetune check counts --baseline base.json | sed -E 's/[0-9a-f]{16}/HASH/'
  FAIL run, fifo: digest: HASH -> 0123456789abcdef (seeds 3 and 4 of 3; must be equal)
  FAIL run, fifo: starts: 2 -> 3 (seeds 3 and 4 of 3; must be equal)
  2 of 92 checks failed
  $ sed '0,/"counts"/s//"starts": {"relative": 0.5},\n&/; 0,/"check": "exact"/s//"check": "none"/' base.json > loose.json
  $ hetune check counts --baseline loose.json
  all 90 checks passed; 1 within their tolerance

An update keeps what was made by hand, prints what it changes, also where that is not checked, and leaves alone what
was not run.

  $ hetune check counts/fifo --baseline loose.json --update | sed -E 's/[0-9a-f]{16}/HASH/'
  set  run, fifo: digest: HASH -> 0123456789abcdef (seeds 3 and 4 of 3; must be equal)
  set  run, fifo: starts: 2 -> 2.666666667 (+33.3 %, 95 %: [-0.7676, +2.101]; tolerance 50 %)
  keep run, sjf: policy: not run
  loose.json: written
  $ hetune check counts/fifo out/sjf --baseline loose.json; sed -n '/"tolerances"/,/"counts"/p' loose.json
  all 90 checks passed
    "tolerances": {
      "digest": {
        "check": "none"
      },
      "starts": {
        "relative": 0.5
      },
      "counts": {

Seeds and policies that are missing, or new
-------------------------------------------

  $ hetune check out/fifo --baseline base.json
  FAIL run, sjf: policy: not run
  1 of 47 checks failed
  [1]
  $ rm -r again/sjf/seed-4; run more -s policy=fifo -s seeds=4; hetune check more again/sjf --baseline base.json
  note run, fifo: more runs: seed 6 not in the baseline
  FAIL run, sjf: runs: seed 4 not run
  1 of 93 checks failed; 1 new
  [1]
  $ run las -s policy=las; hetune check out las --baseline base.json
  note run, las: policy: not in the baseline
  all 93 checks passed; 1 new

An update with some of the seeds keeps the others, if they are of the same world, and drops them otherwise.

  $ hetune check more again/sjf las --baseline grown.json --update; hetune check out/fifo/seed-3 --baseline grown.json --update
  add  run, fifo: policy: not in the baseline
  add  run, sjf: policy: not in the baseline
  add  run, las: policy: not in the baseline
  grown.json: written
  keep run, fifo: runs: seeds 4, 5 and 1 more not run
  keep run, sjf: policy: not run
  keep run, las: policy: not run
  grown.json: nothing to change
  $ run slow1 -s cost.fits.0.alpha_s=1.01 -s policy=fifo -s seeds=1
  $ hetune check slow1 --baseline grown.json --update | grep -E '^(drop|keep)|written'; grep '"seeds"' grown.json
  drop run, fifo: runs: seeds 4, 5 and 1 more not run
  keep run, sjf: policy: not run
  keep run, las: policy: not run
  grown.json: written
        "seeds": [3],
        "seeds": [3, 5],
        "seeds": [3, 4, 5],

Cases and their names
---------------------

The case is called as the configuration file, or as said before the folder. Two worlds under one name are an error.

  $ hetune check out slower --baseline base.json 2>&1 | sed -E 's/[0-9a-f]{16}/HASH/g'
  error: run: runs of two worlds, HASH and HASH, under one name; tell them apart, as in NAME=RESULT
  $ hetune check fast=out slow=slower --baseline two.json --update
  add  fast, fifo: policy: not in the baseline
  add  fast, sjf: policy: not in the baseline
  add  slow, fifo: policy: not in the baseline
  add  slow, sjf: policy: not in the baseline
  two.json: written
  $ hetune check slow=slower fast=out --baseline two.json
  all 184 checks passed
  $ hetune check out slower --baseline two.json --other-worlds 2>&1 | grep -c 'two worlds'
  1

The points of a sweep are cases named by their axes. One whose policy fails is no baseline, and fails where it was one.

  $ cat > sweep.yaml <<END
  > run: run.yaml
  > axes:
  >   cluster.nodes.0.gpus: [1, 2]
  >   preempt_at: [now, step]
  > END
  $ hetune sweep run sweep.yaml -o sweep -q
  24 points: 24 complete; sweep
  $ hetune check sweep --baseline sweep.json --update
  add  cluster.nodes.0.gpus=1, preempt_at=now, fifo: policy: not in the baseline
  add  cluster.nodes.0.gpus=1, preempt_at=now, sjf: policy: not in the baseline
  add  cluster.nodes.0.gpus=1, preempt_at=step, fifo: policy: not in the baseline
  add  cluster.nodes.0.gpus=1, preempt_at=step, sjf: policy: not in the baseline
  add  cluster.nodes.0.gpus=2, preempt_at=now, fifo: policy: not in the baseline
  add  cluster.nodes.0.gpus=2, preempt_at=now, sjf: policy: not in the baseline
  add  cluster.nodes.0.gpus=2, preempt_at=step, fifo: policy: not in the baseline
  add  cluster.nodes.0.gpus=2, preempt_at=step, sjf: policy: not in the baseline
  sweep.json: written
  $ hetune check sweep --baseline sweep.json; hetune check big=sweep --baseline sweep.json | head -n 2
  all 368 checks passed
  note big: cluster.nodes.0.gpus=1, preempt_at=now, fifo: policy: not in the baseline
  note big: cluster.nodes.0.gpus=1, preempt_at=now, sjf: policy: not in the baseline
  $ rm "$(grep -l '"policy": "sjf"' sweep/points/* | head -n 1)"; hetune check sweep --baseline sweep.json | sed -E 's/gpus=., preempt_at=[a-z]*/AXES/; s/seed [345]/SEED/'
  FAIL cluster.nodes.0.AXES, sjf: runs: SEED not run
  1 of 368 checks failed
  $ printf 'run: run.yaml\naxes: {policy: [x], preempt_at: [now, step]}\n' > fails.yaml
  $ ${CC:-gcc} -shared -fPIC -I"$ROOT" -DWAIT=0 -o wait.so wait.c
  $ hetune sweep run fails.yaml -s seeds=1 --policy-lib ./wait.so -o fine -q
  2 points: 2 complete; fine
  $ hetune check fine --baseline fails.json --update
  add  preempt_at=now, x: policy: not in the baseline
  add  preempt_at=step, x: policy: not in the baseline
  fails.json: written
  $ sed -i 's/    if (sim_now(cx) < WAIT)/    { sim_fail(cx, "enough"); return; }\n&/' wait.c
  $ ${CC:-gcc} -shared -fPIC -I"$ROOT" -DWAIT=0 -o wait.so wait.c
  $ hetune sweep run fails.yaml -s seeds=1 --policy-lib ./wait.so -o fails -q
  2 points: 0 complete, 2 policy; fails
  [4]
  $ hetune check fails --baseline fails.json
  FAIL preempt_at=now, x: seed 3: policy: policy x gave up: enough
  FAIL preempt_at=step, x: seed 3: policy: policy x gave up: enough
  2 of 4 checks failed
  [1]
  $ hetune check fails --baseline fails.json --update
  error: preempt_at=now, x, seed 3 is no baseline: policy: policy x gave up: enough
  error: preempt_at=step, x, seed 3 is no baseline: policy: policy x gave up: enough
  [2]

For CI systems
--------------

JUnit: a suite for each case and policy, a test case for each check.

  $ hetune check planted/fifo las --baseline base.json --report junit=check.xml --report github=notes.txt --report markdown=check.md --report json=check.json --report bench-smaller=smaller.json --report bench-bigger=bigger.json | tail -n 1
  2 of 48 checks failed; 1 new
  $ xmllint --noout check.xml; grep -E '<testsuite|<failure|<skipped' check.xml
  <testsuites name="hetune check" tests="48" failures="2" errors="0">
    <testsuite name="run, fifo" tests="46" failures="1" errors="0" skipped="0">
      <testcase classname="run, fifo" name="jct_mean_s"><failure type="worse" message="73.33333333 -&#62; 73.61666667 (+0.386 %, 95 %: [-0.9358, +1.502]; tolerance 1e-10 %)"/></testcase>
    <testsuite name="run, las" tests="1" failures="0" errors="0" skipped="1">
      <testcase classname="run, las" name="policy"><skipped message="not in the baseline"/></testcase>
    <testsuite name="run, sjf" tests="1" failures="1" errors="0" skipped="0">
      <testcase classname="run, sjf" name="policy"><failure type="missing" message="not run"/></testcase>

GitHub: annotations at lines of the baseline, and a summary in Markdown.

  $ cat notes.txt
  ::error file=base.json,line=33,title=run%2C fifo::jct_mean_s, worse: 73.33333333 -> 73.61666667 (+0.386 %25, 95 %25: [-0.9358, +1.502]; tolerance 1e-10 %25)
  ::notice file=base.json,title=run%2C las::policy, new: not in the baseline
  ::error file=base.json,line=74,title=run%2C sjf::policy, missing: not run
  $ sed -n 33p base.json
          "jct_mean_s": [85, 65, 70],
  $ cat check.md
  ### hetune check: failed

  | | case, policy | check | baseline | now | |
  |---|---|---|--:|--:|---|
  | **worse** | <code>run, fifo</code> | <code>jct_mean_s</code> | 73.33333333 | 73.61666667 | +0.386 %, 95 %&#58; &#91;-0.9358, +1.502&#93;&#59; tolerance 1e-10 % |
  | new | <code>run, las</code> | <code>policy</code> |  |  | not in the baseline |
  | **missing** | <code>run, sjf</code> | <code>policy</code> |  |  | not run |

  2 of 48 checks failed; 1 new

JSON for scripts, and what benchmark-action keeps as customSmallerIsBetter and customBiggerIsBetter.

  $ grep -E '"(passed|failed|verdicts)"|fifo.*jct_mean' check.json
    "passed": false,
    "failed": 2,
    "verdicts": {"same": 45, "within": 0, "unclear": 0, "better": 0, "new": 1, "other": 0, "worse": 1, "changed": 0, "missing": 1, "fault": 0},
      {"case": "run", "policy": "fifo", "predictor": "exact", "check": "jct_mean_s", "verdict": "worse", "fails": true, "old": "73.33333333", "new": "73.61666667", "old_mean": 73.33333333333333, "new_mean": 73.61666666666666, "change_low": -0.9357516067623415, "change_high": 1.5024182734290044, "seeds": 3, "why": "+0.386 %, 95 %: [-0.9358, +1.502]; tolerance 1e-10 %"},
  $ (head -n 2 smaller.json; sed -n 2,3p bigger.json) | sed -E 's/[0-9a-f]{16}/HASH/'
  [
    {"name": "run, fifo with exact: jct_mean_s", "unit": "s", "value": 73.61666666666666, "range": "± 27.0407", "extra": "mean of 3 seeds; world HASH"},
    {"name": "run, fifo with exact: gpu_busy_share", "unit": "ratio", "value": 1, "range": "± 0", "extra": "mean of 3 seeds; world HASH"},
    {"name": "run, las with exact: gpu_busy_share", "unit": "ratio", "value": 1, "range": "± 0", "extra": "mean of 3 seeds; world HASH"}
  $ for f in check smaller bigger; do python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))))' $f.json; done
  6
  46
  2

Times are exact to the nanosecond, also those that JSON writes with an exponent.

  $ printf 'submit_s,gpus,duration_s\n0,1,0.000061904\n' > jobs.csv; sed '/^cost/,/^experiments/d; s/^policy.*/policy: fifo\ntrace: jobs.csv/' run.yaml > short.yaml
  $ hetune run short.yaml -s seeds=1 -o short -q > /dev/null; hetune check short --baseline short.json --update; grep jct_mean short.json; hetune check short --baseline short.json
  add  short, fifo: policy: not in the baseline
  short.json: written
          "jct_mean_s": [0.000061904],
  all 46 checks passed
