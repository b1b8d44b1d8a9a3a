Wrong use of the command
========================

  $ hetune
  error: a command is missing; see hetune --help
  [2]
  $ hetune fly
  error: unknown command 'fly'; see hetune --help
  [2]
  $ hetune rum x.yaml
  error: unknown command 'rum' (did you mean 'run'?)
  [2]
  $ hetune run
  error: run: wanted one configuration, got 0
  [2]
  $ hetune run a.yaml b.yaml
  error: run: wanted one configuration, got 2
  [2]
  $ hetune run --sede 1 a.yaml
  error: run: unknown option '--sede' (did you mean '--seed'?)
  [2]
  $ hetune run a.yaml -x
  error: run: unknown option '-x'
  [2]
  $ hetune run a.yaml -s
  error: run: option '-s' takes a value
  [2]
  $ hetune run a.yaml --seed
  error: run: option '--seed' takes a value
  [2]
  $ hetune list
  error: list: wanted one thing to list; there are policies, predictors, tuners, cost_models, contentions, metrics, keys
  [2]
  $ hetune list polices
  error: list: unknown list 'polices' (did you mean 'policies'?)
  [2]
  $ hetune list policies tuners
  error: list: wanted one thing to list; there are policies, predictors, tuners, cost_models, contentions, metrics, keys
  [2]
  $ hetune compare
  error: compare: wanted result folders
  [2]
  $ hetune compare absent
  absent: cannot open the folder: No such file or directory
  [3]
  $ hetune metrics
  error: metrics: wanted one result folder, got 0
  [2]
  $ hetune metrics absent
  absent/events.csv: cannot open: No such file or directory
  [3]
  $ hetune validate
  error: validate: wanted one file, got 0
  [2]
  $ hetune explain
  error: explain: wanted one result folder, got 0
  [2]
  $ hetune plot
  error: plot: wanted result folders
  [2]
  $ hetune self
  error: self: wanted man, man COMMAND, man -o DIR, or complete -- WORD...
  [2]
  $ hetune self manual
  error: self: wanted man, man COMMAND, man -o DIR, or complete -- WORD...
  [2]
  $ hetune self man rnu
  error: unknown command 'rnu' (did you mean 'run'?)
  [2]
  $ hetune self man run -o man1
  error: self: wanted man, man COMMAND, man -o DIR, or complete -- WORD...
  [2]
  $ hetune self man run explain
  error: self: wanted man, man COMMAND, man -o DIR, or complete -- WORD...
  [2]

Libraries are loaded from the command line only, and only from a path

  $ hetune list policies --policy-lib mine.so
  error: policy library mine.so: the path must hold a '/', as in ./mine.so: bare names are searched in system folders
  [2]
  $ hetune list policies --policy-lib ./mine.so
  error: policy library ./mine.so: there is no such file
  [2]
  $ echo 'not a library' > mine.so
  $ hetune list policies --policy-lib ./mine.so 2>&1 | sed 's/:.*/: .../'
  error: ...
  $ chmod o+w mine.so; hetune list policies --policy-lib ./mine.so
  error: policy library ./mine.so: everybody may write it; chmod o-w first
  [2]

Results go into an empty folder

  $ cat > run.yaml <<'END'
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 2}]}
  > trace: jobs.csv
  > policy: fifo
  > END
  $ printf 'submit_s,gpus,duration_s\n0,1,60\n' > jobs.csv
  $ mkdir full; touch full/file
  $ hetune run run.yaml -o full
  error: full: the folder is not empty; --force writes into it
  [2]
  $ hetune run run.yaml -o ""
  error: run: -o is empty; wanted the name of a folder
  [2]
  $ hetune run run.yaml -o "" --force
  error: run: -o is empty; wanted the name of a folder
  [2]
  $ hetune plot full -o ""
  error: plot: -o is empty; wanted the name of a folder
  [2]
  $ hetune run run.yaml -o jobs.csv
  jobs.csv: cannot open the folder: Not a directory
  [3]
  $ hetune run run.yaml -o jobs.csv/out
  jobs.csv/out: cannot open the folder: Not a directory
  [3]
  $ hetune run run.yaml -o /proc/out
  /proc/out: cannot make the folder: No such file or directory
  [3]
  $ hetune run run.yaml -o full --force -q > /dev/null; ls full
  events.csv
  file
  jobs.csv
  manifest.json
  series.csv
  summary.json
  timing.json
  $ hetune run run.yaml > /dev/full
  standard output: cannot write: No space left on device
  [3]
  $ hetune list keys --json > /dev/full
  standard output: cannot write: No space left on device
  [3]
  $ hetune list keys >&-
  standard output: cannot write: Bad file descriptor
  [3]
  $ (sleep 0.2; hetune list keys --json; echo "exit code $?" >&2) | true
  exit code 0

