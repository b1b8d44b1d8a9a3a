Tables of jobs that share GPUs which are none
=============================================

  $ printf 'model,gpu,batch_per_gpu,precision,stack,step_s\nresnet50-imagenet,V100,32,fp32,here,0.1\n' > steps.csv
  $ printf 'model,batch,precision,gpu,busy_share\na,8,fp32,G,0.8\n' > busy.csv
  $ printf 'model,batch,other,other_batch,gpu,speed,precision,other_precision,stack\na,8,a,8,G,0.7,fp32,fp32,x\n' > pairs.csv
  $ printf 'model,batch,gpu,slice,speed,stack\na,8,G,2g,0.5,x\n' > slices.csv
  $ split() {
  >     cat > split.yaml <<END
  > gpus: $ROOT/configs/costs/gpus
  > models: $ROOT/configs/models
  > points: [steps.csv]
  > fit_gpus: V100
  > groups: [{name: CNN, models: resnet50-imagenet, precisions: fp32}]
  > stacks: [{stack: here}]
  > sharing: $1
  > END
  >     hetune accuracy split.yaml 2>&1 > /dev/null
  > }
  $ split '{pairs: pairs.csv, utilization: busy.csv}'
  split.yaml:7:29: error: unknown key 'utilization' in sharing (did you mean 'utilisation'?)
      7 | sharing: {pairs: pairs.csv, utilization: busy.csv}
        |                             ^
  [2]
  $ split '{pairs: absent.csv, utilisation: busy.csv}'
  absent.csv: cannot open: No such file or directory
  [3]
  $ printf 'a,8,fp32,G,0.7\n' >> busy.csv; split '{pairs: pairs.csv, utilisation: busy.csv}'
  busy.csv:3:1: error: a second busy share of a with 8 samples on G
      3 | a,8,fp32,G,0.7
        | ^
  [2]
  $ printf 'model,batch,precision,gpu,busy_share\na,8,fp32,G,1.2\n' > busy.csv; split '{pairs: pairs.csv, utilisation: busy.csv}'
  busy.csv:2:12: error: busy_share: 1.2 is above the maximum, 1
      2 | a,8,fp32,G,1.2
        |            ^
  [2]
  $ printf 'a,8,G,8g,0.5,x\na,8,G,half,0.5,x\n' >> slices.csv; split '{slices: slices.csv}'
  slices.csv:3:1: error: slice '8g': wanted 1g to 7g
      3 | a,8,G,8g,0.5,x
        | ^
  slices.csv:4:1: error: slice 'half': wanted 1g to 7g
      4 | a,8,G,half,0.5,x
        | ^
  [2]
