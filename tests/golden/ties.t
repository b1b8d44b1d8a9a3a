Ties: what happens at one instant has an order
==============================================

At each instant jobs' own events come first (by number), then submissions, then experiments that begin, then one
decision of the policy. Jobs have numbers in order of submission.

One GPU. Jobs 0, 1 and 2 come at 0 s; job 3 comes at 10 s, when job 0 ends. The end comes first, so that the GPU is
free in this instant; job 1 has the lower number and takes it. fifo: ends at 10, 14, 18 and 22 s.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > trace: jobs.csv
  > policy: fifo
  > write_series: false
  > END
  $ printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,4\n0,1,4\n10,1,4\n' > jobs.csv
  $ hetune run run.yaml -o fifo --json > /dev/null
  $ cut -d, -f1-3 fifo/events.csv
  time_s,event,job
  0,begin,
  0,arrive,0
  0,arrive,1
  0,arrive,2
  0,start,0
  10,end,0
  10,arrive,3
  10,start,1
  14,end,1
  14,start,2
  18,end,2
  18,start,3
  22,end,3
  22,finish,

sjf: jobs 1 and 2 are equally short, the lower number goes first; job 0 comes last. At 8 s it starts, and job 3 cannot
take the GPU from it: ends at 4, 8, 18 and 22 s.

  $ hetune run run.yaml -s policy=sjf -o sjf --json > /dev/null
  $ cut -d, -f1,9 sjf/jobs.csv
  job,end_s
  1,4
  2,8
  0,18
  3,22

srtf preempts for less time only. Job 3 needs 8 s at 10 s, as much as job 0 needs then: nothing happens. A nanosecond
less, and job 0 waits: it ends at 18 + 8 - 0.000000001 s.

  $ printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,4\n0,1,4\n10,1,8\n' > jobs.csv
  $ hetune run run.yaml -s policy=srtf -o equal --json > /dev/null
  $ cut -d, -f1,9,17 equal/jobs.csv
  job,end_s,preemptions
  1,4,0
  2,8,0
  0,18,0
  3,26,0
  $ sed -i 's/^10,1,8/10,1,7.999999999/' jobs.csv
  $ hetune run run.yaml -s policy=srtf -o less --json > /dev/null
  $ cut -d, -f1,9,17 less/jobs.csv
  job,end_s,preemptions
  1,4,0
  2,8,0
  3,17.999999999,0
  0,25.999999999,1

Two jobs end at 5 s on two GPUs, the lower number first. Both GPUs are free when fifo decides, so that job 2, which
wants two, starts in this instant.

  $ printf 'submit_s,gpus,duration_s\n0,1,5\n0,1,5\n1,2,5\n' > jobs.csv
  $ hetune run run.yaml -s cluster.nodes.0.gpus=2 -o both --json > /dev/null
  $ grep -E '^5,' both/events.csv | cut -d, -f1-3,10
  5,end,0,0
  5,end,1,1
  5,start,2,0-1

A job of the trace and two studies begin at 7 s: the job is number 0, then come the trials of the first study in the
configuration, then those of the second.

  $ cat > studies.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > trace: jobs.csv
  > experiments:
  >   - {name: b, curves: curves.yaml, draw: first, model: net, submit_s: 7}
  >   - {name: a, curves: curves.yaml, draw: first, model: net, submit_s: 7}
  > policy: fifo
  > write_series: false
  > END
  $ printf 'submit_s,gpus,duration_s\n7,1,1\n' > jobs.csv
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ printf 'trial,epoch,metric\n0,1,0.3\n1,1,0.4\n' > curves.csv
  $ hetune run studies.yaml -o studies --json > /dev/null
  $ grep -E ',(open|arrive|start),' studies/events.csv | head -n 8 | cut -d, -f1-6
  7,arrive,0,,,
  7,open,,b,0,
  7,arrive,1,,0,0
  7,arrive,2,,0,1
  7,open,,a,1,
  7,arrive,3,,1,0
  7,arrive,4,,1,1
  7,start,0,,,
