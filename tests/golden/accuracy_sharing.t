Speeds of jobs that share a GPU, from how busy each keeps it alone
==================================================================

A split with a stack fitted to three steps of ResNet-50, and jobs that somebody timed beside each other and on slices.

  $ mkdir tables
  $ printf 'model,gpu,batch_per_gpu,precision,stack,step_s\n' > tables/steps.csv
  $ for b in 32 64 128; do echo "resnet50-imagenet,V100,$b,fp32,here,0.$b" >> tables/steps.csv; done
  $ cat > split.yaml <<END
  > gpus: $ROOT/configs/costs/gpus
  > models: $ROOT/configs/models
  > points: [tables/steps.csv]
  > fit_gpus: V100
  > stacks: [{stack: here}]
  > groups: [{name: CNN, models: resnet50-imagenet, precisions: fp32}]
  > sharing: {pairs: tables/pairs.csv, slices: tables/slices.csv, utilisation: tables/busy.csv}
  > END

On a GPU of type G job a keeps it busy for 0.8 of the time and b for 0.5, so that with eta 0 both do 1 / (1 + 0.4) = 0.7143 of their
speed; a beside itself 1 / 1.64. On the V100 busy shares are calibrated. Of c nothing is known.

  $ printf 'model,batch,precision,gpu,busy_share\na,8,fp32,G,0.8\nb,8,fp32,G,0.5\na,8,,V100,0.7\n' > tables/busy.csv
  $ cat > tables/pairs.csv <<END
  > model,batch,other,other_batch,gpu,speed,precision,other_precision,stack,use
  > a,8,b,8,G,0.7143,fp32,fp32,there,1
  > b,8,a,8,G,0.7143,fp32,fp32,there,1
  > a,8,a,8,G,0.6098,fp32,fp32,there,1
  > a,8,a,8,G,0.1,fp32,fp32,there,0
  > c,8,a,8,G,0.5,fp32,fp32,there,1
  > resnet50-imagenet,32,resnet50-imagenet,64,V100,0.6,fp32,fp32,here,1
  > END
  $ cat > tables/slices.csv <<END
  > model,batch,gpu,slice,speed,stack,use
  > a,8,V100,7g,1,there,1
  > a,8,V100,4g,0.8,there,1
  > a,8,V100,1g,0.2,there,1
  > a,8,V100,1g,0.9,there,0
  > resnet50-imagenet,64,V100,1g,0.15,here,1
  > c,8,V100,1g,0.5,there,1
  > END
  $ hetune accuracy split.yaml -o out | sed -n '/^speed/,$p'
  speed of a job beside another on a GPU, of its speed alone; 1 of jobs whose busy shares are not known
                           busy           n    eta  one left out mean|e|   flat mean|e| speed 1   worst, beside
    G there                measured       3   0.00  0.00 to 0.00   0.000   0.86   0.035   0.321   -0.00 a 8, a 8
    V100 here              calibrated     1   0.40  0.40 to 0.40   0.000   0.40   0.000   0.400   -0.00 resnet50-imagenet 32, resnet50-imagenet 64

    both together busy, measured         n  measured   derived  flat eta
    1.0 to 1.4                           2     0.714     0.714     0.714
    1.4 to 1.8                           1     0.610     0.610     0.714

    both together busy, calibrated       n  measured   derived  flat eta
    1.8 to 2.0                           1     0.600     0.600     0.600

  speed on a slice of a GPU, of that on the whole: 2 with measured busy shares, 1 with calibrated ones, 1 without;
  mean errors with the host beside the kernels, in gaps, and of the median of other models
                             n  measured    beside   in gaps    others   worst with the host beside
    all                      3     0.383     0.009     0.053     0.050   +0.02 4g a 8
    slice 4g                 1     0.800     0.016     0.144         -   +0.02 4g a 8
    slice 1g                 2     0.175     0.006     0.007     0.050   -0.01 1g resnet50-imagenet 64
    a                        2     0.500     0.010     0.076     0.050   +0.02 4g a 8
    resnet50-imagenet        1     0.150     0.007     0.007     0.050   -0.01 1g resnet50-imagenet 64
  $ cat out/duty_fits.csv
  gpu,stack,busy,eta,eta_low,eta_high,n,error,flat_eta,flat_error,loss
  G,there,measured,0.0000,0.0000,0.0000,3,0.0000,0.8572,0.0348,0.3205
  V100,here,calibrated,0.4000,0.4000,0.4000,1,0.0000,0.4000,0.0000,0.4000

A split without `sharing` says nothing of it, and its file of fits is not written.

  $ sed '/^sharing/d' split.yaml > plain.yaml
  $ hetune accuracy plain.yaml -o plain | grep -c beside; ls plain
  0
  accuracy.gp
  accuracy.pdf
  accuracy.svg
  accuracy.tsv
  accuracy_error.gp
  accuracy_error.pdf
  accuracy_error.svg
  accuracy_error.tsv
  points.csv
  stacks.yaml
