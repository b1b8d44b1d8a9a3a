Suspended state: host memory, and what does not fit
===================================================

A model of 75 million parameters with momentum has a state of S = 4 * 75e6 * (1 + 1) = 0.6 GB. To or from host memory
that takes 1 s, writing it to storage 2 s, reading it 3 s, sending it to another node 6 s. A save takes 1 s besides, a
restore 1 s, a container on another node 5 s. Steps take 1 s, an epoch has 10.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1, host_memory_gib: 1}]}
  > cost:
  >   models: {net: {parameters: 75e6, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > overheads:
  >   {save_s: 1, restore_s: 1, image_s: 5, host_gbps: 0.6, disk_write_gbps: 0.3, disk_read_gbps: 0.2, network_gbps: 0.1}
  > trace: jobs.csv
  > policy: srtf
  > write_jobs: false
  > write_series: false
  > END
  $ story() {
  >   grep -E 'start|preempt|end' $1/events.csv | cut -d, -f1-3,10-13
  >   grep -E 'gpu_save_s|gpu_setup_s' $1/summary.json
  > }

Jobs of 100, 40 and 10 s come at 0, 10 and 20 s, so that srtf preempts job 0 and then job 1. The node has 1 GiB =
1.074 GB for states: that of job 0 fits, that of job 1 does not fit beside it.

    10 s  job 0 (10 steps done) is saved to host memory in 1 + 1 s; job 1 runs from 12 s
    20 s  job 1 (8 steps done) is saved to storage in 1 + 2 s; job 2 runs from 23 to 33 s
    33 s  job 1 is restored from storage in 1 + 3 s; 32 steps from 37 to 69 s
    69 s  job 0 is restored from host memory in 1 + 1 s; 90 steps from 71 to 161 s

Saves: 2 + 3 = 5 s. Set-up besides: 4 + 2 = 6 s.

  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,net,10,10\n10,1,net,10,4\n20,1,net,10,1\n' > jobs.csv
  $ hetune run run.yaml -o small --json > /dev/null
  $ story small
  0,start,0,0*10,new,0,
  10,preempt,0,0*10,,10,12
  10,start,1,0*10,new,12,
  20,preempt,1,0*10,,20,23
  20,start,2,0*10,new,23,
  33,end,2,0*10,,,
  33,start,1,0*10,disk,37,
  69,end,1,0*10,,,
  69,start,0,0*10,here,71,
  161,end,0,0*10,,,
    "gpu_setup_s": 6,
    "gpu_save_s": 5,

With 2 GiB both states fit. Job 1 is saved in 2 s and restored in 2 s: 1 + 2 s less, 158 s. Saves 4 s, set-up 4 s.

  $ hetune run run.yaml -s cluster.nodes.0.host_memory_gib=2 -o large --json > /dev/null
  $ story large
  0,start,0,0*10,new,0,
  10,preempt,0,0*10,,10,12
  10,start,1,0*10,new,12,
  20,preempt,1,0*10,,20,22
  20,start,2,0*10,new,22,
  32,end,2,0*10,,,
  32,start,1,0*10,here,34,
  66,end,1,0*10,,,
  66,start,0,0*10,here,68,
  158,end,0,0*10,,,
    "gpu_setup_s": 4,
    "gpu_save_s": 4,

If all goes to storage, job 0 is saved in 3 s and restored in 4 s. Job 1 has 7 steps done at 20 s; it runs from 37 to
70 s, job 0 from 74 to 164 s. Saves 6 s, set-up 8 s.

  $ hetune run run.yaml -s suspend_to=storage -o storage --json > /dev/null
  $ story storage
  0,start,0,0*10,new,0,
  10,preempt,0,0*10,,10,13
  10,start,1,0*10,new,13,
  20,preempt,1,0*10,,20,23
  20,start,2,0*10,new,23,
  33,end,2,0*10,,,
  33,start,1,0*10,disk,37,
  70,end,1,0*10,,,
  70,start,0,0*10,disk,74,
  164,end,0,0*10,,,
    "gpu_setup_s": 8,
    "gpu_save_s": 6,

A state that has to follow its job
----------------------------------

Two nodes of one GPU. Job 0 (100 s) and job 1 (30 s) come at 0 s. srtf starts the shorter one first: job 1 on GPU 0,
job 0 on GPU 1. Job 2 (40 s) comes at 10 s and takes GPU 1. At 30 s job 1 ends, and job 0 takes GPU 0, on the other
node. Its state comes from host memory over storage and network: 1 + 5 + 2 + 6 + 3 = 17 s. It runs from 47 to 137 s.

  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,net,10,10\n0,1,net,10,3\n10,1,net,10,4\n' > jobs.csv
  $ hetune run run.yaml -s cluster.nodes.0.count=2 -o moved --json > /dev/null
  $ grep -E 'start|preempt|end' moved/events.csv | cut -d, -f1-3,10-13
  0,start,1,0*10,new,0,
  0,start,0,1*10,new,0,
  10,preempt,0,1*10,,10,12
  10,start,2,1*10,new,12,
  30,end,1,0*10,,,
  30,start,0,0*10,moved,47,
  52,end,2,1*10,,,
  137,end,0,0*10,,,

From storage it would come in 1 + 5 + 3 = 9 s and end at 129 s; only job 2 would begin a second later, at 13 s. Either
way it is one relocation.

  $ hetune run run.yaml -s cluster.nodes.0.count=2 -s suspend_to=storage -o disk_moved --json > /dev/null
  $ grep -E 'start|preempt|end' disk_moved/events.csv | cut -d, -f1-3,10-13
  0,start,1,0*10,new,0,
  0,start,0,1*10,new,0,
  10,preempt,0,1*10,,10,13
  10,start,2,1*10,new,13,
  30,end,1,0*10,,,
  30,start,0,0*10,disk_moved,39,
  53,end,2,1*10,,,
  129,end,0,0*10,,,
  $ grep relocations moved/summary.json disk_moved/summary.json
  moved/summary.json:  "relocations": 1,
  disk_moved/summary.json:  "relocations": 1,
