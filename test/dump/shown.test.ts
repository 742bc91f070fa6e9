/**
 * Recorded clusters as each tool takes them: of what a format can show the roots are found. It can show what a live run finds that is told of no other
 * objects and logs.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { runs } from '../runs.ts';
import { drawn } from './drawn.ts';
import { formats } from './formats.ts';
import { gathered, takenOf } from './gathered.ts';
import { linesWithin, type Moment, rootsAt } from './holding.ts';
import { looked, rootsOf } from './looked.ts';

const clusters = runs(8);
/** The share of all in which the roots must be found, and of what can be shown: tools take less than is there. Of so few one more or less is much. */
const least: Readonly<Record<string, readonly [all: number, shown: number]>> = {
  'kubectl cluster-info dump': [0.6, 0.8],
  'must-gather': [0.8, 0.8],
  'Troubleshoot support bundle': [0.8, 0.8],
  'OpenShift Insights archive': [0.4, 0.7],
  'objects as kubectl prints them': [0.6, 0.8],
};

let moments: readonly (Moment & { readonly lines: readonly string[] })[];
before(() => {
  moments = [...drawn(clusters)];
});

for (const [format, write] of Object.entries(formats))
  test(`${format}: of what the tool takes the roots are found`, async (t) => {
    const wanted = gathered[format] ?? {};
    const counts = { found: 0, shown: 0, both: 0 };
    const missed: string[] = [];
    for (const { lines, ...moment } of moments) {
      const roots = rootsOf(await looked(write(takenOf(moment, wanted)), moment.now));
      const live = rootsAt(linesWithin(lines, moment, wanted), moment.now);
      const isFound = moment.roots.every((root) => roots.includes(root));
      const isShown = moment.roots.every((root) => live.includes(root));
      counts.found += Number(isFound);
      counts.shown += Number(isShown);
      counts.both += Number(isFound && isShown);
      if (isShown && !isFound) missed.push(`${moment.roots.join(' ')}: ${roots.join(' ')}`);
    }
    const [all, shown] = [counts.found / clusters, counts.both / counts.shown];
    const says = `${(all * 100).toFixed(1)} % of ${clusters}, ${(shown * 100).toFixed(1)} % of ${counts.shown} that it can show`;
    t.diagnostic(says);
    const [leastOfAll, leastOfShown] = least[format] ?? [1, 1];
    assert.ok(all >= leastOfAll && shown >= leastOfShown, `${says}\n${missed.join('\n')}`);
  });
