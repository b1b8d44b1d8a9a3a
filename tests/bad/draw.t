Jobs that cannot be drawn
=========================

A small run that is fine; what follows spoils it.

  $ cat > run.yaml <<'END'
  > cluster:
  >   gpu_types: {fast: {memory_gib: 16}, slow: {memory_gib: 1}}
  >   nodes:
  >     - {type: fast, gpus: 2, count: 2}
  >     - {type: slow, gpus: 2}
  > cost:
  >   models:
  >     small: {parameters: 1e6, samples_per_epoch: 1000, batch: 100}
  >     large: {parameters: 1e9, samples_per_epoch: 1000, batch: 100, memory_fixed_mib: 1000, memory_per_sample_mib: 100}
  >   fits:
  >     - {model: small, gpu: fast, alpha_s: 0.1, beta_s: 0.001}
  >     - {model: small, gpu: slow, alpha_s: 0.2, beta_s: 0.002}
  >     - {model: large, gpu: fast, alpha_s: 0.2, beta_s: 0.002}
  > draw: draw.yaml
  > policy: fifo
  > END
  $ cat > draw.yaml <<'END'
  > about: two to four jobs
  > jobs: {from: 2, to: 4}
  > steps: {from: 10, to: 20}
  > gpus: [1, 2]
  > gpu_weights: [4, 2, 1, 1, 0, 0]
  > gap_s: 10
  > END
  $ hetune validate run.yaml
  run.yaml is fine: 6 GPUs in 3 nodes, 1 policy x 1 seed, 2 to 4 jobs drawn
  $ hetune validate run.yaml -s draw.jobs=3 -s draw.gpus=1 -s draw.models=small -s draw.gpu_weights=[]
  run.yaml is fine: 6 GPUs in 3 nodes, 1 policy x 1 seed, 3 jobs drawn

What there is

  $ hetune validate run.yaml -s draw=absent.yaml
  absent.yaml: cannot open: No such file or directory
  [3]
  $ hetune validate run.yaml -s draw=
  -s:1:6: error: nothing; wanted a map or the name of a file
      1 | draw=
        |      ^
  [2]
  $ hetune validate run.yaml -s 'draw=[1]'
  -s:1:6: error: the draw: a list; wanted a map
      1 | draw=[1]
        |      ^
  [2]
  $ hetune validate run.yaml -s draw.job=3
  -s:1:6: error: unknown key 'job' in the draw (did you mean 'jobs'?)
      1 | draw.job=3
        |      ^
  [2]
  $ hetune validate run.yaml -s 'draw={from: draw.yaml, gap: 3}'
  -s:1:24: error: unknown key 'gap' in the draw
      1 | draw={from: draw.yaml, gap: 3}
        |                        ^
  [2]
  $ hetune validate run.yaml -s 'draw={gap_s: 0}'
  -s:1:6: error: key 'jobs' is missing in the draw
      1 | draw={gap_s: 0}
        |      ^
  -s:1:6: error: key 'steps' is missing in the draw
      1 | draw={gap_s: 0}
        |      ^
  -s:1:6: error: key 'gpus' is missing in the draw
      1 | draw={gap_s: 0}
        |      ^
  [2]
  $ printf 'submit_s,gpus,duration_s\n' > jobs.csv; hetune validate run.yaml -s trace=jobs.csv
  draw.yaml:1:1: error: draw: the run has a trace, too; wanted one of them
      1 | about: two to four jobs
        | ^
  [2]

