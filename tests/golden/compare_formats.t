Comparisons for machines and papers
===================================

  $ printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,5\n' > jobs.csv
  $ printf 'cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}\ntrace: jobs.csv\npolicy: [fifo, sjf]\n' > run.yaml
  $ printf 'run: run.yaml\naxes: {cluster.nodes.0.gpus: [1, 2]}\n' > sweep.yaml
  $ hetune sweep run sweep.yaml -o out -q
  4 points: 4 complete; out

A row for each case, metric and policy: mean JCTs of 12.5 and 10 s on one GPU, of 7.5 s on two.

  $ hetune compare out --metric jct_mean_s --format csv
  cluster.nodes.0.gpus,policy,oracle,baseline,metric,better,runs,pairs,value,value_low,value_high,change,change_low,change_high,p_t,p_t_holm,call
  1,fifo,false,fifo,jct_mean_s,lower,1,1,12.5,,,,,,,,
  1,sjf,true,fifo,jct_mean_s,lower,1,1,10,,,-0.19999999999999996,,,,,not clear
  2,fifo,false,fifo,jct_mean_s,lower,1,1,7.5,,,,,,,,
  2,sjf,true,fifo,jct_mean_s,lower,1,1,7.5,,,0,,,,,the same
  $ hetune compare out --metric jct_mean_s --format json
  {"schema": 1, "rows": [
    {"case": {"cluster.nodes.0.gpus": "1"}, "policy": "fifo", "oracle": false, "baseline": "fifo", "metric": "jct_mean_s", "better": "lower", "runs": 1, "pairs": 1, "value": 12.5, "value_low": null, "value_high": null, "change": null, "change_low": null, "change_high": null, "p_t": null, "p_t_holm": null, "call": ""},
    {"case": {"cluster.nodes.0.gpus": "1"}, "policy": "sjf", "oracle": true, "baseline": "fifo", "metric": "jct_mean_s", "better": "lower", "runs": 1, "pairs": 1, "value": 10, "value_low": null, "value_high": null, "change": -0.19999999999999996, "change_low": null, "change_high": null, "p_t": null, "p_t_holm": null, "call": "not clear"},
    {"case": {"cluster.nodes.0.gpus": "2"}, "policy": "fifo", "oracle": false, "baseline": "fifo", "metric": "jct_mean_s", "better": "lower", "runs": 1, "pairs": 1, "value": 7.5, "value_low": null, "value_high": null, "change": null, "change_low": null, "change_high": null, "p_t": null, "p_t_holm": null, "call": ""},
    {"case": {"cluster.nodes.0.gpus": "2"}, "policy": "sjf", "oracle": true, "baseline": "fifo", "metric": "jct_mean_s", "better": "lower", "runs": 1, "pairs": 1, "value": 7.5, "value_low": null, "value_high": null, "change": 0, "change_low": null, "change_high": null, "p_t": null, "p_t_holm": null, "call": "the same"}
  ]}
  $ hetune compare out --metric jct_mean_s --format markdown
  Changes against fifo, paired by seed; 95 % intervals: of means Student's, of changes (ratio of means) Fieller's.

  | cluster\.nodes\.0\.gpus | metric | policy | mean | change | 95 % interval | verdict |
  |:---|:---|:---|---:|---:|:---|:---|
  | 1 | JCT, mean | fifo | 12.50 s |  |  |  |
  | 1 | JCT, mean | sjf (oracle) | 10.00 s | -20.0 % |  | not clear |
  | 2 | JCT, mean | fifo | 7.50 s |  |  |  |
  | 2 | JCT, mean | sjf (oracle) | 7.50 s | +0.0 % |  | the same |
  $ hetune compare out --metric jct_mean_s --format latex
  % Changes against fifo, paired by seed; 95 % intervals: of means Student's, of changes (ratio of means) Fieller's.
  \begin{tabular}{lllrrll}
  \toprule
  cluster.nodes.0.gpus & metric & policy & mean & change & 95 \% interval & verdict \\
  \midrule
  1 & JCT, mean & fifo & 12.50 s &  &  &  \\
  1 & JCT, mean & sjf (oracle) & 10.00 s & $-$20.0 \% &  & not clear \\
  \midrule
  2 & JCT, mean & fifo & 7.50 s &  &  &  \\
  2 & JCT, mean & sjf (oracle) & 7.50 s & $+$0.0 \% &  & the same \\
  \bottomrule
  \end{tabular}
  $ hetune compare out --metric jct_mean_s --format text | cmp - <(hetune compare out --metric jct_mean_s)

