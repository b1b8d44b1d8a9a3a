End rules: what ends an experiment, and what is killed then
===========================================================

One GPU, three trials of two epochs, 10 s an epoch. They take turns of one epoch: trials 0, 1, 2 report their first
epochs at 10, 20 and 30 s, their second ones at 40, 50 and 60 s. The two best last metrics are good: trials 0 (0.7)
and 1 (0.8).

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments: [{name: study, curves: curves.yaml, draw: first, model: net, good_best: 2, target: 0.6}]
  > policy: rr[quantum_s=0,quantum_epochs=1]
  > write_jobs: false
  > write_series: false
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ cat > curves.csv <<END
  > trial,epoch,metric
  > 0,1,0.5
  > 0,2,0.7
  > 1,1,0.6
  > 1,2,0.8
  > 2,1,0.3
  > 2,2,0.5
  > END
  $ end() {
  >   hetune run run.yaml -s experiments.0.end=$1 "${@:2}" -o $1 --json > /dev/null
  >   grep -E ',(end|kill|close),' $1/events.csv | cut -d, -f1-3,17
  >   grep hpo_ $1/summary.json; rm -r $1
  > }

all_done: every trial ends by itself. The good ones end at 40 and 50 s: mean 45, first 40, all 50. The target of 0.6
is first seen at 20 s, as equal counts. The best metric is 0.8.

  $ hetune run run.yaml -o reports --json > /dev/null
  $ grep report reports/events.csv | cut -d, -f1-3,7,15
  10,report,0,1,0.5
  20,report,1,1,0.6
  30,report,2,1,0.3
  40,report,0,2,0.7
  50,report,1,2,0.8
  60,report,2,2,0.5
  $ end all_done
  40,end,0,
  50,end,1,
  60,end,2,
  60,close,,all_done
    "hpo_mean_good_s": 45,
    "hpo_first_good_s": 40,
    "hpo_all_good_s": 50,
    "hpo_target_s": 20,
    "hpo_regret_s": 21.428571429,
    "hpo_regret_left": 0,
    "hpo_best_metric": 0.8

first_good: trial 0 ends at 40 s and closes the experiment. The others are killed in order of trials; trial 1 is good,
but never done, so that there is no time for all good trials, and the best metric that was reported is 0.7.

  $ end first_good
  40,end,0,
  40,close,,first_good
  40,kill,1,
  40,kill,2,
    "hpo_mean_good_s": 40,
    "hpo_first_good_s": 40,
    "hpo_all_good_s": null,
    "hpo_target_s": 20,
    "hpo_regret_s": 20,
    "hpo_regret_left": 0.14285714285714296,
    "hpo_best_metric": 0.7

all_good: trial 1 is the last good one to leave, at 50 s. Trial 2 is killed.

  $ end all_good
  40,end,0,
  50,end,1,
  50,close,,all_good
  50,kill,2,
    "hpo_mean_good_s": 45,
    "hpo_first_good_s": 40,
    "hpo_all_good_s": 50,
    "hpo_target_s": 20,
    "hpo_regret_s": 21.428571429,
    "hpo_regret_left": 0,
    "hpo_best_metric": 0.8

target: the first report of at least 0.6 closes the experiment at 20 s. Trial 1, which has just reported, is killed
like the others. No good trial is done.

  $ end target
  20,close,,target
  20,kill,0,
  20,kill,1,
  20,kill,2,
    "hpo_mean_good_s": null,
    "hpo_first_good_s": null,
    "hpo_all_good_s": null,
    "hpo_target_s": 20,
    "hpo_regret_s": 14.285714286,
    "hpo_regret_left": 0.2857142857142858,
    "hpo_best_metric": 0.6

A target of 0.8 is reached with the last epoch of trial 1, at 50 s: the trial ends first, then the experiment closes.

  $ end target -s experiments.0.target=0.8
  40,end,0,
  50,end,1,
  50,close,,target
  50,kill,2,
    "hpo_mean_good_s": 45,
    "hpo_first_good_s": 40,
    "hpo_all_good_s": 50,
    "hpo_target_s": 50,
    "hpo_regret_s": 21.428571429,
    "hpo_regret_left": 0,
    "hpo_best_metric": 0.8

