Calibrations, stacks, questions and splits that are not as they must be
=======================================================================

  $ mkdir -p lib/models lib/costs/gpus
  $ cat > lib/models/tiny.yaml <<'END'
  > parameters: 20
  > macs: 15
  > input_bytes: 12
  > operators:
  >   - {op: linear, rows: 1, in: 3, out: 5, bias: true}
  >   - {op: relu, elements: 5}
  > END
  $ cat > fine.yaml <<'END'
  > gpu: G
  > memory_gib: 1
  > fits:
  >   - {op: linear, precision: fp32, points: 9, flop_s: 1e-9, err_p50: 0.1, err_p90: 0.2, work_min: 30, work_max: 300}
  >   - {op: elementwise, precision: fp32, points: 9, read_s: 1e-8, err_p50: 0.05, err_p90: 0.2, work_min: 20, work_max: 1e6}
  > figures:
  >   - {name: copy h2d_pinned, value: 1e7, unit: B/s}
  > END
  $ cat > stacks.yaml <<'END'
  > stacks:
  >   - {stack: default, factor: 2, host_s: 5e-6, gap_s: 1e-6, sigma: 0.1}
  > END
  $ cp stacks.yaml lib/costs; cp fine.yaml lib/costs/gpus/G.yaml
  $ ask() { hetune predict --costs lib --model tiny --gpu G --batch 1 "$@"; }
  $ gpu() { sed "$1" fine.yaml > lib/costs/gpus/G.yaml; ask; cp fine.yaml lib/costs/gpus/G.yaml; }
  $ stacks() { sed "$1" stacks.yaml > lib/costs/stacks.yaml; ask "${@:2}"; cp stacks.yaml lib/costs; }
  $ ask | head -n 1
  tiny on G, 1 sample, fp32, stack default

