Result folders: complete, cut, interrupted, not writable
========================================================

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > trace: jobs.csv
  > policy: fifo
  > END
  $ printf 'submit_s,gpus,duration_s\n0,1,10\n5,1,20\n' > jobs.csv

A run of one policy and one seed writes six files; of several, a folder for each.

  $ hetune run run.yaml -o one -q > /dev/null; ls one
  events.csv
  jobs.csv
  manifest.json
  series.csv
  summary.json
  timing.json
  $ hetune run run.yaml -s 'policy=[fifo, sjf]' -s seeds=2 -o many -q > /dev/null; (cd many; find . -type d | sort)
  .
  ./fifo
  ./fifo/seed-1
  ./fifo/seed-2
  ./sjf
  ./sjf/seed-1
  ./sjf/seed-2

A folder that has something in it is left alone; --force writes over the files of the same names.

  $ hetune run run.yaml -o one
  error: one: the folder is not empty; --force writes into it
  [2]
  $ hetune run run.yaml -s policy=sjf -o one --force -q | head -n 1; grep '"policy"' one/manifest.json | head -n 1
  sjf (oracle), seed 1, drained
    "policy": "sjf",

Half a run on purpose: until_s. The results are complete, job 1 has no end. Until the cut the GPU was busy all the
time.

  $ hetune run run.yaml -s until_s=15 -o cut -q | head -n 2; cut -d, -f1,9-14 cut/jobs.csv
  fifo, seed 1, until
    note: cut at until_s before all jobs were gone; times are of the jobs done by then
  job,end_s,ended,jct_s,wait_s,setup_s,run_s
  0,10,end,10,0,0,10
  1,15,,10,5,0,5
  $ grep -E 'unfinished|busy_share|makespan' cut/summary.json
    "unfinished": 1,
    "makespan_s": null,
    "gpu_busy_share": 1,

A comparison says so too.

  $ hetune run run.yaml -s 'policy=[fifo, sjf]' -s until_s=15 -q | tail -n 1
  note: 2 of 2 runs were cut at until_s before all jobs were gone; times are of the jobs done by then
  $ hetune compare cut | tail -n 1
  note: 1 of 1 runs were cut at until_s before all jobs were gone; times are of the jobs done by then
  $ hetune compare one | grep note
  [1]

Half a run by Ctrl-C: here a pipe brings jobs without end, and the run is interrupted as soon as it has begun. The
exit code is 128 + 2. Nothing half-written is left, nor the folder that was made for it.

  $ printf 'submit_s,gpus,duration_s\n' > header
  $ (cat header; seq -f '%.0f,1,1' 100000000) | env --default-signal=INT hetune run run.yaml -s trace=- -o half &
  > until [ -n "$(ls half 2> /dev/null)" ]; do sleep 0.01; done
  > kill -INT $!; wait $!
  hetune: stopped; 0 of 1 runs are complete
  [130]
  $ [ -e half ] || echo no folder
  no folder

A second signal ends it at once, of whatever kind: here the run is stuck, as nobody reads what it writes.

  $ mkfifo pipe; exec 9<> pipe; mkdir stuck; ln -s ../pipe stuck/events.csv
  $ (cat header; seq -f '%.0f,1,1' 1000000) > many.csv
  $ watching() { (((0x$(awk '/SigCgt/ { print $2 }' /proc/$!/status) & 0x4003) != 0)); } # HUP, INT, TERM
  $ signals() {
  >   env --default-signal=INT,TERM,HUP hetune run run.yaml -s trace=many.csv -o stuck --force &
  >   while kill -0 $! && ! { watching && grep -q 'State:.S' /proc/$!/status; }; do sleep 0.01; done
  >   kill -$1 $!
  >   while kill -0 $! && watching; do sleep 0.01; done
  >   kill -$2 $!; wait $! 2> /dev/null
  > }
  $ signals INT TERM
  [143]
  $ signals TERM HUP
  [129]
  $ signals HUP HUP
  [129]
  $ exec 9>&-

With many seeds, runs that are complete stay. As many as the message says can be compared; here one is surely
complete.

  $ env --default-signal=INT hetune run run.yaml -s seeds=100000 -o seeds -q 2> message &
  > until [ -e seeds/fifo/seed-1/summary.json ]; do sleep 0.01; done
  > kill -INT $!; wait $!
  [130]
  $ sed -E 's/; [0-9]+ of/; N of/' message
  hetune: stopped; N of 100000 runs are complete
  $ complete=$(sed -E 's/.*; ([0-9]+) of.*/\1/' message)
  $ [ $complete = $(find seeds -name summary.json | wc -l) ] && [ $complete -ge 1 ]
  $ find seeds -name '*.tmp*'
  $ hetune compare seeds | head -n 1 | grep -c "^1 policy, $complete seed"
  1

A full disk: exit code 3, and no summary.json.

  $ mkdir full; ln -s /dev/full full/events.csv
  $ hetune run run.yaml -o full --force
  full/events.csv: cannot write: No space left on device
  [3]
  $ ls full

A link is replaced, and what it leads to is left alone.

  $ mkdir linked; echo other > real.csv; ln -s ../real.csv linked/jobs.csv; hetune run run.yaml -o linked --force -q > /dev/null
  $ cat real.csv; wc -l < linked/jobs.csv
  other
  3
  $ hetune export one --to chrome -o /dev/stdout > file; readlink /dev/stdout; [ -s file ] && echo written
  /proc/self/fd/1
  written
