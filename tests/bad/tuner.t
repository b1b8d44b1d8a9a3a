Tuners whose settings do not go together
========================================

A small run that is fine: five trials of at most six epochs.

  $ cat > run.yaml <<'END'
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments: [{name: study, curves: curves.yaml, model: net, tuner: sha}]
  > policy: fifo
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ { echo trial,epoch,metric; for t in 0 1 2 3 4; do for e in $(seq $((t + 2))); do echo $t,$e,0.$e; done; done; } > curves.csv
  $ hetune validate run.yaml
  run.yaml is fine: 1 GPU in 1 node, 1 policy x 1 seed, 5 trials
  $ tuner() { hetune validate run.yaml -s "experiments.0.tuner=$1"; }

Names and values

  $ tuner shaa
  -s:1:21: error: unknown tuner 'shaa' (did you mean 'sha'?)
      1 | experiments.0.tuner=shaa
        |                     ^
  [2]
  $ tuner sha[eta=1]
  -s:1:29: error: eta: 1 is below the minimum, 2
      1 | experiments.0.tuner=sha[eta=1]
        |                             ^
  [2]
  $ tuner hyperband[eta=1]
  -s:1:35: error: eta: 1 is below the minimum, 2
      1 | experiments.0.tuner=hyperband[eta=1]
        |                                   ^
  [2]
  $ tuner asha[eta=0]
  -s:1:30: error: eta: 0 is below the minimum, 2
      1 | experiments.0.tuner=asha[eta=0]
        |                              ^
  [2]
  $ tuner asha_stop[eta=2.5]
  -s:1:35: error: eta: '2.5' is not a whole number
      1 | experiments.0.tuner=asha_stop[eta=2.5]
        |                                   ^
  [2]
  $ tuner sha[min_epochs=0]
  -s:1:36: error: min_epochs: 0 is below the minimum, 1
      1 | experiments.0.tuner=sha[min_epochs=0]
        |                                    ^
  [2]
  $ tuner hyperband[brackets=both]
  -s:1:40: error: brackets: 'both' is none of sequential, parallel
      1 | experiments.0.tuner=hyperband[brackets=both]
        |                                        ^
  [2]
  $ tuner hyperband[sizes=round]
  -s:1:37: error: sizes: 'round' is none of ceil, floor
      1 | experiments.0.tuner=hyperband[sizes=round]
        |                                     ^
  [2]
  $ tuner asha[workers=4]
  -s:1:26: error: unknown key 'workers' in tuner asha
      1 | experiments.0.tuner=asha[workers=4]
        |                          ^
  [2]
  $ tuner asha_stop[brackets=0]
  -s:1:40: error: brackets: 0 is below the minimum, 1
      1 | experiments.0.tuner=asha_stop[brackets=0]
        |                                        ^
  [2]
  $ tuner median_stop[min_samples=0]
  -s:1:45: error: min_samples: 0 is below the minimum, 1
      1 | experiments.0.tuner=median_stop[min_samples=0]
        |                                             ^
  [2]
  $ tuner median_stop[grace_epochs=none]
  -s:1:46: error: grace_epochs: 'none' is not a whole number
      1 | experiments.0.tuner=median_stop[grace_epochs=none]
        |                                              ^
  [2]

The least budget above the largest: at the name of the tuner

  $ tuner sha[min_epochs=4,max_epochs=3]
  -s:1:21: error: tuner sha: min_epochs: 4 is above max_epochs, 3
      1 | experiments.0.tuner=sha[min_epochs=4,max_epochs=3]
        |                     ^
  [2]
  $ tuner hyperband[min_epochs=4,max_epochs=3]
  -s:1:21: error: tuner hyperband: min_epochs: 4 is above max_epochs, 3
      1 | experiments.0.tuner=hyperband[min_epochs=4,max_epochs=3]
        |                     ^
  [2]
  $ tuner asha[max_epochs=3,min_epochs=4]
  -s:1:21: error: tuner asha: min_epochs: 4 is above max_epochs, 3
      1 | experiments.0.tuner=asha[max_epochs=3,min_epochs=4]
        |                     ^
  [2]
  $ tuner asha_stop[min_epochs=4,max_epochs=3]
  -s:1:21: error: tuner asha_stop: min_epochs: 4 is above max_epochs, 3
      1 | experiments.0.tuner=asha_stop[min_epochs=4,max_epochs=3]
        |                     ^
  [2]
  $ tuner sha[min_epochs=3,max_epochs=3]
  run.yaml is fine: 1 GPU in 1 node, 1 policy x 1 seed, 5 trials

No trial is long enough. A largest budget above all of them is fine: trials end by themselves.

  $ tuner sha[min_epochs=7]
  -s:1:21: error: tuner sha: min_epochs: 7; the longest trial has 6 epochs
      1 | experiments.0.tuner=sha[min_epochs=7]
        |                     ^
  [2]
  $ tuner hyperband[min_epochs=7,max_epochs=9]
  -s:1:21: error: tuner hyperband: min_epochs: 7; the longest trial has 6 epochs
      1 | experiments.0.tuner=hyperband[min_epochs=7,max_epochs=9]
        |                     ^
  [2]
  $ tuner asha[min_epochs=7]
  -s:1:21: error: tuner asha: min_epochs: 7; the longest trial has 6 epochs
      1 | experiments.0.tuner=asha[min_epochs=7]
        |                     ^
  [2]
  $ tuner asha_stop[min_epochs=7]
  -s:1:21: error: tuner asha_stop: min_epochs: 7; the longest trial has 6 epochs
      1 | experiments.0.tuner=asha_stop[min_epochs=7]
        |                     ^
  [2]
  $ tuner sha[min_epochs=6,max_epochs=9]
  run.yaml is fine: 1 GPU in 1 node, 1 policy x 1 seed, 5 trials
  $ sed -i '2,$ { /,1,/!d }' curves.csv; tuner hyperband[min_epochs=2]
  -s:1:21: error: tuner hyperband: min_epochs: 2; the longest trial has 1 epoch
      1 | experiments.0.tuner=hyperband[min_epochs=2]
        |                     ^
  [2]

In the file the caret is at the label, and several experiments each say what is wrong.

  $ sed -i 's/tuner: sha/tuner: "sha[min_epochs=2]"/' run.yaml; hetune validate run.yaml
  run.yaml:5:69: error: tuner sha: min_epochs: 2; the longest trial has 1 epoch
      5 | experiments: [{name: study, curves: curves.yaml, model: net, tuner: "sha[min_epochs=2]"}]
        |                                                                     ^
  [2]
  $ sed -i 's/^experiments: \[\(.*\)\]$/experiments: [\1, \1]/' run.yaml; hetune validate run.yaml
  run.yaml:5:69: error: tuner sha: min_epochs: 2; the longest trial has 1 epoch
      5 | experiments: [{name: study, curves: curves.yaml, model: net, tuner: "sha[min_epochs=2]"}, {name: stu...
        |                                                                     ^
  run.yaml:5:145: error: tuner sha: min_epochs: 2; the longest trial has 1 epoch
      5 | ...: study, curves: curves.yaml, model: net, tuner: "sha[min_epochs=2]"}]
        |                                                     ^
  [2]
