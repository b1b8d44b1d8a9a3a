Shared GPUs that are not described as they must be
==================================================

  $ cat > run.yaml <<'END'
  > cluster:
  >   gpu_types: {g: {memory_gib: 12}, h: {}}
  >   nodes: [{type: g, gpus: 1}, {type: h, gpus: 1}]
  >   sharing: {residents: 2, contention: pairs, pairs: pairs.csv}
  > cost:
  >   models:
  >     a: {parameters: 1, samples_per_epoch: 10, batch: 1}
  >     b: {parameters: 1, samples_per_epoch: 10, batch: 1}
  >     c: {parameters: 1, samples_per_epoch: 10, batch: 1}
  >   fits:
  >     - {model: a, gpu: g, alpha_s: 1, beta_s: 0}
  >     - {model: b, gpu: g, alpha_s: 1, beta_s: 0}
  >     - {model: c, gpu: h, alpha_s: 1, beta_s: 0}
  > trace: jobs.csv
  > policy: even_split
  > END
  $ cat > pairs.csv <<'END'
  > model,other,gpu,stack,speed
  > a,a,g,one,0.5
  > a,b,g,one,0.5
  > b,a,g,one,0.5
  > b,b,g,one,0.5
  > c,c,h,one,0.5
  > END
  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,a,1,1\n1,1,b,1,1\n2,1,a,1,1\n3,1,c,1,1\n' > jobs.csv
  $ hetune validate run.yaml
  run.yaml is fine: 2 GPUs in 2 nodes, 1 policy x 1 seed, 4 jobs

Keys

  $ hetune validate run.yaml -s cluster.sharing.contention=pair
  -s:1:28: error: unknown contention 'pair' (did you mean 'pairs'?)
      1 | cluster.sharing.contention=pair
        |                            ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.rates=mean
  -s:1:23: error: rates: 'mean' is none of arrival, duty
      1 | cluster.sharing.rates=mean
        |                       ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.pair=pairs.csv
  -s:1:17: error: unknown key 'pair' in the sharing (did you mean 'pairs'?)
      1 | cluster.sharing.pair=pairs.csv
        |                 ^
  [2]
  $ hetune validate run.yaml -s 'cluster.sharing={residents: 2, pairs: pairs.csv}'
  -s:1:39: error: pairs: to be used they need `contention: pairs`
      1 | cluster.sharing={residents: 2, pairs: pairs.csv}
        |                                       ^
  [2]
  $ hetune validate run.yaml -s 'cluster.sharing={residents: 2, slices: pairs.csv}'
  -s:1:40: error: slices: to be used they need `contention: partition`
      1 | cluster.sharing={residents: 2, slices: pairs.csv}
        |                                        ^
  [2]
  $ hetune validate run.yaml -s 'cluster.sharing={residents: 2, contention: pairs}'
  -s:1:17: error: key 'pairs' is missing in the sharing: contention pairs needs it
      1 | cluster.sharing={residents: 2, contention: pairs}
        |                 ^
  [2]
  $ hetune validate run.yaml -s 'cluster.sharing={residents: 2, contention: partition}'
  -s:1:17: error: key 'slices' is missing in the sharing: contention partition needs it
      1 | cluster.sharing={residents: 2, contention: partition}
        |                 ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.pair_default=0
  -s:1:30: error: pair_default: 0 is below the minimum, 0.001
      1 | cluster.sharing.pair_default=0
        |                              ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.pair_default=half
  -s:1:30: error: pair_default: 'half' is not a number
      1 | cluster.sharing.pair_default=half
        |                              ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.slice_default=3
  -s:1:31: error: slice_default: 3 is above the maximum, 2
      1 | cluster.sharing.slice_default=3
        |                               ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.pair_stacks=one
  -s:1:29: error: pair_stacks: a text; wanted a list of names
      1 | cluster.sharing.pair_stacks=one
        |                             ^
  [2]
  $ hetune validate run.yaml -s 'cluster.sharing.pair_stacks=[[one]]'
  -s:1:30: error: pair_stacks: a list; wanted a name
      1 | cluster.sharing.pair_stacks=[[one]]
        |                              ^
  [2]
  $ hetune validate run.yaml -s 'cluster.sharing.pairs={a: 1}'
  -s:1:23: error: pairs: a map; wanted a file or a list
      1 | cluster.sharing.pairs={a: 1}
        |                       ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.pairs=absent.csv
  absent.csv: cannot open: No such file or directory
  [3]

