Open workloads: makespan, and the beginning of a run
====================================================

Jobs of 10 s on one GPU: twenty at once, then one every 20 s from 220 s on, 180 of them. The first twenty wait for each
other, with JCTs of 10, 20, ..., 200 s under fifo; with a quantum of 5 s each gets its second half after all have had
the first, at 105, 110, ..., 200 s. The others take 10 s each. Means are (2100 + 1800) / 200 = 19.5 s, and (3050 + 1800)
/ 200 = 24.25 s.

  $ jobs() { echo submit_s,gpus,duration_s; awk "$1"; }
  $ jobs 'BEGIN { for (i = 0; i < 20; i++) print "0,1,10"; for (i = 0; i < 180; i++) print 220 + 20 * i ",1,10" }' > jobs.csv
  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > trace: jobs.csv
  > policy: [fifo, 'rr[quantum_s=5]']
  > END
  $ hetune run run.yaml -o out > run.txt; hetune compare out --metric jct_mean_s --metric jct_max_s --metric makespan_s
  2 policies, 1 seed each; changes against fifo are paired by seed; one seed gives no interval

  JCT, mean
    fifo                            19.50 s
    rr[quantum_s=5]                 24.25 s    +24.4 %  not clear

  jct_max_s
    fifo                            200.0 s
    rr[quantum_s=5]                 200.0 s     +0.0 %  the same

  makespan
    fifo                             3810 s
    rr[quantum_s=5]                  3810 s     +0.0 %  the same

  note: makespan misleads: in 2 of 2 runs jobs were still arriving after 95 % of it, and no policy ends before the last

The last job comes at 3800 s and ends at 3810 s. What is known of a run is its longest JCT, 200 s: the job that ended
last was submitted in the last 200 s, that is after 94.75 % of the makespan. A makespan that nobody asks for is not
warned of.

  $ hetune compare out --metric jct_mean_s | grep note
  [1]

MSER-5 leaves out the first twenty jobs to end, the last of them at 200 s; what is left are the 180 jobs submitted from
then on, of 10 s each, and the policies are alike.

  $ hetune compare out --metric jct_mean_s --metric jct_max_s --metric bounded_slowdown_mean --metric makespan_s --warmup mser5
  2 policies, 1 seed each; changes against fifo are paired by seed; one seed gives no interval

  JCT, mean
    fifo                            10.00 s
    rr[quantum_s=5]                 10.00 s     +0.0 %  the same

  jct_max_s
    fifo                            10.00 s
    rr[quantum_s=5]                 10.00 s     +0.0 %  the same

  bounded slowdown, mean
    fifo                               1.00
    rr[quantum_s=5]                    1.00     +0.0 %  the same

  makespan
    fifo                             3810 s
    rr[quantum_s=5]                  3810 s     +0.0 %  the same

  note: without warm-up (MSER-5): JCT, wait and slowdown are of the jobs submitted from 200 s on, by seed: 180 jobs done a run
  note: makespan misleads: in 2 of 2 runs jobs were still arriving after 95 % of it, and no policy ends before the last
  $ hetune compare out --metric jct_mean_s --warmup mser5 --format json | tail -n 1
    "notes": ["without warm-up (MSER-5): JCT, wait and slowdown are of the jobs submitted from 200 s on, by seed: 180 jobs done a run"]}

Of two policies the later time counts for both. On two GPUs a job of 400 s holds one, and the next wants both; under
fifo all others, one every 20 s, wait behind it and end in pairs from 420 s on, and MSER-5 leaves out the first 30 jobs to
end, the last at 570 s. Where others may skip ahead, only those two have long JCTs: the 20th and 21st to end, so that
25 are left out, until 470 s. From 570 s on 171 jobs are submitted, the 29th short one at 580 s being the first.

  $ jobs 'BEGIN { print "0,1,400"; print "0,2,10"; for (i = 1; i < 200; i++) print 20 * i ",1,10" }' > jobs.csv
  $ hetune run run.yaml -s 'policy=[fifo, "fifo[skip_ahead=true]"]' -s cluster.nodes.0.gpus=2 -o late > /dev/null
  $ for dir in late/fifo late/fifo-skip* late; do hetune compare "$dir" --metric jct_mean_s --warmup mser5 | grep ^note; done
  note: without warm-up (MSER-5): JCT, wait and slowdown are of the jobs submitted from 570 s on, by seed: 171 jobs done a run
  note: without warm-up (MSER-5): JCT, wait and slowdown are of the jobs submitted from 470 s on, by seed: 176 jobs done a run
  note: without warm-up (MSER-5): JCT, wait and slowdown are of the jobs submitted from 570 s on, by seed: 171 jobs done a run

