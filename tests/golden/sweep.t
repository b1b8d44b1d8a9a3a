Sweeps: every combination, in parallel, resumed, merged
=======================================================

Two jobs on one GPU. The sweep varies how long the second takes to arrive, and, in step with it, the GPUs; policies and
seeds are axes, too. What `exclude` matches is left out.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > trace: jobs.csv
  > policy: [fifo, sjf]
  > END
  $ printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,5\n' > jobs.csv
  $ cat > sweep.yaml <<END
  > about: an example
  > run: run.yaml
  > axes:
  >   cluster.nodes.0.gpus: [1, 2]
  >   max_rounds: [100, 200]
  >   preempt_at: [now, step]
  > zip: [[cluster.nodes.0.gpus, max_rounds]]
  > exclude:
  >   - {policy: sjf, preempt_at: step}
  > END

The plan has a line for each point: case by case, then policy by policy, then seed by seed.

  $ hetune sweep plan sweep.yaml | sed -E 's/"[0-9a-f]{16}"/HASH/'
  {"point": HASH, "policy": "fifo", "seed": 1, "axes": {"cluster.nodes.0.gpus": "1", "max_rounds": "100", "preempt_at": "now"}}
  {"point": HASH, "policy": "sjf", "seed": 1, "axes": {"cluster.nodes.0.gpus": "1", "max_rounds": "100", "preempt_at": "now"}}
  {"point": HASH, "policy": "fifo", "seed": 1, "axes": {"cluster.nodes.0.gpus": "1", "max_rounds": "100", "preempt_at": "step"}}
  {"point": HASH, "policy": "fifo", "seed": 1, "axes": {"cluster.nodes.0.gpus": "2", "max_rounds": "200", "preempt_at": "now"}}
  {"point": HASH, "policy": "sjf", "seed": 1, "axes": {"cluster.nodes.0.gpus": "2", "max_rounds": "200", "preempt_at": "now"}}
  {"point": HASH, "policy": "fifo", "seed": 1, "axes": {"cluster.nodes.0.gpus": "2", "max_rounds": "200", "preempt_at": "step"}}

A run does what is not there yet. Points are files; merge makes one table of them.

  $ hetune sweep run sweep.yaml -o out -q
  6 points: 6 complete; out
  $ hetune sweep run sweep.yaml -o out -q
  6 points: 6 complete; out
  $ ls out; ls out/points | wc -l
  plan.jsonl
  points
  6
  $ hetune sweep merge out
  6 rows; out/merged.csv
  $ cut -d, -f2-6,8,9,19 out/merged.csv
  cluster.nodes.0.gpus,max_rounds,preempt_at,policy,oracle,status,reason,jct_mean_s
  1,100,now,fifo,false,complete,,12.5
  1,100,now,sjf,true,complete,,10
  1,100,step,fifo,false,complete,,12.5
  2,200,now,fifo,false,complete,,7.5
  2,200,now,sjf,true,complete,,7.5
  2,200,step,fifo,false,complete,,7.5

A point's name is a hash of all that its result hangs on. With more seeds points are added; those that are there count.

  $ hetune sweep run sweep.yaml -o more -s seeds=2 -q
  12 points: 12 complete; more
  $ ls out/points more/points | sort | uniq -d | wc -l
  6
  $ hetune sweep run sweep.yaml -s seeds=2 -o out -q
  error: out/plan.jsonl: the plan of another sweep, or of another version; --force replaces it, and keeps the points that both have
  [2]
  $ hetune sweep run sweep.yaml -s seeds=2 -o out -q --force
  12 points: 12 complete; out
  $ hetune sweep merge more; hetune sweep merge out -o - | cmp - more/merged.csv
  12 rows; more/merged.csv

Shards, in any order and number, give the same bytes.

  $ for i in 3 1 2; do hetune sweep run sweep.yaml -s seeds=2 -o shards --shard $i/3 --jobs 1 -q; done
  4 points: 4 complete; shards
  4 points: 4 complete; shards
  4 points: 4 complete; shards
  $ hetune sweep merge shards; cmp shards/merged.csv more/merged.csv
  12 rows; shards/merged.csv
  $ SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_COUNT=2 hetune sweep run sweep.yaml -o slurm -q
  3 points: 3 complete; slurm
  $ JOB_COMPLETION_INDEX=0 hetune sweep run sweep.yaml -o slurm --shard /2 -q
  3 points: 3 complete; slurm