With `--stats` CSV and JSON have all that `hetune compare --stats` prints, Markdown and LaTeX the chief of it.

  $ hetune compare out --metric jct_mean_s --format csv --stats | head -n 1 | tr , '\n' | tail -n +14 | paste -sd' ' | fold -sw 110
  change_high p_t p_t_holm call baseline_mean policy_mean difference difference_low difference_high 
  difference_expanded_low difference_expanded_high difference_bca_low difference_bca_high 
  difference_percentile_low difference_percentile_high difference_shift difference_shift_low 
  difference_shift_high change_expanded_low change_expanded_high change_bca_low change_bca_high 
  change_percentile_low change_percentile_high change_shift change_shift_low change_shift_high p_sign_flip 
  p_sign_flip_holm p_wilcoxon p_wilcoxon_holm d_z rank_biserial runs_to_halve
  $ hetune compare out --metric jct_mean_s --format latex --stats | sed -n '4,6p'
  cluster.nodes.0.gpus & metric & policy & mean & change & 95 \% interval & verdict & pairs & difference & 95 \% interval (bootstrap) & p sign flips (Holm) & p Wilcoxon (Holm) & d\_z & rank-biserial & runs for half the width \\
  \midrule
  1 & JCT, mean & fifo & 12.50 s &  &  &  &  &  &  &  &  &  &  &  \\
  $ hetune compare out --metric jct_mean_s --format markdown --stats | sed -n '3,5p'
  | cluster\.nodes\.0\.gpus | metric | policy | mean | change | 95 % interval | verdict | pairs | difference | 95 % interval \(bootstrap\) | p sign flips \(Holm\) | p Wilcoxon \(Holm\) | d\_z | rank\-biserial | runs for half the width |
  |:---|:---|:---|---:|---:|:---|:---|---:|---:|:---|---:|---:|---:|---:|---:|
  | 1 | JCT, mean | fifo | 12.50 s |  |  |  |  |  |  |  |  |  |  |  |

Notes have no place in CSV and go to standard error; in LaTeX they are comments.

  $ hetune compare out --metric hpo_target_s --format csv > nothing.csv
  note: no run has a value of hpo_target_s
  $ cat nothing.csv
  cluster.nodes.0.gpus,policy,oracle,baseline,metric,better,runs,pairs,value,value_low,value_high,change,change_low,change_high,p_t,p_t_holm,call
  $ hetune compare out --metric hpo_target_s --format json
  {"schema": 1, "rows": [
  ],
    "notes": ["no run has a value of hpo_target_s"]}
  $ hetune compare out --metric hpo_target_s --format markdown
  Changes against fifo, paired by seed; 95 % intervals: of means Student's, of changes (ratio of means) Fieller's.

  | cluster\.nodes\.0\.gpus | metric | policy | mean | change | 95 % interval | verdict |
  |:---|:---|:---|---:|---:|:---|:---|

  Note: no run has a value of hpo\_target\_s
  $ hetune compare out --metric hpo_target_s --format latex
  % Changes against fifo, paired by seed; 95 % intervals: of means Student's, of changes (ratio of means) Fieller's.
  % note: no run has a value of hpo_target_s
  \begin{tabular}{lllrrll}
  \toprule
  cluster.nodes.0.gpus & metric & policy & mean & change & 95 \% interval & verdict \\
  \bottomrule
  \end{tabular}
  $ hetune compare out --format tex
  error: --format 'tex'; wanted text, csv, json, markdown or latex (did you mean 'text'?)
  [2]
  $ hetune compare out --format csv2
  error: --format 'csv2'; wanted text, csv, json, markdown or latex (did you mean 'csv'?)
  [2]
  $ hetune compare out --json --format csv
  error: --json has all metrics, and nothing is chosen with it; wanted --format json
  [2]
  $ hetune compare out --json --metric jobs
  error: --json has all metrics, and nothing is chosen with it; wanted --format json
  [2]
  $ hetune compare out --json --stats
  error: --json has all metrics, and nothing is chosen with it; wanted --format json
  [2]

Foreign text
------------

