Shortest first, with and without preemption: the textbook example
=================================================================

One GPU, four jobs of 8, 4, 9 and 5 s that are submitted at 0, 1, 2 and 3 s; moving is free.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > trace: jobs.csv
  > policy: [fifo, sjf, srtf]
  > write_series: false
  > END
  $ printf 'submit_s,gpus,duration_s\n0,1,8\n1,1,4\n2,1,9\n3,1,5\n' > jobs.csv
  $ hetune run run.yaml -o out --json > /dev/null
  $ by_number() { sed 1q $1/jobs.csv; sed 1d $1/jobs.csv | sort -n; }
  $ waits() { by_number out/$1/seed-1 | cut -d, -f1,9,11,12; grep -E 'wait_mean|jct_mean' out/$1/seed-1/summary.json; }

In order of arrival they end at 8, 12, 21 and 26 s. Waits: 0, 8 - 1 = 7, 12 - 2 = 10, 21 - 3 = 18; mean 35 / 4 = 8.75.
The work of 26 s is the same everywhere, so each mean JCT is the mean wait + 26 / 4 = 6.5; here 15.25.

  $ waits fifo
  job,end_s,jct_s,wait_s
  0,8,8,0
  1,12,11,7
  2,21,19,10
  3,26,23,18
    "jct_mean_s": 15.25,
    "wait_mean_s": 8.75,

sjf decides when the GPU is free. At 8 s jobs 1 (4 s), 2 (9 s) and 3 (5 s) wait: they run from 8, 17 and 12 s. Waits:
0, 7, 15, 9; mean 31 / 4 = 7.75.

  $ waits sjf
  job,end_s,jct_s,wait_s
  0,8,8,0
  1,12,11,7
  2,26,24,15
  3,17,14,9
    "jct_mean_s": 14.25,
    "wait_mean_s": 7.75,

srtf decides at each arrival as well. At 1 s job 0 has 7 s left and job 1 only 4: it takes the GPU until 5 s. Then job
3 (5 s) runs until 10 s, job 0 (7 s) until 17 s, job 2 until 26 s. Waits: 9, 0, 15, 2; mean 26 / 4 = 6.5.

  $ waits srtf
  job,end_s,jct_s,wait_s
  0,17,17,9
  1,5,4,0
  2,26,24,15
  3,10,7,2
    "jct_mean_s": 13,
    "wait_mean_s": 6.5,
  $ grep -E 'start|preempt|end' out/srtf/seed-1/events.csv | cut -d, -f1-3,17
  0,start,0,least remaining time of those that wait
  1,preempt,0,less time remains for job 1
  1,start,1,least remaining time of those that wait
  5,end,1,
  5,start,3,least remaining time of those that wait
  10,end,3,
  10,start,0,least remaining time of those that wait
  17,end,0,
  17,start,2,least remaining time of those that wait
  26,end,2,

skip_ahead: who may pass a job that does not fit
------------------------------------------------

Two GPUs. Job 0 holds one until 10 s; job 1, the shortest of those that wait, wants both.

  $ printf 'submit_s,gpus,duration_s\n0,1,10\n1,2,3\n2,1,5\n3,1,8\n' > jobs.csv
  $ hetune run run.yaml -s cluster.nodes.0.gpus=2 -s 'policy=[sjf, "sjf[skip_ahead=true]", srtf]' -o two --json > /dev/null
  $ spans() { by_number two/$1/seed-1 | cut -d, -f1,6,8,9,11; grep jct_mean two/$1/seed-1/summary.json; }

Strict sjf leaves the second GPU idle until both are free: job 1 runs from 10 to 13 s, then jobs 2 and 3 side by side
until 18 and 21 s. JCT 10, 12, 16, 18; mean 14.

  $ spans sjf
  job,gpus,first_start_s,end_s,jct_s
  0,1,0,10,10
  1,2,10,13,12
  2,1,13,18,16
  3,1,13,21,18
    "jct_mean_s": 14,

With skip_ahead job 2 takes the second GPU at 2 s and job 3 at 7 s, until 15 s: job 1 has to wait until then. JCT 10,
17, 5, 12; mean 11. On average that is better, for the wide job it is worse.

  $ spans sjf-skip_ahead-true
  job,gpus,first_start_s,end_s,jct_s
  0,1,0,10,10
  1,2,15,18,17
  2,1,2,7,5
  3,1,7,15,12
    "jct_mean_s": 11,

srtf makes room for job 1 at 1 s: job 0, with 9 s left, is preempted. At 4 s jobs 2 (5 s) and 3 (8 s) come before job
0, which goes on at 9 s. JCT 18, 3, 7, 9; mean 9.25.

  $ spans srtf
  job,gpus,first_start_s,end_s,jct_s
  0,1,0,18,18
  1,2,1,4,3
  2,1,4,9,7
  3,1,4,12,9
    "jct_mean_s": 9.25,
