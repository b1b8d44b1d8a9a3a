Traces that cannot be
=====================

  $ cat > run.yaml <<'END'
  > cluster: {gpu_types: {gpu: {memory_gib: 16}}, nodes: [{type: gpu, gpus: 2, count: 2}]}
  > cost:
  >   models:
  >     small: {parameters: 1e6, samples_per_epoch: 1000, batch: 100}
  >     other: {parameters: 1e6, samples_per_epoch: 1000, batch: 100}
  >   fits:
  >     - {model: small, gpu: gpu, alpha_s: 0.1, beta_s: 0.001}
  > trace: jobs.csv
  > policy: fifo
  > END
  $ try() { printf "$@" > jobs.csv; hetune validate run.yaml; }

Jobs with a duration

  $ try 'submit_s,gpus,duration_s\n0,1,60\n'
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 1 job
  $ try 'submit_s,gpus\n0,1\n'
  jobs.csv:1:1: error: column 'duration_s' is missing
      1 | submit_s,gpus
        | ^
  [2]
  $ try 'submit,gpus,duration\n0,1,60\n'
  jobs.csv:1:1: error: column 'submit_s' is missing (is it 'submit'?)
      1 | submit,gpus,duration
        | ^
  jobs.csv:1:1: error: column 'duration_s' is missing (is it 'duration'?)
      1 | submit,gpus,duration
        | ^
  [2]
  $ try 'submit_s,gpus,duration_s\n10,1,60\n9,1,60\n'
  jobs.csv:3:1: error: submit_s: earlier than the row before; rows must be in order of submission
      3 | 9,1,60
        | ^
  [2]
  $ try 'submit_s,gpus,duration_s\n-1,1,60\n'
  jobs.csv:2:1: error: submit_s: -1 is below the minimum, 0
      2 | -1,1,60
        | ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,0,60\n'
  jobs.csv:2:3: error: gpus: 0 is below the minimum, 1
      2 | 0,0,60
        |   ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,-1,60\n'
  jobs.csv:2:3: error: gpus: -1 is below the minimum, 1
      2 | 0,-1,60
        |   ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,5,60\n'
  jobs.csv:2:3: error: gpus: 5 can never be had: the cluster has at most 4 GPUs of one type
      2 | 0,5,60
        |   ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,1.5,60\n'
  jobs.csv:2:3: error: gpus: '1.5' is not a whole number
      2 | 0,1.5,60
        |   ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,1,0\n'
  jobs.csv:2:5: error: duration_s: 0 is below the minimum, 0.000000001
      2 | 0,1,0
        |     ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,1,-60\n'
  jobs.csv:2:5: error: duration_s: -60 is below the minimum, 0.000000001
      2 | 0,1,-60
        |     ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,1,\n'
  jobs.csv:2:5: error: duration_s: empty; wanted a time in seconds
      2 | 0,1,
        |     ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,1,1e3\n'
  jobs.csv:2:5: error: duration_s: '1e3' is not a time in seconds, as in 90 or 0.5
      2 | 0,1,1e3
        |     ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,1,inf\n'
  jobs.csv:2:5: error: duration_s: 'inf' is not a time in seconds, as in 90 or 0.5
      2 | 0,1,inf
        |     ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,1,0x10\n'
  jobs.csv:2:5: error: duration_s: '0x10' is not a time in seconds, as in 90 or 0.5
      2 | 0,1,0x10
        |     ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,1, 60\n'
  jobs.csv:2:5: error: duration_s: ' 60' is not a time in seconds, as in 90 or 0.5
      2 | 0,1, 60
        |     ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,1,0.0000000001\n'
  jobs.csv:2:5: error: duration_s: 0.0000000001 is finer than a nanosecond
      2 | 0,1,0.0000000001
        |     ^
  [2]
  $ try 'submit_s,gpus,duration_s\n0,1,4611686019\n'
  jobs.csv:2:5: error: duration_s: 4611686019 is too large
      2 | 0,1,4611686019
        |     ^
  [2]
  $ try 'submit_s,gpus,duration_s\n4611686018,1,4611686018\n'
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 1 job
  $ try 'submit_s,gpus,duration_s\n18446744073709551616,1,60\n'
  jobs.csv:2:1: error: submit_s: 18446744073709551616 is too large
      2 | 18446744073709551616,1,60
        | ^
  [2]
  $ try 'submit_s,gpus,duration_s,job_id\n0,1,60,%065d\n' 7
  jobs.csv:2:8: error: job_id: 65 bytes; wanted at most 64
      2 | 0,1,60,00000000000000000000000000000000000000000000000000000000000000007
        |        ^
  [2]
  $ try 'submit_s,gpus,duration_s\n5,9,60\n4,1,x\n'
  jobs.csv:2:3: error: gpus: 9 can never be had: the cluster has at most 4 GPUs of one type
      2 | 5,9,60
        |   ^
  jobs.csv:3:1: error: submit_s: earlier than the row before; rows must be in order of submission
      3 | 4,1,x
        | ^
  [2]

