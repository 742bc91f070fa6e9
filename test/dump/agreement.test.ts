/** Recorded clusters written down in each format, and judged: the roots that the live run had open are found. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { runs } from '../runs.ts';
import { drawn } from './drawn.ts';
import { formats } from './formats.ts';
import type { Moment } from './holding.ts';
import { looked, rootsOf } from './looked.ts';

/** How many clusters, and which share must agree; what kubectl prints has no logs. */
const clusters = runs(80);
const least: Readonly<Record<string, number>> = {
  'kubectl cluster-info dump': 0.95,
  'must-gather': 0.95,
  'Troubleshoot support bundle': 0.95,
  'OpenShift Insights archive': 0.95,
  'objects as kubectl prints them': 0.75,
};

let moments: readonly Moment[];
before(() => {
  moments = [...drawn(clusters)];
});

for (const [format, write] of Object.entries(formats))
  test(`${format}: recognised, and it has the roots that the live run had`, async (t) => {
    assert.equal(moments.length, clusters);
    const missed: string[] = [];
    for (const moment of moments) {
      const diagnosis = await looked(write(moment), moment.now);
      assert.equal(diagnosis.looked.format, format);
      const { at } = diagnosis;
      assert.ok(Math.abs(at - moment.now) < 60_000, `${new Date(at).toISOString()} is not the time of the dump`);
      const roots = rootsOf(diagnosis);
      if (!moment.roots.every((root) => roots.includes(root)))
        missed.push(`${moment.roots.join(' ')}: ${roots.join(' ')}`);
    }
    const share = 1 - missed.length / clusters;
    const says = `${(share * 100).toFixed(1)} % of ${clusters}`;
    t.diagnostic(says);
    assert.ok(share >= (least[format] ?? 1), `${says}\n${missed.join('\n')}`);
  });
