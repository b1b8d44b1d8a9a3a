SLAQ: each GPU runs the trial whose loss is predicted to fall most
==================================================================

Two trials of eight epochs on one GPU, 10 s an epoch, switching is free. The loss of trial 0 goes to 0.2 quickly, that
of trial 1 to 0.6 slowly: 0.2 + 1.8 * 0.25^k and 0.6 + 1.4 * 0.75^k. A curve needs four reports, so each has four epochs
first. Then trial 0 has almost nothing left to gain, and trial 1, the worse one, runs to its end.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments: [{name: study, curves: curves.yaml, draw: first, model: net}]
  > policy: slaq
  > END
  $ printf 'metric: loss\nbetter: lower\ninitial: 2\nfile: curves.csv\n' > curves.yaml
  $ awk 'BEGIN { print "trial,epoch,metric"
  >   for (k = 1; k <= 8; k++) printf "0,%d,%.6f\n", k, 0.2 + 1.8 * 0.25 ^ k
  >   for (k = 1; k <= 8; k++) printf "1,%d,%.6f\n", k, 0.6 + 1.4 * 0.75 ^ k }' > curves.csv
  $ hetune run run.yaml -o out --json > /dev/null
  $ grep -E ',(start|preempt|end),' out/events.csv | cut -d, -f1-3,17
  0,start,0,untried trials come first
  40,preempt,0,job 1 has not been tried yet
  40,start,1,untried trials come first
  120,end,1,
  120,start,0,gains most of this station in the next quantum
  160,end,0,

An oracle reads the true curves, and needs one report only, for the largest fall so far by which eq. 11 divides: 1.35/2 and
0.35/2 of the way. After one epoch, the next one brings trial 0 the share 0.25 and trial 1 the share 0.75 of what the
first one brought. Trial 1 goes on, with 0.75^2, 0.75^3, 0.75^4, and after five epochs has less ahead (0.75^5 = 0.2373) than
trial 0 (0.25), which has one more epoch.

  $ hetune run run.yaml -s 'policy=slaq[oracle=true]' -o truth --json > /dev/null
  $ grep -E ',(start|preempt|end),' truth/events.csv | cut -d, -f1-3,17
  0,start,0,untried trials come first
  10,preempt,0,job 1 has not been tried yet
  10,start,1,untried trials come first
  60,preempt,1,job 0 gains more in the next quantum: 0.25 against 0.2373
  60,start,0,gains most of this station in the next quantum
  70,preempt,0,job 1 gains more in the next quantum: 0.2373 against 0.0625
  70,start,1,gains most of this station in the next quantum
  100,end,1,
  100,start,0,gains most of this station in the next quantum
  160,end,0,
  $ grep oracle truth/manifest.json
    "policy": "slaq[oracle=true]",
    "oracle": true,
     "policy": "slaq[oracle=true]",

With no family but the wrong one the decision at 80 s is the same.

  $ hetune run run.yaml -s 'policy=slaq[family=sublinear]' -o other --json > /dev/null
  $ grep -E ',(start|preempt|end),' other/events.csv | cut -d, -f1-3 | cmp - <(grep -E ',(start|preempt|end),' out/events.csv | cut -d, -f1-3)

Parameters are checked.

  $ hetune run run.yaml -s 'policy=slaq[reports=3]'
  -s:1:21: error: reports: 3 is below the minimum, 4
      1 | policy=slaq[reports=3]
        |                     ^
  [2]
  $ hetune run run.yaml -s 'policy=slaq[decay=0]'
  -s:1:19: error: decay: 0 is below the minimum, 0.01
      1 | policy=slaq[decay=0]
        |                   ^
  [2]
  $ hetune run run.yaml -s 'policy=slaq[family=cubic]'
  -s:1:20: error: family: 'cubic' is none of best, sublinear, exponential
      1 | policy=slaq[family=cubic]
        |                    ^
  [2]