When nothing is removed
-----------------------

Where there is too little to see, where a queue grows and grows, where all jobs come at once, or where there is no
jobs.csv, values stay those of all jobs, in all runs of the case.

  $ try() { rm -rf try; hetune run run.yaml -o try "$@" > /dev/null; hetune compare try --metric jct_mean_s --warmup mser5; }
  $ jobs 'BEGIN { for (i = 0; i < 10; i++) print i * 20 ",1,10" }' > jobs.csv; try
  2 policies, 1 seed each; changes against fifo are paired by seed; one seed gives no interval

  JCT, mean
    fifo                            10.00 s
    rr[quantum_s=5]                 10.00 s     +0.0 %  the same

  note: no warm-up is removed, values are of all jobs: fifo with seed 1 has fewer than 50 jobs done; 2 of 2 runs stand in the way
  $ jobs 'BEGIN { for (i = 0; i < 100; i++) print i * 5 ",1,10" }' > jobs.csv; try | tail -n 1
  note: no warm-up is removed, values are of all jobs: fifo with seed 1 does not settle
  $ jobs 'BEGIN { for (i = 0; i < 100; i++) print "0,1," (i < 10 ? i + 1 : 1000) }' > jobs.csv; try -s cluster.nodes.0.gpus=64 -s cluster.nodes.0.count=2 -s policy=fifo | tail -n 1
  note: no warm-up is removed, values are of all jobs: fifo with seed 1 has no job that was submitted after it
  $ jobs 'BEGIN { for (i = 0; i < 100; i++) print i * 20 ",1,10" }' > jobs.csv; try -s write_jobs=false | tail -n 1
  note: no warm-up is removed, values are of all jobs: fifo with seed 1 has no jobs.csv; 2 of 2 runs stand in the way

Points of a sweep have a jobs.csv if their runs were kept. Each case has its note.

  $ jobs 'BEGIN { for (i = 0; i < 20; i++) print "0,1,10"; for (i = 0; i < 180; i++) print 220 + 20 * i ",1,10" }' > jobs.csv
  $ printf 'run: run.yaml\naxes: {cluster.nodes.0.gpus: [1, 2]}\n' > sweep.yaml
  $ hetune sweep run sweep.yaml -o lean -q; hetune compare lean --metric jct_mean_s --warmup mser5 | grep ^note
  4 points: 4 complete; lean
  note: cluster.nodes.0.gpus=1: no warm-up is removed, values are of all jobs: fifo with seed 1 has no jobs.csv; 2 of 2 runs stand in the way
  note: cluster.nodes.0.gpus=2: no warm-up is removed, values are of all jobs: fifo with seed 1 has no jobs.csv; 2 of 2 runs stand in the way
  $ hetune sweep run sweep.yaml -o kept --keep-runs -q; hetune compare kept --metric jct_mean_s --warmup mser5 | grep -E '^note|gpu|fifo|rr'
  4 points: 4 complete; kept
  cluster.nodes.0.gpus=1
  2 policies, 1 seed each; changes against fifo are paired by seed; one seed gives no interval
    fifo                            10.00 s
    rr[quantum_s=5]                 10.00 s     +0.0 %  the same
  cluster.nodes.0.gpus=2
  2 policies, 1 seed each; changes against fifo are paired by seed; one seed gives no interval
    fifo                            10.00 s
    rr[quantum_s=5]                 10.00 s     +0.0 %  the same
  note: cluster.nodes.0.gpus=1: without warm-up (MSER-5): JCT, wait and slowdown are of the jobs submitted from 200 s on, by seed: 180 jobs done a run
  note: cluster.nodes.0.gpus=2: without warm-up (MSER-5): JCT, wait and slowdown are of the jobs submitted from 100 s on, by seed: 180 jobs done a run

What is wrong
-------------

  $ hetune compare out --warmup welch
  error: --warmup 'welch'; wanted mser5
  [2]
  $ sed -i '3s/,end,/,end,x/' out/fifo/seed-1/jobs.csv; hetune compare out --warmup mser5
  out/fifo/seed-1/jobs.csv:3:21: error: jct_s: 'x20' is not a time in seconds, as in 90 or 0.5
      3 | 1,,,,,1,0,10,20,end,x20,10,0,10,0,1,0,0,,
        |                     ^
  [2]
  $ sed -i '1s/wait_s/waits/' out/fifo/seed-1/jobs.csv; hetune compare out --warmup mser5
  out/fifo/seed-1/jobs.csv:1:1: error: column 'wait_s' is missing (is it 'waits'?)
      1 | job,name,experiment,trial,good,gpus,submit_s,first_start_s,end_s,ended,jct_s,waits,setup_s,run_s,los...
        | ^
  [2]
