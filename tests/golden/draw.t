Jobs that are drawn
===================

  $ cat > run.yaml <<'END'
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 4}], sharing: {residents: 4}}
  > cost:
  >   models:
  >     small: {parameters: 1, samples_per_epoch: 100, batch: 100}
  >     large: {parameters: 1, samples_per_epoch: 100, batch: 100}
  >   fits:
  >     - {model: small, gpu: gpu, alpha_s: 0.1, beta_s: 0.001}
  >     - {model: large, gpu: gpu, alpha_s: 0.2, beta_s: 0.002}
  > draw:
  >   jobs: {from: 2, to: 4}
  >   steps: {from: 10, to: 20}
  >   gpus: [1, 2]
  >   gpu_weights: [4, 2, 1, 1]
  >   gap_s: 1
  > policy: [even_split, srtf]
  > END

A workload hangs on the seed alone: whatever the policy, and whether the others are run.

  $ hetune run run.yaml -s seeds=3 -o all > /dev/null
  $ for s in 1 2 3; do echo "seed $s"; grep ,arrive, all/even_split/seed-$s/events.csv; grep ,arrive, all/srtf/seed-$s/events.csv | diff - <(grep ,arrive, all/even_split/seed-$s/events.csv); done
  seed 1
  0,arrive,0,,,,1,,1,,,,,,,,
  0.879039327,arrive,1,,,,1,,2,,,,,,,,
  seed 2
  0,arrive,0,,,,1,,2,,,,,,,,
  4.276910026,arrive,1,,,,1,,1,,,,,,,,
  6.020545716,arrive,2,,,,1,,1,,,,,,,,
  seed 3
  0,arrive,0,,,,1,,2,,,,,,,,
  0.415601182,arrive,1,,,,1,,1,,,,,,,,
  $ hetune run run.yaml -s policy=srtf -s seed=2 -o one > /dev/null; diff one/events.csv all/srtf/seed-2/events.csv

With even_split they start where they want to.

  $ grep ,start, all/even_split/seed-1/events.csv
  0,start,0,,,,,,1,3*100,new,0,,,5,5,even shares on the GPUs asked for
  0.879039327,start,1,,,,,,2,0*50 3*50,new,0.879039327,,,3.333333333333333,3.333333333333333,even shares on the GPUs asked for

The same in a file of its own; keys are put over it.

  $ sed -n '/^draw:/,/gap_s/s/^  //p' run.yaml > draw.yaml; sed -i '/^draw:/,/gap_s/d' run.yaml; echo 'draw: draw.yaml' >> run.yaml
  $ hetune run run.yaml -s seeds=3 -o again > /dev/null; for s in 1 2 3; do diff all/srtf/seed-$s/events.csv again/srtf/seed-$s/events.csv; done
  $ hetune run run.yaml -s policy=srtf -s 'draw={from: draw.yaml, gap_s: 0}' -o at_once > /dev/null; grep ,arrive, at_once/events.csv
  0,arrive,0,,,,1,,1,,,,,,,,
  0,arrive,1,,,,1,,2,,,,,,,,
  $ hetune run run.yaml -s policy=srtf -s draw.gap_s=0 -o at_once_2 > /dev/null; diff at_once/events.csv at_once_2/events.csv

`ties` and `shake` work on them, too.

  $ hetune run run.yaml -s policy=srtf -s draw.gap_s=0 -s ties=3 -s shake=0.5 -o shaken > /dev/null; grep ,arrive, shaken/events.csv
  0,arrive,0,,,,1,,2,,,,,,,,
  0,arrive,1,,,,1,,1,,,,,,,,
  $ hetune run run.yaml -s policy=srtf -s shake=0.5 -o shaken_2 > /dev/null; grep ,arrive, shaken_2/events.csv
  0,arrive,0,,,,1,,1,,,,,,,,
  1.186349614,arrive,1,,,,1,,2,,,,,,,,

`validate` says how many there may be.

  $ hetune validate run.yaml --json
  {"valid": true, "gpus": 4, "nodes": 1, "policies": 2, "seeds": 1, "trials": 0, "jobs": 0, "offered_load": 0, "drawn": {"from": 2, "to": 4}}
