Least attained service: who has had much makes way
==================================================

One GPU. Job 0 needs 30 s, job 1 comes at 3 s and needs 8 s. A job that has attained 10 GPU seconds sinks into the
second queue; GPUs are taken away only at multiples of 4 s.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > trace: jobs.csv
  > policy: las[threshold_gpu_s=10,quantum_s=4]
  > write_jobs: false
  > write_series: false
  > END
  $ printf 'submit_s,gpus,duration_s\n0,1,30\n3,1,8\n' > jobs.csv
  $ story() { grep -E 'start|preempt|run,|end' $1/events.csv | cut -d, -f1-3,9,12,17; }

Two queues, each in order of arrival. Until 10 s both jobs are in the first queue, and job 0 was first. At 10 s it
sinks, at 12 s its GPU is taken away. Job 1 ends at 12 + 8 = 20 s, before it has attained 10 s. Job 0 ends at 20 + 30
- 12 = 38 s.

  $ hetune run run.yaml -o two --json > /dev/null
  $ story two
  0,start,0,1,0,first of the highest queue
  12,preempt,0,1,12,a higher queue holds job 1
  12,start,1,1,12,first of the highest queue
  20,end,1,1,,
  20,start,0,1,20,first of the highest queue
  38,end,0,1,,

One queue (threshold 0): whoever attained least comes first; equals in order of submission. At 4 s job 0 has 4 s and
job 1 has none. At 8 s both have 4 s: job 0 was submitted first. At 12 s job 0 has 8 s and job 1 has 4 s; it ends at
16 s, when a decision is due, too, but nobody has to be preempted any more. Job 0 ends at 16 + 30 - 8 = 38 s.

  $ hetune run run.yaml -s 'policy=las[threshold_gpu_s=0,quantum_s=4]' -o one --json > /dev/null
  $ story one
  0,start,0,1,0,least attained service of those that wait
  4,preempt,0,1,4,less service was attained by job 1
  4,start,1,1,4,least attained service of those that wait
  8,preempt,1,1,8,less service was attained by job 0
  8,start,0,1,8,least attained service of those that wait
  12,preempt,0,1,12,less service was attained by job 1
  12,start,1,1,12,least attained service of those that wait
  16,end,1,1,,
  16,start,0,1,16,least attained service of those that wait
  38,end,0,1,,

Service is GPU time: a job of two GPUs has attained 10 GPU seconds after 5 s and is preempted at 8 s. Job 1 runs from
8 to 12 s; it attains 8 GPU seconds. Job 0 ends at 12 + 30 - 8 = 34 s.

  $ printf 'submit_s,gpus,duration_s\n0,2,30\n3,2,4\n' > jobs.csv
  $ hetune run run.yaml -s cluster.nodes.0.gpus=2 -o wide --json > /dev/null
  $ story wide
  0,start,0,2,0,first of the highest queue
  8,preempt,0,2,8,a higher queue holds job 1
  8,start,1,2,8,first of the highest queue
  12,end,1,2,,
  12,start,0,2,12,first of the highest queue
  34,end,0,2,,

Set-up is no service. A start takes 3 s: job 0 runs from 3 s, sinks at 13 s and is preempted at 16 s with 13 s done.
Job 1 sets up until 19 s and ends at 27 s. Job 0 has no set-up to repeat, for restoring is free here: it ends at 27 +
30 - 13 = 44 s.

  $ printf 'submit_s,gpus,duration_s\n0,1,30\n3,1,8\n' > jobs.csv
  $ hetune run run.yaml -s overheads.start_s=3 -o setup --json > /dev/null
  $ story setup
  0,start,0,1,3,first of the highest queue
  3,run,0,1,,
  16,preempt,0,1,16,a higher queue holds job 1
  16,start,1,1,19,first of the highest queue
  19,run,1,1,,
  27,end,1,1,,
  27,start,0,1,27,first of the highest queue
  44,end,0,1,,

The policy sleeps over quanta at which nothing can change. Looking at each of them has the same result.

  $ hetune run run.yaml -s 'policy=las[threshold_gpu_s=10,quantum_s=4,every_quantum=true]' -o every --json > /dev/null
  $ cmp two/events.csv every/events.csv
