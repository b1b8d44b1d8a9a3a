A policy that misbehaves ends with a report
===========================================

This policy wants GPU 0 for every job that waits, free or not.

  $ cat > stubborn.c <<END
  > #include "sim/policy.h"
  >
  > static void schedule(void *self, struct cx *cx)
  > {
  >     gpu_id zero = 0;
  >     job_id j = sim_first(cx, JOB_WAITING);
  >
  >     (void)self;
  >     if (j != NO_JOB)
  >         sim_start(cx, j, sim_even(cx, j, &zero, 1), "GPU 0 is mine");
  > }
  >
  > SIM_API const struct policy policy = {
  >     .abi = POLICY_ABI, .size = sizeof(struct policy), .name = "stubborn", .schedule = schedule};
  > END
  $ ${CC:-gcc} -shared -fPIC -I"$ROOT" -o stubborn.so stubborn.c
  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 2}]}
  > trace: jobs.csv
  > policy: stubborn
  > END
  $ printf 'submit_s,gpus,duration_s\n0,1,10\n4,1,10\n' > jobs.csv

Job 0 gets GPU 0. At 4 s job 1 comes, and GPU 0 is taken: the act is refused, and the run is over. The report names
time, job and reason. The exit code is 4. What happened up to there is kept for explain, marked as ended by a refusal;
compare does not take it.

  $ hetune run run.yaml --policy-lib ./stubborn.so -o out
  hetune: policy stubborn, seed 1: policy stubborn, job 1: start: a GPU is taken at 4 s
  jobs: 1 waiting, 0 in set-up, 1 running, 0 paused, 2 submitted; 1 of 2 GPUs free
  the last records:
    0 s  begin    2
    0 s  arrive   job 0  1
    0 s  start    job 0  1
    4 s  arrive   job 1  1
    4 s  refuse   job 1  0
    4 s  finish   2
  what happened up to there is in out
  [4]
  $ ls out
  events.csv
  jobs.csv
  manifest.json
  series.csv
  summary.json
  timing.json
  $ hetune explain out
  stubborn, seed 1, run.yaml; out

  how it ended  it was stopped at an act of the policy that was refused, after 4 s
  jobs          2 submitted: 0 done, 0 killed, 0 rejected, 2 left
  GPUs          2, 50.0 % of their time in progress, 50.0 % held
  acts          1 start, 0 preemptions, 0 relocations, 1 refused act

  decisions, and why (# is a number)
         1 x start    GPU # is mine
         1 x refuse   start: a GPU is taken

  hetune explain DIR --job N tells the story of job N
  $ hetune compare out
  error: out: a run that ended as 'refused' is not compared
  [2]

Refused acts may be counted instead. Nothing changes by them: job 1 starts when GPU 0 is free and the policy is asked
again, at 10 s.

  $ hetune run run.yaml --policy-lib ./stubborn.so -s refusals=count -o counted --json | grep -E 'refusals|makespan'
    "makespan_s": 20,
    "refusals": 1,
  $ cut -d, -f1-3,10,17 counted/events.csv
  time_s,event,job,gpus,why
  0,begin,,,
  0,arrive,0,,
  0,start,0,0,GPU 0 is mine
  4,arrive,1,,
  4,refuse,1,,start: a GPU is taken
  10,end,0,0,
  10,start,1,0,GPU 0 is mine
  20,end,1,0,
  20,finish,,,drained

A policy that forgets a job: nothing is left to happen, but a job waits. This one starts job 0 only.

  $ sed 's/if (j != NO_JOB)/if (j != NO_JOB \&\& sim_number(j) == 0)/' stubborn.c > forgets.c
  $ ${CC:-gcc} -shared -fPIC -I"$ROOT" -o forgets.so forgets.c
  $ hetune run run.yaml --policy-lib ./forgets.so
  hetune: policy stubborn, seed 1: policy stubborn has forgotten 1 waiting job (1): nothing is left to happen at 10 s
  jobs: 1 waiting, 0 in set-up, 0 running, 0 paused, 2 submitted; 2 of 2 GPUs free
  the last records:
    0 s  begin    2
    0 s  arrive   job 0  1
    0 s  start    job 0  1
    4 s  arrive   job 1  1
    10 s  end      job 0  1
    10 s  finish   2
  [4]

A policy that never settles: it wants to be asked again in the same instant, for ever.

  $ sed 's/sim_start(.*/sim_wake(cx, sim_now(cx));/' stubborn.c > spins.c
  $ ${CC:-gcc} -shared -fPIC -I"$ROOT" -o spins.so spins.c
  $ hetune run run.yaml --policy-lib ./spins.so -s max_rounds=100
  hetune: policy stubborn, seed 1: policy stubborn was asked 100 times in one instant and still wants more at 0 s
  jobs: 1 waiting, 0 in set-up, 0 running, 0 paused, 1 submitted; 2 of 2 GPUs free
  the last records:
    0 s  begin    2
    0 s  arrive   job 0  1
    0 s  finish   2
  [4]

With several policies, those before the wrong one have complete results.

  $ hetune run run.yaml --policy-lib ./stubborn.so -s 'policy=[fifo, stubborn]' -o both -q 2>&1 | head -n 1
  hetune: policy stubborn, seed 1: policy stubborn, job 1: start: a GPU is taken at 4 s
  $ grep '"ended"' both/*/seed-1/summary.json
  both/fifo/seed-1/summary.json:  "ended": "drained",
  both/stubborn/seed-1/summary.json:  "ended": "refused",
