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
        --policy-lib FILE.so     load a policy; this runs its code (repeatable)
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
  run_all - every trial runs to its last epoch
      at_once  int 0..1000000  0  trials alive at any time; 0: all are submitted when the experiment begins
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
