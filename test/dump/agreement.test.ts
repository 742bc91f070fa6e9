/** Recorded clusters written down in each format, and judged: the roots that the live run had open are found. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { diagnosisOf } from '../../src/diagnose/diagnosis.ts';
import { lookAtDump } from '../../src/diagnose/file.ts';
import { shortHash } from '../../src/model/hash.ts';
import { kindOf, nameOf, namespaceOf, type Ref } from '../../src/model/ref.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';
import { runs } from '../runs.ts';
import { recordedNames } from '../scenarios/kit/recorded.ts';
import { tgzOf } from './archive.ts';
import { formats } from './formats.ts';
import { askedAt, linesOf, type Moment, momentOf } from './holding.ts';

/**
 * How many clusters, drawn from all that are recorded, and which share must agree: 96 % of 80 do, 88 % as Insights writes them, whose objects do not
 * tell who wrote them, and 77 % as kubectl prints them, without logs and without what is not there.
 */
const clusters = runs(80);
const least: Readonly<Record<string, number>> = {
  'kubectl cluster-info dump': 0.95,
  'must-gather': 0.95,
  'Troubleshoot support bundle': 0.95,
  'OpenShift Insights archive': 0.88,
  'objects as kubectl prints them': 0.77,
};

const moments: Moment[] = [];
let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-dump-'));
  // Drawn by their names, so that a new scenario changes few of those that are played.
  const names = recordedNames('labelled').toSorted((a, b) => (shortHash([a]) < shortHash([b]) ? -1 : 1));
  for (const name of names) {
    if (moments.length >= clusters) break;
    const lines = linesOf(name);
    const asked = askedAt(lines);
    const moment = asked === 0 ? undefined : momentOf(lines, asked);
    if (moment && moment.roots.length > 0 && moment.roots.every((root) => isThere(root, moment))) moments.push(moment);
  }
});
after(() => rmSync(folder, { recursive: true }));

/** Whether a root is still there: of an object that was deleted, the live run goes on telling for a while what no dump can hold. */
function isThere(root: Ref, { objects }: Moment): boolean {
  if (!watchedKinds.some(({ kind }) => kind === kindOf(root))) return true;
  return objects.some(
    ({ kind, metadata }) =>
      kind === kindOf(root) && metadata.name === nameOf(root) && (metadata.namespace ?? '') === namespaceOf(root),
  );
}

for (const [format, write] of Object.entries(formats))
  test(`${format}: recognised, and it has the roots that the live run had`, async () => {
    assert.equal(moments.length, clusters);
    const missed: string[] = [];
    for (const moment of moments) {
      const path = join(folder, 'dump.tar.gz');
      writeFileSync(path, tgzOf(write(moment), moment.now));
      const seen = await lookAtDump({ path, stdin: Readable.from([]), now: moment.now + 60_000, version: '0' });
      assert.equal(seen.looked.format, format);
      const { broken, at } = diagnosisOf(seen);
      assert.ok(Math.abs(at - moment.now) < 60_000, `${new Date(at).toISOString()} is not the time of the dump`);
      const roots = broken.filter(({ isCertain }) => isCertain).map(({ root }) => root);
      if (!moment.roots.every((root) => roots.some((each) => each === root)))
        missed.push(`${moment.roots.join(' ')}: ${roots.join(' ')}`);
    }
    const share = 1 - missed.length / clusters;
    assert.ok(share >= (least[format] ?? 1), `${Math.round(share * 100)} %\n${missed.join('\n')}`);
  });
