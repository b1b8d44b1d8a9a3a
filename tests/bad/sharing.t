Clusters that cannot be shared so
=================================

  $ cat > run.yaml <<'END'
  > cluster:
  >   gpu_types: {fast: {memory_gib: 16, eta: 0.5}, slow: {}}
  >   sharing: {residents: 4}
  >   nodes: [{type: fast, gpus: 2}, {type: slow, gpus: 2}]
  > cost:
  >   models:
  >     small: {parameters: 1e6, samples_per_epoch: 1000, batch: 100}
  >     large: {parameters: 1e9, samples_per_epoch: 1000, batch: 100, memory_fixed_mib: 1024, memory_per_sample_mib: 256}
  >   fits:
  >     - {model: small, gpu: fast, alpha_s: 0.1, beta_s: 0.001, gap_s: 0.1}
  >     - {model: small, gpu: slow, alpha_s: 0.2, beta_s: 0.002}
  >     - {model: large, gpu: fast, alpha_s: 0.2, beta_s: 0.002}
  > trace: jobs.csv
  > policy: even_split
  > END
  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,small,100,1\n' > jobs.csv
  $ hetune validate run.yaml
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 1 job

What a GPU holds

  $ hetune validate run.yaml -s cluster.sharing=4
  -s:1:17: error: the sharing: a text; wanted a map
      1 | cluster.sharing=4
        |                 ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing='[4]'
  -s:1:17: error: the sharing: a list; wanted a map
      1 | cluster.sharing=[4]
        |                 ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing='{}'
  -s:1:17: error: key 'residents' is missing in the sharing
      1 | cluster.sharing={}
        |                 ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.residents=0
  -s:1:27: error: residents: 0 is below the minimum, 1
      1 | cluster.sharing.residents=0
        |                           ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.residents=-1
  -s:1:27: error: residents: -1 is below the minimum, 1
      1 | cluster.sharing.residents=-1
        |                           ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.residents=65
  -s:1:27: error: residents: 65 is above the maximum, 64
      1 | cluster.sharing.residents=65
        |                           ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.residents=two
  -s:1:27: error: residents: 'two' is not a whole number
      1 | cluster.sharing.residents=two
        |                           ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.residents=2.5
  -s:1:27: error: residents: '2.5' is not a whole number
      1 | cluster.sharing.residents=2.5
        |                           ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.resident=2
  -s:1:17: error: unknown key 'resident' in the sharing (did you mean 'residents'?)
      1 | cluster.sharing.resident=2
        |                 ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.rounds=0
  -s:1:24: error: rounds: 0 is below the minimum, 1
      1 | cluster.sharing.rounds=0
        |                        ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.rounds=many
  -s:1:24: error: rounds: 'many' is not a whole number
      1 | cluster.sharing.rounds=many
        |                        ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing='{residents: 1}'
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 1 job
  $ hetune validate run.yaml -s cluster.sharing='{residents: 64}'
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 1 job

