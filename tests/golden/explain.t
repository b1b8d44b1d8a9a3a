The story of a job that is preempted and moved
==============================================

Two nodes of one GPU. A start takes 1 s, a save 2 s, a restore 3 s, a container on another node 4 s. `long` and `mid`
come at 0 s, `late` at 10 s. srtf starts the shorter ones first:

     0 s  mid takes GPU 0, long GPU 1; both run from 1 s
    10 s  long has 91 s left, late needs 40 s: late takes GPU 1; it waits for the save until 12 s, runs from 13 to 53 s
    31 s  mid ends, long takes GPU 0; its state is on the other node: 3 + 4 = 7 s; it runs from 38 to 38 + 91 = 129 s

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1, count: 2}]}
  > overheads: {start_s: 1, save_s: 2, restore_s: 3, image_s: 4}
  > trace: jobs.csv
  > policy: srtf
  > write_series: false
  > END
  $ cat > jobs.csv <<END
  > submit_s,gpus,duration_s,job_id
  > 0,1,100,long
  > 0,1,30,mid
  > 10,1,40,late
  > END
  $ hetune run run.yaml -o out --json > /dev/null

Of its 129 s, long waits from 10 to 31 s (21 s), sets up for 1 + 7 s and progresses for 100 s.

  $ hetune explain out --job long
  job 0 'long': 1 GPU
  srtf (oracle), seed 1, run.yaml; out

         0.0 s  is submitted: no GPU is held, no other job waits
         0.0 s  takes GPU 1 (gpu, node 1) at once
                nobody held it before; its first start
                why: least remaining time of those that wait
         1.0 s  runs at nominal speed, after 1 s of set-up
        10.0 s  is preempted; job 2 takes its place
                why: less time remains for job 2
                saving takes 2 s, no progress is lost
        31.0 s  takes GPU 0 (gpu, node 0) after 21 s of waiting, while other jobs start 1 time, 1 of them submitted after it
                job 1 held it last and ended in this instant; it is relocated: its state comes from another node
                why: least remaining time of those that wait
        38.0 s  runs at nominal speed, after 7 s of set-up
       129.0 s  ends, all its work is done

  JCT 129 s (2 min 9 s), of which
    waiting     21 s, 16.3 %
    set-up      8 s, 6.2 %
    progress    100 s, 77.5 %
  2 starts, 1 preemption, 1 relocation; set-up and lost progress are 6.2 % of its time
  pushed out by: job 2

late never waits: its 43 s are 3 s of set-up, 2 of them for the save of long, and 40 s of progress. A job has a
number, too.

  $ hetune explain out --job 2
  job 2 'late': 1 GPU
  srtf (oracle), seed 1, run.yaml; out

        10.0 s  is submitted: 2 of 2 GPUs are held, no other job waits
        10.0 s  takes GPU 1 (gpu, node 1) at once
                pushes out job 0; its first start
                why: least remaining time of those that wait
        13.0 s  runs at nominal speed, after 3 s of set-up (2 s of them for the former owner's save)
        53.0 s  ends, all its work is done

  JCT 43 s, of which
    waiting     0 s, 0.0 %
    set-up      3 s, 7.0 %
    progress    40 s, 93.0 %
  1 start, 0 preemptions, 0 relocations; set-up and lost progress are 7.0 % of its time
  it pushed out: job 0

The run: JCTs of 129, 31 and 43 s have the mean 67.67 and the median 43; long's wait of 21 s is 7 s a job. In 129 s
the two GPUs make progress for 170 of 258 GPU seconds (65.9 %) and are held for 129 + 53 of them (70.5 %). Each first
start takes 1 s, late's too, once long is saved; the relocation takes 7 s and the save 2 s.

  $ hetune explain out
  srtf (oracle), seed 1, run.yaml; out

  how it ended  it ran until all jobs were gone, after 129 s (2 min 9 s)
  jobs          3 submitted: 3 done, 0 killed, 0 rejected, 0 left
  JCT           mean 67.67 s, median 43 s, mean wait 7 s
  GPUs          2, 65.9 % of their time in progress, 70.5 % held
  acts          4 starts, 1 preemption, 1 relocation, 0 refused acts

  longest waits
    job 0        waited 21 s of 129 s (2 min 9 s); 1 preemption; 'long'

  most preempted
    job 0        waited 21 s of 129 s (2 min 9 s); 1 preemption; 'long'

  decisions, and why (# is a number)
         4 x start    least remaining time of those that wait
         1 x preempt  less time remains for job #

  GPU time without progress, by cause
         3 x set-up at first starts           3 s
         1 x relocation                       7 s
         1 x save                             2 s

  relocations, and why (# is a number)
         1 x from gpu to gpu
               taken off: less time remains for job #
               placed: least remaining time of those that wait

  who pushed whom: 1 time, 1 pair
         1 x job 2 took the place of job 0

  hetune explain DIR --job N tells the story of job N

--json has the same facts for machines.

  $ hetune explain out --job long --json | grep -oE '"(why|ended_why|origin|pushed_by)": ("[^"]*"|\[[^]]+\])'
  "pushed_by": [{"job": 2, "times": 1}]
  "origin": "new"
  "why": "least remaining time of those that wait"
  "ended_why": "less time remains for job 2"
  "origin": "moved"
  "why": "least remaining time of those that wait"

A trial's story has its reports
-------------------------------

One GPU, two trials of two epochs of 10 s that take turns of one epoch. Trial 1 reports 0.5 at 20 s and 0.7 at 40 s.

  $ cat > study.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments: [{name: study, curves: curves.yaml, draw: first, model: net}]
  > policy: rr[quantum_s=0]
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ printf 'trial,epoch,metric\n0,1,0.4\n0,2,0.6\n1,1,0.5\n1,2,0.7\n' > curves.csv
  $ hetune run study.yaml -o study --json > /dev/null
  $ hetune explain study --job 1 | head -n 18
  job 1, trial 1 of experiment 0 (study): net, batch 10, 2 epochs, 1 GPU
  rr[quantum_s=0], seed 1, study.yaml; study

         0.0 s  is submitted: no GPU is held, 1 other job waits
        10.0 s  takes GPU 0 (gpu, node 0) after 10 s of waiting, while other jobs start 1 time
                pushes out job 0; its first start
                why: next in turn at this station
        10.0 s  runs at 1 step/s, as predicted
                reports epoch 1: metric 0.5
        20.0 s  is preempted; job 0 takes its place
                why: its quantum is over; job 0 is next
                saving takes no time, no progress is lost
        30.0 s  takes GPU 0 (gpu, node 0) after 10 s of waiting, while other jobs start 1 time
                job 0 held it last and ended in this instant; it resumes from this node's host memory
                why: next in turn at this station
        30.0 s  runs at 1 step/s, measured on this GPU type before
                reports epoch 2: metric 0.7
        40.0 s  ends, all its work is done
