Tuners that draw, copy or learn, with settings that are none
============================================================

Four trials of three epochs, with one hyper-parameter; all of these are fine.

  $ cat > run.yaml <<'END'
  > cluster: {gpu_types: {fast: {}}, nodes: [{type: fast, gpus: 2}]}
  > cost:
  >   models: {small: {parameters: 1e6, samples_per_epoch: 1000, batch: 100}}
  >   fits: [{model: small, gpu: fast, alpha_s: 0.1, beta_s: 0.001}]
  > experiments:
  >   - {name: study, curves: set.yaml, model: small}
  > policy: fifo
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\ntrials_file: trials.csv\nspace: [lr]\n' > set.yaml
  $ { echo trial,epoch,metric; for k in 0 1 2 3; do for e in 1 2 3; do echo $k,$e,0.2; done; done; } > curves.csv
  $ printf 'trial,lr\n0,0.1\n1,0.2\n2,0.3\n3,0.4\n' > trials.csv
  $ tuner() { hetune validate run.yaml -s "experiments.0.tuner=$1" "${@:2}"; }
  $ for t in random tpe pbt[interval=1] pbt[interval=2,population=2,mode=async]; do tuner $t; done
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 4 trials
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 4 trials
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 4 trials
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 4 trials

Random search

  $ tuner random[samples=5]
  -s:1:21: error: tuner random: samples: 5; the experiment has 4 trials
      1 | experiments.0.tuner=random[samples=5]
        |                     ^
  [2]
  $ tuner random[samples=3] -s experiments.0.trials=2
  -s:1:21: error: tuner random: samples: 3; the experiment has 2 trials
      1 | experiments.0.tuner=random[samples=3]
        |                     ^
  [2]
  $ tuner random[samples=-1]
  -s:1:36: error: samples: -1 is below the minimum, 0
      1 | experiments.0.tuner=random[samples=-1]
        |                                    ^
  [2]
  $ tuner random[sample=1]
  -s:1:28: error: unknown key 'sample' in tuner random (did you mean 'samples'?)
      1 | experiments.0.tuner=random[sample=1]
        |                            ^
  [2]

Population-based training

  $ tuner pbt[interval=0]
  -s:1:34: error: interval: 0 is below the minimum, 1
      1 | experiments.0.tuner=pbt[interval=0]
        |                                  ^
  [2]
  $ tuner pbt[interval=3]
  -s:1:21: error: tuner pbt: interval: 3; nobody would be ready before the end, at 3 epochs
      1 | experiments.0.tuner=pbt[interval=3]
        |                     ^
  [2]
  $ tuner pbt[interval=1,population=5]
  -s:1:21: error: tuner pbt: population: 5; the experiment has 4 trials
      1 | experiments.0.tuner=pbt[interval=1,population=5]
        |                     ^
  [2]
  $ tuner pbt[interval=1,population=1]
  -s:1:21: error: tuner pbt: population: 1; a member needs others to copy from
      1 | experiments.0.tuner=pbt[interval=1,population=1]
        |                     ^
  [2]
  $ tuner pbt[interval=1] -s experiments.0.trials=1
  -s:1:21: error: tuner pbt: population: 1; a member needs others to copy from
      1 | experiments.0.tuner=pbt[interval=1]
        |                     ^
  [2]
  $ tuner pbt[interval=1,quantile=0.6]
  -s:1:45: error: quantile: 0.6 is above the maximum, 0.5
      1 | experiments.0.tuner=pbt[interval=1,quantile=0.6]
        |                                             ^
  [2]
  $ tuner pbt[interval=1,quantile=-0.1]
  -s:1:45: error: quantile: -0.1 is below the minimum, 0
      1 | experiments.0.tuner=pbt[interval=1,quantile=-0.1]
        |                                             ^
  [2]
  $ tuner pbt[interval=1,perturb=2]
  -s:1:44: error: perturb: 2 is above the maximum, 1
      1 | experiments.0.tuner=pbt[interval=1,perturb=2]
        |                                            ^
  [2]
  $ tuner pbt[interval=1,mode=asynchronous]
  -s:1:41: error: mode: 'asynchronous' is none of sync, async
      1 | experiments.0.tuner=pbt[interval=1,mode=asynchronous]
        |                                         ^
  [2]

