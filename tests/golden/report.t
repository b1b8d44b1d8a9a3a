A report: runs as one page
==========================

The page holds style, figures and script; it loads nothing. Two policies, one seed: shortest first gives 10 s instead of
12.5 s, 20 % less, but one run gives no interval.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
  > trace: jobs.csv
  > policy: [fifo, sjf]
  > END
  $ printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,5\n' > jobs.csv
  $ hetune run run.yaml -q -o out > /dev/null
  $ hetune report out
  out/report.html
  $ sed -n '/id="verdict"/,/<\/ul>/p' out/report.html
  <h2 id="verdict">Verdict</h2>
  <p>JCT, mean, against <b>fifo</b>:</p>
  <ul>
  <li><b>sjf (oracle)</b> is not clear: -20.0&nbsp;%, and one run gives no interval.</li>
  </ul>
  $ sed -n '/<caption>JCT, mean/,/<\/table>/p' out/report.html
  <table><caption>JCT, mean</caption><thead><tr><th scope="col">policy</th><th scope="col">mean</th><th scope="col">runs</th><th scope="col">change</th><th scope="col">95 % interval</th><th scope="col">verdict</th></tr></thead><tbody>
  <tr><td>fifo</td><td>12.50 s</td><td>1</td><td></td><td></td><td></td></tr>
  <tr><td>sjf (oracle)</td><td>10.00 s</td><td>1</td><td>-20.0&nbsp;%</td><td>none</td><td class="t">not clear</td></tr>
  </tbody></table>
  $ sed -n '/id="limits"/,/<\/ul>/p' out/report.html
  <h2 id="limits">What this does not say</h2>
  <ul>
  <li>Each policy ran with 1 seed. Seeds vary what the simulator draws; they do not vary the trace, the cluster or the cost model.</li>
  <li>Intervals are of each comparison alone. Verdicts are of all comparisons of a metric at once (Holm), if there are three or more; nothing is adjusted for looking at many metrics.</li>
  <li>2 of 2 policies ran with fewer than 10 seeds: intervals of so few lean on the changes being roughly normal.</li>
  <li>1 of 2 policies have no interval for the change of the first metric: how surely it changes is not known.</li>
  <li>1 of 2 policies are oracles: they read what lies ahead, and no real scheduler could do the same.</li>
  </ul>

Its Gantt has two jobs in 15 s on 640 points: 10 s are 426.67.

  $ grep -A 1 '<rect' out/report.html | head -n 2
  <rect class="other" x="0.00" y="0" width="426.67" height="13"><title>job 0, progress, 0.00 s to 10 s</title></rect>
  <rect class="other" x="426.67" y="0" width="213.33" height="13"><title>job 1, progress, 10 s to 15 s</title></rect>

Against the other one:

  $ hetune report out --baseline sjf -o sjf.html
  sjf.html
  $ grep -A 3 '<p>JCT, mean, against' sjf.html
  <p>JCT, mean, against <b>sjf (oracle)</b>:</p>
  <ul>
  <li><b>fifo</b> is not clear: +25.0&nbsp;%, and one run gives no interval.</li>
  </ul>

A sweep has a verdict and a table for each case, and says which points are missing.

  $ printf 'run: run.yaml\naxes:\n  jitter: [0, 0.1]\n  seed: {from: 1, to: 3}\n' > sweep.yaml
  $ hetune sweep run sweep.yaml -q -o swept
  12 points: 12 complete; swept
  $ rm swept/points/$(sed -n 's/.*"point": "\([0-9a-f]*\)".*"policy": "sjf", "seed": 2.*/\1/p' swept/plan.jsonl | head -n 1).json
  $ hetune report swept -o swept.html
  swept.html
  $ sed -n '/id="verdict"/,/id="limits"/p' swept.html | grep -E '<h3>|<li>'
  <h3>jitter = 0</h3>
  <li><b>sjf (oracle)</b> is not clear: -20.0&nbsp;%, and one run gives no interval.</li>
  <h3>jitter = 0.1</h3>
  <li><b>sjf (oracle)</b> is not clear: -20.0&nbsp;%, and one run gives no interval.</li>
  $ grep -o 'it has not been run' swept.html
  it has not been run

What is wrong
-------------

  $ hetune report
  error: report: wanted one folder of runs or of a sweep, got 0
  [2]
  $ hetune report out -o ''
  error: report: -o is empty; wanted the name of a file
  [2]
  $ hetune report nowhere
  nowhere: cannot open the folder: No such file or directory
  [3]
  $ hetune report out --baseline lifo
  error: there is no run of the baseline 'lifo'
  [2]
  $ hetune report swept --baseline lifo
  error: swept: no point has values and a run of the baseline
  [2]
  $ mkdir empty && hetune report empty
  error: empty: there is no summary.json in it or below it
  [2]
  $ hetune report out -o nowhere/x.html
  nowhere/x.html: cannot create: No such file or directory
  [3]
  $ printf 'not a plan\n' > empty/plan.jsonl; hetune report empty
  empty/plan.jsonl:1:1: error: 'not' is not true, false or null, nor in quotes
      1 | not a plan
        | ^
  [2]
  $ head -n 5 out/fifo/seed-1/events.csv > events.csv && mv events.csv out/fifo/seed-1 && rm out/report.html
  $ hetune report out
  error: the events end before the run does
  [2]
  $ ls out
  fifo
  sjf

Without events there are no figures of runs.

  $ rm out/*/seed-1/events.csv; hetune report out
  out/report.html
  $ grep -o '2 of 2 runs have no events.csv and no figure' out/report.html
  2 of 2 runs have no events.csv and no figure
