#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of docs/reproduction.md about Kim & Kim, from results of hetune.

  analysis/kim_kim.py HETUNE workloads FOLDER...   single runs of the two workloads
  analysis/kim_kim.py HETUNE families SWEEP        each family: what each workload gains, and all of them
  analysis/kim_kim.py HETUNE settings SWEEP        medians by gain of sharing, period, price of a replica
  analysis/kim_kim.py HETUNE oracle SWEEP          how much of what the oracle gains slowdown_fair gains; run with --keep-runs
  analysis/kim_kim.py HETUNE fidelity SWEEP        fluid against step, job by job, in %; run with --keep-runs

A reduction or gain is against even_split on the same workload. Medians have 95 % intervals of the binomial distribution (order
statistics); changes of means those of hetune compare.
"""
import csv
import json
import math
import os
import re
import subprocess
import sys

BASE = 'even_split'
METRICS = 'slowdown_max', 'slowdown_mean', 'gpu_active_share', 'gpu_work_share', 'makespan_s'


def quantile(x, p):
    """Linear between order statistics."""
    x = sorted(x)
    at = p * (len(x) - 1)
    low = int(at)
    return x[low] + (x[min(low + 1, len(x) - 1)] - x[low]) * (at - low)


def median_interval(x):
    """The k-th values from both ends, with the largest k for which P(Bin(n, 1/2) < k) <= 2.5 %."""
    x, n, k, below = sorted(x), len(x), 0, 0.0
    while below + math.comb(n, k) / 2**n <= 0.025:
        below += math.comb(n, k) / 2**n
        k += 1
    return (x[k - 1], x[n - k]) if k else (math.nan, math.nan)


def percent(x, digits=0):
    return f'{100 * x:.{digits}f}'


def row(*cells):
    print('| ' + ' | '.join(str(c) for c in cells) + ' |')


def head(*cells):
    row(*cells)
    print('|' + '---|' * len(cells))


def stem(path):
    return os.path.basename(path).removesuffix('.yaml').removeprefix('kim_kim_')


def read(hetune, *words):
    text = subprocess.run([hetune, *words], check=True, stdout=subprocess.PIPE, text=True).stdout
    return list(csv.DictReader(text.splitlines()))


class Sweep:
    """Points by (family, other axes, policy), and of each by seed."""

    def __init__(self, hetune, folder):
        self.points = {}
        for r in read(hetune, 'sweep', 'merge', folder, '-q', '-o', '-'):
            if r['status'] != 'complete':
                sys.exit(f"{folder}: point {r['point']} is {r['status']}")
            names = list(r)
            axes = names[names.index('draw') + 1:names.index('policy')]
            key = stem(r['cluster']), tuple((a.split('.')[-1], r[a]) for a in axes), r['policy']
            self.points.setdefault(key, {})[int(r['seed'])] = r
        self.families = list(dict.fromkeys(k[0] for k in self.points))

    def pairs(self, family, settings, policy):
        """Pairs of points: of the baseline and of the policy, by seed."""
        base, new = self.points[family, settings, BASE], self.points[family, settings, policy]
        return [(base[seed], new[seed]) for seed in sorted(base)]

    def policies(self, family, settings):
        return [p for f, s, p in self.points if f == family and s == settings]

    def settings(self, **wanted):
        """The settings of all families that have these values."""
        found = dict.fromkeys(s for _, s, _ in self.points)
        return [s for s in found if all(dict(s).get(k) == v for k, v in wanted.items())]


def reductions(pairs, metric='slowdown_max'):
    return [1 - float(b[metric]) / float(a[metric]) for a, b in pairs]


def points_of(pairs, metric='gpu_active_share'):
    return [float(b[metric]) - float(a[metric]) for a, b in pairs]


# ---- single workloads ----

def workloads(hetune, folders):
    head('workload', 'policy', 'rates', 'largest slowdown', 'reduction', 'mean slowdown', 'utilisation', 'gain in points',
         'relative', 'SM-weighted', 'makespan')
    for folder in folders:
        name, fidelity = os.path.basename(folder).rsplit('-', 1)
        values = {}
        for r in read(hetune, 'compare', folder, '--format', 'csv', *(w for m in METRICS for w in ('--metric', m))):
            values.setdefault(r['policy'], {})[r['metric']] = float(r['value'])
        base = values[BASE]
        for policy, v in values.items():
            top, busy = v['slowdown_max'] / base['slowdown_max'], v['gpu_active_share'] - base['gpu_active_share']
            row(name, f'`{policy}`', fidelity, f"{v['slowdown_max']:.2f}", percent(1 - top) + ' %', f"{v['slowdown_mean']:.2f}",
                f"{v['gpu_active_share']:.2f}", f'{100 * busy:+.0f}', f"{100 * busy / base['gpu_active_share']:+.0f} %",
                f"{v['gpu_work_share']:.2f}", f"{v['makespan_s']:.0f} s")


# ---- families ----

def changes(hetune, folder, metric):
    """By family and policy, from hetune compare: [change, its interval] and [difference, its interval]."""
    found = {}
    for r in read(hetune, 'compare', folder, '--metric', metric, '--stats', '--format', 'csv'):
        if r['policy'] != BASE:
            found[stem(r['cluster']), r['policy']] = (
                [float(r[c]) for c in ('change', 'change_low', 'change_high')],
                [float(r[c]) for c in ('difference', 'difference_low', 'difference_high')])
    return found


def interval(x, digits=0):
    return f'{100 * x[0]:+.{digits}f} [{100 * x[1]:+.{digits}f}, {100 * x[2]:+.{digits}f}]'


def families(hetune, folder):
    sweep = Sweep(hetune, folder)
    change = {m: changes(hetune, folder, m) for m in METRICS}
    settings, = sweep.settings()
    each = [(f, p) for f in sweep.families for p in sweep.policies(f, settings) if p != BASE]
    head('family', 'policy', 'p10', 'p50', 'p90', 'largest', '53 % or more', 'mean over workloads', 'worst of all workloads')
    for family, policy in each:
        pairs = sweep.pairs(family, settings, policy)
        x = reductions(pairs)
        low, high = median_interval(x)
        worst = [max(float(p[i]['slowdown_max']) for p in pairs) for i in (0, 1)]
        row(family, f'`{policy}`', percent(quantile(x, 0.1)), f'{percent(quantile(x, 0.5))} [{percent(low)}, {percent(high)}]',
            percent(quantile(x, 0.9)), percent(max(x)), f'{sum(v >= 0.53 for v in x)} of {len(x)}',
            interval(change['slowdown_max'][family, policy][0]),
            f'{worst[0]:.2f} to {worst[1]:.2f}, {100 * (worst[1] / worst[0] - 1):+.0f} %')
    print()
    head('family', 'policy', 'utilisation', 'gain in points', 'relative', 'SM-weighted, points', 'mean slowdown', 'Jain index', 'makespan')
    for family, policy in each:
        pairs = sweep.pairs(family, settings, policy)
        busy, jain = ([sum(float(p[i][m]) for p in pairs) / len(pairs) for i in (0, 1)] for m in ('gpu_active_share', 'slowdown_jain'))
        at = family, policy
        row(family, f'`{policy}`', f'{busy[0]:.2f} to {busy[1]:.2f}', interval(change['gpu_active_share'][at][1]),
            interval(change['gpu_active_share'][at][0]), interval(change['gpu_work_share'][at][1]),
            interval(change['slowdown_mean'][at][0]), f'{jain[0]:.3f} to {jain[1]:.3f}', interval(change['makespan_s'][at][0]))


# ---- settings ----

def settings_table(hetune, folder):
    sweep = Sweep(hetune, folder)
    cases = [('0.15', '2'), ('0.15', '0'), ('0', '2'), ('0.7', '2')]
    for eta, replica in cases:
        settings, = sweep.settings(eta=eta, replica_s=replica)
        head(f'eta {eta}, a further replica takes {replica} s', *sweep.families)
        for policy in sweep.policies(sweep.families[0], settings):
            if policy == BASE:
                continue
            cells = []
            for family in sweep.families:
                pairs = sweep.pairs(family, settings, policy)
                x = reductions(pairs)
                cells.append(f'{percent(quantile(x, 0.5))} (to {percent(max(x))}); {100 * quantile(points_of(pairs), 0.5):+.0f}')
            row(f'`{policy}`', *cells)
        print()


# ---- the oracle ----

def kept(folder):
    """Family, policy, seed and axes of each point, and the folder of its run."""
    with open(os.path.join(folder, 'plan.jsonl')) as plan:
        for line in plan:
            p = json.loads(line)
            if 'point' in p:
                yield stem(p['axes']['cluster']), p['policy'], p['seed'], p['axes'], os.path.join(folder, 'runs', p['point'])


def distances(folder):
    """By family and policy, of each decision of the oracle: what it attained over what no split is below, less 1."""
    found = {}
    for family, policy, _, _, run in kept(folder):
        if 'optimal' in policy:
            with open(os.path.join(run, 'events.csv')) as events:
                told = {m.groups() + (r['time_s'],) for r in csv.DictReader(events) for m in [re.match(
                    r'max slowdown ([\d.]+) instead of [\d.]+, no split is below ([\d.]+)', r['why'])] if m}
            found.setdefault((family, policy), []).extend(float(a) / float(b) - 1 for a, b, _ in told)
    return found


def oracle(hetune, folder):
    sweep = Sweep(hetune, folder)
    bounds = distances(folder)
    settings, = sweep.settings()
    head('family', 'GPUs', 'reduction, p50', 'oracle, p50', 'largest slowdown above that of the oracle: p50', 'p90', 'below it', 'oracle, largest',
         'oracle, 53 % or more', 'decisions', 'attained above the bound: p50', 'p95')
    for family in sweep.families:
        for gpus, new, best in (('started', 'slowdown_fair', 'slowdown_fair[controller=optimal]'),
                                ('any', 'slowdown_fair[gpus=any]', 'slowdown_fair[controller=optimal,gpus=any]')):
            x, y = (reductions(sweep.pairs(family, settings, p)) for p in (new, best))
            above = [(1 - a) / (1 - b) - 1 for a, b in zip(x, y)]
            row(family, f'`{gpus}`', percent(quantile(x, 0.5)), percent(quantile(y, 0.5)), percent(quantile(above, 0.5)),
                percent(quantile(above, 0.9)), f'{sum(v < 0 for v in above)} of {len(above)}', percent(max(y)),
                f'{sum(v >= 0.53 for v in y)} of {len(y)}', len(bounds[family, best]),
                *(percent(quantile(bounds[family, best], at), 1) for at in (0.5, 0.95)))


# ---- fidelity ----

def slowdowns(folder):
    """Family, rates, policy and seed of each point, and of each job its slowdown."""
    for family, policy, seed, axes, run in kept(folder):
        with open(os.path.join(run, 'jobs.csv')) as jobs:
            rates = axes['cluster.sharing.rates'] if axes['fidelity'] == 'fluid' else 'step'
            yield (family, rates, policy, seed), {r['job']: float(r['slowdown']) for r in csv.DictReader(jobs)}


def fidelity(_, folder):
    runs = dict(slowdowns(folder))
    errors = {}
    for (family, rates, policy, seed), fluid in runs.items():
        if rates != 'step':
            step = runs[family, 'step', policy, seed]
            jobs, worst = errors.setdefault((family, policy, rates), ([], []))
            jobs += [abs(fluid[j] / step[j] - 1) for j in step]
            worst.append(max(fluid.values()) / max(step.values()) - 1)
    head('family', 'policy', 'rates', 'jobs', 'error of a job: p50', 'p95', 'largest', 'of the largest slowdown of a workload: p50', 'p95',
         'mean, with sign')
    for (family, policy, rates), (jobs, worst) in errors.items():
        size = [abs(x) for x in worst]
        row(family, f'`{policy}`', rates, len(jobs), *(percent(v, 1) for v in (quantile(jobs, 0.5), quantile(jobs, 0.95), max(jobs), quantile(
            size, 0.5), quantile(size, 0.95))), f'{100 * sum(worst) / len(worst):+.1f}')


def main(hetune, what, *folders):
    if what == 'workloads':
        workloads(hetune, folders)
    else:
        {'families': families, 'settings': settings_table, 'oracle': oracle, 'fidelity': fidelity}[what](hetune, *folders)


if __name__ == '__main__':
    main(*sys.argv[1:])