What is missing or damaged is said, and made good by the next run.

  $ rm "$(ls out/points/* | head -n 1)"; sed -i 's/"done": 2/"done": 3/' "$(ls out/points/* | head -n 1)"
  $ hetune sweep status out
  12 points: 10 complete, 1 missing, 1 damaged; out
  $ hetune sweep merge out 2>&1 | sed -E 's/[0-9a-f]{16}/HASH/; s/missing;|damaged;/missing or damaged;/'
  error: out: the row of point HASH is missing or damaged; run the sweep again, or merge with --partial
  $ hetune sweep merge out --partial; cut -d, -f8 out/merged.csv | sort | uniq -c
  12 rows; out/merged.csv
       10 complete
        1 damaged
        1 missing
        1 status
  $ hetune sweep run sweep.yaml -s seeds=2 -o out -q
  12 points: 12 complete; out
  $ hetune sweep status out --json
  {"points": 12, "complete": 12, "policy": 0, "input": 0, "crashed": 0, "killed": 0, "missing": 0, "damaged": 0}

A run that goes wrong is a row with its reason; the others are not touched by it.

  $ cat > crash.c <<END
  > #include "sim/policy.h"
  > static void schedule(void *self, struct cx *cx)
  > {
  >     (void)self;
  >     if (sim_gpus(cx) == 2)
  >         __builtin_trap();
  >     sim_start(cx, sim_first(cx, JOB_WAITING), 0, "nowhere");
  > }
  > SIM_API const struct policy policy = {
  >     .abi = POLICY_ABI, .size = sizeof(struct policy), .name = "crash", .about = "for a test", .schedule = schedule};
  > END
  $ ${CC:-gcc} -shared -fPIC -I"$ROOT" -o crash.so crash.c
  $ sed -i 's/^exclude:/exclude: []/; /sjf, pre/d' sweep.yaml
  $ hetune sweep run sweep.yaml --policy-lib ./crash.so -s 'policy=[fifo, crash]' -s trace=jobs.csv -o crash -q
  8 points: 4 complete, 2 policy, 2 crashed; crash
  [4]
  $ hetune sweep merge crash; cut -d, -f2,4,5,8,9 crash/merged.csv
  8 rows; crash/merged.csv
  cluster.nodes.0.gpus,preempt_at,policy,status,reason
  1,now,fifo,complete,
  1,now,crash,policy,"policy crash
  1,step,fifo,complete,
  1,step,crash,policy,"policy crash
  2,now,fifo,complete,
  2,now,crash,crashed,its process died of signal 4 (Illegal instruction)
  2,step,fifo,complete,
  2,step,crash,crashed,its process died of signal 4 (Illegal instruction)
  $ printf '9,1,x\n' >> jobs.csv; hetune sweep run sweep.yaml -o broken -q
  8 points: 0 complete, 8 input; broken
  [2]
  $ hetune sweep merge broken; cut -d, -f2,4,5,8,9 broken/merged.csv | head -n 2
  8 rows; broken/merged.csv
  cluster.nodes.0.gpus,preempt_at,policy,status,reason
  1,now,fifo,input,"jobs.csv:4:5: error: duration_s: 'x' is not a time in seconds

A stopped sweep goes on where it was. Here a pipe of commands stops it as soon as one point is there.

  $ printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,5\n' > jobs.csv
  $ env --default-signal=INT hetune sweep run sweep.yaml -s seeds=20000 -o stopped -q > counts 2> message &
  > until [ -n "$(ls stopped/points 2> /dev/null)" ]; do sleep 0.01; done
  > kill -INT $!; wait $!
  [130]
  $ cat message
  hetune: stopped; the same command goes on where it was

