The command: help, lists, labels, validation
============================================

  $ hetune --help
  hetune - replay HPO studies and training jobs on a cluster of unequal GPUs

    hetune run configs/runs/demo.yaml -o results/demo
    hetune run configs/runs/philly_b1k.yaml -s policy='sjf[skip_ahead=true]'

    hetune run       FILE.yaml [options]          replay a configuration under its policies and seeds, and compare them
    hetune sweep     plan|run|status|merge ...    every combination of values: planned, run in parallel, resumed, merged
    hetune compare   DIR...                       policies against a baseline, paired by seed, with intervals
    hetune check     RESULT... --baseline FILE    runs against a committed baseline: a gate for CI
    hetune explain   DIR [--job ID]               the story of a run, or of one of its jobs: what happened, and why
    hetune plot      DIR...                       pictures of runs or of a sweep, with data and gnuplot scripts
    hetune report    DIR                          runs or a sweep as one HTML page: verdict, tables, figures, limits
    hetune export    DIR --to FORMAT              a run for other tools: Perfetto, Evalys
    hetune metrics   DIR                          recompute summary.json from events.csv
    hetune validate  FILE.yaml                    check a configuration and all it refers to
    hetune calibrate RUN.json...                  fit what kernels cost on a GPU to recorded microbenchmarks
    hetune predict                                the step time of a DL model on a calibrated GPU, and where it goes
    hetune accuracy  SPLIT.yaml                   hold predicted step times against measured ones
    hetune curves    fit|draw|compare FILE.yaml... populations of learning curves: fit, draw, compare
    hetune list      policies|predictors|...      what there is to choose from, with parameters and defaults
    hetune self      man|complete COMMAND         manual pages, and candidates for completion by a shell

  `hetune COMMAND --help` has the options; `hetune --version` the versions.
  Exit codes: 0 fine, 1 a check failed, 2 wrong use or bad input, 3 files or memory, 4 the policy.
  $ hetune run --help
  hetune run FILE.yaml [options]
    replay a configuration under its policies and seeds, and compare them

    hetune run configs/runs/demo.yaml -o results/demo
    hetune run configs/runs/philly_b1k.yaml -s policy='las[quantum_s=60]'

    -s, --set KEY.PATH=VALUE     override a key of the configuration (repeatable)
    -o, --out DIR                write the results into this folder, new or empty
        --force                  write into a folder that is not empty
        --seed N                 the seed, as -s seed=N
        --baseline LABEL         compare policies with this one instead of the first
        --policy-lib FILE.so     load a policy or tuner; this runs its code (repeatable)
        --paranoid               check every invariant after every instant; of a large world at intervals
        --json                   for machines: JSON on standard output
    -q, --quiet                  no progress on standard error
    -h, --help                   this text
  $ hetune --version | sed -E '1s/\(.*\)/(COMMIT)/; 2,3s/ [0-9].*/ .../'
  hetune 0.1.0 (COMMIT)
  gcc ...
  GSL ...

What there is to choose from
----------------------------