Results that were changed

  $ cp -r full broken; sed -i 's/"ended": "drained",//' broken/summary.json; hetune compare broken
  broken/summary.json:1:1: error: key 'ended' is missing
      1 | {
        | ^
  [2]
  $ cp full/summary.json broken; sed -i 's/"schema": 1/"schema": 9/' broken/summary.json; hetune compare broken
  broken/summary.json:2:13: error: schema 9 is not known; this version reads schema 1
      2 |   "schema": 9,
        |             ^
  [2]
  $ cp full/summary.json broken; sed -i 's/"jobs": 1/"jobs": "one"/' broken/summary.json; hetune compare broken
  broken/summary.json:5:11: error: jobs: 'one' is not a number
      5 |   "jobs": "one",
        |           ^
  [2]
  $ cp full/summary.json broken; head -c 100 full/summary.json > broken/summary.json; hetune compare broken
  broken/summary.json:7:3: error: a string that is not closed
      7 |   "
        |   ^
  [2]
  $ cp full/summary.json broken; rm broken/manifest.json; hetune compare broken
  broken/manifest.json: cannot open: No such file or directory
  [3]
  $ cp full/manifest.json broken; sed -i 's/"seed": 1/"seed": 2.5/' broken/manifest.json; hetune compare broken
  broken/manifest.json:3:11: error: seed: '2.5' is not a whole number
      3 |   "seed": 2.5,
        |           ^
  [2]
  $ cp full/manifest.json broken; hetune compare full broken
  error: fifo with seed 1 is there twice: in full and in broken
  [2]
  $ sed -i 's/"seed": 1/"seed": 2/; s/"world": "[0-9a-f]*"/"world": "0"/' broken/manifest.json; hetune compare full broken 2>&1 | sed 's/([0-9a-f]\{16\})/(...)/'
  error: the runs are not of one world: fifo (...) and fifo (0) differ in inputs or configuration
  $ hetune compare full --baseline sjf
  error: there is no run of the baseline 'sjf'
  [2]
  $ mkdir empty; hetune compare empty
  error: empty: there is no summary.json in it or below it
  [2]

Events that were changed

  $ grep -v finish full/events.csv > broken/events.csv; hetune metrics broken
  error: the events end before the run does: there is no finish record
  [2]
  $ sed 's/^0,arrive/0,arive/' full/events.csv > broken/events.csv; hetune metrics broken
  broken/events.csv:3:3: error: event: unknown event
      3 | 0,arive,0,,,,0,,1,,,,,,,,
        |   ^
  [2]
  $ sed 's/^60,end,0/60,end,7/' full/events.csv > broken/events.csv; hetune metrics broken
  broken/events.csv:5:8: error: job: no such job is alive
      5 | 60,end,7,,,,,,1,0,,,,,,,
        |        ^
  [2]
  $ sed 's/^60,end/-60,end/' full/events.csv > broken/events.csv; hetune metrics broken
  broken/events.csv:5:1: error: time_s: -60 is below the minimum, 0
      5 | -60,end,0,,,,,,1,0,,,,,,,
        | ^
  [2]
  $ sed 's/,1,0,new,/,1,0-3,new,/' full/events.csv > broken/events.csv; hetune metrics broken
  broken/events.csv:4:18: error: gpus: not as many GPUs as column n says
      4 | 0,start,0,,,,,,1,0-3,new,0,,,1,,head of the queue
        |                  ^
  [2]
  $ sed 's/,1,0,new,/,1,x,new,/' full/events.csv > broken/events.csv; hetune metrics broken
  broken/events.csv:4:18: error: gpus: wanted ranges of GPUs such as 0-3*32 8
      4 | 0,start,0,,,,,,1,x,new,0,,,1,,head of the queue
        |                  ^
  [2]
  $ sed 's/,new,/,old,/' full/events.csv > broken/events.csv; hetune metrics broken
  broken/events.csv:4:20: error: origin: unknown origin
      4 | 0,start,0,,,,,,1,0,old,0,,,1,,head of the queue
        |                    ^
  [2]
  $ sed 's/^0,arrive,0/0,arrive,5/' full/events.csv > broken/events.csv; hetune metrics broken
  broken/events.csv:3:10: error: job: jobs must arrive in order of their numbers
      3 | 0,arrive,5,,,,0,,1,,,,,,,,
        |          ^
  [2]
  $ cut -d, -f1-9 full/events.csv > broken/events.csv; hetune metrics broken
  broken/events.csv:1:1: error: column 'gpus' is missing
      1 | time_s,event,job,name,experiment,trial,epoch,good,n
        | ^
  broken/events.csv:1:1: error: column 'origin' is missing
      1 | time_s,event,job,name,experiment,trial,epoch,good,n
        | ^
  broken/events.csv:1:1: error: column 'run_s' is missing
      1 | time_s,event,job,name,experiment,trial,epoch,good,n
        | ^
  broken/events.csv:1:1: error: column 'ready_s' is missing
      1 | time_s,event,job,name,experiment,trial,epoch,good,n
        | ^
  broken/events.csv:1:1: error: column 'lost_s' is missing
      1 | time_s,event,job,name,experiment,trial,epoch,good,n
        | ^
  broken/events.csv:1:1: error: column 'value' is missing
      1 | time_s,event,job,name,experiment,trial,epoch,good,n
        | ^
  broken/events.csv:1:1: error: column 'told' is missing
      1 | time_s,event,job,name,experiment,trial,epoch,good,n
        | ^
  broken/events.csv:1:1: error: column 'why' is missing
      1 | time_s,event,job,name,experiment,trial,epoch,good,n
        | ^
  [2]
  $ hetune metrics full | cmp - full/summary.json
