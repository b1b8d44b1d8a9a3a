Several jobs on a GPU: even shares, and shares that make slowdowns similar
==========================================================================

Four GPUs in one node, of speeds 1, 1, 0.5 and 0.35. Six jobs have a replica on each of them, so each GPU has six residents.
A step of job 0 takes 20 ms + 0.16 ms a sample on a GPU of speed 1, and 140 ms in which the GPUs wait for the host; the others
compute for a longer part of a step, up to 80 %.

  $ fit() { echo "    - {model: $1, gpu: g, alpha_s: 0.02, beta_s: $2, gap_s: $3}"; }
  $ cat > run.yaml <<END
  > cluster:
  >   gpu_types: {g: {eta: 0.15}}
  >   sharing: {residents: 8}
  >   nodes:
  >     - {type: g, gpus: 2}
  >     - {type: g, gpus: 1, speed: 0.5}
  >     - {type: g, gpus: 1, speed: 0.35}
  > cost:
  >   models:
  > $(for m in a b c d e f; do echo "    $m: {parameters: 1, samples_per_epoch: 256, batch: 256}"; done)
  >   fits:
  > $(fit a 0.00015625 0.14; fit b 0.000234375 0.02; fit c 0.000625 0.12)
  > $(fit d 0.00015625 0.04; fit e 0.000390625 0.08; fit f 0.000234375 0.02)
  > trace: jobs.csv
  > policy: even_split
  > write_series: false
  > END
  $ cat > jobs.csv <<END
  > submit_s,gpus,model,batch,epochs,on
  > 0,4,a,256,300,0+1+2+3
  > 0,4,b,256,200,0+1+2+3
  > 0,4,c,256,100,0+1+2+3
  > 0,4,d,256,200,0+1+2+3
  > 0,4,e,256,200,0+1+2+3
  > 0,4,f,256,150,0+1+2+3
  > END

Slowdown is the time from the first start to the end, over the time that the job would take alone, with the same even shares
(eq. 22); the first record of each job says how long that is.

  $ slowdowns() { awk -F, '$2 == "alone" { alone[$3] = $12 } $2 == "end" { s = $1 / alone[$3]; sum += s; n++; if (s > most) most = s
  >     line = line sprintf(" %.2f", s) } END { printf "largest %.2f, mean %.2f, in order of ends:%s\n", most, sum / n, line }' $1/events.csv; }
  $ hetune run run.yaml -o even --json > /dev/null && slowdowns even
  largest 4.07, mean 3.12, in order of ends: 4.07 3.44 3.08 3.79 2.55 1.82

Every job waits in each step for its share on the slowest GPU, where all six meet, and those that compute most suffer most.
Shares in proportion to measured speeds leave no straggler. It is looked at 1 s after jobs came or went, and at multiples of
20 s; each job goes half of the way (`kappa`); the dead band keeps what would gain less than 5 %.

  $ story() { awk -F, '$2 ~ /split|resize|end/ { print $1 "," $2 "," $3 "," $10 }' $1/events.csv; }
  $ hetune run run.yaml -s policy=straggler_free -o fast --json > /dev/null && slowdowns fast
  largest 2.77, mean 2.08, in order of ends: 2.77 1.82 2.48 2.43 1.63 1.39
  $ story fast
  1,split,0,0-1*96 2-3*32
  1,split,1,0-1*96 2-3*32
  1,split,2,0-1*91 2*42 3*32
  1,split,3,0-1*96 2-3*32
  1,split,4,0-1*94 2*36 3*32
  1,split,5,0-1*96 2-3*32
  20,split,0,0-1*112 2-3*16
  20,split,1,0-1*112 2-3*16
  20,split,2,0-1*103 2*34 3*16
  20,split,3,0-1*112 2-3*16
  20,split,4,0-1*107 2*26 3*16
  20,split,5,0-1*112 2-3*16
  40,split,1,0-1*117 2*14 3*8
  40,split,2,0-1*107 2*34 3*8
  40,split,4,0-1*111 2*26 3*8
  40,split,5,0-1*117 2*14 3*8
  49.792683564,end,5,0-1*117 2*14 3*8
  50.792683564,split,2,0-1*109 2*34 3*4
  50.792683564,split,4,0-1*113 2*26 3*4
  52.941153817,end,2,0-1*109 2*34 3*4
  59.424183292,end,1,0-1*117 2*14 3*8
  61.161241545,end,3,0-1*112 2-3*16
  68.037383876,end,4,0-1*113 2*26 3*4
  93.843684329,end,0,0-1*112 2-3*16

