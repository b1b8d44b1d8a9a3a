Predictors: what a policy is told, and what is true
===================================================

On `old` a step takes 0.2 s a sample; on `new` it takes 1.5 s and 0.05 s a sample. The customary batch is 10, where
both need 2 s; jobs with a batch of 40 need 8 s on `old`, but 1.5 + 2 = 3.5 s (0.2857 steps/s) on `new`. An epoch of
400 samples has 10 steps then.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {old: {}, new: {}}, nodes: [{type: new, gpus: 1}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 400, batch: 10}}
  >   fits:
  >     - {model: net, gpu: old, alpha_s: 0, beta_s: 0.2}
  >     - {model: net, gpu: new, alpha_s: 1.5, beta_s: 0.05}
  > trace: jobs.csv
  > policy: fifo
  > write_jobs: false
  > write_series: false
  > END
  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,net,40,1\n' > jobs.csv
  $ told() {
  >   hetune run run.yaml -s predictor="$1" "${@:2}" -o out --json > /dev/null
  >   grep -E 'start|,end' out/events.csv | cut -d, -f1-3,10,15,16; grep prediction out/summary.json; rm -r out
  > }

exact tells the truth.

  $ told exact
  0,start,0,0*40,0.2857142857142857,0.2857142857142857
  35,end,0,0*40,,
    "predictions": 1,
    "prediction_error_mean": 0,
    "prediction_error_max": 0,

reference_table has measured the model at its customary batch only: 10 / 2 = 5 samples a second on both types. It
tells 5 / 40 = 0.125 steps a second, wrong by 1 - 0.125 * 3.5 = 0.5625 of the truth.

  $ told reference_table
  0,start,0,0*40,0.2857142857142857,0.125
  35,end,0,0*40,,
    "predictions": 1,
    "prediction_error_mean": 0.5625,
    "prediction_error_max": 0.5625,

With a row for each power of two it takes the nearest one, 32: 32 / (1.5 + 1.6) = 10.32 samples a second, 0.2581 steps
a second; wrong by 1 - 0.2581 * 3.5 = 0.0968.

  $ told 'reference_table[key=model_batch]'
  0,start,0,0*40,0.2857142857142857,0.25806451612903225
  35,end,0,0*40,,
    "predictions": 1,
    "prediction_error_mean": 0.09677419354838707,
    "prediction_error_max": 0.09677419354838707,

A measurement of the job itself ends this: its rate is known on the type on which it was measured. Two jobs of two
epochs take turns of one; each was predicted wrongly at its first start, and at its second nothing was left to predict.

  $ printf 'submit_s,gpus,model,batch,epochs\n0,1,net,40,2\n0,1,net,40,2\n' > jobs.csv
  $ told reference_table -s 'policy=rr[quantum_s=35]'
  0,start,0,0*40,0.2857142857142857,0.125
  35,start,1,0*40,0.2857142857142857,0.125
  70,start,0,0*40,0.2857142857142857,
  105,end,0,0*40,,
  105,start,1,0*40,0.2857142857142857,
  140,end,1,0*40,,
    "predictions": 2,
    "prediction_error_mean": 0.5625,
    "prediction_error_max": 0.5625,

noisy disturbs another predictor by a factor for each job and GPU type, until the job has been measured there: the
first start of each job is told something else than the truth, the second is told nothing. The truth is as before, and
so is a history in which nobody asks.

  $ for p in exact 'noisy[sigma=0.5]' 'noisy[sigma=0]'; do
  >   hetune run run.yaml -s predictor="$p" -s 'policy=rr[quantum_s=35]' -o "$p" --json > /dev/null
  >   cut -d, -f1-15,17 "$p/events.csv" > "$p.csv"
  > done
  $ awk -F, '$2 == "start" { print "job", $3, $16 == "" ? "nothing" : $16 == $15 ? "true" : "wrong" }' 'noisy[sigma=0.5]/events.csv'
  job 0 wrong
  job 1 wrong
  job 0 nothing
  job 1 nothing
  $ cmp exact.csv 'noisy[sigma=0.5].csv'
  $ cmp exact/events.csv 'noisy[sigma=0]/events.csv'

A placement by a wrong belief
-----------------------------

One trial of one epoch, two nodes: `old` with GPU 0 and `new` with GPU 1. hermes_v2 sends a trial where it gains most.
Told the truth that is `new`, a gain of 8 / 3.5; it ends at 35 s. The table says that both types are equal, and at a
tie the lower number counts: it goes to `old` and ends at 80 s. What was told about `old` was right: the error of the
summary is about the GPUs that were taken.

  $ sed -i '/^trace/d' run.yaml
  $ sed -i 's/nodes: .*/nodes: [{type: old, gpus: 1}, {type: new, gpus: 1}]}/' run.yaml
  $ echo 'experiments: [{name: study, curves: curves.yaml, draw: first, model: net, batch: 40}]' >> run.yaml
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ printf 'trial,epoch,metric\n0,1,0.4\n' > curves.csv
  $ told exact -s policy=hermes_v2
  0,start,0,1*40,0.2857142857142857,0.2857142857142857
  35,end,0,1*40,,
    "predictions": 1,
    "prediction_error_mean": 0,
    "prediction_error_max": 0,
  $ told reference_table -s policy=hermes_v2
  0,start,0,0*40,0.125,0.125
  80,end,0,0*40,,
    "predictions": 1,
    "prediction_error_mean": 0,
    "prediction_error_max": 0,
