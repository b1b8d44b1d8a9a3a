Configurations that are no runs
===============================

A small one that is fine; what follows spoils it.

  $ cat > run.yaml <<'END'
  > cluster:
  >   gpu_types: {fast: {memory_gib: 16}, slow: {}}
  >   nodes:
  >     - {type: fast, gpus: 2}
  >     - {type: slow, gpus: 2, count: 2}
  > cost:
  >   models:
  >     small: {parameters: 1e6, samples_per_epoch: 1000, batch: 100}
  >     large: {parameters: 1e9, samples_per_epoch: 1000, batch: 100, memory_fixed_mib: 1000, memory_per_sample_mib: 100}
  >   fits:
  >     - {model: small, gpu: fast, alpha_s: 0.1, beta_s: 0.001}
  >     - {model: small, gpu: slow, alpha_s: 0.2, beta_s: 0.002}
  >     - {model: large, gpu: fast, alpha_s: 0.2, beta_s: 0.002}
  > experiments:
  >   - {name: study, curves: curves.yaml, model: small}
  > policy: fifo
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ printf 'trial,epoch,metric\n0,1,0.2\n0,2,0.3\n1,1,0.5\n' > curves.csv
  $ hetune validate run.yaml
  run.yaml is fine: 6 GPUs in 3 nodes, 1 policy x 1 seed, 2 trials

Keys

  $ hetune validate run.yaml -s sed=1
  -s:1:1: error: unknown key 'sed' in the run (did you mean 'seed'?)
      1 | sed=1
        | ^
  [2]
  $ hetune validate run.yaml -s seed=one
  -s:1:6: error: seed: 'one' is not a whole number
      1 | seed=one
        |      ^
  [2]
  $ hetune validate run.yaml -s seed=-1
  -s:1:6: error: seed: -1 is below the minimum, 0
      1 | seed=-1
        |      ^
  [2]
  $ hetune validate run.yaml -s seed=1.5
  -s:1:6: error: seed: '1.5' is not a whole number
      1 | seed=1.5
        |      ^
  [2]
  $ hetune validate run.yaml -s seed=0x10
  -s:1:6: error: seed: '0x10' is not a whole number
      1 | seed=0x10
        |      ^
  [2]
  $ hetune validate run.yaml -s seed=1_000
  -s:1:6: error: seed: '1_000' is not a whole number
      1 | seed=1_000
        |      ^
  [2]
  $ hetune validate run.yaml -s seed=99999999999999999999
  -s:1:6: error: seed: 99999999999999999999 is too large
      1 | seed=99999999999999999999
        |      ^
  [2]
  $ hetune validate run.yaml -s seeds=0
  -s:1:7: error: seeds: 0 is below the minimum, 1
      1 | seeds=0
        |       ^
  [2]
  $ hetune validate run.yaml -s until_s=1:30
  -s:1:9: error: until_s: '1:30' is not a time in seconds, as in 90 or 0.5
      1 | until_s=1:30
        |         ^
  [2]
  $ hetune validate run.yaml -s until_s=0.0000000001
  -s:1:9: error: until_s: 0.0000000001 is finer than a nanosecond
      1 | until_s=0.0000000001
        |         ^
  [2]
  $ hetune validate run.yaml -s jitter=nan
  -s:1:8: error: jitter: 'nan' is not a number
      1 | jitter=nan
        |        ^
  [2]
  $ hetune validate run.yaml -s jitter=1e999
  -s:1:8: error: jitter: 1e999 is too large
      1 | jitter=1e999
        |        ^
  [2]
  $ hetune validate run.yaml -s jitter=2
  -s:1:8: error: jitter: 2 is above the maximum, 1
      1 | jitter=2
        |        ^
  [2]
  $ hetune validate run.yaml -s preempt_at=epcoh
  -s:1:12: error: preempt_at: 'epcoh' is no choice (did you mean 'epoch'?)
      1 | preempt_at=epcoh
        |            ^
  [2]
  $ hetune validate run.yaml -s keeps=
  -s:1:7: error: keeps: nothing; wanted one of state, checkpoint
      1 | keeps=
        |       ^
  [2]
  $ hetune validate run.yaml -s write_events=no
  -s:1:14: error: write_events: 'no' is neither true nor false
      1 | write_events=no
        |              ^
  [2]
  $ hetune validate run.yaml -s 'seed=[1, 2]'
  -s:1:6: error: seed: a list; wanted a whole number
      1 | seed=[1, 2]
        |      ^
  [2]
  $ hetune validate run.yaml -s 'write_jobs={a: 1}'
  -s:1:12: error: write_jobs: a map; wanted true or false
      1 | write_jobs={a: 1}
        |            ^
  [2]

