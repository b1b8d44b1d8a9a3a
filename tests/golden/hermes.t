Hermes: every trial has one quantum, then the one that converges goes on
=========================================================================

Three trials of three epochs on one GPU, 10 s an epoch, switching is free. Trial 1 is the good one. Each trial gets
its first epoch in turn; from then on trial 1 is ahead and runs to its end: at 2 * 10 + 3 * 10 = 50 s.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments: [{name: study, curves: curves.yaml, draw: first, model: net}]
  > policy: hermes
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ cat > curves.csv <<END
  > trial,epoch,metric
  > 0,1,0.3
  > 0,2,0.4
  > 0,3,0.5
  > 1,1,0.6
  > 1,2,0.8
  > 1,3,0.9
  > 2,1,0.5
  > 2,2,0.6
  > 2,3,0.7
  > END
  $ hetune run run.yaml -o out --json > /dev/null
  $ grep -vE ',(begin|open|arrive),' out/events.csv | cut -d, -f1-3,7,10,15,17
  time_s,event,job,epoch,gpus,value,why
  0,start,0,,0*10,1,untried trials come first
  10,report,0,1,,0.3,
  10,preempt,0,,0*10,,job 1 has not been tried yet
  10,start,1,,0*10,1,untried trials come first
  20,report,1,1,,0.6,
  20,preempt,1,,0*10,,job 2 has not been tried yet
  20,start,2,,0*10,1,untried trials come first
  30,report,2,1,,0.5,
  30,preempt,2,,0*10,,job 1 has converged further: 0.5556 against 0.4444
  30,start,1,,0*10,1,has converged furthest at this station
  40,report,1,2,,0.8,
  50,report,1,3,,0.9,
  50,end,1,,0*10,,
  50,start,2,,0*10,1,has converged furthest at this station
  60,report,2,2,,0.6,
  70,report,2,3,,0.7,
  70,end,2,,0*10,,
  70,start,0,,0*10,1,has converged furthest at this station
  80,report,0,2,,0.4,
  90,report,0,3,,0.5,
  90,end,0,,0*10,,
  90,close,,,,,all_done
  90,finish,,,,,drained
  $ grep hpo out/summary.json
    "hpo_mean_good_s": 50,
    "hpo_first_good_s": 50,
    "hpo_all_good_s": 50,
    "hpo_target_s": null,
    "hpo_regret_s": 26.25,
    "hpo_regret_left": 0,
    "hpo_best_metric": 0.9

Round robin reaches the same trial's end much later, strict arrival order somewhat later here.

  $ hetune run run.yaml -s 'policy=rr[quantum_s=0]' --json | grep hpo_mean
    "hpo_mean_good_s": 80,
  $ hetune run run.yaml -s policy=uniform --json | grep hpo_mean
    "hpo_mean_good_s": 60,

The experiment may end with its first good trial; the others are killed then.

  $ hetune run run.yaml -s experiments.0.end=first_good -o first --json > /dev/null
  $ tail -n 5 first/events.csv | cut -d, -f1-3,17
  50,end,1,
  50,close,,first_good
  50,kill,0,
  50,kill,2,
  50,finish,,drained

How metrics are written does not matter: accuracy in per cent, with the ideal that is then 100, is the same history.
The two numbers of a reason are shares of the way from the initial metric to the ideal.

  $ grep -E 'start|preempt|end' out/events.csv | cut -d, -f1-15,17 > fractions
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 10\nideal: 100\nfile: percent.csv\n' > percent.yaml
  $ awk -F, 'NR > 1 { $3 *= 100 } 1' OFS=, curves.csv > percent.csv
  $ hetune run run.yaml -s experiments.0.curves=percent.yaml -o percent --json > /dev/null
  $ grep -E 'start|preempt|end' percent/events.csv | cut -d, -f1-15,17 | cmp - fractions
  $ grep -v ideal percent.yaml > no_ideal.yaml; hetune run run.yaml -s experiments.0.curves=no_ideal.yaml
  no_ideal.yaml:3:10: error: initial: 10 is better than the ideal, 1; say `ideal: ` and the best there can be
      3 | initial: 10
        |          ^
  [2]

A loss that begins at 6 and of which two trials at first get worse, far beyond it: -0.5 and -2 of the way have been
made. Trial 1, which has made 0.25 of it, goes on.

  $ printf 'metric: loss\nbetter: lower\ninitial: 6\nfile: loss.csv\n' > loss.yaml
  $ (echo trial,epoch,metric; for e in 1 2 3; do echo 0,$e,9; done; for e in 1 2 3; do echo 1,$e,4.5; done
  >   for e in 1 2 3; do echo 2,$e,18; done) > loss.csv
  $ hetune run run.yaml -s experiments.0.curves=loss.yaml -o loss --json > /dev/null
  $ grep -E 'preempt|end' loss/events.csv | cut -d, -f1-3,17
  10,preempt,0,job 1 has not been tried yet
  20,preempt,1,job 2 has not been tried yet
  30,preempt,2,job 1 has converged further: 0.25 against -2
  50,end,1,
  70,end,0,
  90,end,2,

With `measure=final` the policy is an oracle: it knows how far each trial will have converged in the end. Trial 2 looks
worst until then.

  $ (echo trial,epoch,metric; for t in 0 1; do for e in 1 2 3; do echo $t,$e,3; done; done; echo 2,1,9; echo 2,2,9; echo 2,3,1) > loss.csv
  $ hetune run run.yaml -s experiments.0.curves=loss.yaml -s 'policy=[hermes,"hermes[measure=final]"]' -o ends | grep -A 2 'mean over good'
  HPO time, mean over good trials
    hermes                                         90.00 s
    hermes[measure=final] (oracle)                 50.00 s    -44.4 %  not clear
  $ grep -hE 'preempt|end' ends/*/*/events.csv | cut -d, -f1-3,17
  10,preempt,0,job 1 has not been tried yet
  20,preempt,1,job 2 has not been tried yet
  50,end,2,
  70,end,0,
  90,end,1,
  10,preempt,0,job 1 has not been tried yet
  20,preempt,1,job 2 has not been tried yet
  30,preempt,2,job 0 has converged further: 0.5 against -0.5
  50,end,0,
  70,end,1,
  90,end,2,
