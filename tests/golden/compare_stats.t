Statistics of a comparison
==========================

Runs with the mean JCTs that are wanted here: copies of one, edited.

  $ printf 'submit_s,gpus,duration_s\n0,1,10\n' > jobs.csv
  $ printf 'cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}\ntrace: jobs.csv\npolicy: fifo\n' > run.yaml
  $ hetune run run.yaml -o one > /dev/null
  $ runs() { # policy, then a mean JCT for each seed
  >     local policy=$1 seed=0 dir
  >     for jct in "${@:2}"; do
  >         seed=$((seed + 1)); dir=all/$policy/$seed; mkdir -p "$dir"
  >         sed "s/\"jct_mean_s\": 10,/\"jct_mean_s\": $jct,/; s/\"digest\": \".*\"/\"digest\": \"$seed\"/" one/summary.json > "$dir/summary.json"
  >         sed "s/\"policy\": \"fifo\"/\"policy\": \"$policy\"/; s/\"seed\": 1/\"seed\": $seed/" one/manifest.json > "$dir/manifest.json"
  >     done
  > }

The differences of `b` are -9, -10 and -11, those of `c` -4, -5 and -6, of `d` -2, -3 and -4, of `e` 1, 0 and -1. With
two degrees of freedom the p-value of t is 1 - |t| / sqrt(2 + t^2). The standard deviations are 1, so that t is the mean
times sqrt(3).

  $ runs a 100 110 120; runs b 91 100 109; runs c 96 105 114; runs d 98 107 116; runs e 101 110 119
  $ for mean in 10 5 3; do awk -v m=$mean 'BEGIN { t = m * sqrt(3); printf "t = %.3f, p = %.5f\n", t, 1 - t / sqrt(2 + t * t) }'; done
  t = 17.321, p = 0.00332
  t = 8.660, p = 0.01307
  t = 5.196, p = 0.03510

Each alone is below 0.05, as is 0 outside its interval. Holm multiplies the smallest of four by 4, the next by 3, then by
2: 0.0133, 0.0392, 0.0702. Among four comparisons `d` is not clear.

  $ hetune compare all --metric jct_mean_s
  5 policies, 3 seeds each; changes against a are paired by seed, in brackets their 95 % interval

  JCT, mean
    a                110.0 s +- 24.8
    b                100.0 s +- 22.4     -9.1 %  [-9.3, -8.8]  better
    c                105.0 s +- 22.4     -4.5 %  [-5.6, -3.0]  better
    d                107.0 s +- 22.4     -2.7 %  [-4.1, -0.6]  not clear (Holm)
    e                110.0 s +- 22.4     +0.0 %  [-1.8, +2.9]  not clear

  note: 1 change would be clear alone, but not among all comparisons of the metric (Holm)
  $ hetune compare all --metric jct_mean_s --holm off | tail -n 4
    b                100.0 s +- 22.4     -9.1 %  [-9.3, -8.8]  better
    c                105.0 s +- 22.4     -4.5 %  [-5.6, -3.0]  better
    d                107.0 s +- 22.4     -2.7 %  [-4.1, -0.6]  better
    e                110.0 s +- 22.4     +0.0 %  [-1.8, +2.9]  not clear

That is the rule from three comparisons on; `--holm on` has it for two.

  $ rm -r all/b all/c; hetune compare all --metric jct_mean_s | tail -n 2; hetune compare all --metric jct_mean_s --holm on | tail -n 4
    d                107.0 s +- 22.4     -2.7 %  [-4.1, -0.6]  better
    e                110.0 s +- 22.4     +0.0 %  [-1.8, +2.9]  not clear
    d                107.0 s +- 22.4     -2.7 %  [-4.1, -0.6]  not clear (Holm)
    e                110.0 s +- 22.4     +0.0 %  [-1.8, +2.9]  not clear

  note: 1 change would be clear alone, but not among all comparisons of the metric (Holm)

All statistics of a change
--------------------------