A parameter has a name, a type with bounds, a default and a meaning.

  $ hetune list policies | grep -E '^[a-z]' | head -n 4
  fifo - arrival order
  sjf - shortest job first, without preemption (oracle)
  srtf - shortest remaining time first, with preemption (oracle)
  las - least attained service: two queues, or continuous
  $ hetune list policies | sed -n '/^las/,/^rr/p' | head -n -1
  las - least attained service: two queues, or continuous
      threshold_gpu_s  seconds 0..1000000000  3600   GPU seconds after which a job sinks into the second queue; 0: order by attained service itself
      quantum_s        seconds 1..1000000     360    GPUs are taken away only at multiples of it
      skip_ahead       true|false             true   jobs behind one that cannot be served may start
      every_quantum    true|false             false  look at every quantum: slow, the same result
  $ hetune list predictors
  exact - the true rate, noise included
  reference_table - one measurement of a job times the table's ratio between GPU types (eq. 12-13)
      key    model|model_batch  model  what a row of the table stands for; model_batch: a row for each power of two
      error  real 0..5          0      sigma of the log-normal error (median 1) of each cell as it was measured
  noisy - any predictor with a multiplicative error
      of     text       exact  the predictor whose answers are disturbed
      sigma  real 0..5  0.1    of the log-normal factor (median 1), drawn once for each job and GPU type it was not measured on
  $ hetune list tuners
  run_all - grid search, or any list: every trial in order, each to its last epoch
      at_once  int 0..1000000  0  trials alive at any time; 0: all are submitted when the experiment begins
  random - random search: trials drawn without repetition, each to its last epoch
      samples  int 0..1000000  0  trials drawn; 0: all, in random order
      at_once  int 0..1000000  0  trials alive at any time; 0: all are submitted when the experiment begins
  sha - successive halving: one bracket, each rung a barrier
      min_epochs  int 1..1000000  1  epochs until the first rung (r)
      max_epochs  int 0..1000000  0  epochs of a trial at most (R); 0: those of the longest trial
      eta         int 2..1000000  3  one of so many goes on from a rung; default: Li et al. (2018)
      trials      int 0..1000000  0  how many of the experiment's trials enter, in its order; 0: all
  hyperband - brackets of successive halving, many short trials to few long ones
      min_epochs       int 1..1000000       1           epochs until the first rung (r)
      max_epochs       int 0..1000000       0           epochs of a trial at most (R); 0: those of the longest trial
      eta              int 2..1000000       3           one of so many goes on from a rung; default: Li et al. (2018)
      sizes            ceil|floor           ceil        trials of bracket s: ceil((s_max+1)/(s+1)*eta^s) as published, or floor((s_max+1)/(s+1))*eta^s as BOHB's program does
      brackets         sequential|parallel  sequential  those of a round one after the other as published, or at once
      rounds           int 0..1000000       1           how often all brackets are gone through; 0: until no trial is left
      sampler          list|random|tpe      list        which trials a bracket takes: the next ones of the experiment, random ones, or those that a model picks (tpe: BOHB, by the keys that follow)
      gamma            real 0.01..0.5       0.15        the share of trials that is good; default: BOHB's
      random_fraction  real 0..1            0.33333     of the picks that are random; default: BOHB's
      min_points       int 0..1000000       0           good trials at least, and 2 more to begin with; 0: hyper-parameters + 1, as BOHB
      candidates       int 1..1000000       64          trials drawn, of which the one with the largest l/g is taken; default: BOHB's
      min_width        real 0.001..1        0.03        of a kernel at least, on the axes from 0 to 1
  asha - asynchronous successive halving: the best of a rung are promoted (Li et al. 2020)
      min_epochs  int 1..1000000  1  epochs until the first rung (r)
      max_epochs  int 0..1000000  0  epochs of a trial at most (R); 0: those of the longest trial
      eta         int 2..1000000  4  one of so many goes on from a rung; default: Li et al. (2020)
      at_once     int 0..1000000  0  trials that train or wait for GPUs at any time, the paper's workers; 0: all are submitted when the experiment begins
  asha_stop - asynchronous successive halving: the worse of a rung are stopped (Ray Tune)
      min_epochs  int 1..1000000  1  epochs until the first rung (r)
      max_epochs  int 0..1000000  0  epochs of a trial at most (R); 0: those of the longest trial
      eta         int 2..1000000  4  one of so many goes on from a rung; default: Li et al. (2020)
      brackets    int 1..33       1  brackets at most; bracket s leaves out the first s rungs
      at_once     int 0..1000000  0  trials alive at any time; 0: all are submitted when the experiment begins
  median_stop - trials worse than the median of the others at the same epoch are stopped
      grace_epochs  int 0..1000000  1  epochs at the end of which no trial is stopped yet
      min_samples   int 1..1000000  3  others that must have come to the same epoch; default: Ray Tune's
      at_once       int 0..1000000  0  trials alive at any time; 0: all are submitted when the experiment begins
  tpe - model-based: the trial most likely to be among the best, by Parzen estimators
      at_once          int 1..1000000  4        trials alive at any time: each that ends is followed by one that the model picks
      samples          int 0..1000000  0        trials in all; 0: until none is left
      min_epochs       int 1..1000000  1        the first look at a trial (r)
      max_epochs       int 0..1000000  0        epochs of a trial at most (R); 0: those of the longest trial
      eta              int 2..1000000  3        looks are so many times as late from one to the next; default: BOHB's
      gamma            real 0.01..0.5  0.15     the share of trials that is good; default: BOHB's
      random_fraction  real 0..1       0.33333  of the picks that are random; default: BOHB's
      min_points       int 0..1000000  0        good trials at least, and 2 more to begin with; 0: hyper-parameters + 1, as BOHB
      candidates       int 1..1000000  64       trials drawn, of which the one with the largest l/g is taken; default: BOHB's
      min_width        real 0.001..1   0.03     of a kernel at least, on the axes from 0 to 1
  pbt - population-based training: the worst go on from checkpoints of the best
      population  int 0..1000000  0     members: so many trials, the first ones; the others stand in for explored hyper-parameters; 0: all trials are members
      interval    int 1..1000000  4     epochs after which a member is ready again
      quantile    real 0..0.5     0.25  the share of members that copies, and that is copied from, rounded up; default: Ray Tune's
      perturb     real 0..1       0.2   hyper-parameters are multiplied by 1 - this or 1 + this; default: Jaderberg et al. (2017)
      mode        sync|async      sync  whether members wait for each other when they are ready
  $ hetune list metrics | sed -n 6,10p
  jct_mean_s - completion - submission, mean over jobs done
  jct_p50_s - its median
  jct_p90_s - its 90th percentile
  jct_p99_s - its 99th percentile
  jct_max_s - its maximum

