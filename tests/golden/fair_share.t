Fair share: GPU time of experiments in proportion to their weights
==================================================================

Two experiments of six trials each, 8 epochs of 10 s, on four GPUs; `three` weighs three times as much as `one`. At each
quantum of 40 s GPUs go to whoever is furthest behind its share: one GPU to `one`, three to `three`, as long as both have
trials to run. Trials 0-5 are those of `one`, 6-11 those of `three`.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 4}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments:
  >   - {name: one, curves: curves.yaml, draw: first, model: net, weight: 1}
  >   - {name: three, curves: curves.yaml, draw: first, model: net, weight: 3}
  > policy: fair_share[quantum_s=40]
  > END
  $ printf 'metric: loss\nbetter: lower\ninitial: 2\nfile: curves.csv\n' > curves.yaml
  $ awk 'BEGIN { print "trial,epoch,metric"
  >   for (t = 0; t < 6; t++) for (k = 1; k <= 8; k++) printf "%d,%d,%.4f\n", t, k, 0.2 + 1.8 * 0.8 ^ k }' > curves.csv
  $ hetune run run.yaml -o out --json > /dev/null
  $ grep -E ',(start|preempt|end|close),' out/events.csv | cut -d, -f1-3,10
  0,start,0,0*10
  0,start,6,1*10
  0,start,7,2*10
  0,start,8,3*10
  80,end,0,0*10
  80,end,6,1*10
  80,end,7,2*10
  80,end,8,3*10
  80,start,1,0*10
  80,start,9,1*10
  80,start,10,2*10
  80,start,11,3*10
  160,end,1,0*10
  160,end,9,1*10
  160,end,10,2*10
  160,end,11,3*10
  160,close,,
  160,start,2,0*10
  160,start,3,1*10
  160,start,4,2*10
  160,start,5,3*10
  240,end,2,0*10
  240,end,3,1*10
  240,end,4,2*10
  240,end,5,3*10
  240,close,,

An experiment that comes later begins where the one that got least is then, as if it had been served before, too. Equal
weights now; `three` comes at 10 s. At the first quantum's end, at 40 s, it is behind by the 30 s in which `one` had all four
GPUs, and gets three of them; from 80 s on each has two.

  $ hetune run run.yaml -s experiments.1.weight=1 -s experiments.1.submit_s=10 -o later --json > /dev/null
  $ grep -E ',(start|preempt|end),' later/events.csv | cut -d, -f1-3,10,17 | head -n 20
  0,start,0,0*10,its experiment is furthest behind its share
  0,start,1,1*10,its experiment is furthest behind its share
  0,start,2,2*10,its experiment is furthest behind its share
  0,start,3,3*10,its experiment is furthest behind its share
  40,preempt,3,3*10,job 6 comes first: its experiment is furthest behind its share
  40,start,6,3*10,its experiment is furthest behind its share
  40,preempt,2,2*10,job 7 comes first: its experiment is furthest behind its share
  40,start,7,2*10,its experiment is furthest behind its share
  40,preempt,1,1*10,job 8 comes first: its experiment is furthest behind its share
  40,start,8,1*10,its experiment is furthest behind its share
  80,end,0,0*10,
  80,start,1,0*10,its experiment is furthest behind its share
  80,preempt,8,1*10,job 2 comes first: its experiment is furthest behind its share
  80,start,2,1*10,its experiment is furthest behind its share
  120,end,1,0*10,
  120,end,2,1*10,
  120,end,6,3*10,
  120,end,7,2*10,
  120,start,8,1*10,its experiment is furthest behind its share
  120,start,3,3*10,its experiment is furthest behind its share

Weights of which the shares are no whole GPUs alternate: 1 to 1 on three GPUs.

  $ hetune run run.yaml -s experiments.1.weight=1 -s cluster.nodes.0.gpus=3 -o odd --json > /dev/null
  $ grep -E ',(start|preempt),' odd/events.csv | cut -d, -f1-3,10 | head -n 12
  0,start,0,0*10
  0,start,6,1*10
  0,start,1,2*10
  40,preempt,1,2*10
  40,start,7,2*10
  80,start,1,0*10
  80,start,2,1*10
  120,start,8,0*10
  120,start,9,2*10
  160,start,3,1*10
  160,preempt,9,2*10
  160,start,4,2*10

Parameters are checked.

  $ hetune run run.yaml -s 'policy=fair_share[quantum_s=0]'
  -s:1:29: error: quantum_s: 0 is below the minimum, 0.001
      1 | policy=fair_share[quantum_s=0]
        |                             ^
  [2]
