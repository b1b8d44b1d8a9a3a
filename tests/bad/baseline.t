Baselines that are not as they should be
========================================

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > trace: jobs.csv
  > policy: fifo
  > END
  $ printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,5\n' > jobs.csv
  $ hetune run run.yaml -o out -q > /dev/null
  $ hetune check out --baseline good.json --update
  add  run, fifo: policy: not in the baseline
  good.json: written
  $ sed -i -E 's/"[0-9a-f]{16}"/"0123456789abcdef"/' good.json; sed -i 's/"world": ".*"/"world": "0123456789abcdef"/' out/manifest.json
  $ sed -i 's/"digest": ".*"/"digest": "0123456789abcdef"/' out/summary.json; hetune check out --baseline good.json
  all 46 checks passed
  $ try() { sed "$1" good.json > bad.json; hetune check out --baseline bad.json; }

The file
--------

  $ hetune check out --baseline absent.json
  absent.json: cannot open: No such file or directory
  [3]
  $ head -c 700 good.json > bad.json; hetune check out --baseline bad.json
  bad.json:36:1: error: this is not JSON; wanted a value, or ',' or a bracket between values
     36 |  
        | ^
  [2]
  $ head -n 30 good.json > bad.json; hetune check out --baseline bad.json
  bad.json:30:23: error: this is not JSON; wanted a value, or ',' or a bracket between values
     30 |         "killed": [0],
        |                       ^
  [2]
  $ : > bad.json; hetune check out --baseline bad.json
  bad.json:1:1: error: this is not JSON; wanted a value, or ',' or a bracket between values
      1 | 
        | ^
  [2]
  $ hetune check out --baseline out
  out: cannot read: Is a directory
  [3]
  $ hetune check out --baseline out/summary.json
  out/summary.json:1:1: error: this is no baseline: it has neither tolerances nor runs
      1 | {
        | ^
  [2]
  $ cat good.json good.json > bad.json; hetune check out --baseline bad.json
  bad.json:76:1: error: text behind the value; wanted one value
     76 | {
        | ^
  [2]
  $ printf '{"schema": 1, "version": "\xff"}' > bad.json; hetune check out --baseline bad.json
  bad.json:1:27: error: byte 0xFF is not valid UTF-8
      1 | {"schema": 1, "version": "?"}
        |                           ^
  [2]
  $ echo '[1]' > bad.json; hetune check out --baseline bad.json
  bad.json:1:1: error: a list; wanted a map
      1 | [1]
        | ^
  [2]
  $ echo '{"schema": 1, "version": "0.1.0"}' > bad.json; hetune check out --baseline bad.json
  bad.json:1:1: error: this is no baseline: it has neither tolerances nor runs
      1 | {"schema": 1, "version": "0.1.0"}
        | ^
  [2]
  $ echo '{"schema": 1, "version": "0.1.0", "tolerances": {}, "runs": {}}' > bad.json; hetune check out --baseline bad.json
  bad.json:1:61: error: runs: wanted a list
      1 | {"schema": 1, "version": "0.1.0", "tolerances": {}, "runs": {}}
        |                                                             ^
  [2]
  $ echo '{"schema": 1, "version": "0.1.0", "tolerances": {}}' > bad.json; hetune check out --baseline bad.json
  bad.json:1:1: error: runs: wanted a list
      1 | {"schema": 1, "version": "0.1.0", "tolerances": {}}
        | ^
  [2]
  $ echo '{"schema": 1, "version": "0.1.0", "tolerances": {}, "runs": [7]}' > bad.json; hetune check out --baseline bad.json
  bad.json:1:62: error: a run of the baseline: wanted a map
      1 | {"schema": 1, "version": "0.1.0", "tolerances": {}, "runs": [7]}
        |                                                              ^
  [2]
  $ try 's/"schema": 1/"schema": 2/'
  bad.json:2:13: error: schema 2 is not known; this version reads schema 1
      2 |   "schema": 2,
        |             ^
  [2]
  $ try 's/"schema": 1,//'
  bad.json:1:1: error: key 'schema' is missing
      1 | {
        | ^
  [2]
  $ try 's/"version": "0.1.0"/"version": 1/'
  bad.json:3:14: error: version: wanted a text in quotes
      3 |   "version": 1,
        |              ^
  [2]
  $ try 's/"runs"/"run"/'
  bad.json:19:3: error: unknown key 'run' in the baseline (did you mean 'runs'?)
     19 |   "run": [
        |   ^
  [2]

Tolerances
----------

  $ try 's/"tolerances": {/&"jct_mean": {"relative": 0.1},/'
  bad.json:4:18: error: unknown metric 'jct_mean' (did you mean 'jct_mean_s'?)
      4 |   "tolerances": {"jct_mean": {"relative": 0.1},
        |                  ^
  [2]
  $ try 's/"tolerances": {/&"defaults": {"relative": 0.1},/'
  bad.json:4:18: error: unknown metric 'defaults' (did you mean 'default'?)
      4 |   "tolerances": {"defaults": {"relative": 0.1},
        |                  ^
  [2]
  $ try 's/"relative": 1e-12/"relativ": 0.1/'
  bad.json:14:7: error: unknown key 'relativ' in a tolerance (did you mean 'relative'?)
     14 |       "relativ": 0.1,
        |       ^
  [2]
  $ try 's/"relative": 1e-12/"relative": "0.1"/'
  bad.json:14:19: error: relative: '0.1' in quotes is a text; wanted a number
     14 |       "relative": "0.1",
        |                   ^
  [2]
  $ try 's/"relative": 1e-12/"relative": -0.1/'
  bad.json:14:19: error: relative: -0.1 is below the minimum, 0
     14 |       "relative": -0.1,
        |                   ^
  [2]
  $ try 's/"relative": 1e-12/"relative": 1e7/'
  bad.json:14:19: error: relative: 10000000 is above the maximum, 1000000
     14 |       "relative": 1e7,
        |                   ^
  [2]
  $ try 's/"relative": 1e-12/"relative": NaN/'
  bad.json:14:19: error: 'NaN' is not true, false or null, nor in quotes
     14 |       "relative": NaN,
        |                   ^
  [2]
  $ try 's/"relative": 1e-12/"relative": 1e999/'
  bad.json:14:19: error: a number that is too large
     14 |       "relative": 1e999,
        |                   ^
  [2]
  $ try 's/"absolute": 0/"absolute": null/'
  bad.json:13:19: error: absolute: nothing; wanted a number
     13 |       "absolute": null,
        |                   ^
  [2]
  $ try 's/"check": "mean"/"check": "means"/'
  bad.json:12:16: error: check: 'means' is no choice (did you mean 'mean'?)
     12 |       "check": "means",
        |                ^
  [2]
  $ try 's/"better": "pass"/"better": "ok"/'
  bad.json:15:17: error: better: 'ok' is none of fail, pass
     15 |       "better": "ok",
        |                 ^
  [2]
  $ try 's/"tolerances": {/"tolerances": [],\n"runs": {/'
  bad.json:20:3: error: key 'runs' appears twice; the first is at line 5
     20 |   "runs": [
        |   ^
  [2]
  $ try 's/"digest": {/&"relative": 0.1 },"x": {/'
  bad.json:5:15: error: digest: it has no mean; wanted "check": exact or none
      5 |     "digest": {"relative": 0.1 },"x": {
        |               ^
  bad.json:5:34: error: unknown metric 'x'
      5 |     "digest": {"relative": 0.1 },"x": {
        |                                  ^
  [2]
  $ try '0,/"exact"/s//"mean"/'
  bad.json:5:15: error: digest: it has no mean; wanted "check": exact or none
      5 |     "digest": {
        |               ^
  [2]
  $ try 's/"tolerances": {/&"jct_mean_s": 0.01,/'
  bad.json:4:32: error: wanted a map of tolerances
      4 |   "tolerances": {"jct_mean_s": 0.01,
        |                                ^
  [2]
  $ try 's/"seeds"/"tolerances": {"jct_p99": {"relative": 1}},\n&/'
  bad.json:25:22: error: unknown metric 'jct_p99' (did you mean 'jct_p99_s'?)
     25 |       "tolerances": {"jct_p99": {"relative": 1}},
        |                      ^
  [2]

Runs
----

  $ try 's/"case": "run"/"case": 7/'
  bad.json:21:15: error: case: wanted a text in quotes
     21 |       "case": 7,
        |               ^
  [2]
  $ try '/"policy"/d'
  bad.json:20:5: error: key 'policy' is missing
     20 |     {
        |     ^
  [2]
  $ try 's/"predictor": "exact"/"predictors": "exact"/'
  bad.json:23:7: error: unknown key 'predictors' in a run of the baseline (did you mean 'predictor'?)
     23 |       "predictors": "exact",
        |       ^
  [2]
  $ try 's/"seeds": \[1\]/"seeds": []/'
  bad.json:25:16: error: seeds: wanted a list of seeds
     25 |       "seeds": [],
        |                ^
  [2]
  $ try 's/"seeds": \[1\]/"seeds": 1/'
  bad.json:25:16: error: seeds: wanted a list of seeds
     25 |       "seeds": 1,
        |                ^
  [2]
  $ try 's/"seeds": \[1\]/"seeds": ["1"]/'
  bad.json:25:17: error: seeds: wanted whole numbers from 0 on
     25 |       "seeds": ["1"],
        |                 ^
  [2]
  $ try 's/"seeds": \[1\]/"seeds": [-1]/'
  bad.json:25:17: error: seeds: wanted whole numbers from 0 on
     25 |       "seeds": [-1],
        |                 ^
  [2]
  $ try 's/"seeds": \[1\]/"seeds": [1.5]/'
  bad.json:25:17: error: seeds: wanted whole numbers from 0 on
     25 |       "seeds": [1.5],
        |                 ^
  [2]
  $ try 's/"seeds": \[1\]/"seeds": [2, 1]/'
  bad.json:25:20: error: seeds: 1 follows 2; wanted them rising
     25 |       "seeds": [2, 1],
        |                    ^
  [2]
  $ try 's/"seeds": \[1\]/"seeds": [1, 1]/'
  bad.json:25:20: error: seeds: 1 follows 1; wanted them rising
     25 |       "seeds": [1, 1],
        |                    ^
  [2]
  $ try 's/"seeds": \[1\]/"seeds": [1, 2]/'
  bad.json:26:18: error: digests: 1 items; there are 2 seeds
     26 |       "digests": ["0123456789abcdef"],
        |                  ^
  [2]
  $ try '/"digests"/d'
  bad.json:20:5: error: key 'digests' is missing
     20 |     {
        |     ^
  [2]
  $ try 's/"digests": \[.*\]/"digests": ["12"]/'
  bad.json:26:19: error: digests: wanted sixteen digits of 0-9a-f in quotes
     26 |       "digests": ["12"],
        |                   ^
  [2]
  $ try 's/"digests": \[.*\]/"digests": [12]/'
  bad.json:26:19: error: digests: wanted sixteen digits of 0-9a-f in quotes
     26 |       "digests": [12],
        |                   ^
  [2]
  $ try 's/"metrics": {/"metrics": [],"x": {/'
  bad.json:27:21: error: unknown key 'x' in a run of the baseline
     27 |       "metrics": [],"x": {
        |                     ^
  [2]
  $ (sed '/"metrics"/,$d' good.json; echo '"metrics": []}]}') > bad.json; hetune check out --baseline bad.json
  bad.json:27:12: error: metrics: wanted a map of metrics and their values
     27 | "metrics": []}]}
        |            ^
  [2]

A run twice, a metric twice, values of another type
---------------------------------------------------

  $ python3 - <<END
  > import json
  > b = json.load(open('good.json')); b['runs'] *= 2; json.dump(b, open('twice.json', 'w'), indent=2)
  > END
  $ hetune check out --baseline twice.json
  twice.json:166:5: error: case 'run', policy 'fifo' is there twice; the first is at line 20
    166 |     {
        |     ^
  [2]
  $ try 's/"jct_mean_s": \[.*\],/&\n&/'
  bad.json:34:1: error: key 'jct_mean_s' appears twice; the first is at line 33
     34 | "jct_mean_s": [12.5],
        | ^
  [2]
  $ try 's/"jct_mean_s"/"jct_mean"/'
  bad.json:33:9: error: unknown metric 'jct_mean' (did you mean 'jct_mean_s'?)
     33 |         "jct_mean": [12.5],
        |         ^
  [2]
  $ try 's/"jct_mean_s": \[.*\]/"jct_mean_s": 12.5/'
  bad.json:33:23: error: jct_mean_s: wanted a list with an item for each seed
     33 |         "jct_mean_s": 12.5,
        |                       ^
  [2]
  $ try 's/"jct_mean_s": \[.*\]/"jct_mean_s": []/'
  bad.json:33:23: error: jct_mean_s: 0 items; there are 1 seeds
     33 |         "jct_mean_s": [],
        |                       ^
  [2]
  $ try 's/"jct_mean_s": \[.*\]/"jct_mean_s": [[12.5]]/'
  bad.json:33:24: error: jct_mean_s: wanted a value
     33 |         "jct_mean_s": [[12.5]],
        |                        ^
  [2]
  $ try 's/"jct_mean_s": \[.*\]/"jct_mean_s": ["12.5"]/'
  bad.json:33:24: error: jct_mean_s: a text in quotes; wanted a number or null
     33 |         "jct_mean_s": ["12.5"],
        |                        ^
  [2]
  $ try 's/"jct_mean_s": \[.*\]/"jct_mean_s": [true]/'
  bad.json:33:24: error: jct_mean_s: 'true' is not a number
     33 |         "jct_mean_s": [true],
        |                        ^
  [2]
  $ try 's/"jct_mean_s": \[.*\]/"jct_mean_s": [NaN]/'
  bad.json:33:24: error: 'NaN' is not true, false or null, nor in quotes
     33 |         "jct_mean_s": [NaN],
        |                        ^
  [2]
  $ try 's/"jct_mean_s": \[.*\]/"jct_mean_s": [-Infinity]/'
  bad.json:33:24: error: a number that JSON does not know
     33 |         "jct_mean_s": [-Infinity],
        |                        ^
  [2]
  $ try 's/"jct_mean_s": \[.*\]/"jct_mean_s": [1e30]/'
  bad.json:33:24: error: jct_mean_s: 1e30 is too large
     33 |         "jct_mean_s": [1e30],
        |                        ^
  [2]
  $ try 's/"jobs": \[.*\]/"jobs": [1.5]/'
  bad.json:28:18: error: jobs: 1.5 is not a whole number
     28 |         "jobs": [1.5],
        |                  ^
  [2]

A value that is not there, or null where there is one, is no error of the file.

  $ try '/"jct_mean_s"/d'
  note run, fifo: jct_mean_s: not in the baseline
  all 46 checks passed; 1 new
  $ try 's/"jct_mean_s": \[.*\]/"jct_mean_s": [null]/'
  FAIL run, fifo: jct_mean_s: no value -> 12.5 (seed 1)
  1 of 46 checks failed
  [1]

The command
-----------

  $ hetune check
  error: check: wanted results: folders of runs or of a sweep
  error: check: wanted --baseline FILE
  [2]
  $ hetune check out
  error: check: wanted --baseline FILE
  [2]
  $ hetune check out --baseline good.json --format xml
  error: check: unknown format 'xml'; wanted text, json, junit, github, markdown, bench-smaller or bench-bigger
  [2]
  $ hetune check out --baseline good.json --format mardown
  error: check: unknown format 'mardown' (did you mean 'markdown'?)
  [2]
  $ hetune check out --baseline good.json --report junit
  error: check: 'junit'; wanted --report FORMAT=FILE
  [2]
  $ hetune check out --baseline good.json --report junit=
  error: check: 'junit='; wanted --report FORMAT=FILE
  [2]
  $ hetune check out --baseline good.json --report bench=bench.json
  error: check: unknown format 'bench'; wanted text, json, junit, github, markdown, bench-smaller or bench-bigger
  [2]
  $ hetune check out --baseline good.json --update --report junit=check.xml
  error: check: --update prints what it changes, and no report
  [2]
  $ hetune check =out --baseline good.json
  error: '=out': the name is empty; wanted NAME=RESULT
  [2]
  $ hetune check absent --baseline good.json
  absent: cannot open the folder: No such file or directory
  [3]
  $ hetune check out out --baseline good.json
  error: run, fifo: seed 1 is there twice: out and out
  [2]
  $ mkdir empty; hetune check empty --baseline good.json
  error: empty: there is no summary.json in it or below it
  [2]
  $ hetune check out --baseline good.json --report junit=absent/check.xml
  all 46 checks passed
  absent/check.xml: cannot create: No such file or directory
  [3]
  $ hetune check out --baseline good.json --report junit=/dev/full
  all 46 checks passed
  /dev/full: cannot write: No space left on device
  [3]
  $ hetune check out --baseline absent/good.json --update
  absent/good.json: cannot create: No such file or directory
  [3]
  $ printf 'run: run.yaml\n' > sweep.yaml; hetune sweep run sweep.yaml -o sweep -q; point=$(ls sweep/points)
  1 point: 1 complete; sweep
  $ sed -i 's/"jct_mean_s": 12.5/"jct_mean_s": 12.6/' "sweep/points/$point"
  $ hetune check sweep --baseline good.json 2>&1 | sed "s/$point/POINT.json/"
  error: sweep/points/POINT.json: it is not as it was written (its checksum differs)
  $ rm "sweep/points/$point"; hetune check sweep --baseline good.json
  error: sweep: no point of this sweep was run
  [2]

A run that ended badly is no baseline, and fails.

  $ sed -i 's/"ended": "drained"/"ended": "stalled"/' out/summary.json; hetune check out --baseline good.json
  FAIL run, fifo: seed 1: the run ended as 'stalled'
  1 of 2 checks failed
  [1]
  $ hetune check out --baseline good.json --update
  error: run, fifo, seed 1 is no baseline: the run ended as 'stalled'
  [2]
