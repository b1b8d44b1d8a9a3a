Results of a cluster whose GPUs are shared
==========================================

Two GPUs, two residents each. A step of job 0 is 8 samples over both GPUs, of job 1 on one; a sample takes 1/8 s, and nothing
else does. Whoever has most work on a GPU never pauses, so that two jobs there have half of it each:

     0 s  job 0 takes both GPUs with 6 and 2 samples, job 1 takes GPU 0 with 8. On GPU 0 a step of job 0 takes 0.75 s alone,
          1.5 s beside job 1; on GPU 1 0.25 s. Job 1: 1 s, 2 s beside job 0
     9 s  job 0, now at step 6, is split anew, 4 and 4: 0.5 s alone, 1 s beside job 1
    20 s  job 0 is at step 17. Job 1, at step 10, goes to GPU 1, where its replica is there at 22 s; job 0 makes 4 steps alone
    22 s  both go on at half speed
    42 s  job 1 has done its 20 steps. Job 0 has done 41 of 60, and needs 9.5 s for the rest
    51.5  job 0 ends

  $ cat > moves.c <<END
  > #include "sim/policy.h"
  > static const struct share uneven[] = {{0, 6}, {1, 2}}, even[] = {{0, 4}, {1, 4}}, here[] = {{0, 8}}, there[] = {{1, 8}};
  > static void schedule(void *self, struct cx *cx)
  > {
  >     job_id first = sim_first(cx, JOB_WAITING);
  >     (void)self;
  >     if (sim_now(cx) == 0) {
  >         sim_start(cx, first, &(struct placement){2, uneven}, "most of it on GPU 0");
  >         sim_start(cx, sim_first(cx, JOB_WAITING), &(struct placement){1, here}, "beside it");
  >     } else if (sim_now(cx) == 9 * SIM_SECOND) {
  >         sim_split(cx, sim_resident(cx, 0, 0), &(struct placement){2, even}, "even shares");
  >     } else if (sim_now(cx) == 20 * SIM_SECOND) {
  >         sim_resize(cx, sim_resident(cx, 0, 1), &(struct placement){1, there}, "to the other GPU");
  >     }
  >     if (sim_now(cx) < 20 * SIM_SECOND)
  >         sim_wake(cx, sim_now(cx) < 9 * SIM_SECOND ? 9 * SIM_SECOND : 20 * SIM_SECOND);
  > }
  > SIM_API extern const struct policy policy;
  > const struct policy policy = {.abi = POLICY_ABI, .size = sizeof(struct policy), .name = "moves", .about = "for a test",
  >                               .flags = POLICY_SHARES | POLICY_RESIZES, .schedule = schedule};
  > END
  $ ${CC:-gcc} -shared -fPIC -I"$ROOT" -o moves.so moves.c
  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 2}], sharing: {residents: 2}}
  > cost:
  >   models: {net: {parameters: 1, samples_per_epoch: 8, batch: 8}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 0, beta_s: 0.125}]
  > overheads: {replica_s: 2}
  > trace: jobs.csv
  > policy: moves
  > END
  $ printf 'submit_s,gpus,model,batch,epochs\n0,2,net,8,60\n0,1,net,8,20\n' > jobs.csv
  $ hetune run run.yaml --policy-lib ./moves.so -q -o out > summary.txt
  $ rounded() {
  >   awk '{ done = ""
  >          while (match($0, /[0-9]+[.][0-9][0-9][0-9][0-9][0-9]+/)) {
  >              done = done (substr($0, 1, RSTART - 1)) (0 + sprintf("%.5f", substr($0, RSTART, RLENGTH)))
  >              $0 = substr($0, RSTART + RLENGTH)
  >          }
  >          print done $0 }' "$@"
  > }
  $ grep -Ev 'load|arrive' out/events.csv | cut -d, -f1-3,9,10,12,15-17 | rounded
  time_s,event,job,n,gpus,run_s,value,told,why
  0,begin,,2,,,,,
  0,alone,0,2,,45,,,
  0,start,0,2,0*6 1*2,0,1.33333,1.33333,most of it on GPU 0
  0,alone,1,1,,20,,,
  0,start,1,1,0*8,0,1,1,beside it
  0,rate,0,2,,,0.66667,,
  0,rate,1,1,,,0.5,,
  9,split,0,2,0-1*4,9,2,2,even shares
  9,rate,0,2,,,1,,
  20,resize,1,1,1*8,22,1,1,to the other GPU
  20,rate,0,2,,,2,,
  22,run,1,1,1*8,,,,
  22,rate,0,2,,,1,,
  22,rate,1,1,,,0.5,,
  42,end,1,1,1*8,,,,
  42,rate,0,2,,,2,,
  51.5,end,0,2,0-1*4,,,,
  51.5,finish,,2,,,,,drained

What a GPU did, interval by interval: how many jobs were there, the part of the time in which one of them computed, the
work done of the most that could be done.

  $ grep load out/events.csv | cut -d, -f1,10,12,15,16 | rounded
  9,1*1,0,0.16667,0.16667
  20,0*2,0,1,1
  20,1*1,9,0.5,0.5
  22,0*1,20,1,1
  22,1*1,20,1,1
  42,0*1,22,0.5,0.5
  42,1*2,22,1,1
  51.5,0*1,42,1,1
  51.5,1*1,42,1,1