Labels and axes may be anything: here a policy and an axis value of a plan, with all that CSV, JSON, HTML, Markdown,
LaTeX and terminals know.

  $ cat > hostile.py <<'END'
  > import json, os
  > labels = ['$(touch x)', '`touch x`', '"; DROP', "'", 'a,b', 'a;b', '=1+1', '@SUM(A1)', '-2', '+3', '\t=4', 'a\nb', 'a\r\nb',
  >     '<script>alert(1)</script>', '&lt;', '<!--', ']]>', '|', 'a|b|c', '\\|', '**b**', '_i_', '[x](http://x)', '![x](x)', '# h', '- l', '~~s~~',
  >     '\\input{/etc/passwd}', '\\\\', '%', '$x$', '{', '}', '^^M', '#1', '&', '~', '[1, 2]', '*', '--', "?`", '\x1b[31mred', '\x9b31m', '\u202eabc',
  >     '\u2028', '', ' ', 'é', '日本', '\U0001f600', 'x' * 300]
  > manifest, summary = (json.load(open(f'one/{n}.json')) for n in ('manifest', 'summary'))
  > for i, label in enumerate(labels):
  >     os.makedirs(f'all/{i}')
  >     json.dump({**manifest, 'policy': label, 'position': i}, open(f'all/{i}/manifest.json', 'w'))
  >     json.dump(summary, open(f'all/{i}/summary.json', 'w'))
  > json.dump(labels, open('labels.json', 'w'))
  > END
  $ hetune run run.yaml -s policy=fifo -o one > /dev/null; python3 hostile.py
  $ for f in text csv json markdown latex; do hetune compare all --metric jct_mean_s --format $f > all.$f; done
  $ hetune compare all --json > all.whole
  $ cat > check.py <<'END'
  > import csv, html, json, re
  > labels = json.load(open('labels.json'))
  > rows = list(csv.DictReader(open('all.csv', newline='')))
  > shown = lambda s: ''.join('?' if c < ' ' or '\x7f' <= c < '\xa0' or c in '\u202e\u2028' else c for c in s)
  > print('csv', [r['policy'] for r in rows] == [shown(s) for s in labels])
  > print('json', [r['policy'] for r in json.load(open('all.json'))['rows']] == labels)
  > print('--json', [p['policy'] for p in json.load(open('all.whole'))['policies']] == labels)
  > cells = lambda line: re.split(r'(?<!\\)\|', line.strip()[1:-1])
  > plain = lambda s: html.unescape(re.sub(r'\\([!-/:-@\[-`{-~])', r'\1', s))
  > lines = [l for l in open('all.markdown').read().split('\n') if l.startswith('|')]
  > print('markdown', all(len(cells(l)) == 6 for l in lines), [plain(cells(l)[1][1:-1]) for l in lines[2:]] == [shown(s) for s in labels])
  > body = [l for l in open('all.latex').read().split('\n') if l.endswith('\\\\')]
  > words = {'textbackslash{}': '\\', 'textasciicircum{}': '^', 'textasciitilde{}': '~', 'textless{}': '<', 'textgreater{}': '>', 'textbar{}': '|'}
  > def plain_tex(s):
  >     s = s.replace('{\\char34}', '"')
  >     return re.sub(r'\\(text\w+\{\})|\\([{}$&#_%])|\{([^{}])\}', lambda m: words[m[1]] if m[1] else m[2] or m[3], s)
  > cells = [re.split(r'(?<!\\)&', l[:-3]) for l in body]
  > print('latex', all(len(c) == 6 for c in cells), [plain_tex(c[1][1:-1]) for c in cells[1:]] == [shown(s) for s in labels])
  > whole = open('all.latex').read()
  > print('commands', sorted(set(re.findall(r'\\[a-zA-Z]+', whole))))
  > print('escapes', any('\x1b' in open(f'all.{f}').read() or '\x9b' in open(f'all.{f}').read() for f in ('text', 'csv', 'json', 'markdown', 'latex', 'whole')))
  > END
  $ python3 check.py
  csv True
  json True
  --json True
  markdown True True
  latex True True
  commands ['\\begin', '\\bottomrule', '\\char', '\\end', '\\midrule', '\\textasciicircum', '\\textasciitilde', '\\textbackslash', '\\textbar', '\\textgreater', '\\textless', '\\toprule']
  escapes False
  $ sed -i 's/"cluster.nodes.0.gpus": "2"/"\\u001b[1m \& | \\\\x": "\\u001b[1m \& | \\\\x\\n"/; s/"cluster.nodes.0.gpus": "1"/"\\u001b[1m \& | \\\\x": "1"/' out/plan.jsonl
  $ hetune compare out --metric jct_mean_s | head -n 15
  ?[1m & | \x=1
  -------------
  2 policies, 1 seed each; changes against fifo are paired by seed; one seed gives no interval

  JCT, mean
    fifo                         12.50 s
    sjf (oracle)                 10.00 s    -20.0 %  not clear


  ?[1m & | \x=?[1m & | \x?
  ------------------------
  2 policies, 1 seed each; changes against fifo are paired by seed; one seed gives no interval

  JCT, mean
    fifo                          7.50 s
  $ for f in csv json markdown latex; do hetune compare out --metric jct_mean_s --format $f | grep '10'; done
  1,sjf,true,fifo,jct_mean_s,lower,1,1,10,,,-0.19999999999999996,,,,,not clear
    {"case": {"\u001b[1m & | \\x": "1"}, "policy": "sjf", "oracle": true, "baseline": "fifo", "metric": "jct_mean_s", "better": "lower", "runs": 1, "pairs": 1, "value": 10, "value_low": null, "value_high": null, "change": -0.19999999999999996, "change_low": null, "change_high": null, "p_t": null, "p_t_holm": null, "call": "not clear"},
  | 1 | JCT, mean | sjf (oracle) | 10.00 s | -20.0 % |  | not clear |
  1 & JCT, mean & sjf (oracle) & 10.00 s & $-$20.0 \% &  & not clear \\
  $ ls x 2>&1
  ls: cannot access 'x': No such file or directory
  [2]
