Predictions against measurements
================================

A tiny model on two GPUs, H twice as slow as G. A party has measured on both; stacks may be fitted on G alone.

  $ mkdir -p gpus models
  $ cat > models/tiny.yaml <<'END'
  > parameters: 20
  > macs: 15
  > input_bytes: 12
  > operators:
  >   - {op: linear, rows: 1, in: 3, out: 5, bias: true}
  >   - {op: relu, elements: 5}
  > END
  $ cat > gpus/G.yaml <<'END'
  > gpu: G
  > fits:
  >   - {op: linear, precision: fp32, points: 9, flop_s: 1e-3, err_p50: 0.1, err_p90: 0.2, work_min: 30, work_max: 3000}
  >   - {op: elementwise, precision: fp32, points: 9, read_s: 1e-4, err_p50: 0.05, err_p90: 0.2, work_min: 20, work_max: 1e6}
  > END
  $ sed 's/gpu: G/gpu: H/; s/1e-3/2e-3/; s/1e-4/2e-4/' gpus/G.yaml > gpus/H.yaml
  $ cat > split.yaml <<'END'
  > gpus: gpus
  > models: models
  > points: [steps.csv]
  > fit_gpus: G
  > stacks: [{stack: ours, covers: party, optimizer: false}]
  > groups: [{name: tiny ones, models: tiny, precisions: fp32}]
  > END

On G a step takes 102 ms a sample: 90 ms in products, 12 in what moves bytes. The party needs 1.1 times as long on G, and on H
2.3 times as long as G's kernels; the last row is of a model that no group has.

  $ cat > steps.csv <<'END'
  > model,gpu,gpus,batch_per_gpu,step_s,precision,stack,use
  > tiny,G,1,10,1.122,fp32,party,1
  > tiny,G,1,20,2.244,fp32,party,1
  > tiny,H,1,10,2.346,fp32,party,1
  > tiny,H,1,20,4.692,fp32,party,1
  > tiny,H,1,30,9,fp32,party,0
  > tiny,H,2,30,9,fp32,party,1
  > big,H,1,30,9,fp32,party,1
  > END
  $ hetune accuracy split.yaml -o out
  4 measured steps (1 others passed over); stacks are fitted on G
  stack                factor    host us     gap us  sigma %  points
  ours         fp32       1.1          0          0        3       2
  default      fp32       1.1          0          0        3       0
  default      fp16         1          0          0       10       0

                                                    n mean |e|   mean e    worst   at (error in %)
  tiny ones, fitted
    all                                             2      0.0     +0.0      0.0   G tiny 10
    of these, GPU saturated                         2      0.0     +0.0      0.0   G tiny 10
    GPU G                                           2      0.0     +0.0      0.0   G tiny 10
    source party                                    2      0.0     +0.0      0.0   G tiny 10
    model tiny                                      2      0.0     +0.0      0.0   G tiny 10
    within the 80 % interval: 100 %
  tiny ones, held out
    all                                             2      4.3     -4.3     -4.3   H tiny 10
    of these, GPU saturated                         2      4.3     -4.3     -4.3   H tiny 10
    GPU H                                           2      4.3     -4.3     -4.3   H tiny 10
    source party                                    2      4.3     -4.3     -4.3   H tiny 10
    model tiny                                      2      4.3     -4.3     -4.3   H tiny 10
    within the 80 % interval: 100 %

  ratios of step times, same model, batch and software
                                                      n          measured mean |e|  worst %
    all                                               2     0.48 to  0.48      4.5      4.5
    of these, both GPUs saturated                     2     0.48 to  0.48      4.5      4.5
    tiny fp32 G : H                                   2     0.48 to  0.48      4.5      4.5
    batch 1 to 15                                     1     0.48 to  0.48      4.5      4.5
    batch 16 to 63                                    1     0.48 to  0.48      4.5      4.5

  each type of GPU, stacks fitted on all others
    G: tiny ones                                    2      4.5     +4.5      4.5   G tiny 10
    H: tiny ones                                    2      4.3     -4.3     -4.3   H tiny 10
  $ ls out
  accuracy.gp
  accuracy.pdf
  accuracy.svg
  accuracy.tsv
  accuracy_error.gp
  accuracy_error.pdf
  accuracy_error.svg
  accuracy_error.tsv
  accuracy_ratios.gp
  accuracy_ratios.pdf
  accuracy_ratios.svg
  accuracy_ratios.tsv
  points.csv
  stacks.yaml
  $ cat out/stacks.yaml
  # Made by `hetune accuracy -o DIR`; keys: docs/calibration.md.
  stacks:
    - {stack: ours, precision: fp32, factor: 1.1, host_s: 0, gap_s: 0, sigma: 0.03, points: 2, optimizer: false,
       covers: party}
    - {stack: default, precision: fp32, factor: 1.1, host_s: 0, gap_s: 0, sigma: 0.03, points: 0}
    - {stack: default, precision: fp16, factor: 1, host_s: 0, gap_s: 0, sigma: 0.1, points: 0}
  $ cut -d, -f1-13 out/points.csv
  group,model,gpu,batch,mode,precision,stack,fitted,measured_s,predicted_s,low_s,high_s,error
  tiny ones,tiny,G,10,training,fp32,party,1,1.122,1.122,0.94435,1.33307,0.0000
  tiny ones,tiny,G,20,training,fp32,party,1,2.244,2.244,1.8887,2.66614,0.0000
  tiny ones,tiny,H,10,training,fp32,party,0,2.346,2.244,1.8887,2.66614,-0.0435
  tiny ones,tiny,H,20,training,fp32,party,0,4.692,4.488,3.7774,5.33227,-0.0435
