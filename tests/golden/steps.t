Steps one by one
================

Two jobs on one GPU, on which two that compute together get 1.25 / 2 of it each (eta 0.5): both go 1.6 times slower
then. A step of job 0 computes for 1 s and has its host work for another; one of job 1 computes for 2 s.

  $ cat > run.yaml <<'END'
  > cluster:
  >   gpu_types: {gpu: {eta: 0.5}}
  >   sharing: {residents: 2}
  >   nodes: [{type: gpu, gpus: 1}]
  > cost:
  >   models:
  >     a: {parameters: 0, samples_per_epoch: 60, batch: 10}
  >     b: {parameters: 0, samples_per_epoch: 60, batch: 10}
  >   fits:
  >     - {model: a, gpu: gpu, alpha_s: 1, beta_s: 0, gap_s: 1}
  >     - {model: b, gpu: gpu, alpha_s: 2, beta_s: 0}
  > trace: jobs.csv
  > policy: even_split
  > write_series: false
  > END
  $ run() {
  >   hetune run run.yaml -o out --json "$@" > /dev/null
  >   grep -E 'end|load|preempt|start|report' out/events.csv | cut -d, -f1-3,10,12-15; rm -r out
  > }

Both begin at 0 s. At 1.6 s the replica of job 0 is done; job 1 has done 1 s of its 2 s and does the other alone, until
2.6 s, when the host work of job 0 is over, too. All six steps go like this: 15.6 s. The GPU was busy all the time, and
did 3 s of work in each 2.6 s, of 1.25 s that it could do in a second.

  $ printf 'submit_s,gpus,model,batch,epochs,on\n0,1,a,10,1,0\n0,1,b,10,1,0\n' > jobs.csv
  $ run -s fidelity=step
  0,start,0,0*10,0,,,0.5
  0,start,1,0*10,0,,,0.5
  15.6,end,0,0*10,,,,
  15.6,end,1,0*10,,,,
  15.6,load,,0*2,0,,,1

Job 1 comes at 0.5 s, when job 0 has done half a step: it is done with the other half at 1.3 s, begins the next step at
2.3 s, and from then on every 2.6 s, as before. What the GPU did is told when the jobs on it change.

  $ printf 'submit_s,gpus,model,batch,epochs,on\n0,1,a,10,1,0\n0.5,1,b,10,1,0\n' > jobs.csv
  $ run -s fidelity=step
  0,start,0,0*10,0,,,0.5
  0.5,start,1,0*10,0.5,,,0.5
  0.5,load,,0*1,0,,,1
  15.3,end,0,0*10,,,,
  15.3,load,,0*2,0.5,,,1
  15.8,end,1,0*10,,,,
  15.8,load,,0*1,15.3,,,1

Jitter is a factor on each step, by job and number of the step, whatever else happens: these two jobs do not meet.

  $ printf 'submit_s,gpus,model,batch,epochs,on\n0,1,b,10,1,0\n100,1,b,10,1,0\n' > jobs.csv
  $ run -s fidelity=step -s step_jitter=0.1
  0,start,0,0*10,0,,,0.5
  12.141684485,end,0,0*10,,,,
  12.141684485,load,,0*1,0,,,1
  100,start,1,0*10,100,,,0.5
  112.871245043,end,1,0*10,,,,
  112.871245043,load,,0*1,100,,,1

Leaving in the middle of a step
-------------------------------

A step takes 2 s, an epoch has 10 steps. Job 0 trains 4 epochs, 80 s; job 1 comes at 27 s and trains one, and srtf gives
it the GPU. Job 0 is then half through step 14. A save takes 1 s, a restore 3 s.

  $ sed -i 's/samples_per_epoch: 60/samples_per_epoch: 100/; s/even_split/srtf/' run.yaml
  $ echo 'overheads: {save_s: 1, restore_s: 3}' >> run.yaml
  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,b,10,4\n27,1,b,10,1\n' > jobs.csv
  $ preempt() { run -s fidelity=step -s preempt_at=$1 -s keeps=$2 | grep -v load | cut -d, -f1-3,5-7; }

It may finish nothing: the second that it has spent on step 14 is lost, and job 0 ends after 81 s of its own.

  $ preempt now state
  0,start,0,0,,
  27,preempt,0,27,28,1
  27,start,1,28,,
  48,end,1,,,
  48,start,0,51,,
  105,end,0,,,

It may finish its step, at 28 s, or its epoch, at 40 s.

  $ preempt step state
  0,start,0,0,,
  27,preempt,0,28,29,0
  27,start,1,29,,
  49,end,1,,,
  49,start,0,52,,
  104,end,0,,,
  $ preempt epoch state
  0,start,0,0,,
  27,preempt,0,40,41,0
  27,start,1,41,,
  61,end,1,,,
  61,start,0,64,,
  104,end,0,,,

Where a checkpoint is written at the end of each epoch, all since 20 s is lost.

  $ preempt now checkpoint
  0,start,0,0,,
  27,preempt,0,27,27,7
  27,start,1,27,,
  47,end,1,,,
  47,start,0,50,,
  110,end,0,,,
  $ preempt step checkpoint
  0,start,0,0,,
  27,preempt,0,28,28,8
  27,start,1,28,,
  48,end,1,,,
  48,start,0,51,,
  111,end,0,,,
  $ preempt epoch checkpoint
  0,start,0,0,,
  27,preempt,0,40,40,0
  27,start,1,40,,
  60,end,1,,,
  60,start,0,63,,
  103,end,0,,,
