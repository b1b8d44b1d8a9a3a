Step times from calibrations
============================

A tiny model on a tiny GPU, small enough to be reckoned by hand. A product takes 6 us and 1 ns a FLOP, a byte that is
moved costs 10 ns; a step of the stack takes twice its kernels, or 5 us a launch of the host if that is longer, and 1 us a
launch in which the GPU stands still.

  $ mkdir -p lib/models lib/costs/gpus
  $ cat > lib/models/tiny.yaml <<'END'
  > parameters: 20
  > macs: 15
  > input_bytes: 12
  > operators:
  >   - {op: linear, rows: 1, in: 3, out: 5, bias: true}
  >   - {op: relu, elements: 5}
  > END
  $ cat > lib/costs/gpus/G.yaml <<'END'
  > gpu: G
  > memory_gib: 0.75
  > fits:
  >   - {op: linear, precision: fp32, points: 9, launch_s: 1e-5, latency_s: 4e-6, flop_s: 1e-9, err_p50: 0.1, err_p90: 0.2, work_min: 30, work_max: 300}
  >   - {op: elementwise, precision: fp32, points: 9, launch_s: 5e-6, read_s: 1e-8, err_p50: 0.05, err_p90: 0.2, work_min: 20, work_max: 1e6}
  > figures:
  >   - {name: peer pcie, value: 1e6, unit: B/s}
  > END
  $ sed 's/gpu: G/gpu: H/; s/work_max: 1e6/work_max: 1e6, from: G/' lib/costs/gpus/G.yaml | grep -v 'figures\|peer' > lib/costs/gpus/H.yaml
  $ cat > lib/costs/stacks.yaml <<'END'
  > stacks:
  >   - {stack: default, factor: 2, host_s: 5e-6, gap_s: 1e-6, sigma: 0.1}
  >   - {stack: slow, covers: party, host_s: 2e-5, sigma: 0.1}
  > END
  $ ask() { hetune predict --costs lib --model tiny "$@"; }

The three products of a training step have 30 FLOP a sample each: 18 us and 0.9 us. Bias, relu there and back move 30
numbers a sample in three kernels, 15 us and 12 us; the update of two tensors moves 400 bytes: 10 us and 4 us.

  $ ask --gpu G --batch 10
  tiny on G, 10 samples, fp32, stack default
  step 0.128 ms (80 %: 0.109 to 0.149), 78247.3 samples/s
    products            0.038 ms  29.6 %
    elementwise         0.054 ms  42.3 %
    optimizer           0.028 ms  21.9 %
    gaps                0.008 ms   6.3 %
  memory 0.68 GiB
  $ ask --gpu G --batch 10 --mode inference
  tiny on G, 10 samples, inference, fp32, stack default
  step 0.033 ms (80 %: 0.028 to 0.038), 306748.5 samples/s
    products            0.013 ms  38.7 %
    elementwise         0.018 ms  55.2 %
    gaps                0.002 ms   6.1 %
  memory 0.68 GiB
  $ ask --gpu G --batch 10 --json
  {"model": "tiny", "gpu": "G", "batch": 10, "gpus": 1, "precision": "fp32", "mode": "training", "stack": "default", "stack_known": true, "step_s": 0.0001278, "low_s": 0.000109371, "high_s": 0.000149334, "convolutions_s": 0, "products_s": 3.78e-05, "norms_s": 0, "elementwise_s": 5.4e-05, "layout_s": 0, "optimizer_s": 2.8e-05, "host_s": 4e-05, "gap_s": 8e-06, "transfer_s": 0, "all_reduce_s": 0, "memory_bytes": 734003880, "extrapolated": 0.000, "carried_over": 0.000}

The host holds it up; nobody knows the stack; kernels beyond what was measured; fits from another GPU.

  $ ask --gpu G --batch 10 --stack party
  tiny on G, 10 samples, fp32, stack slow
  step 0.160 ms (80 %: 0.137 to 0.187), 62500.0 samples/s
    products            0.019 ms  11.8 %
    elementwise         0.027 ms  16.9 %
    optimizer           0.014 ms   8.8 %
    host                0.100 ms  62.6 %
  memory 0.68 GiB
  $ ask --gpu G --batch 10 --stack other | tail -n 1
  note: no stack 'other' is known in fp32; the default one stands for it
  $ ask --gpu H --batch 11 | tail -n 3
  memory 0.68 GiB
  note: 31 % of the kernels' time is extrapolated: larger or smaller than any measured
  note: 69 % of it is carried over from another GPU

Two GPUs exchange 80 bytes of gradients at 1 MB/s, which overlaps with computing. H has no link that was measured.

  $ ask --gpu G --batch 10 --gpus 2
  tiny on 2 x G, 10 samples each, fp32, stack default
  step 0.159 ms (80 %: 0.136 to 0.185), 126063.7 samples/s
    products            0.038 ms  23.8 %
    elementwise         0.054 ms  34.0 %
    optimizer           0.028 ms  17.6 %
    gaps                0.008 ms   5.0 %
    all-reduce          0.031 ms  19.4 %
  memory 0.68 GiB
  $ ask --gpu H --batch 10 --gpus 2
  error: H has no figure of an all-reduce: 2 GPUs cannot be predicted
  [2]