Without good trials nobody ends first_good or all_good early: the experiment closes when no trial is left.

  $ end first_good -s experiments.0.good_best=0 -s experiments.0.good_metric=0.9 | grep -E 'close|hpo_(mean|target)'
  60,close,,all_done
    "hpo_mean_good_s": null,
    "hpo_target_s": 20,

A tuner with one trial at a time submits the next when one has ended: the good ones end at 20 and 40 s, mean 30. With
all_good the experiment closes then, and trial 2 is never submitted, so that nobody is killed.

  $ end all_good -s 'experiments.0.tuner=run_all[at_once=1]'
  20,end,0,
  40,end,1,
  40,close,,all_good
    "hpo_mean_good_s": 30,
    "hpo_first_good_s": 20,
    "hpo_all_good_s": 40,
    "hpo_target_s": 20,
    "hpo_regret_s": 17.142857143,
    "hpo_regret_left": 0,
    "hpo_best_metric": 0.8

Under first_good trial 1 is never submitted: it is good and not done, so that there is no time for all good trials.
Neither is there where the run is cut before.

  $ end first_good -s 'experiments.0.tuner=run_all[at_once=1]'
  20,end,0,
  20,close,,first_good
    "hpo_mean_good_s": 20,
    "hpo_first_good_s": 20,
    "hpo_all_good_s": null,
    "hpo_target_s": 20,
    "hpo_regret_s": 14.285714286,
    "hpo_regret_left": 0.14285714285714296,
    "hpo_best_metric": 0.7
  $ end all_done -s 'experiments.0.tuner=run_all[at_once=1]' -s until_s=20
  20,end,0,
    "hpo_mean_good_s": 20,
    "hpo_first_good_s": 20,
    "hpo_all_good_s": null,
    "hpo_target_s": 20,
    "hpo_regret_s": 14.285714286,
    "hpo_regret_left": 0.14285714285714296,
    "hpo_best_metric": 0.7

Good by a threshold: at least 0.7 in the last epoch are the same two trials, and the same history.

  $ hetune run run.yaml -s experiments.0.good_best=0 -s experiments.0.good_metric=0.7 -o metric --json > /dev/null
  $ cmp reports/events.csv metric/events.csv

A deadline ends it 35 s after it began: trials 0 and 1 have 2 and 1 epochs, and half of the second one of trial 1 is lost. A budget counts GPUs as
they are held: 25 GPU seconds on one GPU are spent at 25 s. An experiment that is done before either is not touched by them.

  $ end all_done -s experiments.0.deadline_s=35
  35,close,,deadline
  35,kill,0,
  35,kill,1,
  35,kill,2,
    "hpo_mean_good_s": null,
    "hpo_first_good_s": null,
    "hpo_all_good_s": null,
    "hpo_target_s": 20,
    "hpo_regret_s": 18.571428571,
    "hpo_regret_left": 0.2857142857142858,
    "hpo_best_metric": 0.6
  $ end all_done -s experiments.0.budget_gpu_h=0.00694444444444
  25,close,,budget
  25,kill,0,
  25,kill,1,
  25,kill,2,
    "hpo_mean_good_s": null,
    "hpo_first_good_s": null,
    "hpo_all_good_s": null,
    "hpo_target_s": 20,
    "hpo_regret_s": 15.714285714,
    "hpo_regret_left": 0.2857142857142858,
    "hpo_best_metric": 0.6
  $ end all_done -s experiments.0.deadline_s=60 -s experiments.0.budget_gpu_h=1
  40,end,0,
  50,end,1,
  60,end,2,
  60,close,,all_done
    "hpo_mean_good_s": 45,
    "hpo_first_good_s": 40,
    "hpo_all_good_s": 50,
    "hpo_target_s": 20,
    "hpo_regret_s": 21.428571429,
    "hpo_regret_left": 0,
    "hpo_best_metric": 0.8
