A run for other tools
=====================

Two nodes of one GPU. A start takes 1 s, a save 2 s, a restore 3 s, a container on another node 4 s; srtf starts the
shorter jobs first. At 10 s `late` takes GPU 1 from `long`, whose state is saved until 12 s; at 31 s `long` takes GPU 0,
where 3 + 4 = 7 s of set-up lead to 38 s (explain.t tells the story).

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1, count: 2}]}
  > overheads: {start_s: 1, save_s: 2, restore_s: 3, image_s: 4}
  > trace: trace.csv
  > policy: srtf
  > END
  $ cat > trace.csv <<END
  > submit_s,gpus,duration_s,job_id
  > 0,1,100,long
  > 0,1,30,mid
  > 10,1,40,"late, ""quoted"""
  > END
  $ hetune run run.yaml -q -o out > /dev/null

A timeline for Perfetto and other readers of Chrome's traces
------------------------------------------------------------

A process is a node, a thread a GPU, both counted from 1. GPU 1 (tid 2) sets long up from 0 to 1 s, has its progress
until 10 s and its save until 12 s; only then late's set-up begins, and its progress at 13 s. Times are microseconds.

  $ hetune export out --to chrome
  out/chrome.json
  $ grep '"ph":"X"' out/chrome.json | grep '"tid":2' | sed 's/,"args.*//'
  {"ph":"X","name":"job 0: set-up","cat":"set-up","pid":2,"tid":2,"ts":0,"dur":1000000
  {"ph":"X","name":"job 0","cat":"progress","pid":2,"tid":2,"ts":1000000,"dur":9000000
  {"ph":"X","name":"job 0: save","cat":"save","pid":2,"tid":2,"ts":10000000,"dur":2000000
  {"ph":"X","name":"job 2: set-up","cat":"set-up","pid":2,"tid":2,"ts":12000000,"dur":1000000
  {"ph":"X","name":"job 2","cat":"progress","pid":2,"tid":2,"ts":13000000,"dur":40000000
  $ grep '"ph":"X"' out/chrome.json | grep -m 1 '"job":2'
  {"ph":"X","name":"job 2: set-up","cat":"set-up","pid":2,"tid":2,"ts":12000000,"dur":1000000,"args":{"job":2,"name":"late, \"quoted\"","stretch":0,"gpus":1,"origin":"new","ended":"end","why":"least remaining time of those that wait"}},
  $ grep '"ph":"M"' out/chrome.json
  {"ph":"M","name":"process_name","pid":3,"tid":0,"args":{"name":"cluster"}},
  {"ph":"M","name":"process_sort_index","pid":3,"tid":0,"args":{"sort_index":-1}},
  {"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"node 0 (gpu)"}},
  {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"GPU 0"}},
  {"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"node 1 (gpu)"}},
  {"ph":"M","name":"thread_name","pid":2,"tid":2,"args":{"name":"GPU 1"}},
  $ grep -m 2 '"ph":"C"' out/chrome.json
  {"ph":"C","name":"GPUs","pid":3,"tid":0,"ts":0,"args":{"in progress":0,"held, not in progress":2}},
  {"ph":"C","name":"jobs","pid":3,"tid":0,"ts":0,"args":{"waiting":0,"set-up":2,"running":0,"paused":0}},

A window cuts what reaches over its ends; --nodes leaves the other nodes out. From 11 to 12.5 s GPU 1 saves long for one
second and sets late up for half a second. Two jobs are in set-up or progress all the time, one waits.

  $ hetune export out --to chrome --window 11,12.5 --nodes 1 -o part.json
  part.json
  $ grep -E '"ph":"[XC]"' part.json | sed 's/,"args":{"job.*//'
  {"ph":"C","name":"GPUs","pid":3,"tid":0,"ts":11000000,"args":{"in progress":1,"held, not in progress":1}},
  {"ph":"C","name":"jobs","pid":3,"tid":0,"ts":11000000,"args":{"waiting":1,"set-up":1,"running":1,"paused":0}},
  {"ph":"X","name":"job 0: save","cat":"save","pid":2,"tid":2,"ts":11000000,"dur":1000000
  {"ph":"X","name":"job 2: set-up","cat":"set-up","pid":2,"tid":2,"ts":12000000,"dur":500000

Tables of jobs, after Batsim's
------------------------------

  $ hetune export out --to batsim -o tables
  tables/jobs.csv
  tables/segments.csv
  tables/schedule.json
  $ cut -d, -f1-16 tables/jobs.csv
  job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy
  1,trace.csv,,0,1,-1,1,COMPLETED_SUCCESSFULLY,0,31,31,0,31,1,0,-1
  2,trace.csv,,10,1,-1,1,COMPLETED_SUCCESSFULLY,10,43,53,0,43,1,1,-1
  0,trace.csv,,0,1,-1,1,COMPLETED_SUCCESSFULLY,0,129,129,0,129,1,0,-1

long waits 0 s for its first start, and ends after 129 s on GPU 0. Where it really was is in segments.csv, which has the
same columns: a row for each stretch on GPUs, so that rows of one GPU do not overlap.

  $ cut -d, -f1,8-15 tables/segments.csv
  job_id,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources
  1,COMPLETED_SUCCESSFULLY,0,31,31,0,31,1,0
  0,PREEMPTED,0,10,10,0,10,1,1
  2,COMPLETED_SUCCESSFULLY,10,43,53,0,43,1,1
  0,COMPLETED_SUCCESSFULLY,31,98,129,31,129,1.316326530612245,0
  $ grep -h '^0,' tables/*.csv | cut -d, -f17-
  "{""name"": ""long"", ""starts"": 2, ""preemptions"": 1, ""relocations"": 1, ""wait_s"": 21, ""setup_s"": 8, ""run_s"": 100, ""lost_s"": 0}"
  "{""name"": ""long"", ""stretch"": 0, ""origin"": ""new"", ""progress_from_s"": 1, ""progress_until_s"": 10, ""lost_s"": 0, ""saved_s"": 12}"
  "{""name"": ""long"", ""stretch"": 1, ""origin"": ""moved"", ""progress_from_s"": 38, ""progress_until_s"": 129, ""lost_s"": 0, ""saved_s"": 129}"

Slowdowns (turnaround over execution, as Batsim has them) are 1, as nobody waits for a first start. The totals that
Batsim does not have carry our names.

  $ grep -v hetune_ tables/schedule.json
  {
    "nb_jobs": 3,
    "nb_jobs_finished": 3,
    "nb_jobs_success": 3,
    "nb_jobs_killed": 0,
    "nb_jobs_rejected": 0,
    "success_rate": 1,
    "nb_computing_machines": 2,
    "makespan": 129,
    "mean_waiting_time": 0,
    "max_waiting_time": 0,
    "mean_turnaround_time": 67.66666666666667,
    "max_turnaround_time": 129,
    "mean_slowdown": 1,
    "max_slowdown": 1,
  }
  $ grep -c hetune_ tables/schedule.json
  44

What is wrong
-------------

  $ hetune export out
  error: export: --to is missing; wanted chrome or batsim
  [2]
  $ hetune export out --to chrom
  error: export: unknown format 'chrom' (did you mean 'chrome'?)
  [2]
  $ hetune export out --to paje
  error: export: unknown format 'paje'; wanted chrome or batsim
  [2]
  $ hetune export --to chrome
  error: export: wanted one result folder, got 0
  [2]
  $ hetune export out --to chrome --window 5
  error: export: --window: wanted FROM,TO in seconds, the first before the second, got '5'
  [2]
  $ hetune export out --to chrome --window 7,5
  error: export: --window: wanted FROM,TO in seconds, the first before the second, got '7,5'
  [2]
  $ hetune export out --to chrome --nodes 0-
  error: export: --nodes: wanted numbers and ranges, such as 0-3,7, got '0-'
  [2]
  $ hetune export out --to chrome --nodes 1-2
  error: export: --nodes: the cluster has nodes 0 to 1, not 2
  [2]
  $ hetune export out --to batsim --nodes 1
  error: export: --nodes limits --to chrome only; tables are of the whole run
  [2]
  $ hetune export out --to batsim -o ''
  error: export: -o is empty; wanted a name
  [2]
  $ hetune export out --to batsim -o run.yaml
  run.yaml/jobs.csv: cannot create: Not a directory
  [3]
  $ head -n 12 out/events.csv > cut.csv && mkdir cut && cp out/*.json cut && cp cut.csv cut/events.csv
  $ hetune export cut --to chrome -o cut.json
  error: the events end before the run does
  [2]
  $ hetune export cut --to batsim -o cut/tables
  error: the events end before the run does
  [2]
  $ ls cut.json cut/tables 2>&1 | sed 's/ls: cannot access//'
   'cut.json': No such file or directory
   'cut/tables': No such file or directory
  $ rm cut/events.csv; hetune export cut --to chrome
  error: cut: there is no events.csv, of which stories are made
  note: hetune run run.yaml -s write_events=true -o DIR makes one
  [2]
