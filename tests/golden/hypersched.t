HyperSched: the nearer the deadline, the more GPUs for the best
===============================================================

Four trials of ten epochs on four GPUs, 100 s an epoch on one of them; half as long on two, but a replica takes 20 s to
set up. All have the same curve but for their limit: 0 is the best, then 1, 2, 3. The deadline is at 1000 s. Time for a
trial on one GPU is just enough.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 4}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 80, batch: 8}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 0, beta_s: 1.25}]
  > overheads: {replica_s: 20}
  > experiments: [{name: study, curves: curves.yaml, draw: first, model: net, deadline_s: 1000}]
  > policy: hypersched[start_up_s=20]
  > END
  $ printf 'metric: loss\nbetter: lower\ninitial: 2\nfile: curves.csv\n' > curves.yaml
  $ awk 'BEGIN { print "trial,epoch,metric"
  >   for (t = 0; t < 4; t++) for (k = 1; k <= 10; k++) printf "%d,%d,%.4f\n", t, k, 0.2 + 0.1 * t + 1.5 * 0.8 ^ k }' > curves.csv

As many trials are among the best as GPUs, in proportion to the time left: three of four from 250 s on, two from
500 s, one from 750 s. At its first report after 250 s trial 3, the last, is not among them; trial 0 gains
from its GPU: 2 (700 - 20) / 700 = 1.94 times the steps. At the end 2 and 3 are left, and take what others leave.

  $ hetune run run.yaml -o out --json > /dev/null
  $ grep -E ',(start|preempt|end|resize|kill|close),' out/events.csv | cut -d, -f1-3,10,17
  0,start,0,0*8,first to arrive
  0,start,1,1*8,first to arrive
  0,start,2,2*8,first to arrive
  0,start,3,3*8,first to arrive
  300,preempt,3,3*8,not among the best: job 0 gains from its GPUs
  300,resize,0,0*4 3*4,1.94 times the steps until the deadline on 2 GPUs
  500,preempt,2,2*8,not among the best: job 0 gains from its GPUs
  500,resize,0,0*3 3*3 2*2,1.28 times the steps until the deadline on 3 GPUs
  647.5,end,0,0*3 3*3 2*2,
  647.5,start,2,2*8,it is among the best of its experiment
  647.5,resize,1,1*3 0*3 3*2,2.52 times the steps until the deadline on 3 GPUs
  799.6875,end,1,1*3 0*3 3*2,
  799.6875,resize,2,2*2 0-1*2 3*2,3.6 times the steps until the deadline on 4 GPUs
  906.640625,end,2,2*2 0-1*2 3*2,
  906.640625,start,3,3*8,it is among the best of its experiment
  906.640625,resize,3,3*2 0-2*2,3.14 times the steps until the deadline on 4 GPUs
  1000,close,,,deadline
  1000,kill,3,3*2 0-2*2,

With 300 s to set up a replica the same does not pay: 2 (700 - 300) / 700 = 1.14 times the steps does at a gain of 1.1, but no
longer at 600 s: 2 (600 - 300) / 600 = 1. Trial 0 goes to a second GPU once.

  $ hetune run run.yaml -s overheads.replica_s=300 -s 'policy=hypersched[start_up_s=300]' -o dear --json > /dev/null
  $ grep -E ',(preempt|end|resize|kill|close),' dear/events.csv | cut -d, -f1-3,10,17
  300,preempt,3,3*8,not among the best: job 0 gains from its GPUs
  300,resize,0,0*4 3*4,1.14 times the steps until the deadline on 2 GPUs
  950,end,0,0*4 3*4,
  1000,end,1,1*8,
  1000,end,2,2*8,
  1000,close,,,deadline
  1000,kill,3,3*8,

Without a deadline nothing is shifted: jobs run in order of arrival, on as many GPUs as they want.

  $ hetune run run.yaml -s experiments.0.deadline_s=0 -o none --json > /dev/null
  $ hetune run run.yaml -s experiments.0.deadline_s=0 -s 'policy=fifo[skip_ahead=true]' -o fifo --json > /dev/null
  $ grep -E ',(start|end),' none/events.csv | cut -d, -f1-16 | cmp - <(grep -E ',(start|end),' fifo/events.csv | cut -d, -f1-16)

Parameters are checked.

  $ hetune run run.yaml -s 'policy=hypersched[gain=0.9]'
  -s:1:24: error: gain: 0.9 is below the minimum, 1
      1 | policy=hypersched[gain=0.9]
        |                        ^
  [2]