What cannot be swept
--------------------

  $ try() { printf "run: run.yaml\n$1\n" > bad.yaml; shift; hetune sweep plan bad.yaml "$@"; }
  $ try 'axis: {}'
  bad.yaml:2:1: error: unknown key 'axis' in the sweep (did you mean 'axes'?)
      2 | axis: {}
        | ^
  [2]
  $ try 'axes: [1]'
  bad.yaml:2:7: error: axes: a list; wanted a map of keys and their values
      2 | axes: [1]
        |       ^
  [2]
  $ try 'axes: {policy: fifo}'
  bad.yaml:2:16: error: policy: a text; wanted a list of 1 to 100000 values, or a range
      2 | axes: {policy: fifo}
        |                ^
  [2]
  $ try 'axes: {policy: []}'
  bad.yaml:2:16: error: policy: an empty list; wanted a list of 1 to 100000 values, or a range
      2 | axes: {policy: []}
        |                ^
  [2]
  $ try 'axes: {policy: [fifo, fifo]}'
  bad.yaml:2:23: error: policy: 'fifo' is there twice
      2 | axes: {policy: [fifo, fifo]}
        |                       ^
  [2]
  $ try 'axes: {policy: [fifo, fifoo]}'
  bad.yaml:2:23: error: unknown policy 'fifoo' (did you mean 'fifo'?)
      2 | axes: {policy: [fifo, fifoo]}
        |                       ^
  [2]
  $ try 'axes: {policy: [{a: 1}]}'
  bad.yaml:2:17: error: policy: a map; wanted a value or a list of values (a map goes into a file)
      2 | axes: {policy: [{a: 1}]}
        |                 ^
  [2]
  $ try 'axes: {seed: [1, x]}'
  bad.yaml:2:18: error: seed: 'x'; wanted a whole number from 0 on
      2 | axes: {seed: [1, x]}
        |                  ^
  [2]
  $ try 'axes: {seed: [-1]}'
  bad.yaml:2:15: error: seed: '-1'; wanted a whole number from 0 on
      2 | axes: {seed: [-1]}
        |               ^
  [2]
  $ try 'axes: {seeds: [1, 2]}'
  bad.yaml:2:8: error: axis 'seeds'; wanted 'seed' with its values, as in {from: 1, to: 10}
      2 | axes: {seeds: [1, 2]}
        |        ^
  [2]
  $ try 'axes: {seed: {from: 2, to: 1}}'
  bad.yaml:2:14: error: seed: from 2 to 1; wanted 1 to 100000 values
      2 | axes: {seed: {from: 2, to: 1}}
        |              ^
  [2]
  $ try 'axes: {seed: {from: 1, to: 1000000}}'
  bad.yaml:2:14: error: seed: from 1 to 1000000; wanted 1 to 100000 values
      2 | axes: {seed: {from: 1, to: 1000000}}
        |              ^
  [2]
  $ try 'axes: {seed: {from: 1, to: 9, by: 2}}'
  bad.yaml:2:31: error: unknown key 'by' in the range of seed
      2 | axes: {seed: {from: 1, to: 9, by: 2}}
        |                               ^
  [2]
  $ try 'axes: {nonsense: [1, 2]}'
  bad.yaml:2:8: error: unknown key 'nonsense' in the run
      2 | axes: {nonsense: [1, 2]}
        |        ^
  [2]
  $ try 'axes: {cluster.nodes.7.gpus: [1, 2]}'
  bad.yaml:2:8: error: there is no item '7' in a list of 1; the first is 0
      2 | axes: {cluster.nodes.7.gpus: [1, 2]}
        |        ^
  [2]
  $ try 'axes: {max_rounds: [1, many]}'
  bad.yaml:2:24: error: max_rounds: 'many' is not a whole number
      2 | axes: {max_rounds: [1, many]}
        |                        ^
  [2]
  $ try 'axes: {max_rounds: [1, 2]}\nset: {max_rounds: 3}'
  bad.yaml:3:7: error: set: 'max_rounds' is an axis
      3 | set: {max_rounds: 3}
        |       ^
  [2]
  $ try 'axes: {max_rounds: [1, 2]}' -s max_rounds=3
  error: -s: 'max_rounds' is an axis of the sweep
  [2]
  $ try 'axes: {max_rounds: [1, 2], seed: [1, 2, 3]}\nzip: [[max_rounds, seed]]'
  bad.yaml:3:20: error: axis 'seed' has 3 values, 'max_rounds' has 2; zipped axes have as many
      3 | zip: [[max_rounds, seed]]
        |                    ^
  [2]
  $ try 'axes: {max_rounds: [1, 2], seed: [1, 2]}\nzip: [[max_rounds, sed]]'
  bad.yaml:3:20: error: unknown axis 'sed' (did you mean 'seed'?)
      3 | zip: [[max_rounds, sed]]
        |                    ^
  [2]
  $ try 'axes: {max_rounds: [1, 2], seed: [1, 2]}\nzip: [[max_rounds]]'
  bad.yaml:3:7: error: zip: a list; wanted lists of two or more axes
      3 | zip: [[max_rounds]]
        |       ^
  [2]
  $ try 'axes: {max_rounds: [1, 2], seed: [1, 2]}\nzip: [[max_rounds, seed], [seed, max_rounds]]'
  bad.yaml:3:28: error: axis 'seed' is zipped twice
      3 | zip: [[max_rounds, seed], [seed, max_rounds]]
        |                            ^
  [2]
  $ try 'axes: {max_rounds: [1, 2]}\nzip: [[max_rounds, max_rounds]]'
  bad.yaml:3:20: error: axis 'max_rounds' is zipped twice
      3 | zip: [[max_rounds, max_rounds]]
        |                    ^
  [2]
  $ try 'exclude: [{policy: las}]'
  bad.yaml:2:20: error: exclude: 'las' is no value of axis 'policy'
      2 | exclude: [{policy: las}]
        |                    ^
  [2]
  $ try 'exclude: [{polcy: fifo}]'
  bad.yaml:2:12: error: unknown axis 'polcy' (did you mean 'policy'?)
      2 | exclude: [{polcy: fifo}]
        |            ^
  [2]
  $ try 'exclude: {policy: fifo}'
  bad.yaml:2:10: error: exclude: a map; wanted a list of maps
      2 | exclude: {policy: fifo}
        |          ^
  [2]
  $ try 'exclude: [{policy: [fifo, sjf]}]'
  bad.yaml:2:10: error: exclude leaves no point
      2 | exclude: [{policy: [fifo, sjf]}]
        |          ^
  [2]
  $ try 'set: [a]'
  bad.yaml:2:6: error: set: a list; wanted a map of keys and their values
      2 | set: [a]
        |      ^
  [2]
  $ try "axes: {seed: {from: 1, to: 90000}, max_rounds: {from: 1, to: 90000}}"
  bad.yaml:2:8: error: more than 10000000 points
      2 | axes: {seed: {from: 1, to: 90000}, max_rounds: {from: 1, to: 90000}}
        |        ^
  [2]
  $ hetune sweep plan absent.yaml
  absent.yaml: cannot open: No such file or directory
  [3]
  $ hetune sweep run sweep.yaml
  error: sweep: run: the folder is missing; wanted -o DIR
  [2]
  $ hetune sweep
  error: sweep: wanted plan FILE.yaml, run FILE.yaml -o DIR, status DIR or merge DIR
  [2]
  $ hetune sweep rin sweep.yaml
  error: sweep: 'rin' is neither plan, run, status nor merge (did you mean 'run'?)
  [2]
  $ hetune sweep run sweep.yaml -o x --shard 3/2
  error: sweep: shard: '3'; wanted 1 to 2
  [2]
  $ hetune sweep run sweep.yaml -o x --shard 0/2
  error: sweep: shard: '0'; wanted 1 to 2
  [2]
  $ hetune sweep run sweep.yaml -o x --shard two
  error: sweep: --shard: wanted I/N, as in 2/8
  [2]
  $ hetune sweep run sweep.yaml -o x --shard /2
  error: sweep: --shard /N: no batch system says which shard this is
  [2]
  $ hetune sweep run sweep.yaml -o x --jobs 0
  error: sweep: jobs: '0'; wanted 1 to 4096
  [2]
  $ hetune sweep status x
  x/plan.jsonl: cannot open: No such file or directory
  [3]
  $ mkdir x; printf 'x' > x/plan.jsonl; hetune sweep status x
  x/plan.jsonl:1:1: error: 'x' is not true, false or null, nor in quotes
      1 | x
        | ^
  [2]
  $ printf '{"point": "1", "policy": "a", "seed": 1, "axes": {}}\n' > x/plan.jsonl; hetune sweep merge x
  x/plan.jsonl:1:1: error: point: '1' is no hash of sixteen digits
      1 | {"point": "1", "policy": "a", "seed": 1, "axes": {}}
        | ^
  [2]
  $ printf '{"point": "0123456789abcdef", "policy": "a", "seed": 1}\n' > x/plan.jsonl; hetune sweep merge x
  x/plan.jsonl:1:1: error: key 'axes' is missing
      1 | {"point": "0123456789abcdef", "policy": "a", "seed": 1}
        | ^
  [2]

