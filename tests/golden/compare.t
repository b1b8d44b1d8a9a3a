Comparing policies: the same worlds, paired by seed
===================================================

One GPU. Each seed draws two of three recordings, of 4, 5 and 6 epochs (40, 50 and 60 s), and every policy gets the
same two.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 100, batch: 10}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments: [{name: study, curves: curves.yaml, trials: 2, model: net}]
  > policy: [fifo, sjf, 'rr[quantum_s=0]']
  > seed: 3
  > seeds: 3
  > write_jobs: false
  > write_series: false
  > END
  $ printf 'metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n' > curves.yaml
  $ (echo trial,epoch,metric; for t in 0 1 2; do for e in $(seq $((4 + t))); do echo $t,$e,0.$e; done; done) > curves.csv
  $ hetune run run.yaml -o out > run.txt
  $ grep arrive out/{fifo,sjf}/*/events.csv | cut -d, -f1-3,7
  out/fifo/seed-3/events.csv:0,arrive,0,6
  out/fifo/seed-3/events.csv:0,arrive,1,5
  out/fifo/seed-4/events.csv:0,arrive,0,4
  out/fifo/seed-4/events.csv:0,arrive,1,5
  out/fifo/seed-5/events.csv:0,arrive,0,5
  out/fifo/seed-5/events.csv:0,arrive,1,4
  out/sjf/seed-3/events.csv:0,arrive,0,6
  out/sjf/seed-3/events.csv:0,arrive,1,5
  out/sjf/seed-4/events.csv:0,arrive,0,4
  out/sjf/seed-4/events.csv:0,arrive,1,5
  out/sjf/seed-5/events.csv:0,arrive,0,5
  out/sjf/seed-5/events.csv:0,arrive,1,4

The seeds 3, 4 and 5 drew 60 and 50 s, 40 and 50 s, 50 and 40 s. Mean JCTs:

    fifo  (60 + 110) / 2 = 85, (40 + 90) / 2 = 65, (50 + 90) / 2 = 70; mean 73.33
    sjf   (50 + 110) / 2 = 80, (40 + 90) / 2 = 65, (40 + 90) / 2 = 65; mean 70
    rr    (100 + 110) / 2 = 105, (70 + 90) / 2 = 80, (80 + 90) / 2 = 85; mean 90

Their standard deviations are 10.41, 8.66 and 13.23; Student's t for three values is 4.303, so that the half widths of
the intervals are 4.303 / sqrt(3) = 2.484 times those: 25.86, 21.51, 32.86. sjf is at 70 / 73.33 - 1 = -4.5 %, rr at
90 / 73.33 - 1 = +22.7 %. The intervals of these ratios follow from Fieller's equation, worked out here in awk:

  $ fieller() {
  >   awk -v t=4.302653 '{ n++; x += $1; y += $2; xx += $1 * $1; yy += $2 * $2; xy += $1 * $2 }
  >     END { x /= n; y /= n; k = t * t / n; a = x * x - k * (xx - n * x * x) / (n - 1)
  >       b = x * y - k * (xy - n * x * y) / (n - 1); c = y * y - k * (yy - n * y * y) / (n - 1)
  >       r = sqrt(b * b - a * c); printf "%+.1f, %+.1f\n", 100 * ((b - r) / a - 1), 100 * ((b + r) / a - 1) }'
  > }
  $ printf '85 80\n65 65\n70 65\n' | fieller
  -12.0, +7.1
  $ printf '85 105\n65 80\n70 85\n' | fieller
  +19.1, +25.2

The first interval has 0 in it: with three seeds it is not clear that sjf is better. rr is surely worse.

  $ awk -v RS= 'NR == 1 || /^JCT, mean/ || /^makespan/' run.txt
  3 policies, 3 seeds each; changes against fifo are paired by seed, in brackets their 95 % interval
  JCT, mean
    fifo                   73.33 s +- 25.86
    sjf (oracle)           70.00 s +- 21.51     -4.5 %  [-12.0, +7.1]  not clear
    rr[quantum_s=0]        90.00 s +- 32.86    +22.7 %  [+19.1, +25.2]  worse
  makespan
    fifo                   96.67 s +- 28.68
    sjf (oracle)           96.67 s +- 28.68     +0.0 %  [+0.0, +0.0]  the same
    rr[quantum_s=0]        96.67 s +- 28.68     +0.0 %  [+0.0, +0.0]  the same

`hetune compare` says the same from the results, whether they were made together or one by one.

  $ hetune compare out > again.txt; tail -n 1 run.txt; head -n -2 run.txt | cmp - again.txt
  results are in out
  $ for s in 3 4 5; do hetune run run.yaml -s seeds=1 --seed $s -s write_events=false -o parts/$s --json > /dev/null; done
  $ hetune compare parts/3 parts/4 parts/5 | cmp - again.txt

Against another baseline fifo is at 73.33 / 70 - 1 = +4.8 %; Fieller's intervals turn over with the ratio: 1 / 1.071 -
1 = -6.6 %, 1 / 0.880 - 1 = +13.7 %.

  $ hetune compare out --baseline sjf | grep -A 2 'JCT, mean'
  JCT, mean
    sjf (oracle)           70.00 s +- 21.51
    fifo                   73.33 s +- 25.86     +4.8 %  [-6.6, +13.7]  not clear

For machines the numbers have all their digits (here three), and metrics of all kinds.

  $ hetune compare out --json | grep -E 'baseline|"policy"|jct_mean_s' | sed -E 's/(\.[0-9]{3})[0-9]+/\1/g'
    "baseline": "fifo",
      {"policy": "fifo", "oracle": false, "seeds": 3, "alike": false, "metrics": {
        "jct_mean_s": {"value": {"mean": 73.333, "low": 47.477, "high": 99.189, "n": 3}, "change": {"mean": 0, "low": 0, "high": 0, "n": 3}, "call": "the same"},
      {"policy": "sjf", "oracle": true, "seeds": 3, "alike": false, "metrics": {
        "jct_mean_s": {"value": {"mean": 70, "low": 48.486, "high": 91.513, "n": 3}, "change": {"mean": -0.045, "low": -0.120, "high": 0.071, "n": 3}, "call": "not clear"},
      {"policy": "rr[quantum_s=0]", "oracle": false, "seeds": 3, "alike": false, "metrics": {
        "jct_mean_s": {"value": {"mean": 90, "low": 57.137, "high": 122.862, "n": 3}, "change": {"mean": 0.227, "low": 0.191, "high": 0.251, "n": 3}, "call": "worse"},

One seed gives a difference, but no interval, and so nothing is clear: 80 / 85 - 1 = -5.9 %, 105 / 85 - 1 = +23.5 %.

  $ hetune compare parts/3 | awk -v RS= 'NR == 1 || /^JCT, mean/ || /^makespan/'
  3 policies, 1 seed each; changes against fifo are paired by seed; one seed gives no interval
  JCT, mean
    fifo                            85.00 s
    sjf (oracle)                    80.00 s     -5.9 %  not clear
    rr[quantum_s=0]                 105.0 s    +23.5 %  not clear
  makespan
    fifo                            110.0 s
    sjf (oracle)                    110.0 s     +0.0 %  the same
    rr[quantum_s=0]                 110.0 s     +0.0 %  the same