What does not fit is said.

  $ ask --gpu G --batch 5000000 | tail -n 3
  memory 0.89 GiB
  note: 100 % of the kernels' time is extrapolated: larger or smaller than any measured
  note: it does not fit: 0.9 GiB of 0.8 GiB

Questions in a file: further columns stay, empty cells are defaults.

  $ cat > questions.csv <<'END'
  > id,model,gpu,batch,stack,mode,gpus
  > 1,tiny,G,10,,,
  > 2,tiny,G,10,party,training,1
  > 3,tiny,G,10,,inference,
  > 4,tiny,H,11,other,,
  > 5,tiny,G,10,,,2
  > END
  $ hetune predict --costs lib --questions questions.csv
  id,model,gpu,batch,stack,mode,gpus,step_s,low_s,high_s,samples_per_s,host_bound,extrapolated,carried_over,stack_used
  1,tiny,G,10,,,,0.0001278,0.000109371,0.000149334,78247.3,0,0.000,0.000,default
  2,tiny,G,10,party,training,1,0.00016,0.000136928,0.000186959,62500,1,0.000,0.000,slow
  3,tiny,G,10,,inference,,3.26e-05,2.77739e-05,3.82648e-05,306748,0,0.000,0.000,default
  4,tiny,H,11,other,,,0.00013038,0.000101641,0.000167246,84368.8,0,0.310,0.690,default
  5,tiny,G,10,,,2,0.00015865,0.000135773,0.000185382,126064,0,0.000,0.000,default

In runs
-------

A job of 3 steps with 10 samples, measured at 1 s, and one with 11, predicted. Events say where their step times are from.

  $ cat > run.yaml <<'END'
  > cluster: {gpu_types: {G: {memory_gib: 0.75}, H: {}}, nodes: [{type: G, gpus: 1}, {type: H, gpus: 1}]}
  > cost:
  >   form: operators
  >   library: lib
  >   measured: [{model: tiny, gpu: G, batch_per_gpu: 10, step_s: 1}]
  >   models: {tiny: {parameters: 20, samples_per_epoch: 30, batch: 10}}
  > trace: jobs.csv
  > policy: fifo
  > END
  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,tiny,10,1\n0,1,tiny,11,1\n' > jobs.csv
  $ hetune run run.yaml -o out > /dev/null
  $ grep start out/events.csv | cut -d, -f1-4,10,12,15
  0,start,0,measured,0*10,0,1
  0,start,1,extrapolated,1*11,0,7669.888019634913
  $ hetune explain out --job 1 | grep 'step time'
         0.0 s  runs at 7670 steps/s, as predicted (step time: extrapolated)

Memory is predicted as well: 5,000,000 samples do not fit G.

  $ printf 'submit_s,gpus,model,batch,epochs,on\n0,1,tiny,5000000,1,0\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:20: error: on: an even share, 5000000 samples of tiny, does not fit the memory of GPU 0 (G)
      2 | 0,1,tiny,5000000,1,0
        |                    ^
  [2]

What moving costs: state goes at the speed of G's pinned copies, 80 bytes with momentum 160 at 80 B/s, and a CUDA
context takes 3 s on top.

  $ cat >> lib/costs/gpus/G.yaml <<'END'
  >   - {name: copy h2d_pinned, value: 100, unit: B/s}
  >   - {name: copy d2h_pinned, value: 80, unit: B/s}
  >   - {name: context, value: 3, unit: s}
  > END
  $ cat > move.yaml <<'END'
  > cluster: {gpu_types: {G: {}}, nodes: [{type: G, gpus: 1}]}
  > cost:
  >   form: operators
  >   library: lib
  >   measured: [{model: tiny, gpu: G, batch_per_gpu: 10, step_s: 10}]
  >   models: {tiny: {parameters: 20, samples_per_epoch: 30, batch: 10}}
  > overheads: {start_s: 1, calibrations: lib/costs/gpus}
  > trace: jobs.csv
  > policy: srtf
  > END
  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,tiny,10,2\n10,1,tiny,10,1\n' > jobs.csv
  $ hetune run move.yaml -o moved > /dev/null
  $ grep -E 'start|run|preempt|end' moved/events.csv | cut -d, -f1-3,11-13
  time_s,event,job,origin,run_s,ready_s
  0,start,0,new,4,
  4,run,0,,,
  10,preempt,0,,14,16
  10,start,1,new,20,
  20,run,1,,,
  50,end,1,,,
  50,start,0,here,55,
  55,run,0,,,
  105,end,0,,,