Foreign text in tables
----------------------

Values of axes are text from a file. In JSON and CSV they are quoted, and what a spreadsheet would take for a formula is
quoted as text. Control characters are refused.

  $ cat > hostile.yaml <<'END'
  > run: run.yaml
  > set: {policy: fifo}
  > axes:
  >   about: ["=cmd()", "a,\"b\"", "<script>", "`id`$(id)%n", "'; DROP", "@SUM(1)", "\u00e9\u200b"]
  > END
  $ hetune sweep run hostile.yaml -o hostile -q; hetune sweep merge hostile
  7 points: 7 complete; hostile
  7 rows; hostile/merged.csv
  $ python3 -c 'import csv; print([r["about"] for r in csv.DictReader(open("hostile/merged.csv"))])'
  ['=cmd()', 'a,"b"', '<script>', '`id`$(id)%n', "'; DROP", '@SUM(1)', 'é\u200b']
  $ python3 -c 'import json; print([json.loads(l)["axes"]["about"] for l in open("hostile/plan.jsonl")])'
  ['=cmd()', 'a,"b"', '<script>', '`id`$(id)%n', "'; DROP", '@SUM(1)', 'é\u200b']
  $ cut -d, -f2 hostile/merged.csv | sed -n 2p
  "=cmd()"
  $ try 'axes: {about: [a, "\\e[31m"]}'
  bad.yaml:2:19: error: about: a control character in a value
      2 | axes: {about: [a, "\e[31m"]}
        |                   ^
  [2]
  $ try 'axes: {about: [[a, "b\\n"]]}'
  bad.yaml:2:20: error: about: a control character in a value
      2 | axes: {about: [[a, "b\n"]]}
        |                    ^
  [2]