Labels
------

A label has the parameters that differ from their defaults, in the order of the list, numbers in their shortest form.
It is the same however they were written, and two policies of one label are a mistake.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 2}]}
  > trace: jobs.csv
  > policy: fifo
  > END
  $ printf 'submit_s,gpus,duration_s\n0,1,60\n10,2,20\n' > jobs.csv
  $ label() { hetune run run.yaml -s "policy=$1" | head -n 1; }
  $ label 'las[quantum_s=60.0,skip_ahead=true,threshold_gpu_s=1800]'
  las[threshold_gpu_s=1800,quantum_s=60], seed 1, drained
  $ label 'las[quantum_s=360]'
  las, seed 1, drained
  $ label 'sjf[skip_ahead=false]'
  sjf (oracle), seed 1, drained
  $ label 'las[threshold_gpu_s=1800,quantum_s=60]'
  las[threshold_gpu_s=1800,quantum_s=60], seed 1, drained
  $ label '[rr, "rr[quantum_s=60]"]'
  -s:1:13: error: policy: 'rr' is named twice
      1 | policy=[rr, "rr[quantum_s=60]"]
        |             ^

In results the label is in manifest.json, and a form of it that suits files names the folder.

  $ hetune run run.yaml -s 'policy=[fifo, "las[quantum_s=60,threshold_gpu_s=1800]"]' -o out --json > /dev/null; ls out
  fifo
  las-threshold_gpu_s-1800-quantum_s-60
  $ grep -h '^  "policy"' out/*/*/manifest.json
    "policy": "fifo",
    "policy": "las[threshold_gpu_s=1800,quantum_s=60]",

Validation
----------

validate reads all that a run would read, and runs nothing. The offered load is what the jobs ask for, 60 + 2 * 20 =
100 GPU seconds, to the 20 that the two GPUs have until the last submission at 10 s. A note says when a trace of 100
or more jobs asks for more than there is.

  $ hetune validate run.yaml
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 2 jobs
  $ hetune validate run.yaml -s 'policy=[fifo, sjf]' -s seeds=3 --json
  {"valid": true, "gpus": 2, "nodes": 1, "policies": 2, "seeds": 3, "trials": 0, "jobs": 2, "offered_load": 5}
  $ (cat jobs.csv; seq -f '%.0f,1,60' 11 108) > many.csv; hetune validate run.yaml -s trace=many.csv
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 100 jobs
  note: the trace asks for 27.7 times the GPU time there is until its last submission
  $ hetune validate run.yaml -s policy=fifoo
  -s:1:8: error: unknown policy 'fifoo' (did you mean 'fifo'?)
      1 | policy=fifoo
        |        ^
  [2]
