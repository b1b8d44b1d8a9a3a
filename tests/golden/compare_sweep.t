Comparing the points of a sweep: case by case
=============================================

A job of 10 s, then one of 5 s, on one GPU or on two: with one, sjf lets the short one go first, at mean JCTs of (10 +
15) / 2 = 12.5 s against (5 + 15) / 2 = 10 s, that is -20 %. With two there is nothing to choose. A case is what the
axes other than policy and seed say; seeds are paired within it.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > trace: jobs.csv
  > policy: [fifo, sjf]
  > END
  $ printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,5\n' > jobs.csv
  $ printf 'run: run.yaml\naxes: {cluster.nodes.0.gpus: [1, 2]}\n' > sweep.yaml
  $ hetune sweep run sweep.yaml -o out -q
  4 points: 4 complete; out
  $ hetune compare out | awk -v RS= '/policies,/ || /^JCT, mean/'
  cluster.nodes.0.gpus=1
  ----------------------
  2 policies, 1 seed each; changes against fifo are paired by seed; one seed gives no interval
  JCT, mean
    fifo                         12.50 s
    sjf (oracle)                 10.00 s    -20.0 %  not clear
  cluster.nodes.0.gpus=2
  ----------------------
  2 policies, 1 seed each; changes against fifo are paired by seed; one seed gives no interval
  JCT, mean
    fifo                          7.50 s
    sjf (oracle)                  7.50 s     +0.0 %  the same

