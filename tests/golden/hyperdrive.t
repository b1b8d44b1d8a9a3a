HyperDrive: GPUs of their own for those likely to reach the target
==================================================================

Four trials of ten epochs on two GPUs, 10 s an epoch, switching is free. Accuracies go towards 0.5, 0.78, 0.3 and 0.85 as
exponentials; the target is 0.75. Each trial has a quantum of four epochs, enough for a first curve. From then on 1 and 3,
which will reach the target, keep a GPU each. Trials 0 and 2 will not: they run when others are done.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 2}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments: [{name: study, curves: curves.yaml, draw: first, model: net, target: 0.75, end: all_done}]
  > policy: hyperdrive[quantum_epochs=4]
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ awk 'BEGIN { print "trial,epoch,metric"; split("0.5 0.78 0.3 0.85", end)
  >   for (t = 0; t < 4; t++) for (k = 1; k <= 10; k++)
  >     printf "%d,%d,%.4f\n", t, k, end[t + 1] - (end[t + 1] - 0.1) * 0.6 ^ k }' > curves.csv
  $ hetune run run.yaml -o out --json > /dev/null
  $ grep -E ',(start|preempt|end),' out/events.csv | cut -d, -f1-3,10,17
  0,start,0,0*10,next in turn of those that may reach the target
  0,start,1,1*10,next in turn of those that may reach the target
  40,preempt,0,0*10,job 2 comes first: next in turn of those that may reach the target
  40,start,2,0*10,next in turn of those that may reach the target
  80,preempt,2,0*10,job 3 comes first: next in turn of those that may reach the target
  80,start,3,0*10,next in turn of those that may reach the target
  100,end,1,1*10,
  100,start,0,1*10,it will hardly reach the target: what others leave
  140,preempt,0,1*10,job 2 comes first: it will hardly reach the target: what others leave
  140,start,2,1*10,it will hardly reach the target: what others leave
  180,end,3,0*10,
  180,start,0,0*10,it will hardly reach the target: what others leave
  200,end,0,0*10,
  200,end,2,1*10,

Poor trials can be turned away instead, as the original stops them. What is left ends sooner.

  $ hetune run run.yaml -s 'policy=hyperdrive[quantum_epochs=4,poor_are=reject]' -o reject --json > /dev/null
  $ grep -E ',(start|preempt|end|reject),' reject/events.csv | cut -d, -f1-3,10,17
  0,start,0,0*10,next in turn of those that may reach the target
  0,start,1,1*10,next in turn of those that may reach the target
  40,preempt,0,0*10,it is turned away
  40,reject,0,,it reaches the target with a chance of 0 only
  40,start,2,0*10,next in turn of those that may reach the target
  80,preempt,2,0*10,it is turned away
  80,reject,2,,it reaches the target with a chance of 0 only
  80,start,3,0*10,next in turn of those that may reach the target
  100,end,1,1*10,
  180,end,3,0*10,

Without a declared target a trial is measured by the best accuracy that any has reported so far. Here that comes to the same.

  $ hetune run run.yaml -s experiments.0.target=none -o best --json > /dev/null
  $ grep -E ',(start|preempt|end),' best/events.csv | cut -d, -f1-3 | cmp - <(grep -E ',(start|preempt|end),' out/events.csv | cut -d, -f1-3)

Parameters are checked.

  $ hetune run run.yaml -s 'policy=hyperdrive[promising=2]'
  -s:1:29: error: promising: 2 is above the maximum, 1
      1 | policy=hyperdrive[promising=2]
        |                             ^
  [2]
  $ hetune run run.yaml -s 'policy=hyperdrive[poor_are=gone]'
  -s:1:28: error: poor_are: 'gone' is none of last, reject
      1 | policy=hyperdrive[poor_are=gone]
        |                            ^
  [2]