Differences -10, -20, -30, -40, -50, -60: mean -35, standard deviation 18.708, Student's half width 2.571 x 18.708 /
sqrt(6) = 19.63. All have one sign, and so 2 of 64 flips of signs are as far from 0: p = 0.03125, and of the 64 sets of
ranks two are as far out: the same for Wilcoxon's test. d_z = -35 / 18.708 = -1.87. The 21 averages of two differences
go from -60 to -10, and those two bound the shift of Hodges and Lehmann. Half the width takes the first n with t(n-1) /
sqrt(n) <= 1.0494 / 2: for 16 that is 2.131 / 4 = 0.533, for 17 it is 2.120 / 4.123 = 0.514.

  $ rm -r all; runs a 100 100 100 100 100 100; runs b 90 80 70 60 50 40
  $ hetune compare all --metric jct_mean_s --stats
  2 policies, 6 seeds each; changes against a are paired by seed, in brackets their 95 % interval

  JCT, mean
    a                 100.0 s +- 0.0
    b               65.00 s +- 19.63    -35.0 %  [-54.6, -15.4]  better
      difference of means     -35.00 s
        Student               [-54.63, -15.37] s
        bootstrap, expanded   [-53.33, -16.67] s
        bootstrap, BCa        [-48.33, -21.67] s
        bootstrap, percentile [-48.33, -21.67] s
      Hodges-Lehmann shift    -35.00 s
        signed ranks          [-60.00, -10.00] s
      ratio of means, less 1  -35.00 %
        Fieller               [-54.6, -15.4] %
        bootstrap, expanded   [-53.3, -16.7] %
        bootstrap, BCa        [-48.3, -21.7] %
        bootstrap, percentile [-48.3, -21.7] %
      Hodges-Lehmann ratio    -36.75 %
        signed ranks of logs  [-60.0, -10.0] %
      paired t-test           p = 0.005934
      sign-flip test          p = 0.03125
      Wilcoxon's test         p = 0.03125
      effect size d_z         -1.87
      rank-biserial           -1.00
      half the width takes    17 runs in all

One seed, or differences that are all alike, leave nothing to resample.

  $ rm -r all; runs a 100; runs b 90; hetune compare all --metric jct_mean_s --stats
  2 policies, 1 seed each; changes against a are paired by seed; one seed gives no interval

  JCT, mean
    a                        100.0 s
    b                        90.00 s    -10.0 %  not clear
      difference of means     -10.00 s
        Student               no interval
        bootstrap, expanded   no interval
        bootstrap, BCa        no interval
        bootstrap, percentile no interval
      Hodges-Lehmann shift    -10.00 s
        signed ranks          no interval
      ratio of means, less 1  -10.00 %
        Fieller               no interval
        bootstrap, expanded   no interval
        bootstrap, BCa        no interval
        bootstrap, percentile no interval
      Hodges-Lehmann ratio    -10.00 %
        signed ranks of logs  no interval
      sign-flip test          p = 1
      Wilcoxon's test         p = 1
      rank-biserial           -1.00
  $ runs a 100 100 100; runs b 90 90 90; hetune compare all --metric jct_mean_s --stats | grep -E 'expanded|t-test|half'
        bootstrap, expanded   no interval
        bootstrap, expanded   no interval
      paired t-test           p = 0
      half the width takes    5 runs in all

Nothing is relative to 0.

  $ runs a 0 0 0; runs b 1 2 3; hetune compare all --metric jct_mean_s --stats | tail -n +5
    b                 2.00 s +- 2.48
      difference of means     +2.00 s
        Student               [-0.48, +4.48] s
        bootstrap, expanded   [+1.00, +3.00] s
        bootstrap, BCa        [+1.00, +3.00] s
        bootstrap, percentile [+1.00, +3.00] s
      Hodges-Lehmann shift    +2.00 s
        signed ranks          no interval
      ratio of means, less 1  none
      paired t-test           p = 0.07418
      sign-flip test          p = 0.25
      Wilcoxon's test         p = 0.25
      effect size d_z         +2.00
      rank-biserial           +1.00
      half the width takes    5 runs in all

Choosing metrics
----------------

  $ hetune compare all --metric jct_max_s --metric jobs --metric jct_max_s
  2 policies, 3 seeds each; changes against a are paired by seed, in brackets their 95 % interval

  jct_max_s
    a                10.00 s +- 0.00
    b                10.00 s +- 0.00     +0.0 %  [+0.0, +0.0]  the same

  jobs
    a                   1.00 +- 0.00
    b                   1.00 +- 0.00     +0.0 %  [+0.0, +0.0]
  $ hetune compare all --metric hpo_target_s
  note: no run has a value of hpo_target_s
  $ hetune compare all --metric jct_means
  error: unknown metric 'jct_means' (did you mean 'jct_mean_s'?)
  [2]
  $ hetune compare all --metric x
  error: unknown metric 'x'; hetune list metrics has all of them
  [2]
  $ hetune compare all --holm maybe
  error: --holm 'maybe'; wanted on or off
  [2]
