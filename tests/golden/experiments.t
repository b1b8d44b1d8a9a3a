Several experiments and plain jobs on one cluster
=================================================

Two GPUs, an epoch takes 10 s. A study of two trials begins at 0, and a plain job of four epochs comes with it; three
studies of one trial each follow in a Poisson stream. All are of the same curves.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 2}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments:
  >   - {name: first, curves: curves.yaml, draw: first, model: net, trials: 2}
  >   - {name: small, curves: curves.yaml, draw: first, model: net, trials: 1, count: 3, submit_s: 15, gap_s: 20}
  > trace: jobs.csv
  > policy: fifo
  > write_series: false
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ printf 'trial,epoch,metric\n0,1,0.5\n0,2,0.7\n1,1,0.6\n1,2,0.8\n' > curves.csv
  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,net,10,4\n' > jobs.csv
  $ hetune validate run.yaml
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 5 trials, 1 job
  $ hetune run run.yaml -o out --json > /dev/null
  $ grep -E ',(open|close),' out/events.csv | cut -d, -f1,2,4,5,9,17
  0,open,first,0,2,
  15,open,small-1,1,1,
  32.38838867,open,small-2,2,1,
  40,close,,0,2,all_done
  60,close,,1,1,all_done
  60,close,,2,1,all_done
  168.079058926,open,small-3,3,1,
  188.079058926,close,,3,1,all_done

The stream is drawn for each seed, and each study has its own place in it; another study or policy changes nothing.

  $ opened() { grep -E ',open,' $1/events.csv | cut -d, -f1,4; rm -r $1; }
  $ hetune run run.yaml -s seed=2 -o two --json > /dev/null; opened two
  0,first
  15,small-1
  22.208321315,small-2
  26.333014353,small-3
  $ hetune run run.yaml -s seed=2 -s experiments.0.trials=1 -s policy=rr -o two --json > /dev/null; opened two
  0,first
  15,small-1
  22.208321315,small-2
  26.333014353,small-3

All at once, if there is no gap

  $ hetune run run.yaml -s experiments.1.gap_s=0 -o two --json > /dev/null; opened two
  0,first
  15,small-1
  15,small-2
  15,small-3

Weights: by `fair_share` the plain job, as one more claim of weight 1, and a study of weight 3 that has trials enough get
GPU time as 1 to 3, looked at after each quantum.

  $ hetune run run.yaml -s 'experiments=[{name: heavy, curves: curves.yaml, draw: first, model: net, trials: 2, weight: 3}]' -s 'policy=fair_share[quantum_s=10]' -s cluster.nodes.0.gpus=1 -o heavy --json > /dev/null
  $ grep -E ',(start|preempt|end),' heavy/events.csv | cut -d, -f1-3,17
  0,start,0,its experiment is furthest behind its share
  10,preempt,0,job 1 comes first: its experiment is furthest behind its share
  10,start,1,its experiment is furthest behind its share
  30,end,1,
  30,start,2,its experiment is furthest behind its share
  40,preempt,2,job 0 comes first: its experiment is furthest behind its share
  40,start,0,its experiment is furthest behind its share
  50,preempt,0,job 2 comes first: its experiment is furthest behind its share
  50,start,2,its experiment is furthest behind its share
  60,end,2,
  60,start,0,its experiment is furthest behind its share
  80,end,0,

What cannot be

  $ hetune validate run.yaml -s experiments.1.count=0
  -s:1:21: error: count: 0 is below the minimum, 1
      1 | experiments.1.count=0
        |                     ^
  [2]
  $ hetune validate run.yaml -s experiments.1.weight=0
  -s:1:22: error: weight: 0 is below the minimum, 1e-6
      1 | experiments.1.weight=0
        |                      ^
  [2]
  $ hetune validate run.yaml -s experiments.1.weight=nan
  -s:1:22: error: weight: 'nan' is not a number
      1 | experiments.1.weight=nan
        |                      ^
  [2]
  $ hetune validate run.yaml -s experiments.1.deadline_s=-1
  -s:1:26: error: deadline_s: -1 is below the minimum, 0
      1 | experiments.1.deadline_s=-1
        |                          ^
  [2]
  $ hetune validate run.yaml -s experiments.1.budget_gpu_h=-1
  -s:1:28: error: budget_gpu_h: -1 is below the minimum, 0
      1 | experiments.1.budget_gpu_h=-1
        |                            ^
  [2]
  $ hetune validate run.yaml -s experiments.1.gap_s=inf
  -s:1:21: error: gap_s: 'inf' is not a time in seconds, as in 90 or 0.5
      1 | experiments.1.gap_s=inf
        |                     ^
  [2]