Rows

  $ hetune validate run.yaml -s 'cluster.sharing.pairs=[{model: a, other: b, gpu: g, speed: 0.5}, {model: a, other: b, gpu: g, speed: 0.6}]'
  -s:1:66: error: a second speed of a beside b on g: `pair_stacks` must say which counts
      1 | cluster.sharing.pairs=[{model: a, other: b, gpu: g, speed: 0.5}, {model: a, other: b, gpu: g, speed:...
        |                                                                  ^
  [2]
  $ (cat pairs.csv; echo 'a,b,g,two,0.6'; echo 'a,b,g,two,0.7') > twice.csv
  $ hetune validate run.yaml -s cluster.sharing.pairs=twice.csv -s 'cluster.sharing.pair_stacks=[two, one]'
  twice.csv:8:1: error: a second speed of a beside b on g from stack two: `pair_stacks` must say which counts
      8 | a,b,g,two,0.7
        | ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.pairs=twice.csv -s 'cluster.sharing.pair_stacks=[one]'
  run.yaml is fine: 2 GPUs in 2 nodes, 1 policy x 1 seed, 4 jobs
  $ hetune validate run.yaml -s 'cluster.sharing.pairs=[{model: a, other: b, gpu: g, speed: 2.5}, {model: a, gpu: g, speed: 1}]'
  -s:1:60: error: speed: 2.5 is above the maximum, 2
      1 | cluster.sharing.pairs=[{model: a, other: b, gpu: g, speed: 2.5}, {model: a, gpu: g, speed: 1}]
        |                                                            ^
  -s:1:66: error: key 'other' is missing in pairs
      1 | cluster.sharing.pairs=[{model: a, other: b, gpu: g, speed: 2.5}, {model: a, gpu: g, speed: 1}]
        |                                                                  ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.contention=partition -s 'cluster.sharing.slices=[{model: a, gpu: g, slices: 2, speed: 0.5}, {model: a, gpu: g, slices: 2, speed: 0.5}]'
  -s:2:68: error: a second speed of a on one of 2 slices of g
      2 | cluster.sharing.slices=[{model: a, gpu: g, slices: 2, speed: 0.5}, {model: a, gpu: g, slices: 2, spe...
        |                                                                    ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.contention=partition -s 'cluster.sharing.slices=[{model: a, gpu: g, slices: 65, speed: 0.5}]'
  -s:2:52: error: slices: 65 is above the maximum, 64
      2 | cluster.sharing.slices=[{model: a, gpu: g, slices: 65, speed: 0.5}]
        |                                                    ^
  [2]

Pairs that the jobs need: each model beside itself and beside those before it, both ways, on each GPU type where both
can run. A model is complained of once.

  $ grep -v b,a pairs.csv > less.csv
  $ hetune validate run.yaml -s cluster.sharing.pairs=less.csv
  jobs.csv:3:5: error: unknown contention pair without a default: b beside a on g; `pairs` or pair_default must say how fast it is
      3 | 1,1,b,1,1
        |     ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.pairs=less.csv -s cluster.sharing.pair_default=1
  run.yaml is fine: 2 GPUs in 2 nodes, 1 policy x 1 seed, 4 jobs
  $ grep -v c,c pairs.csv > less.csv
  $ hetune validate run.yaml -s cluster.sharing.pairs=less.csv
  jobs.csv:5:5: error: unknown contention pair without a default: c beside c on h; `pairs` or pair_default must say how fast it is
      5 | 3,1,c,1,1
        |     ^
  [2]
  $ hetune run run.yaml -s cluster.sharing.pairs=less.csv -o out
  jobs.csv:5:5: error: unknown contention pair without a default: c beside c on h; `pairs` or pair_default must say how fast it is
      5 | 3,1,c,1,1
        |     ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.pairs=less.csv -s cluster.sharing.residents=1
  run.yaml is fine: 2 GPUs in 2 nodes, 1 policy x 1 seed, 4 jobs
  $ hetune validate run.yaml -s 'cluster.sharing.pairs=[]'
  jobs.csv:2:5: error: unknown contention pair without a default: a beside a on g; `pairs` or pair_default must say how fast it is
      2 | 0,1,a,1,1
        |     ^
  jobs.csv:3:5: error: unknown contention pair without a default: b beside a on g; `pairs` or pair_default must say how fast it is
      3 | 1,1,b,1,1
        |     ^
  jobs.csv:5:5: error: unknown contention pair without a default: c beside c on h; `pairs` or pair_default must say how fast it is
      5 | 3,1,c,1,1
        |     ^
  [2]
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ printf 'trial,epoch,metric\n0,1,0.2\n1,1,0.5\n' > curves.csv
  $ study='experiments=[{name: study, curves: curves.yaml, model: b}]'
  $ grep -v a,b pairs.csv > less.csv; grep -v trace run.yaml > study.yaml
  $ hetune validate study.yaml -s "$study" -s cluster.sharing.pairs=less.csv
  study.yaml is fine: 2 GPUs in 2 nodes, 1 policy x 1 seed, 2 trials
  $ hetune validate run.yaml -s "$study" -s cluster.sharing.pairs=less.csv
  jobs.csv:2:5: error: unknown contention pair without a default: a beside b on g; `pairs` or pair_default must say how fast it is
      2 | 0,1,a,1,1
        |     ^
  [2]
  $ hetune validate study.yaml -s "$study" -s 'experiments.0.model=[a, b]' -s cluster.sharing.pairs=less.csv
  -s:1:14: error: unknown contention pair without a default: a beside b on g; `pairs` or pair_default must say how fast it is
      1 | experiments=[{name: study, curves: curves.yaml, model: b}]
        |              ^
  [2]

Jobs given by duration

  $ printf 'submit_s,gpus,duration_s\n0,1,5\n1,1,6\n' > plain.csv
  $ one='cluster={gpu_types: {g: {}}, nodes: [{type: g, gpus: 1}], sharing: {residents: 2, contention: pairs, pairs: []}}'
  $ hetune validate run.yaml -s "$one" -s trace=plain.csv
  plain.csv:2:5: error: unknown contention pair without a default: jobs given by duration on g; pair_default must say how fast they are beside others
      2 | 0,1,5
        |     ^
  [2]
  $ hetune validate run.yaml -s "$one" -s trace=plain.csv -s cluster.sharing.pair_default=0.5
  run.yaml is fine: 1 GPU in 1 node, 1 policy x 1 seed, 2 jobs
  $ hetune validate run.yaml -s "$one" -s trace=plain.csv -s cluster.sharing.contention=partition -s cluster.sharing.slices=[] -s cluster.sharing.slice_default=0.5
  plain.csv:2:5: error: a duration says nothing of slices of a GPU, and this cluster's are cut into 2; give model, batch and epochs
      2 | 0,1,5
        |     ^
  [2]

Slices

  $ slices='cluster.sharing.slices=[{model: a, gpu: g, slices: 2, speed: 0.5}, {model: b, gpu: g, slices: 3, speed: 0.5}, {model: c, gpu: g, slices: 2, speed: 0.5}]'
  $ hetune validate run.yaml -s cluster.sharing.contention=partition -s "$slices"
  jobs.csv:3:5: error: unknown speed of b on one of 2 slices of g; `slices` or slice_default must say it
      3 | 1,1,b,1,1
        |     ^
  jobs.csv:5:5: error: unknown speed of c on one of 2 slices of h; `slices` or slice_default must say it
      5 | 3,1,c,1,1
        |     ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.contention=partition -s "$slices" -s cluster.sharing.slice_default=0.5
  run.yaml is fine: 2 GPUs in 2 nodes, 1 policy x 1 seed, 4 jobs
