Metrics: all of them follow from events.csv
===========================================

Two GPUs, four jobs: job 0 (2 GPUs, 20 s), job 1 (1 GPU, 6 s), job 2 (1 GPU, 4 s), job 3 (2 GPUs, 3 s). A start takes
1 s, a save 1 s, a restore 2 s. srtf:

     0 s  job 0 takes both GPUs, runs from 1 s
     5 s  job 1 comes: 6 s are less than 16 s; job 0 is preempted, its state saved until 6 s; job 1 takes GPU 0, runs from 7 to 13 s
     8 s  job 2 comes, takes GPU 1, which is free and ready, and runs from 9 to 13 s
    10 s  job 3 comes with 3 s, as much as jobs 1 and 2 have left; they were submitted before
    13 s  both end; job 3 takes both GPUs, runs from 14 to 17 s
    17 s  job 0 is restored and runs from 19 to 35 s

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 2}]}
  > overheads: {start_s: 1, save_s: 1, restore_s: 2}
  > trace: jobs.csv
  > policy: srtf
  > END
  $ printf 'submit_s,gpus,duration_s\n0,2,20\n5,1,6\n8,1,4\n10,2,3\n' > jobs.csv
  $ hetune run run.yaml -o out --json > summary.txt
  $ grep -E 'start|preempt|run,|end' out/events.csv | cut -d, -f1-3,10-13
  0,start,0,0-1,new,1,
  1,run,0,0-1,,,
  5,preempt,0,0-1,,5,6
  5,start,1,0,new,7,
  7,run,1,0,,,
  8,start,2,1,new,9,
  9,run,2,1,,,
  13,end,1,0,,,
  13,end,2,1,,,
  13,start,3,0-1,new,14,
  14,run,3,0-1,,,
  17,end,3,0-1,,,
  17,start,0,0-1,here,19,
  19,run,0,0-1,,,
  35,end,0,0-1,,,

JCTs: 35, 8, 5 and 7 s; mean 13.75. Set-up: 1 + 2, 2, 1 and 1 s. Progress: 20, 6, 4 and 3 s. Waits, the rest: 12, 0, 0
and 3 s; mean 3.75. Slowdowns, with progress of at least 10 s: 35 / 20 = 1.75 and three times 1; mean 1.1875.

GPU seconds: progress 2 * 20 + 6 + 4 + 2 * 3 = 56; set-up 2 * (1 + 2) + 1 + 1 + 2 * 1 = 10; save 2 * 1 = 2; of 70 in
all that leaves 2: GPU 1 from 6 to 8 s. Busy: 56 / 70 = 0.8. Held: job 0 for 5 + 18 s on two, jobs 1 and 2 for 8 and 5
s, job 3 for 4 s on two: 46 + 13 + 8 = 67 of 70. Overhead: 12 / 4 = 3 s a job.

  $ grep -E 'jct_mean|wait_mean|slowdown|makespan|gpu_|overhead' out/summary.json
    "jct_mean_s": 13.75,
    "wait_mean_s": 3.75,
    "bounded_slowdown_mean": 1.1875,
    "bounded_slowdown_max": 1.75,
    "makespan_s": 35,
    "gpu_busy_share": 0.8,
    "gpu_held_share": 0.9571428571428572,
    "gpu_useful_s": 56,
    "gpu_lost_s": 0,
    "gpu_setup_s": 10,
    "gpu_save_s": 2,
    "gpu_idle_s": 2,
    "overhead_mean_s": 3,

The same from events.csv, in awk. The mean JCT is the sum of ends less the sum of submissions; GPUs are held from
start to preempt or end.

  $ awk -F, '$2 == "arrive" { jct -= $1; jobs++ } $2 == "end" { jct += $1 }
  >   $2 == "start" { held -= $1 * $9 } $2 == "preempt" || $2 == "end" { held += $1 * $9 }
  >   END { print "jct_mean_s", jct / jobs; print "held", held, "gpu_held_share", held / 2 / 35 }' out/events.csv
  jct_mean_s 13.75
  held 67 gpu_held_share 0.957143

And from series.csv, a step function: the sum of GPUs times durations.

  $ awk -F, 'NR > 2 { held += g * ($1 - t); run += r * ($1 - t) } { t = $1; g = $2; r = $3 }
  >   END { print "held", held, "in progress", run }' out/series.csv
  held 67 in progress 56

`hetune metrics` makes summary.json again, to the byte, and `hetune run --json` prints it.

  $ hetune metrics out | cmp - out/summary.json
  $ cmp summary.txt out/summary.json

Cut at 15 s, the run has one job in progress and one waiting. Their times so far count, JCTs of jobs done only: (8 +
5) / 2. Progress: 2 * 4 + 6 + 4 + 2 * 1 = 20 of 30 GPU seconds. There is no makespan.

  $ hetune run run.yaml -s until_s=15 -o cut --json | grep -E 'ended|"done|unfinished|jct_mean|makespan|end_s|busy'
    "ended": "until",
    "done": 2,
    "unfinished": 2,
    "jct_mean_s": 6.5,
    "makespan_s": null,
    "end_s": 15,
    "gpu_busy_share": 0.6666666666666666,
  $ cut -d, -f1,9-14 cut/jobs.csv
  job,end_s,ended,jct_s,wait_s,setup_s,run_s
  1,13,end,8,0,2,6
  2,13,end,5,0,1,4
  0,15,,15,10,1,4
  3,15,,5,3,1,1
  $ hetune metrics cut | cmp - cut/summary.json
