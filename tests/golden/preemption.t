Preemption: what is given is given, what it costs comes later
=============================================================

One GPU. srtf takes it from job 0 at 4 s, for a job of 2 s. A suspend takes 1 s and a resume 2 s, so job 1 owns
the GPU at 4 s and runs from 5 s, when the state of job 0 is saved; job 0 owns it again at 7 s and runs from 9 s.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > overheads: {save_s: 1, restore_s: 2}
  > trace: jobs.csv
  > policy: srtf
  > END
  $ cat > jobs.csv <<END
  > submit_s,gpus,duration_s
  > 0,1,10
  > 4,1,2
  > END
  $ hetune run run.yaml -o out --json > /dev/null
  $ cut -d, -f1-3,9-14,17 out/events.csv
  time_s,event,job,n,gpus,origin,run_s,ready_s,lost_s,why
  0,begin,,1,,,,,,
  0,arrive,0,1,,,,,,
  0,start,0,1,0,new,0,,,least remaining time of those that wait
  4,arrive,1,1,,,,,,
  4,preempt,0,1,0,,4,5,0,less time remains for job 1
  4,start,1,1,0,new,5,,,least remaining time of those that wait
  5,run,1,1,0,,,,,
  7,end,1,1,0,,,,,
  7,start,0,1,0,here,9,,,least remaining time of those that wait
  9,run,0,1,0,,,,,
  15,end,0,1,0,,,,,
  15,finish,,1,,,,,,drained
  $ cut -d, -f1,7-15,17 out/jobs.csv
  job,submit_s,first_start_s,end_s,ended,jct_s,wait_s,setup_s,run_s,lost_s,preemptions
  1,4,4,7,end,3,0,1,2,0,0
  0,0,0,15,end,15,3,2,10,0,1

The GPU's accounts: 12 s of progress, 1 s in which it saves the state of job 0 (while job 1 already owns it), 2 s in
which job 0 is restored, nothing idle.

  $ grep -E 'gpu_.*_s"|end_s' out/summary.json
    "end_s": 15,
    "gpu_useful_s": 12,
    "gpu_lost_s": 0,
    "gpu_setup_s": 2,
    "gpu_save_s": 1,
    "gpu_idle_s": 0,

Killed instead of suspended, job 0 starts from nothing: 4 s of progress are lost.

  $ hetune run run.yaml -s keeps=checkpoint -o killed --json > /dev/null
  $ cut -d, -f1-3,11-14 killed/events.csv
  time_s,event,job,origin,run_s,ready_s,lost_s
  0,begin,,,,,
  0,arrive,0,,,,
  0,start,0,new,0,,
  4,arrive,1,,,,
  4,preempt,0,,4,4,4
  4,start,1,new,4,,
  6,end,1,,,,
  6,start,0,nothing,6,,
  16,end,0,,,,
  16,finish,,,,,
  $ grep -E 'gpu_lost_s|makespan' killed/summary.json
    "makespan_s": 16,
    "gpu_lost_s": 4,