Jobs that train a model

  $ try 'submit_s,gpus,model,batch,epochs\n0,1,small,100,2\n'
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 1 job
  $ try 'submit_s,gpus,model,batch\n0,1,small,100\n'
  jobs.csv:1:1: error: column 'epochs' is missing
      1 | submit_s,gpus,model,batch
        | ^
  [2]
  $ try 'submit_s,gpus,model,batch,epochs\n0,1,smal,100,2\n'
  jobs.csv:2:5: error: model: unknown model 'smal' (did you mean 'small'?)
      2 | 0,1,smal,100,2
        |     ^
  [2]
  $ try 'submit_s,gpus,model,batch,epochs\n0,1,,100,2\n'
  jobs.csv:2:5: error: model: unknown model ''
      2 | 0,1,,100,2
        |     ^
  [2]
  $ try 'submit_s,gpus,model,batch,epochs\n0,1,small,0,2\n'
  jobs.csv:2:11: error: batch: 0 is below the minimum, 1
      2 | 0,1,small,0,2
        |           ^
  [2]
  $ try 'submit_s,gpus,model,batch,epochs\n0,1,small,100,0\n'
  jobs.csv:2:15: error: epochs: 0 is below the minimum, 1
      2 | 0,1,small,100,0
        |               ^
  [2]
  $ try 'submit_s,gpus,model,batch,epochs\n0,4,small,3,2\n'
  jobs.csv:2:11: error: batch: 3 samples cannot be shared by 4 GPUs
      2 | 0,4,small,3,2
        |           ^
  [2]
  $ try 'submit_s,gpus,model,batch,epochs\n0,1,other,100,2\n'
  jobs.csv:2:5: error: model: the cost model knows no step time of other on 1 GPUs of one type of this cluster
      2 | 0,1,other,100,2
        |     ^
  [2]
  $ try 'submit_s,gpus,model,batch,epochs,duration_s\n0,1,small,100,2,\n1,1,,,,60\n'
  run.yaml is fine: 4 GPUs in 2 nodes, 1 policy x 1 seed, 2 jobs

A duration means nothing on two GPU types

  $ printf 'submit_s,gpus,duration_s\n0,1,60\n' > jobs.csv
  $ hetune validate run.yaml -s 'cluster={gpu_types: {a: {}, b: {}}, nodes: [{type: a, gpus: 1}, {type: b, gpus: 1}]}'
  jobs.csv:2:5: error: duration_s: a duration is on one GPU type, and the cluster has 2; give model, batch and epochs
      2 | 0,1,60
        |     ^
  [2]

A run stops at the first bad row and leaves nothing that looks complete

  $ printf 'submit_s,gpus,duration_s\n0,1,60\n1,1,oops\n2,1,60\n' > jobs.csv
  $ hetune run run.yaml -o out
  jobs.csv:3:5: error: duration_s: 'oops' is not a time in seconds, as in 90 or 0.5
      3 | 1,1,oops
        |     ^
  [2]
  $ ls out
  ls: cannot access 'out': No such file or directory
  [2]

Time has an end

  $ printf 'submit_s,gpus,duration_s\n0,1,4611686018\n1,2,4611686018\n2,4,4611686018\n' > jobs.csv
  $ hetune run run.yaml
  error: policy fifo, seed 1: simulated time passes its end, 2^62 ns (146 years)
  [2]

Nor do moves without end pass it: the state of 10^15 parameters takes longer than that on any way, and so may an epoch

  $ cat > slow.yaml <<'END'
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > cost:
  >   models: {huge: {parameters: 1e15, samples_per_epoch: 1000000000000, batch: 1}}
  >   fits: [{model: huge, gpu: gpu, alpha_s: 1e6, beta_s: 0}]
  > trace: jobs.csv
  > policy: rr[quantum_s=1]
  > END
  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,huge,1,1\n0,1,huge,1,1\n' > jobs.csv
  $ try() { hetune run slow.yaml "$@" 2>&1 | sed 's/.*: //'; }
  $ try -s preempt_at=epoch
  simulated time passes its end, 2^62 ns (146 years)
  $ try -s preempt_at=epoch -s keeps=checkpoint
  simulated time passes its end, 2^62 ns (146 years)
  $ try -s overheads='{host_gbps: 1e-9}'
  simulated time passes its end, 2^62 ns (146 years)
  $ try -s overheads='{disk_write_gbps: 1e-9}' -s suspend_to=storage
  simulated time passes its end, 2^62 ns (146 years)
  $ try -s overheads='{network_gbps: 1e-9, disk_write_gbps: 1e-9, disk_read_gbps: 1e-9}' -s until_s=1000000 | head -n 1
  rr[quantum_s=1], seed 1, until
