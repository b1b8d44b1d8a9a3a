Acts on shared GPUs that are refused, and rates that do not settle
==================================================================

A GPU of 24 GiB holds two jobs. Each needs 1 GiB, and 0.25 GiB for each of its samples there.

  $ cat > run.yaml <<END
  > cluster:
  >   gpu_types: {gpu: {memory_gib: 24, eta: 0.5}}
  >   sharing: {residents: 2}
  >   nodes: [{type: gpu, gpus: 3}]
  > cost:
  >   models: {net: {parameters: 1e6, samples_per_epoch: 640, batch: 64, memory_fixed_mib: 1024, memory_per_sample_mib: 256}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 0, beta_s: 0.03125, gap_s: 1}]
  > trace: jobs.csv
  > policy: mover
  > refusals: count
  > END
  $ printf 'submit_s,gpus,model,batch,epochs,on\n0,2,net,64,1,0+1\n0,2,net,64,1,0+1\n0,2,net,64,1,0+1\n' > jobs.csv

This policy starts each job where it is wanted, then moves all samples of job 0 but one to GPU 0, then sends it to GPU 2
alone, and then back to GPU 0 alone.

  $ cat > mover.c <<END
  > #include "sim/policy.h"
  >
  > static void schedule(void *self, struct cx *cx)
  > {
  >     gpu_id both[2] = {0, 1}, there = 2, back = 0;
  >     struct share most[2] = {{0, 63}, {1, 1}};
  >     job_id j = sim_first(cx, JOB_RUNNING), next;
  >
  >     (void)self;
  >     if (j != NO_JOB && sim_number(j) == 0) {
  >         sim_split(cx, j, &(struct placement){2, most}, "nearly all");
  >         sim_resize(cx, j, sim_even(cx, j, &there, 1), "away");
  >         sim_resize(cx, j, sim_even(cx, j, &back, 1), "and back");
  >     }
  >     for (j = sim_first(cx, JOB_WAITING); j != NO_JOB; j = next) {
  >         next = sim_next(cx, j);
  >         sim_start(cx, j, sim_even(cx, j, both, 2), "where it is wanted");
  >     }
  >     if (sim_now(cx) == 0)
  >         sim_wake(cx, SIM_SECOND);
  > }
  >
  > SIM_API const struct policy policy = {
  >     .abi = POLICY_ABI, .size = sizeof(struct policy), .name = "mover", .schedule = schedule,
  >     .flags = POLICY_SHARES | POLICY_RESIZES};
  > END
  $ ${CC:-gcc} -shared -fPIC -I"$ROOT" -o mover.so mover.c
  $ hetune run run.yaml --policy-lib ./mover.so -o out --json | grep -E 'refusals|makespan'
    "makespan_s": 29.695652174,
    "refusals": 6,
  $ cut -d, -f1-3,10 out/events.csv | grep 'start\|resize\|end\|refuse'
  0,start,0,0-1*32
  0,start,1,0-1*32
  0,refuse,2,
  1,refuse,0,
  1,resize,0,2*64
  1,refuse,0,
  1,start,2,0-1*32
  23.000000002,end,1,0-1*32
  23.000000002,refuse,0,
  23.000000002,resize,0,2*64
  23.000000002,refuse,0,
  23.869565219,end,2,0-1*32
  23.869565219,refuse,0,
  23.869565219,resize,0,2*64
  23.869565219,resize,0,0*64
  29.695652174,end,0,0*64
  $ grep refuse out/events.csv | cut -d'"' -f2
  start: GPU 0 has 2 residents already, the most allowed
  split: 63 samples of net need 16.75 GiB, and GPU 0 (gpu, 2 residents) has 15.00 of 24.00 GiB left for it
  resize: 64 samples of net need 17.00 GiB, and GPU 0 (gpu, 1 resident) has 15.00 of 24.00 GiB left for it
  split: not as many GPUs as the job wants, or one is named twice
  resize: 64 samples of net need 17.00 GiB, and GPU 0 (gpu, 1 resident) has 15.00 of 24.00 GiB left for it
  split: not as many GPUs as the job wants, or one is named twice

A policy that does not say in its flags that it shares may not start a job where another is; nor may one resize that does
not say so.

  $ sed 's/POLICY_SHARES | POLICY_RESIZES/0/' mover.c > shy.c && ${CC:-gcc} -shared -fPIC -I"$ROOT" -o shy.so shy.c
  $ hetune run run.yaml --policy-lib ./shy.so -o shy --json | grep -E 'refusals|makespan'
    "makespan_s": 60,
    "refusals": 8,
  $ cut -d, -f3,17 shy/events.csv | grep ': ' | sort | uniq -c
        2 0,resize: the policy does not declare this in its flags
        1 0,split: the policy does not declare this in its flags
        2 1,start: the policy does not declare this in its flags
        3 2,start: the policy does not declare this in its flags

Without counting, the first one ends the run.

  $ hetune run run.yaml --policy-lib ./mover.so -s refusals=strict 2>&1 | head -n 1
  hetune: policy mover, seed 1: policy mover, job 2: start: GPU 0 has 2 residents already, the most allowed at 0 s

Rates of jobs that share GPUs are solved in rounds. If these do not suffice, the last ones stand; the run goes on, says
how often, and so does its manifest. Runs that settle have no such line.

  $ hetune run run.yaml -s policy=even_split -o settled > /dev/null; grep -c unsettled settled/manifest.json
  0
  [1]
  $ hetune run run.yaml -s policy=even_split -s cluster.sharing.rounds=1 -o unsettled > /dev/null
  hetune: policy even_split, seed 1: 1 time the rates of jobs that share GPUs did not settle within cluster.sharing.rounds = 1; the last ones stood
  $ grep unsettled unsettled/manifest.json
    "unsettled": 1,
