Round robin: jobs of a GPU take turns of equal quanta
=====================================================

One GPU, three jobs of 10, 4 and 6 s, quanta of 4 s. Turns: job 0 until 4 s; job 1 until 8 s, its end; job 2 until 12
s; job 0 until 16 s; job 2 until 18 s, its end; job 0 until 20 s, its end.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > trace: jobs.csv
  > policy: rr[quantum_s=4]
  > write_series: false
  > END
  $ printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,4\n0,1,6\n' > jobs.csv
  $ hetune run run.yaml -o free --json > /dev/null
  $ grep -E 'start|preempt|end' free/events.csv | cut -d, -f1-3,17
  0,start,0,next in turn at this station
  4,preempt,0,its quantum is over; job 1 is next
  4,start,1,next in turn at this station
  8,end,1,
  8,start,2,next in turn at this station
  12,preempt,2,its quantum is over; job 0 is next
  12,start,0,next in turn at this station
  16,preempt,0,its quantum is over; job 2 is next
  16,start,2,next in turn at this station
  18,end,2,
  18,start,0,next in turn at this station
  20,end,0,

A quantum is 4 s of progress, whatever set-up costs
---------------------------------------------------

A start takes 1 s, a save 1 s, a restore 2 s. An owner begins to set up when the save of the job before it is over.

    job 0  0 start, runs  1 to  5        job 0  16 save, restore, runs 19 to 23
    job 1  5 save, start, runs  7 to 11  job 2  23 save, restore, runs 26 to 28
    job 2  11 start, runs 12 to 16       job 0  28 restore, runs 30 to 32

  $ hetune run run.yaml -s overheads.start_s=1 -s overheads.save_s=1 -s overheads.restore_s=2 -o costly --json > /dev/null
  $ grep -E 'start|preempt|run,|end' costly/events.csv | cut -d, -f1-3,11-13
  0,start,0,new,1,
  1,run,0,,,
  5,preempt,0,,5,6
  5,start,1,new,7,
  7,run,1,,,
  11,end,1,,,
  11,start,2,new,12,
  12,run,2,,,
  16,preempt,2,,16,17
  16,start,0,here,19,
  19,run,0,,,
  23,preempt,0,,23,24
  23,start,2,here,26,
  26,run,2,,,
  28,end,2,,,
  28,start,0,here,30,
  30,run,0,,,
  32,end,0,,,

Set-up in jobs.csv is the time on GPUs without progress, the wait for another's save included. Job 0: 1 + 3 + 2 = 6 s;
job 1: 2 s; job 2: 1 + 3 = 4 s. The rest of the JCT is waiting: 32 - 6 - 10 = 16, 11 - 2 - 4 = 5, 28 - 4 - 6 = 18 s.

  $ (sed 1q costly/jobs.csv; sed 1d costly/jobs.csv | sort -n) | cut -d, -f1,9,11-14,16,17
  job,end_s,jct_s,wait_s,setup_s,run_s,starts,preemptions
  0,32,32,16,6,10,3,2
  1,11,11,5,2,4,1,0
  2,28,28,18,4,6,2,1

The GPU's accounts keep both apart: 20 s of progress, three saves of 1 s, three starts of 1 s and three restores of 2
s.

  $ grep -E 'gpu_.*_s"|end_s' costly/summary.json
    "end_s": 32,
    "gpu_useful_s": 20,
    "gpu_lost_s": 0,
    "gpu_setup_s": 9,
    "gpu_save_s": 3,
    "gpu_idle_s": 0,

A job stays on its GPU
----------------------

Two GPUs, three jobs of 4 s, quanta of 2 s. Jobs go where the fewest are bound, ties to the lower GPU: jobs 0 and 2
share GPU 0. They end at 6 and 8 s, while GPU 1 is idle from 4 s on: 16 GPU seconds less 12 of progress.

  $ printf 'submit_s,gpus,duration_s\n0,1,4\n0,1,4\n0,1,4\n' > jobs.csv
  $ hetune run run.yaml -s cluster.nodes.0.gpus=2 -s 'policy=rr[quantum_s=2]' -o two --json > /dev/null
  $ grep -E 'start|preempt|end' two/events.csv | cut -d, -f1-3,10
  0,start,0,0
  0,start,1,1
  2,preempt,0,0
  2,start,2,0
  4,end,1,1
  4,preempt,2,0
  4,start,0,0
  6,end,0,0
  6,start,2,0
  8,end,2,0
  $ grep -E 'gpu_(useful|idle)_s' two/summary.json
    "gpu_useful_s": 12,
    "gpu_idle_s": 4,