All of them flee from the slow GPUs at once. A controller that looks at all slowdowns together lets some of them stay there, whom
it costs little. A `resize` to fewer GPUs leaves a GPU; the job may come back: job 0 does, once it is alone.

  $ hetune run run.yaml -s policy=slowdown_fair -o fair --json > /dev/null && slowdowns fair
  largest 1.59, mean 1.37, in order of ends: 1.59 1.50 1.45 1.40 1.23 1.06
  $ story fair
  1,resize,0,0*64 1-2*96
  1,resize,1,0*160 1*96
  1,resize,2,0*64 1*128 2*64
  1,split,3,0-1*64 2*32 3*96
  1,resize,5,0-1*128
  20,resize,0,1*96 2*160
  20,resize,3,0*64 1*96 3*96
  20,resize,4,0*96 2*96 3*64
  28.680782107,end,5,0-1*128
  29.680782107,resize,2,0*96 1*160
  29.680782107,resize,4,0*96 2*160
  35.894191152,end,1,0*160 1*96
  36.549209883,end,3,0*64 1*96 3*96
  36.894191152,split,0,1*224 2*32
  36.894191152,split,4,0*192 2*64
  40,split,2,0*64 1*192
  40.886684025,end,2,0*64 1*192
  41.886684025,resize,0,1*256
  51.50849479,end,4,0*192 2*64
  52.50849479,resize,0,0-1*128
  71.744977372,end,0,0-1*128

Each act says what it was done for: the job's slowdown as it is predicted from what was measured, and as it should be then; the
largest of the group, and what should become of it. At 20 s one sees that the first prediction was good.

  $ awk -F'"' '/,resize,1,|,split,2,/ { print $2 }' fair/events.csv
  slowdown 4.072, predicted 1.734; largest 4.072, predicted 1.734
  slowdown 1.400, predicted 1.403; largest 1.400, predicted 1.403

Its simple variant only brings each job part of the way to its own balance, faster if its slowdown is above the mean.

  $ hetune run run.yaml -s 'policy=slowdown_fair[controller=local]' -o local --json > /dev/null && slowdowns local
  largest 2.85, mean 2.18, in order of ends: 2.85 2.02 2.57 2.51 1.73 1.42

Where there is one job, it is left as it is.

  $ head -2 jobs.csv > one.csv
  $ hetune run run.yaml -s policy=slowdown_fair -s trace=one.csv -o one --json > /dev/null && slowdowns one && story one
  largest 1.00, mean 1.00, in order of ends: 1.00
  67.714285714,end,0,0-3*64

Three equal GPUs, and jobs that crowd on GPU 1. Two of them started on that GPU alone: as long as jobs keep to the GPUs they
started on, only others can make room for them.

  $ sed -i 's/gpus: 2}/gpus: 3}/; /speed/d' run.yaml
  $ sed -i '/model: .,/d' run.yaml && (fit a 0.00015625 0.04; fit b 0.00015625 0.14; fit c 0.000234375 0.02
  > fit d 0.000390625 0.08; fit e 0.000625 0.02; fit f 0.000390625 0.18) > fits && sed -i '/fits:/r fits' run.yaml
  $ cat > jobs.csv <<END
  > submit_s,gpus,model,batch,epochs,on
  > 0,2,a,256,150,0+1
  > 0,1,b,256,200,1
  > 0,1,c,256,100,1
  > 0,2,d,256,300,1+2
  > 0,2,e,256,200,0+1
  > 0,2,f,256,100,0+1
  > END
  $ hetune run run.yaml -o even2 --json > /dev/null && slowdowns even2
  largest 3.45, mean 2.30, in order of ends: 2.66 3.45 1.83 2.50 1.65 1.69
  $ hetune run run.yaml -s policy=slowdown_fair -o fair2 --json > /dev/null && slowdowns fair2
  largest 2.04, mean 1.60, in order of ends: 2.04 1.81 1.41 1.77 1.29 1.30

With `gpus: any` they may have replicas on other GPUs of their node, too.

  $ hetune run run.yaml -s 'policy=slowdown_fair[gpus=any]' -o any --json > /dev/null && slowdowns any
  largest 1.71, mean 1.49, in order of ends: 1.59 1.71 1.57 1.57 1.20 1.32

Jobs 1 and 2 go to GPU 2 and GPU 0:

  $ story any | grep ',[12],[0-9]'
  15.929949575,end,2,1*256
  48.152504939,end,1,1*256

What a new replica costs is `copy_s` to the policy and `replica_s` in truth: while it is copied the job stands still.

  $ hetune run run.yaml -s 'policy=slowdown_fair[gpus=any]' -s overheads.replica_s=2 -o copy --json > /dev/null && slowdowns copy
  largest 1.64, mean 1.50, in order of ends: 1.60 1.64 1.62 1.56 1.20 1.35
  $ hetune run run.yaml -s 'policy=slowdown_fair[gpus=any,copy_s=1000]' -o dear --json > /dev/null && slowdowns dear
  largest 2.04, mean 1.64, in order of ends: 2.04 1.80 1.43 2.01 1.22 1.34