The slowdown of job 0 is 51.5 s over the 45 s that it takes alone in the shares it began with, that of job 1 42 s over 20 s.
Their Jain index: (1.144 + 2.1)^2 / (2 (1.144^2 + 2.1^2)) = 0.920.

  $ cut -d, -f1,8,9,13-14,21- out/jobs.csv | rounded
  job,first_start_s,end_s,setup_s,run_s,alone_s,slowdown,splits,resizes
  1,0,42,2,40,20,2.1,0,1
  0,0,51.5,0,51.5,45,1.14444,1,0
  $ awk -F, 'NR > 1 { n++; s = ($9 - $8) / $21; sum += s; squares += s * s; most = s > most ? s : most }
  >   END { mean = sum / n; printf "%.6f %.6f %.6f %.6f\n", most, mean, sqrt(squares / n - mean * mean), sum * sum / n / squares }' out/jobs.csv
  2.100000 1.622222 0.477778 0.920181
  $ grep -E '"slowdown' out/summary.json | rounded
    "slowdown_max": 2.1,
    "slowdown_mean": 1.62222,
    "slowdown_std": 0.47778,
    "slowdown_jain": 0.92018,

Some job computes on GPU 0 for 20 + 2 + 10 + 9.5 s, on GPU 1 for 1.5 + 5.5 + 2 + 20 + 9.5 s, of 51.5 s each. The same from the load
events:

  $ awk -F, '$2 == "load" { active += $15 * ($1 - $12); work += $16 * ($1 - $12) }
  >   END { printf "active %.6f s, %.6f; work %.6f\n", active, active / 2 / 51.5, work / 2 / 51.5 }' out/events.csv
  active 80.000000 s, 0.776699; work 0.776699
  $ grep -E '"gpu_(active|work)|"gpu_idle|"splits|"resizes' out/summary.json | rounded
    "gpu_idle_s": 23,
    "gpu_active_share": 0.7767,
    "gpu_work_share": 0.7767,
    "splits": 1,
    "resizes": 1

Seats are counted where several jobs hold a GPU: job 0 runs on two for 51.5 s, job 1 on one for 40 s and sets up there for
2 s. These are 143 GPU seconds in progress, of 103 that the two GPUs have.

  $ grep -E '"gpu_(busy|held|useful|setup)' out/summary.json | rounded
    "gpu_busy_share": 1.38835,
    "gpu_held_share": 1.40777,
    "gpu_useful_s": 143,
    "gpu_setup_s": 2,
  $ hetune metrics out | cmp - out/summary.json

Results have these metrics and columns only if GPUs are shared.

  $ hetune run run.yaml -s policy=fifo -s cluster.sharing.residents=1 -q -o alone | grep slowdown
    bounded_slowdown_mean    1.75
    bounded_slowdown_max     2.5
  $ grep -cE 'slowdown_jain|gpu_active|"splits' alone/summary.json
  0
  [1]
  $ sed 1q alone/jobs.csv | cut -d, -f19-
  epochs,metric
  $ hetune compare out --metric slowdown_max --metric gpu_active_share
  1 policy, 1 seed each; one seed gives no interval

  slowdown against completion alone, largest
    moves                       2.10

  share of GPU time with a job computing
    moves                     0.7767
  $ hetune compare alone --metric slowdown_max
  note: no run has a value of slowdown_max

So does the table of a sweep: if one of its points has them, they are columns. A point without them has empty cells.

  $ cat > sweep.yaml <<END
  > run: run.yaml
  > set: {policy: even_split}
  > axes: {cluster.sharing.residents: [1, 2]}
  > END
  $ hetune sweep run sweep.yaml -o sweep > /dev/null
  $ hetune sweep merge sweep > /dev/null
  $ awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } { print $2, $at["jct_mean_s"] ~ /./, $at["slowdown_max"] ~ /./, $at["splits"] }' sweep/merged.csv
  cluster.sharing.residents 1 1 splits
  1 1 0 
  2 1 1 0
  $ sed 's/sharing.residents: .*/sharing.residents: [1]}/' sweep.yaml > single.yaml
  $ hetune sweep run single.yaml -o single > /dev/null
  $ hetune sweep merge single > /dev/null
  $ sed 1q single/merged.csv | grep -c slowdown_jain
  0
  [1]

A baseline has them, too.

  $ hetune check out --baseline base.json --update
  add  run, moves: policy: not in the baseline
  base.json: written
  $ hetune check out alone --baseline base.json --update
  add  run, fifo: policy: not in the baseline
  base.json: written
  $ hetune check out alone --baseline base.json
  all 100 checks passed
  $ grep -c gpu_work_share base.json
  1