How they slow each other

  $ hetune validate run.yaml -s cluster.sharing.contention=processor_shering
  -s:1:28: error: unknown contention 'processor_shering' (did you mean 'processor_sharing'?)
      1 | cluster.sharing.contention=processor_shering
        |                            ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.contention=timeslice
  -s:1:28: error: unknown contention 'timeslice' (did you mean 'time_slice'?)
      1 | cluster.sharing.contention=timeslice
        |                            ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.contention=
  -s:1:28: error: contention: nothing; wanted a text
      1 | cluster.sharing.contention=
        |                            ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.contention='[time_slice]'
  -s:1:28: error: contention: a list; wanted a text
      1 | cluster.sharing.contention=[time_slice]
        |                            ^
  [2]
  $ hetune validate run.yaml -s cluster.sharing.contention=magic -s cluster.sharing.residents=1
  -s:1:28: error: unknown contention 'magic'
      1 | cluster.sharing.contention=magic
        |                            ^
  [2]
  $ hetune validate run.yaml -s cluster.gpu_types.fast.eta=-0.1
  -s:1:28: error: eta: -0.1 is below the minimum, 0
      1 | cluster.gpu_types.fast.eta=-0.1
        |                            ^
  [2]
  $ hetune validate run.yaml -s cluster.gpu_types.fast.eta=11
  -s:1:28: error: eta: 11 is above the maximum, 10
      1 | cluster.gpu_types.fast.eta=11
        |                            ^
  [2]
  $ hetune validate run.yaml -s cluster.gpu_types.fast.eta=nan
  -s:1:28: error: eta: 'nan' is not a number
      1 | cluster.gpu_types.fast.eta=nan
        |                            ^
  [2]
  $ hetune validate run.yaml -s cluster.gpu_types.fast.eta=much
  -s:1:28: error: eta: 'much' is not a number
      1 | cluster.gpu_types.fast.eta=much
        |                            ^
  [2]
  $ hetune validate run.yaml -s cost.fits.0.gap_s=-0.1
  -s:1:19: error: gap_s: -0.1 is below the minimum, 0
      1 | cost.fits.0.gap_s=-0.1
        |                   ^
  [2]
  $ hetune validate run.yaml -s cost.fits.0.gap_s=inf
  -s:1:19: error: gap_s: 'inf' is not a number
      1 | cost.fits.0.gap_s=inf
        |                   ^
  [2]
  $ hetune validate run.yaml -s cost.fits.0.gap=0.1
  -s:1:13: error: unknown key 'gap' in fits
      1 | cost.fits.0.gap=0.1
        |             ^
  [2]

How they are run

  $ hetune validate run.yaml -s overheads.replica_s=-1
  -s:1:21: error: replica_s: -1 is below the minimum, 0
      1 | overheads.replica_s=-1
        |                     ^
  [2]
  $ hetune validate run.yaml -s overheads.replica_s=soon
  -s:1:21: error: replica_s: 'soon' is not a time in seconds, as in 90 or 0.5
      1 | overheads.replica_s=soon
        |                     ^
  [2]
  $ hetune validate run.yaml -s fidelity=exact
  -s:1:10: error: fidelity: 'exact' is none of fluid, step
      1 | fidelity=exact
        |          ^
  [2]
  $ hetune validate run.yaml -s step_jitter=-0.1
  -s:1:13: error: step_jitter: -0.1 is below the minimum, 0
      1 | step_jitter=-0.1
        |             ^
  [2]
  $ hetune validate run.yaml -s step_jitter=x
  -s:1:13: error: step_jitter: 'x' is not a number
      1 | step_jitter=x
        |             ^
  [2]
  $ hetune validate run.yaml -s alone=same
  -s:1:7: error: alone: 'same' is none of same_split, best_split
      1 | alone=same
        |       ^
  [2]
  $ hetune validate run.yaml -s alone=best_split
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 1 job

