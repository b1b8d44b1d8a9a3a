Populations that are none, and wishes that they cannot meet
===========================================================

  $ cat > run.yaml <<'END'
  > cluster: {gpu_types: {fast: {}}, nodes: [{type: fast, gpus: 2}]}
  > cost:
  >   models: {small: {parameters: 1e6, samples_per_epoch: 1000, batch: 100}}
  >   fits: [{model: small, gpu: fast, alpha_s: 0.1, beta_s: 0.001}]
  > experiments:
  >   - {name: study, population: p.yaml, trials: 4, model: small}
  > policy: fifo
  > END
  $ cat > p.yaml <<'END'
  > metric: accuracy
  > better: higher
  > initial: 0.1
  > ideal: 1
  > worst: 0.05
  > trials: 3
  > epochs: 2
  > family: power
  > deviation: [0, 0]
  > spread: [1, 1]
  > persistence: [0, 0.5]
  > learned: [[0.1, 0.5, 1, 0.01], [0.2, 0.5, 1, 0.01], [0.5, 0.5, 1, 0.01]]
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > set.yaml; printf 'trial,epoch,metric\n0,1,0.2\n1,1,0.3\n' > curves.csv
  $ hetune validate run.yaml
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 4 trials

One of both

  $ hetune validate run.yaml -s experiments.0.curves=set.yaml
  run.yaml:6:5: error: the experiment has both curves and a population; wanted one of them
      6 |   - {name: study, population: p.yaml, trials: 4, model: small}
        |     ^
  [2]
  $ hetune validate run.yaml -s experiments.0.population=
  -s:1:26: error: population: nothing; wanted a text
      1 | experiments.0.population=
        |                          ^
  [2]
  $ hetune validate run.yaml -s experiments.0.population=absent.yaml
  absent.yaml: cannot open: No such file or directory
  [3]
  $ hetune validate run.yaml -s experiments.0.population=set.yaml
  set.yaml:4:1: error: unknown key 'file' in the population
      4 | file: curves.csv
        | ^
  set.yaml:1:1: error: key 'ideal' is missing in the population
      1 | metric: accuracy
        | ^
  set.yaml:1:1: error: key 'worst' is missing in the population
      1 | metric: accuracy
        | ^
  set.yaml:1:1: error: key 'trials' is missing in the population
      1 | metric: accuracy
        | ^
  set.yaml:1:1: error: key 'epochs' is missing in the population
      1 | metric: accuracy
        | ^
  set.yaml:1:1: error: key 'family' is missing in the population
      1 | metric: accuracy
        | ^
  [2]
  $ hetune validate run.yaml -s experiments.0.trials=0
  -s:1:22: error: trials: 0; a population has no end, say how many
      1 | experiments.0.trials=0
        |                      ^
  [2]
  $ hetune validate run.yaml -s experiments.0.batch=recorded
  -s:1:21: error: batch: recorded; a population has no batch sizes
      1 | experiments.0.batch=recorded
        |                     ^
  [2]
  $ for key in epochs=3 good_share=0.5 rank_correlation=0.5 diverged_share=0.5 axes=2; do sed 's/population: p/curves: set/; s/trials: 4/trials: 2/' run.yaml > recorded.yaml; hetune validate recorded.yaml -s experiments.0.$key 2>&1 | head -n 1; done
  -s:1:22: error: epochs: recorded curves are as they are; wanted a population
  -s:1:26: error: good_share: recorded curves are as they are; wanted a population
  -s:1:32: error: rank_correlation: recorded curves are as they are; wanted a population
  -s:1:30: error: diverged_share: recorded curves are as they are; wanted a population
  -s:1:20: error: axes: recorded curves are as they are; wanted a population

