Strict FIFO: the head of the queue blocks the rest
==================================================

Two GPUs. Job 1 wants both and waits for job 0; job 2 would fit beside job 0 but stands behind job 1.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 2}]}
  > trace: jobs.csv
  > policy: [fifo, 'fifo[skip_ahead=true]']
  > END
  $ cat > jobs.csv <<END
  > submit_s,gpus,duration_s,job_id
  > 0,1,10,first
  > 1,2,5,both
  > 2,1,3,small
  > END
  $ hetune run run.yaml -o out --json > comparison.json
  $ cut -d, -f1-3,9-11,16 out/fifo/seed-1/events.csv
  time_s,event,job,n,gpus,origin,told
  0,begin,,2,,,
  0,arrive,0,1,,,
  0,start,0,1,0,new,
  1,arrive,1,2,,,
  2,arrive,2,1,,,
  10,end,0,1,0,,
  10,start,1,2,0-1,new,
  15,end,1,2,0-1,,
  15,start,2,1,0,new,
  18,end,2,1,0,,
  18,finish,,2,,,
  $ cut -d, -f2,7-13 out/fifo/seed-1/jobs.csv
  name,submit_s,first_start_s,end_s,ended,jct_s,wait_s,setup_s
  first,0,0,10,end,10,0,0
  both,1,10,15,end,14,9,0
  small,2,15,18,end,16,13,0

With skip_ahead the small job starts at once, at no cost for the others here.

  $ cut -d, -f2,7-13 out/fifo-skip_ahead-true/seed-1/jobs.csv
  name,submit_s,first_start_s,end_s,ended,jct_s,wait_s,setup_s
  small,2,2,5,end,3,0,0
  first,0,0,10,end,10,0,0
  both,1,10,15,end,14,9,0