Overrides

  $ hetune validate run.yaml -s seed
  -s:1:1: error: no '=' in an override; wanted path=value
      1 | seed
        | ^
  [2]
  $ hetune validate run.yaml -s =1
  -s:1:1: error: an empty name in the path of an override
      1 | =1
        | ^
  [2]
  $ hetune validate run.yaml -s cluster..nodes=1
  -s:1:9: error: an empty name in the path of an override
      1 | cluster..nodes=1
        |         ^
  [2]
  $ hetune validate run.yaml -s cluster.nodes.7.gpus=1
  -s:1:15: error: there is no item '7' in a list of 2; the first is 0
      1 | cluster.nodes.7.gpus=1
        |               ^
  [2]
  $ hetune validate run.yaml -s cluster.nodes.one.gpus=1
  -s:1:15: error: there is no item 'one' in a list of 2; the first is 0
      1 | cluster.nodes.one.gpus=1
        |               ^
  [2]
  $ hetune validate run.yaml -s policy.name=fifo
  -s:1:8: error: there is no 'name' in a text
      1 | policy.name=fifo
        |        ^
  [2]
  $ hetune validate run.yaml -s 'policy=[fifo'
  -s:1:13: error: did not find expected ',' or ']' (while parsing a flow sequence, line 1)
      1 | policy=[fifo
        |             ^
  [2]

References

  $ hetune validate absent.yaml
  absent.yaml: cannot open: No such file or directory
  [3]
  $ hetune validate /
  /: cannot read: Is a directory
  [3]
  $ hetune validate run.yaml -s cluster=absent.yaml
  absent.yaml: cannot open: No such file or directory
  [3]
  $ hetune validate run.yaml -s cluster=
  -s:1:9: error: nothing; wanted a map or the name of a file
      1 | cluster=
        |         ^
  [2]
  $ hetune validate run.yaml -s 'cluster=[1]'
  -s:1:9: error: the cluster: a list; wanted a map
      1 | cluster=[1]
        |         ^
  [2]
  $ hetune validate run.yaml -s 'overheads={from: absent.yaml}'
  absent.yaml: cannot open: No such file or directory
  [3]
  $ hetune validate run.yaml -s 'overheads={from: [a]}'
  -s:1:18: error: from: a list; wanted the name of a file
      1 | overheads={from: [a]}
        |                  ^
  [2]
  $ hetune validate run.yaml -s trace=absent.csv
  absent.csv: cannot open: No such file or directory
  [3]
  $ hetune validate run.yaml -s trace=- -s seeds=2 < /dev/null
  -s:1:7: error: trace: standard input can be read once; this is for 2 runs
      1 | trace=-
        |       ^
  [2]

The cluster

  $ hetune validate run.yaml -s 'cluster={nodes: []}'
  -s:1:9: error: key 'gpu_types' is missing in the cluster
      1 | cluster={nodes: []}
        |         ^
  -s:1:17: error: nodes: an empty list; wanted a list of nodes
      1 | cluster={nodes: []}
        |                 ^
  [2]
  $ hetune validate run.yaml -s 'cluster={gpu_types: {gpu: {}}}'
  -s:1:9: error: key 'nodes' is missing in the cluster
      1 | cluster={gpu_types: {gpu: {}}}
        |         ^
  [2]
  $ hetune validate run.yaml -s 'cluster={gpu_types: {gpu: {}}, nodes: []}'
  -s:1:39: error: nodes: an empty list; wanted a list of nodes
      1 | cluster={gpu_types: {gpu: {}}, nodes: []}
        |                                       ^
  [2]
  $ hetune validate run.yaml -s 'cluster={gpu_types: {}, nodes: [{type: gpu, gpus: 1}]}'
  -s:1:21: error: gpu_types: an empty map; wanted a map of GPU types
      1 | cluster={gpu_types: {}, nodes: [{type: gpu, gpus: 1}]}
        |                     ^
  [2]
  $ hetune validate run.yaml -s cluster.nodes.0.type=fats
  -s:1:22: error: type: 'fats' is not among the gpu_types (did you mean 'fast'?)
      1 | cluster.nodes.0.type=fats
        |                      ^
  [2]
  $ hetune validate run.yaml -s cluster.nodes.0.gpus=0
  -s:1:22: error: gpus: 0 is below the minimum, 1
      1 | cluster.nodes.0.gpus=0
        |                      ^
  [2]
  $ hetune validate run.yaml -s cluster.nodes.0.gpus=65
  -s:1:22: error: gpus: 65 is above the maximum, 64
      1 | cluster.nodes.0.gpus=65
        |                      ^
  [2]
  $ hetune validate run.yaml -s cluster.nodes.0.count=-3
  -s:1:23: error: count: -3 is below the minimum, 1
      1 | cluster.nodes.0.count=-3
        |                       ^
  [2]
  $ hetune validate run.yaml -s cluster.nodes.0.count=300000
  -s:1:23: error: count: 300000 is above the maximum, 262144
      1 | cluster.nodes.0.count=300000
        |                       ^
  [2]
  $ hetune validate run.yaml -s cluster.nodes.0.count=262144 -s cluster.nodes.1.count=262144
  run.yaml:5:7: error: nodes: more than 262144 nodes or 4194304 GPUs
      5 |     - {type: slow, gpus: 2, count: 2}
        |       ^
  [2]
  $ hetune validate run.yaml -s cluster.nodes.0.gups=2
  -s:1:17: error: unknown key 'gups' in the node (did you mean 'gpus'?)
      1 | cluster.nodes.0.gups=2
        |                 ^
  [2]
  $ hetune validate run.yaml -s cluster.nodes.0.speed=0
  -s:1:23: error: speed: 0 is below the minimum, 0.001
      1 | cluster.nodes.0.speed=0
        |                       ^
  [2]
  $ hetune validate run.yaml -s cluster.gpu_types.fast.memory_gib=-1
  -s:1:35: error: memory_gib: -1 is below the minimum, 0
      1 | cluster.gpu_types.fast.memory_gib=-1
        |                                   ^
  [2]
  $ hetune validate run.yaml -s 'cluster.nodes.0=fast'
  -s:1:17: error: the node: a text; wanted a map
      1 | cluster.nodes.0=fast
        |                 ^
  [2]

Costs

  $ hetune validate run.yaml -s cost.form=afine
  -s:1:11: error: unknown cost model 'afine' (did you mean 'affine'?)
      1 | cost.form=afine
        |           ^
  [2]
  $ hetune validate run.yaml -s cost.models=small
  -s:1:13: error: models: a text; wanted a map of DL models
      1 | cost.models=small
        |             ^
  [2]
  $ hetune validate run.yaml -s 'cost.models.small={parameters: 1e6}'
  -s:1:19: error: key 'samples_per_epoch' is missing in the model
      1 | cost.models.small={parameters: 1e6}
        |                   ^
  -s:1:19: error: key 'batch' is missing in the model
      1 | cost.models.small={parameters: 1e6}
        |                   ^
  [2]
  $ hetune validate run.yaml -s cost.models.small.batch=0
  -s:1:25: error: batch: 0 is below the minimum, 1
      1 | cost.models.small.batch=0
        |                         ^
  [2]
  $ hetune validate run.yaml -s cost.fits=absent.csv
  absent.csv: cannot open: No such file or directory
  [3]
  $ hetune validate run.yaml -s 'cost.fits={a: 1}'
  -s:1:11: error: fits: a map; wanted a file or a list
      1 | cost.fits={a: 1}
        |           ^
  [2]
  $ hetune validate run.yaml -s cost.fits.0.alpha_s=-1
  -s:1:21: error: alpha_s: -1 is below the minimum, 0
      1 | cost.fits.0.alpha_s=-1
        |                     ^
  [2]
  $ hetune validate run.yaml -s cost.fits.0.alpha_s=0 -s cost.fits.0.beta_s=0
  run.yaml:11:7: error: the step time of small on fast is 0
     11 |     - {model: small, gpu: fast, alpha_s: 0.1, beta_s: 0.001}
        |       ^
  [2]
  $ hetune validate run.yaml -s cost.fits.1.gpu=fast
  run.yaml:12:7: error: a second step time of small on fast: `stacks` must say which counts
     12 |     - {model: small, gpu: slow, alpha_s: 0.2, beta_s: 0.002}
        |       ^
  [2]
  $ hetune validate run.yaml -s cost.stacks=gavel
  -s:1:13: error: stacks: a text; wanted a list of names
      1 | cost.stacks=gavel
        |             ^
  [2]
  $ hetune validate run.yaml -s 'cost.stacks=[[gavel]]'
  -s:1:14: error: stacks: a list; wanted a name
      1 | cost.stacks=[[gavel]]
        |              ^
  [2]
  $ hetune validate run.yaml -s 'cost.sync=[{model: small, gpu: fast, overlap: 0}]'
  -s:1:47: error: overlap: 0 is below the minimum, 1
      1 | cost.sync=[{model: small, gpu: fast, overlap: 0}]
        |                                               ^
  [2]
  $ hetune validate run.yaml -s 'cost.sync=[{model: small, gpu: fast}, {model: small, gpu: fast}]'
  -s:1:39: error: a second synchronisation of small on fast
      1 | cost.sync=[{model: small, gpu: fast}, {model: small, gpu: fast}]
        |                                       ^
  [2]
  $ printf 'model,gpu,alpha_s,beta_s\nsmall,fast,0.1,much\n' > fits.csv
  $ hetune validate run.yaml -s cost.fits=fits.csv
  fits.csv:2:16: error: beta_s: 'much' is not a number
      2 | small,fast,0.1,much
        |                ^
  [2]
  $ printf 'model,gpus,alpha_s,beta_s\nsmall,fast,0.1,0.1\n' > fits.csv
  $ hetune validate run.yaml -s cost.fits=fits.csv
  fits.csv:1:1: error: column 'gpu' is missing (is it 'gpus'?)
      1 | model,gpus,alpha_s,beta_s
        | ^
  [2]
  $ hetune validate run.yaml -s 'overheads={save_s: -1}'
  -s:1:20: error: save_s: -1 is below the minimum, 0
      1 | overheads={save_s: -1}
        |                    ^
  [2]
  $ hetune validate run.yaml -s 'overheads={save: 1}'
  -s:1:12: error: unknown key 'save' in the overheads
      1 | overheads={save: 1}
        |            ^
  [2]

Experiments

  $ hetune validate run.yaml -s experiments=study
  -s:1:13: error: experiments: a text; wanted a list
      1 | experiments=study
        |             ^
  [2]
  $ hetune validate run.yaml -s 'experiments=[]'
  run.yaml:1:1: error: there is nothing to run: the run has neither a trace nor experiments
      1 | cluster:
        | ^
  [2]
  $ hetune validate run.yaml -s 'experiments=[study]'
  -s:1:14: error: the experiment: a text; wanted a map
      1 | experiments=[study]
        |              ^
  [2]
  $ hetune validate run.yaml -s 'experiments=[{name: study, curves: curves.yaml}]'
  -s:1:14: error: key 'model' is missing in the experiment
      1 | experiments=[{name: study, curves: curves.yaml}]
        |              ^
  [2]
  $ hetune validate run.yaml -s experiments.0.model=smal
  -s:1:21: error: model: unknown model 'smal' (did you mean 'small'?)
      1 | experiments.0.model=smal
        |                     ^
  [2]
  $ hetune validate run.yaml -s 'experiments.0.model={a: b}'
  -s:1:21: error: model: a map; wanted a value or a list of values
      1 | experiments.0.model={a: b}
        |                     ^
  [2]
  $ hetune validate run.yaml -s 'experiments.0.model=[small, [large]]'
  -s:1:21: error: model: a list; wanted a value or a list of values
      1 | experiments.0.model=[small, [large]]
        |                     ^
  [2]
  $ hetune validate run.yaml -s experiments.0.batch=0
  -s:1:21: error: batch: 0 is below the minimum, 1
      1 | experiments.0.batch=0
        |                     ^
  [2]
  $ hetune validate run.yaml -s 'experiments.0.batch=[]'
  -s:1:21: error: batch: an empty list; wanted a value or a list of values
      1 | experiments.0.batch=[]
        |                     ^
  [2]
  $ hetune validate run.yaml -s experiments.0.trials=3
  -s:1:22: error: trials: 3; only 2 were recorded
      1 | experiments.0.trials=3
        |                      ^
  [2]
  $ hetune validate run.yaml -s experiments.0.good_best=3
  -s:1:25: error: good_best: 3; there are 2 trials
      1 | experiments.0.good_best=3
        |                         ^
  [2]
  $ hetune validate run.yaml -s experiments.0.end=target
  -s:1:19: error: end: `target` needs the key target
      1 | experiments.0.end=target
        |                   ^
  [2]
  $ hetune validate run.yaml -s experiments.0.target=high
  -s:1:22: error: target: 'high' is not a number
      1 | experiments.0.target=high
        |                      ^
  [2]
  $ hetune validate run.yaml -s experiments.0.tuner=run_al
  -s:1:21: error: unknown tuner 'run_al' (did you mean 'run_all'?)
      1 | experiments.0.tuner=run_al
        |                     ^
  [2]
  $ hetune validate run.yaml -s 'experiments.0.tuner=run_all[at_once=-1]'
  -s:1:37: error: at_once: -1 is below the minimum, 0
      1 | experiments.0.tuner=run_all[at_once=-1]
        |                                     ^
  [2]
  $ hetune validate run.yaml -s experiments.0.gpus=5
  run.yaml:15:5: error: experiment study: no GPU type of the cluster can run small with batch 100 on 5 GPUs
     15 |   - {name: study, curves: curves.yaml, model: small}
        |     ^
  [2]
  $ hetune validate run.yaml -s experiments.0.model=large -s experiments.0.batch=1000
  run.yaml:15:5: error: experiment study: no GPU type of the cluster can run large with batch 1000 on 1 GPU
     15 |   - {name: study, curves: curves.yaml, model: small}
        |     ^
  [2]
  $ hetune validate run.yaml -s experiments.0.gpus=2 -s experiments.0.batch=1
  run.yaml:15:5: error: experiment study: no GPU type of the cluster can run small with batch 1 on 2 GPUs
     15 |   - {name: study, curves: curves.yaml, model: small}
        |     ^
  [2]
  $ hetune validate run.yaml -s experiments.0.curves=absent.yaml
  absent.yaml: cannot open: No such file or directory
  [3]

Several sections at once: each says what is wrong with it, unless it builds on one that is lost.

  $ hetune validate run.yaml -s sed=1 -s cluster.nodes.0.type=fats -s cluster.gpu_types.slow.memory_gib=-1 -s cost.models.small.batch=0 -s cost.fits.0.alpha_s=-1 -s 'overheads={save: 1}' -s 'policy=[fifoo, fifo, fifo]' -s experiments.0.model=smal -s experiments.0.batch=0 -s experiments.0.good_best=3 -s experiments.0.tuner=run_al
  -s:1:1: error: unknown key 'sed' in the run (did you mean 'seed'?)
      1 | sed=1
        | ^
  -s:3:35: error: memory_gib: -1 is below the minimum, 0
      3 | cluster.gpu_types.slow.memory_gib=-1
        |                                   ^
  -s:2:22: error: type: 'fats' is not among the gpu_types (did you mean 'fast'?)
      2 | cluster.nodes.0.type=fats
        |                      ^
  -s:4:25: error: batch: 0 is below the minimum, 1
      4 | cost.models.small.batch=0
        |                         ^
  -s:5:21: error: alpha_s: -1 is below the minimum, 0
      5 | cost.fits.0.alpha_s=-1
        |                     ^
  -s:6:12: error: unknown key 'save' in the overheads
      6 | overheads={save: 1}
        |            ^
  -s:7:9: error: unknown policy 'fifoo' (did you mean 'fifo'?)
      7 | policy=[fifoo, fifo, fifo]
        |         ^
  -s:7:22: error: policy: 'fifo' is named twice
      7 | policy=[fifoo, fifo, fifo]
        |                      ^
  -s:11:21: error: unknown tuner 'run_al' (did you mean 'run_all'?)
     11 | experiments.0.tuner=run_al
        |                     ^
  -s:8:21: error: model: unknown model 'smal' (did you mean 'small'?)
      8 | experiments.0.model=smal
        |                     ^
  -s:9:21: error: batch: 0 is below the minimum, 1
      9 | experiments.0.batch=0
        |                     ^
  -s:10:25: error: good_best: 3; there are 2 trials
     10 | experiments.0.good_best=3
        |                         ^
  [2]
  $ hetune validate run.yaml -s cluster=absent.yaml -s cost.form=afine -s policy=fifoo
  absent.yaml: cannot open: No such file or directory
  -s:2:11: error: unknown cost model 'afine' (did you mean 'affine'?)
      2 | cost.form=afine
        |           ^
  -s:3:8: error: unknown policy 'fifoo' (did you mean 'fifo'?)
      3 | policy=fifoo
        |        ^
  [3]
  $ hetune validate run.yaml -s 'cluster={gpu_types: [], nodes: [{type: fast, gpus: 0}, {gpus: 1}]}' -s cost.models=[] -s policy=fifoo
  -s:1:21: error: gpu_types: an empty list; wanted a map of GPU types
      1 | cluster={gpu_types: [], nodes: [{type: fast, gpus: 0}, {gpus: 1}]}
        |                     ^
  -s:1:52: error: gpus: 0 is below the minimum, 1
      1 | cluster={gpu_types: [], nodes: [{type: fast, gpus: 0}, {gpus: 1}]}
        |                                                    ^
  -s:1:56: error: key 'type' is missing in the node
      1 | cluster={gpu_types: [], nodes: [{type: fast, gpus: 0}, {gpus: 1}]}
        |                                                        ^
  -s:2:13: error: models: an empty list; wanted a map of DL models
      2 | cost.models=[]
        |             ^
  -s:3:8: error: unknown policy 'fifoo' (did you mean 'fifo'?)
      3 | policy=fifoo
        |        ^
  [2]
  $ printf 'model,gpu,alpha_s,beta_s\nsmall,fast,0.1,much\nsmall,slow\nsmall,slow,-1,0\n' > fits.csv
  $ hetune validate run.yaml -s cost.fits=fits.csv -s seeds=0
  -s:2:7: error: seeds: 0 is below the minimum, 1
      2 | seeds=0
        |       ^
  fits.csv:2:16: error: beta_s: 'much' is not a number
      2 | small,fast,0.1,much
        |                ^
  fits.csv:3:11: error: 2 cells in this row; the header has 4
      3 | small,slow
        |           ^
  fits.csv:4:12: error: alpha_s: -1 is below the minimum, 0
      4 | small,slow,-1,0
        |            ^
  [2]
  $ hetune validate run.yaml -s a=1 -s b -s cluster.nodes.7.gpus=1
  -s:2:1: error: no '=' in an override; wanted path=value
      2 | b
        | ^
  -s:3:15: error: there is no item '7' in a list of 2; the first is 0
      3 | cluster.nodes.7.gpus=1
        |               ^
  [2]

Curves

  $ printf 'trial,epoch,metric\n' > curves.csv; hetune validate run.yaml
  curves.csv: error: there are no curves in it
  [2]
  $ printf 'trial,epoch,metric\n0,2,0.3\n' > curves.csv; hetune validate run.yaml
  curves.csv:2:1: error: trial: 0; trials are numbered from 0 without gaps, each with its epochs from 1
      2 | 0,2,0.3
        | ^
  [2]
  $ printf 'trial,epoch,metric\n0,1,0.3\n0,3,0.3\n' > curves.csv; hetune validate run.yaml
  curves.csv:3:3: error: epoch: 3 of trial 0; wanted 2
      3 | 0,3,0.3
        |   ^
  [2]
  $ printf 'trial,epoch,metric\n0,1,0.3\n0,1,0.3\n' > curves.csv; hetune validate run.yaml
  curves.csv:3:3: error: epoch: 1 of trial 0; wanted 2
      3 | 0,1,0.3
        |   ^
  [2]
  $ printf 'trial,epoch,metric\n0,1,0.3\n2,1,0.3\n' > curves.csv; hetune validate run.yaml
  curves.csv:3:1: error: trial: 2; trials are numbered from 0 without gaps, each with its epochs from 1
      3 | 2,1,0.3
        | ^
  [2]
  $ printf 'trial,epoch,metric\n0,1,0.3\n1,1,0.3\n0,2,0.3\n' > curves.csv; hetune validate run.yaml
  curves.csv:4:1: error: trial: 0; trials are numbered from 0 without gaps, each with its epochs from 1
      4 | 0,2,0.3
        | ^
  [2]
  $ printf 'trial,epoch,metric\n0,1,nan\n' > curves.csv; hetune validate run.yaml
  curves.csv:2:5: error: metric: 'nan' is not a number
      2 | 0,1,nan
        |     ^
  [2]
  $ printf 'trial,epoch,metric\n0,1,\n' > curves.csv; hetune validate run.yaml
  curves.csv:2:5: error: metric: empty; wanted a number
      2 | 0,1,
        |     ^
  [2]
  $ printf 'trial,epoch,metric\n0,1,-inf\n' > curves.csv; hetune validate run.yaml
  curves.csv:2:5: error: metric: '-inf' is not a number
      2 | 0,1,-inf
        |     ^
  [2]
  $ printf 'trial,epoch,metric\n0,1,0.1\n0,2,0.2\n0,1,0.3\n' > curves.csv; hetune validate run.yaml
  curves.csv:4:3: error: epoch: 1 of trial 0; wanted 3
      4 | 0,1,0.3
        |   ^
  [2]
  $ printf 'trial,epoch,metric\n0,1.5,0.1\n' > curves.csv; hetune validate run.yaml
  curves.csv:2:3: error: epoch: '1.5' is not a whole number
      2 | 0,1.5,0.1
        |   ^
  [2]
  $ printf '' > curves.csv; hetune validate run.yaml
  curves.csv:1:1: error: no line with the names of the columns
  [2]
  $ printf 'trial,epoch,metric,seconds\n0,1,0.1,\n' > curves.csv; hetune validate run.yaml
  run.yaml is fine: 6 GPUs in 3 nodes, 1 policy x 1 seed, 1 trial
  $ printf 'trial,epoch,metric\n-1,1,0.1\n' > curves.csv; hetune validate run.yaml
  curves.csv:2:1: error: trial: -1 is below the minimum, 0
      2 | -1,1,0.1
        | ^
  [2]
  $ printf 'trial,epoch,accuracy\n0,1,0.1\n' > curves.csv; hetune validate run.yaml
  curves.csv:1:1: error: column 'metric' is missing
      1 | trial,epoch,accuracy
        | ^
  [2]
  $ printf 'metric: accuracy\nbetter: up\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml; hetune validate run.yaml
  curves.yaml:2:9: error: better: 'up' is none of higher, lower
      2 | better: up
        |         ^
  [2]

Policies and predictors

  $ cp $ROOT/traces/philly_b1k.csv jobs.csv
  $ printf 'cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 8, count: 16}]}\ntrace: jobs.csv\npolicy: fifo\n' > run.yaml
  $ hetune validate run.yaml -s policy=fifoo
  -s:1:8: error: unknown policy 'fifoo' (did you mean 'fifo'?)
      1 | policy=fifoo
        |        ^
  [2]
  $ hetune validate run.yaml -s 'policy=fifo[skip_ahed=true]'
  -s:1:13: error: unknown key 'skip_ahed' in policy fifo (did you mean 'skip_ahead'?)
      1 | policy=fifo[skip_ahed=true]
        |             ^
  [2]
  $ hetune validate run.yaml -s 'policy=fifo[skip_ahead=maybe]'
  -s:1:24: error: skip_ahead: 'maybe' is neither true nor false
      1 | policy=fifo[skip_ahead=maybe]
        |                        ^
  [2]
  $ hetune validate run.yaml -s 'policy=fifo[skip_ahead]'
  -s:1:23: error: '=' is missing behind the name of a parameter; wanted NAME or NAME[param=value,...]
      1 | policy=fifo[skip_ahead]
        |                       ^
  [2]
  $ hetune validate run.yaml -s 'policy=fifo[]'
  -s:1:13: error: the name of a parameter is missing; wanted NAME or NAME[param=value,...]
      1 | policy=fifo[]
        |             ^
  [2]
  $ hetune validate run.yaml -s 'policy=fifo[skip_ahead=true'
  -s:1:28: error: ']' is missing behind the parameters; wanted NAME or NAME[param=value,...]
      1 | policy=fifo[skip_ahead=true
        |                            ^
  [2]
  $ hetune validate run.yaml -s 'policy=fifo[skip_ahead=true]]'
  -s:1:29: error: there is text behind the label; wanted NAME or NAME[param=value,...]
      1 | policy=fifo[skip_ahead=true]]
        |                             ^
  [2]
  $ hetune validate run.yaml -s 'policy=fifo[skip_ahead=true,skip_ahead=false]'
  -s:1:29: error: parameter 'skip_ahead' appears twice
      1 | policy=fifo[skip_ahead=true,skip_ahead=false]
        |                             ^
  [2]
  $ hetune validate run.yaml -s 'policy=las[quantum_s=0.5]'
  -s:1:22: error: quantum_s: 0.5 is below the minimum, 1
      1 | policy=las[quantum_s=0.5]
        |                      ^
  [2]
  $ hetune validate run.yaml -s 'policy=las[quantum_s=-60]'
  -s:1:22: error: quantum_s: -60 is below the minimum, 1
      1 | policy=las[quantum_s=-60]
        |                      ^
  [2]
  $ hetune validate run.yaml -s policy=
  -s:1:8: error: nothing; wanted NAME or NAME[param=value,...]
      1 | policy=
        |        ^
  [2]
  $ hetune validate run.yaml -s 'policy=[]'
  -s:1:8: error: policy: an empty list; wanted NAME[param=value,...] or a list of them
      1 | policy=[]
        |        ^
  [2]
  $ hetune validate run.yaml -s 'policy={a: b}'
  -s:1:8: error: policy: a map; wanted NAME[param=value,...] or a list of them
      1 | policy={a: b}
        |        ^
  [2]
  $ hetune validate run.yaml -s 'policy=[fifo, fifo]'
  -s:1:15: error: policy: 'fifo' is named twice
      1 | policy=[fifo, fifo]
        |               ^
  [2]
  $ hetune validate run.yaml -s predictor=exakt
  -s:1:11: error: unknown predictor 'exakt' (did you mean 'exact'?)
      1 | predictor=exakt
        |           ^
  [2]
  $ hetune validate run.yaml -s 'predictor=noisy[of=exakt]'
  -s:1:11: error: unknown predictor 'exakt' (did you mean 'exact'?)
      1 | predictor=noisy[of=exakt]
        |           ^
  [2]
  $ hetune validate run.yaml -s 'predictor=noisy[sigma=-1]'
  -s:1:23: error: sigma: -1 is below the minimum, 0
      1 | predictor=noisy[sigma=-1]
        |                       ^
  [2]
  $ hetune validate run.yaml -s 'predictor=reference_table[key=batch]'
  -s:1:31: error: key: 'batch' is none of model, model_batch
      1 | predictor=reference_table[key=batch]
        |                               ^
  [2]
  $ printf 'cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 8}]}\npolicy: fifo\n' > run.yaml; hetune validate run.yaml
  run.yaml:1:1: error: there is nothing to run: the run has neither a trace nor experiments
      1 | cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 8}]}
        | ^
  [2]
  $ printf 'cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 8}]}\ntrace: jobs.csv\n' > run.yaml; hetune validate run.yaml
  run.yaml:1:1: error: key 'policy' is missing in the run
      1 | cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 8}]}
        | ^
  [2]
  $ printf 'trace: jobs.csv\npolicy: fifo\n' > run.yaml; hetune validate run.yaml
  run.yaml:1:1: error: key 'cluster' is missing in the run
      1 | trace: jobs.csv
        | ^
  [2]
  $ printf 'cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 8}]}\ncost: {models: {}, fits: []}\ntrace: jobs.csv\nfidelity: step\npolicy: fifo\n' > run.yaml; hetune validate run.yaml
  run.yaml:4:11: error: fidelity: step needs a cluster with sharing
      4 | fidelity: step
        |           ^
  [2]
