/** Dumps of every release from 1.18 to 1.36, of objects made by the schemas that it published: all are read, and what cannot be is named. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { diagnosisOf, type Seen } from '../../src/diagnose/diagnosis.ts';
import { lookAtDump } from '../../src/diagnose/file.ts';
import { diagnosisHtml } from '../../src/diagnose/html.ts';
import { diagnosisJson } from '../../src/diagnose/json.ts';
import { diagnosisMarkdown } from '../../src/diagnose/markdown.ts';
import { diagnosisText } from '../../src/diagnose/text.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { sourceOf } from '../../src/model/resource.ts';
import type { CoreView } from '../../src/turn/core-view.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';
import { randomOf } from '../histories/kit/random.ts';
import { runs } from '../runs.ts';
import { tarOf } from './archive.ts';
import { type Files, formats, type Holding } from './formats.ts';
import { readSchemas } from './schemas/digest-file.ts';
import { Maker } from './schemas/objects.ts';
import { releases } from './schemas/releases.ts';

const now = Date.parse('2026-11-20T10:00:00Z');

/** Versions that clusters have served and that say something else than those of today, with the release in which they were. */
const unknownVersions: readonly string[] = [
  'ResourceClaim of resource.k8s.io/v1alpha1',
  'ResourceClaim of resource.k8s.io/v1alpha2',
];

/** How a cluster is written down: as tools do it, and as kubectl prints what somebody asks for. */
const writers: readonly (readonly [name: string, write: (holding: Holding) => Files])[] = [
  ...Object.entries(formats),
  [
    'objects as kubectl prints them',
    ({ objects }) => new Map([['all.json', JSON.stringify({ kind: 'List', apiVersion: 'v1', items: objects })]]),
  ],
];

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-releases-'));
});
after(() => rmSync(folder, { recursive: true }));

async function look(files: Files): Promise<Seen> {
  const path = join(folder, 'dump.tar');
  writeFileSync(path, tarOf(files, now));
  return lookAtDump({ path, stdin: Readable.from([]), now: now + 60_000, version: '0' });
}

/** Nothing that the core takes in may break a part of it: that would be set aside, and said to nobody here. */
function assertWhole({ view }: Seen, where: string): void {
  const faults = [...(view as CoreView).faults.all()].map(
    ({ step, about, by, error }) => `${step} ${about} ${by}: ${error instanceof Error ? error.stack : String(error)}`,
  );
  assert.deepEqual(faults, [], where);
}

/** How many of each kind; Events are heard, and not held. */
const countsOf = (objects: readonly RawObject[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind = '' } of objects) if (kind !== 'Event') counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};
/** An object by its name alone: the full, the bare and the random Node are one. */
const distinct = (objects: readonly RawObject[]): readonly RawObject[] => [
  ...new Map(objects.map((raw) => [`${raw.kind} ${raw.metadata.namespace ?? ''}/${raw.metadata.name}`, raw])).values(),
];

const schemas = readSchemas();
const draws = runs(1);

for (const release of releases)
  test(`Kubernetes ${release}: every kind in every version that it serves is read, in each format`, async () => {
    const own = schemas.get(release);
    assert.ok(own);
    for (let draw = 0; draw < draws; draw++) {
      const { below } = randomOf(draw);
      const maker = new Maker(own, below, now);
      const objects = distinct((['bare', 'random', 'full'] as const).flatMap((fullness) => maker.objects(fullness)));
      const versions = new Set(objects.map(({ kind, apiVersion }) => `${kind} of ${apiVersion}`));
      assert.ok(versions.size >= 40, String(versions.size));
      const kinds = new Set(objects.map(({ kind }) => kind));
      for (const [format, write] of writers) {
        const where = `${release}, ${format}, draw ${draw}`;
        const files = new Map(write({ objects, logs: [] }));
        files.set('version.json', JSON.stringify({ major: '1', gitVersion: `v${release}`, platform: 'linux/amd64' }));
        const seen = await look(files);
        assertWhole(seen, where);
        const answer = diagnosisOf(seen);
        assert.deepEqual([answer.looked.format, answer.looked.serverVersion], [format, `v${release}`], where);
        for (const print of [diagnosisText, diagnosisMarkdown, diagnosisHtml])
          assert.doesNotMatch(print(answer), /password=a1|undefined|\[object Object\]|NaN/, where);
        assert.ok(JSON.stringify(diagnosisJson(answer)).length > 0);
        assert.deepEqual(
          Object.fromEntries(answer.objects.map(({ kind, count }) => [kind, count])),
          countsOf(objects),
          where,
        );

        const limits = answer.limits.join('\n');
        assert.doesNotMatch(limits, /Not all of it could be read/, where);
        // Items of Troubleshoot's lists and Insights' files do not say their version.
        const saysVersions = !/Troubleshoot|Insights/.test(format);
        const unknown = unknownVersions.filter((version) => versions.has(version) && saysVersions);
        for (const version of unknown) assert.ok(limits.includes(version), `${where}: ${version} in ${limits}`);
        assert.equal(/versions that are not known/.test(limits), unknown.length > 0, `${where}: ${limits}`);
        const missing = new Set(answer.unseen.map(({ resource }) => resource));
        const isWhole = (kind: string): boolean =>
          format === 'must-gather' && kind !== 'ServiceCIDR' && kinds.has(kind);
        for (const row of watchedKinds)
          if (!kinds.has(row.kind) && !isWhole(row.kind))
            assert.ok(missing.has(sourceOf(row)), `${where}: ${row.kind}`);
          else if (kinds.has(row.kind)) assert.ok(!missing.has(sourceOf(row)), `${where}: ${row.kind}`);
      }
    }
  });