TPE: too few trials for a model, and no hyper-parameters to make one of

  $ tuner tpe[min_points=3]
  -s:1:21: error: tuner tpe: min_points: 3, and 2 more; the experiment has 4 trials
      1 | experiments.0.tuner=tpe[min_points=3]
        |                     ^
  [2]
  $ tuner tpe -s experiments.0.trials=3
  -s:1:21: error: tuner tpe: min_points: 2, and 2 more; the experiment has 3 trials
      1 | experiments.0.tuner=tpe
        |                     ^
  [2]
  $ tuner tpe[gamma=0]
  -s:1:31: error: gamma: 0 is below the minimum, 0.01
      1 | experiments.0.tuner=tpe[gamma=0]
        |                               ^
  [2]
  $ tuner tpe[gamma=0.6]
  -s:1:31: error: gamma: 0.6 is above the maximum, 0.5
      1 | experiments.0.tuner=tpe[gamma=0.6]
        |                               ^
  [2]
  $ tuner tpe[eta=1]
  -s:1:29: error: eta: 1 is below the minimum, 2
      1 | experiments.0.tuner=tpe[eta=1]
        |                             ^
  [2]
  $ tuner tpe[candidates=0]
  -s:1:36: error: candidates: 0 is below the minimum, 1
      1 | experiments.0.tuner=tpe[candidates=0]
        |                                    ^
  [2]
  $ tuner tpe[random_fraction=1.5]
  -s:1:41: error: random_fraction: 1.5 is above the maximum, 1
      1 | experiments.0.tuner=tpe[random_fraction=1.5]
        |                                         ^
  [2]
  $ tuner tpe[at_once=0]
  -s:1:33: error: at_once: 0 is below the minimum, 1
      1 | experiments.0.tuner=tpe[at_once=0]
        |                                 ^
  [2]
  $ tuner tpe[samples=5]
  -s:1:21: error: tuner tpe: samples: 5; the experiment has 4 trials
      1 | experiments.0.tuner=tpe[samples=5]
        |                     ^
  [2]
  $ tuner tpe[min_epochs=4]
  -s:1:21: error: tuner tpe: min_epochs: 4; the longest trial has 3 epochs
      1 | experiments.0.tuner=tpe[min_epochs=4]
        |                     ^
  [2]
  $ tuner tpe[min_epochs=3,max_epochs=2]
  -s:1:21: error: tuner tpe: min_epochs: 3 is above max_epochs, 2
      1 | experiments.0.tuner=tpe[min_epochs=3,max_epochs=2]
        |                     ^
  [2]
  $ sed -i '/^space/d' set.yaml; tuner tpe
  -s:1:21: error: tuner tpe: no hyper-parameters are known: the curves have no `space`
      1 | experiments.0.tuner=tpe
        |                     ^
  [2]

Hyperband with a model for its picks needs the same

  $ tuner hyperband[sampler=tpe]
  -s:1:21: error: tuner hyperband: no hyper-parameters are known: the curves have no `space`
      1 | experiments.0.tuner=hyperband[sampler=tpe]
        |                     ^
  [2]
  $ echo 'space: [lr]' >> set.yaml; tuner hyperband[sampler=tpe]
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 4 trials
  $ tuner hyperband[sampler=tpe,min_points=3]
  -s:1:21: error: tuner hyperband: min_points: 3, and 2 more; the experiment has 4 trials
      1 | experiments.0.tuner=hyperband[sampler=tpe,min_points=3]
        |                     ^
  [2]
  $ tuner hyperband[sampler=list,min_points=3]
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 4 trials
  $ tuner hyperband[sampler=bohb]
  -s:1:39: error: sampler: 'bohb' is none of list, random, tpe
      1 | experiments.0.tuner=hyperband[sampler=bohb]
        |                                       ^
  [2]
