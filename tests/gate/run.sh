#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Hostile texts (tests/plots/hostile.txt, and control characters) as names of cases and as labels of policies: every
# report is well-formed, holds the texts where its format can, and never a control character or a line of theirs.
set -eu
cd "$(dirname "$0")/../.."
HETUNE=$(realpath "${BIN:-build}/hetune")
HOSTILE=$PWD/tests/plots/hostile.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > run.yaml << 'EOR'
cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
trace: jobs.csv
policy: fifo
EOR
printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,5\n' > jobs.csv
"$HETUNE" run run.yaml -o out -q > /dev/null

# Each text is a case of its own and the label of its policy. In the second half the JCT is 1 % longer.
python3 - "$HOSTILE" << 'EOP'
import json, os, re, shutil, sys
texts = [t for t in open(sys.argv[1], encoding='utf-8').read().split('\n') if t]
texts += ['two\nlines', 'a\n::error::x', 'tab\there', '\x1b[31mred\x1b[0m\x07', '\x9b31m', '\u202eevil', '\u2028', '\ufffe']
assert len(texts) >= 50
json.dump(texts, open('texts.json', 'w'))
for i, text in enumerate(texts):
    manifest = json.load(open('out/manifest.json'))
    manifest['policy'] = text
    for d in (f'good-{i}', f'bad-{i}'):
        os.mkdir(d)
        json.dump(manifest, open(d + '/manifest.json', 'w'))
        summary = open('out/summary.json').read()
        if d[0] == 'b':
            summary, n = re.subn(r'"jct_mean_s": 12.5', '"jct_mean_s": 12.625', summary)
            assert n == 1
        open(d + '/summary.json', 'w').write(summary)
EOP

python3 - "$HETUNE" << 'EOP'
import json, subprocess, sys
import xml.etree.ElementTree as tree
hetune = sys.argv[1]
texts = json.load(open('texts.json'))
formats = ['text', 'json', 'junit', 'github', 'markdown', 'bench-smaller', 'bench-bigger']
checks = 0

def check(code, words, *more):
    r = subprocess.run([hetune, 'check', '--baseline', 'base.json', *more, '--', *words], capture_output=True)
    assert r.returncode == code, (r.returncode, r.stderr.decode())
    return r.stdout.decode('utf-8')

def results(kind):
    # The first '=' ends a name.
    return [t.replace('=', '-') + f'={kind}-{i}' for i, t in enumerate(texts)]

def clean(out):
    bad = [c for c in out if c != '\n' and (ord(c) < 32 or 127 <= ord(c) < 160 or c in '\u2028\u2029\u202e\ufffe')]
    assert not bad, bad

clean(check(0, results('good'), '--update'))
baseline = json.load(open('base.json'))
assert [r['policy'] for r in baseline['runs']] == texts
assert [r['case'] for r in baseline['runs']] == [t.replace('=', '-') for t in texts]
assert 'nothing to change' in check(0, results('good'), '--update')

for kind, code in (('good', 0), ('bad', 1)):
    failed = len(texts) if code else 0
    out = {f: check(code, results(kind), '--format', f) for f in formats}
    reports = [f'--report={f}=report.{f}' for f in formats]
    check(code, results(kind), *reports)
    for f in formats:
        clean(out[f])
        assert open(f'report.{f}', encoding='utf-8').read() == out[f]
        checks += 1
    lines = {f: out[f].rstrip('\n').split('\n') if out[f] else [] for f in formats}
    assert len(lines['text']) == failed + 1 and all(l.startswith('FAIL ') for l in lines['text'][:-1])
    assert len(lines['github']) == failed and all(l.startswith('::error file=base.json,line=') and l.count('::') >= 2 for l in lines['github'])
    # No text ends the properties before their end.
    assert all(l[2:].split('::')[1].startswith('jct_mean_s, worse: ') for l in lines['github'])
    table = [l for l in lines['markdown'] if l.startswith('|')]
    assert len(table) == (failed + 2 if failed else 0) and all(l.count('|') == 7 and '`' not in l for l in table)
    rows = json.loads(out['json'])['checks']
    assert {(r['case'], r['policy']) for r in rows} == {(t.replace('=', '-'), t) for t in texts}
    assert sum(r['fails'] for r in rows) == failed
    assert len(json.loads(out['bench-smaller'])) % len(texts) == 0 and len(json.loads(out['bench-bigger'])) == len(texts)
    suites = tree.fromstring(out['junit'])
    assert len(suites) == len(texts) and int(suites.get('failures')) == failed == len(suites.findall('.//failure'))
    plain = {f"{t.replace('=', '-')}, {t}" for t in texts if t.isprintable()}
    assert len(plain) > 40 and plain <= {s.get('name') for s in suites}
print(f'{len(texts)} hostile texts as cases and labels, {checks} reports well-formed')
EOP
xmllint --noout report.junit
[ ! -e canary ] && [ -z "$(find . -name canary)" ]
