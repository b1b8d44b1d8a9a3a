Input shaking: how much of a result is an accident of the trace
================================================================

Twenty jobs on one GPU, most of them in groups of three that are submitted together.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > trace: jobs.csv
  > policy: fifo
  > seeds: 5
  > END
  $ echo submit_s,gpus,duration_s,job_id > jobs.csv
  $ for i in $(seq 0 19); do echo "$((i / 3 * 100)),1,$((10 + i * 7 % 30)),j$i"; done >> jobs.csv

Seeds change nothing here, so that there is no interval. With `shake`, each gap between submissions and each duration is
changed by up to that part, anew for each seed, the same for each policy.

  $ hetune run run.yaml -q | sed -n 1,5p
  1 policy, 5 seeds each; +- is the half width of the 95 % interval
  all runs of fifo are the same, whatever the seed: they count as one

  JCT, mean
    fifo                     45.65 s
  $ hetune run run.yaml -s shake=0.01 -o out -q | sed -n 1,4p
  1 policy, 5 seeds each; +- is the half width of the 95 % interval

  JCT, mean
    fifo             45.68 s +- 0.09

Jobs keep their order and their names; gaps of 0 stay 0, others are within a hundredth of what they were.

  $ jobs() { grep ',arrive,' "$1/events.csv" | cut -d, -f1,3,4; }
  $ jobs out/fifo/seed-1 | sed -n 1,5p
  0,0,j0
  0,1,j1
  0,2,j2
  100.098176445,3,j3
  100.098176445,4,j4
  $ for s in 1 2 3 4 5; do
  >   jobs out/fifo/seed-$s | awk -F, '{ gap = $1 - last; last = $1; want = (NR - 1) % 3 == 0 && NR > 1 ? 100 : 0
  >     if (gap < 0.99 * want || gap > 1.01 * want || $3 != "j" (NR - 1)) print "wrong" }'
  >   awk -F, 'NR > 1 { n = substr($2, 2); want = 10 + n * 7 % 30; if ($14 < 0.99 * want || $14 > 1.01 * want) print "wrong" }' out/fifo/seed-$s/jobs.csv
  > done
  $ cmp out/fifo/seed-1/events.csv out/fifo/seed-2/events.csv | sed 's/byte.*//'
  out/fifo/seed-1/events.csv out/fifo/seed-2/events.csv differ: char 260, line 7

With `ties: random` the order of jobs that are submitted in one instant is drawn anew for each seed; nothing else is.

  $ hetune run run.yaml -s ties=random -o ties -q | sed -n 1,4p
  1 policy, 5 seeds each; +- is the half width of the 95 % interval

  JCT, mean
    fifo             46.94 s +- 1.63
  $ for s in 1 2; do jobs ties/fifo/seed-$s | head -n 6 | cut -d, -f3 | paste -sd ' '; done
  j0 j1 j2 j5 j3 j4
  j0 j2 j1 j3 j5 j4
  $ for s in 1 2 3 4 5; do jobs ties/fifo/seed-$s | sort -t, -k1,1n -k3,3V | cut -d, -f1,3 | md5sum; done | uniq | wc -l
  1

A seed of their own gives ties one other order, whatever the seed of the run.

  $ hetune run run.yaml -s ties=7 -o seven -q | sed -n 2p
  all runs of fifo are the same, whatever the seed: they count as one
  $ jobs seven/fifo/seed-1 | head -n 6 | cut -d, -f3 | paste -sd ' '
  j0 j1 j2 j4 j5 j3

The same seed shakes in the same way, and a shake of nothing shakes nothing.

  $ hetune run run.yaml -s shake=0.01 -o again -q > /dev/null; cmp out/fifo/seed-3/events.csv again/fifo/seed-3/events.csv
  $ hetune run run.yaml -s seeds=1 -o still -q > /dev/null; hetune run run.yaml -s seeds=1 -s shake=0 -o none -q > /dev/null
  $ cmp still/events.csv none/events.csv
  $ hetune run run.yaml -s shake=1
  -s:1:7: error: shake: 1 is above the maximum, 0.99
      1 | shake=1
        |       ^
  [2]
  $ hetune run run.yaml -s ties=none
  -s:1:6: error: ties: 'none' is neither file, random nor a seed
      1 | ties=none
        |      ^
  [2]
