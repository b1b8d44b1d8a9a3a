#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of docs/reproduction.md about Hermes and Hermes-V2, from sweeps by hetune.

  analysis/hermes.py HETUNE v1 SWEEP       speed-ups of hermes over each baseline, by case; closed forms beside
  analysis/hermes.py HETUNE v2 SWEEP       changes against uniform placement, by pair of GPU types, cluster and price of a move
  analysis/hermes.py HETUNE batch SWEEP    the same where the batch size decides between GPUs
  analysis/hermes.py HETUNE tuners SWEEP   the same under other tuners, with experiments that arrive one after the other

All ratios of means and their 95 % intervals are those of hetune compare. A speed-up is the mean of a baseline over that of hermes; a change in per
cent is negative where less time is taken.
"""
import csv
import os
import subprocess
import sys

METRICS = {
    'hpo_mean_good_s': 'mean over good',
    'hpo_first_good_s': 'first good',
    'hpo_all_good_s': 'all good',
    'hpo_target_s': 'target reached',
    'hpo_regret_s': 'regret area',
    'makespan_s': 'makespan',
}
MEAN = 'hpo_mean_good_s'
EPOCH_S = 20.0


def row(*cells):
    print('| ' + ' | '.join(str(c) for c in cells) + ' |')


def head(*cells):
    row(*cells)
    print('|' + '---|' * len(cells))


def stem(path):
    return os.path.basename(path).removesuffix('.yaml')


class Sweep:
    """Rows of hetune compare by (axes, policy, metric); axes as a dict by the last word of each key."""

    def __init__(self, hetune, folder, metrics):
        words = [hetune, 'compare', folder, '--format', 'csv']
        for m in metrics:
            words += ['--metric', m]
        text = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
        rows = list(csv.DictReader(text.splitlines()))
        axes = list(rows[0])[:list(rows[0]).index('policy')]
        self.at, self.cases, self.policies = {}, [], []
        for r in rows:
            case = tuple(r[a] for a in axes)
            if case not in self.cases:
                self.cases.append(case)
            if r['policy'] not in self.policies:
                self.policies.append(r['policy'])
            self.at[case, r['policy'], r['metric']] = r
        self.axes = axes

    def case(self, case):
        return {'.'.join(a.split('.')[-2:]): v for a, v in zip(self.axes, case)}

    def find(self, case, policy, metric=MEAN):
        r = self.at.get((case, policy, metric))
        return r if r and r['value'] not in ('', '?') else None


def number(r):
    return f"{float(r['value']):.0f}" if r else ''


def interval(r, scale, form):
    """A ratio less 1, its ends, scaled: `form` is applied to each."""
    if not r or r['change'] in ('', '?'):
        return ''
    ends = [r[k] for k in ('change_low', 'change_high')]
    ends = ', '.join(form(scale(float(e))) if e not in ('', '?') else '?' for e in ends)
    return f"{form(scale(float(r['change'])))} [{ends}]"


def speedup(r):
    return interval(r, lambda x: 1 + x, '{:.2f}'.format)


def change(r):
    return interval(r, lambda x: 100 * x, '{:+.1f}'.format)


# ---- Hermes ----

FIFO = 'uniform'
BASELINES = {
    FIFO: 'FIFO',
    'rr[placement=round_robin,quantum_s=0]': 'RR',
    'slaq[placement=round_robin,preempt_on=quantum]': 'SLAQ',
    'slaq[placement=round_robin,preempt_on=quantum,oracle=true]': 'SLAQ, true curves (oracle)',
}


ORACLE = 'hermes[placement=round_robin,preempt_on=quantum,delta=0,measure=final]'


def curves(c):
    if c['0.curves']:
        return {'cifar10_cnns': 'CNNs, recorded', 'cifar10_resnets': 'residual networks, recorded'}[stem(c['0.curves'])]
    return 'CNNs, drawn' + ('' if c.get('0.rank_correlation', 'none') == 'none' else f", {c['0.rank_correlation']}")


def is_base(c):
    return c['overheads.save_s'] == '1'


def v1_cases(s):
    yield from ((case, s.case(case)) for case in s.cases)


def v1_speedups(s):
    head('trials', 'of a GPU', 'good of all', *(f'over {b}' for b in BASELINES.values()), 'over Hermes that knows the ends (oracle)')
    for case, c in v1_cases(s):
        if is_base(c):
            row(curves(c), int(c['0.trials']) // 4, f"{c['0.good_best']} of {c['0.trials']}", *(speedup(s.find(case, p)) for p in (*BASELINES, ORACLE)))


def v1_metrics(s):
    head('trials of a GPU', 'good of all', 'speed-up over', *METRICS.values())
    for case, c in v1_cases(s):
        if is_base(c) and curves(c) == 'CNNs, drawn' and (c['0.trials'], c['0.good_best']) in (('20', '1'), ('32', '2'), ('32', '16')):
            for p, name in BASELINES.items():
                if s.find(case, p):
                    row(int(c['0.trials']) // 4, f"{c['0.good_best']} of {c['0.trials']}", name, *(speedup(s.find(case, p, m)) for m in METRICS))


def v1_closed(s):
    """One good trial: FIFO (k + 1) / 2 T1, RR k T1 + k E / q c, Hermes T1 + k (q t_e + c)."""
    head('trials', 'of a GPU', 'switch, s', 'quantum, epochs', 'FIFO, s', 'closed', 'RR, s', 'closed', 'Hermes, s', 'oracle, s', 'closed', 'FIFO / Hermes', 'RR / Hermes', 'RR / oracle', 'RR / Hermes, closed')
    turn = {1: ('quantum_s=0', ''), 0.5: ('quantum_s=10', ',quantum_s=10'), 2: ('quantum_epochs=2,quantum_s=0', ',quantum_epochs=2')}
    quanta = {q: (f'rr[placement=round_robin,{rr}]', f'hermes[placement=round_robin{hermes},preempt_on=quantum]') for q, (rr, hermes) in turn.items()}
    for case, c in v1_cases(s):
        if c['0.curves'] or c['0.good_best'] != '1' or c['0.rank_correlation'] == '0.5':
            continue
        k, cost, epochs = int(c['0.trials']) // 4, float(c['overheads.save_s']) + float(c['overheads.restore_s']), 50
        t1 = epochs * EPOCH_S
        for q, (rr, hermes) in quanta.items():
            if not s.find(case, hermes):
                continue
            fifo, turns, order = (float(s.find(case, p)['value']) for p in (FIFO, rr, hermes))
            ends = float(s.find(case, ORACLE)['value']) if q == 1 else None  # its quantum is an epoch
            closed = (k + 1) / 2 * t1, k * t1 + k * epochs / q * cost, t1 + k * (q * EPOCH_S + cost)
            row(curves(c), k, f'{cost:g}', f'{q:g}', f'{fifo:.0f}', f'{closed[0]:.0f}', f'{turns:.0f}', f'{closed[1]:.0f}', f'{order:.0f}', f'{ends:.0f}' if ends else '', f'{closed[2]:.0f}',
                f'{fifo / order:.2f}', f'{turns / order:.2f}', f'{turns / ends:.2f}' if ends else '', f'{closed[1] / closed[2]:.2f}')


# ---- Hermes-V2 ----

PARTS = {
    'hermes_v2[relocate=none]': 'placement',
    'hermes_v2[relocate=placement]': 'placement, making room',
    'hermes_v2[placement=uniform,relocate=run]': 'relocation',
    'hermes_v2': 'both',
    'hermes[delta=0,measure=final]': 'neither, ends known (oracle)',
    'hermes_v2[delta=0,measure=final]': 'both, ends known (oracle)',
}
PAIRS = {'1080ti_2080ti': '1080 Ti, 2080 Ti', 'v100_p100': 'P100, V100', 't4_a100': 'T4, A100'}


def pair(c):
    return PAIRS[stem(next(v for k, v in c.items() if k.endswith('cluster')))]


def gpus(c):
    return f"{c['0.gpus']} + {c['1.gpus']}"


def moves(c):
    return int(c['overheads.image_s']) + 3


def is_plain(c):
    return gpus(c) == '2 + 2' and moves(c) == 15 and c['0.trials'] == '8' and c['0.curves'] != ''


def v2_parts(s):
    head('GPUs', 'slow + fast', 'trials', '', 'relocation, s', *PARTS.values())
    for case in s.cases:
        c = s.case(case)
        if c['predictor'] == 'reference_table':
            row(pair(c), gpus(c), 2 * int(c['0.trials']), curves(c).split()[-1], moves(c), *(change(s.find(case, p)) for p in PARTS))


def v2_metrics(s):
    head('GPUs', 'policy', *METRICS.values())
    for case in s.cases:
        c = s.case(case)
        if c['predictor'] == 'reference_table' and is_plain(c):
            for p, name in PARTS.items():
                row(pair(c), name, *(change(s.find(case, p, m)) for m in METRICS))


def v2_errors(s):
    head('GPUs', 'error of the table', *PARTS.values())
    for case in s.cases:
        c = s.case(case)
        if is_plain(c):
            error = c['predictor'].removeprefix('reference_table').strip('[]').removeprefix('error=')
            row(pair(c), f'{100 * float(error or 0):.0f} %', *(change(s.find(case, p)) for p in PARTS))


def batch(s):
    parts = [p for p in PARTS if p in s.policies and p != 'hermes_v2[relocate=placement]']
    told = {'reference_table': 'table by model', 'reference_table[key=model_batch]': 'table by model and batch', 'exact': 'true rates (oracle)'}
    head('GPUs', 'told', 'error of what it was told', *(PARTS[p] for p in parts))
    for case in s.cases:
        c = s.case(case)
        error = s.find(case, 'hermes_v2', 'prediction_error_mean')
        row(pair(c), told[c['predictor']], f"{100 * float(error['value']):.0f} %" if error else '', *(change(s.find(case, p)) for p in parts))


# ---- other tuners, several experiments ----

def tuners(s):
    """What is left of the regret as it is, times of the first policy in seconds, of the others as changes."""
    base, *others = s.policies
    shown = {'hpo_regret_s': 'regret area', 'hpo_regret_left': 'regret left', MEAN: 'mean over good that the tuner lets end', 'makespan_s': 'makespan'}
    head('tuner', 'metric', f'`{base}`', *(f'`{p}`' for p in others))
    for case in s.cases:
        tuner = next(v for k, v in s.case(case).items() if k.endswith('tuner'))
        for m, name in shown.items():
            if m == 'hpo_regret_left':
                row(f'`{tuner}`', name, *(f"{float(s.find(case, p, m)['value']):.3f}" for p in s.policies))
            elif s.find(case, base, m):
                row(f'`{tuner}`', name, number(s.find(case, base, m)) + ' s', *(change(s.find(case, p, m)) for p in others))


def main():
    hetune, what, folder = sys.argv[1:]
    parts = {'v1': (v1_speedups, v1_metrics, v1_closed), 'v2': (v2_parts, v2_metrics, v2_errors), 'batch': (batch,), 'tuners': (tuners,)}[what]
    s = Sweep(hetune, folder, [*METRICS, 'hpo_regret_left', 'prediction_error_mean'])
    for i, part in enumerate(parts):
        if i:
            print()
        part(s)


main()