GPUs that a job is wanted on

  $ on() { printf 'submit_s,gpus,model,batch,epochs,on\n0,%s,small,100,1,%s\n' "$1" "$2" > jobs.csv; hetune validate run.yaml; }
  $ on 2 0+1
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 1 job
  $ on 2 ''
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 1 job
  $ on 1 4
  jobs.csv:2:17: error: on: '4'; wanted different GPUs of 0 to 3, as in 0+2
      2 | 0,1,small,100,1,4
        |                 ^
  [2]
  $ on 1 -1
  jobs.csv:2:17: error: on: '-1'; wanted different GPUs of 0 to 3, as in 0+2
      2 | 0,1,small,100,1,-1
        |                 ^
  [2]
  $ on 1 1.5
  jobs.csv:2:17: error: on: '1.5'; wanted different GPUs of 0 to 3, as in 0+2
      2 | 0,1,small,100,1,1.5
        |                 ^
  [2]
  $ on 1 x
  jobs.csv:2:17: error: on: 'x'; wanted different GPUs of 0 to 3, as in 0+2
      2 | 0,1,small,100,1,x
        |                 ^
  [2]
  $ on 1 ' 1'
  jobs.csv:2:17: error: on: ' 1'; wanted different GPUs of 0 to 3, as in 0+2
      2 | 0,1,small,100,1, 1
        |                 ^
  [2]
  $ on 2 0+0
  jobs.csv:2:17: error: on: '0+0'; wanted different GPUs of 0 to 3, as in 0+2
      2 | 0,2,small,100,1,0+0
        |                 ^
  [2]
  $ on 2 0+
  jobs.csv:2:17: error: on: '0+'; wanted different GPUs of 0 to 3, as in 0+2
      2 | 0,2,small,100,1,0+
        |                 ^
  [2]
  $ on 2 +1
  jobs.csv:2:17: error: on: '+1'; wanted different GPUs of 0 to 3, as in 0+2
      2 | 0,2,small,100,1,+1
        |                 ^
  [2]
  $ on 2 0++1
  jobs.csv:2:17: error: on: '0++1'; wanted different GPUs of 0 to 3, as in 0+2
      2 | 0,2,small,100,1,0++1
        |                 ^
  [2]
  $ on 2 0-1
  jobs.csv:2:17: error: on: '0-1'; wanted different GPUs of 0 to 3, as in 0+2
      2 | 0,2,small,100,1,0-1
        |                 ^
  [2]
  $ on 2 0
  jobs.csv:2:17: error: on: 1 GPU for a job that wants 2
      2 | 0,2,small,100,1,0
        |                 ^
  [2]
  $ on 1 0+1
  jobs.csv:2:17: error: on: 2 GPUs for a job that wants 1
      2 | 0,1,small,100,1,0+1
        |                 ^
  [2]
  $ on 1 18446744073709551616
  jobs.csv:2:17: error: on: '18446744073709551616'; wanted different GPUs of 0 to 3, as in 0+2
      2 | 0,1,small,100,1,18446744073709551616
        |                 ^
  [2]
  $ on 1 0000000000000000000000000000000000000000000000000000000000000000x
  jobs.csv:2:17: error: on: '0000000000000000000000000000000000000000'; wanted different GPUs of 0 to 3, as in 0+2
      2 | 0,1,small,100,1,0000000000000000000000000000000000000000000000000000000000000000x
        |                 ^
  [2]

Memory that can never be had, and what can

  $ job() { printf 'submit_s,gpus,model,batch,epochs\n0,%s,large,%s,1\n' "$1" "$2" > jobs.csv; hetune validate run.yaml; }
  $ job 1 60
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 1 job
  $ job 1 61
  jobs.csv:2:11: error: batch: 61 samples of large on 1 GPU do not fit the memory of any GPU type of this cluster
      2 | 0,1,large,61,1
        |           ^
  [2]
  $ job 2 120
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 1 job
  $ job 2 121
  jobs.csv:2:11: error: batch: 121 samples of large on 2 GPUs do not fit the memory of any GPU type of this cluster
      2 | 0,2,large,121,1
        |           ^
  [2]

Where it is wanted it must be able to run in even shares, which is how policies begin: on two GPUs with room for 60 and 28
samples a job of 88 cannot

  $ at() { printf 'submit_s,gpus,model,batch,epochs,on\n0,2,large,%s,1,%s\n' "$1" "$2" > jobs.csv; hetune validate run.yaml "${@:3}"; }
  $ at 120 0+1
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 1 job
  $ at 120 1+2
  jobs.csv:2:17: error: on: the cost model knows no step time of large on GPU 2 (slow)
      2 | 0,2,large,120,1,1+2
        |                 ^
  [2]
  $ at 88 1+2 -s cost.fits.1.model=large -s cluster.gpu_types.slow.memory_gib=8
  jobs.csv:2:16: error: on: an even share, 44 samples of large, does not fit the memory of GPU 2 (slow)
      2 | 0,2,large,88,1,1+2
        |                ^
  [2]
  $ at 89 1+2 -s cost.fits.1.model=large -s cluster.gpu_types.slow.memory_gib=8
  jobs.csv:2:16: error: on: an even share, 45 samples of large, does not fit the memory of GPU 2 (slow)
      2 | 0,2,large,89,1,1+2
        |                ^
  [2]
  $ at 88 1+2 -s cost.fits.1.model=large -s cluster.gpu_types.slow.memory_gib=1
  jobs.csv:2:16: error: on: an even share, 44 samples of large, does not fit the memory of GPU 2 (slow)
      2 | 0,2,large,88,1,1+2
        |                ^
  [2]