Wishes

  $ hetune validate run.yaml -s experiments.0.good_share=0.5
  -s:1:26: error: good_share: wanted good_best: 0, so that good_metric decides
      1 | experiments.0.good_share=0.5
        |                          ^
  [2]
  $ hetune validate run.yaml -s experiments.0.good_share=0.5 -s experiments.0.good_best=0
  -s:1:26: error: good_share: needs the key good_metric
      1 | experiments.0.good_share=0.5
        |                          ^
  [2]
  $ hetune validate run.yaml -s experiments.0.good_share=0.5 -s experiments.0.good_best=0 -s experiments.0.good_metric=0.95
  -s:1:26: error: good_share: no trial of the population reaches 0.95
      1 | experiments.0.good_share=0.5
        |                          ^
  [2]
  $ hetune validate run.yaml -s experiments.0.good_share=0.5 -s experiments.0.good_best=0 -s experiments.0.good_metric=0.2
  -s:1:26: error: good_share: all trials of the population reach 0.2
      1 | experiments.0.good_share=0.5
        |                          ^
  [2]
  $ hetune validate run.yaml -s experiments.0.good_share=1 -s experiments.0.good_best=0 -s experiments.0.good_metric=0.2
  run.yaml is fine: 2 GPUs in 1 node, 1 policy x 1 seed, 4 trials
  $ hetune validate run.yaml -s experiments.0.good_share=1.5
  -s:1:26: error: good_share: 1.5 is above the maximum, 1
      1 | experiments.0.good_share=1.5
        |                          ^
  [2]
  $ hetune validate run.yaml -s experiments.0.rank_correlation=-1
  -s:1:32: error: rank_correlation: -1 is below the minimum, -0.1
      1 | experiments.0.rank_correlation=-1
        |                                ^
  [2]
  $ hetune validate run.yaml -s experiments.0.diverged_share=0.1
  -s:1:30: error: diverged_share: no trial of the population diverged
      1 | experiments.0.diverged_share=0.1
        |                              ^
  [2]
  $ hetune validate run.yaml -s experiments.0.rank_correlation=1.1
  -s:1:32: error: rank_correlation: 1.1 is above the maximum, 1
      1 | experiments.0.rank_correlation=1.1
        |                                ^
  [2]
  $ hetune validate run.yaml -s experiments.0.explained=2
  -s:1:25: error: explained: 2 is above the maximum, 1
      1 | experiments.0.explained=2
        |                         ^
  [2]
  $ hetune validate run.yaml -s experiments.0.axes=17
  -s:1:20: error: axes: 17 is above the maximum, 16
      1 | experiments.0.axes=17
        |                    ^
  [2]
  $ hetune validate run.yaml -s experiments.0.epochs=100000 -s experiments.0.trials=100000
  -s:2:22: error: trials: 100000 of 100000 epochs each; wanted at most 2147483647 epochs in all
      2 | experiments.0.trials=100000
        |                      ^
  [2]
  $ hetune validate run.yaml -s experiments.0.count=10000 -s experiments.0.trials=1000000
  -s:1:21: error: count: 10000 times 1000000 trials of 2 epochs; wanted at most 2147483647 epochs in all
      1 | experiments.0.count=10000
        |                     ^
  [2]

The command

  $ hetune curves
  error: curves: wanted fit SET.yaml, draw POPULATION.yaml -o FILE.yaml or compare FILE.yaml...
  [2]
  $ hetune curves fits set.yaml
  error: curves: 'fits' is neither fit, draw nor compare (did you mean 'fit'?)
  [2]
  $ hetune curves fit set.yaml
  set.yaml: error: 2 trials that learned; a population needs at least 20
  [2]
  $ cp set.yaml same.yaml; ln p.yaml link.yaml
  $ hetune curves fit same.yaml -o ./same.yaml; cmp same.yaml set.yaml
  error: ./same.yaml is the file that is read; wanted another one
  $ hetune curves draw p.yaml -s trials=4 -o link; head -1 p.yaml; ls link*
  error: link.yaml is the file that is read; wanted another one
  metric: accuracy
  link.yaml
  $ hetune curves fit set.yaml p.yaml
  error: curves: fit: 'p.yaml' is a word too many
  [2]
  $ hetune curves fit absent.yaml
  absent.yaml: cannot open: No such file or directory
  [3]
  $ hetune curves draw p.yaml
  error: curves: draw: the set is missing; wanted -o FILE.yaml
  [2]
  $ hetune curves draw set.yaml -o drawn.yaml
  set.yaml:4:1: error: unknown key 'file' in the population
      4 | file: curves.csv
        | ^
  set.yaml:1:1: error: key 'ideal' is missing in the population
      1 | metric: accuracy
        | ^
  set.yaml:1:1: error: key 'worst' is missing in the population
      1 | metric: accuracy
        | ^
  set.yaml:1:1: error: key 'trials' is missing in the population
      1 | metric: accuracy
        | ^
  set.yaml:1:1: error: key 'epochs' is missing in the population
      1 | metric: accuracy
        | ^
  set.yaml:1:1: error: key 'family' is missing in the population
      1 | metric: accuracy
        | ^
  [2]
  $ hetune curves draw p.yaml -o drawn.yaml -s trial=3
  -s:1:1: error: unknown key 'trial' in curves (did you mean 'trials'?)
      1 | trial=3
        | ^
  [2]
  $ hetune curves draw p.yaml -o drawn.yaml -s trials
  -s:1:1: error: no '=' in an override; wanted path=value
      1 | trials
        | ^
  [2]
  $ hetune curves draw p.yaml -o drawn.yaml -s trials=-1
  -s:1:8: error: trials: -1 is below the minimum, 0
      1 | trials=-1
        |        ^
  [2]
  $ hetune curves draw p.yaml -o drawn.yaml -s good_share=0.5
  -s:1:12: error: good_share: needs the key good_metric
      1 | good_share=0.5
        |            ^
  [2]
  $ hetune curves draw p.yaml -o absent/drawn.yaml
  absent/drawn.csv: cannot create: No such file or directory
  [3]
  $ hetune curves compare set.yaml p.yaml absent.yaml
  absent.yaml: cannot open: No such file or directory
  [3]
  $ ls drawn*
  ls: cannot access 'drawn*': No such file or directory
  [2]
