Populations of learning curves
==============================

A family is fitted to the first 70 % of each trial's epochs; the one that is least off over the rest is chosen.

  $ ln -s "$ROOT/traces" traces
  $ hetune curves fit traces/curves/ptb_lstm.yaml -o ptb.yaml
  280 trials: 280 learned, 0 diverged; losses of the logarithm of perplexity
  family       trials  tail error p50  p90      error p50  best for
  power           280  0.0029          0.0044   0.0021     186  (chosen)
  exponential     280  0.0052          0.0071   0.0026     22
  log_power       280  0.0031          0.0047   0.0022     72
  $ diff ptb.yaml traces/populations/ptb_lstm.yaml
  $ hetune curves fit traces/curves/share_alike/imagenet_convnext.yaml
  512 trials: 286 learned, 226 diverged; losses of accuracy
  family       trials  tail error p50  p90      error p50  best for
  power           286  0.0628          0.1704   0.0433     95
  exponential     286  0.0602          0.1291   0.0129     62
  log_power       286  0.0384          0.1217   0.0104     129  (chosen)
  $ for s in cifar10_cnns cifar10_resnets svhn_cnns share_alike/imagenet_convnext; do hetune curves fit traces/curves/$s.yaml -o p.yaml > /dev/null; diff p.yaml traces/populations/$s.yaml; done

What is drawn is like what was recorded, and another seed is another sample of it.

  $ hetune curves compare traces/curves/ptb_lstm.yaml ptb.yaml
                                                      ptb_lstm           drawn ptb
  trials                                                   280                 280
    that ended early                                         0                   0
  planned epochs, at most                                   60                  60
  last metric, p02                                      65.765              66.015
  last metric, p10                                      67.443              67.703
  last metric, p25                                       69.99              69.945
  last metric, p50                                          73              73.364
  last metric, p75                                       78.04              78.516
  last metric, p90                                      89.598              90.107
  last metric, p98                                      128.97              119.67
  crossings of a pair                                     2.38                3.02
  pairs that never cross, %                               41.0                36.4
  rank correlation, 10 % to last                         0.569               0.613
  rank correlation, 25 % to last                         0.854               0.861
  rank correlation, 50 % to last                         0.934               0.930
    without those that ended early, 10 %                 0.569               0.613
    without those that ended early, 25 %                 0.854               0.861
    without those that ended early, 50 %                 0.934               0.930
  $ hetune curves compare traces/curves/ptb_lstm.yaml ptb.yaml --plot pictures > /dev/null; ls pictures; xmllint --noout pictures/curve_sets.svg; awk 'NF == 0 { n++ } END { print n / 2 + 1 " blocks" }' pictures/curve_sets.tsv
  curve_sets.gp
  curve_sets.pdf
  curve_sets.png
  curve_sets.svg
  curve_sets.tsv
  5 blocks
  $ hetune curves compare traces/populations/cifar10_cnns.yaml traces/populations/cifar10_resnets.yaml -s seed=2 -s trials=200 | grep rank
  rank correlation, 10 % to last                         0.839               0.062
  rank correlation, 25 % to last                         0.960               0.373
  rank correlation, 50 % to last                         0.994               0.706

A set that is drawn is one as a recorded set is. Of 12 trials 3 are good, and no other.

  $ hetune curves draw traces/populations/cifar10_resnets.yaml -s trials=12 -s epochs=10 -s good_metric=0.75 -s good_share=0.25 -s rank_correlation=-0.02 -s axes=2 -o set.yaml
  $ cat set.yaml; head -n 4 set.csv; head -n 3 set.trials.csv
  # Learning curves drawn by `hetune curves draw`.
  origin: "traces/populations/cifar10_resnets.yaml"
  metric: "accuracy"
  better: higher
  initial: 0.1
  ideal: 1
  trials: 12
  file: "set.csv"
  trials_file: "set.trials.csv"
  space: [x1, x2]
  trial,epoch,metric
  0,1,0.473661
  0,2,0.525173
  0,3,0.586967
  trial,epochs,x1,x2
  0,10,0.974257,0.794374
  1,10,0.339064,0.385792
  $ awk -F, '$2 == 10 && $3 >= 0.75 { n++ } END { print n " good" }' set.csv
  3 good
  $ hetune curves compare set.yaml | grep -E 'trials|p50|10 %'
  trials                                                    12
  last metric, p50                                     0.72895
  rank correlation, 10 % to last                        -0.021
    without those that ended early, 10 %                -0.021
  $ hetune curves draw traces/populations/cifar10_resnets.yaml -s trials=12 -s epochs=10 -s good_metric=0.75 -s good_share=0.25 -s rank_correlation=-0.02 -s axes=2 -o again.yaml; cmp set.csv again.csv
  $ hetune curves draw traces/populations/share_alike/imagenet_convnext.yaml -s trials=8 -s epochs=20 -s diverged_share=0.9 -o diverged.yaml; tail -n +2 diverged.csv | cut -d, -f 1 | uniq -c | awk '{ printf "%d ", $1 } END { print "" }'
  1 1 2 2 1 5 1 1 

An experiment draws its trials for each seed: the same for all policies, and for the same trials as a set.

  $ cat > run.yaml <<'END'
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 4}]}
  > cost:
  >   models: {small: {parameters: 1, samples_per_epoch: 100, batch: 100}}
  >   fits: [{model: small, gpu: gpu, alpha_s: 1, beta_s: 0}]
  > experiments:
  >   - {name: drawn, population: traces/populations/cifar10_resnets.yaml, trials: 12, epochs: 10, model: small,
  >      good_best: 0, good_metric: 0.75, good_share: 0.25, rank_correlation: -0.02, axes: 2}
  > policy: [fifo, rr, hermes]
  > END
  $ hetune run run.yaml -s seeds=2 -o all > /dev/null
  $ metrics() { awk -F, '$2 == "report" { print $6 "," $7 "," $15 }' "$1" | sort -t, -k1n -k2n; }
  $ metrics all/fifo/seed-1/events.csv | wc -l
  120
  $ for p in rr hermes; do for s in 1 2; do diff <(metrics all/fifo/seed-$s/events.csv) <(metrics all/$p/seed-$s/events.csv) > /dev/null && echo "$p seed $s: the same curves"; done; done
  rr seed 1: the same curves
  rr seed 2: the same curves
  hermes seed 1: the same curves
  hermes seed 2: the same curves
  $ diff <(metrics all/fifo/seed-1/events.csv) <(tail -n +2 set.csv) && echo 'as drawn'
  as drawn