Files of calibrations

  $ gpu 's/err_p50: 0.1, //'
  lib/costs/gpus/G.yaml:4:5: error: key 'err_p50' is missing in fits
      4 |   - {op: linear, precision: fp32, points: 9, flop_s: 1e-9, err_p90: 0.2, work_min: 30, work_max: 300...
        |     ^
  $ gpu 's/flop_s: 1e-9/flop_s: -1e-9/'
  lib/costs/gpus/G.yaml:4:54: error: flop_s: -1e-9 is below the minimum, 0
      4 |   - {op: linear, precision: fp32, points: 9, flop_s: -1e-9, err_p50: 0.1, err_p90: 0.2, work_min: 30...
        |                                                      ^
  $ gpu 's/flop_s: 1e-9/flop_s: .nan/'
  lib/costs/gpus/G.yaml:4:54: error: flop_s: '.nan' is not a number
      4 |   - {op: linear, precision: fp32, points: 9, flop_s: .nan, err_p50: 0.1, err_p90: 0.2, work_min: 30,...
        |                                                      ^
  $ gpu 's/flop_s/flops_s/'
  lib/costs/gpus/G.yaml:4:46: error: unknown key 'flops_s' in fits (did you mean 'flop_s'?)
      4 |   - {op: linear, precision: fp32, points: 9, flops_s: 1e-9, err_p50: 0.1, err_p90: 0.2, work_min: 30...
        |                                              ^
  $ gpu 's/points: 9/points: 0/'
  lib/costs/gpus/G.yaml:4:43: error: points: 0 is below the minimum, 1
      4 |   - {op: linear, precision: fp32, points: 0, flop_s: 1e-9, err_p50: 0.1, err_p90: 0.2, work_min: 30,...
        |                                           ^
  lib/costs/gpus/G.yaml:5:48: error: points: 0 is below the minimum, 1
      5 |   - {op: elementwise, precision: fp32, points: 0, read_s: 1e-8, err_p50: 0.05, err_p90: 0.2, work_mi...
        |                                                ^
  $ gpu 's/op: linear/op: liner/'
  lib/costs/gpus/G.yaml:4:10: error: op: 'liner' is no choice (did you mean 'linear'?)
      4 |   - {op: liner, precision: fp32, points: 9, flop_s: 1e-9, err_p50: 0.1, err_p90: 0.2, work_min: 30, ...
        |          ^
  $ gpu 's/precision: fp32/precision: fp64/'
  lib/costs/gpus/G.yaml:4:29: error: precision: 'fp64' is none of fp32, tf32, fp16, bf16
      4 |   - {op: linear, precision: fp64, points: 9, flop_s: 1e-9, err_p50: 0.1, err_p90: 0.2, work_min: 30,...
        |                             ^
  lib/costs/gpus/G.yaml:5:34: error: precision: 'fp64' is none of fp32, tf32, fp16, bf16
      5 |   - {op: elementwise, precision: fp64, points: 9, read_s: 1e-8, err_p50: 0.05, err_p90: 0.2, work_mi...
        |                                  ^
  $ gpu 's/op: elementwise/op: linear/'
  lib/costs/gpus/G.yaml:5:5: error: a second fit of linear in fp32
      5 |   - {op: linear, precision: fp32, points: 9, read_s: 1e-8, err_p50: 0.05, err_p90: 0.2, work_min: 20...
        |     ^
  $ gpu 's/, unit: B.s//'
  lib/costs/gpus/G.yaml:7:5: error: key 'unit' is missing in figures
      7 |   - {name: copy h2d_pinned, value: 1e7}
        |     ^
  $ gpu 's/value: 1e7/value: 0/'
  lib/costs/gpus/G.yaml:7:36: error: value: 0 is below the minimum, 1e-12
      7 |   - {name: copy h2d_pinned, value: 0, unit: B/s}
        |                                    ^
  $ gpu 's/^gpu: G/gpu: H/'
  error: lib/costs/gpus/G.yaml is a calibration of H
  $ gpu '/^gpu/d'
  lib/costs/gpus/G.yaml:1:1: error: key 'gpu' is missing in the calibration
      1 | memory_gib: 1
        | ^
  $ gpu '4,$d'
  lib/costs/gpus/G.yaml:3:6: error: fits: nothing; wanted a file or a list
      3 | fits:
        |      ^
  $ gpu 's/points: 9,.*/points: [/'
  lib/costs/gpus/G.yaml:5:3: error: did not find expected node content (while parsing a flow node, line 5)
      5 |   - {op: elementwise, precision: fp32, points: [
        |   ^
  $ gpu '1,$d'
  lib/costs/gpus/G.yaml:1:1: error: key 'gpu' is missing in the calibration
      1 | 
        | ^
  $ gpu '/elementwise/d'
  error: tiny on G: the calibration has no fit of optimizer in fp32
  $ gpu 's/^fits:/rates:/'
  lib/costs/gpus/G.yaml:3:1: error: unknown key 'rates' in the calibration
      3 | rates:
        | ^

Files of stacks

  $ stacks 's/factor: 2/factor: 0/'
  lib/costs/stacks.yaml:2:30: error: factor: 0 is below the minimum, 0.01
      2 |   - {stack: default, factor: 0, host_s: 5e-6, gap_s: 1e-6, sigma: 0.1}
        |                              ^
  $ stacks 's/factor: 2/factor: fast/'
  lib/costs/stacks.yaml:2:30: error: factor: 'fast' is not a number
      2 |   - {stack: default, factor: fast, host_s: 5e-6, gap_s: 1e-6, sigma: 0.1}
        |                              ^
  $ stacks 's/stack: default, //'
  lib/costs/stacks.yaml:2:5: error: key 'stack' is missing in stacks
      2 |   - {factor: 2, host_s: 5e-6, gap_s: 1e-6, sigma: 0.1}
        |     ^
  $ stacks 's/gap_s/gaps/'
  lib/costs/stacks.yaml:2:47: error: unknown key 'gaps' in stacks (did you mean 'gap_s'?)
      2 |   - {stack: default, factor: 2, host_s: 5e-6, gaps: 1e-6, sigma: 0.1}
        |                                               ^
  $ stacks 's/stack: default/stack: other/'
  error: there is no stack 'default' in fp32, and no default one
  $ stacks '2s/.*/&\n&/'
  lib/costs/stacks.yaml:3:5: error: a second row of stack 'default' in fp32
      3 |   - {stack: default, factor: 2, host_s: 5e-6, gap_s: 1e-6, sigma: 0.1}
        |     ^
  $ stacks '1,$d'
  lib/costs/stacks.yaml:1:1: error: no `stacks`; wanted a list of software stacks
      1 | 
        | ^

What is asked

  $ ask --model tini
  error: unknown model 'tini' (did you mean 'tiny'?)
  [2]
  $ ask --gpu H100
  error: unknown GPU type 'H100'; lib/costs/gpus has G
  [2]
  $ ask --model ../tiny
  error: unknown model '../tiny'; lib/models has tiny
  [2]
  $ ask --batch 0
  error: batch: 0 is below the minimum, 1
  [2]
  $ ask --batch nan
  error: batch: 'nan' is not a number
  [2]
  $ ask --batch 1e9
  error: batch: 1e9 is above the maximum, 8388608
  [2]
  $ ask --gpus 0
  error: gpus: 0 is below the minimum, 1
  [2]
  $ ask --precision fp61
  error: precision: 'fp61' is no choice (did you mean 'fp16'?)
  [2]
  $ ask --precision fp16
  error: there is no stack 'default' in fp16, and no default one
  [2]
  $ ask --mode train
  error: mode: 'train' is none of training, inference
  [2]
  $ ask --questions q.csv
  error: predict: --questions goes with no option but --costs: each row has its own
  [2]
  $ ask more
  error: predict: 'more' is no option; see hetune predict --help
  [2]
  $ hetune predict --costs lib --model tiny
  error: predict: wanted --model, --gpu and --batch, or --questions FILE.csv
  [2]
  $ hetune predict --costs nowhere --model tiny --gpu G --batch 1
  nowhere/costs/stacks.yaml: cannot open: No such file or directory
  [3]
  $ questions() { cat > q.csv; hetune predict --costs lib --questions q.csv; }
  $ questions < /dev/null
  q.csv:1:1: error: no line with the names of the columns
  [2]
  $ printf 'model,gpu\ntiny,G\n' | questions
  q.csv:1:1: error: column 'batch' is missing
      1 | model,gpu
        | ^
  [2]
  $ printf 'model,gpu,batch,step_s\ntiny,G,1,2\n' | questions
  q.csv:1:17: error: column 'step_s' is one of the answers; wanted another name
      1 | model,gpu,batch,step_s
        |                 ^
  [2]
  $ printf 'model,gpu,batch,batch\ntiny,G,1,2\n' | questions
  q.csv:1:17: error: column 'batch' appears twice; the first is column 3
      1 | model,gpu,batch,batch
        |                 ^
  [2]
  $ printf 'model,gpu,batch\ntiny,G,1\n,G,1\ntiny,G\ntiny,X,1\ntiny,G,-3\ntiny,G,x\n' | questions
  q.csv:3:1: error: key 'model' is missing in the question
      3 | ,G,1
        | ^
  q.csv:4:7: error: 2 cells in this row; the header has 3
      4 | tiny,G
        |       ^
  q.csv:5:1: error: unknown GPU type 'X'; lib/costs/gpus has G
      5 | tiny,X,1
        | ^
  q.csv:6:8: error: batch: -3 is below the minimum, 1
      6 | tiny,G,-3
        |        ^
  q.csv:7:8: error: batch: 'x' is not a number
      7 | tiny,G,x
        |        ^
  model,gpu,batch,step_s,low_s,high_s,samples_per_s,host_bound,extrapolated,carried_over,stack_used
  tiny,G,1,4.8e-05,4.09598e-05,5.62502e-05,20833.3,1,0.000,0.000,default
  [2]

Runs that cannot be calibrated from

  $ cat > run.json <<'END'
  > {"schema": "hetune-microbench", "version": 1,
  >  "gpu": {"type": "V100", "product": "made up"},
  >  "origin": {"source": "here", "commit": "none", "licence": "none"},
  >  "software": {"method": "by hand"},
  >  "series": [{"op": "gemm", "precision": "fp32", "unit": "us", "columns": ["m", "n", "k", "ta", "tb", "time"], "rows": [
  >   [16, 7, 4096, 0, 0, 21], [1, 256, 4096, 0, 0, 27], [16, 256, 1024, 0, 0, 19], [1024, 64, 1, 0, 0, 15], [2, 64, 4096, 0, 0, 13], [2, 1024, 64, 0, 0, 21]]}]}
  > END
  $ fit() { sed "$1" run.json > bad.json; hetune calibrate bad.json -o out.yaml; ls out.yaml 2> /dev/null; }

Twenty small kernels and ten large ones agree; then one of these takes a tenth of the time of the others: that is found
out, and nothing is written.

  $ rows() { for _ in 1 2 3 4 5; do echo '[125, 10], [125, 10.1], [125, 10.2], [125, 10.3],'; done; for _ in 1 2 3 4 5 6 7 8 9 10; do echo '[125000000, 10000.1],'; done; }
  $ kernels() { sed -n 1,4p run.json; echo '"series": [{"op": "elementwise", "kind": "relu", "precision": "fp32", "unit": "us", "columns": ["elements", "time"], "rows": ['; rows; echo "[125000000, $1]]}]}"; }
  $ kernels 10000.1 > r.json; hetune calibrate r.json -q -o kernels.yaml
  $ kernels 1000 > r.json; hetune calibrate r.json -q -o out.yaml; ls out.yaml 2> /dev/null
  r.json:6:1: error: elementwise in fp32: the fit does not settle: the points contradict each other; look at them, and set rows aside by a rule
      6 | [125, 10], [125, 10.1], [125, 10.2], [125, 10.3],
        | ^
  [2]
  $ fit '6s/\[2, 1024.*\]\]}/[2, 512, 64, 0, 0, 21]]}/; 6s/\[16, 256[^]]*\], //'
  bad.json:6:3: error: gemm in fp32: a fit of 5 terms wants 6 points or more; found 5
      6 |   [16, 7, 4096, 0, 0, 21], [1, 256, 4096, 0, 0, 27], [1024, 64, 1, 0, 0, 15], [2, 64, 4096, 0, 0, 13...
        |   ^
  [2]
  $ fit '6s/.*/[16, 7, 40, 0, 0, 21], [16, 7, 40, 0, 0, 22], [16, 7, 40, 0, 0, 21], [16, 7, 40, 0, 0, 22], [16, 7, 40, 0, 0, 22], [16, 7, 40, 0, 0, 22]]}]}/'
  bad.json:6:1: error: gemm in fp32: all points have the same sizes; wanted several, to tell what a launch, an operation and a byte cost
      6 | [16, 7, 40, 0, 0, 21], [16, 7, 40, 0, 0, 22], [16, 7, 40, 0, 0, 21], [16, 7, 40, 0, 0, 22], [16, 7, ...
        | ^
  [2]
  $ fit 's/"version": 1/"version": 2/'
  bad.json:1:44: error: version: 2; this hetune reads version 1
      1 | {"schema": "hetune-microbench", "version": 2,
        |                                            ^
  [2]
  $ fit 's/"unit": "us", //'
  bad.json:5:13: error: key 'unit' is missing in a series
      5 |  "series": [{"op": "gemm", "precision": "fp32", "columns": ["m", "n", "k", "ta", "tb", "time"], "row...
        |             ^
  [2]
  $ fit 's/, 21\]/, -21]/'
  bad.json:6:23: error: time: -21; wanted more than 0
      6 |   [16, 7, 4096, 0, 0, -21], [1, 256, 4096, 0, 0, 27], [16, 256, 1024, 0, 0, 19], [1024, 64, 1, 0, 0,...
        |                       ^
  [2]
  $ fit 's/, 21\]/, 0]/'
  bad.json:6:23: error: time: 0; wanted more than 0
      6 |   [16, 7, 4096, 0, 0, 0], [1, 256, 4096, 0, 0, 27], [16, 256, 1024, 0, 0, 19], [1024, 64, 1, 0, 0, 1...
        |                       ^
  [2]
  $ fit 's/, 21\]/, NaN]/'
  bad.json:6:23: error: 'NaN' is not true, false or null, nor in quotes
      6 |   [16, 7, 4096, 0, 0, NaN], [1, 256, 4096, 0, 0, 27], [16, 256, 1024, 0, 0, 19], [1024, 64, 1, 0, 0,...
        |                       ^
  [2]
  $ fit '6d'
  bad.json:5:120: error: this is not JSON; wanted a value, or ',' or a bracket between values
      5 | ...": ["m", "n", "k", "ta", "tb", "time"], "rows": [
        |                                                     ^
  [2]
  $ fit 's/"gemm"/"gem"/'
  bad.json:5:20: error: op: 'gem' is no known operator (did you mean 'gemm'?)
      5 |  "series": [{"op": "gem", "precision": "fp32", "unit": "us", "columns": ["m", "n", "k", "ta", "tb", ...
        |                    ^
  [2]
  $ hetune calibrate
  error: calibrate: wanted recorded runs, or --gpu with --donor
  [2]
  $ hetune calibrate nowhere.json
  nowhere.json: cannot open: No such file or directory
  [3]
  $ hetune calibrate run.json run.json
  error: run.json: given twice; its points would count twice
  [2]
  $ fit 's/fp32/fp64/'
  error: bad.json: nothing to calibrate: no times of operators in fp32, tf32, fp16 or bf16, and no figures
  [2]
  $ sed 's/V100/T4/' run.json > t4.json
  $ hetune calibrate run.json t4.json
  error: t4.json: a run on T4; wanted V100: a calibration is of one type of GPU
  [2]
  $ hetune calibrate --gpu X --donor fine.yaml
  error: calibrate: --donor wants --nominal, a table of nominal figures
  [2]
  $ printf 'gpu,memory_gib,memory_gbps,fp32_tflops\nG,1,2,3\n' > nominal.csv
  $ hetune calibrate --gpu X --donor fine.yaml --nominal nominal.csv
  error: nominal.csv has no row of X, whose nominal figures are wanted: what was measured on G cannot be carried over
  [2]
  $ printf 'X,1,2,3\nX,1,2,3\n' >> nominal.csv
  $ hetune calibrate --gpu X --donor fine.yaml --nominal nominal.csv
  nominal.csv:4:1: error: a second row of X
      4 | X,1,2,3
        | ^
  [2]
  $ printf 'gpu,memory_gib,memory_gbps\nG,1,0\n' > nominal.csv
  $ hetune calibrate --gpu G --donor fine.yaml --nominal nominal.csv
  nominal.csv:2:5: error: memory_gbps: 0 is below the minimum, 1
      2 | G,1,0
        |     ^
  [2]
  $ printf 'gpu,memory_gib,memory_gbps\nG,1,2\nX,1,2\n' > nominal.csv
  $ hetune calibrate --gpu X --donor fine.yaml --nominal nominal.csv -o nowhere/X.yaml > /dev/null
  nowhere/X.yaml: cannot create: No such file or directory
  [3]
  $ ls nowhere
  ls: cannot access 'nowhere': No such file or directory
  [2]

Splits

  $ cat > split.yaml <<'END'
  > gpus: lib/costs/gpus
  > models: lib/models
  > points: [steps.csv]
  > fit_gpus: G
  > stacks: [{stack: ours, covers: party}]
  > groups: [{name: all, models: tiny, precisions: fp32}]
  > END
  $ printf 'model,gpu,batch_per_gpu,step_s,precision,stack\ntiny,G,10,1,fp32,party\n' > steps.csv
  $ split() { sed "$1" split.yaml > s.yaml; hetune accuracy s.yaml | head -n 1; }
  $ split ''
  1 measured steps (0 others passed over); stacks are fitted on G
  $ split 's/^fit_gpus: G//'
  s.yaml:1:1: error: key 'fit_gpus' is missing in the split
      1 | gpus: lib/costs/gpus
        | ^
  $ split 's/fit_gpus: G/fit_gpus: T4/'
  error: unknown GPU type 'T4'; lib/costs/gpus has G
  $ split 's/models: tiny/models: big/'
  s.yaml:1:1: error: no measured step is of a group and on a calibrated GPU
      1 | gpus: lib/costs/gpus
        | ^
  $ split 's/steps.csv/none.csv/'
  none.csv: cannot open: No such file or directory
  $ split 's/^gpus:.*//'
  s.yaml:2:1: error: gpus: wanted a folder
      2 | models: lib/models
        | ^
  $ split 's/covers/cover/'
  s.yaml:5:24: error: unknown key 'cover' in stacks (did you mean 'covers'?)
      5 | stacks: [{stack: ours, cover: party}]
        |                        ^
  $ mv steps.csv kept.csv
  $ measured() { cat > steps.csv; hetune accuracy split.yaml | head -n 1; }
  $ printf 'model,gpu,step_s,precision,stack\ntiny,G,1,fp32,party\n' | measured
  steps.csv:2:1: error: wanted the samples of the step, in column batch or batch_per_gpu
      2 | tiny,G,1,fp32,party
        | ^
  $ printf 'model,gpu,batch,mode,step_s,precision,stack\ntiny,G,1,train,1,fp32,party\n' | measured
  steps.csv:2:10: error: mode: 'train' is none of training, inference
      2 | tiny,G,1,train,1,fp32,party
        |          ^
  $ sed -i 's/precisions: fp32/precisions: fp8/' split.yaml
  $ printf 'model,gpu,batch,step_s,precision,stack\ntiny,G,1,1,fp8,party\n' | measured
  steps.csv:2:1: error: precision: 'fp8' cannot be predicted; wanted fp32, tf32, fp16, amp or bf16
      2 | tiny,G,1,1,fp8,party
        | ^
  $ sed -i 's/precisions: fp8/precisions: fp16/' split.yaml
  $ printf 'model,gpu,batch,step_s,precision,stack\ntiny,G,1,1,fp16,party\n' | measured
  error: no measured step can be predicted: the calibrations have no fits in their precisions
  $ sed -i 's/precisions: fp16/precisions: fp32/; s/^points:.*/points: steps.csv/' split.yaml
  $ measured < kept.csv
  split.yaml:3:9: error: points: wanted a list of files of measured steps
      3 | points: steps.csv
        |         ^
  $ sed -i 's/^points:.*/points: [steps.csv]/' split.yaml
  $ mv kept.csv steps.csv
  $ printf 'tiny,G,10,-1,fp32,party\n' >> steps.csv
  $ split ''
  steps.csv:3:11: error: step_s: -1 is below the minimum, 1e-9
      3 | tiny,G,10,-1,fp32,party
        |           ^
  $ hetune accuracy
  error: accuracy: wanted one split, got 0
  [2]
  $ sed -i 3d steps.csv
  $ hetune accuracy split.yaml -o fine.yaml/x > /dev/null
  fine.yaml/x: cannot make the folder: Not a directory
  [3]

In configurations

  $ cat > run.yaml <<'END'
  > cluster: {gpu_types: {G: {}}, nodes: [{type: G, gpus: 1}]}
  > cost:
  >   form: operators
  >   library: lib
  >   stacks: [party]
  >   models: {tiny: {parameters: 20, samples_per_epoch: 30, batch: 10}}
  > overheads: {calibrations: lib/costs/gpus}
  > trace: jobs.csv
  > policy: fifo
  > END
  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,tiny,10,1\n' > jobs.csv
  $ validate() { sed "$1" run.yaml > r.yaml; hetune validate r.yaml; }
  $ validate ''
  r.yaml is fine: 1 GPU in 1 node, 1 policy x 1 seed, 1 job
  $ validate 's/library: lib/library: libs/'
  libs/costs/stacks.yaml: cannot open: No such file or directory
  [3]
  $ validate '/library/d'
  r.yaml:3:3: error: key 'library' is missing in the cost
      3 |   form: operators
        |   ^
  [2]
  $ validate 's/form: operators/form: operator/'
  r.yaml:3:9: error: unknown cost model 'operator' (did you mean 'operators'?)
      3 |   form: operator
        |         ^
  [2]
  $ validate 's/form: operators/form: [operators]/'
  r.yaml:3:9: error: form: a list; wanted a text
      3 |   form: [operators]
        |         ^
  [2]
  $ validate 's/form: operators/form: affine/'
  r.yaml:4:3: error: unknown key 'library' in the cost
      4 |   library: lib
        |   ^
  [2]
  $ validate 's/stacks: .party./stacks: party/'
  r.yaml:5:11: error: stacks: a text; wanted a list of names
      5 |   stacks: party
        |           ^
  [2]
  $ validate 's/stacks: .*/precision: fp16/'
  r.yaml:4:12: error: there is no stack 'default' in fp16, and no default one
      4 |   library: lib
        |            ^
  [2]
  $ validate 's/stacks: .*/overlap: 0.5/'
  r.yaml:5:12: error: overlap: 0.5 is below the minimum, 1
      5 |   overlap: 0.5
        |            ^
  [2]
  $ validate 's/stacks: .*/fits: x.csv/'
  r.yaml:5:3: error: unknown key 'fits' in the cost
      5 |   fits: x.csv
        |   ^
  [2]
  $ validate 's/tiny:/tini:/'
  r.yaml:4:12: error: unknown model 'tini' (did you mean 'tiny'?)
      4 |   library: lib
        |            ^
  [2]
  $ validate 's/{G: {}}/{G: {}, T4: {}}/'
  r.yaml:4:12: error: unknown GPU type 'T4'; lib/costs/gpus has G
      4 |   library: lib
        |            ^
  r.yaml:7:27: error: calibrations: there is no lib/costs/gpus/T4.yaml
      7 | overheads: {calibrations: lib/costs/gpus}
        |                           ^
  [2]
  $ validate 's/stacks: .*/measured: nowhere.csv/'
  nowhere.csv: cannot open: No such file or directory
  [3]
  $ validate 's/stacks: .*/measured: [{model: tiny, gpu: G, batch_per_gpu: 10, step_s: 1}, {model: tiny, gpu: G, batch_per_gpu: 10, step_s: 2}]/'
  r.yaml:5:67: error: a second step time of tiny on G with 10 samples: `stacks` must say which counts
      5 |   measured: [{model: tiny, gpu: G, batch_per_gpu: 10, step_s: 1}, {model: tiny, gpu: G, batch_per_gp...
        |                                                                   ^
  [2]
  $ validate 's/stacks: .*/measured: [{model: tiny, gpu: G, batch_per_gpu: 10, step_s: 0}]/'
  r.yaml:5:63: error: step_s: 0 is below the minimum, 1e-9
      5 |   measured: [{model: tiny, gpu: G, batch_per_gpu: 10, step_s: 0}]
        |                                                               ^
  [2]
  $ validate 's/stacks: .*/measured: [{model: tiny, gpu: G, step_s: 1}]/'
  r.yaml:5:14: error: key 'batch_per_gpu' is missing in measured
      5 |   measured: [{model: tiny, gpu: G, step_s: 1}]
        |              ^
  [2]
  $ validate 's/calibrations: .*/calibrations: nowhere}/'
  r.yaml:7:27: error: calibrations: there is no nowhere/G.yaml
      7 | overheads: {calibrations: nowhere}
        |                           ^
  [2]
  $ validate 's/calibrations: .*/calibrations: [1]}/'
  r.yaml:7:27: error: calibrations: a list; wanted a text
      7 | overheads: {calibrations: [1]}
        |                           ^
  [2]
