Contention by measurements: pairs, and slices
=============================================

One GPU that up to three jobs hold. A step of either model takes one second alone; beside each other a keeps half of
its speed and b 0.8. All have ten steps.

  $ cat > run.yaml <<'END'
  > cluster:
  >   gpu_types: {g: {memory_gib: 12}}
  >   nodes: [{type: g, gpus: 1}]
  >   sharing:
  >     residents: 3
  >     contention: pairs
  >     pairs:
  >       - {model: a, other: b, gpu: g, speed: 0.5}
  >       - {model: b, other: a, gpu: g, speed: 0.8}
  >       - {model: a, other: a, gpu: g, speed: 0.5}
  >       - {model: b, other: b, gpu: g, speed: 0.6}
  > cost:
  >   models:
  >     a: {parameters: 1, samples_per_epoch: 10, batch: 1}
  >     b: {parameters: 1, samples_per_epoch: 10, batch: 1}
  >     c: {parameters: 1, samples_per_epoch: 10, batch: 1}
  >     d: {parameters: 1, samples_per_epoch: 10, batch: 1, memory_fixed_mib: 7168}
  >   fits:
  >     - {model: a, gpu: g, alpha_s: 1, beta_s: 0}
  >     - {model: b, gpu: g, alpha_s: 1, beta_s: 0}
  >     - {model: c, gpu: g, alpha_s: 1, beta_s: 0}
  >     - {model: d, gpu: g, alpha_s: 1, beta_s: 0}
  > trace: two.csv
  > policy: even_split
  > END
  $ printf 'submit_s,gpus,model,batch,epochs,on\n0,1,a,1,1,0\n0,1,b,1,1,0\n' > two.csv
  $ rates() { awk -F, 'NR == 1 { print "time_s event job value told" } $2 ~ /^(rate|end|load)$/ { printf "%.4f %s %s %s\n", $1, $2, $3, $2 == "end" ? "" : sprintf("%.4f %s", $15, $2 == "load" ? sprintf("%.4f", $16) : "") }' "$1/events.csv" | sed 's/ *$//'; }

b is done at 10 / 0.8 s. By then a has made 6.25 steps; alone, it makes 3.75 in as many seconds. Three jobs do no more
than 3/2 (1/(1 + 2/4) + 1/(1 + 2)) together: of these 1.5 exclusive seconds a second two jobs do 1.3.

  $ hetune run run.yaml -o pairs --json > /dev/null; rates pairs
  time_s event job value told
  0.0000 rate 0 0.5000
  0.0000 rate 1 0.8000
  12.5000 end 1
  12.5000 rate 0 1.0000
  12.5000 load  1.0000 0.8667
  16.2500 end 0
  16.2500 load  1.0000 0.6667

With a third job whose pairs are not known: the default stands for them, and losses add up. a and c need 1 + 1 + 1
seconds a step, b 1 + 1/4 + 1.

  $ printf 'submit_s,gpus,model,batch,epochs,on\n0,1,a,1,1,0\n0,1,b,1,1,0\n0,1,c,1,1,0\n' > three.csv
  $ hetune run run.yaml -s trace=three.csv -s cluster.sharing.pair_default=0.5 -o third --json > /dev/null; rates third
  time_s event job value told
  0.0000 rate 0 0.3333
  0.0000 rate 1 0.4444
  0.0000 rate 2 0.3333
  22.5000 end 1
  22.5000 rate 0 0.5000
  22.5000 rate 2 0.5000
  22.5000 load  1.0000 0.7407
  27.5000 end 0
  27.5000 end 2
  27.5000 load  1.0000 0.6667

Jobs given by duration have the default, too: two of them take turns here.

  $ printf 'submit_s,gpus,duration_s,on\n0,1,10,0\n4,1,10,0\n' > plain.csv
  $ hetune run run.yaml -s trace=plain.csv -s cluster.sharing.pair_default=0.5 -o plain --json > /dev/null; rates plain
  time_s event job value told
  4.0000 rate 0 0.5000
  4.0000 rate 1 0.5000
  4.0000 load  1.0000 0.6667
  16.0000 end 0
  16.0000 rate 1 1.0000
  16.0000 load  1.0000 0.6667
  20.0000 end 1
  20.0000 load  1.0000 0.6667

Two slices of the same GPU: who has the other makes no difference. Loads count seconds of slices.

  $ slices='[{model: a, gpu: g, slices: 2, speed: 0.4}, {model: b, gpu: g, slices: 2, speed: 0.8}, {model: b, gpu: g, slices: 3, speed: 0.6}]'
  $ hetune run run.yaml -s cluster.sharing.contention=partition -s cluster.sharing.residents=2 -s "cluster.sharing.slices=$slices" -o slices --json > /dev/null; rates slices
  time_s event job value told
  12.5000 end 1
  12.5000 load  1.0000 1.0000
  25.0000 end 0
  25.0000 load  1.0000 0.5000

A job that fits the GPU need not fit a slice of it.

  $ printf 'submit_s,gpus,model,batch,epochs,on\n0,1,d,1,1,0\n' > large.csv
  $ hetune run run.yaml -s trace=large.csv -s cluster.sharing.pair_default=1 -o large --json > /dev/null; grep -c end, large/events.csv
  1
  $ hetune validate run.yaml -s trace=large.csv -s cluster.sharing.contention=partition -s cluster.sharing.residents=2 -s "cluster.sharing.slices=$slices" -s cluster.sharing.slice_default=1
  large.csv:2:7: error: batch: 1 samples of d on 1 GPU do not fit the memory of any GPU type of this cluster
      2 | 0,1,d,1,1,0
        |       ^
  [2]