For machines each case says which it is.

  $ hetune compare out --json | grep -E '"case"|"policy"|jct_mean_s'
    "case": {"cluster.nodes.0.gpus": "1"},
      {"policy": "fifo", "oracle": false, "seeds": 1, "alike": false, "metrics": {
        "jct_mean_s": {"value": {"mean": 12.5, "low": null, "high": null, "n": 1}, "change": {"mean": 0, "low": null, "high": null, "n": 1}, "call": "the same"},
      {"policy": "sjf", "oracle": true, "seeds": 1, "alike": false, "metrics": {
        "jct_mean_s": {"value": {"mean": 10, "low": null, "high": null, "n": 1}, "change": {"mean": -0.19999999999999996, "low": null, "high": null, "n": 1}, "call": "not clear"},
    "case": {"cluster.nodes.0.gpus": "2"},
      {"policy": "fifo", "oracle": false, "seeds": 1, "alike": false, "metrics": {
        "jct_mean_s": {"value": {"mean": 7.5, "low": null, "high": null, "n": 1}, "change": {"mean": 0, "low": null, "high": null, "n": 1}, "call": "the same"},
      {"policy": "sjf", "oracle": true, "seeds": 1, "alike": false, "metrics": {
        "jct_mean_s": {"value": {"mean": 7.5, "low": null, "high": null, "n": 1}, "change": {"mean": 0, "low": null, "high": null, "n": 1}, "call": "the same"},
  $ hetune compare out --json | python3 -m json.tool > /dev/null

Several folders count as one: here sjf comes from another sweep. The axes tell which case a run belongs to.

  $ hetune sweep run sweep.yaml -s policy=fifo -o fifo -q; hetune sweep run sweep.yaml -s policy=sjf -o sjf -q
  2 points: 2 complete; fifo
  2 points: 2 complete; sjf
  $ hetune compare fifo sjf | cmp - <(hetune compare out)

Without a value
---------------

Points that have no values are counted and named, and so is a case that has no run of the baseline: another policy does
not take its place.

  $ point() { grep "\"$1\".*nodes.0.gpus\": \"$2\"" out/plan.jsonl | cut -d'"' -f4; }
  $ rm "out/points/$(point sjf 1).json"; sed -i 's/"done": 2/"done": 3/' "out/points/$(point fifo 2).json"
  $ hetune compare out | awk -v RS= '/polic/ || /^JCT, mean/ || /^note/'
  cluster.nodes.0.gpus=1
  ----------------------
  1 policy, 1 seed each; one seed gives no interval
  JCT, mean
    fifo                     12.50 s
  note: cluster.nodes.0.gpus=2: not compared, as it has no run of the baseline fifo
  note: 2 of 4 points have no values and are not compared:
    cluster.nodes.0.gpus=1, sjf, seed 1: missing
    cluster.nodes.0.gpus=2, fifo, seed 1: damaged
  $ hetune compare out --json | grep -A 9 notes
    "notes": ["cluster.nodes.0.gpus=2: not compared, as it has no run of the baseline fifo", "2 of 4 points have no values and are not compared:", "  cluster.nodes.0.gpus=1, sjf, seed 1: missing", "  cluster.nodes.0.gpus=2, fifo, seed 1: damaged"]
  }
  $ hetune compare out --baseline sjf | grep -A 9 ^note
  note: cluster.nodes.0.gpus=1: not compared, as it has no run of the baseline sjf
  note: 2 of 4 points have no values and are not compared:
    cluster.nodes.0.gpus=1, sjf, seed 1: missing
    cluster.nodes.0.gpus=2, fifo, seed 1: damaged
  $ hetune compare out --baseline sjff
  error: there is no run of the baseline 'sjff'
  [2]
  $ rm out/points/*; hetune compare out
  error: there is nothing to compare: no point has values
  [2]
  $ printf '{\n' > out/plan.jsonl; hetune compare out
  out/plan.jsonl:1:1: error: this is not JSON; wanted a value, or ',' or a bracket between values
      1 | {
        | ^
  [2]

A reason is that of the point, its first line. Ten are named.

  $ printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,5\n0,1,x\n' > jobs.csv
  $ hetune sweep run sweep.yaml -o broken -s seeds=3 -q; hetune compare broken
  12 points: 0 complete, 12 input; broken
  error: there is nothing to compare: no point has values
  [2]
  $ cp fifo/points/* broken/points; cat fifo/plan.jsonl >> broken/plan.jsonl; hetune compare broken | grep -A 20 ^note
  note: 12 of 14 points have no values and are not compared:
    cluster.nodes.0.gpus=1, fifo, seed 1: input: jobs.csv:4:5: error: duration_s: 'x' is not a time in seconds, as in 90 or 0.5
    cluster.nodes.0.gpus=1, fifo, seed 2: input: jobs.csv:4:5: error: duration_s: 'x' is not a time in seconds, as in 90 or 0.5
    cluster.nodes.0.gpus=1, fifo, seed 3: input: jobs.csv:4:5: error: duration_s: 'x' is not a time in seconds, as in 90 or 0.5
    cluster.nodes.0.gpus=1, sjf, seed 1: input: jobs.csv:4:5: error: duration_s: 'x' is not a time in seconds, as in 90 or 0.5
    cluster.nodes.0.gpus=1, sjf, seed 2: input: jobs.csv:4:5: error: duration_s: 'x' is not a time in seconds, as in 90 or 0.5
    cluster.nodes.0.gpus=1, sjf, seed 3: input: jobs.csv:4:5: error: duration_s: 'x' is not a time in seconds, as in 90 or 0.5
    cluster.nodes.0.gpus=2, fifo, seed 1: input: jobs.csv:4:5: error: duration_s: 'x' is not a time in seconds, as in 90 or 0.5
    cluster.nodes.0.gpus=2, fifo, seed 2: input: jobs.csv:4:5: error: duration_s: 'x' is not a time in seconds, as in 90 or 0.5
    cluster.nodes.0.gpus=2, fifo, seed 3: input: jobs.csv:4:5: error: duration_s: 'x' is not a time in seconds, as in 90 or 0.5
    cluster.nodes.0.gpus=2, sjf, seed 1: input: jobs.csv:4:5: error: duration_s: 'x' is not a time in seconds, as in 90 or 0.5
    and 2 more: hetune sweep merge --partial has them all
