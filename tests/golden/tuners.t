Tuners: which trials train on, and until when
=============================================

One GPU, nine trials of nine epochs, 10 s an epoch. Each trial reports the same accuracy at every epoch: 0.5, 0.9, 0.1,
0.7, 0.3, 0.8, 0.2, 0.6, 0.4. Trials wait in the order in which they were submitted.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments: [{name: study, curves: curves.yaml, draw: first, model: net}]
  > policy: fifo
  > write_series: false
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.05\nfile: curves.csv\n' > curves.yaml
  $ curves() { echo trial,epoch,metric; t=0; for m; do for e in $(seq 9); do echo $t,$e,$m; done; t=$((t + 1)); done; }
  $ curves 0.5 0.9 0.1 0.7 0.3 0.8 0.2 0.6 0.4 > curves.csv

What a tuner does is in the events: `pause`, `promote`, `kill`; `end` is a trial that ended by itself. `story` has a line
for each, with the trial and the time; `epochs` has the epochs that each trial has trained.

  $ run() { rm -rf out; hetune run run.yaml -s "experiments.0.tuner=$1" "${@:2}" -o out --json > /dev/null; }
  $ story() { run "$@"; awk -F, '$2 ~ /^(pause|promote|kill|end)$/ { printf "%s%s %s %s", sep, $1, $2, $3; sep = "; " } END { print "" }' out/events.csv | fold -s -w 110 | sed 's/ $//'; }
  $ epochs() { run "$@"; awk -F, '$2 == "arrive" { n++ } $2 == "report" { e[$3]++ } END { for (k = 0; k < n; k++) printf "%s%d", k ? " " : "", e[k]; print "" }' out/events.csv; }

Without a tuner that stops anything all 81 epochs are trained.

  $ epochs run_all
  9 9 9 9 9 9 9 9 9
  $ grep makespan out/summary.json
    "makespan_s": 810,

Barriers: sha
-------------

Rungs end at 1, 3 and 9 epochs, and a third goes on. Trials 1, 5 and 3 are the best of the first rung: trial 8, which comes
last, is not among them and stops where it is, after the others have been stopped in the order of their ranks. The three
train two more epochs each; trial 1 goes on, and ends by itself.

  $ story sha
  10 pause 0; 20 pause 1; 30 pause 2; 40 pause 3; 50 pause 4; 60 pause 5; 70 pause 6; 80 pause 7; 90 promote 1;
  90 promote 5; 90 promote 3; 90 kill 7; 90 kill 0; 90 kill 4; 90 kill 6; 90 kill 2; 90 kill 8; 110 pause 1;
  130 pause 3; 150 promote 1; 150 kill 3; 150 kill 5; 210 end 1
  $ epochs sha
  1 9 1 3 1 3 1 1 1

The last of a rung needs no pause if it goes on. Of trials that are equal the lower one is better.

  $ curves 0.1 0.1 0.9 > curves.csv; story sha
  10 pause 0; 20 pause 1; 30 kill 0; 30 kill 1; 110 end 2
  $ curves 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 > curves.csv; epochs sha
  9 3 3 1 1 1 1 1 1
  $ curves 0.5 0.9 0.1 0.7 0.3 0.8 0.2 0.6 0.4 > curves.csv

What goes on does not hang on the cluster, the policy, or who comes first.

  $ epochs sha -s cluster.nodes.0.gpus=4
  1 9 1 3 1 3 1 1 1
  $ epochs sha -s policy=rr[quantum_s=7] -s cluster.nodes.0.gpus=2
  1 9 1 3 1 3 1 1 1

Pauses cost what preemptions cost. With 2 s to save and 3 s to restore ten pauses and four promotions take 32 s more.

  $ story sha -s overheads.save_s=2 -s overheads.restore_s=3
  10 pause 0; 22 pause 1; 34 pause 2; 46 pause 3; 58 pause 4; 70 pause 5; 82 pause 6; 94 pause 7; 106 promote
  1; 106 promote 5; 106 promote 3; 106 kill 7; 106 kill 0; 106 kill 4; 106 kill 6; 106 kill 2; 106 kill 8; 129
  pause 1; 154 pause 3; 179 promote 1; 179 kill 3; 179 kill 5; 242 end 1

Brackets: hyperband
-------------------

Nine epochs at most and eta = 3 make three brackets: 9 trials from 1 epoch, 5 from 3 epochs, 3 from 9 epochs. They want 17
trials, and take those of the experiment in order: with nine of them the first bracket has all.

  $ epochs hyperband
  1 9 1 3 1 3 1 1 1
  $ curves 0.5 0.9 0.1 0.7 0.3 0.8 0.2 0.6 0.4 0.55 0.65 0.75 0.85 0.35 0.45 0.15 0.25 0.95 > curves.csv
  $ epochs hyperband
  1 9 1 3 1 3 1 1 1 3 3 3 9 3 9 9 9