How many

  $ hetune validate run.yaml -s draw.jobs=0
  -s:1:11: error: jobs: 0 is below the minimum, 1
      1 | draw.jobs=0
        |           ^
  [2]
  $ hetune validate run.yaml -s draw.jobs=few
  -s:1:11: error: jobs: 'few' is not a whole number
      1 | draw.jobs=few
        |           ^
  [2]
  $ hetune validate run.yaml -s 'draw.jobs=[2, 4]'
  -s:1:11: error: jobs: a list; wanted a whole number or {from, to}
      1 | draw.jobs=[2, 4]
        |           ^
  [2]
  $ hetune validate run.yaml -s 'draw.jobs={from: 2}'
  -s:1:11: error: key 'to' is missing in the jobs of the draw
      1 | draw.jobs={from: 2}
        |           ^
  [2]
  $ hetune validate run.yaml -s 'draw.jobs={from: 2, until: 4}'
  -s:1:21: error: unknown key 'until' in the jobs of the draw
      1 | draw.jobs={from: 2, until: 4}
        |                     ^
  -s:1:11: error: key 'to' is missing in the jobs of the draw
      1 | draw.jobs={from: 2, until: 4}
        |           ^
  [2]
  $ hetune validate run.yaml -s draw.jobs=
  -s:1:11: error: jobs: nothing; wanted a whole number
      1 | draw.jobs=
        |           ^
  [2]
  $ hetune validate run.yaml -s draw.jobs.from=5
  draw.yaml:2:21: error: jobs: from 5 to 4; wanted no less than the first
      2 | jobs: {from: 2, to: 4}
        |                     ^
  [2]
  $ hetune validate run.yaml -s draw.jobs.to=5e9
  -s:1:14: error: to: '5e9' is not a whole number
      1 | draw.jobs.to=5e9
        |              ^
  [2]
  $ hetune validate run.yaml -s draw.jobs.to=5000000000
  -s:1:14: error: jobs: 5000000000 is above the maximum, 4294967294
      1 | draw.jobs.to=5000000000
        |              ^
  [2]
  $ hetune validate run.yaml -s draw.steps.from=0
  -s:1:17: error: from: 0 is below the minimum, 1
      1 | draw.steps.from=0
        |                 ^
  [2]
  $ hetune validate run.yaml -s draw.steps=1000000000000001
  -s:1:12: error: steps: 1000000000000001 is above the maximum, 1e15
      1 | draw.steps=1000000000000001
        |            ^
  [2]
  $ hetune validate run.yaml -s draw.gap_s=-1
  -s:1:12: error: gap_s: -1 is below the minimum, 0
      1 | draw.gap_s=-1
        |            ^
  [2]
  $ hetune validate run.yaml -s draw.batch=-1
  -s:1:12: error: batch: -1 is below the minimum, 0
      1 | draw.batch=-1
        |            ^
  [2]

Which

  $ hetune validate run.yaml -s draw.models=smal
  -s:1:13: error: model: unknown model 'smal' (did you mean 'small'?)
      1 | draw.models=smal
        |             ^
  [2]
  $ hetune validate run.yaml -s 'draw.models=[small, [large]]'
  -s:1:21: error: models: a list; wanted a DL model
      1 | draw.models=[small, [large]]
        |                     ^
  [2]
  $ hetune validate run.yaml -s 'draw.models={small: 1}'
  -s:1:13: error: models: a map; wanted a value or a list of values
      1 | draw.models={small: 1}
        |             ^
  [2]
  $ hetune validate run.yaml -s 'draw.models=[]'
  -s:1:13: error: models: an empty list; wanted a value or a list of values
      1 | draw.models=[]
        |             ^
  [2]
  $ hetune validate run.yaml -s draw.batch=400
  draw.yaml:1:1: error: draw: no GPU type of the cluster can run large with batch 400 on 1 GPU
      1 | about: two to four jobs
        | ^
  [2]
  $ hetune validate run.yaml -s draw.batch=1 -s draw.models=small
  draw.yaml:1:1: error: draw: no GPU type of the cluster can run small with batch 1 on 2 GPUs
      1 | about: two to four jobs
        | ^
  [2]