What is told of jobs and of the run
-----------------------------------

  $ hetune explain out --job 0
  job 0: batch 8, 60 epochs, 2 GPUs
  moves, seed 1, run.yaml; out

         0.0 s  is submitted: no GPU is held, no other job waits
         0.0 s  takes 2 GPUs (0-1; gpu, node 0) at once
                nobody held them before; its first start
                why: most of it on GPU 0
         0.0 s  would run at 1.333 steps/s alone there, as predicted
         9.0 s  its batch is split anew: 0-1*4; would run at 2 steps/s alone there, as predicted
                why: even shares
                as its GPUs are shared: 0.6667 to 2 steps/s, mean of this stretch 1.165; 5 changes
        51.5 s  ends, all its work is done

  JCT 51.5 s, of which
    waiting     0 s, 0.0 %
    set-up      0 s, 0.0 %
    progress    51.5 s, 100.0 %
  1 start, 0 preemptions, 0 relocations, 1 new split, 0 changes of GPUs; set-up and lost progress are 0.0 % of its time
  alone all its work takes 45 s; it took 51.5 s: a slowdown of 1.144
  $ hetune explain out --job 1
  job 1: batch 8, 20 epochs, 1 GPU
  moves, seed 1, run.yaml; out

         0.0 s  is submitted: no GPU is held, 1 other job waits
         0.0 s  takes GPU 0 (gpu, node 0) at once
                beside job 0; its first start
                why: beside it
         0.0 s  would run at 1 step/s alone there, as predicted
                as its GPUs are shared: 0.5 steps/s, mean of this stretch 0.5; 1 change
        20.0 s  is given GPU 1 (gpu, node 0) instead of those it held
                beside job 0
                why: to the other GPU
        22.0 s  would run at 1 step/s alone there, as predicted, after 2 s of set-up
                as its GPUs are shared: 0.5 steps/s, mean of this stretch 0.5; 1 change
        42.0 s  ends, all its work is done

  JCT 42 s, of which
    waiting     0 s, 0.0 %
    set-up      2 s, 4.8 %
    progress    40 s, 95.2 %
  1 start, 0 preemptions, 0 relocations, 0 new splits, 1 change of GPUs; set-up and lost progress are 4.8 % of its time
  alone all its work takes 20 s; it took 42 s: a slowdown of 2.1
  $ hetune explain out
  moves, seed 1, run.yaml; out

  how it ended  it ran until all jobs were gone, after 51.5 s
  jobs          2 submitted: 2 done, 0 killed, 0 rejected, 0 left
  JCT           mean 46.75 s, median 42 s, mean wait 0 s
  slowdown      mean 1.622, largest 2.1, Jain index 0.9202 (against completion alone)
  GPUs          2; some job computes in 77.7 % of their time, work is 77.7 % of the most
  acts          2 starts, 0 preemptions, 0 relocations, 1 new split, 1 change of GPUs, 0 refused acts

  largest slowdowns
    job 1        2.1: 42 s instead of 20 s
    job 0        1.144: 51.5 s instead of 45 s

  decisions, and why (# is a number)
         1 x start    most of it on GPU #
         1 x start    beside it
         1 x split    even shares
         1 x resize   to the other GPU

  GPU time without progress, by cause
         1 x replicas on other GPUs           2 s

  hetune explain DIR --job N tells the story of job N

In a timeline each seat of a GPU is a thread of its own, since pieces of one must not overlap. Job 1 has the second seat of
GPU 0, and then the second of GPU 1.

  $ hetune export out --to chrome -o timeline.json
  timeline.json
  $ grep thread timeline.json
  {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"GPU 0"}},
  {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"GPU 1"}},
  {"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":0}},
  {"ph":"M","name":"thread_name","pid":1,"tid":3,"args":{"name":"GPU 0, seat 2"}},
  {"ph":"M","name":"thread_sort_index","pid":1,"tid":3,"args":{"sort_index":1}},
  {"ph":"M","name":"thread_sort_index","pid":1,"tid":2,"args":{"sort_index":2}},
  {"ph":"M","name":"thread_name","pid":1,"tid":4,"args":{"name":"GPU 1, seat 2"}},
  {"ph":"M","name":"thread_sort_index","pid":1,"tid":4,"args":{"sort_index":3}}
  $ grep '"X"' timeline.json | sed -E 's/,"cat.*"tid"/, "tid"/; s/,"ts.*//'
  {"ph":"X","name":"job 1", "tid":3
  {"ph":"X","name":"job 1: set-up", "tid":4
  {"ph":"X","name":"job 1", "tid":4
  {"ph":"X","name":"job 0", "tid":1
  {"ph":"X","name":"job 0", "tid":2

Batsim's tables have a row for each stretch: GPUs are in several rows of one time.

  $ hetune export out --to batsim -o tables > files.txt
  $ cut -d, -f1,8-11,15 tables/segments.csv | rounded
  job_id,final_state,starting_time,execution_time,finish_time,allocated_resources
  1,RESIZED,0,20,20,0
  1,COMPLETED_SUCCESSFULLY,20,22,42,1
  0,COMPLETED_SUCCESSFULLY,0,51.5,51.5,0-1
  $ grep -E 'slowdown_max|gpu_active' tables/schedule.json | rounded
    "hetune_bounded_slowdown_max": 1.05,
    "hetune_slowdown_max": 2.1,
    "hetune_gpu_active_share": 0.7767,