One more trial is there than three brackets take; `rounds=0` goes on until none is left. BOHB's program has smaller brackets
(`floor`: 9, 3, 3). At once, all trials of a round wait together, which changes when they train but not how long.

  $ epochs hyperband[rounds=0]
  1 9 1 3 1 3 1 1 1 3 3 3 9 3 9 9 9 9
  $ epochs hyperband[sizes=floor]
  1 9 1 3 1 3 1 1 1 3 3 9 9 9 9
  $ epochs hyperband[brackets=parallel]
  1 9 1 3 1 3 1 1 1 3 3 3 9 3 9 9 9
  $ curves 0.5 0.9 0.1 0.7 0.3 0.8 0.2 0.6 0.4 > curves.csv

Without barriers: asha
----------------------

With one worker (`at_once=1`) the search is the one of the paper, step by step: trial 1 is promoted as soon as three trials
have come to the first rung, and trains until the second, where it is set aside, being one of one. Trial 5 is the sixth to come and among the two best
of them: it goes on without a pause. Trial 3 follows with the ninth. With three in the second rung trial 1 is promoted again.
Then nobody is left to train, and what is still set aside is stopped.

  $ story asha[eta=3,at_once=1]
  10 pause 0; 20 pause 1; 30 promote 1; 30 pause 2; 50 pause 1; 60 pause 3; 70 pause 4; 100 pause 5; 110 pause
  6; 120 pause 7; 130 promote 3; 130 pause 8; 150 promote 1; 150 pause 3; 210 end 1; 210 kill 0; 210 kill 2;
  210 kill 3; 210 kill 4; 210 kill 5; 210 kill 6; 210 kill 7; 210 kill 8

With all trials submitted at once the order is another, the epochs are the same here.

  $ epochs asha[eta=3]
  1 9 1 3 1 3 1 1 1

Without pauses: asha_stop
-------------------------

Ray Tune's variant stops at once who is worse than the (1 - 1/eta) quantile of those that came to the rung before it, and
never comes back to anybody. The first one of all has nobody to be compared with; trial 3 (0.7) is above that of 0.1, 0.5 and
0.9, which is 0.63, but at the second rung below that of 0.5 and 0.9, which is 0.77.

  $ epochs asha_stop[eta=3,at_once=1]
  9 9 1 3 1 9 1 1 1

The difference: trials get worse from the first to the last. Promotion takes three trials to let one go on, and comes back
to trial 1 (0.8) when six have come. Stopping lets trial 0 run to its end, as nobody was before it, and ends trial 1, which
only trial 0 was before.

  $ curves 0.9 0.8 0.7 0.6 0.5 0.4 0.3 0.2 0.1 > curves.csv
  $ epochs asha[eta=3,at_once=1]
  9 3 3 1 1 1 1 1 1
  $ epochs asha_stop[eta=3,at_once=1]
  9 1 1 1 1 1 1 1 1

The other way round each trial is better than all before it. Stopping stops nobody; promotion waits until there are three in
a rung, and from then on whoever comes is the best of them and goes on.

  $ curves 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 > curves.csv
  $ epochs asha[eta=3,at_once=1]
  1 1 3 3 9 9 9 9 9
  $ epochs asha_stop[eta=3,at_once=1]
  9 9 9 9 9 9 9 9 9

Against the others' average: median_stop
----------------------------------------

A trial stops when the best it has reported is worse than the median of the running averages that others had at the same
epoch, from the second epoch on, once three others have come there. At the second epoch trial 3 (0.7) meets 0.1, 0.5, 0.9 and
goes on; trial 4 (0.3) meets 0.1, 0.5, 0.7, 0.9, whose median is 0.6; trial 6 (0.2) meets 0.6, too. Trial 7 (0.6) meets 0.5 at
the second epoch, and at the third, to which the stopped ones never came, 0.7; trial 8 (0.4) meets 0.55.

  $ curves 0.5 0.9 0.1 0.7 0.3 0.8 0.2 0.6 0.4 > curves.csv
  $ epochs median_stop[at_once=1]
  9 9 9 9 2 9 2 3 2
  $ epochs median_stop[at_once=1,grace_epochs=0]
  9 9 9 9 1 9 1 2 1
  $ epochs median_stop[at_once=1,min_samples=8]
  9 9 9 9 9 9 9 9 2

Averages are not last metrics: trial 3 begins as well as the others, and falls behind late. At the fourth epoch its best is still
0.5, the average of the others.

  $ { curves 0.5 0.5 0.5; for e in 1 2 3 4 5 6 7 8 9; do echo 3,$e,0.$((e < 4 ? 5 : 1)); done; } > curves.csv
  $ epochs median_stop[at_once=1]
  9 9 9 9

A loss falls: better is lower.

  $ sed -i 's/accuracy/loss/; s/higher/lower/; s/0.05/9/' curves.yaml; curves 0.5 0.9 0.1 0.7 0.3 0.8 0.2 0.6 0.4 > curves.csv
  $ epochs sha; epochs asha[eta=3,at_once=1]; epochs asha_stop[eta=3,at_once=1]; epochs median_stop[at_once=1]
  1 1 9 1 3 1 3 1 1
  1 1 9 1 3 1 3 1 1
  9 1 9 1 3 1 9 1 1
  9 9 9 2 9 2 9 2 3