On which GPUs

  $ hetune validate run.yaml -s 'draw.gpus=[]'
  -s:1:11: error: gpus: an empty list; wanted a value or a list of values
      1 | draw.gpus=[]
        |           ^
  [2]
  $ hetune validate run.yaml -s 'draw.gpus={from: 1, to: 2}'
  -s:1:11: error: gpus: a map; wanted a value or a list of values
      1 | draw.gpus={from: 1, to: 2}
        |           ^
  [2]
  $ hetune validate run.yaml -s draw.gpus=0
  -s:1:11: error: gpus: 0 is below the minimum, 1
      1 | draw.gpus=0
        |           ^
  [2]
  $ hetune validate run.yaml -s 'draw.gpus=[1, two]'
  -s:1:15: error: gpus: 'two' is not a whole number
      1 | draw.gpus=[1, two]
        |               ^
  [2]
  $ hetune validate run.yaml -s 'draw.gpus=[4, 5]'
  -s:1:15: error: gpus: 5 can never be had: the cluster has at most 4 GPUs of one type
      1 | draw.gpus=[4, 5]
        |               ^
  [2]
  $ hetune validate run.yaml -s draw.gpu_weights=1
  -s:1:18: error: gpu_weights: a text; wanted a list of numbers
      1 | draw.gpu_weights=1
        |                  ^
  [2]
  $ hetune validate run.yaml -s 'draw.gpu_weights=[1, 1, 1]'
  -s:1:18: error: gpu_weights: 3; the cluster has 6 GPUs
      1 | draw.gpu_weights=[1, 1, 1]
        |                  ^
  [2]
  $ hetune validate run.yaml -s 'draw.gpu_weights=[1, 1, 1, 1, 1, -1]'
  -s:1:34: error: gpu_weights: -1 is below the minimum, 0
      1 | draw.gpu_weights=[1, 1, 1, 1, 1, -1]
        |                                  ^
  [2]
  $ hetune validate run.yaml -s 'draw.gpu_weights=[1, 0, 0, 0, 0, 0]'
  -s:1:18: error: gpu_weights: 1 GPU has a weight above 0; a job wants 2
      1 | draw.gpu_weights=[1, 0, 0, 0, 0, 0]
        |                  ^
  [2]
  $ hetune validate run.yaml -s 'draw.gpu_weights=[0, 0, 0, 0, 0, 0]'
  -s:1:18: error: gpu_weights: 0 GPUs have a weight above 0; a job wants 1
      1 | draw.gpu_weights=[0, 0, 0, 0, 0, 0]
        |                  ^
  [2]
  $ hetune validate run.yaml -s 'cluster.nodes.0.count=33' -s "draw.gpu_weights=[$(printf '1,%.0s' $(seq 68))]"
  -s:2:18: error: gpu_weights: 68; wanted at most 64
      2 | draw.gpu_weights=[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,...
        |                  ^
  [2]

Whose batch it is

  $ hetune validate run.yaml -s draw.batch_of=gpu
  run.yaml is fine: 6 GPUs in 3 nodes, 1 policy x 1 seed, 2 to 4 jobs drawn
  $ hetune validate run.yaml -s draw.batch_of=node
  -s:1:15: error: batch_of: 'node' is none of job, gpu
      1 | draw.batch_of=node
        |               ^
  [2]
  $ hetune validate run.yaml -s draw.batch_of=gpu -s draw.batch=8388608
  draw.yaml:1:1: error: draw: a batch of 16777216 for small on 2 GPUs; wanted at most 8388608
      1 | about: two to four jobs
        | ^
  [2]
  $ hetune validate run.yaml -s draw.batch_of=gpu -s draw.models=large -s draw.batch=200
  draw.yaml:1:1: error: draw: no GPU type of the cluster can run large with batch 200 on 1 GPU
      1 | about: two to four jobs
        | ^
  [2]

Every GPU that may be asked for must be able to run them, and every pair of them must be measured

  $ hetune validate run.yaml -s draw.models=large -s draw.gpus=1 -s draw.gpu_weights='[1,0,0,0,1,0]'
  draw.yaml:1:1: error: gpu_weights: the cost model knows no step time of large on GPU 4 (slow)
      1 | about: two to four jobs
        | ^
  [2]
  $ hetune validate run.yaml -s draw.models=small -s draw.gpus=1 -s draw.gpu_weights='[1,0,0,0,1,0]'
  run.yaml is fine: 6 GPUs in 3 nodes, 1 policy x 1 seed, 2 to 4 jobs drawn
  $ hetune validate run.yaml -s draw.models=large -s draw.gpus=1 -s draw.gpu_weights='[1,0,0,0,1,0]' -s cost.fits.1.model=large -s cost.fits.0.model=none
  draw.yaml:1:1: error: gpu_weights: an even share, 100 samples of large, does not fit the memory of GPU 4 (slow)
      1 | about: two to four jobs
        | ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing='{residents: 2, contention: pairs, pairs: []}' -s policy=even_split -s draw.models=small -s draw.gpu_weights='[1,1,0,0,0,0]'
  draw.yaml:1:1: error: unknown contention pair without a default: small beside small on fast; `pairs` or pair_default must say how fast it is
      1 | about: two to four jobs
        | ^
  [2]
