Hermes-V2: a trial that gains more goes to the faster GPU
==========================================================

Two nodes with one GPU each. Model `flat` is as fast on both, model `steep` twice as fast on the fast one. Uniform
placement sends the first trial (steep) to GPU 0, the slow one.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {slow: {}, fast: {}}, nodes: [{type: slow, gpus: 1}, {type: fast, gpus: 1}]}
  > cost:
  >   models:
  >     steep: {parameters: 1000000, samples_per_epoch: 100, batch: 10}
  >     flat: {parameters: 1000000, samples_per_epoch: 100, batch: 10}
  >   fits:
  >     - {model: steep, gpu: slow, alpha_s: 2, beta_s: 0}
  >     - {model: steep, gpu: fast, alpha_s: 1, beta_s: 0}
  >     - {model: flat, gpu: slow, alpha_s: 1, beta_s: 0}
  >     - {model: flat, gpu: fast, alpha_s: 1, beta_s: 0}
  > overheads: {start_s: 5, save_s: 1, restore_s: 2, image_s: 10}
  > predictor: reference_table
  > experiments: [{name: study, curves: curves.yaml, draw: first, model: [steep, flat], good_best: 2}]
  > policy: ['uniform[order=convergence]', hermes_v2]
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ (echo trial,epoch,metric; for t in 0 1; do for e in 1 2 3 4; do echo $t,$e,0.$((t + e + 2)); done; done) > curves.csv
  $ hetune run run.yaml -o out --json > /dev/null
  $ grep -E 'start|run|end' out/uniform-order-convergence/seed-1/events.csv | cut -d, -f1-3,10-12,15-17
  time_s,event,job,gpus,origin,run_s,value,told,why
  0,start,0,0*10,new,5,0.5,0.5,untried trials come first
  0,start,1,1*10,new,5,1,1,untried trials come first
  5,run,0,0*10,,,,,
  5,run,1,1*10,,,,,
  45,end,1,1*10,,,,,
  85,end,0,0*10,,,,,
  $ grep -E 'start|run|end' out/hermes_v2/seed-1/events.csv | cut -d, -f1-3,10-12,15-17
  time_s,event,job,gpus,origin,run_s,value,told,why
  0,start,1,0*10,new,5,1,1,untried trials come first
  0,start,0,1*10,new,5,1,1,untried trials come first
  5,run,0,1*10,,,,,
  5,run,1,0*10,,,,,
  45,end,0,1*10,,,,,
  45,end,1,0*10,,,,,

During the run: the second trial of a slow GPU converges further than the best of the fast one, and is brought there;
its state crosses the network, so it starts again as `moved`.

  $ (echo trial,epoch,metric; for t in 0 1; do for e in 1 2 3 4 5 6 7 8; do echo $t,$e,0.$((4 * t + 10 + e)); done; done) > curves.csv
  $ hetune run run.yaml -s 'policy=hermes_v2[relocate=run,move_s=0,victim_loss=false,residence=1]' \
  >   -s experiments.0.model=steep -o moved --json > /dev/null
  $ grep -E 'start|preempt|run,|end' moved/events.csv | cut -d, -f1-3,10-14,16-17
  0,start,1,0*10,new,5,,,0.5,untried trials come first
  0,start,0,1*10,new,5,,,1,untried trials come first
  5,run,0,1*10,,,,,,
  5,run,1,0*10,,,,,,
  25,preempt,0,1*10,,25,26,0,,gives its place to a trial that has converged further
  25,preempt,1,0*10,,25,26,0,,has converged furthest of its GPU and runs faster elsewhere
  25,start,0,0*10,moved,38,,,0.5,has converged furthest at this station
  25,start,1,1*10,moved,38,,,1,has converged furthest at this station
  38,run,0,0*10,,,,,,
  38,run,1,1*10,,,,,,
  108,end,1,1*10,,,,,,
  118,preempt,0,0*10,,118,119,0,,has converged furthest of its GPU and runs faster elsewhere
  118,start,0,1*10,moved,131,,,1,has converged furthest at this station
  131,run,0,1*10,,,,,,
  151,end,0,1*10,,,,,,
  $ grep relocations moved/summary.json
    "relocations": 3,

Quanta may be seconds, and end while no trial reports: with three of 10 s before a move, the same swap comes at 5 + 30 =
35 s, between two epochs of trial 1 (20 s each). It has done 15 steps of 80, the other 65 take 1 s each from 48 s on.

  $ hetune run run.yaml -s 'policy=hermes_v2[relocate=run,move_s=0,victim_loss=false,residence=3,quantum_s=10]' \
  >   -s experiments.0.model=steep -o seconds --json > /dev/null
  $ grep -E 'report,1|preempt|end,1' seconds/events.csv | cut -d, -f1-3,10,12,17
  25,report,1,,,
  35,preempt,0,1*10,35,gives its place to a trial that has converged further
  35,preempt,1,0*10,35,has converged furthest of its GPU and runs faster elsewhere
  53,report,1,,,
  63,report,1,,,
  73,report,1,,,
  83,report,1,,,
  93,report,1,,,
  103,report,1,,,
  113,report,1,,,
  113,end,1,1*10,,
  118,preempt,0,0*10,118,has converged furthest of its GPU and runs faster elsewhere
