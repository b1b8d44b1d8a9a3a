Hyper-parameters and batch sizes of recorded sets that are none
===============================================================

A set of three trials with two hyper-parameters, and a run with it; what follows spoils it.

  $ cat > run.yaml <<'END'
  > cluster: {gpu_types: {fast: {}}, nodes: [{type: fast, gpus: 2}]}
  > cost:
  >   models: {small: {parameters: 1e6, samples_per_epoch: 1000, batch: 100}}
  >   fits: [{model: small, gpu: fast, alpha_s: 0.1, beta_s: 0.001}]
  > experiments:
  >   - {name: study, curves: set.yaml, model: small}
  > policy: fifo
  > END
  $ set() { { printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n'; printf '%s\n' "$@"; } > set.yaml; }
  $ printf 'trial,epoch,metric\n0,1,0.2\n1,1,0.3\n2,1,0.5\n' > curves.csv
  $ printf 'trial,lr,depth,batch\n0,0.1,deep,100\n1,0.2,flat,100\n2,0.3,deep,200\n' > trials.csv
  $ set 'trials_file: trials.csv' 'space: [lr, depth]'; hetune validate run.yaml -s experiments.0.batch=recorded
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 3 trials

The list

  $ set 'trials_file: trials.csv' 'space: []'; hetune validate run.yaml
  set.yaml:6:8: error: space: an empty list; wanted a list of columns of the trials file
      6 | space: []
        |        ^
  [2]
  $ set 'trials_file: trials.csv' 'space: lr'; hetune validate run.yaml
  set.yaml:6:8: error: space: a text; wanted a list of columns of the trials file
      6 | space: lr
        |        ^
  [2]
  $ set 'trials_file: trials.csv' 'space: [[lr]]'; hetune validate run.yaml
  set.yaml:6:8: error: space: a list of other things; wanted a list of columns of the trials file
      6 | space: [[lr]]
        |        ^
  [2]
  $ set 'trials_file: trials.csv' 'space: [lr, dept]'; hetune validate run.yaml
  set.yaml:6:13: error: space: no hyper-parameter 'dept' in trials.csv (did you mean 'depth'?)
      6 | space: [lr, dept]
        |             ^
  [2]
  $ set 'trials_file: trials.csv' 'space: [trial]'; hetune validate run.yaml
  set.yaml:6:9: error: space: no hyper-parameter 'trial' in trials.csv
      6 | space: [trial]
        |         ^
  [2]
  $ set 'trials_file: trials.csv' 'space: [lr, lr]'; hetune validate run.yaml
  set.yaml:6:13: error: space: 'lr' stands there twice
      6 | space: [lr, lr]
        |             ^
  [2]
  $ set 'space: [lr]'; hetune validate run.yaml
  set.yaml:5:8: error: space: it needs the key trials_file
      5 | space: [lr]
        |        ^
  [2]
  $ set 'trials_file: absent.csv' 'space: [lr]'; hetune validate run.yaml
  absent.csv: cannot open: No such file or directory
  [3]

The file

  $ set 'trials_file: trials.csv' 'space: [lr, depth]'
  $ trials() { printf 'trial,lr,depth,batch\n%s\n' "$@" > trials.csv; hetune validate run.yaml "${more[@]}"; }
  $ printf 'lr,depth\n0.1,2\n' > trials.csv; hetune validate run.yaml
  trials.csv:1:1: error: column 'trial' is missing
      1 | lr,depth
        | ^
  [2]
  $ trials $'0,0.1,2,\n1,0.2,3,'
  trials.csv: error: trial 2 is missing; there are curves of 3 trials
  [2]
  $ trials $'0,0.1,2,\n1,0.2,3,\n2,0.3,4,\n3,0.4,5,'
  trials.csv:5:1: error: trial: 3; there are curves of 3 trials
      5 | 3,0.4,5,
        | ^
  [2]
  $ trials $'0,0.1,2,\n2,0.2,3,\n1,0.3,4,'
  trials.csv:3:1: error: trial: 2; wanted 1: each has one row, in order
      3 | 2,0.2,3,
        | ^
  [2]
  $ trials $'0,0.1,2,\n0,0.2,3,\n1,0.3,4,'
  trials.csv:3:1: error: trial: 0; wanted 1: each has one row, in order
      3 | 0,0.2,3,
        | ^
  [2]
  $ trials $'0,0.1,2,\n1,nan,3,\n2,0.3,4,'
  trials.csv:3:3: error: lr: 'nan' is not a number
      3 | 1,nan,3,
        |   ^
  [2]
  $ trials $'0,0.1,2,\n1,0.2,deep,\n2,0.3,4,'
  trials.csv:3:7: error: depth: 'deep' is not a number
      3 | 1,0.2,deep,
        |       ^
  [2]
  $ trials $'0,0.1,deep,\n1,0.2,flat,\n2,0.3,4,'
  trials.csv:4:7: error: depth: 4 is a number; 'deep' of trial 0 is none
      4 | 2,0.3,4,
        |       ^
  [2]
  $ trials $'0,nan,2,\n1,0.2,3,\n2,0.3,4,'
  trials.csv:3:3: error: lr: 0.2 is a number; 'nan' of trial 0 is none
      3 | 1,0.2,3,
        |   ^
  [2]
  $ trials $'0,,2,\n1,0.2,3,\n2,0.3,4,'
  trials.csv:2:3: error: lr: empty; wanted a number
      2 | 0,,2,
        |   ^
  [2]
  $ trials $'0,0.1,deep,\n1,0.2,,\n2,0.3,flat,'
  trials.csv:3:7: error: depth: empty; wanted a name
      3 | 1,0.2,,
        |       ^
  [2]
  $ trials $'0,0.1,2,\n1,0.1,3,\n2,0.1,4,'
  set.yaml:6:9: error: space: 'lr' is the same in all trials; leave it out
      6 | space: [lr, depth]
        |         ^
  [2]
  $ trials $'0,0.1,deep,\n1,0.2,deep,\n2,0.3,deep,'
  set.yaml:6:13: error: space: 'depth' is the same in all trials; leave it out
      6 | space: [lr, depth]
        |             ^
  [2]
  $ trials $'0,0.1,2,0\n1,0.2,3,\n2,0.3,4,'
  trials.csv:2:9: error: batch: 0 is below the minimum, 1
      2 | 0,0.1,2,0
        |         ^
  [2]
  $ trials $'0,0.1,2,64.5\n1,0.2,3,\n2,0.3,4,'
  trials.csv:2:9: error: batch: '64.5' is not a whole number
      2 | 0,0.1,2,64.5
        |         ^
  [2]

Batch sizes that were not recorded, and one with which no GPU can run a trial

  $ more=(-s experiments.0.batch=recorded)
  $ trials $'0,0.1,2,64\n1,0.2,3,\n2,0.3,4,64'
  -s:1:21: error: batch: recorded; trials.csv has none for trial 1
      1 | experiments.0.batch=recorded
        |                     ^
  [2]
  $ more+=(-s experiments.0.trials=1 -s experiments.0.draw=first)
  $ trials $'0,0.1,2,64\n1,0.2,3,\n2,0.3,4,64'
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 1 trial
  $ more=(-s experiments.0.batch=recorded -s experiments.0.gpus=2)
  $ trials $'0,0.1,2,64\n1,0.2,3,1\n2,0.3,4,64'
  run.yaml:6:5: error: experiment study: no GPU type of the cluster can run small with batch 1 on 2 GPUs
      6 |   - {name: study, curves: set.yaml, model: small}
        |     ^
  [2]
  $ set 'trials_file: trials.csv' 'space: [lr, depth]'; printf 'trial,lr,depth\n0,0.1,2\n1,0.2,3\n2,0.3,4\n' > trials.csv; hetune validate run.yaml "${more[@]}"
  -s:1:21: error: batch: recorded; the trials file of set.yaml has no column batch
      1 | experiments.0.batch=recorded
        |                     ^
  [2]
  $ set 'space: none'; hetune validate run.yaml -s experiments.0.batch=recorded
  set.yaml:5:8: error: space: a text; wanted a list of columns of the trials file
      5 | space: none
        |        ^
  [2]
  $ set; hetune validate run.yaml -s experiments.0.batch=recorded
  -s:1:21: error: batch: recorded; the trials file of set.yaml has no column batch
      1 | experiments.0.batch=recorded
        |                     ^
  [2]
  $ set; hetune validate run.yaml -s 'experiments.0.batch=[recorded, 64]'
  -s:1:22: error: batch: 'recorded' is not a whole number
      1 | experiments.0.batch=[recorded, 64]
        |                      ^
  [2]

Epochs that were planned: as many as recorded at least

  $ set 'trials_file: trials.csv'; printf 'trial,epochs\n0,3\n1,\n2,1\n' > trials.csv; hetune validate run.yaml
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 3 trials
  $ printf 'trial,epochs\n0,3\n1,0\n2,1\n' > trials.csv; hetune validate run.yaml
  trials.csv:3:3: error: epochs: 0 is below the minimum, 1
      3 | 1,0
        |   ^
  [2]
  $ printf 'trial,epochs\n0,nan\n1,2\n2,1\n' > trials.csv; hetune validate run.yaml
  trials.csv:2:3: error: epochs: 'nan' is not a whole number
      2 | 0,nan
        |   ^
  [2]
  $ printf 'trial,epoch,metric\n0,1,0.2\n0,2,0.3\n1,1,0.3\n2,1,0.5\n' > curves.csv
  $ printf 'trial,epochs\n0,1\n1,2\n2,1\n' > trials.csv; hetune validate run.yaml
  trials.csv:2:3: error: epochs: 1 were planned; 2 are recorded
      2 | 0,1
        |   ^
  [2]
