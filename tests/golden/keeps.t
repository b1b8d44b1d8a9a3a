What a preempted job may finish, and what is kept of it
=======================================================

One GPU; a step takes 2 s, an epoch has 10 steps. Job 0 trains 4 epochs, 80 s. Job 1 comes at 27 s and trains one, 20
s: srtf gives it the GPU, for job 0 has 53 s left. Job 0 is then in the middle of step 14, 13.5 steps are done. A save
takes 1 s, a restore 3 s.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 2, beta_s: 0}]
  > overheads: {save_s: 1, restore_s: 3}
  > trace: jobs.csv
  > policy: srtf
  > write_series: false
  > END
  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,net,10,4\n27,1,net,10,1\n' > jobs.csv
  $ preempt() {
  >   hetune run run.yaml -s preempt_at=$1 -s keeps=$2 -o out --json > /dev/null
  >   grep -E 'start|preempt|end' out/events.csv | cut -d, -f1-3,11-14; rm -r out
  > }

keeps: state. Nothing is lost, whatever job 0 may finish: it ends after its own 80 s, job 1's 20 s, a save and a
restore, at 104 s. Only job 1 sees the difference. It owns the GPU at 27 s, and begins at now (27 s), the end of step
14 (28 s) or of epoch 2 (40 s), after 1 s of saving: it ends at 48, 49 or 61 s.

  $ preempt now state
  0,start,0,new,0,,
  27,preempt,0,,27,28,0
  27,start,1,new,28,,
  48,end,1,,,,
  48,start,0,here,51,,
  104,end,0,,,,
  $ preempt step state
  0,start,0,new,0,,
  27,preempt,0,,28,29,0
  27,start,1,new,29,,
  49,end,1,,,,
  49,start,0,here,52,,
  104,end,0,,,,
  $ preempt epoch state
  0,start,0,new,0,,
  27,preempt,0,,40,41,0
  27,start,1,new,41,,
  61,end,1,,,,
  61,start,0,here,64,,
  104,end,0,,,,

keeps: checkpoint. Job 0 is killed and falls back to its last full epoch, that is step 10. Nothing is saved. At once:
3.5 steps (7 s) are lost, job 1 runs from 27 to 47 s, job 0 restores until 50 s and has 30 steps ahead: 110 s. After
its step: 4 steps (8 s) are lost; 111 s. After its epoch nothing is lost: job 1 runs from 40 to 60 s, job 0 restores
until 63 s and has 20 steps ahead: 103 s.

  $ preempt now checkpoint
  0,start,0,new,0,,
  27,preempt,0,,27,27,7
  27,start,1,new,27,,
  47,end,1,,,,
  47,start,0,disk,50,,
  110,end,0,,,,
  $ preempt step checkpoint
  0,start,0,new,0,,
  27,preempt,0,,28,28,8
  27,start,1,new,28,,
  48,end,1,,,,
  48,start,0,disk,51,,
  111,end,0,,,,
  $ preempt epoch checkpoint
  0,start,0,new,0,,
  27,preempt,0,,40,40,0
  27,start,1,new,40,,
  60,end,1,,,,
  60,start,0,disk,63,,
  103,end,0,,,,

Before the end of its first epoch there is no checkpoint. Preempted at 13 s, job 0 loses all 13 s. At 33 s it starts
from nothing: a start is free here, and it ends at 113 s.

  $ sed -i 's/^27/13/' jobs.csv
  $ preempt now checkpoint
  0,start,0,new,0,,
  13,preempt,0,,13,13,13
  13,start,1,new,13,,
  33,end,1,,,,
  33,start,0,nothing,33,,
  113,end,0,,,,

A job preempted in its last epoch
---------------------------------

Job 0 trains 2 epochs now and has 13 s left at 27 s. Job 1 has a batch of 20, so that its epoch has 5 steps: 10 s. Job
0 gives its GPU away, but goes on to the end of its epoch, which is the end of its work: it ends at 40 s without a GPU
of its own, without a save, and has not waited. Job 1 sets up until 40 s and ends at 50 s.

  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,net,10,2\n27,1,net,20,1\n' > jobs.csv
  $ hetune run run.yaml -s preempt_at=epoch -o last --json > /dev/null
  $ grep -E 'start|preempt|run,|end' last/events.csv | cut -d, -f1-3,9-14
  0,start,0,1,0*10,new,0,,
  27,preempt,0,1,0*10,,40,40,0
  27,start,1,1,0*20,new,40,,
  40,end,0,0,,,,,
  40,run,1,1,0*20,,,,
  50,end,1,1,0*20,,,,
  $ cut -d, -f1,9,11-14,17 last/jobs.csv
  job,end_s,jct_s,wait_s,setup_s,run_s,preemptions
  0,40,40,0,0,40,1
  1,50,23,0,13,10,0

Turns that are shorter than an epoch
------------------------------------

With checkpoints at the ends of epochs and turns of 5 s nobody ever gets to one: each loses what it did. The run is ended
after 10,000 such preemptions and 1,000 for each job.

  $ hetune run run.yaml -s keeps=checkpoint -s 'policy=rr[quantum_s=5]' -s write_events=false
  hetune: policy rr[quantum_s=5], seed 1: policy rr has preempted 12000 times since a job last got to a checkpoint or an end: what they do in between is lost at 90027 s
  jobs: 2 waiting, 0 in set-up, 0 running, 0 paused, 2 submitted; 1 of 1 GPUs free
  the last records:
    89988 s  preempt  job 1  1
    89988 s  start    job 0  1
    89992 s  run      job 0  1
    89997 s  preempt  job 0  1
    89997 s  start    job 1  1
    89998 s  run      job 1  1
    90003 s  preempt  job 1  1
    90003 s  start    job 0  1
    90007 s  run      job 0  1
    90012 s  preempt  job 0  1
    90012 s  start    job 1  1
    90013 s  run      job 1  1
    90018 s  preempt  job 1  1
    90018 s  start    job 0  1
    90022 s  run      job 0  1
    90027 s  finish   1
  policy rr says:
    GPU 0: 2 bound: 0 1
  [4]
  $ hetune run run.yaml -s keeps=checkpoint -s 'policy=rr[quantum_s=20]' --json | grep makespan
    "makespan_s": 61,
