Tuners that draw, copy and learn
================================

Random search: five trials, two at a time, in an order that the seed decides. One GPU, 10 s an epoch.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments: [{name: study, curves: set.yaml, draw: first, model: net}]
  > policy: fifo
  > write_jobs: false
  > write_series: false
  > END
  $ cat > set.yaml <<END
  > metric: accuracy
  > better: higher
  > initial: 0.1
  > file: curves.csv
  > trials_file: trials.csv
  > space: [width]
  > END
  $ cat > trials.csv <<END
  > trial,width
  > 0,10
  > 1,20
  > 2,30
  > 3,40
  > 4,50
  > END
  $ cat > curves.csv <<END
  > trial,epoch,metric
  > 0,1,0.20
  > 0,2,0.25
  > 0,3,0.30
  > 0,4,0.35
  > 1,1,0.30
  > 1,2,0.40
  > 1,3,0.45
  > 1,4,0.50
  > 2,1,0.30
  > 2,2,0.50
  > 2,3,0.60
  > 2,4,0.65
  > 3,1,0.35
  > 3,2,0.55
  > 3,3,0.68
  > 3,4,0.75
  > 4,1,0.40
  > 4,2,0.45
  > 4,3,0.50
  > 4,4,0.55
  > END
  $ run() { rm -rf out; hetune run run.yaml -s "experiments.0.tuner=$1" "${@:2}" -o out --json > /dev/null; }
  $ for seed in 1 2; do run random[samples=3,at_once=2] -s seed=$seed; grep arrive out/events.csv | cut -d, -f1,2,6; done
  0,arrive,4
  0,arrive,2
  40,arrive,1
  0,arrive,3
  0,arrive,4
  40,arrive,0

Population-based training: trials 0, 1 and 2 are the members, 3 and 4 stand in for hyper-parameters that are tried on
the way. After two epochs trial 0 is the worst of the three (0.25) and trial 2 the best (0.50): trial 0 takes over
its checkpoint. The width of trial 2 stands at 0.5 of its axis; nearest to 0.5 times 0.8 or 1.2 is trial 3 (at 0.75; trials
1 and 2 are followed already). Its curve comes closest to 0.50 at its second epoch with 0.55, and from there trial 0
goes on: 0.68, 0.75. The columns are time, what, trial, epoch, metric; of a copy: whose checkpoint it is, the metric taken
over, the epoch in the curve it follows, and in `told` which curve that is.

  $ run 'pbt[population=3,interval=2]'
  $ head -n 1 out/events.csv
  time_s,event,job,name,experiment,trial,epoch,good,n,gpus,origin,run_s,ready_s,lost_s,value,told,why
  $ grep copy out/events.csv
  60,copy,0,,0,0,2,,2,,,,60,,0.5,3,
  $ grep -E ',(report|pause|copy|promote),' out/events.csv | cut -d, -f1-3,7,15
  10,report,0,1,0.2
  20,report,0,2,0.25
  20,pause,0,,
  30,report,1,1,0.3
  40,report,1,2,0.4
  40,pause,1,,
  50,report,2,1,0.3
  60,report,2,2,0.5
  60,pause,2,,
  60,copy,0,2,0.5
  60,promote,0,,
  60,promote,1,,
  60,promote,2,,
  70,report,0,3,0.68
  80,report,0,4,0.75
  90,report,1,3,0.45
  100,report,1,4,0.5
  110,report,2,3,0.6
  120,report,2,4,0.65

All members wait for each other. With mode=async a member is compared with what the others reported when they were ready
last; let them take turns of one epoch, and be ready after each. Trial 0 is ready at 10 s, when there is nobody else, and at 40 s
with 0.25 it is the worst: trials 1 and 2 have 0.30, of which 1 is the lower. Trial 3 is the nearest to follow again, and
at its first epoch closest to 0.30. At 80 s trial 1 is the worst with 0.45, and copies trial 0, which has had 0.55 from the
curve of trial 3. Trial 4 is all that is left; at the end of its curve it has 0.55, and a curve goes on as it ends.

  $ run 'pbt[population=3,interval=1,mode=async]' -s 'policy=rr[quantum_s=0,quantum_epochs=1]'
  $ grep -E ',(report|pause|copy|promote),' out/events.csv | cut -d, -f1-3,7,9,15,16
  10,report,0,1,1,0.2,
  20,report,1,1,1,0.3,
  30,report,2,1,1,0.3,
  40,report,0,2,1,0.25,
  40,pause,0,,1,,
  40,copy,0,1,1,0.3,3
  40,promote,0,,0,,
  50,report,1,2,1,0.4,
  60,report,2,2,1,0.5,
  70,report,0,3,1,0.55,
  80,report,1,3,1,0.45,
  80,pause,1,,1,,
  80,copy,1,4,0,0.55,4
  80,promote,1,,0,,
  90,report,2,3,1,0.6,
  100,report,0,4,1,0.68,
  110,report,1,4,1,0.55,
  120,report,2,4,1,0.65,

TPE: one trial at a time, and a model as soon as there is one good trial and two others. The first three are drawn. Of the
two that are left the one comes first that is nearer to the best of them.

  $ for seed in 1 2; do run 'tpe[at_once=1,min_points=1,random_fraction=0]' -s seed=$seed; grep -E ',(arrive|report),' out/events.csv | awk -F, '$2 == "arrive" { printf "trial %d", $6 } $2 == "report" && $7 == 4 { print ": " $15 }'; done
  trial 2: 0.65
  trial 1: 0.5
  trial 3: 0.75
  trial 4: 0.55
  trial 0: 0.35
  trial 4: 0.55
  trial 1: 0.5
  trial 0: 0.35
  trial 3: 0.75
  trial 2: 0.65
