Gangs: jobs of several GPUs, their shares and their synchronisation
===================================================================

Two nodes of two GPUs. A step on b samples takes 1 + 0.1 b s. Two GPUs of a node add 0.5 s for their synchronisation;
across nodes two GPUs add 2 s and each further one 0.5 s. The global batch is 40, an epoch has 10 steps.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 2, count: 2}]}
  > cost:
  >   models: {net: {parameters: 1000000, samples_per_epoch: 400, batch: 40}}
  >   fits: [{model: net, gpu: gpu, alpha_s: 1, beta_s: 0.1}]
  >   sync: [{model: net, gpu: gpu, node_base_s: 0.5, cluster_base_s: 2, cluster_per_gpu_s: 0.5}]
  > trace: jobs.csv
  > policy: fifo
  > write_jobs: false
  > write_series: false
  > END
  $ gang() {
  >   printf "submit_s,gpus,model,batch,epochs\n0,$1,net,40,1\n" > jobs.csv
  >   hetune run run.yaml "${@:2}" -o out --json > /dev/null
  >   grep -E 'start|end' out/events.csv | cut -d, -f1-2,10,15; rm -r out
  > }

One GPU: 1 + 4 = 5 s a step, 50 s. Two GPUs of a node, 20 samples each: 3 + 0.5 = 3.5 s a step (0.2857 steps/s), 35 s.

  $ gang 1
  0,start,0*40,0.2
  50,end,0*40,
  $ gang 2
  0,start,0-1*20,0.2857142857142857
  35,end,0-1*20,

Three GPUs are more than a node has: a whole node, and one GPU of the other. 40 samples are 14 + 13 + 13, and the
largest share sets the pace: 1 + 1.4 = 2.4 s, and 2 + 0.5 = 2.5 s across nodes: 4.9 s (0.2041 steps/s), 49 s.

  $ gang 3
  0,start,0*14 1-2*13,0.2040816326530612
  49,end,0*14 1-2*13,

Four GPUs compute 10 samples each in 2 s and synchronise for 2 + 2 * 0.5 = 3 s: 5 s, no faster than one.

  $ gang 4
  0,start,0-3*10,0.2
  50,end,0-3*10,

Computing and synchronisation may overlap. With exponent 2 the times are added like sides of a right angle: with a
synchronisation of 4 s in a node, sqrt(3^2 + 4^2) = 5 s instead of 3 + 4 = 7 s.

  $ gang 2 -s cost.sync.0.node_base_s=4
  0,start,0-1*20,0.14285714285714285
  70,end,0-1*20,
  $ gang 2 -s cost.sync.0.node_base_s=4 -s cost.sync.0.overlap=2
  0,start,0-1*20,0.2
  50,end,0-1*20,

The loader of a node may be slower than its GPUs. At 10 samples a second the 40 samples of one node take 4 s, over the
3.5 s of the step; 27 samples, the larger part of a gang of three, take 2.7 s of 4.9 s and do not matter.

  $ gang 2 -s cluster.nodes.0.input_samples_per_s=10
  0,start,0-1*20,0.25
  40,end,0-1*20,
  $ gang 3 -s cluster.nodes.0.input_samples_per_s=10
  0,start,0*14 1-2*13,0.2040816326530612
  49,end,0*14 1-2*13,

The same gang in one node and over two
--------------------------------------

Three jobs of one GPU come first, and fill the nodes one by one: GPUs 0, 1 and 2. At 50 s all have run one epoch; jobs
1 and 2 have a second one. Job 3 wants two GPUs. GPU 0 and GPU 3 are free, in different nodes: 3 + 2 = 5 s a step, it
ends at 100 s, when the others do.

  $ cat > jobs.csv <<END
  > submit_s,gpus,model,batch,epochs
  > 0,1,net,40,1
  > 0,1,net,40,2
  > 0,1,net,40,2
  > 0,2,net,40,1
  > END
  $ hetune run run.yaml -o apart --json > /dev/null
  $ grep -E 'start|end' apart/events.csv | cut -d, -f1-3,10,15
  0,start,0,0*40,0.2
  0,start,1,1*40,0.2
  0,start,2,2*40,0.2
  50,end,0,0*40,
  50,start,3,0*20 3*20,0.2
  100,end,1,1*40,
  100,end,2,2*40,
  100,end,3,0*20 3*20,

Had it come first, it would have had a node for itself: 3.5 s a step. Job 2, now the last, waits for 35 s and ends at
135 s.

  $ (sed 1q jobs.csv; tail -n 1 jobs.csv; sed -n 2,4p jobs.csv) > first.csv
  $ hetune run run.yaml -s trace=first.csv -o first --json > /dev/null
  $ grep -E 'start|end' first/events.csv | cut -d, -f1-3,10,15
  0,start,0,0-1*20,0.2857142857142857
  0,start,1,2*40,0.2
  0,start,2,3*40,0.2
  35,end,0,0-1*20,
  35,start,3,0*40,0.2
  50,end,1,2*40,
  100,end,2,3*40,
  135,end,3,0*40,
